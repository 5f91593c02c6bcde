"""A trained RoFormer on texts longer than its own, under the ways to stretch its rope that need no training."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.roformer.modeling_roformer import RoFormerSelfAttention, RoFormerSinusoidalPositionalEmbedding

from ropescope_training.linear_attention import rotate


@dataclass(frozen=True)
class Way:
    """How a text beyond the model's length is read. `scaling`: rope_parameters as config.json has them, without a base."""

    scaling: dict | None = None
    # Scores of a query at position m are multiplied by max(1, ln(m + 1) / ln n): Su, kexue.fm/archives/8823.
    log_n: int | None = None
    # No distance counts for more than this: ReRoPE, github.com/bojone/rerope.
    reach: int | None = None
    # What sines and cosines are multiplied by, where the scaling's own is another.
    magnitude: float | None = None
    # The part of a head's dimensions that turns.
    part: float = 1.0


def longrope(factors: list[float], times: int, context: int) -> dict:
    """rope_parameters of LongRoPE: pair i is divided by the i-th factor in texts beyond the context, with transformers' magnitude."""
    return {
        "rope_type": "longrope",
        "short_factor": [1.0] * len(factors),
        "long_factor": factors,
        "factor": float(times),
        "original_max_position_embeddings": context,
    }


def lengthen(model: nn.Module, length: int) -> None:
    """Gives the model the table of exact angles for texts of this length, where its own ends before."""
    encoder, config = model.roformer.encoder, model.config
    if length > config.max_position_embeddings:
        table = RoFormerSinusoidalPositionalEmbedding(length, config.hidden_size // config.num_attention_heads)
        with torch.no_grad():
            table.weight.copy_(table.create_weight())
        encoder.embed_positions = table.requires_grad_(False).to(next(model.parameters()).device)


def table_of(model: nn.Module, way: Way, length: int) -> Tensor:
    """(length, head size): sines, then cosines, of the stretched rope, with its magnitude."""
    config = model.config
    head_size = config.hidden_size // config.num_attention_heads
    theta = 10_000.0 ** (-torch.arange(0, head_size, 2, dtype=torch.float64) / head_size)
    magnitude = 1.0
    if way.scaling:
        rope = LlamaConfig(
            head_dim=head_size,
            max_position_embeddings=config.max_position_embeddings,
            rope_parameters={"rope_theta": 10_000.0, "partial_rotary_factor": way.part, **way.scaling},
        )
        theta, magnitude = ROPE_INIT_FUNCTIONS[way.scaling["rope_type"]](rope, torch.device("cpu"), seq_len=length)
    if way.magnitude is not None:
        magnitude = way.magnitude
    # Pairs that do not turn stand still.
    theta = nn.functional.pad(theta, (0, head_size // 2 - len(theta)))
    angles = torch.arange(length, dtype=torch.float64)[:, None] * theta.double()
    return (magnitude * torch.cat([angles.sin(), angles.cos()], dim=-1)).float()


class StretchedSelfAttention(RoFormerSelfAttention):
    """Hugging Face's module, with the same parameters, under a way. An encoder's: it sees all keys."""

    way: Way
    table: Tensor

    def forward(self, hidden_states, attention_mask=None, sinusoidal_pos=None, output_attentions=False, **_: object):
        shape = (*hidden_states.shape[:-1], -1, self.attention_head_size)
        query, key, value = (
            part(hidden_states).view(shape).transpose(1, 2) for part in (self.query, self.key, self.value)
        )
        length = hidden_states.shape[1]
        turned_query, turned_key = rotate(query, self.table[:length]), rotate(key, self.table[:length])
        reach = self.way.reach
        if reach is None and self.way.log_n is None:
            # The same without the table of scores in memory, which takes most of the time.
            context = nn.functional.scaled_dot_product_attention(turned_query, turned_key, value, attention_mask)
            return context.transpose(1, 2).flatten(2), None
        scores = turned_query @ turned_key.mT
        at = torch.arange(length)
        if reach is not None and reach < length - 1:
            behind = at[:, None] - at
            limit = self.table[reach]
            scores = torch.where(behind > reach, rotate(query, limit) @ key.mT, scores)
            scores = torch.where(behind < -reach, query @ rotate(key, limit).mT, scores)
        if self.way.log_n is not None:
            grown = torch.log(at + 1.0) / torch.log(torch.tensor(float(self.way.log_n)))
            scores = scores * grown.clamp(min=1)[:, None]
        scores = scores / self.attention_head_size**0.5
        if attention_mask is not None:
            scores = scores + attention_mask
        weights = scores.softmax(-1)
        return (weights @ value).transpose(1, 2).flatten(2), weights


def read_by(model: nn.Module, way: Way, length: int) -> None:
    """From now on the model reads texts of up to this length this way."""
    lengthen(model, length)
    table = table_of(model, way, length)
    for layer in model.roformer.encoder.layer:
        attention = layer.attention.self
        attention.__class__ = StretchedSelfAttention
        attention.way, attention.table = way, table
