"""Compares `ropescope run` with Hugging Face on random encoders and bare decoders that no test has seen.

    python compare_reader.py [--backend cpu|gpu] [--count 10] [--seed N] [--family esm] [--binary …/ropescope]

Each checkpoint has a random family, class, sizes, biases, ties, windows, style of config.json, dtype, padded batch and
masks. The reference is made in f64. Exits 1 when a tensor is beyond 1e-5 (CPU) or 1e-4 (GPU) times
max(1, max|reference|), missing or of another shape.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from safetensors.torch import load_file

from compare_decoder import FAMILIES as DECODERS
from compare_decoder import Draw, describe, random_padding, run_command, scaling, unusual_ropes
from compare_decoder import random_case as random_decoder
from comparing import TOLERANCES, executed, faults, parser_of, walk
from decoder_cases import DecoderCase
from generate_decoders import batch, exact_twin, write_weights
from generate_readers import filled, outputs, read_back
from in_f64 import in_f64

FAMILIES = ("modernbert", "esm", "bare")
MODERNBERT = (
    "ModernBertForMaskedLM",
    "ModernBertForMaskedLM",
    "ModernBertModel",
    "ModernBertForSequenceClassification",
    "ModernBertForTokenClassification",
    "ModernBertForQuestionAnswering",
)


def modernbert(draw: Draw, config: dict, longest: int, other: dict) -> str:
    """Adds what ModernBERT has. Returns its class."""
    layers = config["num_hidden_layers"]
    kinds = ["full_attention", "sliding_attention"]
    every, old = draw.between(1, 4), draw.chance(0.4)
    types = [kinds[bool(layer % every)] for layer in range(layers)]
    size = config["hidden_size"] // config["num_attention_heads"]
    kind = draw.pick(["default", "default", "linear", "yarn"]) if not old and size > 2 else "default"
    full = scaling(draw, kind, size, longest) | dict(rope_theta=float(draw.pick([500, 160000])))
    sliding = dict(rope_type="default", rope_theta=float(draw.pick([100, 10000])))
    config |= dict(
        local_attention=draw.between(1, longest + 4),
        layer_types=types if old else [draw.pick(kinds) for _ in types],
        rope_parameters=dict(full_attention=full, sliding_attention=sliding),
        hidden_activation=draw.pick(("gelu", "silu", "relu", "gelu_new")),
        classifier_activation=draw.pick(("gelu", "silu")),
        **{f"{name}_bias": draw.chance(0.4) for name in ("norm", "attention", "mlp", "classifier", "decoder")},
        **dict(pad_token_id=0, bos_token_id=1, cls_token_id=1, eos_token_id=2, sep_token_id=2, num_labels=3),
    )
    if old:
        other["config_without"] = ("rope_parameters", "layer_types")
        other["config_keys"] = dict(
            global_rope_theta=full["rope_theta"],
            local_rope_theta=sliding["rope_theta"],
            global_attn_every_n_layers=every,
        )
    elif size > 2:
        unusual_ropes(draw, config, size, other)
    head = draw.pick(MODERNBERT)
    if head.endswith("QuestionAnswering"):
        config.pop("num_labels")
    return head


def esm(draw: Draw, config: dict, length: int, other: dict) -> str:
    """Adds what ESM has. Returns its class."""
    config |= dict(
        vocab_size=draw.between(8, 40),
        position_embedding_type="rotary",
        token_dropout=draw.chance(0.7),
        emb_layer_norm_before=draw.chance(0.3),
        mask_token_id=draw.between(3, 7),
        pad_token_id=1,
        layer_norm_eps=draw.pick([1e-5, 1e-12]),
        rope_theta=float(draw.pick([500, 10000])),
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    other["masks"] = tuple(sorted({draw.between(0, length - 1) for _ in range(draw.between(0, length // 4))}))
    other["rename"] = draw.pick([(), (("encoder.layer.*.attention", "encoder.layer.0.attention"),)])
    return draw.pick(("EsmForMaskedLM", "EsmForMaskedLM", "EsmModel"))


def random_case(seed: int, family: str | None) -> DecoderCase:
    """A configuration, a batch and a way of storing the weights, all drawn from the seed."""
    draw = Draw(seed)
    drawn_family = draw.pick(FAMILIES)
    family = family or drawn_family
    if family == "bare":
        case = random_decoder(seed, draw.pick([name for name in DECODERS if name != "roformer"]))
        if case.head == "Gemma3ForCausalLM" and draw.chance(0.5):
            # A window on either side, of none but the token itself at least.
            case.config.update(use_bidirectional_attention=True, sliding_window=draw.between(0, 20))
        bare = {"Gemma3ForCausalLM": "Gemma3TextModel"}.get(case.head, case.head.replace("ForCausalLM", "Model"))
        return DecoderCase(**(vars(case) | dict(head=bare, old_buffers=False)))
    rows, length = draw.between(1, 4), draw.pick([3, draw.between(4, 16), draw.between(17, 90)])
    heads, size = draw.between(1, 5), 2 * draw.between(1, 12)
    hidden = heads * size
    config = dict(
        vocab_size=draw.between(8, 300),
        hidden_size=hidden,
        intermediate_size=draw.between(1, 3 * hidden),
        num_hidden_layers=draw.between(1, 4),
        num_attention_heads=heads,
        max_position_embeddings=128,
        tie_word_embeddings=draw.chance(0.6),
    )
    # Scores and sums of order one, whatever the size, so that f32 itself stays far more exact than the tolerance.
    other = dict(
        seed=seed, scale=min(0.25, hidden**-0.5), dtype=draw.pick(["float32", "float32", "float16", "bfloat16"])
    )
    head = (modernbert if family == "modernbert" else esm)(draw, config, length, other)
    return DecoderCase(f"seed {seed}", head, config, (rows, length), random_padding(draw, rows, length), **other)


def compare(case: DecoderCase, arguments: argparse.Namespace) -> tuple[list[str] | None, str]:
    """What differs on this checkpoint."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_weights(case, filled(case), folder)
        inputs = batch(case)
        model = read_back(case, folder)
        with in_f64():
            expected = outputs(exact_twin(model), inputs)
        # Where all that is counted is masked, Hugging Face divides by 0.
        if not all(tensor.isfinite().all() for tensor in expected.values()):
            return None, "the reference holds numbers that are none"
        program = [str(arguments.binary), "--backend", arguments.backend]
        command = run_command(program, folder, inputs)
        if "contacts" in expected:
            command[command.index("hidden_states,attentions")] += ",contacts"
        _, found = executed(command, arguments.timeout)
        if not found:
            actual = load_file(folder / "actual.safetensors")
            found = faults(actual, expected, TOLERANCES[arguments.backend], arguments.verbose)
        return found, ""


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
