"""American English: no "and", hyphens within a tens and units pair, dates as "March fifteenth, nineteen eighty-four"."""

from ropescope_training.numerals.parts import DAY, MONTH, YEAR, Part, digit, groups_of, place, shifted, spaced

SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
TENS = " ten twenty thirty forty fifty sixty seventy eighty ninety".split(" ")
SCALES = ("", "thousand", "million")
MONTHS = "January February March April May June July August September October November December".split()
ORDINALS = (
    " first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
).split(" ")
ORDINAL_TENS = {2: "twentieth", 3: "thirtieth"}
HYPHEN = Part("-")


def below_hundred(number: int, lowest: int) -> list[Part]:
    """1 to 99; `lowest` is the place of its last digit."""
    if number < 10:
        return [digit(SMALL[number], lowest)]
    if number < 20:
        return [digit(SMALL[number], lowest + 1, lowest)]
    tens, units = divmod(number, 10)
    return [digit(TENS[tens], lowest + 1)] + ([HYPHEN, digit(SMALL[units], lowest)] if units else [])


def below_thousand(number: int, lowest: int) -> list[Part]:
    hundreds, rest = divmod(number, 100)
    parts = [digit(SMALL[hundreds], lowest + 2), place(" hundred", lowest + 2)] if hundreds else []
    if rest:
        parts += spaced(below_hundred(rest, lowest)) if parts else below_hundred(rest, lowest)
    return parts


def number(value: int) -> list[Part]:
    """0 to 999,999,999."""
    if value == 0:
        return [digit(SMALL[0], 0)]
    parts: list[Part] = []
    groups = groups_of(value, 3)
    for index in range(len(groups) - 1, -1, -1):
        if groups[index]:
            written = below_thousand(groups[index], 3 * index)
            parts += spaced(written) if parts else written
            if index:
                parts.append(place(" " + SCALES[index], 3 * index))
    return parts


def year(value: int) -> list[Part]:
    """1100 to 2099, as years are read: in two pairs, but 2000 to 2009 as numbers."""
    if 2000 <= value <= 2009:
        return number(value)
    century, rest = divmod(value, 100)
    parts = below_hundred(century, 2)
    if rest == 0:
        return [*parts, place(" hundred", 1, 0)]
    if rest < 10:
        return [*parts, digit(" oh", 1), HYPHEN, digit(SMALL[rest], 0)]
    return parts + spaced(below_hundred(rest, 0))


def ordinal(value: int) -> list[Part]:
    """1 to 31."""
    tens, units = divmod(value, 10)
    if value > 20 and units:
        return [digit(TENS[tens], 1), HYPHEN, digit(ORDINALS[units], 0)]
    if value >= 20:
        return [digit(ORDINAL_TENS[tens], 1, 0)]
    return [digit(ORDINALS[value], 1, 0) if value >= 10 else digit(ORDINALS[value], 0)]


def date(years: int, month: int, day: int) -> list[Part]:
    """Places are those of the source, YYYY-MM-DD."""
    places = (MONTH, MONTH + 1) if month >= 10 else (MONTH,)
    parts = [digit(MONTHS[month - 1], *places), *spaced(shifted(ordinal(day), DAY)), Part(",")]
    return parts + spaced(shifted(year(years), YEAR))
