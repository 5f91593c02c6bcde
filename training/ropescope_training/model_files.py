"""Models as files: built new or read back, and written as f16 with what belongs to them."""

import copy
import json
import shutil
from pathlib import Path

import torch
import transformers
from safetensors.torch import load_file, save_file
from torch import nn
from transformers import RoFormerConfig

from ropescope_training.card import write_card
from ropescope_training.linear_attention import give_attention

transformers.utils.logging.disable_progress_bar()
TABLE = "embed_positions.weight"


def new_model(config: dict, causal: bool, seed: int) -> nn.Module:
    """A RoFormer with random weights of that seed, without dropout."""
    torch.manual_seed(seed)
    head = transformers.RoFormerForCausalLM if causal else transformers.RoFormerForMaskedLM
    dropouts = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    return head(RoFormerConfig(is_decoder=causal, **dropouts, **config))


def read_model(folder: Path) -> nn.Module:
    """The model of a folder in f32, of the class that its config.json names, ready to be evaluated."""
    try:
        architecture = json.loads((folder / "config.json").read_text())["architectures"][0]
    except (OSError, KeyError, IndexError, json.JSONDecodeError) as error:
        raise SystemExit(f"{folder} has no config.json that names an architecture ({error})") from error
    if not architecture.startswith("RoFormerFor"):
        raise SystemExit(f"{folder} holds a {architecture}, not a RoFormer with a language model head")
    model = getattr(transformers, architecture).from_pretrained(folder, dtype=torch.float32)
    # A table stored in 16 bits is rounded; here every model turns by exact angles.
    positions = model.roformer.encoder.embed_positions
    with torch.no_grad():
        positions.weight.copy_(positions.create_weight())
    positions.weight.requires_grad_(False)
    give_attention(model, getattr(model.config, "attention", "softmax"))
    return model.eval()


def write_model(model: nn.Module, tokenizer_folder: Path, output: Path, training: dict) -> None:
    """Writes f16 weights, config.json, tokenizer.json, vocab.txt, training.json and the model card."""
    output.mkdir(parents=True, exist_ok=True)
    copy.deepcopy(model).cpu().half().save_pretrained(output)
    weights = output / "model.safetensors"
    # Readers compute the rotation table; a copy in 16 bits would only make them less exact.
    tensors = {name: tensor for name, tensor in load_file(weights).items() if not name.endswith(TABLE)}
    save_file(tensors, weights, metadata={"format": "pt"})
    # safetensors leaves its files to their owner alone; these are to be served.
    weights.chmod(0o644)
    tokenizer = tokenizer_folder / "tokenizer.json"
    if tokenizer.resolve() != (output / "tokenizer.json").resolve():
        shutil.copyfile(tokenizer, output / "tokenizer.json")
    vocabulary = json.loads(tokenizer.read_text(encoding="utf-8"))["model"]["vocab"]
    pieces = sorted(vocabulary, key=vocabulary.get)
    (output / "vocab.txt").write_text("".join(f"{piece}\n" for piece in pieces), encoding="utf-8")
    write_json(output / "training.json", training)
    write_card(output)


def write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
