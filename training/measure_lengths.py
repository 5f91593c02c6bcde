"""Measures what a trained RoFormer loses on texts beyond its length, under each way to stretch it without training.

    python measure_lengths.py ../models/roformer-english

Reads held-out-long.json, which held_out.py writes: rows as long as the longest text. The same masked tokens are asked for
in texts of 1, 2 and 4 times the model's length: each row is cut in 4, in 2 and not at all. Writes results/lengths.json; with
--ways only these are measured, and the others stay as the file has them.
"""

import argparse
import json
import math
import sys
from pathlib import Path

import numpy as np
import torch

from ropescope_training.batches import IGNORED
from ropescope_training.lengths import Way, longrope, read_by
from ropescope_training.model_files import read_model, write_json
from ropescope_training.packing import unpack
from ropescope_training.scoring import score
from ropescope_training.tokens import Vocabulary, load_tokenizer
from ropescope_training.trainer import environment

TIMES = (1, 2, 4)
RESULTS = Path(__file__).parent / "results"


def ways(times: int, context: int, factors: list[float]) -> dict[str, Way]:
    """What is applied at so many times the length: the page's figure has the same (web/figures/longer/model.ts), but for the last.

    factors: LongRoPE's, a pair each, which search_factors.py found for the longest; `magnitude` is LongRoPE with all of them at 1.
    """
    original = {"original_max_position_embeddings": context}
    ramp = {"rope_type": "llama3", "factor": float(times), "low_freq_factor": 1.0, **original}
    yarn = {"rope_type": "yarn", "factor": float(times), **original}
    return {
        "plain": Way(),
        "interpolation": Way({"rope_type": "linear", "factor": float(times)}),
        "dynamic": Way({"rope_type": "dynamic", "factor": 1.0}),
        # Equation 13 of its paper is Llama's ramp between other ends; the magnitude is YaRN's own.
        "yarn": Way({**ramp, "high_freq_factor": 32.0}, magnitude=0.1 * math.log(times) + 1),
        "yarnCode": Way(yarn),
        "llama": Way({**ramp, "high_freq_factor": 4.0}),
        "longrope": Way(longrope(factors, times, context)),
        "partial": Way({"rope_type": "linear", "factor": 1.0}, part=0.25),
        "proportional": Way({"rope_type": "proportional"}, part=0.25),
        "clamp": Way(reach=context // 4),
        "logn": Way(log_n=context),
        "both": Way(reach=context // 4, log_n=context),
        "magnitude": Way(longrope([1.0] * len(factors), times, context)),
    }


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("model", type=Path, help="model folder")
    options.add_argument("--output", type=Path, default=RESULTS / "lengths.json")
    options.add_argument("--factors", type=Path, default=RESULTS / "longrope.json")
    options.add_argument("--ways", nargs="+", help="those that are measured; all, where none is named")
    arguments = options.parse_args()
    factors = json.loads(arguments.factors.read_text())["factors"]
    held = json.loads((arguments.model / "held-out-long.json").read_text())
    room = held["length"] - 2
    ids = unpack(held["ids"], held["bits"], held["rows"] * room)
    asked = unpack(held["masked"], 1, held["rows"] * room).astype(bool)
    inputs = np.where(asked, held["special"]["mask"], ids)
    labels = np.where(asked, ids, IGNORED)
    vocabulary = Vocabulary.read(load_tokenizer(arguments.model))
    torch.manual_seed(0)
    model = read_model(arguments.model)
    context = model.config.max_position_embeddings
    before = json.loads(arguments.output.read_text()) if arguments.ways else {"losses": {}, "rows": {}}
    losses: dict[str, dict[str, float]] = before["losses"]
    rows: dict[str, dict[str, list[float]]] = before["rows"]
    for times in TIMES:
        length = room * times // TIMES[-1] + 2
        for name, way in ways(times, context, factors).items():
            if arguments.ways and name not in arguments.ways:
                continue
            # At its own length nothing is stretched; log-n changes nothing up to there, a limit to distances and a part do.
            if times == 1 and way.reach is None and way.part == 1 and name != "plain":
                losses.setdefault(name, {})["1"] = losses["plain"]["1"]
                continue
            read_by(model, way, length)
            found = score(model, inputs, labels, length, vocabulary).losses
            losses.setdefault(name, {})[str(times)] = round(float(found.mean()), 4)
            each = np.split(found, np.cumsum(asked.reshape(held["rows"], -1).sum(-1))[:-1])
            rows.setdefault(name, {})[str(times)] = [round(float(row.mean()), 4) for row in each]
            print(f"{times}× {name}: {losses[name][str(times)]}", flush=True)
    # What the searched factors take off the loss that LongRoPE's magnitude leaves alone: the mean of the rows and its standard error.
    gains = {}
    for times in rows.get("longrope", {}).keys() & rows.get("magnitude", {}).keys():
        gain = np.subtract(rows["magnitude"][times], rows["longrope"][times])
        gains[times] = {"mean": round(float(gain.mean()), 4), "error": round(float(gain.std(ddof=1) / len(gain) ** 0.5), 4)}
    write_json(
        arguments.output,
        {
            "run": environment(torch.device("cpu")),
            "book": held["book"],
            "context": context,
            "tokens": int(asked.sum()),
            "gains": dict(sorted(gains.items())),
            "losses": {name: losses[name] for name in ways(1, context, factors) if name in losses},
            "rows": {name: rows[name] for name in ways(1, context, factors) if name in rows},
        },
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
