"""Writes the golden folders of readers/, or checks them, with Hugging Face's own classes.

    python generate_readers.py            # writes every case of reader_cases.py
    python generate_readers.py esm        # writes the named cases
    python generate_readers.py --check    # compares what would be written with what is there

README.md describes the files.
"""

import copy
import json
import sys
from pathlib import Path

import torch
import transformers
from safetensors.torch import save_file

from decoder_cases import DecoderCase
from folders import HERE, assert_near, chosen, fill, parser_of, run, write
from generate_decoders import batch, exact_twin, write_weights
from in_f64 import in_f64
from reader_cases import READER_CASES

FOLDERS = HERE / "readers"
# What is set apart by a configuration must change the numbers by this share of the largest.
EFFECT = 1e-3
TIED = ("decoder.weight", "lm_head.weight")
THETA = "inv_freq"


def filled(case: DecoderCase) -> torch.nn.Module:
    """The case's model with its seeded weights, in f32."""
    head = getattr(transformers, case.head)
    model = head(head.config_class(**copy.deepcopy(case.config)))
    # A bare model's config may say that embeddings are tied, too.
    tied = TIED if model.config.tie_word_embeddings else ()
    fill(model, case.seed, case.scale, (THETA, *tied))
    return model


def read_back(case: DecoderCase, folder: Path) -> torch.nn.Module:
    """The model as Hugging Face reads the folder, in f32."""
    model, report = getattr(transformers, case.head).from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager", output_loading_info=True
    )
    missing = [name for name in report["missing_keys"] if not name.endswith(TIED)]
    assert not missing, f"{case.name}: Hugging Face misses {missing}"
    assert model.config._attn_implementation == "eager", case.name
    return model.eval()


def outputs(model: torch.nn.Module, inputs: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Every output, and of ESM the contacts, where there is room for any."""
    model = copy.deepcopy(model)
    decoder = hasattr(model.config, "use_cache") and model.config.model_type != "esm"
    tensors = run(model, inputs | (dict(use_cache=False) if decoder else {}))
    if hasattr(model, "predict_contacts"):
        with torch.no_grad():
            tensors["contacts"] = model.predict_contacts(inputs["input_ids"], inputs["attention_mask"])
    return tensors


def without(model: torch.nn.Module) -> list[torch.nn.Module]:
    """The same weights in models without what the configuration asks for: two ropes, windows, making up for masks."""
    config = model.config
    changes = []
    rope = getattr(config, "rope_parameters", None) or {}
    if "full_attention" in rope:
        changes.append(dict(rope_parameters=rope | dict(full_attention=rope["sliding_attention"])))
        changes.append(dict(sliding_window=1000))
    if getattr(config, "token_dropout", False):
        changes.append(dict(token_dropout=False))
    others = []
    for change in changes:
        plain = copy.deepcopy(config)
        for name, value in change.items():
            setattr(plain, name, copy.deepcopy(value))
        plain._attn_implementation = "eager"
        other = type(model)(plain).eval()
        other.load_state_dict(model.state_dict())
        others.append(other)
    return others


def make(case: DecoderCase, folder: Path) -> tuple[torch.nn.Module, dict[str, torch.Tensor]]:
    """Writes one case into `folder`. Returns the model as Hugging Face reads it back, unused, and what it computes."""
    folder.mkdir(parents=True, exist_ok=True)
    write_weights(case, filled(case), folder)
    model = read_back(case, folder)
    inputs = batch(case)
    tensors = inputs | outputs(model, inputs)
    assert all(tensor.isfinite().all() for tensor in tensors.values()), case.name
    save_file(
        {name: tensor.clone(memory_format=torch.contiguous_format) for name, tensor in tensors.items()},
        folder / "expected.safetensors",
    )
    return model, tensors


def verify(case: DecoderCase, model: torch.nn.Module, tensors: dict[str, torch.Tensor]) -> None:
    """What must hold of every case: near f64, and not the same without what it is about."""
    inputs = {name: tensors[name] for name in ("input_ids", "attention_mask")}
    with in_f64():
        twin = exact_twin(model)
        assert_near(case.name, tensors, outputs(twin, inputs))
    length = case.shape[1]
    for other in without(model) if length > 3 else []:
        changed = outputs(other, inputs)
        name = f"hidden_states.{model.config.num_hidden_layers}"
        change = (changed[name] - tensors[name]).abs().max().item()
        assert change > EFFECT * tensors[name].abs().max().item(), f"{case.name}: changes numbers by {change:.2g}"


def write_case(case: DecoderCase, folder: Path) -> None:
    model, tensors = make(case, folder)
    verify(case, model, tensors)
    config = json.loads((folder / "config.json").read_text())
    assert config["architectures"] == [case.head], case.name


def main() -> int:
    parser = parser_of(__doc__)
    arguments = parser.parse_args()
    return write(chosen(parser, arguments.names, READER_CASES), FOLDERS, arguments.check, write_case)


if __name__ == "__main__":
    sys.exit(main())
