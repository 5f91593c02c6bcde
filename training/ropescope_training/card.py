"""The model card, README.md, rendered from training.json, heads.json and held-out.json.

It says no number that is not in them.
"""

import json
from pathlib import Path

from ropescope_training.measures import MEASURES, PREDICTION

TASKS = {
    "RoFormerForMaskedLM": "masked language modelling",
    "RoFormerForCausalLM": "causal language modelling (text generation)",
}
HEADS = "## Heads"
LINEAR = [
    "It was trained with linear attention, rotated, as the RoFormer paper has it in its section 3.3 (`\"attention\": "
    "\"linear\"` in `config.json`): Hugging Face's class does not know that key, and with softmax attention these "
    "weights fill masks badly.",
    "",
]
COLUMNS = (*MEASURES, *PREDICTION)


def write_card(folder: Path) -> None:
    """Writes the card anew; of a card that other hands wrote, only the table of heads at its end."""
    training = json.loads((folder / "training.json").read_text(encoding="utf-8"))
    heads_file, readme = folder / "heads.json", folder / "README.md"
    heads = json.loads(heads_file.read_text(encoding="utf-8")) if heads_file.is_file() else None
    files = (folder / name for name in ("held-out.json", "held-out-long.json"))
    held_out = [json.loads(file.read_text(encoding="utf-8")) if file.is_file() else None for file in files]
    if training.keys() >= {"model", "data", "run", "args"}:
        readme.write_text(card(folder.name, training, heads, *held_out), encoding="utf-8")
    elif heads and readme.is_file():
        text = readme.read_text(encoding="utf-8").partition(HEADS)[0].rstrip()
        readme.write_text(text + "\n\n" + "\n".join(head_table(heads)), encoding="utf-8")


def card(name: str, training: dict, heads: dict | None, held_out: dict | None, beyond: dict | None) -> str:
    model, data, run, arguments = (training[part] for part in ("model", "data", "run", "args"))
    last = training["curve"][-1]
    lengths = ", ".join(map(str, arguments["lengths"]))
    start = f"continued from the weights of {arguments['start']}" if arguments["start"] else "from scratch"
    linear = model.get("attention") == "linear"
    if linear and model.get("start_attention") == "softmax":
        start += ", which was trained with softmax attention"
    before = training.get("before")
    if before:
        begun = f"begun from {before['start']}, " if before["start"] else ""
        start += f" ({begun}{before['steps']} steps, {before['tokens']} tokens, {before['minutes']} minutes, row lengths "
        start += ", ".join(map(str, before["lengths"])) + ")"
    threads = "1 thread" if run["threads"] == 1 else f"{run['threads']} threads"
    lines = [
        f"# {name}",
        "",
        f"A RoFormer for {TASKS[model['architecture']]} (`{model['architecture']}`, Hugging Face form): "
        f"{model['layers']} layers × {model['heads']} heads, hidden {model['hidden']}, embedding {model['embedding']}, "
        f"WordPiece of {model['vocabulary']} pieces, {model['positions']} positions, "
        f"{model['parameters']} parameters, f16.",
        "",
        *(LINEAR if linear else []),
        f"- **Data:** {data['description']}: {data['books']} books, {data['tokens']} tokens. "
        f"{data['validation_tokens']} tokens were kept for validation; books held out at the end of the text: "
        f"{data['held_out_books']}, with {data['held_out_tokens']} tokens that were not seen at all.",
        f"- **Training:** {start}. {last['step']} steps, {last['tokens']} tokens, {run['minutes']} minutes on "
        f"{run['device']} ({threads}, {arguments['precision']}), row lengths {lengths}, AdamW, "
        f"learning rate {arguments['learning_rate']} with warm-up and cosine, seed {arguments['seed']}.",
        f"- **Losses:** training {last['train']}, validation {last['valid']} at length {data['validation_length']} "
        "(`training.json` holds the whole curve).",
    ]
    if training.get("evaluations"):
        lines.append("- **Held-out text** (`evaluate.py`):")
        lines += [f"  - {evaluation_line(evaluation)}" for evaluation in training["evaluations"]]
    lines += [f"- **Limits:** {arguments['limits']}", f"- **Licence:** {arguments['licence']}", ""]
    if held_out:
        lines += held_out_lines(held_out, beyond)
    if heads:
        lines += head_table(heads)
    return "\n".join(lines)


def evaluation_line(evaluation: dict) -> str:
    line = f"{evaluation['book']}, length {evaluation['length']}: loss {evaluation['loss']}"
    if "accuracy" in evaluation:
        line += f", accuracy {evaluation['accuracy']}"
    return f"{line}, {evaluation['bits_per_character']} bits per character, over {evaluation['targets']} tokens"


def held_out_lines(held_out: dict, beyond: dict | None) -> list[str]:
    """What held-out.json and held-out-long.json hold and how they are read."""
    special, bits = held_out["special"], held_out["bits"]
    return [
        "## Held-out rows",
        "",
        f"`held-out.json` holds {held_out['rows']} rows of {held_out['length']} tokens of {held_out['book']}, "
        f"{held_out['masked_tokens']} of them masked (mask {held_out['mask']}, mask seed {held_out['mask_seed']}): the "
        f"model's loss on these is {held_out['loss']}. The page measures on them what changes of the model cost.",
        "",
        "- `ids`: the tokens of the rows between their `special` first and last one, row by row, in base64: one stream "
        f"of bits, `bits` ({bits}) a token, the highest bit first, the last byte filled up with zeros.",
        "- `masked`: a bit for each of these tokens in the same way, set where the model sees the `special` mask in "
        "its place; the token is the label.",
        f"- `special`: the ids that begin a row ({special['first']}), end it ({special['last']}) and hide a token "
        f"({special['mask']}).",
        "- Any first rows are spread evenly over the book.",
        "",
        *(long_lines(beyond) if beyond else []),
    ]


def long_lines(beyond: dict) -> list[str]:
    return [
        f"`held-out-long.json` holds {beyond['rows']} rows of {beyond['length']} tokens in the same form, "
        f"{beyond['masked_tokens']} of them masked: longer than the model was made for, its loss on them is "
        f"{beyond['loss']}. The page cuts them in parts, and measures what each way to read long texts costs.",
        "",
    ]


def head_table(heads: dict) -> list[str]:
    """One row for each head, as describe_heads.py measured it."""
    protocol = heads["protocol"]
    lines = [
        HEADS,
        "",
        f"Means over {protocol['queries']} tokens of {protocol['book']} in rows of {protocol['length']} "
        "(`heads.json`; counted from 0). Entropy is in nats, distance in tokens. The weights are those on the previous, the "
        "next, the same and the first token, on repetitions of the token elsewhere, on `[CLS]` and `[SEP]`, on tokens that "
        "follow an earlier occurrence of the token (induction), and the largest. Concentration (R) says how alike a head's "
        "queries are before rotation; correlation (r̄) how well mean query and key predict its scores.",
        "",
        "| layer | head | " + " | ".join(COLUMNS) + " |",
        "|" + "---|" * (len(COLUMNS) + 2),
    ]
    for head in heads["heads"]:
        lines.append("| " + " | ".join(str(head[column]) for column in ("layer", "head", *COLUMNS)) + " |")
    return [*lines, ""]
