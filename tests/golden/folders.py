"""What the generators of golden folders share: their arguments, seeded weights, one forward pass, writing, comparing."""

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
import transformers
from safetensors.torch import load_file

HERE = Path(__file__).parent
# How far two versions of PyTorch may differ in f32, times max(1, max|reference|).
CHECK_TOLERANCE = 5e-6
# Names begin so that say how far an output in f32 is from the one in f64; another version of PyTorch rounds otherwise.
F32_DISTANCE = "f32_distance."

Case = TypeVar("Case")


def fill(model: torch.nn.Module, seed: int, scale: float, leave: tuple[str, ...]) -> None:
    """Sets every parameter from a seeded normal draw, in the order of the sorted names.

    Gains of norms become 1 + 0.1 a (Gemma stores what they are beyond 1), everything else scale · a. Tensors whose
    names end as `leave` says stay, and tied tensors follow the ones they are tied to.
    """
    random = np.random.RandomState(seed)
    least = np.float32(0 if model.config.model_type.startswith("gemma") else 1)
    state = model.state_dict()
    for name in sorted(state):
        if name.endswith(leave):
            continue
        draw = random.standard_normal(tuple(state[name].shape)).astype(np.float32)
        gain = name.lower().endswith("norm.weight")
        values = least + np.float32(0.1) * draw if gain else np.float32(scale) * draw
        with torch.no_grad():
            state[name].copy_(torch.from_numpy(values))
    model.tie_weights()


def run(model: torch.nn.Module, inputs: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Every output of one forward pass, by the names of the golden files."""
    with torch.no_grad():
        output = model(**inputs, output_hidden_states=True, output_attentions=True)
    tensors = {}
    if "last_hidden_state" in output:
        tensors["last_hidden_state"] = output.last_hidden_state
    elif "start_logits" in output:
        tensors["logits"] = torch.stack([output.start_logits, output.end_logits], dim=-1)
    else:
        tensors["logits"] = output.logits
    tensors |= {f"hidden_states.{n}": states for n, states in enumerate(output.hidden_states)}
    tensors |= {f"attentions.{n}": weights for n, weights in enumerate(output.attentions)}
    return tensors


def assert_near(name: str, tensors: dict[str, torch.Tensor], exact: dict[str, torch.Tensor]) -> None:
    """The reference must be far more exact than the tolerance it is used with: compares it with numbers in f64."""
    for output, reference in exact.items():
        assert reference.dtype == torch.float64, (name, output)
        difference = (tensors[output].double() - reference).abs().max().item()
        assert difference <= CHECK_TOLERANCE * max(1.0, reference.abs().max().item()), (name, output, difference)


def compare(committed_folder: Path, folder: Path) -> list[str]:
    """What differs between the committed folder of a case and a new one."""
    faults = []
    for file in ("model.safetensors", "expected.safetensors"):
        what = f"{committed_folder.name}/{file}"
        committed, new = load_file(committed_folder / file), load_file(folder / file)
        if committed.keys() != new.keys():
            faults.append(f"{what}: {sorted(committed.keys() ^ new.keys())} on one side only")
        for name in sorted(committed.keys() & new.keys()):
            if name.startswith(F32_DISTANCE):
                continue
            old, fresh = committed[name], new[name]
            if old.dtype != fresh.dtype or old.shape != fresh.shape:
                faults.append(f"{what} {name}: {old.dtype} {tuple(old.shape)}, now {fresh.dtype} {tuple(fresh.shape)}")
                continue
            difference = (old.double() - fresh.double()).abs().max().item()
            if difference > CHECK_TOLERANCE * max(1.0, old.double().abs().max().item()):
                faults.append(f"{what} {name}: differs by {difference:.3g}")
    return faults


def parser_of(doc: str) -> argparse.ArgumentParser:
    """The arguments that every generator of folders takes."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("names", nargs="*", help="cases to write (all when none is named)")
    parser.add_argument("--check", action="store_true", help="compare with the committed files and write nothing here")
    return parser


def chosen(parser: argparse.ArgumentParser, names: list[str], cases: list[Case]) -> list[Case]:
    """The cases of these names, all where none is given; ends the program at an unknown name."""
    known = {case.name: case for case in cases}
    assert len(known) == len(cases), "two cases of one name"
    unknown = [name for name in names if name not in known]
    if unknown:
        parser.error(f"no such case: {', '.join(unknown)}; there are {', '.join(known)}")
    return [known[name] for name in names] or cases


def write(cases: list[Case], parent: Path, check: bool, make: Callable[[Case, Path], None]) -> int:
    """Makes each case's folder in `parent`, or only compares it with the one there. Returns 1 when one differs."""
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    faults = []
    for case in cases:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary) if check else parent / case.name
            make(case, folder)
            if check:
                faults += compare(parent / case.name, folder)
        print(case.name, flush=True)
    print("\n".join(faults), file=sys.stderr)
    return 1 if faults else 0
