"""Takes learned positions from a BERT checkpoint for the page: the first dimensions of its table, rounded to 8 bits.

    python learned_table.py --name all-MiniLM-L6-v2 ../../all-MiniLM-L6-v2

Writes ../web/figures/added/learned.json: step and rows give value = (byte − 128) · step, (positions, dimensions); norm is the
mean length of the model's word embeddings in the same dimensions.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

from ropescope_training.model_files import write_json
from ropescope_training.packing import pack

PREFIX = "embeddings."
MIDDLE = 128  # the byte that stands for 0


def learned_table(folder: Path, name: str, dimensions: int) -> dict:
    """What learned.json holds."""
    tensors = load_file(folder / "model.safetensors")
    table = tensors[f"{PREFIX}position_embeddings.weight"].astype(np.float64)
    words = tensors[f"{PREFIX}word_embeddings.weight"][:, :dimensions].astype(np.float64)
    rows = table[:, :dimensions]
    step = float(np.abs(rows).max() / (MIDDLE - 1))
    return {
        "model": name,
        "positions": rows.shape[0],
        "dimensions": rows.shape[1],
        "of": table.shape[1],
        "step": step,
        "norm": round(float(np.linalg.norm(words, axis=1).mean()), 6),
        "rows": pack(np.rint(rows / step).astype(np.int64) + MIDDLE, 8),
    }


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("model", type=Path, help="folder of a BERT model with model.safetensors")
    options.add_argument("--name", required=True, help="how the page calls it")
    options.add_argument("--dimensions", type=int, default=64)
    options.add_argument("--output", type=Path, default=Path(__file__).parent / "../web/figures/added/learned.json")
    arguments = options.parse_args()
    write_json(arguments.output, learned_table(arguments.model, arguments.name, arguments.dimensions))
    return 0


if __name__ == "__main__":
    sys.exit(main())
