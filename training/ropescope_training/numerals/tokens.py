"""The tokenizer of numbers and their written forms: a digit is a token, and so is each part of a written form.

A Unigram model whose pieces all cost alike, so that a text falls into as few of them as it can: the very parts.
Spaces become "▁" and stay with the part that follows.
"""

from collections.abc import Iterator
from functools import cache

from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from ropescope_training.numerals.examples import FIRST_YEAR, LANGUAGES, LAST_YEAR, Example, language_token

END, UNKNOWN, PAD = "</s>", "<unk>", "<pad>"
SPACE = "▁"


def every_form() -> Iterator[str]:
    """Sources in whose written forms every part occurs, with and without a space before it."""
    groups = [*range(1000), *range(0, 10_000, 10)]
    for group in groups[:1000]:
        yield from map(str, (group, group * 1000, group * 1_001_001))
    for group in groups:
        yield from map(str, (group * 10_000, group * 10_001, 100_000_000 + group, 100_000_000 + group * 10_000))
    for year in range(FIRST_YEAR, LAST_YEAR + 1):
        yield f"{year}-01-01"
    for month in range(1, 13):
        for day in range(1, 29 if month == 2 else 31):
            yield f"2000-{month:02}-{day:02}"
    yield "2000-01-31"


@cache
def pieces() -> tuple[str, ...]:
    """Every token but the special ones: digits, the hyphen, then the parts of each language."""
    found = dict.fromkeys([*"0123456789", "-"])
    for language in LANGUAGES:
        forms = (part.text for source in every_form() for part in Example(language, source).parts())
        found |= dict.fromkeys(sorted({text.replace(" ", SPACE) for text in forms} - found.keys()))
    return tuple(found)


def build() -> Tokenizer:
    """Ids as Marian has them: the end first, padding last."""
    chosen = [language_token(language) for language in LANGUAGES]
    ordered = [END, UNKNOWN, *chosen, *pieces(), PAD]
    tokenizer = Tokenizer(models.Unigram([(piece, -1.0) for piece in ordered], unk_id=1, byte_fallback=False))
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(SPACE, prepend_scheme="never", split=False)
    tokenizer.decoder = decoders.Metaspace(SPACE, prepend_scheme="never")
    tokenizer.post_processor = processors.TemplateProcessing(f"$A {END}", special_tokens=[(END, 0)])
    # A space typed after the token that chooses the language is no part of the number.
    tokenizer.add_special_tokens([AddedToken(token, rstrip=True, normalized=False) for token in chosen])
    tokenizer.add_special_tokens([AddedToken(token, normalized=False) for token in (END, UNKNOWN, PAD)])
    return tokenizer
