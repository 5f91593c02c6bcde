"""Scores models on held-out text by a fixed protocol, so that they can be compared. README.md beside this says how.

    python evaluate.py --text books.txt.xz ../models/roformer-english runs/english

Masked models: loss (nats a token) and accuracy of a seeded draw of 15 % of the tokens, all shown as [MASK]. Causal
models: loss of every token. Both: bits per character, which can be compared across tokenizers. The tokens asked for
are the same at every row length and for every model with the same tokenizer.
"""

import argparse
import json
import math
import sys
from pathlib import Path

import numpy as np
import torch

from ropescope_training.card import write_card
from ropescope_training.command import CACHE, numbers
from ropescope_training.model_files import read_model, write_json
from ropescope_training.scoring import questions, score
from ropescope_training.tokens import Vocabulary, load_tokenizer, read_corpus
from ropescope_training.trainer import choose_device


def evaluate(folder: Path, arguments: argparse.Namespace) -> tuple[list[dict], dict[int, np.ndarray]]:
    """One entry for each row length, and the losses of all tokens by length."""
    vocabulary = Vocabulary.read(load_tokenizer(folder))
    corpus = read_corpus(arguments.text, folder, arguments.cache)
    model = read_model(folder).to(choose_device(arguments.device))
    ids = corpus.book(arguments.book)[:-1]  # without the [SEP] that ends the book
    characters = int(corpus.characters[arguments.book])
    inputs, labels = questions(ids, vocabulary, model.config.is_decoder, arguments.mask_seed, arguments.mask)
    entries, losses = [], {}
    for length in arguments.lengths:
        if length > model.config.max_position_embeddings:
            print(f"  {length}: beyond the model's {model.config.max_position_embeddings} positions")
            continue
        result = score(model, inputs, labels, length, vocabulary)
        losses[length] = result.losses
        entry = {
            "book": arguments.book_name,
            "length": length,
            "targets": len(result.losses),
            "loss": round(result.loss, 4),
            "accuracy": round(result.accuracy, 4),
            "bits_per_character": round(result.loss / math.log(2) * len(ids) / characters, 4),
            "text_sha256": corpus.sha256,
            "mask_seed": None if model.config.is_decoder else arguments.mask_seed,
            "mask": None if model.config.is_decoder else arguments.mask,
        }
        print(f"  {length}: loss {entry['loss']}, accuracy {entry['accuracy']}, ", end="")
        print(f"{entry['bits_per_character']} bits per character, {entry['targets']} tokens")
        entries.append(entry)
    return entries, losses


def compare(first: tuple[Path, dict], other: tuple[Path, dict]) -> None:
    """Paired differences of the losses, where both models answered the same questions."""
    for length in sorted(first[1].keys() & other[1].keys()):
        one, two = first[1][length], other[1][length]
        if len(one) != len(two):
            print(f"{other[0].name} has another tokenizer or task than {first[0].name}: compare bits per character")
            return
        difference = two - one
        error = difference.std() / math.sqrt(len(difference))
        print(f"{other[0].name} − {first[0].name} at {length}: {difference.mean():+.4f} ± {error:.4f} (standard error)")


def remember(folder: Path, entries: list[dict]) -> None:
    """Puts the figures into training.json, in place of earlier ones of the same protocol, and into the card."""
    path = folder / "training.json"
    if not path.is_file():
        raise SystemExit(f"{folder} has no training.json to write to")
    training = json.loads(path.read_text(encoding="utf-8"))
    protocol = ("book", "length", "text_sha256", "mask_seed", "mask")
    new = {tuple(entry[name] for name in protocol) for entry in entries}
    kept = [entry for entry in training.get("evaluations", []) if tuple(entry[name] for name in protocol) not in new]
    training["evaluations"] = kept + entries
    write_json(path, training)
    write_card(folder)


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    options.add_argument("models", type=Path, nargs="+", help="model folders; later ones are compared with the first")
    options.add_argument("--text", type=Path, required=True)
    options.add_argument("--book", type=int, default=-1, help="which one, from 0; negative from the end")
    options.add_argument("--book-name", default="the held-out book", help="how the card calls it")
    options.add_argument("--lengths", type=numbers(int), default=(64, 128, 256, 512))
    options.add_argument("--mask", type=float, default=0.15)
    options.add_argument("--mask-seed", type=int, default=0)
    options.add_argument("--device", default="auto")
    options.add_argument("--cache", type=Path, default=CACHE)
    options.add_argument("--write", action="store_true", help="into each model's training.json and card")
    options.add_argument("--json", type=Path, help="also write all figures there")
    arguments = options.parse_args()
    torch.manual_seed(0)
    results, figures = [], {}
    for folder in arguments.models:
        print(folder.name)
        entries, losses = evaluate(folder, arguments)
        results.append((folder, losses))
        figures[folder.name] = entries
        if arguments.write:
            remember(folder, entries)
    for other in results[1:]:
        compare(results[0], other)
    if arguments.json:
        write_json(arguments.json, figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
