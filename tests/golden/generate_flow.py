"""Writes flow.safetensors, or checks it: what flows through the layers of two small models, computed by NumPy in f64 from the
attentions and hidden states that Hugging Face gave (expected.safetensors), and of one model from its value weights.

    python generate_flow.py [--check]

Attention rollout is equation 1 of Abnar and Zuidema (2020, arXiv 2005.00928). README.md lists the tensors.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

FOLDER = Path(__file__).parent
PATH = FOLDER / "flow.safetensors"
FOLDERS = ["tiny_masked_lm", "decoders/llama"]


def rollout(attentions: list[np.ndarray]) -> np.ndarray:
    """attentions: by layer (heads, length, length)."""
    rolled = np.eye(attentions[0].shape[1])
    for layer in attentions:
        mixed = layer.mean(axis=0) + np.eye(len(rolled))
        rolled = (mixed / mixed.sum(axis=1, keepdims=True)) @ rolled
    return rolled


def outputs(folder: str, hidden: list[np.ndarray], attentions: list[np.ndarray]) -> np.ndarray:
    """(layers, heads): mean over tokens of the norm of each head's weighted values, of a RoFormer."""
    weights = load_file(FOLDER / folder / "model.safetensors")
    means = []
    for layer, maps in enumerate(attentions):
        name = f"encoder.layer.{layer}.attention.self.value"
        (weight,) = (array for key, array in weights.items() if key.endswith(f"{name}.weight"))
        (bias,) = (array for key, array in weights.items() if key.endswith(f"{name}.bias"))
        values = hidden[layer] @ weight.astype(float).T + bias
        by_head = values.reshape(len(values), len(maps), -1).transpose(1, 0, 2)
        means.append(np.linalg.norm(maps @ by_head, axis=-1).mean(axis=-1))
    return np.stack(means)


def of(folder: str) -> dict[str, np.ndarray]:
    """Of the folder's first text, none of whose tokens may be padding."""
    expected = load_file(FOLDER / folder / "expected.safetensors")
    assert expected["attention_mask"][0].all(), folder
    layers = sum(name.startswith("attentions.") for name in expected)
    attentions = [expected[f"attentions.{layer}"][0].astype(float) for layer in range(layers)]
    hidden = [expected[f"hidden_states.{layer}"][0].astype(float) for layer in range(layers + 1)]
    rolled = rollout(attentions)
    np.testing.assert_allclose(rolled.sum(axis=1), 1, rtol=1e-6)
    told = dict(
        rollout=rolled,
        residual=np.stack([np.linalg.norm(state, axis=-1) for state in hidden]),
        change=np.stack([np.linalg.norm(now - before, axis=-1) for before, now in zip(hidden, hidden[1:])]),
    )
    if folder == "tiny_masked_lm":
        told["outputs"] = outputs(folder, hidden, attentions)
    return {f"{folder}/{name}": np.ascontiguousarray(array, np.float32) for name, array in told.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the committed file and write nothing")
    arguments = parser.parse_args()
    flat = {name: array for folder in FOLDERS for name, array in of(folder).items()}
    if not arguments.check:
        save_file(flat, PATH)
        return 0
    committed = load_file(PATH)
    same = committed.keys() == flat.keys()
    faults = [name for name in flat if not same or not np.allclose(committed[name], flat[name], rtol=1e-6, atol=1e-7)]
    print("\n".join(faults), file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
