"""What train_mlm.py and train_clm.py do alike: arguments, data, the run, the files."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch

from ropescope_training.batches import Lengths, Rows
from ropescope_training.linear_attention import attention_of, give_attention
from ropescope_training.model_files import new_model, read_model, write_model
from ropescope_training.objectives import Data, MaskedTokens, NextToken
from ropescope_training.tokens import Corpus, Vocabulary, load_tokenizer, read_corpus
from ropescope_training.trainer import Settings, Trainer, choose_device, choose_precision, environment

CACHE = Path(__file__).parent.parent / ".cache"


def numbers(kind: type):
    return lambda text: tuple(kind(part) for part in text.split(","))


def parser(description: str) -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(description=description, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    files = options.add_argument_group("files")
    files.add_argument(
        "--text", type=Path, required=True, help="one paragraph a line, books apart by an empty line; or .xz"
    )
    files.add_argument("--tokenizer", type=Path, required=True, help="folder with tokenizer.json")
    files.add_argument("--output", type=Path, required=True, help="folder for the model")
    files.add_argument("--checkpoint", type=Path, help="where an unfinished run is kept (default: beside the output)")
    files.add_argument("--cache", type=Path, default=CACHE, help="folder for tokenised text")
    files.add_argument("--start", type=Path, help="folder of a model to go on from, in place of random weights")
    size = options.add_argument_group("size of a new model")
    size.add_argument("--layers", type=int, default=6)
    size.add_argument("--heads", type=int, default=8)
    size.add_argument("--hidden", type=int, default=256)
    size.add_argument("--embedding", type=int, default=128)
    size.add_argument("--intermediate", type=int, help="(default: four times hidden)")
    size.add_argument("--positions", type=int, default=512)
    course, watch = run_options(options, tokens_per_step=4096)
    course.add_argument(
        "--lengths", type=numbers(int), default=(64, 128, 256, 512), help="of rows, drawn for each step"
    )
    course.add_argument("--length-weights", type=numbers(float), help="how often each (default: all alike)")
    watch.add_argument("--held-out-books", type=int, default=1, help="the last books, never read")
    watch.add_argument("--validation-part", type=float, default=0.005, help="the end of the rest, not trained on")
    return options


def run_options(options: argparse.ArgumentParser, tokens_per_step: int) -> tuple:
    """What every training takes: its course, what is watched and what the card says. Returns the first two groups."""
    course = options.add_argument_group("course")
    course.add_argument("--minutes", type=float, help="end after so long (or after --steps, if that comes first)")
    course.add_argument("--steps", type=int)
    course.add_argument("--tokens-per-step", type=int, default=tokens_per_step)
    course.add_argument("--learning-rate", type=float, default=1e-3)
    course.add_argument("--warmup", type=float, default=0.03, help="part of the run")
    course.add_argument("--weight-decay", type=float, default=0.01)
    course.add_argument("--clip", type=float, default=1.0, help="largest norm of the gradient")
    course.add_argument("--seed", type=int, default=0)
    course.add_argument("--device", default="auto", help="auto, cpu, cuda")
    course.add_argument("--precision", choices=("auto", "float32", "bfloat16"), default="auto")
    course.add_argument("--threads", type=int, help="of the CPU (default: PyTorch's choice)")
    course.add_argument("--compile", action="store_true", help="compile the model first (needs a C++ compiler)")
    watch = options.add_argument_group("watching")
    watch.add_argument("--validation-rows", type=int, default=128)
    watch.add_argument("--validate-every", type=int, default=500, help="steps")
    watch.add_argument("--save-every", type=float, default=5, help="minutes between checkpoints")
    watch.add_argument("--pause-at-step", type=int, help="stop there; the same command goes on later")
    watch.add_argument("--pause-after-minutes", type=float, help="likewise")
    card = options.add_argument_group("model card")
    card.add_argument("--data-description", default="plain text")
    card.add_argument("--limits", default="not stated.")
    card.add_argument("--licence", default="not stated.")
    return course, watch


def prepare(arguments: argparse.Namespace) -> tuple[Corpus, Data]:
    """The text, split: training, then the end of it for validation, then the books held out."""
    vocabulary = Vocabulary.read(load_tokenizer(arguments.tokenizer))
    corpus = read_corpus(arguments.text, arguments.tokenizer, arguments.cache)
    if arguments.held_out_books >= len(corpus.books):
        raise SystemExit(f"{arguments.text.name} has {len(corpus.books)} book(s): none would be left to train on")
    if max(arguments.lengths) > arguments.positions:
        raise SystemExit(f"rows of {max(arguments.lengths)} need as many --positions; there are {arguments.positions}")
    weights = arguments.length_weights or (1.0,) * len(arguments.lengths)
    if len(weights) != len(arguments.lengths):
        raise SystemExit(f"{len(arguments.lengths)} lengths need as many --length-weights; there are {len(weights)}")
    readable = corpus.before_book(-arguments.held_out_books)
    length = min(128, max(arguments.lengths))
    border = readable - max(int(readable * arguments.validation_part), 2 * length)

    def rows(begin: int, end: int, seed: int) -> Rows:
        inside = corpus.paragraphs[np.searchsorted(corpus.paragraphs, begin) : np.searchsorted(corpus.paragraphs, end)]
        return Rows(corpus.ids[begin:end], inside - begin, seed)

    data = Data(
        training=rows(0, border, arguments.seed),
        validation=rows(border, readable, 0),
        vocabulary=vocabulary,
        lengths=Lengths(arguments.lengths, weights, arguments.tokens_per_step, arguments.seed),
        validation_length=length,
        validation_rows=arguments.validation_rows,
        seed=arguments.seed,
    )
    return corpus, data


def settings_of(arguments: argparse.Namespace) -> Settings:
    if arguments.steps is None and arguments.minutes is None:
        raise SystemExit("say when to end: --minutes or --steps")
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    device = choose_device(arguments.device)
    return Settings(
        steps=arguments.steps,
        minutes=arguments.minutes,
        learning_rate=arguments.learning_rate,
        warmup=arguments.warmup,
        weight_decay=arguments.weight_decay,
        clip=arguments.clip,
        tokens_per_step=arguments.tokens_per_step,
        validate_every=arguments.validate_every,
        precision=choose_precision(arguments.precision, device),
        compile=arguments.compile,
        device=device.type,
        seed=arguments.seed,
    )


def model_config(arguments: argparse.Namespace, vocabulary: Vocabulary) -> dict:
    """The sizes of a new model, in the words of Hugging Face's RoFormerConfig."""
    return dict(
        vocab_size=vocabulary.size,
        embedding_size=arguments.embedding,
        hidden_size=arguments.hidden,
        num_hidden_layers=arguments.layers,
        num_attention_heads=arguments.heads,
        intermediate_size=arguments.intermediate or 4 * arguments.hidden,
        max_position_embeddings=arguments.positions,
        pad_token_id=vocabulary.pad,
    )


def train(arguments: argparse.Namespace, objective: MaskedTokens | NextToken, corpus: Corpus) -> bool:
    """Trains, or goes on training, and writes the model once the budget is spent. False: paused before that."""
    settings, data = settings_of(arguments), objective.data
    causal = isinstance(objective, NextToken)
    config = model_config(arguments, data.vocabulary)
    model = read_model(arguments.start) if arguments.start else new_model(config, causal, arguments.seed)
    begun_with = attention_of(model)
    give_attention(model, getattr(arguments, "attention", None) or begun_with)
    if model.config.vocab_size != data.vocabulary.size or model.config.is_decoder != causal:
        raise SystemExit(f"{arguments.start} is another kind of model, or has another vocabulary")
    arguments.precision = settings.precision
    checkpoint = arguments.checkpoint or arguments.output.with_name(arguments.output.name + ".checkpoint.pt")
    identity = {
        "text": corpus.sha256,
        "training_tokens": len(data.training.ids),
        "lengths": asdict(data.lengths),
        "config": model.config.to_dict(),
        "start": arguments.start and arguments.start.name,
        "attention": attention_of(model),
        "mask": getattr(objective, "probability", None),
    }
    trainer = Trainer(model, objective, settings, checkpoint, identity)
    if trainer.resume():
        print(f"going on at step {trainer.progress.step}")
    if not trainer.run(arguments.pause_at_step, arguments.pause_after_minutes, arguments.save_every):
        print(f"paused at step {trainer.progress.step}; the same command goes on")
        return False
    told = record(arguments, trainer, corpus, data)
    if arguments.start:
        told["model"]["start_attention"] = begun_with
        told["before"] = earlier(arguments.start)
    write_model(trainer.model, arguments.tokenizer, arguments.output, told)
    print(f"wrote {arguments.output}")
    return True


def earlier(folder: Path) -> dict | None:
    """What is told of the training that a run goes on from, where its training.json is of this form."""
    path = folder / "training.json"
    told = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    if not told.keys() >= {"args", "run", "curve"}:
        return None
    last = told["curve"][-1]
    shared = {"steps": last["step"], "tokens": last["tokens"], "minutes": told["run"]["minutes"]}
    return shared | {"lengths": told["args"]["lengths"], "start": told["args"]["start"]}


def record(arguments: argparse.Namespace, trainer: Trainer, corpus: Corpus, data: Data) -> dict:
    """What training.json holds. Of paths only the last part is kept."""
    config = trainer.model.config
    readable = corpus.before_book(-arguments.held_out_books)
    plain = {name: value.name if isinstance(value, Path) else value for name, value in vars(arguments).items()}
    return {
        "args": plain,
        "model": {
            "architecture": type(trainer.model).__name__,
            "layers": config.num_hidden_layers,
            "heads": config.num_attention_heads,
            "hidden": config.hidden_size,
            "embedding": config.embedding_size,
            "intermediate": config.intermediate_size,
            "vocabulary": config.vocab_size,
            "positions": config.max_position_embeddings,
            "parameters": trainer.model.num_parameters(only_trainable=True),
            "attention": attention_of(trainer.model),
        },
        "data": {
            "description": arguments.data_description,
            "file": arguments.text.name,
            "sha256": corpus.sha256,
            "books": len(corpus.books),
            "tokens": len(corpus.ids),
            "validation_tokens": len(data.validation.ids),
            "validation_length": data.validation_length,
            "held_out_books": arguments.held_out_books,
            "held_out_tokens": len(corpus.ids) - readable,
        },
        "run": environment(trainer.device) | {"minutes": round(trainer.progress.seconds / 60, 1)},
        "curve": trainer.progress.curve,
    }
