"""Takes rows of held-out text with masked tokens, for the page to measure losses on; writes held-out.json and the card.

    python held_out.py --text books.txt.xz ../models/roformer-english
    python held_out.py --text books.txt.xz --length 2042 --rows 12 --name held-out-long.json ../models/roformer-english

The book is cut and masked as evaluate.py does it. Of its whole rows some are taken, evenly over the book, in an order in
which any first ones are spread over it, too. README.md beside this says what held-out.json holds.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

from ropescope_training.batches import GOLDEN, IGNORED
from ropescope_training.card import write_card
from ropescope_training.command import CACHE
from ropescope_training.lengths import lengthen
from ropescope_training.model_files import read_model, write_json
from ropescope_training.packing import pack
from ropescope_training.scoring import questions, score
from ropescope_training.tokens import Vocabulary, load_tokenizer, read_corpus
from ropescope_training.trainer import choose_device


def spread(whole: int, wanted: int) -> np.ndarray:
    """Numbers of `wanted` of `whole` rows, evenly, ordered so that the first n are spread evenly for any n."""
    chosen = np.linspace(0, whole - 1, min(wanted, whole)).astype(np.int64)
    order = sorted(range(len(chosen)), key=lambda index: index * GOLDEN % (1 << 64))
    return chosen[np.argsort(order)]


def held_out(folder: Path, arguments: argparse.Namespace) -> dict:
    """What held-out.json holds."""
    vocabulary = Vocabulary.read(load_tokenizer(folder))
    corpus = read_corpus(arguments.text, folder, arguments.cache)
    model = read_model(folder).to(choose_device(arguments.device))
    if model.config.is_decoder:
        raise SystemExit(f"{folder} is a causal model: it fills no masks")
    lengthen(model, arguments.length)
    room = arguments.length - 2
    book = corpus.book(arguments.book)[:-1]  # without the [SEP] that ends the book
    count = len(book) // room
    if count < 1:
        raise SystemExit(f"the book has {len(book)} tokens, too few for a row of {arguments.length}")
    inputs, labels = questions(book, vocabulary, False, arguments.mask_seed, arguments.mask)
    rows = spread(count, arguments.rows)
    ids, inputs, labels = (
        np.concatenate([array[row * room : (row + 1) * room] for row in rows]) for array in (book, inputs, labels)
    )
    bits = int(vocabulary.size - 1).bit_length()
    return {
        "book": arguments.book_name,
        "text_sha256": corpus.sha256,
        "mask_seed": arguments.mask_seed,
        "mask": arguments.mask,
        "rows": len(rows),
        "length": arguments.length,
        "masked_tokens": int((labels != IGNORED).sum()),
        "loss": round(score(model, inputs, labels, arguments.length, vocabulary).loss, 4),
        "special": {"first": vocabulary.cls, "last": vocabulary.sep, "mask": vocabulary.mask},
        "bits": bits,
        "ids": pack(ids, bits),
        "masked": pack(labels != IGNORED, 1),
    }


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    options.add_argument("model", type=Path, help="model folder")
    options.add_argument("--text", type=Path, required=True)
    options.add_argument("--book", type=int, default=-1, help="which one, from 0; negative from the end")
    options.add_argument("--book-name", default="the held-out book", help="how the page calls it")
    options.add_argument("--name", default="held-out.json", help="the file, in the model's folder")
    options.add_argument("--rows", type=int, default=200)
    options.add_argument("--length", type=int, default=128)
    options.add_argument("--mask", type=float, default=0.15)
    options.add_argument("--mask-seed", type=int, default=0)
    options.add_argument("--device", default="auto")
    options.add_argument("--cache", type=Path, default=CACHE)
    arguments = options.parse_args()
    described = held_out(arguments.model, arguments)
    write_json(arguments.model / arguments.name, described)
    if (arguments.model / "training.json").is_file():
        write_card(arguments.model)
    print(f"{described['rows']} rows, {described['masked_tokens']} masked tokens, loss {described['loss']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
