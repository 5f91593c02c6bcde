"""The golden cases of readers: models that write nothing on, namely encoders, and decoders without a head.

Sizes are tiny and odd on purpose, as in cases.py.
"""

from decoder_cases import (
    GEMMA3_SMALL,
    LEFT,
    NEOX_SMALL,
    QWEN2_SMALL,
    RIGHT,
    SMALL,
    TIED,
    DecoderCase,
    by_layer,
)

MODERNBERT = dict(
    vocab_size=71,
    hidden_size=30,
    intermediate_size=37,
    num_hidden_layers=4,
    num_attention_heads=3,
    local_attention=6,
    max_position_embeddings=128,
    pad_token_id=0,
    bos_token_id=1,
    cls_token_id=1,
    eos_token_id=2,
    sep_token_id=2,
) | by_layer(dict(rope_type="default", rope_theta=5000.0))
PLAIN = dict(rope_parameters=MODERNBERT["rope_parameters"])
MASKED, CLASSES = "ModernBertForMaskedLM", dict(num_labels=3)

ESM = dict(
    vocab_size=33,
    hidden_size=24,
    intermediate_size=37,
    num_hidden_layers=3,
    num_attention_heads=4,
    max_position_embeddings=128,
    position_embedding_type="rotary",
    token_dropout=True,
    mask_token_id=32,
    pad_token_id=1,
    layer_norm_eps=1e-5,
    hidden_dropout_prob=0.0,
    attention_probs_dropout_prob=0.0,
    rope_theta=500.0,
)
ESM_MASKED = "EsmForMaskedLM"
# Where older versions had θ once a layer.
OF_LAYER = (("encoder.layer.*.attention", "encoder.layer.0.attention"),)


def modernbert(name: str, head: str = MASKED, shape: tuple[int, int] = (2, 13), **other) -> DecoderCase:
    config = MODERNBERT | other.pop("config", {})
    return DecoderCase(f"modernbert{name}", head, config, shape, **other)


def esm(name: str, head: str = ESM_MASKED, shape: tuple[int, int] = (2, 13), **other) -> DecoderCase:
    config = ESM | other.pop("config", {})
    return DecoderCase(f"esm{name}", head, config, shape, **other)


READER_CASES = [
    # ModernBERT: windows on either side, two bases.
    modernbert("", seed=1),
    modernbert("_padded_right", shape=(3, 11), padding=RIGHT, seed=2),
    modernbert("_padded_left", shape=(3, 11), padding=LEFT, seed=3),
    modernbert("_length_1", shape=(1, 1), seed=4),
    modernbert("_length_67", shape=(1, 67), config=dict(local_attention=33), seed=5),
    # An odd window; one that holds the query alone.
    modernbert("_window_7", shape=(1, 19), config=dict(local_attention=7), seed=6),
    modernbert("_window_1", shape=(1, 9), config=dict(local_attention=1), seed=7),
    modernbert(
        "_biases",
        config=dict(norm_bias=True, attention_bias=True, mlp_bias=True, classifier_bias=True, decoder_bias=False),
        seed=8,
    ),
    modernbert("_untied", config=dict(tie_word_embeddings=False), seed=9),
    modernbert(
        "_old_config",
        config=dict(layer_types=["full_attention", "sliding_attention"] * 2),
        config_keys=dict(global_rope_theta=5000.0, local_rope_theta=100.0, global_attn_every_n_layers=2),
        config_without=("rope_parameters", "layer_types"),
        seed=10,
    ),
    modernbert(
        "_layer_types",
        config=dict(layer_types=["sliding_attention", "sliding_attention", "full_attention", "sliding_attention"]),
        seed=11,
    ),
    modernbert(
        "_yarn",
        config=by_layer(dict(rope_type="yarn", factor=4.0, original_max_position_embeddings=32)),
        seed=12,
    ),
    # `rope_scaling` is put over the settings of both kinds of layers, key by key.
    modernbert(
        "_both_spellings",
        config=by_layer(
            dict(rope_type="linear", factor=4.0, rope_theta=5000.0),
            dict(rope_type="linear", factor=4.0, rope_theta=100.0),
        ),
        config_keys=PLAIN | dict(rope_scaling=dict(rope_type="linear", factor=4.0)),
        seed=19,
    ),
    # Hugging Face reads `truncate` beside the layer types and `original_max_position_embeddings` under them: neither counts here.
    modernbert(
        "_yarn_truncate",
        config=by_layer(
            dict(rope_type="yarn", factor=4.0, original_max_position_embeddings=32, truncate=False),
        ),
        config_keys=dict(original_max_position_embeddings=16),
        seed=20,
    ),
    # Part of a head turns in proportional ropes only.
    modernbert(
        "_partial",
        config=by_layer(
            dict(rope_type="proportional", rope_theta=5000.0),
            dict(rope_type="default", rope_theta=100.0, partial_rotary_factor=0.4),
        ),
        config_keys=dict(partial_rotary_factor=0.6),
        seed=21,
    ),
    modernbert(
        "_activations", config=dict(hidden_activation="silu", classifier_activation="relu", norm_eps=0.03), seed=13
    ),
    modernbert("_bfloat16", seed=14, dtype="bfloat16"),
    modernbert("_model", "ModernBertModel", (2, 9), seed=15),
    modernbert("_sequence", "ModernBertForSequenceClassification", config=CLASSES, padding=(0, 3), seed=16),
    modernbert("_tokens", "ModernBertForTokenClassification", config=CLASSES, seed=17),
    modernbert("_answer", "ModernBertForQuestionAnswering", seed=18),
    # ESM: embeddings that make up for masks; contacts.
    esm("", masks=(3, 7), seed=30),
    esm("_without_masks", shape=(1, 9), seed=31),
    esm("_padded_right", shape=(3, 11), padding=RIGHT, masks=(2, 4), seed=32),
    esm("_padded_left", shape=(3, 11), padding=LEFT, masks=(6, 7, 9), seed=33),
    esm("_without_dropout", config=dict(token_dropout=False), padding=(0, 2), masks=(3,), seed=34),
    esm("_norm_before", config=dict(emb_layer_norm_before=True), padding=(0, 2), masks=(3,), seed=35),
    esm("_untied", config=dict(tie_word_embeddings=False), masks=(3,), seed=36),
    esm("_model", "EsmModel", (2, 9), masks=(4,), seed=37),
    esm("_length_3", shape=(1, 3), seed=38),
    esm("_length_67", shape=(1, 67), config=dict(num_attention_heads=3, num_hidden_layers=2), masks=(5, 40), seed=39),
    # θ rounded as the file rounds it, under today's name and under an older one.
    esm("_float16", seed=40, dtype="float16", masks=(3,)),
    esm("_theta_of_layer", seed=40, dtype="float16", masks=(3,), rename=OF_LAYER),
    # Decoders without a head.
    DecoderCase("llama_model", "LlamaModel", SMALL, (2, 9), (0, 2), seed=50),
    DecoderCase("mistral_model", "MistralModel", SMALL | dict(sliding_window=4), (2, 9), (0, -2), seed=51),
    DecoderCase("qwen2_model", "Qwen2Model", QWEN2_SMALL | TIED, (2, 9), seed=52),
    DecoderCase("qwen3_model", "Qwen3Model", SMALL, (2, 9), seed=53),
    DecoderCase("gpt_neox_model", "GPTNeoXModel", NEOX_SMALL, (2, 9), seed=54),
    DecoderCase("gemma3_model", "Gemma3TextModel", GEMMA3_SMALL, (2, 13), (0, 3), seed=55),
    # Windows on either side, half as wide, and the token itself.
    DecoderCase(
        "gemma3_bidirectional",
        "Gemma3TextModel",
        GEMMA3_SMALL | dict(use_bidirectional_attention=True, sliding_window=7),
        (2, 13),
        (0, 3),
        seed=56,
    ),
    DecoderCase(
        "gemma3_bidirectional_window_0",
        "Gemma3TextModel",
        GEMMA3_SMALL | dict(use_bidirectional_attention=True, sliding_window=0),
        (2, 13),
        (0, 3),
        seed=57,
    ),
]
