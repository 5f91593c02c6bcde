"""A written form as parts: number words, words for places, and marks."""

from dataclasses import dataclass, replace

DIGIT = "digit"  # names a digit, or two that one word names, as "fourteen" and "március"
PLACE = "place"  # names the place of a digit: hundred, ezer, 만
MARK = "mark"  # writes no digit: hyphens, commas, 년

# The place of the last digit of each in a source YYYY-MM-DD.
DAY, MONTH, YEAR = 0, 3, 6


@dataclass(frozen=True)
class Part:
    """A piece of a written form, with the space before it if there is one.

    `places` are those of the digits that it writes, 0 the last one: in 1984, "eighty" writes place 1.
    """

    text: str
    places: tuple[int, ...] = ()
    role: str = MARK


def digit(text: str, *places: int) -> Part:
    return Part(text, places, DIGIT)


def place(text: str, *places: int) -> Part:
    return Part(text, places, PLACE)


def spaced(parts: list[Part]) -> list[Part]:
    """The parts with a space before the first."""
    return [replace(parts[0], text=" " + parts[0].text), *parts[1:]]


def shifted(parts: list[Part], by: int) -> list[Part]:
    """The parts of a number whose last digit stands at place `by` of the source."""
    return [replace(part, places=tuple(place + by for place in part.places)) for part in parts]


def groups_of(number: int, size: int) -> list[int]:
    """The digits of a number in groups of `size`, the group of the last digits first: 1984 in threes is [984, 1]."""
    groups = []
    while number:
        number, group = divmod(number, 10**size)
        groups.append(group)
    return groups
