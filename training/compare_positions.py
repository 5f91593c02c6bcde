"""Trains the same encoder with rotary, sinusoidal and learned absolute positions, and compares their losses.

    python compare_positions.py --text books.txt.xz --tokenizer ../models/roformer-english --output runs/positions \
        --steps 2000

Every kind is trained with every seed: same data, masks and steps, and the same initial weights for one seed. Writes
positions.json (validation loss against steps, and held-out loss against row length, of every run) and positions.svg.
Runs that were finished before are not repeated; an unfinished one goes on.
"""

import argparse
import json
import sys
from pathlib import Path

import matplotlib
import numpy as np
import torch

from ropescope_training.batches import generator, mask_tokens
from ropescope_training.command import model_config, numbers, parser, prepare, settings_of
from ropescope_training.model_files import new_model, write_json
from ropescope_training.objectives import MaskedTokens
from ropescope_training.positions import KINDS, give_positions, positioned_output
from ropescope_training.scoring import score
from ropescope_training.tokens import Corpus
from ropescope_training.trainer import Trainer, environment

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402

# Colours that people with colour blindness tell apart, and a dash for each.
STYLES = {"rotary": ("#0072b2", "-"), "sinusoidal": ("#d55e00", "--"), "learned": ("#009e73", ":")}


def one_run(kind: str, seed: int, arguments: argparse.Namespace) -> dict | None:
    """Trains one model and reads it at all lengths; None when it was paused."""
    chosen = argparse.Namespace(**{**vars(arguments), "seed": seed})
    corpus, data = prepare(chosen)
    model = new_model(model_config(arguments, data.vocabulary), False, seed)
    give_positions(model, kind, max(arguments.lengths))
    objective = MaskedTokens(data, arguments.mask, positioned_output)
    checkpoint = arguments.output / "runs" / f"{kind}-{seed}.checkpoint.pt"
    identity = {"kind": kind} | conditions(arguments)
    trainer = Trainer(model, objective, settings_of(chosen), checkpoint, identity)
    trainer.resume()
    if not trainer.run(arguments.pause_at_step, arguments.pause_after_minutes, arguments.save_every):
        return None
    result = {
        "kind": kind,
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


def by_length(model: torch.nn.Module, kind: str, corpus: Corpus, vocabulary, arguments: argparse.Namespace) -> dict:
    """Loss on the held-out book for each row length, the same tokens asked for at all; null where the model ends."""
    ids = corpus.book(-1)[: arguments.read_tokens]
    inputs, labels = mask_tokens(ids, vocabulary, generator(0), arguments.mask, always_mask=True)
    losses = {}
    for length in arguments.read_lengths:
        absent = kind == "learned" and length > max(arguments.lengths)
        losses[str(length)] = (
            None if absent else round(score(model, inputs, labels, length, vocabulary, positioned_output).loss, 4)
        )
    return losses


def spread(values: list[list[float]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean, smallest and largest over the seeds."""
    array = np.array(values)
    return array.mean(0), array.min(0), array.max(0)


def summary(runs: list[dict], arguments: argparse.Namespace) -> dict:
    """For each kind, over its seeds: the last validation loss and the loss at each length, as mean, least and most."""

    def figures(values: list[float]) -> dict:
        return {"mean": round(float(np.mean(values)), 4), "least": min(values), "most": max(values)}

    found = {}
    for kind in KINDS:
        of_kind = [run for run in runs if run["kind"] == kind]
        if not of_kind:
            continue
        lengths = {str(length): [run["by_length"][str(length)] for run in of_kind] for length in arguments.read_lengths}
        found[kind] = {
            "seeds": len(of_kind),
            "validation_loss": figures([run["curve"][-1]["valid"] for run in of_kind]),
            "loss_by_length": {
                length: None if None in values else figures(values) for length, values in lengths.items()
            },
        }
    return found


def draw(runs: list[dict], arguments: argparse.Namespace, path: Path) -> None:
    """Left: validation loss against steps. Right: held-out loss against length. Mean line, band from least to most."""
    pyplot.rcParams["svg.hashsalt"] = "positions"
    pyplot.rcParams["svg.fonttype"] = "none"
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    trained = max(arguments.lengths)
    for kind, (colour, dash) in STYLES.items():
        of_kind = [run for run in runs if run["kind"] == kind]
        if not of_kind:
            continue
        steps = [point["step"] for point in of_kind[0]["curve"]]
        mean, least, most = spread([[point["valid"] for point in run["curve"]] for run in of_kind])
        left.plot(steps, mean, color=colour, linestyle=dash, label=kind)
        left.fill_between(steps, least, most, color=colour, alpha=0.2, linewidth=0)
        read = [length for length in arguments.read_lengths if of_kind[0]["by_length"][str(length)] is not None]
        mean, least, most = spread([[run["by_length"][str(length)] for length in read] for run in of_kind])
        right.plot(read, mean, color=colour, linestyle=dash, marker="o", label=kind)
        right.fill_between(read, least, most, color=colour, alpha=0.2, linewidth=0)
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


def main() -> int:
    options = parser(__doc__.splitlines()[0])
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
        for kind in KINDS:
            done = arguments.output / "runs" / f"{kind}-{seed}.json"
            if not done.is_file():
                print(f"{kind}, seed {seed}")
                result = one_run(kind, seed, arguments)
                if result is None:
                    print("paused; the same command goes on")
                    return 0
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
        "summary": summary(runs, arguments),
        "runs": runs,
    }
    write_json(arguments.output / "positions.json", report)
    draw(runs, arguments, arguments.output / "positions.svg")
    for kind, figures in report["summary"].items():
        print(kind, figures["validation_loss"], figures["loss_by_length"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
