"""Sino-Korean: groups of four digits with a space between them, 일 left out before 십, 백, 천 and a single 만.

Dates with 년, 월, 일, attached, and the irregular months 유월 and 시월.
"""

from ropescope_training.numerals.parts import DAY, MONTH, YEAR, Part, digit, groups_of, place, shifted, spaced

DIGITS = "영일이삼사오육칠팔구"
WITHIN = ("", "십", "백", "천")
SCALES = ("", "만", "억")


def below_ten_thousand(number: int, lowest: int) -> list[Part]:
    """1 to 9,999; `lowest` is the place of its last digit."""
    parts = []
    for power in (3, 2, 1, 0):
        value = number // 10**power % 10
        if value > 1 or (value and power == 0):
            parts.append(digit(DIGITS[value], lowest + power))
        if value and power:
            parts.append(place(WITHIN[power], lowest + power))
    return parts


def number(value: int) -> list[Part]:
    """0 to 999,999,999."""
    if value == 0:
        return [digit(DIGITS[0], 0)]
    parts: list[Part] = []
    groups = groups_of(value, 4)
    for index in range(len(groups) - 1, -1, -1):
        group = groups[index]
        if group == 0:
            continue
        written = [] if index == 1 and group == 1 else below_ten_thousand(group, 4 * index)
        if index:
            written.append(place(SCALES[index], 4 * index))
        parts += spaced(written) if parts else written
    return parts


def month_name(value: int) -> list[Part]:
    """1 to 12."""
    if value == 6:
        return [digit("유", 0), Part("월")]
    if value == 10:
        return [digit("시", 1, 0), Part("월")]
    return [*number(value), Part("월")]


def date(year: int, month: int, day: int) -> list[Part]:
    """Places are those of the source, YYYY-MM-DD."""
    years = [*shifted(number(year), YEAR), Part("년")]
    months = shifted(month_name(month), MONTH)
    return years + spaced(months) + spaced([*shifted(number(day), DAY), Part("일")])
