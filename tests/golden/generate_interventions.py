"""Writes interventions.safetensors, or checks it: what models of this folder compute when they are changed on the way.

    python generate_interventions.py [--check]

Hugging Face's classes run in f64 with the attention of `attend`, whose scores follow the papers' formulas by the
distance of each pair of tokens and not by rotated rows; unchanged, it must give what the classes' own gives.
README.md lists the tensors.
"""

import argparse
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
import transformers
from safetensors.torch import load_file, save_file
from transformers.models.gpt_neox import modeling_gpt_neox
from transformers.models.llama import modeling_llama
from transformers.models.roformer import modeling_roformer

from folders import CHECK_TOLERANCE, HERE
from in_f64 import in_f64

PATH = HERE / "interventions.safetensors"
LENGTH = 9
FILLS = 5  # of the lens
Heads = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Folder:
    """A golden folder, and how its class pairs dimensions of a head: adjacent ones, or halves of the first so many."""

    name: str
    head: str
    padding: int  # of the second row: at its end, or at its start where negative
    halves: int = 0


FOLDERS = [
    Folder("tiny_masked_lm", "RoFormerForMaskedLM", 3),
    Folder("decoders/llama", "LlamaForCausalLM", -3, halves=10),
    Folder("decoders/gpt_neox", "GPTNeoXForCausalLM", -2, halves=4),
]
# Of these the lens alone is told.
SEEN_THROUGH = [
    Folder("decoders/gemma3", "Gemma3ForCausalLM", -3),
    Folder("readers/modernbert", "ModernBertForMaskedLM", 3),
    Folder("readers/esm", "EsmForMaskedLM", 3),
]


@dataclass(frozen=True)
class Change:
    """What a run changes. Heads are (layer, head); `zero` and `mean`: what their outputs are replaced by."""

    zero: Heads = frozenset()
    mean: Heads = frozenset()
    rotates_values: bool = False  # and leaves them so: RoFormer's rotary_value
    rove: bool = False  # and rotates what the heads give back (arXiv 2606.11275)
    log_n: float | None = None  # scores times max(1, ln(position + 1) / ln n), Su's log-n
    reach: int | None = None  # distances are clamped to it, Su's ReRoPE


CHANGES = {
    "plain": Change(),
    "zero": Change(zero=frozenset({(0, 1), (1, 0)})),
    "mean": Change(mean=frozenset({(0, 0), (1, 1)})),
    "mean_and_zero": Change(mean=frozenset({(0, 1)}), zero=frozenset({(0, 0)})),
    "rotary_value": Change(rotates_values=True),
    "rove": Change(rove=True),
    "log_n": Change(log_n=3.0),
    "rerope": Change(reach=2),
    "all": Change(mean=frozenset({(1, 0)}), rove=True, log_n=4.0, reach=3),
}


class Attention:
    """Attention under a change. `theta`: (pairs) of the model's rope. Keeps scores and weights of each layer."""

    def __init__(self, change: Change, theta: torch.Tensor, halves: int, mask: torch.Tensor):
        self.change, self.theta, self.halves, self.mask = change, theta, halves, mask
        self.scores: list[torch.Tensor] = []
        self.weights: list[torch.Tensor] = []

    def parts(self, rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(…, head size) as complex pairs, and the dimensions that have none."""
        if self.halves:
            turning, rest = rows[..., : self.halves], rows[..., self.halves :]
            return torch.complex(*turning.chunk(2, dim=-1)), rest
        return torch.complex(rows[..., ::2].contiguous(), rows[..., 1::2].contiguous()), rows[..., :0]

    def whole(self, pairs: torch.Tensor, rest: torch.Tensor) -> torch.Tensor:
        """The reverse of `parts`."""
        if self.halves:
            return torch.cat([pairs.real, pairs.imag, rest], dim=-1)
        return torch.stack([pairs.real, pairs.imag], dim=-1).flatten(-2)

    def turned(self, rows: torch.Tensor, by: torch.Tensor) -> torch.Tensor:
        """(batch, heads, length, head size), each row rotated as far as `by` (length) says."""
        pairs, rest = self.parts(rows)
        return self.whole(pairs * torch.exp(1j * by[:, None] * self.theta), rest)

    def attend(self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: torch.Tensor, scale: float):
        """Contexts (batch, length, heads, head size) and weights. query, key, value: (batch, heads, length, head size),
        none of them rotated. mask: what is added to the scores."""
        change, layer, heads = self.change, len(self.scores), query.shape[1]
        key, value = (rows.repeat_interleave(heads // rows.shape[1], dim=1) for rows in (key, value))
        position = torch.arange(query.shape[2], dtype=torch.float64)
        distance = position[:, None] - position[None, :]
        if change.reach is not None:
            distance = distance.clamp(-change.reach, change.reach)
        (query, query_rest), (key, key_rest) = self.parts(query), self.parts(key)
        turns = torch.exp(1j * distance[:, :, None] * self.theta)
        scores = torch.einsum("bhmi,bhni,mni->bhmn", query, key.conj(), turns).real
        scores = (scores + torch.einsum("bhmi,bhni->bhmn", query_rest, key_rest)) * scale
        if change.log_n is not None:
            scores = scores * (torch.log(position + 1) / math.log(change.log_n)).clamp(min=1)[:, None]
        weights = torch.softmax(scores + mask, dim=-1)
        if change.rotates_values or change.rove:
            value = self.turned(value, position)
        context = weights @ value
        if change.rove:
            context = self.turned(context, -position)
        kept = self.mask[:, :, None].double()
        for head in range(heads):
            if (layer, head) in change.zero:
                context[:, head] = 0
            if (layer, head) in change.mean:
                mean = (context[:, head] * kept).sum(dim=1, keepdim=True) / kept.sum(dim=1, keepdim=True)
                context[:, head] = mean.expand_as(context[:, head])
        self.scores.append(scores)
        self.weights.append(weights)
        return context.transpose(1, 2).contiguous(), weights


def roformer_forward(attention: Attention) -> Callable:
    """`RoFormerSelfAttention.forward` with this attention."""

    def forward(self, hidden_states, attention_mask=None, *_args, **_kwargs):
        shape = (*hidden_states.shape[:-1], -1, self.attention_head_size)
        rows = [layer(hidden_states).view(shape).transpose(1, 2) for layer in (self.query, self.key, self.value)]
        context, weights = attention.attend(*rows, attention_mask, self.attention_head_size**-0.5)
        return context.flatten(-2), weights

    return forward


def logits(model: torch.nn.Module, inputs: dict[str, torch.Tensor], attention: Attention) -> torch.Tensor:
    """The model's logits with this attention in place of its own."""

    def eager(_module, query, key, value, mask, scaling, **_kwargs):
        return attention.attend(query, key, value, mask, scaling)

    replaced = [(modeling_roformer.RoFormerSelfAttention, "forward", roformer_forward(attention))]
    for module in (modeling_llama, modeling_gpt_neox):
        replaced.append((module, "eager_attention_forward", eager))
        replaced.append((module, "apply_rotary_pos_emb", lambda query, key, *_args: (query, key)))
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in replaced]
    try:
        for owner, name, function in replaced:
            setattr(owner, name, function)
        with torch.no_grad(), in_f64():
            return model(**inputs).logits
    finally:
        for owner, name, function in before:
            setattr(owner, name, function)


def opened(folder: Folder) -> torch.nn.Module:
    """The folder's model in f64."""
    head = getattr(transformers, folder.head)
    stored = head.from_pretrained(HERE / folder.name, dtype=torch.float32, attn_implementation="eager")
    with in_f64():
        model = head(stored.config).eval()
        state = stored.state_dict()
        tables = [name for name in state if name.endswith("embed_positions.weight")]
        missing, unexpected = model.load_state_dict({name: state[name] for name in state.keys() - tables}, strict=False)
        assert sorted(missing) == sorted(tables) and not unexpected, (missing, unexpected)
    return model


def frequencies(folder: Folder, model: torch.nn.Module) -> torch.Tensor:
    """θ of each pair, (pairs)."""
    if folder.halves:
        return getattr(model, model.base_model_prefix).rotary_emb.inv_freq.double()
    size = model.config.hidden_size // model.config.num_attention_heads
    return 10_000.0 ** (-torch.arange(0, size, 2, dtype=torch.float64) / size)


def texts(folder: Folder, vocabulary: int) -> dict[str, torch.Tensor]:
    """Two rows of ids, the second of them padded."""
    ids = torch.from_numpy(np.random.RandomState(77).randint(1, vocabulary, (2, LENGTH)))
    mask = torch.ones((2, LENGTH), dtype=torch.int64)
    if folder.padding > 0:
        mask[1, LENGTH - folder.padding :] = 0
    else:
        mask[1, : -folder.padding] = 0
    return dict(input_ids=ids * mask, attention_mask=mask)


def lens(model: torch.nn.Module, inputs: dict[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
    """The model's own output head on the hidden states of every layer: log p of the best fills, and their ids; both
    (layers + 1, batch · length, fills)."""
    with torch.no_grad(), in_f64():
        output = model(**inputs, output_hidden_states=True)
        *between, last = output.hidden_states
        match type(model).__name__:
            case "RoFormerForMaskedLM":
                read = [model.cls(states) for states in (*between, last)]
            case "LlamaForCausalLM" | "Gemma3ForCausalLM":
                read = [model.lm_head(model.model.norm(states)) for states in between] + [model.lm_head(last)]
            case "ModernBertForMaskedLM":
                read = [model.decoder(model.head(model.model.final_norm(states))) for states in between]
                read.append(model.decoder(model.head(last)))
            case "EsmForMaskedLM":
                norm = model.esm.encoder.emb_layer_norm_after
                read = [model.lm_head(norm(states)) for states in between] + [model.lm_head(last)]
            case _:
                out = model.get_output_embeddings()
                read = [out(model.gpt_neox.final_layer_norm(states)) for states in between] + [out(last)]
        torch.testing.assert_close(read[-1], output.logits)
        best = torch.stack(read).log_softmax(dim=-1).flatten(1, 2).topk(FILLS)
    # Ids are compared: the best must not be near a tie.
    gaps = (best.values[..., :-1] - best.values[..., 1:]).min()
    assert gaps > 1e-5, gaps
    return best.values, best.indices


def seen_through(folder: Folder) -> dict[str, torch.Tensor]:
    """The lens alone."""
    model = opened(folder)
    inputs = texts(folder, model.config.vocab_size)
    fills, ids = lens(model, inputs)
    tensors = inputs | {"lens.log_p": fills, "lens.ids": ids}
    return {f"{folder.name}/{name}": tensor for name, tensor in tensors.items()}


def answers(folder: Folder) -> dict[str, torch.Tensor]:
    model = opened(folder)
    inputs = texts(folder, model.config.vocab_size)
    fills, ids = lens(model, inputs)
    tensors = inputs | {"lens.log_p": fills, "lens.ids": ids}
    plain = None
    with torch.no_grad(), in_f64():
        own = model(**inputs).logits
    for name, change in CHANGES.items():
        attention = Attention(change, frequencies(folder, model), folder.halves, inputs["attention_mask"])
        found = logits(model, inputs, attention)
        if plain is None:
            plain = found
            torch.testing.assert_close(found, own, rtol=1e-6, atol=1e-6)
            continue
        changed = (found - plain).abs().max().item()
        assert changed > 1e-3 * plain.abs().max().item(), f"{folder.name}, {name}: changes logits by {changed:.2g}"
        tensors[f"{name}.logits"] = found
        tensors[f"{name}.weights"] = attention.weights[-1][0]
        tensors[f"{name}.scores"] = attention.scores[-1][0]
    return {f"{folder.name}/{name}": tensor for name, tensor in tensors.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the committed file and write nothing")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    found = {name: tensor for folder in FOLDERS for name, tensor in answers(folder).items()}
    found |= {name: tensor for folder in SEEN_THROUGH for name, tensor in seen_through(folder).items()}
    flat = {
        name: tensor.to(torch.float32 if tensor.is_floating_point() else torch.int64).contiguous()
        for name, tensor in found.items()
    }
    if not arguments.check:
        save_file(flat, PATH)
        return 0
    committed = load_file(PATH)
    faults = [f"{name} is on one side only" for name in committed.keys() ^ flat.keys()]
    for name in committed.keys() & flat.keys():
        old, new = committed[name].double(), flat[name].double()
        if old.shape != new.shape or (old - new).abs().max() > CHECK_TOLERANCE * max(1.0, old.abs().max().item()):
            faults.append(name)
    print("\n".join(faults), file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
