"""Compares `ropescope run` with Hugging Face on random checkpoints that no test has seen.

    python compare_checkpoint.py [--backend cpu|gpu] [--count 10] [--seed N] [--binary ../../target/release/ropescope]

Each checkpoint has a random head, sizes, activation, storage and padded batch. Prints max|Δ| of every tensor and
exits 1 when one is beyond 1e-5 (CPU) or 1e-4 (GPU) times max(1, max|reference|), or missing, or of another shape.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file

from cases import Case
from comparing import INPUTS, TOLERANCES, executed, faults, parser_of, walk
from generate import make

HEADS = (
    "Model",
    "ForMaskedLM",
    "ForCausalLM",
    "ForSequenceClassification",
    "ForTokenClassification",
    "ForQuestionAnswering",
)


def random_case(seed: int, head: str | None, dtype: str | None) -> Case:
    """A configuration, a batch and a way of storing the weights, all drawn from the seed."""
    random = np.random.RandomState(seed)

    def pick(options):
        return options[random.randint(len(options))]

    def between(low: int, high: int) -> int:
        return int(random.randint(low, high + 1))

    heads, head_size = between(1, 12), 2 * between(1, 32)
    hidden = heads * head_size
    batch, length = between(1, 4), pick([1, 2, between(3, 32), between(33, 200)])
    drawn_head = pick(HEADS)
    head = f"RoFormer{head or drawn_head}"
    vocabulary, types = between(5, 700), between(1, 4)
    config = dict(
        vocab_size=vocabulary,
        embedding_size=pick([hidden, between(8, 128)]),
        hidden_size=hidden,
        num_hidden_layers=between(1, 4),
        num_attention_heads=heads,
        intermediate_size=between(1, 4 * hidden),
        hidden_act=pick(["gelu", "gelu", "relu", "silu"]),
        max_position_embeddings=pick([length, 256, 1536]),
        type_vocab_size=types,
        layer_norm_eps=pick([1e-12, 1e-12, 1e-5]),
        rotary_value=bool(random.rand() < 0.3),
        is_decoder=head == "RoFormerForCausalLM" or bool(random.rand() < 0.1),
        num_labels=between(2, 9),
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    # Padding of a random amount on the right, on the left, and sometimes of any tokens.
    mask = np.ones((batch, length), np.int64)
    for row in mask:
        count = between(0, length - 1)
        kind = pick(["right", "left", "any", "none"])
        if kind == "right":
            row[length - count :] = 0
        elif kind == "left":
            row[:count] = 0
        elif kind == "any":
            row[random.permutation(length)[:count]] = 0
    inputs = dict(
        input_ids=random.randint(0, vocabulary, (batch, length)),
        attention_mask=mask,
        token_type_ids=random.randint(0, types, (batch, length)),
    )
    drawn_dtype = pick(["float32", "float32", "float32", "float16", "bfloat16"])
    drop = ("embed_positions.weight",) if random.rand() < 0.5 else ()
    # Scores and sums of order one, whatever the size, so that f32 itself stays far more exact than the tolerance.
    scale = min(0.25, hidden**-0.5)
    rows = {name: array.tolist() for name, array in inputs.items()}
    return Case(f"seed {seed}", head, config, rows, seed, scale, dtype or drawn_dtype, drop)


def command_line(binary: Path, backend: str, folder: Path, expected: dict[str, torch.Tensor]) -> list[str]:
    ids, mask, types = (";".join(",".join(map(str, row)) for row in expected[name].tolist()) for name in INPUTS)
    return [
        *(str(binary), "run", "--model", str(folder), "--backend", backend, "--taps", "hidden_states,attentions"),
        *(
            "--ids",
            ids,
            "--attention-mask",
            mask,
            "--token-type-ids",
            types,
            "--output",
            str(folder / "actual.safetensors"),
        ),
    ]


def compare(case: Case, arguments: argparse.Namespace) -> list[str]:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        _, expected = make(case, folder)
        (folder / "expected.safetensors").unlink()
        _, found = executed(command_line(arguments.binary, arguments.backend, folder, expected), arguments.timeout)
        if not found:
            actual = load_file(folder / "actual.safetensors")
            found = faults(actual, expected, TOLERANCES[arguments.backend], arguments.verbose)
        return found


def describe(case: Case) -> str:
    names = ("hidden_size", "num_attention_heads", "embedding_size", "intermediate_size")
    sizes = {name: case.config[name] for name in names}
    shape = (len(case.inputs["input_ids"]), len(case.inputs["input_ids"][0]))
    return f"{case.name}: {case.head}, {sizes}, batch and length {shape}, {case.config['hidden_act']}, {case.dtype}"


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--head", choices=HEADS, help="only this head")
    parser.add_argument("--dtype", choices=("float32", "float16", "bfloat16"), help="only weights of this dtype")
    arguments = parser.parse_args()
    return walk(
        arguments,
        lambda seed: random_case(seed, arguments.head, arguments.dtype),
        describe,
        lambda case: (compare(case, arguments), ""),
    )


if __name__ == "__main__":
    sys.exit(main())
