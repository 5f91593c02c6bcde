"""Compares `ropescope run` and `ropescope generate` with Hugging Face on random decoders that no test has seen.

    python compare_decoder.py [--backend cpu|gpu] [--count 10] [--seed N] [--family llama] [--binary …/ropescope]

Each checkpoint has a random family, sizes, biases, ties, window, rope scaling, style of config.json, dtype and padded
batch. The reference is made in f64. Exits 1 when a tensor is beyond 1e-5 (CPU) or 1e-4 (GPU) times
max(1, max|reference|), missing or of another shape, or when a greedy id differs before the first that is too close to
call.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file

from comparing import TOLERANCES, executed, faults, parser_of, walk
from decoder_cases import GEMMA3, LLAMA, MISTRAL, NEOX, NEW_STYLE, QWEN2, QWEN3, ROFORMER, DecoderCase, old_style
from folders import run
from generate_decoders import NEW_TOKENS, batch, exact_twin, filled, moved_left, read_back, steps, write_weights
from in_f64 import in_f64

FAMILIES = dict(
    llama=LLAMA, mistral=MISTRAL, qwen2=QWEN2, qwen3=QWEN3, gpt_neox=NEOX, roformer=ROFORMER, gemma3=GEMMA3
)
ACTIVATIONS = ("silu", "silu", "gelu", "relu", "gelu_pytorch_tanh", "gelu_new")
SCALINGS = ("default", "linear", "dynamic", "yarn", "longrope", "llama3", "proportional")
# Their frequencies follow the length of the longest row, so rows of one length alone are compared.
BY_LENGTH = ("dynamic", "longrope")
# From the first step whose best logit leads by less than this share of the largest, ids may differ.
SURE = 1e-3


class Draw:
    """Random choices of one seed."""

    def __init__(self, seed: int):
        self.random = np.random.RandomState(seed)

    def pick(self, options):
        return options[self.random.randint(len(options))]

    def between(self, low: int, high: int) -> int:
        return int(self.random.randint(low, high + 1))

    def chance(self, share: float) -> bool:
        return bool(self.random.rand() < share)

    def number(self, low: float, high: float) -> float:
        return round(float(self.random.uniform(low, high)), 3)


def scaling(draw: Draw, kind: str, rotated: int, longest: int) -> dict:
    """Parameters of a rope scaling, whose border lies within a text of `longest` tokens or not far beyond it."""
    found: dict = dict(rope_type=kind)
    if kind in ("linear", "dynamic", "yarn", "llama3", "longrope"):
        found["factor"] = draw.number(1.0, 8.0)
    if kind in ("yarn", "llama3", "longrope"):
        found["original_max_position_embeddings"] = draw.between(4, longest + 20)
    if kind == "yarn":
        found |= draw.pick([{}, dict(attention_factor=0.8), dict(mscale=1.0, mscale_all_dim=0.5), dict(mscale=0.7)])
        found |= draw.pick([{}, dict(beta_fast=draw.number(4.0, 40.0), beta_slow=draw.number(0.3, 3.0))])
        found |= draw.pick([{}, dict(truncate=False)])
    if kind == "longrope":
        pairs = (rotated + 1) // 2
        found["short_factor"] = [draw.number(1.0, 2.0) for _ in range(pairs)]
        found["long_factor"] = [draw.number(1.0, 20.0) for _ in range(pairs)]
        found |= draw.pick([{}, dict(attention_factor=1.2)])
    if kind == "llama3":
        low = draw.number(0.5, 2.0)
        found |= dict(low_freq_factor=low, high_freq_factor=low + draw.number(0.5, 4.0))
    if kind == "proportional":
        found |= dict(partial_rotary_factor=draw.pick([0.25, 0.5, 0.75, 1.0]))
        found |= draw.pick([{}, dict(factor=2.0)])
    return found


def fits(kind: str, rotated: int) -> bool:
    """Whether Hugging Face computes this rope over so many dimensions: dynamic divides by what two leave, and yarn's ramp has no
    place for an odd last one, but for one and three."""
    return not (kind == "dynamic" and rotated == 2 or kind == "yarn" and rotated % 2 and rotated > 3)


def older_spelling(draw: Draw, rotated: int) -> dict:
    """A `rope_scaling` to stand beside `rope_parameters`."""
    kind = draw.pick(["linear", "yarn"]) if fits("yarn", rotated) else "linear"
    settings = draw.pick([{}, dict(rope_type=kind, factor=2.5), dict(type=kind, factor=2.5), dict(rope_type="default")])
    return dict(rope_scaling=settings | draw.pick([{}, dict(rope_theta=300.0)]))


def random_case(seed: int, family: str | None) -> DecoderCase:
    """A configuration, a batch and a way of storing the weights, all drawn from the seed."""
    draw = Draw(seed)
    drawn_family = draw.pick(list(FAMILIES))
    family = family or drawn_family
    rows, length = draw.between(1, 4), draw.pick([1, 2, draw.between(3, 16), draw.between(17, 70)])
    longest = length + NEW_TOKENS
    key_heads = draw.between(1, 4)
    heads = key_heads * draw.between(1, 3)
    head_size = 2 * draw.between(1, 16)
    own_size = family in ("llama", "mistral", "qwen3", "gemma3") or (family == "qwen2" and draw.chance(0.3))
    hidden = heads * (draw.between(2, 24) if own_size else head_size)
    config = dict(
        vocab_size=draw.between(5, 300),
        hidden_size=hidden,
        intermediate_size=draw.between(1, 3 * hidden),
        num_hidden_layers=draw.between(1, 3),
        num_attention_heads=heads,
        hidden_act=draw.pick(ACTIVATIONS),
        max_position_embeddings=draw.pick([longest, 256]),
        tie_word_embeddings=draw.chance(0.4),
    )
    # Scores and sums of order one, whatever the size, so that f32 itself stays far more exact than the tolerance.
    other = dict(
        seed=seed, scale=min(0.25, hidden**-0.5), dtype=draw.pick(["float32", "float32", "float16", "bfloat16"])
    )
    if family == "roformer":
        value = draw.chance(0.3)
        padding = () if value else random_padding(draw, rows, length)
        config |= dict(
            embedding_size=draw.pick([hidden, draw.between(4, 64)]),
            is_decoder=True,
            rotary_value=value,
            hidden_act=draw.pick(("gelu", "relu", "silu")),
            type_vocab_size=2,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            tie_word_embeddings=True,
        )
        # A 16-bit file's rounded rotation table is compare_checkpoint.py's business.
        return DecoderCase(f"seed {seed}", ROFORMER, config, (rows, length), padding, **(other | dict(dtype="float32")))

    share, rotated = 1.0, head_size
    if family == "gpt_neox":
        share = draw.pick([0.25, 0.5, 1.0, draw.number(0.0, 1.0)])
        rotated = int(head_size * share)
    kind = draw.pick([kind for kind in SCALINGS if fits(kind, rotated)])
    rope = scaling(draw, kind, rotated, longest)
    if kind == "dynamic":
        config["max_position_embeddings"] = draw.between(4, longest + 20)
    base = float(draw.pick([10000, 500, 1000000]))
    if family == "gpt_neox":
        rope["partial_rotary_factor"] = share
        config |= dict(use_parallel_residual=draw.chance(0.5), attention_bias=draw.chance(0.7))
    else:
        config |= dict(num_key_value_heads=key_heads, rms_norm_eps=draw.pick([1e-6, 1e-5]))
    if own_size:
        config["head_dim"] = head_size
    if family in ("llama", "qwen3"):
        config["attention_bias"] = draw.chance(0.3)
    if family == "llama":
        config["mlp_bias"] = draw.chance(0.3)
    if family == "mistral":
        config["sliding_window"] = draw.pick([None, draw.between(1, longest)])
    if family in ("qwen2", "qwen3"):
        config |= dict(use_sliding_window=draw.chance(0.5), sliding_window=draw.between(1, longest))
        config["max_window_layers"] = draw.between(0, config["num_hidden_layers"])
        other["config_without"] = draw.pick([(), ("layer_types",)])
    if family == "gemma3":
        return gemma3_case(draw, config, rope | dict(rope_theta=base), (rows, length), other)
    if draw.chance(0.4) and (family != "gpt_neox" or kind == "default"):
        other["config_without"] = (*other.get("config_without", ()), *NEW_STYLE)
        if family == "gpt_neox":
            other["config_keys"] = dict(rotary_pct=share, rotary_emb_base=base)
        else:
            other["config_keys"] = old_style(rope, base) if kind != "default" else dict(rope_theta=base)
        other["old_buffers"] = kind == "default" and family in ("llama", "gpt_neox")
    elif draw.chance(0.3):
        # Without rotary_pct a quarter of GPT-NeoX's heads turns.
        other["config_keys"] = older_spelling(draw, head_size // 4 if family == "gpt_neox" else head_size)
    elif draw.chance(0.3) and kind in ("default", "proportional"):
        other["config_keys"] = dict(partial_rotary_factor=draw.pick([0.25, 0.5, 0.8]))
    elif draw.chance(0.3) and kind == "default" and family != "gpt_neox":
        rope["partial_rotary_factor"] = draw.pick([0.25, 0.5, 0.8])
    config["rope_parameters"] = dict(rope_theta=base) | rope
    padding = () if kind in BY_LENGTH else random_padding(draw, rows, length)
    return DecoderCase(f"seed {seed}", FAMILIES[family], config, (rows, length), padding, **other)


def gemma3_case(draw: Draw, config: dict, full: dict, shape: tuple[int, int], other: dict) -> DecoderCase:
    """A Gemma 3 whose full layers turn by this rope, and its others by a base of their own; with some old keys."""
    rows, length = shape
    config["hidden_activation"] = config.pop("hidden_act")
    config |= dict(
        num_hidden_layers=draw.between(1, 4),
        attention_bias=draw.chance(0.3),
        query_pre_attn_scalar=draw.between(1, 64),
        sliding_window=draw.between(1, length + NEW_TOKENS),
    )
    pattern = draw.between(1, 4)
    kinds = ["full_attention", "sliding_attention"]
    types = [kinds[bool((layer + 1) % pattern)] for layer in range(config["num_hidden_layers"])]
    old = draw.chance(0.4)
    if not old:
        types = [draw.pick(kinds) for _ in types]
    config["layer_types"] = types
    sliding = dict(rope_type="default", rope_theta=float(draw.pick([100, 10000])))
    config["rope_parameters"] = dict(full_attention=full, sliding_attention=sliding)
    if old:
        scaling = {name: value for name, value in full.items() if name != "rope_theta"}
        other["config_without"] = ("rope_parameters", "layer_types")
        other["config_keys"] = dict(
            rope_theta=full["rope_theta"],
            rope_local_base_freq=sliding["rope_theta"],
            rope_scaling=None if scaling == dict(rope_type="default") else scaling,
            sliding_window_pattern=pattern,
        )
    else:
        unusual_ropes(draw, config, config["head_dim"], other)
    padding = () if full["rope_type"] in BY_LENGTH else random_padding(draw, rows, length)
    return DecoderCase(f"seed {other['seed']}", GEMMA3, config, shape, padding, **other)


def unusual_ropes(draw: Draw, config: dict, head_size: int, other: dict) -> None:
    """Adds settings of ropes by layer type that Hugging Face reads in its own way, now and then."""
    ropes = config["rope_parameters"]
    if draw.chance(0.3):
        other["config_keys"] = older_spelling(draw, head_size)
    elif draw.chance(0.3) and all(rope["rope_type"] in ("default", "proportional") for rope in ropes.values()):
        other["config_keys"] = dict(partial_rotary_factor=draw.pick([0.25, 0.5, 0.8]))
    if draw.chance(0.2):
        ropes["sliding_attention"]["partial_rotary_factor"] = draw.pick([0.25, 0.5, 0.8])
        # A rope that is scaled may turn no part of a head.
        other.pop("config_keys", None)
    if draw.chance(0.2):
        other["config_keys"] = other.get("config_keys", {}) | dict(original_max_position_embeddings=draw.between(4, 60))


def random_padding(draw: Draw, rows: int, length: int) -> tuple[int, ...]:
    """Padding of a random amount on the right or on the left of each row, or none anywhere."""
    if draw.chance(0.3):
        return ()
    return tuple(draw.pick([-1, 1]) * draw.between(0, length - 1) for _ in range(rows))


def reference(
    model: torch.nn.Module, inputs: dict[str, torch.Tensor]
) -> tuple[dict[str, torch.Tensor], torch.Tensor, list[int]]:
    """In f64: every output, the greedy ids (rows, length + NEW_TOKENS), and how many new ids of each row are sure."""
    twin = exact_twin(model)
    with in_f64():
        outputs = run(twin, inputs | dict(use_cache=False))
    # Frequencies that follow the length are kept in the model: a fresh one goes on.
    twin = exact_twin(model)
    with in_f64():
        walked = list(steps(twin, inputs["input_ids"], inputs["attention_mask"]))
    sure = torch.stack([lead >= SURE for _, lead in walked])
    return outputs, walked[-1][0], sure.long().cumprod(dim=0).sum(dim=0).tolist()


def joined(rows: torch.Tensor) -> str:
    return ";".join(",".join(map(str, row)) for row in rows.tolist())


def run_command(program: list[str], folder: Path, inputs: dict[str, torch.Tensor]) -> list[str]:
    return [
        *(program[0], "run", "--model", str(folder), *program[1:], "--taps", "hidden_states,attentions"),
        *("--ids", joined(inputs["input_ids"]), "--attention-mask", joined(inputs["attention_mask"])),
        *("--output", str(folder / "actual.safetensors")),
    ]


def generate_command(program: list[str], folder: Path, inputs: dict[str, torch.Tensor]) -> list[str]:
    ids, mask = moved_left(inputs["input_ids"], inputs["attention_mask"])
    return [
        *(program[0], "generate", "--model", str(folder), *program[1:], "--ids", joined(ids)),
        *("--attention-mask", joined(mask), "--max-new-tokens", str(NEW_TOKENS), "--temperature", "0"),
        *("--ignore-eos", "--json"),
    ]


def greedy_faults(printed: str, expected: torch.Tensor, sure: list[int]) -> list[str]:
    """One line for each row of {"ids": [[…]]} that has another length or goes on otherwise where it is sure."""
    try:
        rows = json.loads(printed)["ids"]
    except (ValueError, KeyError, TypeError) as error:
        return [f"printed no ids: {error!r}"]
    if len(rows) != len(expected):
        return [f"{len(rows)} rows, expected {len(expected)}"]
    found = []
    for index, (row, wanted, count) in enumerate(zip(rows, expected.tolist(), sure, strict=True)):
        compared = len(wanted) - NEW_TOKENS + count
        if len(row) != len(wanted):
            found.append(f"row {index} has {len(row)} ids, expected {len(wanted)}")
        elif row[:compared] != wanted[:compared]:
            at = next(place for place in range(compared) if row[place] != wanted[place])
            found.append(f"row {index} has {row[at]} at {at}, expected {wanted[at]}")
    return found


def compare(case: DecoderCase, arguments: argparse.Namespace) -> tuple[list[str], str]:
    """What differs on this checkpoint, and how many new ids agree, in words."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_weights(case, filled(case), folder)
        inputs = batch(case)
        outputs, ids, sure = reference(read_back(case, folder), inputs)
        program = [str(arguments.binary), "--backend", arguments.backend]
        _, found = executed(run_command(program, folder, inputs), arguments.timeout)
        if not found:
            actual = load_file(folder / "actual.safetensors")
            found = faults(actual, outputs, TOLERANCES[arguments.backend], arguments.verbose)
        printed, failed = executed(generate_command(program, folder, inputs), arguments.timeout)
        found = [f"run: {line}" for line in found]
        found += [f"generate: {line}" for line in failed or greedy_faults(printed, ids, sure)]
        return found, f" and {sum(sure)} new ids"


def describe(case: DecoderCase) -> str:
    config = case.config
    rope = config.get("rope_parameters", {})
    rope = rope.get("full_attention", rope).get("rope_type", "own")
    names = ("hidden_size", "num_attention_heads", "num_key_value_heads", "head_dim", "hidden_act", "sliding_window")
    sizes = ", ".join(f"{name} {config[name]}" for name in names if config.get(name) is not None)
    style = "old" if case.config_keys else "new"
    return f"{case.name}: {case.head}, {sizes}, rope {rope} ({style}), batch {case.shape}, {case.dtype}"


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
