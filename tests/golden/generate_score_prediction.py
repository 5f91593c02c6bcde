"""Writes score_prediction.json, or checks it: what the mean query and key of a head predict, computed with NumPy in f64.

    python generate_score_prediction.py [--check]

Written straight from TriAttention (arXiv 2604.04921), equations 20 to 26, with complex numbers and whole matrices.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from agreement import same

PATH = Path(__file__).parent / "score_prediction.json"

# (length, head size, frequencies, first position, causal): a last pair without a frequency, a pair that stands still.
SETTINGS = [
    (7, 6, [1.0, 0.05, 0.0], 0, False),
    (9, 4, [1.0, 0.3], 100_000, True),
    (6, 5, [0.7], 3, False),
]


def rotated(rows: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Rows of complex pairs, each turned by its position's angles, as f32 coordinates side by side."""
    turned = rows * np.exp(1j * angles)
    return np.stack([turned.real, turned.imag], -1).reshape(len(rows), -1).astype(np.float32)


def entry(seed: int, setting: tuple) -> dict:
    length, head_size, theta, first, causal = setting
    random = np.random.RandomState(seed)
    pairs = head_size // 2
    speed = np.zeros(pairs)
    speed[: len(theta)] = theta[:pairs]
    angles = (first + np.arange(length))[:, None] * speed
    unrotated = [1.5 * (random.randn(pairs, 2) @ [1, 1j]) + random.randn(length, pairs, 2) @ [1, 1j] for _ in range(2)]
    rows = [rotated(part, angles) for part in unrotated]
    if head_size % 2:
        # A coordinate without a partner takes part in the actual scores alone.
        rows = [np.concatenate([part, random.randn(length, 1).astype(np.float32)], 1) for part in rows]
    counted = np.ones(length, bool)
    counted[[0, -1]] = False
    scale = 1 / np.sqrt(head_size)

    query, key = [
        (part[:, 0 : 2 * pairs : 2].astype(float) + 1j * part[:, 1 : 2 * pairs : 2]) * np.exp(-1j * angles)
        for part in rows
    ]
    mean_query, mean_key = query[counted].mean(0), key[counted].mean(0)
    norm_query, norm_key = np.abs(query[counted]).mean(0), np.abs(key[counted]).mean(0)
    product = mean_query * mean_key.conj()
    distance = np.arange(1 - length, length)
    scores = scale * (np.abs(product) * np.cos(distance[:, None] * speed + np.angle(product))).sum(1)

    positions = np.arange(length)
    between = positions[:, None] - positions[None, :]
    visible = between >= 0 if causal else np.ones_like(between, bool)
    predicted = scores[between + length - 1]
    raised = np.where(visible, np.exp(predicted), 0)
    softmax = raised / raised.sum(1, keepdims=True)
    weights = [softmax[between == step].mean() for step in distance]
    actual = scale * rows[0].astype(float) @ rows[1].astype(float).T
    correlations = [
        np.corrcoef(actual[m][keys], predicted[m][keys])[0, 1]
        for m in positions[counted]
        if (keys := counted & visible[m]).sum() >= 3
    ]
    with np.errstate(divide="ignore", invalid="ignore"):
        wants = np.where(speed == 0, np.nan, -np.angle(product) / speed)
    return dict(
        head_size=head_size,
        theta=theta,
        first_position=first,
        causal=causal,
        scale=float(scale),
        counted=counted.astype(int).tolist(),
        query=rows[0].ravel().tolist(),
        key=rows[1].ravel().tolist(),
        strength=(norm_query * norm_key).tolist(),
        query_constancy=(np.abs(mean_query) / norm_query).tolist(),
        key_constancy=(np.abs(mean_key) / norm_key).tolist(),
        phase=np.angle(product).tolist(),
        wants=[None if np.isnan(value) else value for value in wants.tolist()],
        scores=scores.tolist(),
        weights=np.array(weights).tolist(),
        correlation=float(np.mean(correlations)),
        concentration=float(np.average(np.abs(mean_query) / norm_query, weights=norm_query * norm_key)),
        query_0=[[value.real, value.imag] for value in query[:, 0].tolist()],
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the committed file and write nothing")
    arguments = parser.parse_args()
    entries = [entry(seed, setting) for seed, setting in enumerate(SETTINGS)]
    if not arguments.check:
        lines = ",\n".join(json.dumps(found) for found in entries)
        PATH.write_text(f"[\n{lines}\n]\n")
        return 0
    if same(json.loads(PATH.read_text()), entries, 1e-9, 1e-9):
        return 0
    print("score_prediction.json holds other numbers", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
