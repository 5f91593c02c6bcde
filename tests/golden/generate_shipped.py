"""Writes what Hugging Face computes with the models of models/ on one sentence: shipped/<model>.safetensors.

    python generate_shipped.py            # writes a file for every model
    python generate_shipped.py --check    # compares instead

Logits at `rows` (the masked token, or the last of a causal model, and two more), the last hidden states and the last
layer's attentions; f32, eager attention. A model that attends linearly does so by training/ropescope_training's module,
because Hugging Face's class does not know how; its attentions are signed weights. Of an encoder–decoder all three parts,
over one source and what it writes of it greedily.
"""

import argparse
import json
import sys
from pathlib import Path

import torch
import transformers
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

from folders import CHECK_TOLERANCE, HERE

sys.path.append(str(HERE.parent.parent / "training"))
from ropescope_training.linear_attention import give_attention  # noqa: E402

MODELS = HERE.parent.parent / "models"
SHIPPED = HERE / "shipped"
MASKED = "The old man sat by the [MASK], and the little dog lay at his feet."
CAUSAL = "The old man sat by the fire, and the little dog lay at his"
SOURCE = ">>hu<<1984-03-15"


def compute(folder: Path) -> dict[str, torch.Tensor]:
    """input_ids (1, length), rows (k), logits (k, vocab_size), hidden_states.L, attentions.L-1."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    architecture = json.loads((folder / "config.json").read_text(encoding="utf-8"))["architectures"][0]
    model = getattr(transformers, architecture).from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager"
    )
    if model.config.is_encoder_decoder:
        return compute_pair(model.eval(), torch.tensor([tokenizer.encode(SOURCE).ids]))
    give_attention(model, getattr(model.config, "attention", "softmax"))
    encoding = tokenizer.encode(CAUSAL if model.config.is_decoder else MASKED)
    # A causal model goes on after the text: no [SEP].
    tokens = encoding.tokens[:-1] if model.config.is_decoder else encoding.tokens
    ids = torch.tensor([encoding.ids[: len(tokens)]])
    asked = len(tokens) - 1 if model.config.is_decoder else tokens.index("[MASK]")
    rows = torch.tensor(sorted({0, 3, asked}))
    with torch.no_grad():
        output = model.eval()(ids, output_hidden_states=True, output_attentions=True)
    layers = model.config.num_hidden_layers
    return {
        "input_ids": ids,
        "rows": rows,
        "logits": output.logits[0, rows],
        f"hidden_states.{layers}": output.hidden_states[-1],
        f"attentions.{layers - 1}": output.attentions[-1],
    }


@torch.no_grad()
def compute_pair(model: torch.nn.Module, ids: torch.Tensor) -> dict[str, torch.Tensor]:
    """input_ids (1, length), decoder_input_ids (1, written), and as above of each part."""
    decoder_ids = model.generate(ids, num_beams=1, do_sample=False)[:, :-1].clone()  # without the end
    rows = torch.tensor(sorted({0, 3, decoder_ids.shape[1] - 1}))
    output = model(ids, decoder_input_ids=decoder_ids, use_cache=False, output_hidden_states=True, output_attentions=True)
    tensors = {"input_ids": ids, "decoder_input_ids": decoder_ids, "rows": rows, "logits": output.logits[0, rows]}
    for part in ("encoder", "decoder"):
        states = output[f"{part}_hidden_states"]
        tensors[f"{part}_hidden_states.{len(states) - 1}"] = states[-1]
    for part in ("encoder", "decoder", "cross"):
        attentions = output[f"{part}_attentions"]
        tensors[f"{part}_attentions.{len(attentions) - 1}"] = attentions[-1]
    return tensors


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--check", action="store_true")
    arguments = options.parse_args()
    faults = []
    for folder in sorted(path.parent for path in MODELS.glob("*/model.safetensors")):
        path = SHIPPED / f"{folder.name}.safetensors"
        tensors = {name: tensor.contiguous() for name, tensor in compute(folder).items()}
        if not arguments.check:
            SHIPPED.mkdir(exist_ok=True)
            save_file(tensors, path)
            continue
        committed = load_file(path)
        for name, tensor in tensors.items():
            old = committed[name]
            largest = max(1.0, old.double().abs().max().item())
            if old.shape != tensor.shape or (old.double() - tensor.double()).abs().max() > CHECK_TOLERANCE * largest:
                faults.append(f"{path.name}: {name}")
    print("\n".join(faults) or "all as expected")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
