"""Writes the golden folders beside this file, or checks them, with Hugging Face's own RoFormer.

    python generate.py            # writes every case
    python generate.py masked_lm  # writes the named cases
    python generate.py --check    # compares what would be written with what is there

README.md describes the files. Weights come from numpy's frozen RandomState, not from PyTorch's initialisers, so that
the same files come out of every version.
"""

import json
import sys
from pathlib import Path

import numpy as np
import torch
import transformers
from safetensors.torch import load_file, save_file
from transformers import RoFormerConfig
from transformers.models.roformer.modeling_roformer import (
    RoFormerSelfAttention,
    RoFormerSinusoidalPositionalEmbedding,
)

from cases import CASES, Case
from folders import HERE, assert_near, chosen, fill, parser_of, run, write

TIED = ("decoder.weight", "decoder.bias")
# The same weights, stored in another way.
SAME_AS_MASKED_LM = ("without_table", "gamma_beta", "bare_names", "decoder_stored")
TABLE = "embed_positions.weight"


def batch(case: Case) -> dict[str, torch.Tensor]:
    """The case's inputs: input_ids, attention_mask, token_type_ids, each (batch, length), i64."""
    if isinstance(case.inputs, dict):
        return {name: torch.tensor(rows) for name, rows in case.inputs.items()}
    rows, length = case.inputs
    random = np.random.RandomState(1000 + case.seed)
    ids = random.randint(1, case.config["vocab_size"], (rows, length))
    types = random.randint(0, case.config["type_vocab_size"], (rows, length))
    # Row r ends in r padded tokens.
    mask = (np.arange(length)[None, :] < length - np.arange(rows)[:, None]).astype(np.int64)
    arrays = dict(input_ids=ids * mask, attention_mask=mask, token_type_ids=types * mask)
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


def write_weights(case: Case, model: torch.nn.Module, folder: Path) -> None:
    """Writes config.json and model.safetensors as save_pretrained does, then changes what the case asks for."""
    model.to(getattr(torch, case.dtype)).save_pretrained(folder)
    path = folder / "model.safetensors"
    tensors = load_file(path)
    if case.tied_copies:
        state = model.state_dict()
        tensors |= {name: state[name].clone() for name in state if name.endswith(TIED)}
    tensors = {name: tensor for name, tensor in tensors.items() if not (case.drop and name.endswith(case.drop))}
    for old, new in case.rename:
        tensors = {name.replace(old, new): tensor for name, tensor in tensors.items()}
    save_file(tensors, path, metadata={"format": "pt"})
    if case.architecture:
        config = json.loads((folder / "config.json").read_text())
        config["architectures"] = [case.architecture]
        (folder / "config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")


def make(case: Case, folder: Path) -> tuple[torch.nn.Module, dict[str, torch.Tensor]]:
    """Writes one case into `folder`. Returns the model as Hugging Face reads it back, in f32, and what it computes."""
    folder.mkdir(parents=True, exist_ok=True)
    head = getattr(transformers, case.head)
    filled = head(RoFormerConfig(**case.config))
    fill(filled, case.seed, case.scale, (TABLE, *(TIED if filled.config.tie_word_embeddings else ())))
    write_weights(case, filled, folder)

    reader = getattr(transformers, case.architecture or case.head)
    model, report = reader.from_pretrained(folder, dtype=torch.float32, output_loading_info=True)
    missing = [name for name in report["missing_keys"] if not name.endswith((TABLE, *TIED))]
    assert not missing, f"{case.name}: Hugging Face misses {missing}"
    inputs = batch(case)
    outputs = run(model.eval(), inputs)
    assert all(tensor.isfinite().all() for tensor in outputs.values()), case.name
    save_file(
        {name: tensor.clone(memory_format=torch.contiguous_format) for name, tensor in (inputs | outputs).items()},
        folder / "expected.safetensors",
    )
    return model, inputs | outputs


def assert_exact(name: str, model: torch.nn.Module, tensors: dict[str, torch.Tensor]) -> None:
    """Compares the reference with the same model in f64."""
    inputs = {name: tensor for name, tensor in tensors.items() if not tensor.is_floating_point()}
    assert_near(name, tensors, run(model.double(), inputs))


def close(actual: torch.Tensor, expected: list, tolerance: float) -> None:
    torch.testing.assert_close(actual, torch.tensor(expected), atol=tolerance, rtol=0)


def verify(name: str, tensors: dict[str, torch.Tensor]) -> None:
    """Compares the seeded model with values written down when it was first run."""
    if name == "masked_lm":
        logits = tensors["logits"]
        close(
            logits[0, :3, :3],
            [[-1.25297, -0.15076, -0.46865], [-1.37951, 0.13551, 0.20012], [-1.63882, 0.24764, -0.59231]],
            1e-5,
        )
        close(logits.sum(), 54.4061, 1e-3)
        close(tensors["attentions.0"][0, 0, 0], [0.00025, 0.91416, 0.0848, 0.0, 0.00007, 0.00032, 0.0004, 0.0], 1e-5)
        labels = tensors["input_ids"].masked_fill(tensors["attention_mask"] == 0, -100)
        close(torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten()), 5.857922, 1e-5)
    if name == "masked_lm_rotary_value":
        close(
            tensors["logits"][0, :3, :3],
            [[-1.71157, 0.28367, -0.19807], [-1.97437, 0.58655, -0.05194], [-1.66958, 0.40461, -0.03871]],
            1e-5,
        )
        close(tensors["logits"].sum(), 12.8813, 1e-3)
    if name == "causal_lm":
        close(tensors["logits"][0, -1, :4], [-1.8288, -0.21803, 0.74729, 0.19697], 1e-5)
    if name in SAME_AS_MASKED_LM:
        close(tensors["logits"], load_file(HERE / "masked_lm" / "expected.safetensors")["logits"].tolist(), 1e-5)
    if name == "masked_lm_row_masked":
        close(tensors["attentions.0"][1], torch.full((4, 8, 8), 1 / 8).tolist(), 1e-7)


def verify_rotation() -> None:
    """Hugging Face's own test values: the sinusoidal table, and the rotation of a query by it."""
    table = RoFormerSinusoidalPositionalEmbedding(6, 6).create_weight()
    close(table[:2], [[0, 0, 0, 1, 1, 1], [0.8415, 0.0464, 0.0022, 0.5403, 0.9989, 1.0000]], 1e-4)
    table = RoFormerSinusoidalPositionalEmbedding(512, 512).create_weight()
    close(table[1:3, :5], [[0.8415, 0.8219, 0.8020, 0.7819, 0.7617], [0.9093, 0.9364, 0.9581, 0.9749, 0.9870]], 1e-4)
    table = RoFormerSinusoidalPositionalEmbedding(32, 64).create_weight()
    query = torch.arange(2 * 12 * 16 * 64, dtype=torch.float32).reshape(2, 12, 16, 64) / 100
    query, key = RoFormerSelfAttention.apply_rotary_position_embeddings(table[None, None, :16], query, -query)
    close(query[0, 0, 1, :4], [-0.201163, 0.889738, 0.026316, 0.940110], 1e-5)
    close(query[0, 0, 5, :4], [3.985866, -2.158002, -0.798434, -4.490413], 1e-5)
    close(key, (-query).tolist(), 0)


def write_case(case: Case, folder: Path) -> None:
    model, tensors = make(case, folder)
    assert_exact(case.name, model, tensors)
    verify(case.name, tensors)


def main() -> int:
    parser = parser_of(__doc__)
    arguments = parser.parse_args()
    verify_rotation()
    return write(chosen(parser, arguments.names, CASES), HERE, arguments.check, write_case)


if __name__ == "__main__":
    sys.exit(main())
