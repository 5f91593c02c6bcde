"""Rows of tokens for a step, and their masking. All of it follows from the seed and the step alone, so that a run
that was interrupted goes on with the very same batches."""

from dataclasses import dataclass

import numpy as np

from ropescope_training.tokens import Vocabulary

# 2^64 / golden ratio: multiples of it, modulo 2^64, cover the text evenly however many rows are drawn.
GOLDEN = 0x9E3779B97F4A7C15
IGNORED = -100


def generator(*seeds: int) -> np.random.Generator:
    return np.random.default_rng(seeds)


@dataclass(frozen=True)
class Rows:
    """Draws rows from a stretch of the text. Every second row begins where a paragraph does."""

    ids: np.ndarray
    paragraphs: np.ndarray  # where paragraphs begin, ascending
    seed: int

    def draw(self, first: int, count: int, length: int) -> np.ndarray:
        """Rows number first … first + count − 1, each of `length` tokens: (count, length), i64."""
        span = len(self.ids) - length + 1
        if span < 1:
            raise SystemExit(f"the text has {len(self.ids)} tokens, too few for rows of {length}")
        offset = int(generator(self.seed, 1).integers(1 << 63))
        rows = np.empty((count, length), np.int64)
        for row in range(count):
            number = first + row
            start = ((offset + number * GOLDEN) % (1 << 64)) * span >> 64
            if number % 2:
                following = np.searchsorted(self.paragraphs, start)
                if following < len(self.paragraphs) and self.paragraphs[following] < span:
                    start = self.paragraphs[following]
            rows[row] = self.ids[start : start + length]
        return rows


@dataclass(frozen=True)
class Lengths:
    """The row lengths that steps are drawn from, special tokens included, with their weights."""

    lengths: tuple[int, ...]
    weights: tuple[float, ...]
    tokens_per_step: int
    seed: int

    @property
    def most_rows(self) -> int:
        return self.tokens_per_step // min(self.lengths)

    def of(self, step: int) -> tuple[int, int]:
        """How many rows a step has, and of what length."""
        weights = np.array(self.weights) / sum(self.weights)
        length = int(generator(self.seed, 2, step).choice(self.lengths, p=weights))
        return max(1, self.tokens_per_step // length), length


def mask_tokens(
    content: np.ndarray,
    vocabulary: Vocabulary,
    random: np.random.Generator,
    probability: float,
    always_mask: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Picks tokens to predict: (inputs, labels), the labels −100 where nothing is asked.

    Of the picked ones 80 % become [MASK], 10 % any ordinary token and 10 % stay, as BERT has it; with `always_mask`
    all become [MASK]. Special tokens are never picked.
    """
    picked = (random.random(content.shape) < probability) & ~np.isin(content, vocabulary.special)
    labels = np.where(picked, content, IGNORED)
    if always_mask:
        return np.where(picked, vocabulary.mask, content), labels
    kind = random.random(content.shape)
    other = random.choice(vocabulary.ordinary, content.shape)
    inputs = np.where(picked & (kind < 0.8), vocabulary.mask, content)
    return np.where(picked & (kind >= 0.8) & (kind < 0.9), other, inputs), labels


def wrap(content: np.ndarray, before: int, after: int | None) -> np.ndarray:
    """Puts one value before each row and, unless None, one after."""
    parts = [np.full((len(content), 1), before), content]
    if after is not None:
        parts.append(np.full((len(content), 1), after))
    return np.concatenate(parts, axis=1)
