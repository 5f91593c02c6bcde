"""Writes sampling.json, or checks it: what Hugging Face's logits processors leave of rows of logits.

    python generate_sampling.py [--check]

`rows`: logits by name, f32: (vocabulary). `entries`: a row's name, the settings under Hugging Face's names, `earlier`,
the ids of the text, and `rules`, those of generation_config.json; `penalised`: (id, logit) of each id after the
repetition penalty; `left`: (id, probability before, probability after) of each token that settings and rules leave, by
id. Before: softmax of the penalised row; after: softmax behind all that generate() applies, in its order. Penalties are
computed in f32, as a model's logits are, temperature and cut-offs in f64: compare to 1e-11.

`batch`: a padded batch, and the ids that generate() writes after each text with a repetition penalty: it leaves the padding out,
whose ids are those that are written first.
"""

import argparse
import json
import math
import sys
from pathlib import Path

import numpy as np
import torch
from transformers import AutoModelForCausalLM, GenerationConfig
from transformers.generation.logits_process import RepetitionPenaltyLogitsProcessor

from agreement import same

PATH = Path(__file__).parent / "sampling.json"

BATCH = dict(
    model="decoders/llama",
    input_ids=[[28, 46, 28, 7, 8], [9, 10, 11, 12, 13]],
    attention_mask=[[0, 0, 0, 1, 1], [1, 1, 1, 1, 1]],
    repetition_penalty=1.5,
)
# Its method says which processors there are, and their order.
MODEL = AutoModelForCausalLM.from_pretrained(Path(__file__).parent / BATCH["model"], dtype=torch.float32).eval()
NEW_TOKENS = 8
# The best logit of a step leads the second by this share of the largest |logit|.
MARGIN = 1e-3

PLAIN = dict(temperature=1.0, top_k=0, top_p=1.0, min_p=0.0, repetition_penalty=1.0)

# (row, settings that are not plain, ids of the text)
SETTINGS: list[tuple[str, dict, list[int]]] = [
    ("narrow", {}, []),
    ("narrow", dict(temperature=0.25), []),
    ("narrow", dict(temperature=3.5), []),
    ("narrow", dict(top_k=1), []),
    ("narrow", dict(top_k=7), []),
    ("narrow", dict(top_k=64), []),
    ("narrow", dict(top_k=1000), []),
    ("narrow", dict(top_p=0.9), []),
    ("narrow", dict(top_p=0.3), []),
    ("narrow", dict(top_p=0.001), []),
    ("narrow", dict(min_p=0.1), []),
    ("narrow", dict(min_p=1.0), []),
    ("narrow", dict(repetition_penalty=1.3), [0, 3, 3, 17, 39, 17]),
    ("narrow", dict(repetition_penalty=0.7), [1, 2, 30]),
    ("narrow", dict(temperature=0.7, top_k=20, top_p=0.8, min_p=0.05, repetition_penalty=1.2), [5, 6, 7, 8, 5]),
    ("narrow", dict(temperature=1.7, top_k=9, top_p=0.95), []),
    ("narrow", dict(temperature=1.7, top_p=0.6, min_p=0.3), []),
    ("peaked", {}, []),
    ("peaked", dict(top_p=0.5), []),
    ("peaked", dict(top_p=0.99), []),
    ("peaked", dict(min_p=0.001), []),
    ("peaked", dict(temperature=4.0, top_p=0.7), []),
    ("tied", dict(top_k=3), []),
    ("tied", dict(top_k=4, temperature=2.0), []),
    ("tied", dict(min_p=1.0), []),
    ("tied", dict(min_p=0.25), []),
    ("tied", dict(repetition_penalty=2.0), [0, 1, 2]),
    ("wide", {}, []),
    ("wide", dict(temperature=1.5), []),
    ("wide", dict(top_p=0.9), []),
    ("wide", dict(top_p=0.99), []),
    ("wide", dict(top_k=65), []),
    ("wide", dict(temperature=2.0, top_k=200, top_p=0.9, min_p=0.001), []),
    ("wide", dict(top_k=50, top_p=0.95), []),
    ("wide", dict(min_p=0.02, temperature=1.2), []),
    ("wide", dict(repetition_penalty=1.15, top_k=40), list(range(0, 300, 2))),
    ("single", {}, []),
    ("single", dict(temperature=0.5, top_k=5, top_p=0.1, min_p=0.9, repetition_penalty=3.0), [0]),
]

# (row, settings that are not plain, ids of the text, rules)
RULES: list[tuple[str, dict, list[int], dict]] = [
    ("narrow", {}, [5, 1, 2, 1, 4, 1], dict(no_repeat_ngram_size=2)),
    # The best tokens of this row are 10, 21, 8, 26 and 13.
    ("narrow", dict(top_k=5), [10, 3, 21], dict(no_repeat_ngram_size=1)),
    ("narrow", dict(top_p=0.8), [7, 9, 10, 7, 9], dict(no_repeat_ngram_size=3)),
    ("narrow", dict(top_p=0.5, temperature=1.5), [5, 1], dict(bad_words_ids=[[10], [1, 21], [5, 1, 8], [2, 26]])),
    ("narrow", dict(min_p=0.05), [5, 1], dict(min_length=3, eos_token_id=[10, 4])),
    ("narrow", dict(top_k=3), [9, 8], dict(bad_words_ids=[[10], [21]], eos_token_id=10)),
    ("narrow", dict(repetition_penalty=1.4, top_k=6), [10, 8, 10], dict(bad_words_ids=[[21]], no_repeat_ngram_size=2)),
    ("narrow", dict(temperature=0.5), [2], dict(forced_bos_token_id=11)),
    ("narrow", dict(top_p=0.9), [2, 3, 4], dict(forced_eos_token_id=8, max_length=4)),
    ("narrow", {}, [2, 3, 4], dict(forced_eos_token_id=[8, 6], max_length=4, bad_words_ids=[[8]])),
    # More banned tokens than a device returns candidates.
    ("wide", dict(top_k=20), list(range(200)), dict(no_repeat_ngram_size=1)),
    ("wide", dict(temperature=0.9, top_p=0.9), [4], dict(bad_words_ids=[[id] for id in range(0, 300, 2)])),
    ("wide", {}, [4], dict(bad_words_ids=[[id] for id in range(299)])),
]

# Rules that do not apply yet, or no longer, and change nothing.
IDLE: list[tuple[str, dict, list[int], dict]] = [
    ("narrow", dict(top_p=0.8), [7, 9], dict(no_repeat_ngram_size=3)),
    ("narrow", dict(min_p=0.05), [5, 1, 1], dict(min_length=3, eos_token_id=[10, 4])),
    ("narrow", {}, [9, 8], dict(bad_words_ids=[[10]], eos_token_id=10)),
    ("narrow", dict(temperature=0.5), [2, 3], dict(forced_bos_token_id=11)),
]


def rows() -> dict[str, torch.Tensor]:
    """Rows of logits, f32: (vocabulary)."""
    state = np.random.RandomState(6)
    narrow = state.standard_normal(40) * 2
    peaked = np.append(state.standard_normal(31), 9.5)
    tied = np.array([2.0, -1.0, 4.0, 4.0, 2.0, 0.0, 4.0, 2.0, -3.0])
    wide = state.standard_normal(300) * 1.5 - 1
    parts = dict(narrow=narrow, peaked=peaked, tied=tied, wide=wide, single=np.array([-2.5]))
    return {name: torch.from_numpy(row.astype(np.float32)) for name, row in parts.items()}


def entry(name: str, row: torch.Tensor, settings: dict, earlier: list[int], rules: dict) -> dict:
    """One row under its settings: the penalised logits where they changed, and what is left, id by id."""
    text = torch.tensor([earlier], dtype=torch.int64)
    penalised = row[None]
    if settings["repetition_penalty"] != 1.0:
        penalised = RepetitionPenaltyLogitsProcessor(settings["repetition_penalty"])(text, penalised)
    changed = [[id, float(penalised[0, id])] for id in sorted(set(earlier))]
    scores = row[None]
    for processor in processors(GenerationConfig(do_sample=True, **settings, **rules), len(earlier)):
        if type(processor).__name__.endswith("Warper"):
            scores = scores.double()
        scores = processor(text, scores)
    before = penalised.double().softmax(-1)[0]
    after = scores.double().softmax(-1)[0]
    kept = after.nonzero()[:, 0].tolist()
    if not rules:
        # Otherwise the order of torch's sort would decide.
        values = penalised[0]
        assert min(values[kept]) > max([value for id, value in enumerate(values) if id not in kept], default=-math.inf)
    left = [[id, float(before[id]), float(after[id])] for id in kept]
    return dict(row=name, **settings, earlier=earlier, rules=rules, penalised=changed, left=left)


def processors(config: GenerationConfig, length: int) -> list:
    """What generate() applies to the logits after a text of so many ids, in its order."""
    MODEL._prepare_special_tokens(config, device="cpu")
    return MODEL._get_logits_processor(config, input_ids_seq_length=length, device="cpu")


def batch() -> dict:
    """What is written after each text of a padded batch."""
    ids, mask = (torch.tensor(BATCH[name]) for name in ("input_ids", "attention_mask"))
    MODEL.generation_config = GenerationConfig(
        do_sample=False,
        max_new_tokens=NEW_TOKENS,
        repetition_penalty=BATCH["repetition_penalty"],
        pad_token_id=0,
        output_scores=True,
        return_dict_in_generate=True,
    )
    output = MODEL.generate(input_ids=ids, attention_mask=mask)
    for scores in output.scores:
        best = scores.topk(2).values
        assert ((best[:, 0] - best[:, 1]) / scores.abs().amax(-1)).min() > MARGIN
    written = output.sequences[:, ids.shape[1] :].tolist()
    # Otherwise padding that is penalised would give the same.
    assert {28, 46} <= set(written[0])
    return BATCH | dict(written=written)


def verify(entries: list[dict], without: list[dict]) -> None:
    """Facts known without Hugging Face. `without`: the entries that have rules, without them."""
    ruled = [found for found in entries if found["rules"]]
    changes = [found["left"] != other["left"] for found, other in zip(ruled, without, strict=True)]
    assert changes == [True] * len(RULES) + [False] * len(IDLE), changes
    for found in entries:
        assert math.isclose(sum(after for _, _, after in found["left"]), 1.0, rel_tol=1e-12), found
    plain = [found for found in entries if not found["rules"]]
    counts = {(found["row"], found["top_k"], found["top_p"], found["min_p"]): len(found["left"]) for found in plain}
    assert counts["narrow", 7, 1.0, 0.0] == 7 and counts["narrow", 0, 0.001, 0.0] == 1
    # Tokens that tie with the last one stay.
    assert counts["tied", 4, 1.0, 0.0] == 6 and counts["tied", 0, 1.0, 1.0] == 3
    assert counts["wide", 0, 1.0, 0.0] == 300 and counts["wide", 65, 1.0, 0.0] == 65
    forced = [found["left"] for found in entries if any(name.startswith("forced") for name in found["rules"])]
    assert [[(id, after) for id, _, after in left] for left in forced if len(left) < 3] == [
        [(11, 1.0)],
        [(8, 1.0)],
        [(6, 0.5), (8, 0.5)],
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the committed file and write nothing")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    logits = rows()
    cases = [*((*case, {}) for case in SETTINGS), *RULES, *IDLE]
    entries = [entry(name, logits[name], PLAIN | changed, earlier, rules) for name, changed, earlier, rules in cases]
    ruled = [*RULES, *IDLE]
    verify(entries, [entry(name, logits[name], PLAIN | changed, earlier, {}) for name, changed, earlier, _ in ruled])
    new = dict(rows={name: row.tolist() for name, row in logits.items()}, entries=entries, batch=batch())
    if arguments.check:
        good = same(json.loads(PATH.read_text()), new, 1e-12)
        print("as committed" if good else "sampling.json differs", file=sys.stderr)
        return 0 if good else 1
    lines = ",\n".join(json.dumps(found) for found in entries)
    rest = f'"entries": [\n{lines}\n],\n"batch": {json.dumps(new["batch"])}'
    PATH.write_text(f'{{"rows": {json.dumps(new["rows"])},\n{rest}}}\n')
    return 0


if __name__ == "__main__":
    sys.exit(main())
