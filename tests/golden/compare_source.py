"""Compares `ropescope run` with plain PyTorch in f64 on random RoFormers that no class of Hugging Face's computes and no test has seen.

    python compare_source.py [--backend cpu|gpu] [--count 10] [--seed N] [--kind notebook] [--binary …/ropescope]

Linear attention, the variant that rotates before the feature map, RoFormer-v2, embeddings that are projected before they are normed, and
the notebook's RoFormer, each of random sizes with a padded batch: the references are generate_sources.py's. Exits 1 when a tensor is
beyond 1e-5 (CPU) or 1e-4 (GPU) times max(1, max|reference|), or missing, or of another shape.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from safetensors.torch import load_file

from cases import BASE
from compare_decoder import Draw, joined
from comparing import INPUTS, TOLERANCES, executed, faults, parser_of, walk
from generate_sources import CAUSAL, MASKED, MODEL, NOTEBOOK, V2, Case, make

KINDS = dict(
    linear=BASE | dict(attention="linear"),
    linear_rotate_first=BASE | dict(attention="linear_rotate_first"),
    roformer_v2=BASE | V2,
    project_then_norm=BASE | dict(embedding_order="project_then_norm"),
    notebook=NOTEBOOK,
)


def random_case(seed: int, kind: str | None) -> Case:
    """A configuration and the sizes of a batch, drawn from the seed."""
    draw = Draw(seed)
    drawn = draw.pick(list(KINDS))
    kind = kind or drawn
    heads, layers = draw.between(1, 8), draw.between(1, 3)
    # A norm over very few numbers makes much of rounding.
    hidden = heads * 2 * draw.between(4, 24)
    rows, length = draw.between(1, 4), draw.pick([draw.between(4, 32), draw.between(33, 150)])
    config = KINDS[kind] | dict(
        vocab_size=draw.between(5, 500), hidden_size=hidden, intermediate_size=draw.between(1, 4 * hidden)
    )
    # Scores and sums of order one, whatever the size, so that f32 itself stays far more exact than the tolerance.
    scale = min(0.25, hidden**-0.5)
    if kind == "notebook":
        table = draw.pick([{}, dict(rope_table_dtype="float32")])
        config |= table | dict(n_layers=layers, n_heads=heads, block_size=draw.pick([length, 256]))
        return Case(f"seed {seed}", config, (rows, length), seed, scale=scale)
    causal = kind.startswith("linear") and draw.chance(0.5)
    config |= dict(
        num_hidden_layers=layers,
        num_attention_heads=heads,
        # RoFormer-v2's words are the head's matrix, too.
        embedding_size=hidden if kind == "roformer_v2" else draw.pick([hidden, draw.between(8, 128)]),
        type_vocab_size=draw.between(1, 4),
        max_position_embeddings=draw.pick([length, 256]),
        is_decoder=causal,
        rotary_value=draw.chance(0.2),
    )
    head = CAUSAL if causal else draw.pick([MASKED, MODEL])
    return Case(f"seed {seed}", config, (rows, length), seed, head, scale)


def compare(case: Case, arguments: argparse.Namespace) -> tuple[list[str], str]:
    """What differs on this checkpoint."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        make(case, folder)
        expected = load_file(folder / "expected.safetensors")
        command = [str(arguments.binary), "run", "--model", str(folder), "--backend", arguments.backend]
        for flag, name in zip(("ids", "attention-mask", "token-type-ids"), INPUTS):
            command += [f"--{flag}", joined(expected[name])] if name in expected else []
        command += ["--taps", "hidden_states,attentions", "--output", str(folder / "actual.safetensors")]
        _, found = executed(command, arguments.timeout)
        if not found:
            actual = load_file(folder / "actual.safetensors")
            found = faults(actual, expected, TOLERANCES[arguments.backend], arguments.verbose)
        return found, ""


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--kind", choices=KINDS, help="only this kind")
    arguments = parser.parse_args()
    return walk(
        arguments,
        lambda seed: random_case(seed, arguments.kind),
        lambda case: f"{case.name}: {case.head}, {case.config}, batch {case.inputs}",
        lambda case: compare(case, arguments),
    )


if __name__ == "__main__":
    sys.exit(main())
