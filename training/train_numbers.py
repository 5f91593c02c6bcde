"""Trains an encoder–decoder that writes numbers and dates out in English, Hungarian and Korean.

python train_numbers.py --output runs/numbers --minutes 60
"""

import argparse
import sys
from dataclasses import asdict
from pathlib import Path

from ropescope_training.command import run_options, settings_of
from ropescope_training.numerals import examples
from ropescope_training.numerals.model_files import new_model, write_model
from ropescope_training.numerals.objective import LONGEST_TARGET, Rows, WrittenNumbers
from ropescope_training.numerals.tokens import build
from ropescope_training.trainer import Trainer, environment


def parser() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    options.add_argument("--output", type=Path, required=True, help="folder for the model")
    options.add_argument("--checkpoint", type=Path, help="where an unfinished run is kept (default: beside the output)")
    size = options.add_argument_group("size of the model")
    size.add_argument("--layers", type=int, default=2, help="of the encoder, and as many of the decoder")
    size.add_argument("--heads", type=int, default=4)
    size.add_argument("--hidden", type=int, default=128)
    size.add_argument("--intermediate", type=int, default=512)
    run_options(options, tokens_per_step=256 * LONGEST_TARGET)
    return options


def record(arguments: argparse.Namespace, trainer: Trainer, rows: Rows) -> dict:
    """What training.json holds. Of paths only the last part is kept."""
    config = trainer.model.config
    return {
        "args": {name: value.name if isinstance(value, Path) else value for name, value in vars(arguments).items()},
        "model": {
            "architecture": type(trainer.model).__name__,
            "layers": config.encoder_layers,
            "heads": config.encoder_attention_heads,
            "hidden": config.d_model,
            "intermediate": config.encoder_ffn_dim,
            "vocabulary": config.vocab_size,
            "parameters": trainer.model.num_parameters(only_trainable=True),
        },
        "data": {
            "most_digits": examples.MOST_DIGITS,
            "first_year": examples.FIRST_YEAR,
            "last_year": examples.LAST_YEAR,
            "date_share": examples.DATE_SHARE,
            "held_out_of": examples.HELD_OUT_OF,
            "always_trained": examples.ALWAYS_TRAINED,
            "rows_per_step": rows.rows,
        },
        "run": environment(trainer.device) | {"minutes": round(trainer.progress.seconds / 60, 1)},
        "curve": trainer.progress.curve,
    }


def main() -> int:
    arguments = parser().parse_args()
    settings = settings_of(arguments)
    arguments.precision = settings.precision
    tokenizer = build()
    rows = Rows(settings.tokens_per_step // LONGEST_TARGET, arguments.validation_rows, settings.seed)
    sizes = {name: getattr(arguments, name) for name in ("layers", "heads", "hidden", "intermediate")}
    model = new_model(tokenizer, settings.seed, **sizes)
    checkpoint = arguments.checkpoint or arguments.output.with_name(arguments.output.name + ".checkpoint.pt")
    trainer = Trainer(model, WrittenNumbers(rows, tokenizer), settings, checkpoint, asdict(rows) | sizes)
    if trainer.resume():
        print(f"going on at step {trainer.progress.step}")
    if not trainer.run(arguments.pause_at_step, arguments.pause_after_minutes, arguments.save_every):
        print(f"paused at step {trainer.progress.step}; the same command goes on")
        return 0
    write_model(trainer.model, tokenizer, arguments.output, record(arguments, trainer, rows))
    print(f"wrote {arguments.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
