"""Losses on held-out text by a fixed protocol: the tokens asked for do not depend on the row length.

The text is cut into rows of equal length one after the other; the last one is padded. Masked models see
[CLS] row [SEP] with all picked tokens replaced by [MASK]; causal models see [CLS] and the row, and every token is
asked for after those before it in its row.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.nn.functional import cross_entropy

from ropescope_training.batches import IGNORED, generator, mask_tokens
from ropescope_training.objectives import Hidden, encoder_output
from ropescope_training.tokens import Vocabulary

# Tokens computed at a time.
BATCH = 8192


@dataclass(frozen=True)
class Score:
    """Per asked-for token, in the order of the text: its loss in nats, and whether it was the model's first guess."""

    losses: np.ndarray
    hits: np.ndarray

    @property
    def loss(self) -> float:
        return float(self.losses.mean())

    @property
    def accuracy(self) -> float:
        return float(self.hits.mean())


def rows_of(ids: np.ndarray, labels: np.ndarray, length: int, vocabulary: Vocabulary, causal: bool) -> Iterator[tuple]:
    """(input_ids, attention_mask, labels) of all rows in batches, each (rows, length), i64."""
    room = length - (1 if causal else 2)
    if room < 1:
        raise SystemExit(f"rows of {length} have no room for a token")
    count = -(-len(ids) // room)
    inputs = np.full((count, length), vocabulary.pad)
    mask = np.zeros((count, length), np.int64)
    asked = np.full((count, length), IGNORED)
    for row in range(count):
        part = ids[row * room : (row + 1) * room]
        end = len(part) + 1
        inputs[row, 0] = vocabulary.cls
        inputs[row, 1:end] = part
        asked[row, 1:end] = labels[row * room : (row + 1) * room]
        if not causal:
            inputs[row, end] = vocabulary.sep
            end += 1
        mask[row, :end] = 1
    step = max(1, BATCH // length)
    for first in range(0, count, step):
        chosen = slice(first, first + step)
        yield tuple(torch.from_numpy(array[chosen]) for array in (inputs, mask, asked))


@torch.no_grad()
def score(
    model: nn.Module,
    ids: np.ndarray,
    labels: np.ndarray,
    length: int,
    vocabulary: Vocabulary,
    hidden: Hidden = encoder_output,
) -> Score:
    """The loss of every asked-for label, in f32."""
    causal = model.config.is_decoder
    device = next(model.parameters()).device
    model.eval()
    losses, hits = [], []
    for inputs, mask, asked in rows_of(ids, labels, length, vocabulary, causal):
        inputs, mask, asked = (tensor.to(device) for tensor in (inputs, mask, asked))
        states = hidden(model, inputs, mask)
        if causal:
            states, asked = states[:, :-1], asked[:, 1:]
        picked = asked != IGNORED
        logits, wanted = model.cls(states[picked]), asked[picked]
        losses.append(cross_entropy(logits, wanted, reduction="none").cpu().numpy())
        hits.append((logits.argmax(-1) == wanted).cpu().numpy())
    return Score(np.concatenate(losses).astype(np.float64), np.concatenate(hits))


def questions(
    ids: np.ndarray, vocabulary: Vocabulary, causal: bool, seed: int, probability: float
) -> tuple[np.ndarray, np.ndarray]:
    """(inputs, labels) of a text: a causal model is asked for everything, a masked one for a seeded draw."""
    if causal:
        return ids, ids
    return mask_tokens(ids, vocabulary, generator(seed), probability, always_mask=True)
