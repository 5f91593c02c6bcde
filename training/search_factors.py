"""Searches LongRoPE's factors, one for each frequency pair, for a trained RoFormer read at several times its length.

    python search_factors.py --text books.txt.xz ../models/roformer-english

An evolution in small (Ding et al., arXiv 2402.13753, section 3): it begins with interpolation, NTK-aware scaling, YaRN and no
change, makes children by mutation and crossover, keeps the factors rising from pair to pair, and takes what loses least on
masked tokens of the first books, which the model was trained on. The held-out book has no part in it. Writes
results/longrope.json after every try: a search that is ended early keeps what it found, and the same number of tries finds it again.
"""

import argparse
import sys
from itertools import islice
from pathlib import Path

import numpy as np
import torch

from ropescope_training.lengths import Way, longrope, read_by, table_of
from ropescope_training.model_files import read_model, write_json
from ropescope_training.scoring import questions, score
from ropescope_training.text import books
from ropescope_training.tokens import Vocabulary, load_tokenizer
from ropescope_training.trainer import environment


def ratios(model: torch.nn.Module, way: Way, length: int) -> np.ndarray:
    """(pairs): how much slower the way turns each pair. Angles at position 1 are θ."""

    def theta(way: Way) -> np.ndarray:
        sine, cosine = table_of(model, way, length)[1].double().chunk(2)
        return torch.atan2(sine, cosine).numpy()

    return theta(Way()) / theta(way)


def child(random: np.random.Generator, parents: list[np.ndarray], most: float) -> np.ndarray:
    """Of two parents each pair's factor from one of them, some changed; 1 to `most`, none below the one before."""
    one, other = (parents[index] for index in random.choice(len(parents), 2, replace=len(parents) < 2))
    factors = np.where(random.random(len(one)) < 0.5, one, other) if random.random() < 0.4 else one.copy()
    changed = random.random(len(factors)) < 0.3
    factors = np.where(changed, factors * np.exp(random.normal(0, 0.25, len(factors))), factors)
    return np.maximum.accumulate(np.clip(factors, 1, most))


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    options.add_argument("model", type=Path, help="model folder")
    options.add_argument("--text", type=Path, required=True)
    options.add_argument("--times", type=int, default=4, help="the model's length")
    options.add_argument("--rows", type=int, default=12)
    options.add_argument("--books", type=int, default=12, help="of which the rows are taken")
    options.add_argument("--tries", type=int, default=250)
    options.add_argument("--parents", type=int, default=8)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--output", type=Path, default=Path(__file__).parent / "results" / "longrope.json")
    arguments = options.parse_args()
    torch.manual_seed(0)
    model = read_model(arguments.model)
    tokenizer = load_tokenizer(arguments.model)
    vocabulary = Vocabulary.read(tokenizer)
    context = model.config.max_position_embeddings
    length = context * arguments.times
    room = length - 2
    ids = []
    for book in islice(books(arguments.text), arguments.books):
        pieces = tokenizer.encode_batch_fast(book, add_special_tokens=False)
        # The middle of a book: its beginning is a list of contents.
        tokens = np.concatenate([np.array(piece.ids) for piece in pieces])
        each = arguments.rows // arguments.books * room
        ids.append(tokens[len(tokens) // 2 :][:each])
    inputs, labels = questions(np.concatenate(ids), vocabulary, False, arguments.seed, 0.15)

    def loss(factors: np.ndarray) -> float:
        read_by(model, Way(longrope(factors.tolist(), arguments.times, context)), length)
        return score(model, inputs, labels, length, vocabulary).loss

    factor = float(arguments.times)
    yarn = {"rope_type": "yarn", "factor": factor, "original_max_position_embeddings": context}
    known = ({"rope_type": "linear", "factor": factor}, {"rope_type": "dynamic", "factor": 1.0}, yarn)
    first = [np.ones(model.config.hidden_size // model.config.num_attention_heads // 2)]
    first += [np.maximum.accumulate(np.clip(ratios(model, Way(way), length), 1, factor)) for way in known]
    random = np.random.default_rng(arguments.seed)
    found = sorted(((loss(factors), index, factors) for index, factors in enumerate(first)), key=lambda one: one[:2])
    unchanged = next(value for value, index, _ in found if index == 0)
    print("begins with", [round(value, 4) for value, _, _ in found], flush=True)

    def keep(tries: int) -> str:
        """Writes the best so far."""
        best, _, factors = found[0]
        args = {name: getattr(arguments, name) for name in ("times", "rows", "books", "parents", "seed")}
        report = {
            "run": environment(torch.device("cpu")),
            "args": {**args, "tries": tries},
            "tokens": int((labels != -100).sum()),
            "loss": round(best, 4),
            "unchanged": round(unchanged, 4),
            "factors": factors.round(3).tolist(),
        }
        write_json(arguments.output, report)
        return f"{tries} {report['loss']} {report['factors']}"

    said = keep(len(first))
    for attempt in range(len(first), arguments.tries):
        factors = child(random, [factors for _, _, factors in found[: arguments.parents]], factor * 1.25).round(3)
        found = sorted([*found, (loss(factors), attempt, factors)], key=lambda one: one[:2])[: arguments.parents]
        said = keep(attempt + 1)
        if attempt % 10 == 9:
            print(said, flush=True)
    print(said)
    return 0


if __name__ == "__main__":
    sys.exit(main())
