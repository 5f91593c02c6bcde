"""Rows of quantised weights, dequantised, and products with them: tests/golden/quantised.safetensors.

Blocks of 32 numbers along the row; their scale, absmax / 127 (int8) or absmax / 7 (int4), is rounded to f16, the numbers are rounded to
integer multiples of it, ties to even. NumPy makes every rounding; torch rounds to bfloat16 and multiplies in f64. The CPU rounds x for
int8 and int4 weights, too: to int8 with a scale in f32. `y_of_blocks` is the product of such an x.
"""

from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save_file

BLOCK = 32
LARGEST = {"int8": 127, "int4": 7}


def quantised(weight: np.ndarray, form: str) -> np.ndarray:
    if form == "f16":
        return weight.astype(np.float16).astype(np.float32)
    if form == "bf16":
        return torch.from_numpy(weight).bfloat16().float().numpy()
    rows = []
    for row in weight:
        blocks = [row[first : first + BLOCK] for first in range(0, len(row), BLOCK)]
        rows.append(np.concatenate([quantised_block(block, LARGEST[form]) for block in blocks]))
    return np.stack(rows)


def quantised_block(block: np.ndarray, largest: int) -> np.ndarray:
    scale = np.float32(np.float16(np.abs(block).max() / np.float32(largest)))
    if scale == 0:
        return np.zeros_like(block)
    integers = np.clip(np.rint(block / scale), -largest, largest)
    return (integers * scale).astype(np.float32)


def in_blocks(x: np.ndarray) -> np.ndarray:
    """x as the integers of its blocks stand for it."""
    rounded = np.zeros_like(x)
    for first in range(0, x.shape[1], BLOCK):
        block = x[:, first : first + BLOCK]
        scale = np.abs(block).max(axis=1, keepdims=True) / np.float32(127)
        rounded[:, first : first + BLOCK] = np.rint(block * (np.float32(1) / scale)) * scale
    return rounded


def main() -> None:
    rng = np.random.default_rng(31)
    tensors: dict[str, np.ndarray] = {}
    for rows, inner, columns in [(1, 1, 3), (3, 5, 2), (2, 31, 7), (5, 32, 6), (33, 33, 9), (4, 64, 35), (1, 70, 66), (7, 129, 4)]:
        case = f"{rows}x{inner}x{columns}"
        weight = rng.standard_normal((columns, inner)).astype(np.float32)
        # Rows of very different magnitudes: scales that are subnormal in f16, or 0, and blocks of zeros.
        weight *= (10.0 ** rng.integers(-8, 2, (columns, 1))).astype(np.float32)
        weight[0] = 0
        x = rng.standard_normal((rows, inner)).astype(np.float32)
        tensors |= {f"{case}.weight": weight, f"{case}.x": x}
        for form in ["f16", "bf16", "int8", "int4"]:
            rounded = quantised(weight, form)
            tensors[f"{case}.{form}"] = rounded
            tensors[f"{case}.{form}.y"] = (x.astype(np.float64) @ rounded.astype(np.float64).T).astype(np.float32)
            if form in LARGEST:
                product = in_blocks(x).astype(np.float64) @ rounded.astype(np.float64).T
                tensors[f"{case}.{form}.y_of_blocks"] = product.astype(np.float32)
    save_file(tensors, Path(__file__).parent / "quantised.safetensors")


if __name__ == "__main__":
    main()
