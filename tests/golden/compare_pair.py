"""Compares `ropescope run` and `generate` with Hugging Face on random encoder–decoders that no test has seen.

    python compare_pair.py [--backend cpu|gpu] [--count 10] [--seed N] [--family bart] [--binary …/ropescope]

Each checkpoint has a random family, sizes of either stack, vocabularies, ties, biases, dtype, padded batch and way of writing. The
reference is made in f64. Ids are compared where logits that are off by a little give the same ones, greedy and by beams. Exits 1 when
a tensor is beyond 1e-5 (CPU) or 1e-4 (GPU) times max(1, max|reference|), missing or of another shape, or ids differ.
"""

import argparse
import copy
import json
import sys
import tempfile
from pathlib import Path

import torch
import transformers
from safetensors.torch import load_file

from compare_decoder import Draw, joined, random_padding
from comparing import TOLERANCES, executed, faults, parser_of, walk
from folders import fill
from generate_pairs import INPUTS, batch, generate, read_back, run, write_weights
from in_f64 import in_f64
from pair_cases import BART, END, MARIAN, PAD, PEGASUS, WORDS, PairCase

FAMILIES = dict(marian=MARIAN, bart=BART, pegasus=PEGASUS)
POSITIONS = "embed_positions.weight"


def random_case(seed: int, family: str | None) -> PairCase:
    """A configuration, a batch and a way of storing and of writing, all drawn from the seed."""
    draw = Draw(seed)
    drawn = draw.pick(list(FAMILIES))
    head = FAMILIES[family or drawn]
    heads = [draw.between(1, 4), draw.between(1, 4)]
    # A norm over very few numbers makes much of rounding.
    size = draw.between(4, 12)
    # Both stacks have heads that divide the hidden size; sinusoids want an even one.
    hidden = heads[0] * heads[1] * size * (1 if head == BART else 2)
    two = head == MARIAN and draw.chance(0.4)
    vocabulary = draw.between(WORDS + 9, 200)
    config = dict(
        vocab_size=vocabulary,
        d_model=hidden,
        encoder_layers=draw.between(1, 3),
        decoder_layers=draw.between(1, 3),
        encoder_attention_heads=heads[0],
        decoder_attention_heads=heads[1],
        encoder_ffn_dim=draw.between(1, 3 * hidden),
        decoder_ffn_dim=draw.between(1, 3 * hidden),
        activation_function=draw.pick(["gelu", "relu", "silu", "gelu_new"]),
        max_position_embeddings=draw.between(90, 130),
        scale_embedding=draw.chance(0.5),
        tie_word_embeddings=draw.chance(0.7),
        pad_token_id=PAD,
        eos_token_id=END,
        decoder_start_token_id=draw.pick([PAD, 2]),
        forced_eos_token_id=END,
    )
    if two:
        config |= dict(share_encoder_decoder_embeddings=False, decoder_vocab_size=draw.between(WORDS + 9, 200))
    elif head == MARIAN and draw.chance(0.4):
        # Where words are tied, the number counts nothing; else the decoder must be able to read what it writes.
        config |= dict(decoder_vocab_size=vocabulary + draw.between(0, 20))
    generation = dict(
        max_length=draw.between(5, 24),
        num_beams=draw.between(2, 8),
        length_penalty=draw.pick([1.0, 0.6, 2.0, 0.0, -0.5]),
        early_stopping=draw.pick([False, True, "never"]),
        no_repeat_ngram_size=draw.pick([0, 1, 2, 3]),
        min_length=draw.pick([0, 0, 4]),
        bad_words_ids=[[PAD], [draw.between(WORDS, 12)]],
    )
    if draw.chance(0.3):
        generation["forced_bos_token_id"] = 3
    rows, length = draw.between(1, 4), draw.pick([2, draw.between(3, 16), draw.between(17, 80)])
    text = draw.pick([1, draw.between(2, 16), draw.between(17, 80)])
    return PairCase(
        f"seed {seed}",
        head,
        config,
        generation,
        (rows, length),
        tuple(draw.between(0, length - 2) for _ in range(rows)),
        text,
        tuple(abs(count) for count in random_padding(draw, rows, text)) if text > 1 else (),
        seed=seed,
        dtype=draw.pick(["float32", "float32", "float16", "bfloat16"]),
        stored_positions=head != BART and draw.chance(0.3),
        own_generation_config=draw.chance(0.8),
    )


def filled(case: PairCase) -> torch.nn.Module:
    """The case's model with seeded weights, in f32."""
    head = getattr(transformers, case.head)
    model = head(head.config_class(**copy.deepcopy(case.config)))
    # Scores and sums of order one, whatever the size, so that f32 itself stays far more exact than the tolerance.
    leave = () if case.head == BART else (POSITIONS,)
    tied = model.config.tie_word_embeddings
    leave += ("lm_head.weight", "embed_tokens.weight") if tied and hasattr(model.model, "shared") else ()
    leave += ("lm_head.weight",) if tied else ()
    fill(model, case.seed, min(0.5, 1.5 * case.config["d_model"] ** -0.5), leave)
    return model.eval()


def ids(printed: str) -> list[list[int]]:
    return json.loads(printed)["ids"]


def trimmed(rows: torch.Tensor) -> list[list[int]]:
    """Rows up to their ends."""
    ends = [row[1:].index(END) + 2 if END in row[1:] else len(row) for row in rows.tolist()]
    return [row[:end] for row, end in zip(rows.tolist(), ends)]


def describe(case: PairCase) -> str:
    return f"{case.name}: {case.head}, {case.config}, batch {case.shape}, {case.dtype}"


def compare(case: PairCase, arguments: argparse.Namespace) -> tuple[list[str], str]:
    """What differs on this checkpoint, and what of it hangs on rounding."""
    uncompared = ""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_weights(case, filled(case), folder)
        model, inputs = read_back(case, folder), batch(case)
        with in_f64():
            twin = copy.deepcopy(model).double()
            expected = run(twin, inputs)
        command = [str(arguments.binary), "run", "--model", str(folder), "--backend", arguments.backend]
        for flag, name in zip(("ids", "attention-mask", "decoder-ids", "decoder-attention-mask"), INPUTS):
            command += [f"--{flag}", joined(inputs[name])]
        command += ["--taps", "hidden_states,attentions", "--output", str(folder / "actual.safetensors")]
        _, found = executed(command, arguments.timeout)
        if not found:
            actual = load_file(folder / "actual.safetensors")
            found = faults(actual, expected, TOLERANCES[arguments.backend], arguments.verbose)
        for kind, settings, flags in (("greedy", dict(num_beams=1), ["--num-beams", "1"]), ("beams", {}, [])):
            wanted = generate(model, inputs, **settings)
            noisy = [generate(model, inputs, noise=seed, **settings) for seed in (1, 2, 3)]
            if not all(torch.equal(wanted, other) for other in noisy):
                uncompared += f", {kind} not compared: they hang on rounding"
                continue
            command = [str(arguments.binary), "generate", "--json", "--model", str(folder)]
            command += ["--backend", arguments.backend, "--ids", joined(inputs["input_ids"])]
            command += ["--attention-mask", joined(inputs["attention_mask"]), *flags]
            printed, failed = executed(command, arguments.timeout)
            found += failed
            if not failed and ids(printed) != trimmed(wanted):
                found.append(f"{kind}: {ids(printed)} instead of {trimmed(wanted)}")
        return found, uncompared


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--family", choices=FAMILIES, help="only this family")
    arguments = parser.parse_args()
    return walk(
        arguments,
        lambda seed: random_case(seed, arguments.family),
        describe,
        lambda case: compare(case, arguments),
    )


if __name__ == "__main__":
    sys.exit(main())
