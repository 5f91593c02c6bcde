"""Writing numbers out as an objective: batches that follow from the seed and the step alone, and their loss."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from ropescope_training.batches import IGNORED
from ropescope_training.numerals.examples import Example, draw_any, language_token
from ropescope_training.numerals.tokens import END, PAD, SPACE
from ropescope_training.objectives import Batch

# Tokens of the longest source, with language and end, and of the longest target, with its end.
LONGEST_SOURCE, LONGEST_TARGET = 12, 18


@dataclass(frozen=True)
class Rows:
    """How many examples there are at a time, and where their draw begins."""

    rows: int
    validation_rows: int
    seed: int
    validation_length: int = LONGEST_TARGET


@dataclass(frozen=True)
class WrittenNumbers:
    """Cross-entropy of each token of the written form, given the source and the tokens before it."""

    data: Rows
    tokenizer: Tokenizer

    @cached_property
    def ids(self) -> dict[str, int]:
        return self.tokenizer.get_vocab()

    def source(self, example: Example) -> list[int]:
        """What encoding its text gives, too."""
        return [self.ids[token] for token in (language_token(example.language), *example.source, END)]

    def target(self, example: Example) -> list[int]:
        """The parts one by one: what encoding the written form gives, too."""
        return [self.ids[part.text.replace(" ", SPACE)] for part in example.parts()] + [self.ids[END]]

    def batch(self, examples: list[Example]) -> Batch:
        """`input_ids`, `attention_mask` (rows, longest source); `decoder_input_ids`, `labels` (rows, longest target)."""
        pad, count = self.ids[PAD], len(examples)
        sources = np.full((count, LONGEST_SOURCE), pad)
        targets = np.full((count, LONGEST_TARGET), pad)
        for row, example in enumerate(examples):
            source, target = self.source(example), self.target(example)
            sources[row, : len(source)] = source
            targets[row, : len(target)] = target
        # Padding begins the written form.
        before = np.concatenate([np.full((count, 1), pad), targets[:, :-1]], axis=1)
        return {
            "input_ids": torch.from_numpy(sources),
            "attention_mask": torch.from_numpy((sources != pad).astype(np.int64)),
            "decoder_input_ids": torch.from_numpy(before),
            "labels": torch.from_numpy(np.where(targets == pad, IGNORED, targets)),
        }

    def training_batch(self, step: int) -> Batch:
        random = Random(f"training {self.data.seed} {step}")
        return self.batch([draw_any(random, held_out=False) for _ in range(self.data.rows)])

    def validation_batches(self, rows: int) -> Iterator[Batch]:
        """The same held-out examples at every call."""
        for first in range(0, self.data.validation_rows, rows):
            random = Random(f"validation {first}")
            count = min(rows, self.data.validation_rows - first)
            yield self.batch([draw_any(random, held_out=True) for _ in range(count)])

    def loss(self, model: nn.Module, batch: Batch) -> tuple[Tensor, int]:
        """The mean loss, and over how many tokens."""
        inputs = {name: tensor for name, tensor in batch.items() if name != "labels"}
        logits = model(**inputs, use_cache=False).logits.float()
        labels = batch["labels"]
        return cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORED), int((labels != IGNORED).sum())
