"""Writes questions.safetensors, or checks it: what a view may ask about a layer's heads, answered by NumPy.

    python generate_questions.py [--check]

Queries and keys are f32 from numpy's frozen RandomState; answers are computed in f64 from them and rounded once.
README.md lists the tensors and their shapes.
"""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

PATH = Path(__file__).parent / "questions.safetensors"
F32_MIN = float(np.finfo(np.float32).min)
Arrays = dict[str, np.ndarray]


@dataclass(frozen=True)
class Question:
    """One layer's queries and keys, what its mask hides, and one picture of its maps.

    `padded` tokens are hidden as keys. `window`: keys less than so far away are seen; 0: all.
    `special` tokens ask no questions.
    `part`: (first query, queries, first key, keys) of the picture; None: the whole map.
    """

    name: str
    length: int
    heads: int
    key_heads: int
    head_size: int
    resolution: tuple[int, int]
    causal: bool = False
    window: int = 0
    padded: tuple[int, ...] = ()
    special: tuple[int, ...] = ()
    part: tuple[int, int, int, int] | None = None
    scale: float = 1.0  # of the draw: large ones make sharp weights


QUESTIONS = [
    Question("odd", 7, 5, 5, 6, (3, 3), special=(0, 6)),
    Question("length_1", 1, 3, 1, 2, (2, 3), causal=True),
    Question("grouped", 11, 6, 2, 10, (11, 11), part=(0, 11, 0, 11)),
    Question("causal", 33, 4, 2, 10, (8, 5), causal=True, special=(0,), part=(5, 20, 3, 17)),
    Question("causal_1_key_head", 13, 3, 1, 18, (13, 1), causal=True),
    Question("padded", 13, 3, 3, 18, (5, 4), padded=(2, 7, 11, 12), special=(0, 10)),
    Question("causal_padded", 9, 2, 1, 6, (4, 9), causal=True, padded=(0, 1, 2)),
    Question("causal_window", 29, 6, 2, 4, (7, 6), causal=True, window=5, part=(3, 23, 1, 19)),
    Question("causal_window_1", 6, 2, 2, 2, (6, 6), causal=True, window=1),
    Question("causal_window_padded", 12, 2, 1, 8, (12, 12), causal=True, window=3, padded=(4, 5, 6, 7)),
    Question("window", 23, 3, 1, 14, (9, 10), window=4),
    Question("enlarged", 5, 2, 2, 8, (11, 7), part=(1, 3, 2, 2)),
    Question("one_pixel", 17, 5, 1, 2, (1, 1), causal=True),
    Question("one_cell", 17, 1, 1, 12, (2, 2), part=(16, 1, 4, 1)),
    Question("sharp", 19, 3, 3, 10, (6, 5), causal=True, special=(0, 9, 18), scale=6.0),
    Question("long", 67, 2, 1, 16, (16, 16), causal=True),
]


def covered(pixels: int, first: int, count: int) -> list[slice]:
    """The tokens of each pixel of an axis: every token in one at least, every pixel with one at least."""
    return [slice(first + y * count // pixels, first + -(-(y + 1) * count // pixels)) for y in range(pixels)]


def pooled(maps: np.ndarray, part: tuple[int, int, int, int], resolution: tuple[int, int]) -> np.ndarray:
    """(heads, rows, columns): the largest value under each pixel."""
    rows = covered(resolution[0], part[0], part[1])
    columns = covered(resolution[1], part[2], part[3])
    return np.stack(
        [np.stack([maps[:, row, column].max(axis=(1, 2)) for column in columns], axis=-1) for row in rows], axis=1
    )


def statistics(weights: np.ndarray, tokens: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """(heads, 10), means over the queries `asked` (length) that are not special: the weight on the previous, the same, the
    next and the first token, the distance to the keys, the entropy in nats, the largest weight, and the weight on the same
    token elsewhere, on special tokens (below 0), and on tokens that follow an earlier occurrence of the query's. A query
    without such a neighbour counts 0."""
    length = weights.shape[1]
    offset = np.arange(length)[None, :] - np.arange(length)[:, None]  # key − query
    first = np.broadcast_to(np.arange(length)[None, :] == 0, offset.shape)
    kinds = [weights * of for of in (offset == -1, offset == 0, offset == 1, first, np.abs(offset))]
    kinds.append(-weights * np.log(np.where(weights > 0, weights, 1)))
    same = tokens[:, None] == tokens[None, :]
    followed = np.zeros_like(same)
    followed[:, 1:] = same[:, :-1] & (offset[:, :-1] < 0)
    relations = [weights * of for of in (same & (offset != 0), tokens[None, :] < 0, followed)]
    rows = [kind.sum(axis=2) for kind in kinds] + [weights.max(axis=2)] + [kind.sum(axis=2) for kind in relations]
    counted = asked & (tokens >= 0)
    return np.stack([row[:, counted].mean(axis=1) for row in rows], axis=-1)


def answer(question: Question, seed: int) -> Arrays:
    """The inputs and every answer."""
    random = np.random.RandomState(seed)
    length, heads, size = question.length, question.heads, question.head_size
    query = (question.scale * random.standard_normal((length, heads * size))).astype(np.float32)
    key = random.standard_normal((length, question.key_heads * size)).astype(np.float32)
    # Few different ones, so that they come again.
    tokens = random.randint(0, max(2, length // 3), length)
    tokens[list(question.special)] = -1
    mask = np.ones(length, np.int64)
    mask[list(question.padded)] = 0
    distance = np.arange(length)[:, None] - np.arange(length)[None, :]  # query − key
    seen = np.broadcast_to(mask.astype(bool)[None, :], distance.shape)
    if question.causal:
        seen = seen & (distance >= 0)
    if question.window:
        seen = seen & (np.abs(distance) < question.window)

    by_head = query.astype(np.float64).reshape(length, heads, size).transpose(1, 0, 2)
    keys = key.astype(np.float64).reshape(length, question.key_heads, size).transpose(1, 0, 2)
    keys = keys.repeat(heads // question.key_heads, axis=0)
    scores = by_head @ keys.transpose(0, 2, 1) / np.sqrt(size)
    # One f32::MIN beside which a score is nothing: a row without any key left is uniform over all.
    masked = np.where(seen, scores, F32_MIN)
    maximum = masked.max(axis=2)
    exponentials = np.exp(masked - maximum[:, :, None])
    total = exponentials.sum(axis=2)
    weights = exponentials / total[:, :, None]

    part = question.part or (0, length, 0, length)
    return dict(
        query=query,
        key=key,
        heads=np.array([heads]),
        key_heads=np.array([question.key_heads]),
        causal=np.array([int(question.causal)]),
        window=np.array([question.window]),
        attention_mask=mask,
        tokens=tokens.astype(np.float32),
        weights=weights,
        maximum=maximum,
        sum=total,
        part=np.array(part),
        resolution=np.array(question.resolution),
        pooled_weights=pooled(weights, part, question.resolution),
        pooled_scores=pooled(scores, part, question.resolution),
        pooled_masked_scores=pooled(masked, part, question.resolution),
        statistics=statistics(weights, tokens, mask.astype(bool)),
        statistics_of_all=statistics(weights, tokens, np.ones(length, bool)),
    )


def verify(answers: dict[str, Arrays]) -> None:
    """Facts that hold whatever the numbers are, and the shape of a pixel in one case by hand."""
    assert covered(3, 0, 7) == [slice(0, 3), slice(2, 5), slice(4, 7)]
    assert covered(4, 10, 2) == [slice(10, 11), slice(10, 11), slice(11, 12), slice(11, 12)]
    for name, arrays in answers.items():
        assert all(np.isfinite(array).all() for array in arrays.values()), name
        np.testing.assert_allclose(arrays["weights"].sum(axis=2), 1, rtol=1e-12)
        assert (arrays["sum"] >= 1 - 1e-12).all() and (arrays["sum"] <= arrays["weights"].shape[2]).all(), name
        assert (arrays["pooled_masked_scores"] <= arrays["pooled_scores"]).all(), name
    for name in ("causal_padded", "causal_window_padded"):
        hidden = np.flatnonzero(answers[name]["maximum"][0] == F32_MIN)
        assert hidden.tolist() == ([0, 1, 2] if name == "causal_padded" else [6, 7]), (name, hidden)
        length = answers[name]["weights"].shape[1]
        np.testing.assert_allclose(answers[name]["weights"][:, hidden], 1 / length)
        assert (answers[name]["sum"][:, hidden] == length).all(), name
    grouped = answers["grouped"]
    np.testing.assert_array_equal(grouped["pooled_weights"], grouped["weights"])
    alone = answers["causal_window_1"]["statistics"]
    np.testing.assert_allclose(alone[:, :7], np.broadcast_to([0, 1, 0, 1 / 6, 0, 0, 1], alone[:, :7].shape), atol=1e-15)
    assert (alone[:, 7:9] == 0).all()
    for place, name in ((7, "repeated"), (8, "special"), (9, "induction")):
        assert any(arrays["statistics"][:, place].max() > 0.05 for arrays in answers.values()), name


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the committed file and write nothing")
    arguments = parser.parse_args()
    answers = {question.name: answer(question, 500 + index) for index, question in enumerate(QUESTIONS)}
    verify(answers)
    flat = {
        f"{case}.{name}": np.ascontiguousarray(array, np.int64 if array.dtype.kind == "i" else np.float32)
        for case, arrays in answers.items()
        for name, array in arrays.items()
    }
    if not arguments.check:
        save_file(flat, PATH)
        return 0
    committed = load_file(PATH)
    if committed.keys() != flat.keys():
        print(f"on one side only: {sorted(committed.keys() ^ flat.keys())}", file=sys.stderr)
        return 1
    faults = [
        name
        for name, array in flat.items()
        if committed[name].dtype != array.dtype
        or committed[name].shape != array.shape
        or not np.allclose(committed[name], array, rtol=1e-6, atol=1e-7)
    ]
    print("\n".join(faults), file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
