"""Writes positions.json, or checks it: scores of every way to tell positions, term by term, computed with NumPy in f64.

    python generate_positions.py [--check]

Written straight from the equations of the RoFormer paper (arXiv 2104.09864 v5): 3, 4 and 6 (added positions), 8 (T5; buckets
as in transformers' T5Attention), 9 (TUPE), 10 (DeBERTa), 16 (rotary), and from those of Shaw et al. (arXiv 1803.02155, equation 4),
Transformer-XL (arXiv 1901.02860, section 3.3; 5 and 7 of RoFormer's place their matrices otherwise) and ALiBi (arXiv 2108.12409).
Weights are drawn by SplitMix64, as src/positions draws them.
"""

import argparse
import json
import math
import sys
from pathlib import Path

import numpy as np

from agreement import same

PATH = Path(__file__).parent / "positions.json"
LENGTH, SIZE, TABLE, CLIP, BUCKETS, FARTHEST = 8, 16, 64, 4, 32, 128
FIRSTS = [0, 60]


def drawn(seed: int, *shape: int) -> np.ndarray:
    """Evenly spread numbers of mean 0 and variance 1."""
    mask, state, numbers = (1 << 64) - 1, seed, []
    for _ in range(math.prod(shape)):
        state = (state + 0x9E3779B97F4A7C15) & mask
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & mask
        numbers.append(((mixed ^ (mixed >> 31)) >> 11) / (1 << 53))
    return (math.sqrt(12) * (np.array(numbers) - 0.5)).reshape(shape)


def matrix(seed: int) -> np.ndarray:
    return drawn(seed, SIZE, SIZE) / math.sqrt(SIZE)


def sinusoidal(positions: np.ndarray) -> np.ndarray:
    """Equation 4: even dimensions sines, odd ones cosines."""
    places = np.zeros((*positions.shape, SIZE))
    for t in range(SIZE // 2):
        angle = positions / 10000 ** (2 * t / SIZE)
        places[..., 2 * t], places[..., 2 * t + 1] = np.sin(angle), np.cos(angle)
    return places


def bucket(distance: int) -> int:
    """transformers' _relative_position_bucket; its relative position is key − query."""
    relative, half, found = -distance, BUCKETS // 2, 0
    if relative > 0:
        found += half
    relative = abs(relative)
    exact = half // 2
    if relative < exact:
        return found + relative
    large = exact + int(math.log(relative / exact) / math.log(FARTHEST / exact) * (half - exact))
    return found + min(large, half - 1)


def rotation(position: int) -> np.ndarray:
    """The block-diagonal matrix of equation 15."""
    whole = np.zeros((SIZE, SIZE))
    for i in range(SIZE // 2):
        angle = position * 10000 ** (-2 * i / SIZE)
        cos, sin = math.cos(angle), math.sin(angle)
        whole[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[cos, -sin], [sin, cos]]
    return whole


def ways(first: int) -> list[list[np.ndarray]]:
    scale = 1 / math.sqrt(SIZE)
    x, w_q, w_k = drawn(1, LENGTH, SIZE), matrix(2), matrix(3)
    m = np.arange(LENGTH)
    between = m[:, None] - m[None, :]
    clipped = np.clip(between, -CLIP, CLIP) + CLIP
    q, k = x @ w_q.T, x @ w_k.T
    content = scale * q @ k.T
    table = np.concatenate([drawn(4, TABLE, SIZE), np.full((LENGTH + max(FIRSTS), SIZE), np.nan)])[first : first + LENGTH]
    near = drawn(5, 2 * CLIP + 1, SIZE)[clipped]

    def additive(p: np.ndarray) -> list[np.ndarray]:
        return [
            content,
            scale * (x @ w_q.T) @ (p @ w_k.T).T,
            scale * (p @ w_q.T) @ (x @ w_k.T).T,
            scale * (p @ w_q.T) @ (p @ w_k.T).T,
        ]

    apart = sinusoidal(between.astype(float)) @ matrix(6).T
    u, v = drawn(7, SIZE), drawn(8, SIZE)
    learnt = drawn(9, BUCKETS)
    biases = np.array([[learnt[bucket(int(d))] for d in row] for row in between])
    turned = np.array([[q[i] @ rotation(first + i).T @ rotation(first + j) @ k[j] for j in m] for i in m])
    return [
        [content],
        additive(sinusoidal((first + m).astype(float))),
        additive(table),
        [content, scale * np.einsum("mi,mni->mn", q, near)],
        [
            content,
            scale * np.einsum("mi,mni->mn", q, apart),
            scale * np.broadcast_to(k @ u, (LENGTH, LENGTH)),
            scale * apart @ v,
        ],
        [content, biases],
        [content, scale * (table @ matrix(10).T) @ (table @ matrix(11).T).T, biases],
        [
            content,
            scale * np.einsum("mi,mni->mn", q, near @ w_k.T),
            scale * np.einsum("mni,ni->mn", near @ w_q.T, k),
        ],
        [content, -0.5 * np.abs(between)],
        [scale * turned],
    ]


def plain(term: np.ndarray) -> list:
    return [None if math.isnan(value) else float(f"{value:.12g}") for value in np.ravel(term)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the committed file and write nothing")
    arguments = parser.parse_args()
    by_first = [[[plain(term) for term in way] for way in ways(first)] for first in FIRSTS]
    entries = [
        [dict(first=first, terms=found[way]) for first, found in zip(FIRSTS, by_first)] for way in range(len(by_first[0]))
    ]
    if not arguments.check:
        PATH.write_text("[\n" + ",\n".join(json.dumps(entry) for entry in entries) + "\n]\n")
        return 0
    if same(json.loads(PATH.read_text()), entries, 1e-9, 1e-9):
        return 0
    print("positions.json holds other numbers", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
