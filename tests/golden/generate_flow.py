"""Writes flow.safetensors, or checks it: what flows through the layers of small models, computed by NumPy in f64 from the
attentions and hidden states that Hugging Face gave (expected.safetensors) and from the models' value and output weights.

    python generate_flow.py [--check]

Attention rollout is equation 1 of Abnar and Zuidema (2020, arXiv 2005.00928); weighted norms are ‖αf(x)‖ of Kobayashi et al.
(2020, arXiv 2004.10102, section 3). README.md lists the tensors.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

FOLDER = Path(__file__).parent
PATH = FOLDER / "flow.safetensors"
FOLDERS = ["tiny_masked_lm", "decoders/llama", "decoders/qwen2"]


def rollout(attentions: list[np.ndarray]) -> np.ndarray:
    """attentions: by layer (heads, length, length)."""
    rolled = np.eye(attentions[0].shape[1])
    for layer in attentions:
        mixed = layer.mean(axis=0) + np.eye(len(rolled))
        rolled = (mixed / mixed.sum(axis=1, keepdims=True)) @ rolled
    return rolled


def named(weights: dict[str, np.ndarray], end: str) -> np.ndarray | None:
    """The one tensor whose name ends so."""
    found = [array.astype(float) for name, array in weights.items() if name.endswith(end)]
    assert len(found) <= 1, end
    return found[0] if found else None


def heads(folder: str, layer: int, hidden: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Of a layer whose input is `hidden` the values (heads, length, head size), of grouped keys once for each head, and each
    head's part of the output projection (heads, head size, hidden size), without its bias."""
    weights = load_file(FOLDER / folder / "model.safetensors")
    if folder.startswith("decoders/"):
        config = json.loads((FOLDER / folder / "config.json").read_text())
        before, value, output = f"layers.{layer}.input_layernorm", f"layers.{layer}.self_attn.v_proj", "self_attn.o_proj"
        mean_square = (hidden**2).mean(axis=-1, keepdims=True)
        hidden = hidden / np.sqrt(mean_square + config["rms_norm_eps"]) * named(weights, f"{before}.weight")
        output = f"layers.{layer}.{output}"
    else:
        value, output = (f"layer.{layer}.attention.{part}" for part in ("self.value", "output.dense"))
    projection, bias = named(weights, f"{output}.weight"), named(weights, f"{value}.bias")
    values = hidden @ named(weights, f"{value}.weight").T + (0 if bias is None else bias)
    size = projection.shape[1] // count
    by_head = values.reshape(len(values), -1, size).transpose(1, 0, 2)
    return by_head.repeat(count // len(by_head), axis=0), projection.T.reshape(count, size, -1)


def weighed(folder: str, hidden: list[np.ndarray], attentions: list[np.ndarray]) -> dict[str, np.ndarray]:
    """What heads take from where, and what they write."""
    of_values, of_outputs, written = [], [], []
    for layer, maps in enumerate(attentions):
        values, projections = heads(folder, layer, hidden[layer], len(maps))
        of_values.append(maps * np.linalg.norm(values, axis=-1)[:, None, :])
        of_outputs.append(maps * np.linalg.norm(values @ projections, axis=-1)[:, None, :])
        written.append(np.linalg.norm(maps @ values @ projections, axis=-1))
    return dict(value_maps=np.stack(of_values), output_maps=np.stack(of_outputs), written=np.stack(written))


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
    told |= weighed(folder, hidden, attentions)
    # No head writes more than all that it takes: the triangle inequality.
    assert (told["written"] <= told["output_maps"].sum(axis=-1) + 1e-9).all(), folder
    told["outputs"] = told["written"].mean(axis=-1)
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
