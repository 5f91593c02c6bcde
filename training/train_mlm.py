"""Trains a RoFormer for masked language modelling on plain text. README.md beside this says how.

python train_mlm.py --text books.txt.xz --tokenizer ../models/roformer-english --output runs/english --minutes 90
"""

import sys

from ropescope_training.command import parser, prepare, train
from ropescope_training.linear_attention import KINDS
from ropescope_training.objectives import MaskedTokens


def main() -> int:
    options = parser(__doc__.splitlines()[0])
    options.add_argument("--mask", type=float, default=0.15, help="part of the tokens to predict")
    options.add_argument(
        "--attention", choices=KINDS, help="linear: of the paper's section 3.3 (default: that of --start, or softmax)"
    )
    arguments = options.parse_args()
    corpus, data = prepare(arguments)
    train(arguments, MaskedTokens(data, arguments.mask), corpus)
    return 0


if __name__ == "__main__":
    sys.exit(main())
