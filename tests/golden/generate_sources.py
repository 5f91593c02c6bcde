"""Writes the folders of sources/, or checks them: RoFormers that no class of Hugging Face's computes.

    python generate_sources.py            # writes every case
    python generate_sources.py --check    # compares what would be written with what is there

Linear attention (equation 19 of the RoFormer paper) and the variant that rotates before the feature map, RoFormer-v2, embeddings that are
projected before they are normed, and the RoFormer of a Hungarian notebook: plain PyTorch in f64, from the papers' formulas and
with whole maps, over weights in f32. README.md describes the files.
"""

import argparse
import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from torch import Tensor
from torch.nn.functional import elu, gelu, layer_norm, relu

from cases import BASE, CAUSAL_IDS, ONE_LAYER, PADDED_BATCH, PADDED_LEFT, ROW_MASKED, unpadded
from folders import HERE, compare

FOLDER = HERE / "sources"
MASKED, CAUSAL, MODEL = "RoFormerForMaskedLM", "RoFormerForCausalLM", "RoFormerModel"
V2 = dict(norm_type="rms_norm", use_bias=False, hidden_act="relu", embedding_size=32)
NOTEBOOK = dict(
    model_type="roformer_notebook",
    vocab_size=61,
    hidden_size=36,
    intermediate_size=37,
    n_layers=2,
    n_heads=3,
    block_size=64,
    rope_base=1_000_000.0,
    layer_norm_eps=1e-5,
)


@dataclass(frozen=True)
class Case:
    name: str
    config: dict
    inputs: dict | tuple[int, int]
    seed: int
    head: str = MASKED
    scale: float = 0.25  # of the weights' normal draw


CASES = [
    Case("linear", BASE | dict(attention="linear"), PADDED_BATCH, 60),
    Case("linear_length_67", ONE_LAYER | dict(attention="linear", max_position_embeddings=67, num_attention_heads=2), (1, 67), 61),
    Case("linear_row_masked", ONE_LAYER | dict(attention="linear"), ROW_MASKED, 62),
    Case("linear_rotary_value", ONE_LAYER | dict(attention="linear", rotary_value=True), PADDED_BATCH, 63),
    Case("linear_causal", BASE | dict(attention="linear", is_decoder=True), unpadded(CAUSAL_IDS), 64, CAUSAL),
    Case("linear_causal_padded", BASE | dict(attention="linear", is_decoder=True), PADDED_LEFT, 65, CAUSAL),
    Case(
        "linear_causal_length_130",
        ONE_LAYER | dict(attention="linear", is_decoder=True, max_position_embeddings=130, num_attention_heads=1),
        (1, 130),
        66,
        CAUSAL,
    ),
    Case("linear_rotate_first", BASE | dict(attention="linear_rotate_first"), PADDED_BATCH, 67),
    Case(
        "linear_rotate_first_causal",
        ONE_LAYER | dict(attention="linear_rotate_first", is_decoder=True),
        PADDED_LEFT,
        68,
        CAUSAL,
    ),
    Case("roformer_v2", BASE | V2, PADDED_BATCH, 70),
    Case("roformer_v2_model", ONE_LAYER | V2, (2, 33), 71, MODEL),
    Case("roformer_v2_linear", ONE_LAYER | V2 | dict(attention="linear"), (2, 9), 72),
    Case("project_then_norm", BASE | dict(embedding_order="project_then_norm"), PADDED_BATCH, 73),
    Case("notebook", NOTEBOOK, (2, 21), 74),
    Case("notebook_float32_table", NOTEBOOK | dict(rope_table_dtype="float32"), (1, 21), 74),
]


def batch(case: Case) -> dict[str, Tensor]:
    """input_ids, attention_mask, token_type_ids, each (batch, length), i64; of a pair of sizes drawn, row r ends in r padded tokens."""
    if isinstance(case.inputs, dict):
        return {name: torch.tensor(rows) for name, rows in case.inputs.items()}
    rows, length = case.inputs
    random = np.random.RandomState(1000 + case.seed)
    ids = random.randint(1, case.config["vocab_size"], (rows, length))
    types = random.randint(0, case.config.get("type_vocab_size", 1), (rows, length))
    mask = (np.arange(length)[None, :] < length - np.arange(rows)[:, None]).astype(np.int64)
    arrays = dict(input_ids=ids * mask, attention_mask=mask, token_type_ids=types * mask)
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


def linear_shapes(name: str, rows: int, columns: int, bias: bool = True) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (rows, columns)} | ({f"{name}.bias": (rows,)} if bias else {})


def norm_shapes(name: str, width: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (width,), f"{name}.bias": (width,)}


def roformer_shapes(config: dict, head: str) -> dict[str, tuple[int, ...]]:
    """Names and shapes of the tensors of a RoFormer, v1 or v2."""
    hidden, inner, vocabulary = config["hidden_size"], config["intermediate_size"], config["vocab_size"]
    embedding, bias = config["embedding_size"], config.get("use_bias", True)
    normed = config.get("norm_type", "layer_norm") == "layer_norm"
    prefix = "" if head == MODEL else "roformer."
    shapes = {
        f"{prefix}embeddings.word_embeddings.weight": (vocabulary, embedding),
        f"{prefix}embeddings.token_type_embeddings.weight": (config["type_vocab_size"], embedding),
    }
    projected_first = config.get("embedding_order") == "project_then_norm"
    if normed:
        shapes |= norm_shapes(f"{prefix}embeddings.LayerNorm", hidden if projected_first else embedding)
    if embedding != hidden:
        shapes |= linear_shapes(f"{prefix}embeddings_project", hidden, embedding)
    for layer in range(config["num_hidden_layers"]):
        at = f"{prefix}encoder.layer.{layer}"
        for part in ("query", "key", "value"):
            shapes |= linear_shapes(f"{at}.attention.self.{part}", hidden, hidden, bias)
        shapes |= linear_shapes(f"{at}.attention.output.dense", hidden, hidden, bias)
        shapes |= linear_shapes(f"{at}.intermediate.dense", inner, hidden, bias)
        shapes |= linear_shapes(f"{at}.output.dense", hidden, inner, bias)
        if normed:
            shapes |= norm_shapes(f"{at}.attention.output.LayerNorm", hidden) | norm_shapes(f"{at}.output.LayerNorm", hidden)
    if head != MODEL and normed:
        shapes |= linear_shapes("cls.predictions.transform.dense", embedding, hidden)
        shapes |= norm_shapes("cls.predictions.transform.LayerNorm", embedding) | {"cls.predictions.bias": (vocabulary,)}
    return shapes


def notebook_shapes(config: dict) -> dict[str, tuple[int, ...]]:
    hidden, inner, vocabulary = config["hidden_size"], config["intermediate_size"], config["vocab_size"]
    shapes = {"token_embeddings.weight": (vocabulary, hidden), "output.weight": (vocabulary, hidden)}
    for layer in range(config["n_layers"]):
        at = f"layers.{layer}"
        for part in ("query", "key", "value", "w_o"):
            shapes |= linear_shapes(f"{at}.attention.{part}", hidden, hidden)
        shapes |= linear_shapes(f"{at}.feed_forward.c_fc", inner, hidden)
        shapes |= linear_shapes(f"{at}.feed_forward.c_proj", hidden, inner)
        for norm in ("feed_forward.layer_norm", "attention_norm", "ffn_norm"):
            shapes |= norm_shapes(f"{at}.{norm}", hidden)
    return shapes


def drawn(shapes: dict[str, tuple[int, ...]], case: Case) -> dict[str, Tensor]:
    """f32 weights from a seeded normal draw, in the order of the sorted names; gains of norms are 1 + 0.1 a."""
    random = np.random.RandomState(case.seed)
    tensors = {}
    for name in sorted(shapes):
        draw = random.standard_normal(shapes[name]).astype(np.float32)
        gain = name.lower().endswith("norm.weight")
        values = np.float32(1) + np.float32(0.1) * draw if gain else np.float32(case.scale) * draw
        tensors[name] = torch.from_numpy(values)
    return tensors


def rotated(rows: Tensor, table: Tensor) -> Tensor:
    """rows: (batch, heads, length, head size), adjacent pairs; table: complex (length, head size / 2)."""
    pairs = torch.complex(rows[..., ::2].contiguous(), rows[..., 1::2].contiguous()) * table
    return torch.stack([pairs.real, pairs.imag], dim=-1).flatten(-2)


def exact_table(length: int, size: int, base: float) -> Tensor:
    theta = base ** (-torch.arange(0, size, 2, dtype=torch.float64) / size)
    angles = torch.arange(length, dtype=torch.float64)[:, None] * theta
    return torch.polar(torch.ones_like(angles), angles)


def notebook_table(length: int, config: dict) -> Tensor:
    """As the notebook makes it: angles in f32 by torch.polar, cosines and sines rounded to bf16 unless the config says f32."""
    size = config["hidden_size"] // config["n_heads"]
    theta = 1.0 / (config["rope_base"] ** (torch.arange(0, size, 2)[: size // 2].float() / size))
    angles = torch.outer(torch.arange(length).float(), theta)
    turns = torch.polar(torch.ones_like(angles), angles)
    parts = torch.stack([turns.real, turns.imag], dim=-1)
    if config.get("rope_table_dtype", "bfloat16") == "bfloat16":
        parts = parts.to(torch.bfloat16)
    return torch.view_as_complex(parts.double().contiguous())


def weights_of(kind: str, query: Tensor, key: Tensor, table: Tensor, seen: Tensor) -> Tensor:
    """What each query gives each key, (batch, heads, length, length). query, key: not rotated; seen: 1 where a key is seen."""
    if kind == "softmax":
        scores = rotated(query, table) @ rotated(key, table).mT / query.shape[-1] ** 0.5
        return torch.softmax(scores.masked_fill(~seen, torch.finfo(torch.float32).min), dim=-1)
    phi = lambda x: elu(x) + 1  # noqa: E731
    if kind == "linear":
        numerator = rotated(phi(query), table) @ rotated(phi(key), table).mT
        denominator = phi(query) @ phi(key).mT
    else:
        numerator = denominator = phi(rotated(query, table)) @ phi(rotated(key, table)).mT
    total = (denominator * seen).sum(dim=-1, keepdim=True)
    return numerator * seen / total.masked_fill(total == 0, 1)


class Model:
    """One forward pass of a case in f64."""

    def __init__(self, case: Case, tensors: dict[str, Tensor]):
        self.config, self.head = case.config, case.head
        self.tensors = {name: tensor.double() for name, tensor in tensors.items()}
        self.outputs: dict[str, Tensor] = {}

    def linear(self, x: Tensor, name: str) -> Tensor:
        y = x @ self.tensors[f"{name}.weight"].T
        return y + self.tensors[f"{name}.bias"] if f"{name}.bias" in self.tensors else y

    def norm(self, x: Tensor, name: str) -> Tensor:
        epsilon = self.config.get("layer_norm_eps", 1e-12)
        if self.config.get("norm_type") == "rms_norm":
            return x / (x.square().mean(dim=-1, keepdim=True) + epsilon).sqrt()
        gain, shift = self.tensors[f"{name}.weight"], self.tensors[f"{name}.bias"]
        return layer_norm(x, x.shape[-1:], gain, shift, epsilon)

    def context(self, layer: int, x: Tensor, names: tuple[str, str, str], heads: int, table: Tensor, mask: Tensor) -> Tensor:
        """Weighed values of all heads, (batch, length, hidden)."""
        shape = (*x.shape[:2], heads, -1)
        query, key, value = (self.linear(x, name).view(shape).transpose(1, 2) for name in names)
        length = x.shape[1]
        seen = (mask[:, None, None, :] == 1).expand(-1, 1, length, -1)
        if self.config.get("is_decoder"):
            seen = seen & torch.ones(length, length, dtype=torch.bool).tril()
        weights = weights_of(self.config.get("attention", "softmax"), query, key, table, seen)
        self.outputs[f"attentions.{layer}"] = weights
        value = rotated(value, table) if self.config.get("rotary_value") else value
        return (weights @ value).transpose(1, 2).flatten(-2)

    def roformer(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> dict[str, Tensor]:
        config, prefix = self.config, "" if self.head == MODEL else "roformer."
        heads, activation = config["num_attention_heads"], relu if config.get("hidden_act") == "relu" else gelu
        table = exact_table(input_ids.shape[1], config["hidden_size"] // heads, 10_000.0)
        words = self.tensors[f"{prefix}embeddings.word_embeddings.weight"]
        x = words[input_ids] + self.tensors[f"{prefix}embeddings.token_type_embeddings.weight"][token_type_ids]
        norm = lambda x: self.norm(x, f"{prefix}embeddings.LayerNorm")  # noqa: E731
        projects = config["embedding_size"] != config["hidden_size"]
        project = lambda x: self.linear(x, f"{prefix}embeddings_project") if projects else x  # noqa: E731
        x = norm(project(x)) if config.get("embedding_order") == "project_then_norm" else project(norm(x))
        for layer in range(config["num_hidden_layers"]):
            at = f"{prefix}encoder.layer.{layer}"
            self.outputs[f"hidden_states.{layer}"] = x
            names = tuple(f"{at}.attention.self.{part}" for part in ("query", "key", "value"))
            context = self.context(layer, x, names, heads, table, attention_mask)
            x = self.norm(self.linear(context, f"{at}.attention.output.dense") + x, f"{at}.attention.output.LayerNorm")
            inner = activation(self.linear(x, f"{at}.intermediate.dense"))
            x = self.norm(self.linear(inner, f"{at}.output.dense") + x, f"{at}.output.LayerNorm")
        self.outputs[f"hidden_states.{config['num_hidden_layers']}"] = x
        if self.head == MODEL:
            return self.outputs | dict(last_hidden_state=x)
        if config.get("norm_type") == "rms_norm":
            return self.outputs | dict(logits=x @ words.T)
        x = activation(self.linear(x, "cls.predictions.transform.dense"))
        x = self.norm(x, "cls.predictions.transform.LayerNorm")
        return self.outputs | dict(logits=x @ words.T + self.tensors["cls.predictions.bias"])

    def notebook(self, input_ids: Tensor, attention_mask: Tensor) -> dict[str, Tensor]:
        config, table = self.config, notebook_table(input_ids.shape[1], self.config)
        x = self.tensors["token_embeddings.weight"][input_ids]
        for layer in range(config["n_layers"]):
            at = f"layers.{layer}"
            self.outputs[f"hidden_states.{layer}"] = x
            names = tuple(f"{at}.attention.{part}" for part in ("query", "key", "value"))
            normed = self.norm(x, f"{at}.attention_norm")
            context = self.context(layer, normed, names, config["n_heads"], table, attention_mask)
            x = x + self.linear(context, f"{at}.attention.w_o")
            z = self.norm(x, f"{at}.ffn_norm")
            y = self.linear(gelu(self.linear(z, f"{at}.feed_forward.c_fc")), f"{at}.feed_forward.c_proj")
            x = x + self.norm(y + z, f"{at}.feed_forward.layer_norm")
        self.outputs[f"hidden_states.{config['n_layers']}"] = x
        return self.outputs | dict(logits=x @ self.tensors["output.weight"].T)


def make(case: Case, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    inputs = batch(case)
    is_notebook = case.config.get("model_type") == "roformer_notebook"
    config = dict(case.config) if is_notebook else dict(model_type="roformer", architectures=[case.head]) | case.config
    tensors = drawn(notebook_shapes(config) if is_notebook else roformer_shapes(config, case.head), case)
    model = Model(case, tensors)
    if is_notebook:
        inputs.pop("token_type_ids")
        outputs = model.notebook(**inputs)
    else:
        outputs = model.roformer(**inputs)
    assert all(tensor.isfinite().all() and tensor.dtype == torch.float64 for tensor in outputs.values()), case.name
    told = inputs | {name: tensor.float().contiguous() for name, tensor in outputs.items()}
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    save_file(told, folder / "expected.safetensors")
    (folder / "config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")


def close(actual: Tensor, expected: list) -> None:
    torch.testing.assert_close(actual, torch.tensor(expected, dtype=torch.float64), atol=2e-6, rtol=0)


def verify() -> None:
    """Numbers of equation 19 that were written down when it was first run, without any random draw."""
    m, i = torch.arange(4, dtype=torch.float64)[:, None], torch.arange(4, dtype=torch.float64)
    query, key, value = torch.sin(m + 1 + 0.5 * i), torch.cos(m + 0.3 * i), m + 0.1 * i
    every = torch.ones(4, 4, dtype=torch.bool)
    weights = weights_of("linear", query[None, None], key[None, None], exact_table(4, 4, 10_000.0), every)[0, 0]
    close(weights.sum(dim=-1), [0.737793, 0.742300, 0.473641, 0.213315])
    close(weights.min(), -0.021388)
    close((weights @ value)[0], [0.299506, 0.373285, 0.447065, 0.520844])
    causal = weights_of("linear", query[None, None], key[None, None], exact_table(4, 4, 10_000.0), every.tril())[0, 0]
    close((causal @ value)[1], [0.393038, 0.476711, 0.560384, 0.644057])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the committed files and write nothing here")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    verify()
    faults = []
    for case in CASES:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary) if arguments.check else FOLDER / case.name
            make(case, folder)
            if arguments.check:
                faults += compare(FOLDER / case.name, folder)
        print(case.name)
    print("\n".join(faults), file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
