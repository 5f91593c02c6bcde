"""What the generators of golden folders share: filling a model with seeded weights, one forward pass, comparing."""

from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file

HERE = Path(__file__).parent
# How far two versions of PyTorch may differ in f32, times max(1, max|reference|).
CHECK_TOLERANCE = 5e-6


def fill(model: torch.nn.Module, seed: int, scale: float, leave: tuple[str, ...]) -> None:
    """Sets every parameter from a seeded normal draw, in the order of the sorted names.

    Gains of norms become 1 + 0.1 a (Gemma stores what they are beyond 1), everything else scale · a. Tensors whose names end as `leave` says stay, and tied
    tensors follow the ones they are tied to.
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
        for name in committed.keys() & new.keys():
            old, fresh = committed[name], new[name]
            if old.dtype != fresh.dtype or old.shape != fresh.shape:
                faults.append(f"{what} {name}: {old.dtype} {tuple(old.shape)}, now {fresh.dtype} {tuple(fresh.shape)}")
                continue
            difference = (old.double() - fresh.double()).abs().max().item()
            if difference > CHECK_TOLERANCE * max(1.0, old.double().abs().max().item()):
                faults.append(f"{what} {name}: differs by {difference:.3g}")
    return faults
