"""The golden cases of the encoder–decoders: one configuration, one batch, one way of storing the weights and of writing each."""

from dataclasses import dataclass, field

MARIAN, BART, PEGASUS = "MarianMTModel", "BartForConditionalGeneration", "PegasusForConditionalGeneration"
# Ids of every case: what pads, what ends, and the first id that is a word.
PAD, END, WORDS = 0, 1, 4


@dataclass(frozen=True)
class PairCase:
    """One folder of golden files.

    `padding` counts the masked tokens at the end of each source, `text_padding` those of each text.
    """

    name: str
    head: str
    config: dict
    generation: dict = field(default_factory=dict)  # of generation_config.json
    shape: tuple[int, int] = (3, 7)  # rows and length of the sources
    padding: tuple[int, ...] = (0, 2, 4)
    text_length: int = 6
    text_padding: tuple[int, ...] = ()
    seed: int = 0
    steps: int = 400  # of training
    dtype: str = "float32"  # of the tensors in model.safetensors
    stored_positions: bool = False  # also store the sinusoids, as older versions did
    without: tuple[str, ...] = ()  # tensors left out of the file that today's classes write
    own_generation_config: bool = True  # else its settings stand in config.json, as in older models


SMALL = dict(
    vocab_size=29,
    d_model=16,
    encoder_layers=2,
    decoder_layers=2,
    encoder_attention_heads=2,
    decoder_attention_heads=2,
    encoder_ffn_dim=24,
    decoder_ffn_dim=24,
    max_position_embeddings=48,
    pad_token_id=PAD,
    eos_token_id=END,
    decoder_start_token_id=PAD,
    forced_eos_token_id=END,
    dropout=0.0,
)
PLAIN = dict(max_length=16, num_beams=4, bad_words_ids=[[PAD]])
SEARCH = PLAIN | dict(length_penalty=0.6, early_stopping=True)

PAIR_CASES = [
    PairCase("marian", MARIAN, SMALL | dict(activation_function="swish", scale_embedding=True), PLAIN),
    PairCase(
        "marian_two_vocabularies",
        MARIAN,
        SMALL
        | dict(share_encoder_decoder_embeddings=False, vocab_size=37, decoder_vocab_size=29)
        | dict(encoder_layers=1, encoder_attention_heads=4, encoder_ffn_dim=20),
        PLAIN | dict(length_penalty=2.0, num_beams=3),
        seed=1,
    ),
    PairCase("marian_untied", MARIAN, SMALL | dict(tie_word_embeddings=False), SEARCH, seed=2),
    # Shared by name, but not tied: the decoder reads more words than the output writes.
    PairCase(
        "marian_wider_decoder",
        MARIAN,
        SMALL | dict(tie_word_embeddings=False, decoder_vocab_size=37, encoder_layers=1, decoder_layers=1),
        PLAIN,
        seed=8,
    ),
    PairCase(
        "marian_stored_positions",
        MARIAN,
        SMALL | dict(activation_function="relu", encoder_layers=1, decoder_layers=1),
        PLAIN | dict(bad_words_ids=[[PAD], [6], [5, 8]]),
        seed=3,
        dtype="float16",
        stored_positions=True,
        without=("final_logits_bias",),
        own_generation_config=False,
    ),
    PairCase(
        "bart",
        BART,
        SMALL | dict(d_model=21, encoder_attention_heads=3, decoder_attention_heads=3, encoder_layers=1),
        SEARCH | dict(forced_bos_token_id=3, no_repeat_ngram_size=2, length_penalty=1.0),
        text_padding=(0, 1, 3),
        seed=4,
    ),
    PairCase("bart_untied", BART, SMALL | dict(tie_word_embeddings=False, decoder_layers=1), PLAIN, (2, 5), (0, 1), seed=5),
    PairCase(
        "pegasus",
        PEGASUS,
        SMALL | dict(activation_function="relu", scale_embedding=True),
        PLAIN | dict(early_stopping="never", length_penalty=0.8, num_beams=8, min_length=6),
        seed=7,
    ),
    # More tokens than a tile of the shaders has rows.
    PairCase(
        "pegasus_long",
        PEGASUS,
        SMALL | dict(encoder_layers=1, decoder_layers=1),
        PLAIN | dict(num_beams=2, max_length=20),
        (2, 37),
        (0, 3),
        text_length=35,
        seed=7,
    ),
]
