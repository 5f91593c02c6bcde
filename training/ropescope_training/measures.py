"""What is measured of each head, in the order of heads.json."""

MEASURES = (
    "entropy",
    "distance",
    "previous",
    "next",
    "same",
    "first",
    "repeated",
    "special",
    "induction",
    "largest",
)
# What the mean query and key predict.
PREDICTION = ("concentration", "correlation")
