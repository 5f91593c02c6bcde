"""Writes the golden folders of sharp/, or checks them: models whose softmax is so sharp that f32 itself is far from the true numbers.

    python generate_sharp.py            # writes every case
    python generate_sharp.py llama      # the named cases
    python generate_sharp.py --check    # compares what would be written with what is there

README.md describes the files.
"""

import copy
import sys
from pathlib import Path

from safetensors.torch import save_file

import generate_decoders
import generate_readers
from decoder_cases import LLAMA, NEOX, NEOX_SMALL, WIDE, DecoderCase
from folders import F32_DISTANCE, HERE, chosen, parser_of, run, write
from generate_decoders import batch, exact_twin, write_weights
from in_f64 import in_f64
from reader_cases import MASKED, MODERNBERT

FOLDERS = HERE / "sharp"
# Of ropescope's other whole models, times max(1, max|reference|).
TOLERANCE = 1e-5

SHARP_CASES = [
    DecoderCase("llama", LLAMA, WIDE, (2, 17), seed=1, scale=1.0),
    DecoderCase("gpt_neox", NEOX, NEOX_SMALL, (2, 17), seed=2, scale=1.0),
    DecoderCase("modernbert", MASKED, MODERNBERT, (2, 17), seed=1, scale=1.0),
]


def make(case: DecoderCase, folder: Path) -> None:
    """Writes one case into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    generator = generate_readers if case.head == MASKED else generate_decoders
    write_weights(case, generator.filled(case), folder)
    model, inputs = generator.read_back(case, folder), batch(case)
    settings = {} if case.head == MASKED else dict(use_cache=False)
    rounded = run(copy.deepcopy(model), inputs | settings)
    with in_f64():
        exact = run(exact_twin(model), inputs | settings)
    distances = {name: (rounded[name].double() - reference).abs().max() for name, reference in exact.items()}
    beyond = [name for name in exact if distances[name] > TOLERANCE * max(1.0, exact[name].abs().max().item())]
    assert beyond, f"{case.name}: f32 is within the tolerance of f64 everywhere"
    tensors = inputs | {name: reference.float().contiguous() for name, reference in exact.items()}
    tensors |= {F32_DISTANCE + name: distance.float()[None] for name, distance in distances.items()}
    save_file(tensors, folder / "expected.safetensors")


def main() -> int:
    parser = parser_of(__doc__)
    arguments = parser.parse_args()
    return write(chosen(parser, arguments.names, SHARP_CASES), FOLDERS, arguments.check, make)


if __name__ == "__main__":
    sys.exit(main())
