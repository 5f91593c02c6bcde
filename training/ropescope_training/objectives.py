"""What a model is trained for: masked tokens, or the next token. An objective makes batches and says their loss."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.utils.checkpoint import checkpoint

from ropescope_training.batches import IGNORED, Lengths, Rows, generator, mask_tokens, wrap
from ropescope_training.tokens import Vocabulary

Batch = dict[str, Tensor]
# (model, input_ids (batch, length), attention_mask (batch, length)) → hidden states (batch, length, hidden_size)
Hidden = Callable[[nn.Module, Tensor, Tensor], Tensor]
PART = 512  # positions whose logits a causal model makes at a time
VALIDATION = 3  # keeps the random numbers of validation apart from those of training


def encoder_output(model: nn.Module, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
    return model.roformer(input_ids, attention_mask=attention_mask, use_cache=False).last_hidden_state


@dataclass(frozen=True)
class Data:
    """The text trained on, and the text held back to watch the training."""

    training: Rows
    validation: Rows
    vocabulary: Vocabulary
    lengths: Lengths
    validation_length: int
    validation_rows: int
    seed: int


@dataclass(frozen=True)
class MaskedTokens:
    """Masked language modelling: cross-entropy of the picked tokens.

    A batch holds `input_ids` (rows, length), the picked `positions` in it, flattened, and their `labels`.
    """

    data: Data
    probability: float
    hidden: Hidden = encoder_output

    def batch(self, rows: Rows, first: int, count: int, length: int, *seeds: int) -> Batch:
        vocabulary = self.data.vocabulary
        content = rows.draw(first, count, length - 2)
        inputs, labels = mask_tokens(content, vocabulary, generator(*seeds), self.probability)
        labels = wrap(labels, IGNORED, IGNORED).ravel()
        positions = np.flatnonzero(labels != IGNORED)
        return {
            "input_ids": torch.from_numpy(wrap(inputs, vocabulary.cls, vocabulary.sep)),
            "positions": torch.from_numpy(positions),
            "labels": torch.from_numpy(labels[positions]),
        }

    def training_batch(self, step: int) -> Batch:
        data = self.data
        count, length = data.lengths.of(step)
        return self.batch(data.training, step * data.lengths.most_rows, count, length, data.seed, 0, step)

    def validation_batches(self, rows: int) -> Iterator[Batch]:
        """The same rows and masks at every call."""
        for first in range(0, self.data.validation_rows, rows):
            count = min(rows, self.data.validation_rows - first)
            yield self.batch(self.data.validation, first, count, self.data.validation_length, VALIDATION, first)

    def loss(self, model: nn.Module, batch: Batch) -> tuple[Tensor, int]:
        """The mean loss, and over how many tokens. The output head sees the picked positions alone."""
        hidden = self.hidden(model, batch["input_ids"], torch.ones_like(batch["input_ids"]))
        logits = model.cls(hidden.flatten(0, 1)[batch["positions"]])
        return cross_entropy(logits.float(), batch["labels"]), batch["labels"].numel()


@dataclass(frozen=True)
class NextToken:
    """Causal language modelling: [CLS] and text; cross-entropy of each token after those before it."""

    data: Data
    hidden: Hidden = encoder_output

    def batch(self, rows: Rows, first: int, count: int, length: int) -> Batch:
        content = rows.draw(first, count, length - 1)
        return {"input_ids": torch.from_numpy(wrap(content, self.data.vocabulary.cls, None))}

    def training_batch(self, step: int) -> Batch:
        count, length = self.data.lengths.of(step)
        return self.batch(self.data.training, step * self.data.lengths.most_rows, count, length)

    def validation_batches(self, rows: int) -> Iterator[Batch]:
        for first in range(0, self.data.validation_rows, rows):
            count = min(rows, self.data.validation_rows - first)
            yield self.batch(self.data.validation, first, count, self.data.validation_length)

    def loss(self, model: nn.Module, batch: Batch) -> tuple[Tensor, int]:
        ids = batch["input_ids"]
        hidden = self.hidden(model, ids, torch.ones_like(ids))[:, :-1].flatten(0, 1)
        labels = ids[:, 1:].flatten()

        def part(hidden: Tensor, labels: Tensor) -> Tensor:
            return cross_entropy(model.cls(hidden).float(), labels, reduction="sum")

        # Logits of all positions at once would be the largest tensor by far: they are made in parts, and again in the
        # backward pass.
        parts = zip(hidden.split(PART), labels.split(PART), strict=True)
        total = torch.stack([checkpoint(part, *pair, use_reentrant=False) for pair in parts]).sum()
        return total / labels.numel(), labels.numel()
