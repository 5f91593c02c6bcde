"""How well held-out numbers are written out, and how far cross-attention follows the digits."""

from collections.abc import Callable
from random import Random

import torch
from torch import Tensor, nn

from ropescope_training.numerals.examples import LANGUAGES, MOST_DIGITS, Example, draw
from ropescope_training.numerals.objective import WrittenNumbers
from ropescope_training.numerals.parts import DIGIT, PLACE
from ropescope_training.numerals.tokens import END

DATES = "dates"
COLUMNS = (*map(str, range(2, MOST_DIGITS + 1)), DATES)
# Draws in a row that bring nothing new: then all there is has been found.
ENOUGH = 2000


def held_out_sources(most: int, seed: int) -> dict[str, list[str]]:
    """For each column up to `most` sources, none twice; the same for every language."""
    found = {}
    for column in COLUMNS:
        random = Random(f"evaluation {seed} {column}")
        sources: dict[str, None] = {}
        barren = 0
        while len(sources) < most and barren < ENOUGH:
            source = draw(random, "en", None if column == DATES else int(column), held_out=True).source
            barren = barren + 1 if source in sources else 0
            sources[source] = None
        found[column] = list(sources)
    return found


@torch.no_grad()
def accuracy(model: nn.Module, objective: WrittenNumbers, sources: dict[str, list[str]], beams: int) -> dict:
    """Percent of the examples whose tokens are all right, by language, way and column."""
    ways = {"greedy": 1, "beam": beams}
    found = {}
    for language in LANGUAGES:
        found[language] = {}
        for way, width in ways.items():
            right = {}
            for column, chosen in sources.items():
                examples = [Example(language, source) for source in chosen]
                batch = objective.batch(examples)
                inputs = {name: batch[name] for name in ("input_ids", "attention_mask")}
                written = model.generate(**inputs, num_beams=width, do_sample=False)
                right[column] = [
                    upto_end(row.tolist()[1:], objective.ids[END]) == objective.target(example)
                    for row, example in zip(written, examples, strict=True)
                ]
            everything = [hit for hits in right.values() for hit in hits]
            shares = {column: percent(hits) for column, hits in right.items()}
            found[language][way] = {"all": percent(everything)} | shares
    return found


def upto_end(ids: list[int], end: int) -> list[int]:
    """The tokens up to the first end, which counts."""
    return ids[: ids.index(end) + 1] if end in ids else ids


def percent(hits: list[bool]) -> float:
    return round(100 * sum(hits) / len(hits), 2)


@torch.no_grad()
def alignment(model: nn.Module, objective: WrittenNumbers, sources: dict[str, list[str]]) -> dict:
    """For each head of cross-attention, how often its largest weight lies on a digit that the target token writes.

    The right form is given; the row that predicts a token is read. Tokens that write no digit do not count.
    """
    hits: list[Tensor] = []  # (layers, heads, tokens) of each language and column
    roles, languages, chances = [], [], []
    for language in LANGUAGES:
        for chosen in sources.values():
            examples = [Example(language, source) for source in chosen]
            batch = objective.batch(examples)
            weights = torch.stack(model(**batch, output_attentions=True, use_cache=False).cross_attentions)
            largest = weights.argmax(-1)  # (layers, rows, heads, targets)
            for row, example in enumerate(examples):
                length = int(batch["attention_mask"][row].sum())
                for index, part in enumerate(example.parts()):
                    if part.places:
                        # The source has the language before the digits and the end after them.
                        writes = torch.tensor([length - 2 - place for place in part.places])
                        hits.append(torch.isin(largest[:, row, :, index], writes))
                        roles.append(part.role)
                        languages.append(language)
                        chances.append(len(part.places) / length)
    table = torch.stack(hits, dim=-1)
    heads = []
    for layer in range(table.shape[0]):
        for head in range(table.shape[1]):
            share = shares(table[layer, head].tolist(), roles, languages)
            heads.append({"layer": layer, "head": head} | share)
    best = max(heads, key=lambda entry: entry[DIGIT])
    return {
        "tokens": {role: roles.count(role) for role in (DIGIT, PLACE)},
        "blind": round(100 * sum(chances) / len(chances), 2),
        "best": {name: best[name] for name in ("layer", "head", DIGIT, PLACE)},
        "heads": heads,
    }


def shares(hits: list[bool], roles: list[str], languages: list[str]) -> dict[str, float]:
    def among(chosen: Callable[[str, str], bool]) -> float:
        return percent([hit for hit, role, name in zip(hits, roles, languages, strict=True) if chosen(role, name)])

    found = {"all": among(lambda role, name: True)}
    found |= {kind: among(lambda role, name, kind=kind: role == kind) for kind in (DIGIT, PLACE)}
    return found | {language: among(lambda role, name, kind=language: name == kind) for language in LANGUAGES}
