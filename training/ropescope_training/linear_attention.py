"""Linear attention with rotary positions: RoFormer (arXiv 2104.09864) §3.3, equations 17 to 19.

φ(x) = elu(x) + 1 of unrotated queries and keys. The numerator rotates it, the denominator does not:

    weight of n for m = (R_m φ(q_m))·(R_n φ(k_n)) / Σ_n φ(q_m)·φ(k_n)

without 1/√head_size. Weights may be negative, and a row of them does not sum to 1. Padded keys add to neither sum.
"""

import torch
from torch import Tensor, nn
from torch.nn.functional import elu
from transformers.models.roformer.modeling_roformer import RoFormerSelfAttention

KINDS = ("softmax", "linear")


def feature(x: Tensor) -> Tensor:
    """φ, which is positive everywhere."""
    return elu(x) + 1


def rotate(x: Tensor, table: Tensor) -> Tensor:
    """Turns adjacent pairs of x (…, length, head_size) by a table (length, head_size): sines, then cosines."""
    sine, cosine = table.chunk(2, dim=-1)
    even, odd = x[..., ::2], x[..., 1::2]
    return torch.stack([even * cosine - odd * sine, odd * cosine + even * sine], dim=-1).flatten(-2)


def linear_weights(
    query: Tensor, key: Tensor, table: Tensor, kept: Tensor | None = None, causal: bool = False
) -> Tensor:
    """The signed weights (…, length, length) that linear attention never makes, for looking at them.

    query, key: (…, length, head_size), not rotated. kept: 1 for a key, 0 for padding, (…, 1, length).
    """
    numerator = rotate(feature(query), table) @ rotate(feature(key), table).mT
    denominator = feature(query) @ feature(key).mT
    if kept is not None:
        numerator, denominator = numerator * kept, denominator * kept
    if causal:
        numerator, denominator = numerator.tril(), denominator.tril()
    return numerator / denominator.sum(-1, keepdim=True)


def linear_attention(query: Tensor, key: Tensor, value: Tensor, table: Tensor, kept: Tensor | None = None) -> Tensor:
    """Σ_n weight · v_n, (…, length, head_size), at a cost that grows with the length alone. Arguments: `linear_weights`."""
    query, key = feature(query), feature(key)
    if kept is not None:
        key = key * kept.mT
    state = rotate(key, table).mT @ value
    denominator = query @ key.sum(-2, keepdim=True).mT
    return (rotate(query, table) @ state) / denominator


class LinearSelfAttention(RoFormerSelfAttention):
    """Hugging Face's module, with the same parameters, that attends linearly. An encoder's: it sees all keys."""

    def forward(self, hidden_states, attention_mask=None, sinusoidal_pos=None, output_attentions=False, **_: object):
        shape = (*hidden_states.shape[:-1], -1, self.attention_head_size)
        parts = [part(hidden_states).view(shape).transpose(1, 2) for part in (self.query, self.key, self.value)]
        # Hugging Face adds 0 to the scores of keys and the smallest number to those of padding, for every query alike.
        kept = None if attention_mask is None else (attention_mask[..., :1, :] == 0).float()
        # Sums over the length lose too much in 16 bits.
        with torch.autocast(hidden_states.device.type, enabled=False):
            query, key, value = (part.float() for part in parts)
            context = linear_attention(query, key, value, sinusoidal_pos, kept)
            weights = linear_weights(query, key, sinusoidal_pos, kept) if output_attentions else None
        return context.transpose(1, 2).flatten(-2), weights


def give_attention(model: nn.Module, kind: str) -> None:
    """Makes a RoFormer attend by the named kind; config.json says "attention" where it is not softmax."""
    if kind not in KINDS:
        raise ValueError(f"no such kind of attention: {kind}")
    if kind == attention_of(model):
        return
    if kind == "softmax" or model.config.is_decoder or model.config.rotary_value:
        raise SystemExit("only an encoder that attends by softmax and leaves values unrotated can be made linear")
    for index, layer in enumerate(model.roformer.encoder.layer):
        linear = LinearSelfAttention(model.config, index)
        linear.load_state_dict(layer.attention.self.state_dict())
        layer.attention.self = linear
    model.config.attention = kind


def attention_of(model: nn.Module) -> str:
    is_linear = isinstance(model.roformer.encoder.layer[0].attention.self, LinearSelfAttention)
    return "linear" if is_linear else "softmax"
