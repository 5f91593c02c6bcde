"""Trains a causal RoFormer, which predicts the next token, on plain text. README.md beside this says how.

python train_clm.py --text books.txt.xz --tokenizer ../models/roformer-english --output runs/english-causal --minutes 60
"""

import sys

from ropescope_training.command import parser, prepare, train
from ropescope_training.objectives import NextToken


def main() -> int:
    arguments = parser(__doc__.splitlines()[0]).parse_args()
    corpus, data = prepare(arguments)
    train(arguments, NextToken(data), corpus)
    return 0


if __name__ == "__main__":
    sys.exit(main())
