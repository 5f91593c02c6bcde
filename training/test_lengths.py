"""Attention under ways to stretch a rope, against Hugging Face's own. `python -m pytest training`."""

import torch
from transformers import RoFormerConfig, RoFormerForMaskedLM

from ropescope_training.lengths import Way, longrope, read_by

CONTEXT, LENGTH = 16, 40


def model() -> RoFormerForMaskedLM:
    torch.manual_seed(0)
    config = RoFormerConfig(
        vocab_size=50,
        embedding_size=24,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=48,
        max_position_embeddings=CONTEXT,
        initializer_range=0.5,
    )
    return RoFormerForMaskedLM(config).eval()


@torch.no_grad()
def logits(way: Way | None, length: int) -> torch.Tensor:
    tested = model()
    if way is not None:
        read_by(tested, way, length)
    ids = torch.arange(2 * length).reshape(2, length) % 50
    mask = torch.ones_like(ids)
    # The second row is padded.
    mask[1, length - 3 :] = 0
    return tested(ids, attention_mask=mask).logits[mask.bool()]


def test_nothing_stretched_is_hugging_faces_attention():
    torch.testing.assert_close(logits(Way(), CONTEXT), logits(None, CONTEXT), rtol=1e-4, atol=1e-4)


def test_scores_need_no_table_to_be_the_same():
    # Neither does anything here, but both make the table of scores.
    for idle in ({"log_n": 10 * LENGTH}, {"reach": LENGTH}):
        for scaling in (None, longrope([1.0, 1.5, 2.0, 3.0], 4, CONTEXT)):
            torch.testing.assert_close(
                logits(Way(scaling), LENGTH), logits(Way(scaling, **idle), LENGTH), rtol=1e-4, atol=1e-4
            )


def test_a_way_that_does_something_changes_the_logits():
    plain = logits(Way(), LENGTH)
    for way in (Way(longrope([1.0, 1.5, 2.0, 3.0], 4, CONTEXT)), Way(log_n=CONTEXT), Way(reach=CONTEXT // 4)):
        assert (logits(way, LENGTH) - plain).abs().max() > 1e-2
