"""One encoder with three ways to know positions, rotary, sinusoidal and learned absolute ones, and with none.

All are the same Hugging Face class with the same initial weights. For all but the rotary kind the rotation is made the
identity; for the absolute kinds, position vectors are added to the word embeddings before the embeddings' LayerNorm,
where BERT adds its own. Sinusoids are scaled by `initializer_range`, so that they stand to new word embeddings as in
"Attention Is All You Need" (amplitude 1 beside unit variance).
"""

import numpy as np
import torch
from torch import Tensor, nn


def sinusoids(positions: int, size: int) -> Tensor:
    """P(p, 2i) = sin(p / 10000^(2i/size)), P(p, 2i+1) = cos of the same: (positions, size), f32 from f64."""
    angles = np.arange(positions)[:, None] / 10000 ** (2 * np.arange(-(-size // 2)) / size)
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return torch.from_numpy(pairs.reshape(positions, -1)[:, :size].astype(np.float32))


def give_positions(model: nn.Module, kind: str, trained_length: int) -> None:
    """Changes a new RoFormer to the named kind. Learned positions end at `trained_length`."""
    if kind == "rotary":
        return
    config = model.config
    table = model.roformer.encoder.embed_positions.weight
    with torch.no_grad():
        table[:, : table.shape[1] // 2] = 0  # sines
        table[:, table.shape[1] // 2 :] = 1  # cosines
    if kind == "sinusoidal":
        values = config.initializer_range * sinusoids(config.max_position_embeddings, config.embedding_size)
        model.register_buffer("absolute_positions", values)
    elif kind == "learned":
        values = torch.randn(trained_length, config.embedding_size) * config.initializer_range
        model.absolute_positions = nn.Parameter(values)
    elif kind != "none":
        raise ValueError(f"no such kind of positions: {kind}")


def positioned_output(model: nn.Module, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
    """Hidden states (batch, length, hidden_size) of any of the kinds."""
    positions = getattr(model, "absolute_positions", None)
    if positions is None:
        return model.roformer(input_ids, attention_mask=attention_mask).last_hidden_state
    length = input_ids.shape[1]
    words = model.roformer.embeddings.word_embeddings(input_ids)
    return model.roformer(inputs_embeds=words + positions[:length], attention_mask=attention_mask).last_hidden_state
