"""Trains the same encoder with softmax and with linear attention, rotated and not, and compares their losses.

    python compare_attentions.py --text books.txt.xz --tokenizer ../models/roformer-english --output runs/attentions \
        --steps 2000

Every kind is trained with every seed: same data, masks and steps, and the same initial weights for one seed. Writes
attentions.json (validation loss against steps, and held-out loss against row length, of every run) and attentions.svg.
Runs that were finished before are not repeated; an unfinished one goes on.
"""

import sys

from ropescope_training.comparison import Kind, compare

# Colours that people with colour blindness tell apart, and a dash for each.
KINDS = (
    Kind("softmax rotary", "#0072b2", "-"),
    Kind("linear rotary", "#d55e00", "--", attention="linear"),
    Kind("linear unrotated", "#009e73", ":", positions="none", attention="linear"),
)


def main() -> int:
    compare("attentions", __doc__.splitlines()[0], KINDS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
