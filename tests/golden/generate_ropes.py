"""Writes ropes.json, or checks it: the angles per position that Hugging Face's `ROPE_INIT_FUNCTIONS` give.

    python generate_ropes.py [--check]

The functions of modeling_rope_utils.py run unchanged, but in f64 (in_f64.py). README.md describes the file.
"""

import argparse
import json
import math
import sys
from pathlib import Path

import torch
import transformers
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.gpt_neox.modeling_gpt_neox import GPTNeoXRotaryEmbedding

from agreement import same
from in_f64 import in_f64

PATH = Path(__file__).parent / "ropes.json"
# The functions' f32 numbers may differ from their f64 ones by this share.
F32_TOLERANCE = 2e-6

LLAMA3 = dict(
    rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=8192
)
TINY_LLAMA3 = LLAMA3 | dict(factor=32.0, original_max_position_embeddings=32)
YARN = dict(rope_type="yarn", factor=4.0, original_max_position_embeddings=32)
SHORT = [1.0, 1.05, 1.1, 1.2, 1.3, 1.5, 1.75, 2.0]
LONG = [1.0, 1.5, 2.25, 3.5, 5.0, 8.5, 13.0, 21.0]
LONGROPE = dict(
    rope_type="longrope", short_factor=SHORT, long_factor=LONG, original_max_position_embeddings=32, factor=4.0
)
PROPORTIONAL = dict(rope_type="proportional", partial_rotary_factor=0.25)

# (head_dim, base, scaling, max_position_embeddings, length)
SETTINGS: list[tuple[int, float, dict | None, int, int]] = [
    (16, 10000.0, None, 64, 20),
    (2, 10000.0, None, 64, 20),
    (6, 500.0, dict(rope_type="default"), 64, 20),
    (128, 500000.0, dict(rope_type="default"), 8192, 100),
    (16, 10000.0, dict(rope_type="default", partial_rotary_factor=0.25), 64, 20),
    (96, 10000.0, dict(rope_type="default", partial_rotary_factor=0.4), 64, 20),
    # An odd count of rotated dimensions: 5 of 10 in the exponent, three pairs.
    (10, 10000.0, dict(rope_type="default", partial_rotary_factor=0.5), 64, 20),
    (16, 10000.0, dict(rope_type="linear", factor=4.0), 64, 20),
    (10, 100.0, dict(type="linear", factor=2.5), 64, 20),
    (16, 10000.0, dict(rope_type="linear", factor=8.0, partial_rotary_factor=0.5), 64, 20),
    (16, 10000.0, dict(rope_type="dynamic", factor=2.0), 32, 7),
    (16, 10000.0, dict(rope_type="dynamic", factor=2.0), 32, 32),
    (16, 10000.0, dict(rope_type="dynamic", factor=2.0), 32, 33),
    (16, 10000.0, dict(rope_type="dynamic", factor=2.0), 32, 100),
    (10, 500.0, dict(type="dynamic", factor=3.5), 48, 1000),
    (16, 10000.0, dict(rope_type="dynamic", factor=4.0, partial_rotary_factor=0.25), 32, 50),
    (16, 10000.0, YARN, 128, 20),
    (64, 10000.0, YARN | dict(original_max_position_embeddings=4096), 16384, 5000),
    (128, 1000000.0, YARN | dict(original_max_position_embeddings=32768), 131072, 100),
    (16, 10000.0, dict(type="yarn", factor=4.0, original_max_position_embeddings=32), 128, 20),
    # Without original_max_position_embeddings the model's own length stands in.
    (16, 10000.0, dict(rope_type="yarn", factor=4.0), 128, 20),
    (16, 10000.0, YARN | dict(factor=1.0), 32, 20),
    (16, 10000.0, YARN | dict(attention_factor=0.75), 128, 20),
    (16, 10000.0, YARN | dict(mscale=1.0, mscale_all_dim=0.8), 128, 20),
    (16, 10000.0, YARN | dict(mscale=0.707, mscale_all_dim=0.707), 128, 20),
    (16, 10000.0, YARN | dict(mscale=0.5), 128, 20),
    (16, 10000.0, YARN | dict(mscale=0.0, mscale_all_dim=0.8), 128, 20),
    (64, 10000.0, YARN | dict(beta_fast=16.0, beta_slow=2.0, original_max_position_embeddings=256), 1024, 20),
    (64, 10000.0, YARN | dict(truncate=False, original_max_position_embeddings=256), 1024, 20),
    (64, 10000.0, YARN | dict(truncate=True, original_max_position_embeddings=256), 1024, 20),
    # Both borders of the ramp fall together.
    (16, 10000.0, YARN | dict(beta_fast=1.0, beta_slow=1.0, truncate=False), 128, 20),
    (16, 10000.0, YARN | dict(partial_rotary_factor=0.5), 128, 20),
    # Odd counts of rotated dimensions: one alone does not turn, and three have two pairs with one place on the ramp.
    (4, 10000.0, YARN | dict(partial_rotary_factor=0.25), 128, 20),
    (4, 10000.0, YARN | dict(partial_rotary_factor=0.75), 128, 20),
    (12, 500.0, YARN | dict(partial_rotary_factor=0.25, truncate=False), 128, 20),
    (16, 10000.0, LONGROPE, 128, 20),
    (16, 10000.0, LONGROPE, 128, 32),
    (16, 10000.0, LONGROPE, 128, 33),
    (16, 10000.0, LONGROPE | dict(type="longrope"), 128, 100),
    (16, 10000.0, LONGROPE | dict(attention_factor=1.25), 128, 100),
    (16, 10000.0, LONGROPE | dict(factor=2.0), 128, 100),
    (16, 10000.0, LONGROPE | dict(factor=1.0), 128, 20),
    # Without factor: max_position_embeddings / original_max_position_embeddings.
    (16, 10000.0, {name: value for name, value in LONGROPE.items() if name != "factor"}, 96, 40),
    (32, 10000.0, LONGROPE | dict(partial_rotary_factor=0.5), 128, 40),
    (128, 500000.0, LLAMA3, 131072, 20),
    (64, 500000.0, LLAMA3 | dict(factor=32.0), 131072, 20),
    (16, 10000.0, TINY_LLAMA3, 128, 20),
    (16, 10000.0, LLAMA3 | dict(type="llama3", low_freq_factor=1.5, high_freq_factor=6.0), 16384, 20),
    (16, 10000.0, TINY_LLAMA3 | dict(partial_rotary_factor=0.5), 128, 20),
    (16, 10000.0, PROPORTIONAL, 64, 20),
    (512, 1000000.0, PROPORTIONAL, 64, 20),
    (16, 10000.0, PROPORTIONAL | dict(factor=4.0), 64, 20),
    (10, 10000.0, PROPORTIONAL | dict(partial_rotary_factor=0.5), 64, 20),
    (16, 10000.0, dict(rope_type="proportional"), 64, 20),
]


def frequencies(
    head_dim: int, base: float, scaling: dict | None, max_position_embeddings: int, length: int
) -> tuple[torch.Tensor, float]:
    """Hugging Face's inverse frequencies and attention factor for a text of `length` tokens."""
    config = LlamaConfig(
        hidden_size=head_dim,
        num_attention_heads=1,
        max_position_embeddings=max_position_embeddings,
        rope_theta=base,
        rope_scaling=None if scaling is None else dict(scaling),
    )
    assert config.rope_parameters["rope_theta"] == base and config.head_dim == head_dim
    kind = config.rope_parameters["rope_type"]
    compute = ROPE_INIT_FUNCTIONS.get(kind, GPTNeoXRotaryEmbedding.compute_default_rope_parameters)
    assert (kind == "default") == (kind not in ROPE_INIT_FUNCTIONS), kind
    return compute(config, seq_len=length)


def entry(setting: tuple[int, float, dict | None, int, int]) -> dict:
    """One setting with its numbers, in f64; they must be the f32 ones but for rounding."""
    rounded, _ = frequencies(*setting)
    with in_f64():
        exact, attention_factor = frequencies(*setting)
    assert rounded.dtype == torch.float32 and exact.dtype == torch.float64, setting
    torch.testing.assert_close(rounded.double(), exact, atol=0, rtol=F32_TOLERANCE, msg=f"{setting}")
    head_dim, base, scaling, max_position_embeddings, length = setting
    return dict(
        head_dim=head_dim,
        base=base,
        scaling=scaling,
        max_position_embeddings=max_position_embeddings,
        length=length,
        theta=exact.tolist(),
        attention_factor=float(attention_factor),
    )


def verify(entries: list[dict]) -> None:
    """Facts known without Hugging Face: the plain formula, and that settings which should differ do."""
    for found in entries:
        kind = (found["scaling"] or {}).get("rope_type", (found["scaling"] or {}).get("type", "default"))
        if kind not in ("default", "linear"):
            continue
        factor = found["scaling"].get("factor", 1.0) if found["scaling"] else 1.0
        partial = (found["scaling"] or {}).get("partial_rotary_factor", 1.0)
        rotated = int(found["head_dim"] * partial)
        for pair, theta in enumerate(found["theta"]):
            assert math.isclose(theta, found["base"] ** (-2 * pair / rotated) / factor, rel_tol=1e-14), found
    by_length = [
        tuple(found["theta"]) for found in entries if found["scaling"] == dict(rope_type="dynamic", factor=2.0)
    ]
    assert by_length[0] == by_length[1] and len(set(by_length)) == 3
    by_length = [tuple(found["theta"]) for found in entries if found["scaling"] == LONGROPE]
    assert by_length[0] == by_length[1] and len(set(by_length)) == 2


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the committed file and write nothing")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    entries = [entry(setting) for setting in SETTINGS]
    verify(entries)
    if not arguments.check:
        lines = ",\n".join(json.dumps(found) for found in entries)
        PATH.write_text(f"[\n{lines}\n]\n")
        return 0
    committed = json.loads(PATH.read_text())
    faults = [str(new) for old, new in zip(committed, entries, strict=False) if not same(old, new, 1e-13)]
    if len(committed) != len(entries):
        faults.append(f"{len(committed)} entries in the file, now {len(entries)}")
    print("\n".join(faults), file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
