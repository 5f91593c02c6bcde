"""Writes kernels.safetensors, or checks it: what PyTorch computes for each kernel of the engine, at odd shapes.

    python generate_kernels.py [--check]

Inputs are f32 from numpy's frozen RandomState; outputs are computed in f64 from them and rounded to f32 once.
README.md lists the tensors and their shapes.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch.nn.functional import cross_entropy, gelu, layer_norm, linear, relu, silu, softmax
from transformers.models.roformer.modeling_roformer import RoFormerSelfAttention

PATH = Path(__file__).parent / "kernels.safetensors"
ACTIVATIONS = {"gelu": gelu, "relu": relu, "silu": silu, "erf": torch.erf}
Tensors = dict[str, torch.Tensor]


class Random:
    """f32 and integer tensors of one seed."""

    def __init__(self, seed: int):
        self.state = np.random.RandomState(seed)

    def normal(self, *shape: int) -> torch.Tensor:
        return torch.from_numpy(self.state.standard_normal(shape).astype(np.float32))

    def integers(self, limit: int, *shape: int) -> torch.Tensor:
        return torch.from_numpy(self.state.randint(0, limit, shape).astype(np.int64))

    def gain(self, size: int) -> torch.Tensor:
        return 1 + self.normal(size) / 10


def number(value: int | float) -> torch.Tensor:
    """A scalar as a tensor of one element: i64 or f32."""
    return torch.tensor([value], dtype=torch.int64 if isinstance(value, int) else torch.float32)


def normalised(values: torch.Tensor, gain: torch.Tensor, bias: torch.Tensor, eps: torch.Tensor) -> torch.Tensor:
    return layer_norm(values.double(), gain.shape, gain.double(), bias.double(), eps.double().item())


def rotated(values: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    """Hugging Face's rotation of (batch, length, heads, head_size) by a (length, head_size / 2, 2) table."""
    sinusoidal = torch.cat([table[..., 1], table[..., 0]], dim=-1).double()[None, None]
    by_head = values.double().transpose(1, 2)
    return RoFormerSelfAttention.apply_rotary_position_embeddings(sinusoidal, by_head, by_head)[0].transpose(1, 2)


def rotation_table(length: int, head_size: int, base: float, offset: int) -> torch.Tensor:
    """cos and sin of (offset + m) base^(-2i/head_size), (length, head_size / 2, 2): f64, rounded to f32."""
    frequencies = base ** (-2 * np.arange(head_size // 2, dtype=np.float64) / head_size)
    angles = (offset + np.arange(length, dtype=np.float64))[:, None] * frequencies[None, :]
    return torch.from_numpy(np.stack([np.cos(angles), np.sin(angles)], axis=-1).astype(np.float32))


def embedding(random: Random, batch: int, length: int, vocabulary: int, types: int, size: int, eps: float) -> Tensors:
    tensors = dict(
        ids=random.integers(vocabulary, batch, length),
        token_type_ids=random.integers(types, batch, length),
        word_embeddings=random.normal(vocabulary, size),
        token_type_embeddings=random.normal(types, size),
        gain=random.gain(size),
        bias=random.normal(size),
        eps=number(eps),
    )
    words = tensors["word_embeddings"].double()[tensors["ids"]]
    kinds = tensors["token_type_embeddings"].double()[tensors["token_type_ids"]]
    tensors["output"] = normalised(words + kinds, tensors["gain"], tensors["bias"], tensors["eps"])
    return tensors


def norm(random: Random, rows: int, size: int, eps: float, shift: float = 0.0, scale: float = 1.0) -> Tensors:
    tensors = dict(
        input=shift + scale * random.normal(rows, size),
        gain=random.gain(size),
        bias=random.normal(size),
        eps=number(eps),
    )
    tensors["output"] = normalised(tensors["input"], tensors["gain"], tensors["bias"], tensors["eps"])
    return tensors


def product(random: Random, rows: int, inner: int, outer: int, epilogue: str | None = None) -> Tensors:
    """input · weightᵀ + bias, then the epilogue: an activation, or a residual added."""
    tensors = dict(input=random.normal(rows, inner), weight=random.normal(outer, inner) / 2, bias=random.normal(outer))
    output = linear(tensors["input"].double(), tensors["weight"].double(), tensors["bias"].double())
    if epilogue == "residual":
        tensors["residual"] = random.normal(rows, outer)
        output = output + tensors["residual"]
    elif epilogue is not None:
        output = ACTIVATIONS[epilogue](output)
    return tensors | dict(output=output)


def rotation(
    random: Random, batch: int, length: int, heads: int, head_size: int, inner: int, base: float, offset: int
) -> Tensors:
    """input · weightᵀ + bias, split into heads and rotated; `unrotated` is what the rotation is applied to."""
    size = heads * head_size
    tensors = dict(
        input=random.normal(batch, length, inner),
        weight=random.normal(size, inner) / 2,
        bias=random.normal(size),
        heads=number(heads),
        base=number(base),
        position_offset=number(offset),
        table=rotation_table(length, head_size, base, offset),
    )
    unrotated = linear(tensors["input"].double(), tensors["weight"].double(), tensors["bias"].double())
    tensors["unrotated"] = unrotated
    tensors["output"] = rotated(unrotated.view(batch, length, heads, head_size), tensors["table"]).reshape(
        unrotated.shape
    )
    return tensors


def attention(
    random: Random, batch: int, length: int, heads: int, head_size: int, padding: list[int], causal: bool = False
) -> Tensors:
    """softmax(q kᵀ / √head_size + mask) v, the mask one f32::MIN wherever a key is padding or, if causal, ahead.

    `padding` counts the masked tokens of each row: at its end, or at its start where negative.
    """
    shape = (batch, length, heads, head_size)
    mask = torch.ones(batch, length, dtype=torch.int64)
    for row, count in enumerate(padding):
        if count > 0:
            mask[row, length - count :] = 0
        elif count < 0:
            mask[row, :-count] = 0
    tensors = dict(
        query=random.normal(*shape),
        key=random.normal(*shape),
        value=random.normal(*shape),
        attention_mask=mask,
        causal=number(int(causal)),
    )
    query, key, value = (tensors[name].double().transpose(1, 2) for name in ("query", "key", "value"))
    allowed = mask.bool()[:, None, None, :].expand(batch, 1, length, length)
    if causal:
        allowed = allowed & torch.ones(length, length).tril().bool()
    added = torch.zeros(allowed.shape, dtype=torch.float64).masked_fill(~allowed, torch.finfo(torch.float32).min)
    probabilities = softmax(query @ key.transpose(2, 3) / head_size**0.5 + added, dim=-1)
    tensors["probabilities"] = probabilities
    tensors["output"] = (probabilities @ value).transpose(1, 2).reshape(batch, length, heads * head_size)
    return tensors


def rows_softmax(values: torch.Tensor) -> Tensors:
    return dict(input=values, output=softmax(values.double(), dim=-1))


def top_k(values: torch.Tensor, k: int) -> Tensors:
    """The k largest of each row with their softmax probabilities: from large to small, the lower id first in a tie."""
    order = torch.sort(values, dim=-1, descending=True, stable=True).indices[:, :k]
    probabilities = softmax(values.double(), dim=-1).gather(1, order)
    return dict(input=values, k=number(k), ids=order, probabilities=probabilities)


def label_loss(logits: torch.Tensor, labels: list[int]) -> Tensors:
    """−log p of each row's label; −1 (any label that is none) is left out of the labels and has loss 0."""
    labels = torch.tensor(labels)
    losses = cross_entropy(logits.double(), labels, reduction="none", ignore_index=-1)
    kept = (labels >= 0).long()
    return dict(input=logits, labels=labels * kept, kept=kept, losses=losses)


def activation(name: str, values: torch.Tensor) -> Tensors:
    return dict(input=values, output=ACTIVATIONS[name](values.double()))


def cases() -> dict[str, Tensors]:
    """Every case by its `<kernel>.<case>`. Each has a seed of its own, so that adding one changes no other."""
    found = {
        "embedding.odd": embedding(Random(1), 2, 7, 37, 16, 18, 1e-12),
        "embedding.one": embedding(Random(2), 1, 1, 5, 1, 37, 1e-12),
        "embedding.eps": embedding(Random(3), 3, 3, 11, 2, 4, 0.25),
        "embedding.long": embedding(Random(4), 1, 33, 97, 2, 32, 1e-12),
        "layer_norm.odd": norm(Random(10), 5, 37, 1e-12),
        "layer_norm.one_row": norm(Random(11), 1, 18, 1e-12),
        "layer_norm.two_wide": norm(Random(12), 3, 2, 1e-5),
        "layer_norm.vec4": norm(Random(13), 33, 64, 1e-12),
        "layer_norm.wide": norm(Random(14), 2, 515, 1e-12),
        "layer_norm.far_mean": norm(Random(15), 3, 50, 1e-12, shift=100.0),
        "layer_norm.constant": norm(Random(16), 2, 8, 1e-12, shift=0.5, scale=0.0),
        "layer_norm.small": norm(Random(17), 3, 33, 1e-12, scale=1e-5),
    }
    for seed, (rows, inner, outer) in enumerate(
        [(1, 1, 1), (5, 7, 3), (3, 37, 18), (33, 18, 37), (1, 50, 99), (65, 33, 34), (64, 64, 64), (7, 260, 5)]
    ):
        found[f"linear.{rows}x{inner}x{outer}"] = product(Random(20 + seed), rows, inner, outer)
    for seed, epilogue in enumerate(["gelu", "relu", "silu", "residual"]):
        found[f"linear.{epilogue}_3x37x18"] = product(Random(30 + seed), 3, 37, 18, epilogue)
        found[f"linear.{epilogue}_33x18x37"] = product(Random(40 + seed), 33, 18, 37, epilogue)
        found[f"linear.{epilogue}_1x32x48"] = product(Random(50 + seed), 1, 32, 48, epilogue)
    found |= {
        "rotation.5_heads": rotation(Random(60), 2, 3, 5, 6, 37, 10000.0, 0),
        "rotation.head_size_2": rotation(Random(61), 1, 7, 3, 2, 18, 10000.0, 5),
        "rotation.vec4": rotation(Random(62), 2, 33, 4, 8, 32, 10000.0, 0),
        "rotation.offset": rotation(Random(63), 1, 5, 3, 10, 7, 10000.0, 100_000),
        "rotation.base": rotation(Random(64), 1, 1, 1, 12, 3, 500.0, 17),
        "attention.odd": attention(Random(70), 2, 7, 5, 6, [0, 0]),
        "attention.length_1": attention(Random(71), 3, 1, 3, 2, [0, 0, 0]),
        "attention.padded": attention(Random(72), 3, 9, 3, 10, [0, 4, -3]),
        "attention.masked_row": attention(Random(73), 2, 5, 2, 8, [5, 1]),
        "attention.causal": attention(Random(74), 2, 9, 3, 6, [0, 0], causal=True),
        "attention.causal_padded": attention(Random(75), 3, 7, 1, 4, [0, 3, -2], causal=True),
        "attention.causal_masked_row": attention(Random(76), 2, 6, 2, 6, [6, 0], causal=True),
        "attention.length_33": attention(Random(77), 2, 33, 2, 18, [0, 11]),
        "attention.length_65": attention(Random(78), 1, 65, 1, 32, [0]),
        "attention.causal_length_67": attention(Random(79), 1, 67, 1, 8, [5], causal=True),
        "softmax.odd": rows_softmax(3 * Random(80).normal(5, 37)),
        "softmax.one": rows_softmax(Random(81).normal(3, 1)),
        "softmax.equal": rows_softmax(torch.full((2, 7), 4.0)),
        "softmax.large": rows_softmax(
            torch.tensor([[1e4, 9999.0, -1e4], [-3.0e38, -3.0e38, -3.0e38], [80.0, -80.0, 0.0]])
        ),
        "softmax.long": rows_softmax(Random(82).normal(2, 1025)),
        "top_k.five": top_k(3 * Random(90).normal(3, 97), 5),
        "top_k.one": top_k(Random(91).normal(2, 37), 1),
        "top_k.all": top_k(Random(92).normal(1, 7), 7),
        "top_k.ties": top_k((2 * Random(93).normal(5, 1000)).round() / 2, 64),
        "top_k.equal": top_k(torch.full((2, 300), -1.5), 64),
        "top_k.largest_last": top_k(torch.arange(1003, dtype=torch.float32)[None] / 8, 33),
        "top_k.far_apart": top_k(torch.tensor([[-3.0e38, 5.0, 3.0e38, 5.0, -3.0e38, -1.0]]), 6),
        "top_k.signed_zeros": top_k(torch.tensor([[0.0, -0.0, -1.0, -0.0, 0.0]]), 4),
    }
    drawn = 3 * Random(101).normal(7, 131)
    found |= {
        "label_loss.odd": label_loss(drawn, [0, 130, -1, 64, 127, 128, 5]),
        "label_loss.one": label_loss(Random(102).normal(2, 1), [0, -1]),
        "label_loss.best_and_worst": label_loss(drawn, [*drawn.argmax(1)[:4].tolist(), *drawn.argmin(1)[4:].tolist()]),
        "label_loss.equal": label_loss(torch.full((2, 300), -1.5), [0, 299]),
        "label_loss.far_apart": label_loss(torch.tensor([[-1e4, 1e4, 0.0], [80.0, -80.0, 0.0]]), [0, 0]),
        "label_loss.long": label_loss(3 * Random(103).normal(3, 5003), [5002, 0, 2500]),
    }
    dense = torch.linspace(-10, 10, 2001, dtype=torch.float64).float()
    extreme = torch.tensor([-3e38, -1e4, -100, -88.5, -20, -1e-30, -0.0, 0, 1e-30, 20, 88.5, 100, 1e4, 3e38])
    for name in ACTIVATIONS:
        found[f"{name}.dense"] = activation(name, dense)
        found[f"{name}.extreme"] = activation(name, extreme)
    return found


def verify(found: dict[str, Tensors]) -> None:
    """Facts that hold whatever the numbers are."""
    for name, tensors in found.items():
        for tensor in tensors.values():
            assert tensor.isfinite().all(), name
        if name.startswith("rotation."):
            before, after = tensors["unrotated"], tensors["output"]
            torch.testing.assert_close(before.norm(dim=-1), after.double().norm(dim=-1), atol=0, rtol=1e-6)
    uniform = found["attention.masked_row"]["probabilities"][0]
    torch.testing.assert_close(uniform, torch.full_like(uniform, 1 / 5))
    uniform = found["attention.causal_masked_row"]["probabilities"][0]
    torch.testing.assert_close(uniform, torch.full_like(uniform, 1 / 6))
    assert found["top_k.equal"]["ids"][1].tolist() == list(range(64))
    torch.testing.assert_close(found["label_loss.equal"]["losses"], torch.full((2,), 300.0).double().log())
    assert found["label_loss.odd"]["losses"][2] == 0 and found["label_loss.far_apart"]["losses"][0] == 2e4
    assert found["top_k.signed_zeros"]["ids"].tolist() == [[0, 1, 3, 4]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the committed file and write nothing")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    found = cases()
    verify(found)
    flat = {
        f"{case}.{name}": (tensor.float() if tensor.is_floating_point() else tensor).clone(
            memory_format=torch.contiguous_format
        )
        for case, tensors in found.items()
        for name, tensor in tensors.items()
    }
    if not arguments.check:
        save_file(flat, PATH)
        return 0
    committed = load_file(PATH)
    if committed.keys() != flat.keys():
        print(f"on one side only: {sorted(committed.keys() ^ flat.keys())}", file=sys.stderr)
        return 1
    faults = [
        name for name in flat if not torch.allclose(committed[name].double(), flat[name].double(), rtol=1e-6, atol=1e-7)
    ]
    print("\n".join(faults), file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
