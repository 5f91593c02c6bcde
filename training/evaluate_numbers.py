"""Measures an encoder–decoder of train_numbers.py on held-out numbers and dates. README.md beside this says what.

python evaluate_numbers.py runs/numbers --write
"""

import argparse
import json
import sys
from pathlib import Path

import torch
from tokenizers import Tokenizer

from ropescope_training.model_files import write_json
from ropescope_training.numerals.card import write_card
from ropescope_training.numerals.measuring import COLUMNS, accuracy, alignment, held_out_sources
from ropescope_training.numerals.model_files import read_model
from ropescope_training.numerals.objective import Rows, WrittenNumbers


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    options.add_argument("model", type=Path, help="model folder")
    options.add_argument("--examples", type=int, default=200, help="of each number of digits, and dates, at most")
    options.add_argument("--beams", type=int, default=4)
    options.add_argument("--seed", type=int, default=0, help="of the draw")
    options.add_argument("--threads", type=int, help="of the CPU (default: PyTorch's choice)")
    options.add_argument("--write", action="store_true", help="into the model's training.json and card")
    arguments = options.parse_args()
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    tokenizer = Tokenizer.from_file(str(arguments.model / "tokenizer.json"))
    objective = WrittenNumbers(Rows(0, 0, 0), tokenizer)
    model = read_model(arguments.model)
    sources = held_out_sources(arguments.examples, arguments.seed)
    evaluation = {
        "seed": arguments.seed,
        "examples_per_cell": arguments.examples,
        "beams": arguments.beams,
        "columns": COLUMNS,
        "examples": {column: len(chosen) for column, chosen in sources.items()},
        "accuracy": accuracy(model, objective, sources, arguments.beams),
        "alignment": alignment(model, objective, sources),
    }
    print(json.dumps(evaluation, indent=1, ensure_ascii=False))
    if arguments.write:
        path = arguments.model / "training.json"
        training = json.loads(path.read_text(encoding="utf-8"))
        write_json(path, training | {"evaluation": evaluation})
        write_card(arguments.model)
    return 0


if __name__ == "__main__":
    sys.exit(main())
