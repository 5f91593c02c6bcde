"""Hungarian: one word up to 2,000; above, hyphens between groups of three digits (A magyar helyesírás szabályai, 289).

Dates as they are read: "ezerkilencszáznyolcvannégy március tizenötödike".
"""

from ropescope_training.numerals.parts import DAY, MONTH, YEAR, Part, digit, groups_of, place, shifted, spaced

UNITS = " egy kettő három négy öt hat hét nyolc kilenc".split(" ")
# Before száz, ezer and millió.
BOUND = {**dict(enumerate(UNITS)), 2: "két"}
TENS = " tíz húsz harminc negyven ötven hatvan hetven nyolcvan kilencven".split(" ")
# Before a unit.
BOUND_TENS = {**dict(enumerate(TENS)), 1: "tizen", 2: "huszon"}
SCALES = ("", "ezer", "millió")
MONTHS = (
    "január február március április május június július augusztus szeptember október november december"
).split()
DAYS = " elseje másodika harmadika negyedike ötödike hatodika hetedike nyolcadika kilencedike".split(" ")
# After tizen-, huszon- and harminc-.
BOUND_DAYS = {**dict(enumerate(DAYS)), 1: "egyedike", 2: "kettedike"}
DAY_TENS = {1: "tizedike", 2: "huszadika", 3: "harmincadika"}


def below_thousand(number: int, lowest: int, units: dict[int, str]) -> list[Part]:
    """1 to 999; `lowest` is the place of its last digit, `units` how its last digit is said."""
    hundreds, rest = divmod(number, 100)
    tens, ones = divmod(rest, 10)
    parts = [digit(BOUND[hundreds], lowest + 2)] if hundreds > 1 else []
    if hundreds:
        parts.append(place("száz", lowest + 2))
    if tens:
        parts.append(digit((BOUND_TENS if ones else TENS)[tens], lowest + 1))
    if ones:
        parts.append(digit(units[ones], lowest))
    return parts


def number(value: int) -> list[Part]:
    """0 to 999,999,999."""
    if value == 0:
        return [digit("nulla", 0)]
    parts: list[Part] = []
    groups = groups_of(value, 3)
    for index in range(len(groups) - 1, -1, -1):
        group = groups[index]
        if group == 0:
            continue
        if parts and value > 2000:
            parts.append(Part("-"))
        # A thousand is not counted, a million is.
        if not (index == 1 and group == 1):
            parts += below_thousand(group, 3 * index, BOUND if index else dict(enumerate(UNITS)))
        if index:
            parts.append(place(SCALES[index], 3 * index))
    return parts


def day_of_month(value: int) -> list[Part]:
    """1 to 31."""
    tens, ones = divmod(value, 10)
    if tens == 0:
        return [digit(DAYS[ones], 0)]
    if ones == 0:
        return [digit(DAY_TENS[tens], 1, 0)]
    return [digit(BOUND_TENS[tens], 1), digit(BOUND_DAYS[ones], 0)]


def date(year: int, month: int, day: int) -> list[Part]:
    """Places are those of the source, YYYY-MM-DD."""
    places = (MONTH, MONTH + 1) if month >= 10 else (MONTH,)
    months = [digit(MONTHS[month - 1], *places)]
    return shifted(number(year), YEAR) + spaced(months) + spaced(shifted(day_of_month(day), DAY))
