"""How far a run is, and the learning rate there."""

import math
from dataclasses import dataclass

# The rate ends at this part of its peak.
FINAL = 0.02


@dataclass(frozen=True)
class Budget:
    """A run ends after `steps` steps or `minutes` minutes, whichever is given and comes first."""

    steps: int | None
    minutes: float | None

    def progress(self, step: int, seconds: float) -> float:
        """From 0 to 1."""
        parts = [0.0]
        if self.steps is not None:
            parts.append(step / self.steps)
        if self.minutes is not None:
            parts.append(seconds / (60 * self.minutes))
        return min(1.0, max(parts))


def learning_rate(progress: float, peak: float, warmup: float) -> float:
    """Rises linearly over the first `warmup` of the run, then falls as a cosine to 2 % of the peak."""
    if progress < warmup:
        return peak * progress / warmup
    fallen = (progress - warmup) / (1 - warmup)
    return peak * (FINAL + (1 - FINAL) * 0.5 * (1 + math.cos(math.pi * fallen)))
