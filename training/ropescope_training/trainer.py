"""The training loop: warm-up and cosine, clipping, validation, a curve, and going on after an interruption."""

import os
import platform
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
import transformers
from torch import nn
from tqdm import tqdm

from ropescope_training.objectives import Batch, MaskedTokens, NextToken
from ropescope_training.schedule import Budget, learning_rate


@dataclass(frozen=True)
class Settings:
    """What decides the course of a run, beside model and data."""

    steps: int | None
    minutes: float | None
    learning_rate: float
    warmup: float
    weight_decay: float
    clip: float
    tokens_per_step: int
    validate_every: int
    precision: str  # "float32" or "bfloat16"
    compile: bool
    device: str
    seed: int


@dataclass
class Progress:
    """What a run has come to; kept in its checkpoint."""

    step: int = 0
    tokens: int = 0
    seconds: float = 0.0
    loss_sum: float = 0.0  # since the curve's last point
    loss_count: int = 0
    curve: list[dict] = field(default_factory=list)


def choose_device(name: str) -> torch.device:
    return torch.device(("cuda" if torch.cuda.is_available() else "cpu") if name == "auto" else name)


def choose_precision(name: str, device: torch.device) -> str:
    """bfloat16 on a GPU unless something else is asked for."""
    return ("bfloat16" if device.type == "cuda" else "float32") if name == "auto" else name


def device_name(device: torch.device) -> str:
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    described = Path("/proc/cpuinfo")
    lines = described.read_text().splitlines() if described.is_file() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else f"a CPU ({platform.machine()})"


def environment(device: torch.device) -> dict:
    """Where a run takes place."""
    name = device_name(device)
    versions = {
        "torch": torch.__version__,
        "transformers": transformers.__version__,
        "python": platform.python_version(),
    }
    return {"device": name, "cpu_cores": os.cpu_count(), "threads": torch.get_num_threads(), **versions}


class Trainer:
    """Trains a model in place. `identity` tells this run from others: a checkpoint of another one is refused."""

    def __init__(
        self,
        model: nn.Module,
        objective: MaskedTokens | NextToken,
        settings: Settings,
        checkpoint: Path,
        identity: dict,
    ):
        self.settings, self.objective, self.checkpoint = settings, objective, checkpoint
        self.identity = asdict(settings) | identity
        self.device = torch.device(settings.device)
        self.model = model.to(self.device)
        # Biases and LayerNorm's gains are not decayed.
        decayed = [parameter for parameter in model.parameters() if parameter.requires_grad and parameter.dim() > 1]
        others = [parameter for parameter in model.parameters() if parameter.requires_grad and parameter.dim() <= 1]
        groups = [{"params": decayed, "weight_decay": settings.weight_decay}, {"params": others, "weight_decay": 0.0}]
        self.optimizer = torch.optim.AdamW(groups, lr=0.0, betas=(0.9, 0.98), eps=1e-6, fused=True)
        self.budget = Budget(settings.steps, settings.minutes)
        self.progress = Progress()
        self.loss_sum = torch.zeros((), dtype=torch.float64, device=self.device)
        self.compiled: Callable = torch.compile(objective.loss) if settings.compile else objective.loss
        self.stopped = False

    def resume(self) -> bool:
        """Takes up the checkpoint, if there is one."""
        if not self.checkpoint.is_file():
            return False
        state = torch.load(self.checkpoint, map_location=self.device, weights_only=True)
        other = [name for name in self.identity if state["identity"].get(name) != self.identity[name]]
        if other:
            raise SystemExit(
                f"{self.checkpoint} belongs to a run with another {', '.join(other)}: give the same arguments to go on "
                "with it, or delete it to begin anew"
            )
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.progress = Progress(**state["progress"])
        self.loss_sum.fill_(self.progress.loss_sum)
        torch.set_rng_state(state["random"].cpu())
        return True

    def save(self) -> None:
        """Writes the checkpoint beside the last one and then puts it in its place."""
        self.checkpoint.parent.mkdir(parents=True, exist_ok=True)
        self.progress.loss_sum = self.loss_sum.item()
        unfinished = self.checkpoint.with_name(self.checkpoint.name + ".unfinished")
        state = {
            "identity": self.identity,
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "progress": asdict(self.progress),
            "random": torch.get_rng_state(),
        }
        torch.save(state, unfinished)
        unfinished.replace(self.checkpoint)

    def loss(self, batch: Batch, compiled: bool) -> tuple[torch.Tensor, int]:
        batch = {name: tensor.to(self.device, non_blocking=True) for name, tensor in batch.items()}
        narrow = self.settings.precision == "bfloat16"
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=narrow):
            return (self.compiled if compiled else self.objective.loss)(self.model, batch)

    def validate(self) -> float:
        """Mean loss over the validation tokens."""
        self.model.eval()
        total, tokens = 0.0, 0
        rows = max(1, self.settings.tokens_per_step // self.objective.data.validation_length)
        with torch.no_grad():
            for batch in self.objective.validation_batches(rows):
                loss, count = self.loss(batch, compiled=False)
                total, tokens = total + loss.item() * count, tokens + count
        self.model.train()
        return total / tokens

    def train_step(self, batch: Batch) -> torch.Tensor:
        """One step; returns its loss, still on the device."""
        progress = self.progress
        done = self.budget.progress(progress.step, progress.seconds)
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate(done, self.settings.learning_rate, self.settings.warmup)
        loss, _ = self.loss(batch, compiled=True)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), self.settings.clip)
        self.optimizer.step()
        self.loss_sum += loss.detach()
        progress.step += 1
        progress.loss_count += 1
        progress.tokens += batch["input_ids"].numel()
        return loss.detach()

    def run(self, pause_at: int | None = None, pause_after: float | None = None, save_every: float = 5.0) -> bool:
        """Trains until the budget is spent (True), or until it is paused or interrupted (False).

        `pause_at` is a step, `pause_after` a number of minutes of this call, `save_every` minutes between checkpoints.
        """
        previous = {kind: signal.signal(kind, self.stop) for kind in (signal.SIGINT, signal.SIGTERM)}
        try:
            with ThreadPoolExecutor(1) as ahead:
                self.loop(ahead, pause_at, pause_after, save_every)
        finally:
            for kind, handler in previous.items():
                signal.signal(kind, handler)
        return self.finished

    def stop(self, *_: object) -> None:
        self.stopped = True

    @property
    def finished(self) -> bool:
        return self.budget.progress(self.progress.step, self.progress.seconds) >= 1

    def loop(
        self, ahead: ThreadPoolExecutor, pause_at: int | None, pause_after: float | None, save_every: float
    ) -> None:
        progress, settings = self.progress, self.settings
        begun = saved = time.monotonic()
        before = progress.seconds
        bar = tqdm(total=settings.steps, initial=progress.step, unit=" steps", mininterval=2, dynamic_ncols=True)
        batch = ahead.submit(self.objective.training_batch, progress.step)
        self.model.train()
        while not (self.finished or self.stopped):
            now = batch.result()
            # The next batch is made while this one is computed.
            batch = ahead.submit(self.objective.training_batch, progress.step + 1)
            loss = self.train_step(now)
            bar.update()
            progress.seconds = before + time.monotonic() - begun
            if progress.step % settings.validate_every == 0 or self.finished:
                self.note()
                progress.seconds = before + time.monotonic() - begun
                bar.write("{step} steps, {tokens:,} tokens: train {train}, valid {valid}".format(**progress.curve[-1]))
            if progress.step % 20 == 0:
                bar.set_postfix_str(self.describe(loss))
            if progress.step == pause_at or (pause_after is not None and time.monotonic() - begun > 60 * pause_after):
                break
            if time.monotonic() - saved > 60 * save_every:
                self.save()
                saved = time.monotonic()
        bar.close()
        self.save()

    def note(self) -> None:
        """Adds a point to the curve: the mean training loss since the last one, and the validation loss now."""
        progress = self.progress
        point = {
            "step": progress.step,
            "tokens": progress.tokens,
            "seconds": round(progress.seconds, 1),
            "learning_rate": float(f"{self.optimizer.param_groups[0]['lr']:.4g}"),
            "train": round(self.loss_sum.item() / progress.loss_count, 4),
            "valid": round(self.validate(), 4),
        }
        self.loss_sum.zero_()
        progress.loss_count = 0
        progress.curve.append(point)

    def describe(self, loss: torch.Tensor) -> str:
        """The bar's end: loss, tokens a second, and the time left by the budget that will end the run."""
        progress = self.progress
        done = self.budget.progress(progress.step, progress.seconds)
        left = progress.seconds * (1 - done) / done / 60
        return f"loss {loss.item():.3f}, {progress.tokens / progress.seconds:,.0f} tokens/s, {left:.1f} min left"
