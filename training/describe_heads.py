"""Says what each attention head does on held-out text; writes heads.json and a table in the model card.

    python describe_heads.py --text books.txt.xz ../models/roformer-english

For every query token that is not special, the head's probabilities over the keys give: their entropy (nats), the mean
distance to the keys (tokens), the weight on the previous, the next, the same and the first position, on other positions
that hold the same piece (`repeated`), on special tokens, and on positions that follow an earlier one with the query's
piece (`induction`), and the largest weight. heads.json holds the means over all queries; and, as means over the rows, how
alike a head's queries are before rotation (`concentration`, R) and how well mean query and key predict its scores
(`correlation`, r̄).
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import torch

from ropescope_training.card import write_card
from ropescope_training.command import CACHE
from ropescope_training.score_prediction import predict
from ropescope_training.linear_attention import attention_of
from ropescope_training.measures import MEASURES, PREDICTION
from ropescope_training.model_files import read_model, write_json
from ropescope_training.scoring import rows_of
from ropescope_training.tokens import Vocabulary, load_tokenizer, read_corpus
from ropescope_training.trainer import choose_device


def measure(weights: torch.Tensor, ids: torch.Tensor, special: torch.Tensor) -> torch.Tensor:
    """Sums over the queries that are not special, (measures, heads), f64.

    weights: (batch, heads, length, length), probabilities of (query, key). ids, special: (batch, length).
    """
    length = ids.shape[1]
    position = torch.arange(length, device=ids.device)
    offset = position[None, :] - position[:, None]  # key − query
    ordinary = ~special
    alike = ids[:, :, None] == ids[:, None, :]
    repeated = alike & (offset != 0) & ordinary[:, None, :]
    follows = torch.zeros_like(alike)
    follows[:, :, 1:] = alike[:, :, :-1] & (offset[:, :-1] < 0)
    kinds = [
        -torch.xlogy(weights, weights),
        weights * offset.abs(),
        weights * (offset == -1),
        weights * (offset == 1),
        weights * (offset == 0),
        weights * (position == 0),
        weights * repeated[:, None],
        weights * special[:, None, None, :],
        weights * follows[:, None],
        weights.amax(-1, keepdim=True),
    ]
    asked = ordinary[:, None, :].double()
    return torch.stack([(kind.double().sum(-1) * asked).sum((0, 2)) for kind in kinds])


class Projections:
    """Queries and keys of every layer as the last pass projected them, before rotation."""

    def __init__(self, model: torch.nn.Module):
        self.outputs: dict[tuple[int, str], torch.Tensor] = {}
        self.heads = model.config.num_attention_heads
        self.layers = model.config.num_hidden_layers
        for index, layer in enumerate(model.roformer.encoder.layer):
            for name in ("query", "key"):
                getattr(layer.attention.self, name).register_forward_hook(self._keep(index, name))

    def _keep(self, index: int, name: str):
        def keep(_module, _inputs, output):
            self.outputs[index, name] = output.unflatten(-1, (self.heads, -1)).cpu()

        return keep

    def taken(self) -> list[tuple[torch.Tensor, torch.Tensor]]:
        """(rows, length, heads, head_size) of queries and keys, layer by layer."""
        return [(self.outputs[index, "query"], self.outputs[index, "key"]) for index in range(self.layers)]


def describe(folder: Path, arguments: argparse.Namespace) -> dict:
    """What heads.json holds."""
    vocabulary = Vocabulary.read(load_tokenizer(folder))
    corpus = read_corpus(arguments.text, folder, arguments.cache)
    device = choose_device(arguments.device)
    model = read_model(folder).to(device)
    if attention_of(model) == "linear":
        raise SystemExit(f"{folder} attends linearly: its weights are signed, and these measures are of probabilities")
    causal = model.config.is_decoder
    room = arguments.length - (1 if causal else 2)
    book = corpus.book(arguments.book)
    # Whole rows, evenly over the book.
    count = min(arguments.rows, len(book) // room)
    if count < 1:
        raise SystemExit(f"the book has {len(book)} tokens, too few for a row of {arguments.length}")
    starts = np.linspace(0, len(book) - room, count).astype(np.int64)
    ids = np.concatenate([book[start : start + room] for start in starts])
    special_ids = torch.from_numpy(vocabulary.special).to(device)
    sums, queries = 0.0, 0
    projections = Projections(model)
    predictions = []  # (layers, 2, rows, heads) of each batch
    for inputs, mask, _ in rows_of(ids, ids, arguments.length, vocabulary, causal):
        inputs, mask = inputs.to(device), mask.to(device)
        with torch.no_grad():
            attentions = model.roformer(inputs, attention_mask=mask, output_attentions=True, use_cache=False).attentions
        special = torch.isin(inputs, special_ids)
        by_layer = [predict(query, key, special.cpu(), causal) for query, key in projections.taken()]
        predictions.append(torch.stack([torch.stack(found) for found in by_layer]).cpu())
        sums = sums + torch.stack([measure(weights, inputs, special) for weights in attentions]).cpu()
        queries += int((~special).sum())
    means = (sums / queries).numpy()  # (layers, measures, heads)
    of_rows = torch.cat(predictions, 2).nanmean(2).numpy()  # (layers, 2, heads)
    means = np.concatenate([means, of_rows], axis=1)
    heads = [
        {"layer": layer, "head": head}
        | {name: round(float(means[layer, index, head]), 4) for index, name in enumerate((*MEASURES, *PREDICTION))}
        for layer in range(means.shape[0])
        for head in range(means.shape[2])
    ]
    protocol = {
        "book": arguments.book_name,
        "text_sha256": corpus.sha256,
        "rows": count,
        "length": arguments.length,
        "queries": queries,
    }
    return {"protocol": protocol, "heads": heads}


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    options.add_argument("model", type=Path, help="model folder")
    options.add_argument("--text", type=Path, required=True)
    options.add_argument("--book", type=int, default=-1, help="which one, from 0; negative from the end")
    options.add_argument("--book-name", default="the held-out book", help="how the card calls it")
    options.add_argument("--rows", type=int, default=200)
    options.add_argument("--length", type=int, default=128)
    options.add_argument("--device", default="auto")
    options.add_argument("--cache", type=Path, default=CACHE)
    arguments = options.parse_args()
    described = describe(arguments.model, arguments)
    write_json(arguments.model / "heads.json", described)
    if (arguments.model / "training.json").is_file():
        write_card(arguments.model)
    for name in MEASURES:
        best = sorted(described["heads"], key=lambda head: head[name], reverse=True)[:3]
        print(f"{name}: " + ", ".join(f"layer {head['layer']} head {head['head']} ({head[name]})" for head in best))
    return 0


if __name__ == "__main__":
    sys.exit(main())
