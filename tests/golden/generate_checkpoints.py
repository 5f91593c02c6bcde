"""Writes checkpoints/ (or, with --check, compares what is in its files): the weights of golden cases in other forms.

    python generate_checkpoints.py [--check]

    archive/            pytorch_model.bin as torch.save writes it: a zip archive
    stream/             the same as PyTorch before 1.6 wrote it: pickles and storages one behind the other
    shards/             safetensors in three files with their index
    archive_shards/     PyTorch's archives in two files with their index
    training/           a bfloat16 decoder in what a training program saves: {"state_dict": …} beside other things
    training_stream/    a float16 decoder as {"model": …}, in the older form

The first four are masked_lm_head_size_2, with the decoder's tied tensors as second names of the same storages where the
form has storages, and with a buffer of integers that no model reads. README.md of this folder lists the cases.
"""

import argparse
import json
import sys
import tempfile
from collections import OrderedDict
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from folders import HERE

FOLDER = HERE / "checkpoints"
MASKED = HERE / "masked_lm_head_size_2"
TIED = {
    "cls.predictions.decoder.weight": "roformer.embeddings.word_embeddings.weight",
    "cls.predictions.decoder.bias": "cls.predictions.bias",
}


def masked() -> OrderedDict[str, torch.Tensor]:
    """The masked language model as its state_dict() has it: tied tensors share a storage."""
    state = OrderedDict(load_file(MASKED / "model.safetensors"))
    for name, other in TIED.items():
        state.setdefault(name, state[other])
    state["roformer.embeddings.position_ids"] = torch.arange(12).expand((1, -1))
    # A module's state_dict() says of which version each part is.
    state._metadata = OrderedDict([("", {"version": 1}), ("roformer", {"version": 1})])
    return state


def split(state: dict[str, torch.Tensor], count: int) -> list[dict[str, torch.Tensor]]:
    names = sorted(state)
    return [{name: state[name] for name in names[part::count]} for part in range(count)]


def write_shards(folder: Path, stem: str, ending: str, index: str, count: int, save) -> None:
    parts = split(load_file(MASKED / "model.safetensors"), count)
    files = [f"{stem}-{part + 1:05}-of-{count:05}.{ending}" for part in range(count)]
    for part, file in zip(parts, files):
        save({name: tensor.contiguous() for name, tensor in part.items()}, folder / file)
    listed = {name: file for part, file in zip(parts, files) for name in part}
    size = sum(tensor.nbytes for part in parts for tensor in part.values())
    written = {"metadata": {"total_size": size}, "weight_map": dict(sorted(listed.items()))}
    (folder / index).write_text(json.dumps(written, indent=2) + "\n")


def trained(case: str, key: str) -> dict:
    """What a training program keeps: parameters, an optimizer's state, numbers."""
    weights = load_file(HERE / "decoders" / case / "model.safetensors")
    parameters = OrderedDict((name, torch.nn.Parameter(tensor)) for name, tensor in weights.items())
    moments = {0: {"step": torch.tensor(3.0), "exp_avg": torch.ones(2, 3).t()}}
    optimizer = {"state": moments, "param_groups": [{"lr": 1e-3, "betas": (0.9, 0.999), "params": [0]}]}
    return {"epoch": 2, "done": False, "best": None, key: parameters, "optimizer": optimizer, "size": torch.Size([2, 3])}


def write(folder: Path) -> None:
    older = dict(_use_new_zipfile_serialization=False)

    def into(name: str) -> Path:
        (folder / name).mkdir(parents=True, exist_ok=True)
        return folder / name

    torch.save(masked(), into("archive") / "pytorch_model.bin")
    torch.save(masked(), into("stream") / "pytorch_model.bin", **older)
    metadata = dict(metadata={"format": "pt"})
    write_shards(
        into("shards"), "model", "safetensors", "model.safetensors.index.json", 3,
        lambda part, file: save_file(part, file, **metadata),
    )
    write_shards(into("archive_shards"), "pytorch_model", "bin", "pytorch_model.bin.index.json", 2, torch.save)
    torch.save(trained("llama_bfloat16", "state_dict"), into("training") / "last.pt")
    torch.save(trained("llama_float16", "model"), into("training_stream") / "last.pth", **older)


def read(folder: Path) -> dict[str, torch.Tensor]:
    """Every tensor of a folder's files."""
    tensors = {}
    for file in sorted(folder.iterdir()):
        if file.suffix == ".safetensors":
            tensors |= load_file(file)
        elif file.suffix in (".bin", ".pt", ".pth"):
            loaded = torch.load(file, weights_only=True)
            loaded = next((loaded[key] for key in ("state_dict", "model") if key in loaded), loaded)
            tensors |= {name: tensor.detach() for name, tensor in loaded.items()}
    return tensors


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the committed files and write nothing here")
    arguments = parser.parse_args()
    faults = []
    with tempfile.TemporaryDirectory() as temporary:
        new = Path(temporary) if arguments.check else FOLDER
        write(new)
        for folder in sorted(new.iterdir()):
            names = sorted(file.name for file in folder.iterdir())
            fresh, old = read(folder), read(FOLDER / folder.name)
            same = fresh.keys() == old.keys() and all(torch.equal(fresh[name], old[name]) for name in fresh)
            if not same or names != sorted(file.name for file in (FOLDER / folder.name).iterdir()):
                faults.append(folder.name)
            print(f"{folder.name}: {len(fresh)} tensors in {', '.join(names)}")
    if faults:
        print("not what this script writes now: " + ", ".join(faults), file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
