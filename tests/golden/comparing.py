"""What the comparing scripts share: their arguments, a run of the program, the tolerances, and the walk over seeds."""

import argparse
import secrets
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import torch
import transformers

BINARY = Path(__file__).parent.parent.parent / "target" / "release" / "ropescope"
TOLERANCES = {"cpu": 1e-5, "gpu": 1e-4}
INPUTS = ("input_ids", "attention_mask", "token_type_ids")

Case = TypeVar("Case")


def parser_of(doc: str) -> argparse.ArgumentParser:
    """The arguments that every comparison takes."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--binary", type=Path, default=BINARY)
    parser.add_argument("--backend", choices=TOLERANCES, default="cpu")
    parser.add_argument("--count", type=int, default=10, help="how many checkpoints, with consecutive seeds")
    parser.add_argument("--seed", type=int, default=None, help="of the first checkpoint; drawn and printed when absent")
    parser.add_argument("--verbose", action="store_true", help="print max|Δ| of tensors within the tolerance, too")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one command")
    return parser


def faults(
    actual: dict[str, torch.Tensor], expected: dict[str, torch.Tensor], tolerance: float, verbose: bool
) -> list[str]:
    """One line for each tensor that is missing, has another shape or is too far off."""
    found = [f"{name}: not expected" for name in sorted(actual.keys() - expected.keys())]
    for name in sorted(expected.keys() - set(INPUTS)):
        reference = expected[name].double()
        if name not in actual:
            found.append(f"{name}: missing")
        elif actual[name].shape != reference.shape:
            found.append(f"{name}: shape {tuple(actual[name].shape)}, expected {tuple(reference.shape)}")
        else:
            difference = (actual[name].double() - reference).abs().max().item()
            allowed = tolerance * max(1.0, reference.abs().max().item())
            line = f"{name}: max|Δ| {difference:.3g}, allowed {allowed:.3g}"
            # A NaN is beyond every tolerance.
            if not difference <= allowed:
                found.append(line)
            elif verbose:
                print(f"    {line}")
    return found


def executed(command: list[str], timeout: float) -> tuple[str, list[str]]:
    """Runs a command: what it prints, and a line when it fails or takes longer than `timeout` seconds."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return "", [f"no result within {timeout:g} s"]
    return done.stdout, [f"exit status {done.returncode}: {done.stderr.strip()}"] if done.returncode else []


def walk(
    arguments: argparse.Namespace,
    draw: Callable[[int], Case],
    describe: Callable[[Case], str],
    compare: Callable[[Case], tuple[list[str] | None, str]],
) -> int:
    """Compares a checkpoint a seed and prints what came out. `compare` returns its faults, and what else agrees; None, and
    why, where a checkpoint cannot be compared. Returns 1 when there are faults."""
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    # Seeds of ids are drawn from 1000 + seed.
    first = secrets.randbelow(2**31 - arguments.count) if arguments.seed is None else arguments.seed
    failed, left_out = 0, 0
    for seed in range(first, first + arguments.count):
        case = draw(seed)
        print(describe(case), flush=True)
        found, more = compare(case)
        if found is None:
            print(f"  – not compared: {more}", flush=True)
        else:
            print("\n".join(f"  ✗ {line}" for line in found) if found else f"  ✓{more}", flush=True)
        failed += bool(found)
        left_out += found is None
    compared = arguments.count - left_out
    print(f"{compared - failed} of {compared} checkpoints agree ({arguments.backend}, seeds from {first})")
    return 1 if failed else 0
