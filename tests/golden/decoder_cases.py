"""The golden cases of the decoder families: one configuration, one batch and one way of storing the weights each.

Sizes are tiny and odd on purpose, as in cases.py. A seed is the first one, counted from a case's first choice, whose
greedy continuation is far from every tie (`generate_decoders.py --search`).
"""

from dataclasses import dataclass, field

from cases import DECODER

LLAMA, MISTRAL, NEOX, ROFORMER = "LlamaForCausalLM", "MistralForCausalLM", "GPTNeoXForCausalLM", "RoFormerForCausalLM"
QWEN2, QWEN3, GEMMA3 = "Qwen2ForCausalLM", "Qwen3ForCausalLM", "Gemma3ForCausalLM"


@dataclass(frozen=True)
class DecoderCase:
    """One folder of golden files. Ids are drawn from the seed.

    `padding` counts the masked tokens of each row: at its end, or at its start where negative.
    """

    name: str
    head: str
    config: dict
    shape: tuple[int, int] = (1, 9)  # rows and length of input_ids
    padding: tuple[int, ...] = ()
    masks: tuple[int, ...] = ()  # positions at which every row has the mask token, where the config names one
    seed: int = 0
    scale: float = 0.25  # of the weights' normal draw
    dtype: str = "float32"  # of the tensors in model.safetensors
    tied_copies: bool = False  # also store the tied lm_head
    old_buffers: bool = False  # also store the buffers that older versions wrote and today's classes ignore
    config_keys: dict = field(default_factory=dict)  # set in config.json as it was saved
    config_without: tuple[str, ...] = ()  # keys of config.json left out
    rename: tuple[tuple[str, str], ...] = ()  # replacements in tensor names of model.safetensors


# Grouped queries, and heads that are not hidden_size / heads wide.
WIDE = dict(
    vocab_size=71,
    hidden_size=36,
    intermediate_size=50,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    head_dim=10,
    max_position_embeddings=64,
)
SMALL = WIDE | dict(vocab_size=61, hidden_size=20, intermediate_size=27, head_dim=6)
ONE_LAYER = SMALL | dict(num_hidden_layers=1)
QWEN2_SMALL = {name: value for name, value in SMALL.items() if name != "head_dim"} | dict(hidden_size=24)
TIED = dict(tie_word_embeddings=True)
RIGHT, LEFT = (0, 2, 5), (0, -2, -5)
LINEAR = dict(rope_parameters=dict(rope_type="linear", factor=4.0, rope_theta=50.0))

# Two kinds of layers, each with a rope of its own; a scale that is not the head size's.
GEMMA3_SMALL = SMALL | dict(
    num_hidden_layers=3,
    layer_types=["sliding_attention", "full_attention", "sliding_attention"],
    sliding_window=4,
    query_pre_attn_scalar=11,
    rope_parameters=dict(
        full_attention=dict(rope_type="default", rope_theta=5000.0),
        sliding_attention=dict(rope_type="default", rope_theta=100.0),
    ),
)


def by_layer(full: dict, sliding: dict | None = None) -> dict:
    """`rope_parameters` of full and of sliding layers."""
    plain = dict(rope_type="default", rope_theta=100.0)
    return dict(rope_parameters=dict(full_attention=dict(rope_theta=500.0) | full, sliding_attention=sliding or plain))


NEOX_SMALL = dict(
    vocab_size=61,
    hidden_size=32,
    intermediate_size=45,
    num_hidden_layers=2,
    num_attention_heads=2,
    max_position_embeddings=64,
    rope_parameters=dict(rope_type="default", rope_theta=10000.0, partial_rotary_factor=0.25),
)
NEOX_ONE_LAYER = NEOX_SMALL | dict(num_hidden_layers=1)



def neox_yarn(head_size: int, part: float) -> dict:
    """A tiny GPT-NeoX whose heads turn by yarn over this part of them."""
    rope = dict(rope_type="yarn", factor=4.0, original_max_position_embeddings=32, rope_theta=500.0)
    return NEOX_SMALL | dict(hidden_size=2 * head_size, rope_parameters=rope | dict(partial_rotary_factor=part))


def both_spellings(family: str, head: str, config: dict, seed: int) -> "DecoderCase":
    """A config.json as version 5 saves it, to which somebody adds an older version's `rope_scaling`."""
    linear = dict(rope_type="linear", factor=4.0)
    part = dict(partial_rotary_factor=0.25) if head == NEOX else {}
    plain = dict(rope_type="default", rope_theta=50.0) | part
    config = config | dict(rope_parameters=linear | dict(rope_theta=10000.0) | part)
    keys = dict(rope_parameters=plain, rope_scaling=linear)
    return DecoderCase(f"{family}_both_spellings", head, config, (1, 9), seed=seed, config_keys=keys)


# Heads wide enough for a ramp whose ends lie between pairs.
GEMMA3_WIDE = GEMMA3_SMALL | dict(head_dim=16)
GEMMA3_PLAIN = by_layer(dict(rope_type="default", rope_theta=5000.0))
SHARP_YARN = dict(rope_type="yarn", factor=4.0, original_max_position_embeddings=32, beta_fast=4.0)


def beside_layers(config: dict, **settings) -> dict:
    """The config with settings of `rope_parameters` beside those of layers."""
    return dict(rope_parameters=config["rope_parameters"] | settings)


# For the rope scalings: lengths reach beyond 32 positions.
SCALED = SMALL | TIED | dict(hidden_size=16, num_attention_heads=2, num_key_value_heads=1, head_dim=16)
SCALED = SCALED | dict(max_position_embeddings=128)
SHORT = [1.0, 1.05, 1.1, 1.2, 1.3, 1.5, 1.75, 2.0]
LONG = [1.0, 1.5, 2.25, 3.5, 5.0, 8.5, 13.0, 21.0]
DYNAMIC = dict(rope_type="dynamic", factor=2.0)
YARN = dict(rope_type="yarn", factor=4.0, original_max_position_embeddings=32)
LONGROPE = dict(
    rope_type="longrope", short_factor=SHORT, long_factor=LONG, original_max_position_embeddings=32, factor=4.0
)
# What older versions did not write in config.json.
NEW_STYLE = ("rope_parameters",)
LLAMA3 = dict(
    rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=32
)


def scaled(name: str, scaling: dict, length: int, base: float = 500.0, **other) -> DecoderCase:
    """A tiny Llama with this rope scaling, in the new style: `rope_parameters`."""
    config = SCALED | other.pop("config", {}) | dict(rope_parameters=dict(rope_theta=base) | scaling)
    return DecoderCase(f"rope_{name}", LLAMA, config, (1, length), **other)


def old_style(scaling: dict, base: float) -> dict:
    """The config.json of an older version: `rope_scaling` with `type`, `rope_theta` beside it."""
    scaling = {"type" if name == "rope_type" else name: value for name, value in scaling.items()}
    return dict(rope_scaling=scaling, rope_theta=base)


DECODER_CASES = [
    # Llama: shapes, biases, ties.
    DecoderCase("llama", LLAMA, WIDE, (1, 7), seed=103),
    DecoderCase("llama_tied", LLAMA, SMALL | TIED, (2, 9), seed=203),
    DecoderCase("llama_tied_stored", LLAMA, SMALL | TIED, (1, 5), seed=308, tied_copies=True),
    DecoderCase("llama_biases", LLAMA, SMALL | dict(attention_bias=True, mlp_bias=True), (1, 9), seed=400),
    DecoderCase("llama_attention_bias", LLAMA, ONE_LAYER | dict(attention_bias=True), (1, 9), seed=500),
    DecoderCase(
        "llama_1_head", LLAMA, SMALL | dict(num_attention_heads=1, num_key_value_heads=1, head_dim=14), (1, 9), seed=603
    ),
    DecoderCase(
        "llama_3_heads",
        LLAMA,
        SMALL | dict(hidden_size=18, num_attention_heads=3, num_key_value_heads=3, head_dim=None),
        (1, 9),
        seed=700,
    ),
    DecoderCase(
        "llama_6_heads_1_key_head",
        LLAMA,
        SMALL | dict(hidden_size=18, num_attention_heads=6, num_key_value_heads=1, head_dim=2),
        (1, 9),
        seed=802,
    ),
    DecoderCase("llama_length_1", LLAMA, SMALL, (1, 1), seed=900),
    DecoderCase("llama_length_33", LLAMA, ONE_LAYER, (2, 33), seed=1041),
    DecoderCase(
        "llama_length_67",
        LLAMA,
        ONE_LAYER | dict(num_attention_heads=2, num_key_value_heads=1, max_position_embeddings=128),
        (1, 67),
        seed=1100,
    ),
    DecoderCase("llama_padded_right", LLAMA, SMALL, (3, 9), RIGHT, seed=1246),
    DecoderCase("llama_padded_left", LLAMA, SMALL, (3, 9), LEFT, seed=1300),
    # Activations, the epsilon of the norms, the base.
    DecoderCase("llama_gelu", LLAMA, ONE_LAYER | dict(hidden_act="gelu"), seed=1403),
    DecoderCase("llama_relu", LLAMA, ONE_LAYER | dict(hidden_act="relu"), seed=1506),
    DecoderCase("llama_gelu_pytorch_tanh", LLAMA, ONE_LAYER | dict(hidden_act="gelu_pytorch_tanh"), seed=1614),
    DecoderCase("llama_rms_norm_eps", LLAMA, ONE_LAYER | dict(rms_norm_eps=0.03), seed=1702),
    DecoderCase(
        "llama_base",
        LLAMA,
        SMALL | dict(rope_parameters=dict(rope_type="default", rope_theta=50.0)),
        seed=1803,
    ),
    # Ways of storing.
    DecoderCase("llama_bfloat16", LLAMA, SMALL, seed=1900, dtype="bfloat16"),
    DecoderCase("llama_float16", LLAMA, SMALL | TIED, seed=2011, dtype="float16"),
    DecoderCase(
        "llama_old_config",
        LLAMA,
        SMALL | dict(rope_parameters=dict(rope_type="default", rope_theta=50.0)),
        seed=2104,
        old_buffers=True,
        config_keys=dict(rope_scaling=None, rope_theta=50.0),
        config_without=(*NEW_STYLE, "dtype"),
    ),
    # Mistral: a window of keys, the token itself counted.
    DecoderCase("mistral", MISTRAL, SMALL | dict(sliding_window=None), (2, 9), seed=3019),
    DecoderCase("mistral_window", MISTRAL, SMALL | dict(sliding_window=5), (1, 13), seed=3102),
    DecoderCase("mistral_window_1", MISTRAL, ONE_LAYER | dict(sliding_window=1), (1, 7), seed=3200),
    DecoderCase("mistral_window_longer", MISTRAL, ONE_LAYER | dict(sliding_window=40), (1, 9), seed=3302),
    DecoderCase("mistral_window_padded_right", MISTRAL, SMALL | dict(sliding_window=4), (3, 11), RIGHT, seed=3412),
    DecoderCase("mistral_window_padded_left", MISTRAL, SMALL | dict(sliding_window=4), (3, 11), LEFT, seed=3632),
    # Qwen 2 and 3.
    DecoderCase("qwen2", QWEN2, QWEN2_SMALL, (2, 9), seed=4007),
    DecoderCase("qwen2_tied", QWEN2, QWEN2_SMALL | TIED | dict(head_dim=10), (3, 9), LEFT, seed=4102),
    DecoderCase(
        "qwen2_window",
        QWEN2,
        QWEN2_SMALL | dict(use_sliding_window=True, sliding_window=4, max_window_layers=1),
        (1, 13),
        seed=4204,
        config_without=("layer_types",),
    ),
    DecoderCase(
        "qwen2_layer_types",
        QWEN2,
        QWEN2_SMALL
        | dict(use_sliding_window=True, sliding_window=4, layer_types=["sliding_attention", "full_attention"]),
        (1, 13),
        seed=4301,
    ),
    DecoderCase(
        "qwen2_window_unused",
        QWEN2,
        QWEN2_SMALL | dict(use_sliding_window=False, sliding_window=4, max_window_layers=0),
        (1, 13),
        seed=4403,
        config_keys=dict(sliding_window=4),
        config_without=("layer_types",),
    ),
    DecoderCase("qwen3", QWEN3, SMALL, (2, 9), seed=4511),
    DecoderCase("qwen3_tied", QWEN3, SMALL | TIED, (3, 9), RIGHT, seed=4703),
    DecoderCase("qwen3_padded_left", QWEN3, SMALL | dict(attention_bias=True), (3, 9), LEFT, seed=4715),
    DecoderCase("qwen3_bfloat16", QWEN3, SMALL | dict(rms_norm_eps=1e-3), seed=4805, dtype="bfloat16"),
    # Gemma 3: sliding and full layers, each with a base.
    DecoderCase("gemma3", GEMMA3, GEMMA3_SMALL, (1, 13), seed=20015),
    DecoderCase("gemma3_padded_right", GEMMA3, GEMMA3_SMALL, (3, 11), RIGHT, seed=20137),
    DecoderCase("gemma3_padded_left", GEMMA3, GEMMA3_SMALL, (3, 11), LEFT, seed=20219),
    DecoderCase(
        "gemma3_untied",
        GEMMA3,
        GEMMA3_SMALL | dict(tie_word_embeddings=False, attention_bias=True, hidden_activation="silu", rms_norm_eps=1e-3),
        (1, 9),
        seed=20300,
    ),
    # The last of every two layers is a full one, and bases stand by themselves, as older versions wrote it.
    DecoderCase(
        "gemma3_old_config",
        GEMMA3,
        GEMMA3_SMALL | dict(layer_types=["sliding_attention", "full_attention", "sliding_attention"]),
        (1, 13),
        seed=20401,
        config_keys=dict(rope_theta=5000.0, rope_local_base_freq=100.0, sliding_window_pattern=2, rope_scaling=None),
        config_without=("rope_parameters", "layer_types"),
    ),
    # Only full layers are scaled.
    DecoderCase(
        "gemma3_linear",
        GEMMA3,
        GEMMA3_SMALL | by_layer(dict(rope_type="linear", factor=8.0)),
        (1, 13),
        seed=20500,
    ),
    DecoderCase(
        "gemma3_linear_old",
        GEMMA3,
        GEMMA3_SMALL | by_layer(dict(rope_type="linear", factor=4.0)),
        (1, 13),
        seed=20616,
        config_keys=dict(rope_theta=500.0, rope_local_base_freq=100.0, rope_scaling=dict(rope_type="linear", factor=4.0)),
        config_without=("rope_parameters",),
    ),
    DecoderCase("gemma3_bfloat16", GEMMA3, GEMMA3_SMALL, (1, 9), seed=20700, dtype="bfloat16"),
    # Six layers for one full one, and a text longer than a window and a tile.
    DecoderCase(
        "gemma3_length_41",
        GEMMA3,
        GEMMA3_SMALL | dict(num_hidden_layers=6, layer_types=None, sliding_window=9, max_position_embeddings=128),
        (1, 41),
        seed=20801,
    ),
    # GPT-NeoX: a part of each head is rotated.
    DecoderCase("gpt_neox", NEOX, NEOX_SMALL, (2, 7), seed=5013),
    DecoderCase("gpt_neox_sequential", NEOX, NEOX_SMALL | dict(use_parallel_residual=False), (1, 9), seed=5105),
    DecoderCase("gpt_neox_relu", NEOX, NEOX_ONE_LAYER | dict(hidden_act="relu"), seed=5202),
    DecoderCase("gpt_neox_gelu_new", NEOX, NEOX_ONE_LAYER | dict(hidden_act="gelu_new"), seed=5302),
    DecoderCase("gpt_neox_without_bias", NEOX, NEOX_ONE_LAYER | dict(attention_bias=False), seed=5403),
    DecoderCase(
        "gpt_neox_padded_left",
        NEOX,
        NEOX_ONE_LAYER | dict(num_attention_heads=4),
        (3, 9),
        LEFT,
        seed=5505,
    ),
    DecoderCase(
        "gpt_neox_padded_right",
        NEOX,
        NEOX_ONE_LAYER
        | dict(
            hidden_size=30,
            num_attention_heads=3,
            rope_parameters=dict(rope_type="default", rope_theta=500.0, partial_rotary_factor=1.0),
        ),
        (3, 9),
        RIGHT,
        seed=5769,
    ),
    # As Pythia's folders have it: rotary_pct, rotary_emb_base, masks and frequencies stored, 16 bits.
    DecoderCase(
        "gpt_neox_old_config",
        NEOX,
        NEOX_SMALL | dict(rope_parameters=dict(rope_type="default", rope_theta=500.0, partial_rotary_factor=0.5)),
        seed=5701,
        dtype="float16",
        old_buffers=True,
        config_keys=dict(rotary_pct=0.5, rotary_emb_base=500),
        config_without=(*NEW_STYLE, "attention_bias"),
    ),
    DecoderCase(
        "gpt_neox_linear",
        NEOX,
        NEOX_ONE_LAYER
        | dict(rope_parameters=dict(rope_type="linear", factor=4.0, rope_theta=500.0, partial_rotary_factor=0.5)),
        seed=5807,
    ),
    DecoderCase("gpt_neox_tied", NEOX, NEOX_ONE_LAYER | TIED, seed=5902),
    # Yarn over an odd number of dimensions: one does not turn, three share the first pair's place on the ramp.
    DecoderCase("gpt_neox_yarn_1_dimension", NEOX, neox_yarn(4, 0.25), (1, 9), seed=21002),
    DecoderCase("gpt_neox_yarn_3_dimensions", NEOX, neox_yarn(12, 0.25), (1, 9), seed=21100),
    # `rope_scaling` beside `rope_parameters`: it is the one that counts, and the other's base is lost.
    both_spellings("llama", LLAMA, SMALL, seed=21202),
    both_spellings("mistral", MISTRAL, SMALL | dict(sliding_window=None), seed=21301),
    both_spellings("qwen2", QWEN2, QWEN2_SMALL, seed=21401),
    both_spellings("qwen3", QWEN3, SMALL, seed=21501),
    both_spellings("gpt_neox", NEOX, NEOX_SMALL, seed=21600),
    # An empty object is as good as none, under either name.
    DecoderCase(
        "llama_empty_rope_parameters",
        LLAMA,
        SMALL | LINEAR,
        (1, 9),
        seed=21708,
        config_keys=dict(rope_parameters={}, rope_scaling=dict(rope_type="linear", factor=4.0), rope_theta=50.0),
    ),
    DecoderCase(
        "llama_empty_rope_scaling",
        LLAMA,
        SMALL | LINEAR,
        (1, 9),
        seed=21800,
        config_keys=dict(rope_scaling={}),
    ),
    # Gemma 3's `rope_scaling` is put over the full layers' own settings, key by key.
    DecoderCase(
        "gemma3_both_spellings",
        GEMMA3,
        GEMMA3_SMALL | by_layer(dict(rope_type="linear", factor=4.0, rope_theta=5000.0)),
        (1, 13),
        seed=21918,
        config_keys=GEMMA3_PLAIN | dict(rope_scaling=dict(rope_type="linear", factor=4.0)),
    ),
    # So `rope_type` is there already, and `type` is not read.
    DecoderCase(
        "gemma3_type_unread",
        GEMMA3,
        GEMMA3_SMALL,
        (1, 13),
        seed=22002,
        config_keys=dict(rope_theta=5000.0, rope_local_base_freq=100.0, rope_scaling=dict(type="linear", factor=4.0)),
        config_without=NEW_STYLE,
    ),
    # `truncate` of ropes by layer type is read from the object around them.
    DecoderCase(
        "gemma3_truncate_inside",
        GEMMA3,
        GEMMA3_WIDE | by_layer(SHARP_YARN),
        (1, 13),
        seed=22106,
        config_keys=by_layer(SHARP_YARN | dict(truncate=False)),
    ),
    DecoderCase(
        "gemma3_truncate_outside",
        GEMMA3,
        GEMMA3_WIDE | beside_layers(by_layer(SHARP_YARN), truncate=False),
        (1, 13),
        seed=22214,
    ),
    # A default rope turns whole heads, whatever `partial_rotary_factor` says, but for GPT-NeoX.
    DecoderCase("llama_partial", LLAMA, SMALL, (1, 9), seed=22301, config_keys=dict(partial_rotary_factor=0.5)),
    DecoderCase(
        "qwen2_partial",
        QWEN2,
        QWEN2_SMALL
        | dict(rope_parameters=dict(rope_type="default", rope_theta=50.0, partial_rotary_factor=0.5)),
        (1, 9),
        seed=22402,
    ),
    DecoderCase(
        "gemma3_partial",
        GEMMA3,
        GEMMA3_SMALL | by_layer(dict(rope_type="default", rope_theta=5000.0, partial_rotary_factor=0.5)),
        (1, 13),
        seed=22504,
        config_keys=dict(partial_rotary_factor=0.25),
    ),
    # RoFormer as a decoder: greedy continuation.
    DecoderCase("roformer", ROFORMER, DECODER | dict(vocab_size=61, hidden_size=24), (1, 9), seed=6014),
    DecoderCase(
        "roformer_rotary_value",
        ROFORMER,
        DECODER | dict(vocab_size=61, rotary_value=True, num_hidden_layers=1),
        (1, 9),
        seed=6101,
    ),
    DecoderCase(
        "roformer_padded_left", ROFORMER, DECODER | dict(vocab_size=61, num_hidden_layers=1), (3, 9), LEFT, seed=6238
    ),
    # Rope scalings, on a tiny Llama.
    scaled("linear", dict(rope_type="linear", factor=4.0), 20, seed=7004),
    scaled(
        "linear_old",
        dict(rope_type="linear", factor=2.5),
        20,
        seed=7105,
        config_without=NEW_STYLE,
        config_keys=old_style(dict(rope_type="linear", factor=2.5), 500.0),
    ),
    scaled("dynamic_below", DYNAMIC, 5, seed=7208, config=dict(max_position_embeddings=32)),
    scaled("dynamic_across", DYNAMIC, 20, seed=7305, config=dict(max_position_embeddings=32)),
    scaled("dynamic_beyond", DYNAMIC, 40, seed=7400, config=dict(max_position_embeddings=32)),
    scaled(
        "dynamic_old",
        dict(rope_type="dynamic", factor=3.5),
        25,
        seed=7502,
        config=dict(max_position_embeddings=32),
        config_without=NEW_STYLE,
        config_keys=old_style(dict(rope_type="dynamic", factor=3.5), 500.0),
    ),
    # All of the batch is padded in front: the border is crossed by the largest position, not by the length.
    scaled(
        "dynamic_padded_left",
        DYNAMIC | dict(factor=16.0),
        27,
        seed=7552,
        padding=(-9,),
        config=dict(max_position_embeddings=32),
    ),
    scaled("yarn", YARN, 40, seed=7600),
    scaled("yarn_mscale", YARN | dict(mscale=1.0, mscale_all_dim=0.4), 20, seed=7703),
    scaled("yarn_attention_factor", YARN | dict(attention_factor=0.75), 20, seed=7814),
    scaled("yarn_betas", YARN | dict(beta_fast=4.0, beta_slow=0.5), 20, base=10000.0, seed=7905),
    scaled("yarn_not_truncated", YARN | dict(beta_fast=4.0, truncate=False), 20, seed=8003),
    scaled(
        "yarn_old",
        YARN | dict(factor=2.0),
        20,
        seed=8102,
        config_without=NEW_STYLE,
        config_keys=old_style(YARN | dict(factor=2.0), 500.0),
    ),
    scaled("longrope_below", LONGROPE, 8, seed=8210),
    scaled("longrope_across", LONGROPE, 20, seed=8300),
    scaled("longrope_beyond", LONGROPE, 40, seed=8402),
    scaled("longrope_padded_left", LONGROPE, 27, seed=8451, padding=(-9,)),
    scaled("longrope_attention_factor", LONGROPE | dict(attention_factor=1.25), 20, seed=8507),
    # No factor: the quotient of the lengths; original_max_position_embeddings beside rope_scaling, as Phi-3 has it.
    scaled(
        "longrope_old",
        dict(rope_type="longrope", short_factor=SHORT, long_factor=LONG, original_max_position_embeddings=32),
        40,
        seed=8604,
        config=dict(max_position_embeddings=96),
        config_without=NEW_STYLE,
        config_keys=old_style(dict(rope_type="longrope", short_factor=SHORT, long_factor=LONG), 500.0)
        | dict(original_max_position_embeddings=32),
    ),
    scaled("llama3", LLAMA3, 20, base=10000.0, seed=8706),
    scaled("llama3_beyond", LLAMA3 | dict(factor=2.0, low_freq_factor=1.5), 40, seed=8801),
    scaled("proportional", dict(rope_type="proportional", partial_rotary_factor=0.5), 20, seed=8906),
    scaled(
        "proportional_factor", dict(rope_type="proportional", partial_rotary_factor=0.75, factor=2.0), 20, seed=9002
    ),
]
