"""Kinds of one encoder trained alike, and their losses compared: same data, masks and steps, and the same initial
weights for one seed. Writes <name>.json (validation loss against steps, and held-out loss against row length, of every
run) and <name>.svg. Runs that were finished before are not repeated; an unfinished one goes on.
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import matplotlib
import numpy as np
import torch

from ropescope_training.batches import generator, mask_tokens
from ropescope_training.command import model_config, numbers, parser, prepare, settings_of
from ropescope_training.linear_attention import give_attention
from ropescope_training.model_files import new_model, write_json
from ropescope_training.objectives import MaskedTokens
from ropescope_training.positions import give_positions, positioned_output
from ropescope_training.scoring import score
from ropescope_training.tokens import Corpus
from ropescope_training.trainer import Trainer, environment

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402


@dataclass(frozen=True)
class Kind:
    """One of the things compared, and how its line is drawn."""

    name: str
    colour: str
    dash: str
    positions: str = "rotary"
    attention: str = "softmax"


def one_run(kind: Kind, seed: int, arguments: argparse.Namespace) -> dict | None:
    """Trains one model and reads it at all lengths; None when it was paused."""
    chosen = argparse.Namespace(**{**vars(arguments), "seed": seed})
    corpus, data = prepare(chosen)
    model = new_model(model_config(arguments, data.vocabulary), False, seed)
    give_positions(model, kind.positions, max(arguments.lengths))
    give_attention(model, kind.attention)
    objective = MaskedTokens(data, arguments.mask, positioned_output)
    checkpoint = arguments.output / "runs" / f"{kind.name}-{seed}.checkpoint.pt"
    identity = {"kind": kind.name} | conditions(arguments)
    trainer = Trainer(model, objective, settings_of(chosen), checkpoint, identity)
    trainer.resume()
    if not trainer.run(arguments.pause_at_step, arguments.pause_after_minutes, arguments.save_every):
        return None
    result = {
        "kind": kind.name,
        "seed": seed,
        "conditions": conditions(arguments),
        "minutes": round(trainer.progress.seconds / 60, 1),
        "parameters": model.num_parameters(only_trainable=True),
        "curve": trainer.progress.curve,
        "by_length": by_length(model, kind, corpus, data.vocabulary, arguments),
    }
    checkpoint.unlink()
    return result


def conditions(arguments: argparse.Namespace) -> dict:
    """What all runs of a comparison share."""
    apart = ("seed", "seeds", "output", "cache", "checkpoint", "save_every", "pause_at_step", "pause_after_minutes")
    return {name: plain(value) for name, value in vars(arguments).items() if name not in apart}


def plain(value: object) -> object:
    """As it comes back from JSON; of a path only the last part."""
    return value.name if isinstance(value, Path) else list(value) if isinstance(value, tuple) else value


def by_length(model: torch.nn.Module, kind: Kind, corpus: Corpus, vocabulary, arguments: argparse.Namespace) -> dict:
    """Loss on the held-out book for each row length, the same tokens asked for at all; null where the model ends."""
    ids = corpus.book(-1)[: arguments.read_tokens]
    inputs, labels = mask_tokens(ids, vocabulary, generator(0), arguments.mask, always_mask=True)
    losses = {}
    for length in arguments.read_lengths:
        absent = kind.positions == "learned" and length > max(arguments.lengths)
        losses[str(length)] = (
            None if absent else round(score(model, inputs, labels, length, vocabulary, positioned_output).loss, 4)
        )
    return losses


def spread(values: list[list[float]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean, smallest and largest over the seeds."""
    array = np.array(values)
    return array.mean(0), array.min(0), array.max(0)


def summary(runs: list[dict], kinds: tuple[Kind, ...], arguments: argparse.Namespace) -> dict:
    """For each kind, over its seeds: the last validation loss and the loss at each length, as mean, least and most."""

    def figures(values: list[float]) -> dict:
        return {"mean": round(float(np.mean(values)), 4), "least": min(values), "most": max(values)}

    found = {}
    for kind in kinds:
        of_kind = [run for run in runs if run["kind"] == kind.name]
        if not of_kind:
            continue
        lengths = {str(length): [run["by_length"][str(length)] for run in of_kind] for length in arguments.read_lengths}
        found[kind.name] = {
            "seeds": len(of_kind),
            "validation_loss": figures([run["curve"][-1]["valid"] for run in of_kind]),
            "loss_by_length": {
                length: None if None in values else figures(values) for length, values in lengths.items()
            },
        }
    return found


def draw(runs: list[dict], kinds: tuple[Kind, ...], arguments: argparse.Namespace, path: Path) -> None:
    """Left: validation loss against steps. Right: held-out loss against length. Mean line, band from least to most."""
    pyplot.rcParams["svg.hashsalt"] = path.stem
    pyplot.rcParams["svg.fonttype"] = "none"
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    trained = max(arguments.lengths)
    for kind in kinds:
        of_kind = [run for run in runs if run["kind"] == kind.name]
        if not of_kind:
            continue
        steps = [point["step"] for point in of_kind[0]["curve"]]
        mean, least, most = spread([[point["valid"] for point in run["curve"]] for run in of_kind])
        left.plot(steps, mean, color=kind.colour, linestyle=kind.dash, label=kind.name)
        left.fill_between(steps, least, most, color=kind.colour, alpha=0.2, linewidth=0)
        read = [length for length in arguments.read_lengths if of_kind[0]["by_length"][str(length)] is not None]
        mean, least, most = spread([[run["by_length"][str(length)] for length in read] for run in of_kind])
        right.plot(read, mean, color=kind.colour, linestyle=kind.dash, marker="o", label=kind.name)
        right.fill_between(read, least, most, color=kind.colour, alpha=0.2, linewidth=0)
    left.set(
        xlabel="steps", ylabel="validation loss (nats a masked token)", title=f"While training at length {trained}"
    )
    right.set(xlabel="row length read", ylabel="loss on the held-out book", title="Read at other lengths", xscale="log")
    right.set_xticks(arguments.read_lengths, [str(length) for length in arguments.read_lengths])
    right.minorticks_off()
    right.axvline(trained, color="grey", linewidth=0.8)
    right.annotate(
        "trained", (trained, 1), xycoords=("data", "axes fraction"), xytext=(4, -12), textcoords="offset points"
    )
    left.legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def compare(name: str, description: str, kinds: tuple[Kind, ...]) -> None:
    """The command line of a script that compares kinds."""
    options = parser(description)
    options.set_defaults(layers=3, heads=4, hidden=128, embedding=128, lengths=(128,), validate_every=100)
    options.add_argument("--mask", type=float, default=0.15, help="part of the tokens to predict")
    options.add_argument("--seeds", type=numbers(int), default=(0, 1, 2))
    options.add_argument("--read-lengths", type=numbers(int), default=(64, 128, 192, 256, 384, 512))
    options.add_argument("--read-tokens", type=int, default=60_000, help="of the held-out book")
    arguments = options.parse_args()
    if arguments.minutes is not None or arguments.steps is None:
        options.error("the runs must be alike: give --steps, not --minutes")
    arguments.positions = max(*arguments.read_lengths, *arguments.lengths)
    arguments.output.mkdir(parents=True, exist_ok=True)
    runs = []
    for seed in arguments.seeds:
        for kind in kinds:
            done = arguments.output / "runs" / f"{kind.name}-{seed}.json"
            if not done.is_file():
                print(f"{kind.name}, seed {seed}", flush=True)
                result = one_run(kind, seed, arguments)
                if result is None:
                    print("paused; the same command goes on")
                    return
                write_json(done, result)
            run = json.loads(done.read_text(encoding="utf-8"))
            if run["conditions"] != conditions(arguments):
                raise SystemExit(f"{done} is of another comparison: give the same arguments, or delete {done.parent}")
            runs.append(run)
    settings = settings_of(arguments)
    for run in runs:
        del run["conditions"]
    report = {
        "args": conditions(arguments) | {"seeds": list(arguments.seeds)},
        "run": environment(torch.device(settings.device)),
        "summary": summary(runs, kinds, arguments),
        "runs": runs,
    }
    write_json(arguments.output / f"{name}.json", report)
    draw(runs, kinds, arguments, arguments.output / f"{name}.svg")
    for kind, figures in report["summary"].items():
        print(kind, figures["validation_loss"], figures["loss_by_length"])
