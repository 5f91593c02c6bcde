"""The golden cases: one configuration, one batch and one way of storing the weights each.

Sizes stay tiny so that every file can be committed; they are odd on purpose (head sizes of 2, 6 and 10, an
intermediate size of 37, lengths of 1, 7, 33 and 67), so that no tile or vector width of a kernel divides them.
"""

from dataclasses import dataclass, field

# The seeded model every other case is a variation of.
BASE = dict(
    vocab_size=97,
    embedding_size=24,
    hidden_size=32,
    num_hidden_layers=2,
    num_attention_heads=4,
    intermediate_size=48,
    max_position_embeddings=64,
    type_vocab_size=2,
    hidden_dropout_prob=0.0,
    attention_probs_dropout_prob=0.0,
)

ONE_LAYER = BASE | dict(num_hidden_layers=1)

# The configuration of Hugging Face's own RoFormer tests.
TINY = BASE | dict(
    vocab_size=99,
    embedding_size=32,
    num_hidden_layers=5,
    intermediate_size=37,
    max_position_embeddings=512,
    type_vocab_size=16,
)

# Two rows, padded to the right by one and by two; segments change inside a row.
PADDED_BATCH = dict(
    input_ids=[[2, 5, 11, 4, 17, 23, 3, 0], [2, 31, 7, 7, 60, 3, 0, 0]],
    attention_mask=[[1, 1, 1, 1, 1, 1, 1, 0], [1, 1, 1, 1, 1, 1, 0, 0]],
    token_type_ids=[[0, 0, 0, 1, 1, 1, 1, 0], [0, 0, 0, 0, 1, 1, 0, 0]],
)

CAUSAL_IDS = [[2, 5, 11, 4, 17, 23, 3, 9]]


@dataclass(frozen=True)
class Case:
    """One folder of golden files.

    `inputs` is either the batch itself or a (batch, length) pair, for which ids, segments and right padding of
    different amounts are drawn from the case's seed.
    """

    name: str
    head: str
    config: dict
    inputs: dict | tuple[int, int] = field(default_factory=lambda: PADDED_BATCH)
    seed: int = 0
    scale: float = 0.25  # of the weights' normal draw
    dtype: str = "float32"  # of the tensors in model.safetensors
    drop: tuple[str, ...] = ()  # endings of tensor names left out of model.safetensors
    rename: tuple[tuple[str, str], ...] = ()  # replacements in tensor names of model.safetensors
    tied_copies: bool = False  # also store the decoder's tied tensors
    architecture: str | None = None  # class named in config.json; None: `head`


def unpadded(ids: list[list[int]]) -> dict:
    """A batch without padding and with a single segment."""
    ones = [[1] * len(row) for row in ids]
    return dict(input_ids=ids, attention_mask=ones, token_type_ids=[[0] * len(row) for row in ids])


ROW_MASKED = PADDED_BATCH | dict(attention_mask=[[1, 1, 1, 1, 1, 1, 1, 0], [0] * 8])
PADDED_LEFT = dict(
    input_ids=[[2, 5, 11, 4, 17, 3, 0, 0], [0, 0, 0, 2, 31, 7, 60, 3]],
    attention_mask=[[1, 1, 1, 1, 1, 1, 0, 0], [0, 0, 0, 1, 1, 1, 1, 1]],
    token_type_ids=[[0] * 8, [0] * 8],
)
MODEL, MASKED, CAUSAL = "RoFormerModel", "RoFormerForMaskedLM", "RoFormerForCausalLM"
SEQUENCE, TOKEN, QUESTION = (
    "RoFormerForSequenceClassification",
    "RoFormerForTokenClassification",
    "RoFormerForQuestionAnswering",
)
DECODER = BASE | dict(is_decoder=True)
TABLE = ("embed_positions.weight",)

CASES = [
    # Attention and embedding shapes.
    Case("masked_lm", MASKED, BASE),
    Case("masked_lm_rotary_value", MASKED, BASE | dict(rotary_value=True)),
    Case("masked_lm_not_factorised", MASKED, ONE_LAYER | dict(embedding_size=32), seed=1),
    Case("masked_lm_wide_embedding", MASKED, ONE_LAYER | dict(embedding_size=41), seed=2),
    Case("masked_lm_1_head", MASKED, ONE_LAYER | dict(num_attention_heads=1), seed=3),
    Case("masked_lm_3_heads", MASKED, BASE | dict(hidden_size=18, embedding_size=18, num_attention_heads=3), seed=4),
    Case("masked_lm_5_heads", MASKED, ONE_LAYER | dict(hidden_size=50, num_attention_heads=5), (2, 9), seed=5),
    Case("masked_lm_head_size_2", MASKED, ONE_LAYER | dict(hidden_size=10, num_attention_heads=5), (2, 5), seed=6),
    Case("masked_lm_one_layer", MASKED, ONE_LAYER | dict(intermediate_size=7), (1, 3), seed=7),
    Case("masked_lm_length_1", MASKED, BASE, unpadded([[42]]), seed=8),
    Case("masked_lm_length_33", MASKED, ONE_LAYER, (2, 33), seed=9),
    Case(
        "masked_lm_length_67",
        MASKED,
        ONE_LAYER | dict(max_position_embeddings=67, num_attention_heads=2),
        (1, 67),
        seed=10,
    ),
    # Hugging Face's tiny configuration, with each head.
    Case("tiny_model", MODEL, TINY, (3, 7), seed=20),
    Case("tiny_masked_lm", MASKED, TINY | dict(num_hidden_layers=2), (3, 7), seed=21),
    Case("tiny_causal_lm", CAUSAL, TINY | dict(num_hidden_layers=2, is_decoder=True), (3, 7), seed=22),
    Case("tiny_sequence_classification", SEQUENCE, TINY | dict(num_hidden_layers=2, num_labels=3), (3, 7), seed=23),
    Case("tiny_token_classification", TOKEN, TINY | dict(num_hidden_layers=2, num_labels=3), (3, 7), seed=24),
    Case("tiny_question_answering", QUESTION, TINY | dict(num_hidden_layers=2), (3, 7), seed=25),
    # Masks.
    Case("causal_lm", CAUSAL, DECODER, unpadded(CAUSAL_IDS)),
    Case("causal_lm_padded", CAUSAL, DECODER, PADDED_LEFT),
    Case("causal_lm_rotary_value", CAUSAL, DECODER | dict(rotary_value=True, num_hidden_layers=1), (2, 33), seed=30),
    Case("causal_lm_bidirectional", CAUSAL, ONE_LAYER, seed=31),
    Case("masked_lm_row_masked", MASKED, ONE_LAYER, ROW_MASKED),
    Case("causal_lm_row_masked", CAUSAL, DECODER | dict(num_hidden_layers=1), ROW_MASKED),
    # Activations and the epsilon of LayerNorm.
    Case("relu", MASKED, ONE_LAYER | dict(hidden_act="relu"), seed=40),
    Case("silu", MASKED, ONE_LAYER | dict(hidden_act="silu"), seed=41),
    Case("sequence_classification_silu", SEQUENCE, ONE_LAYER | dict(hidden_act="silu", num_labels=5), seed=42),
    Case("layer_norm_eps", MASKED, ONE_LAYER | dict(layer_norm_eps=0.03), seed=43),
    # Ways of storing the same weights. Reading a 16-bit file, Hugging Face rotates by the table stored in it
    # (rounded to 16 bits), and by an exact one when the file has none.
    Case("float16", MASKED, ONE_LAYER, seed=50, dtype="float16", drop=TABLE),
    Case("bfloat16", MASKED, ONE_LAYER, seed=51, dtype="bfloat16", drop=TABLE),
    Case("float16_table", MASKED, ONE_LAYER, seed=50, dtype="float16"),
    Case("bfloat16_table", MASKED, ONE_LAYER, seed=51, dtype="bfloat16"),
    Case("without_table", MASKED, BASE, drop=TABLE),
    Case(
        "gamma_beta",
        MASKED,
        BASE,
        rename=(("LayerNorm.weight", "LayerNorm.gamma"), ("LayerNorm.bias", "LayerNorm.beta")),
    ),
    Case("bare_names", MASKED, BASE, rename=(("roformer.", ""),)),
    Case("prefixed_names", MASKED, ONE_LAYER, architecture=MODEL),
    Case("decoder_stored", MASKED, BASE, tied_copies=True),
    Case("decoder_untied", MASKED, ONE_LAYER | dict(tie_word_embeddings=False), seed=52),
]
