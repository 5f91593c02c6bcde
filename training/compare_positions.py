"""Trains the same encoder with rotary, sinusoidal and learned absolute positions, and compares their losses.

    python compare_positions.py --text books.txt.xz --tokenizer ../models/roformer-english --output runs/positions \
        --steps 2000

Every kind is trained with every seed: same data, masks and steps, and the same initial weights for one seed. Writes
positions.json (validation loss against steps, and held-out loss against row length, of every run) and positions.svg.
Runs that were finished before are not repeated; an unfinished one goes on.
"""

import sys

from ropescope_training.comparison import Kind, compare

# Colours that people with colour blindness tell apart, and a dash for each.
KINDS = (
    Kind("rotary", "#0072b2", "-", positions="rotary"),
    Kind("sinusoidal", "#d55e00", "--", positions="sinusoidal"),
    Kind("learned", "#009e73", ":", positions="learned"),
)


def main() -> int:
    compare("positions", __doc__.splitlines()[0], KINDS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
