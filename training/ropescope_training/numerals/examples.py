"""Numbers and dates to write out: drawing them, and which are held out."""

import datetime
from dataclasses import dataclass
from random import Random

from ropescope_training.batches import GOLDEN
from ropescope_training.numerals import english, hungarian, korean
from ropescope_training.numerals.parts import Part

LANGUAGES = {"en": english, "hu": hungarian, "ko": korean}
MOST_DIGITS = 9
FIRST_YEAR, LAST_YEAR = 1100, 2099
# One in so many numbers and dates is held out.
HELD_OUT_OF = 16
# Numbers to this one are all trained on: their words have no pattern.
ALWAYS_TRAINED = 20
DATE_SHARE = 0.25
FIRST_DAY, LAST_DAY = (
    datetime.date(year, month, day).toordinal() for year, month, day in ((FIRST_YEAR, 1, 1), (LAST_YEAR, 12, 31))
)


@dataclass(frozen=True)
class Example:
    """A number as its digits, or a date as YYYY-MM-DD, to be written out in a language."""

    language: str
    source: str

    @property
    def is_date(self) -> bool:
        return "-" in self.source

    @property
    def text(self) -> str:
        """The source with the token that chooses the language."""
        return language_token(self.language) + self.source

    def parts(self) -> list[Part]:
        writer = LANGUAGES[self.language]
        if self.is_date:
            return writer.date(*map(int, self.source.split("-")))
        return writer.number(int(self.source))

    def written(self) -> str:
        return "".join(part.text for part in self.parts())


def language_token(language: str) -> str:
    return f">>{language}<<"


def is_held_out(source: str) -> bool:
    """Never trained on, in no language. Small numbers and the tens are all trained on."""
    if "-" in source:
        value = datetime.date.fromisoformat(source).toordinal()
    else:
        value = int(source)
        if value <= ALWAYS_TRAINED or (value < 100 and value % 10 == 0):
            return False
    return (value * GOLDEN % 2**64) * HELD_OUT_OF >> 64 == 0


def draw_number(random: Random, digits: int) -> str:
    """A number of so many digits; in every second one, zeros are as frequent as all else together."""
    zeros = 0.5 if random.random() < 0.5 else 0.0
    first = random.choice("123456789" if digits > 1 else "0123456789")
    rest = ("0" if random.random() < zeros else random.choice("0123456789") for _ in range(digits - 1))
    return first + "".join(rest)


def draw_date(random: Random) -> str:
    return datetime.date.fromordinal(random.randint(FIRST_DAY, LAST_DAY)).isoformat()


def draw(random: Random, language: str, digits: int | None, held_out: bool) -> Example:
    """An example of that side of the split; `digits` None for a date."""
    while True:
        source = draw_date(random) if digits is None else draw_number(random, digits)
        if is_held_out(source) == held_out:
            return Example(language, source)


def draw_any(random: Random, held_out: bool) -> Example:
    """Languages alike; dates, and numbers, the longer the more frequent."""
    language = random.choice(tuple(LANGUAGES))
    if random.random() < DATE_SHARE:
        return draw(random, language, None, held_out)
    # One digit cannot be held out.
    sizes = range(2 if held_out else 1, MOST_DIGITS + 1)
    return draw(random, language, random.choices(sizes, weights=sizes)[0], held_out)
