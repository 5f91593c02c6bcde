"""The model card of the encoder–decoder, README.md, rendered from training.json. It says no number that is not there."""

import json
from pathlib import Path

NAMES = {"en": "English", "hu": "Hungarian", "ko": "Korean"}


def write_card(folder: Path) -> None:
    training = json.loads((folder / "training.json").read_text(encoding="utf-8"))
    (folder / "README.md").write_text(card(folder.name, training), encoding="utf-8")


def card(name: str, training: dict) -> str:
    model, data, run, arguments = (training[part] for part in ("model", "data", "run", "args"))
    last = training["curve"][-1]
    threads = "1 thread" if run["threads"] == 1 else f"{run['threads']} threads"
    lines = [
        f"# {name}",
        "",
        f"An encoder–decoder (`{model['architecture']}`, Hugging Face form) that writes numbers and dates out in English, "
        f"Hungarian and Korean: {model['layers']} + {model['layers']} layers × {model['heads']} heads, hidden "
        f"{model['hidden']}, feed-forward {model['intermediate']}, {model['vocabulary']} tokens, sinusoidal positions, "
        f"{model['parameters']} parameters, f16.",
        "",
        "- **Source:** a token for the language, then digits, each a token: `>>en<<`, `>>hu<<` or `>>ko<<` and a number "
        f"of up to {data['most_digits']} digits, or a date as YYYY-MM-DD from {data['first_year']} to "
        f"{data['last_year']}.",
        "- **Target:** the parts of the written form as tokens. `>>hu<<1984` becomes `ezer` `kilenc` `száz` `nyolcvan` "
        "`négy`.",
        "  - English is American: no “and”; years are read in pairs; dates as “March fifteenth, nineteen eighty-four”.",
        "  - Hungarian has hyphens between groups of three digits above two thousand, as its rules of spelling ask; "
        "dates as they are read: “ezerkilencszáznyolcvannégy március tizenötödike”.",
        "  - Korean is Sino-Korean in groups of four digits, with a space between them; dates with 년, 월, 일.",
        "- **Data:** made by the training script, drawn again for each step: dates with probability "
        f"{data['date_share']}, else numbers, the longer the more frequent. One in {data['held_out_of']} numbers and dates is held out in all languages, "
        f"apart from 0 to {data['always_trained']} and the tens, whose words have no pattern.",
        f"- **Training:** from scratch, {last['step']} steps of {data['rows_per_step']} examples, "
        f"{run['minutes']} minutes on {run['device']} ({threads}, {arguments['precision']}), AdamW, learning "
        f"rate {arguments['learning_rate']} with warm-up and cosine, seed {arguments['seed']}.",
        f"- **Losses:** training {last['train']}, held-out examples {last['valid']} (`training.json` holds the whole "
        "curve).",
        f"- **Limits:** {arguments['limits']}",
        f"- **Licence:** {arguments['licence']}",
        "",
    ]
    if "evaluation" in training:
        lines += accuracy_lines(training["evaluation"]) + alignment_lines(training["evaluation"])
    return "\n".join(lines)


def accuracy_lines(evaluation: dict) -> list[str]:
    """Exact matches on held-out examples, by language and size."""
    columns = evaluation["columns"]
    lines = [
        "## Held-out accuracy",
        "",
        f"Numbers and dates that were never trained on, in no language; up to {evaluation['examples_per_cell']} of each "
        "kind, every second number rich in zeros. The share whose whole written form is right (percent), greedy and with "
        f"beam search of width {evaluation['beams']}, of the f16 weights. Of single digits and the tens none can be held "
        "out; of two digits there are few.",
        "",
        "| language | decoding | all | " + " | ".join(column_name(column) for column in columns) + " |",
        "|" + "---|" * (len(columns) + 3),
    ]
    for language, name in NAMES.items():
        for way in ("greedy", "beam"):
            found = evaluation["accuracy"][language][way]
            cells = [found["all"], *(found[column] for column in columns)]
            lines.append(f"| {name} | {way} | " + " | ".join(map(str, cells)) + " |")
    counts = [evaluation["examples"][column] for column in columns]
    lines.append(f"| examples of each language | | {sum(counts)} | " + " | ".join(map(str, counts)) + " |")
    return [*lines, ""]


def column_name(column: str) -> str:
    return "dates" if column == "dates" else f"{column} digits"


def alignment_lines(evaluation: dict) -> list[str]:
    """How far cross-attention follows the digits."""
    alignment = evaluation["alignment"]
    best, tokens = alignment["best"], alignment["tokens"]
    lines = [
        "## Cross-attention and the digits",
        "",
        f"{tokens['digit']} target tokens of these examples name a digit (“nine”, “nyolcvan”, “팔”) and {tokens['place']} "
        "name the place of one (“hundred”, “ezer”, “만”). For each, the source token is looked up that has the largest "
        "cross-attention weight in the row that predicts it, the right form being given. The table says how often "
        "(percent) that is the digit which the target token writes. Where a word writes two digits (“fourteen”), either "
        f"counts. A source token drawn blindly would be right in {alignment['blind']} percent.",
        "",
        f"Layer {best['layer']} head {best['head']} follows the digits best: {best['digit']} percent of the tokens that "
        f"name a digit, {best['place']} percent of those that name a place.",
        "",
        "| layer | head | all | digits | places | English | Hungarian | Korean |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for head in alignment["heads"]:
        cells = [head[name] for name in ("layer", "head", "all", "digit", "place", *NAMES)]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return [*lines, ""]
