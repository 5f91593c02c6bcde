"""How a runtime answers the race: a line in, a line out, as `ropescope-bench serve` does.

    prefill N SEED      → MS ID          the likeliest token behind N seeded ids, on an empty cache
    decode P N SEED     → MS ID ID …     that token behind P ids, untimed, and N more, timed together
"""

import sys
import time
from abc import ABC, abstractmethod


def seeded_ids(seed: int, count: int, vocabulary: int) -> list[int]:
    """The benchmark's seeded ids: `ids` in native/src/measure.rs."""
    drawn = []
    for _ in range(count):
        seed = seed * 48_271 % 2_147_483_647
        drawn.append(seed % vocabulary)
    return drawn


class Runtime(ABC):
    """A model that can run. Each method returns the likeliest next token."""

    vocabulary: int

    @abstractmethod
    def prefill(self, ids: list[int]) -> int:
        """Empties the cache and reads a prompt."""

    @abstractmethod
    def step(self, token: int) -> int:
        """Reads one more token."""

    def wake(self) -> None:
        """Before a clock starts."""

    def sleep(self) -> None:
        """Behind an answer: nothing may run on, because another runtime is next."""


def answer(runtime: Runtime, line: str) -> str:
    match line.split():
        case ["prefill", length, seed]:
            ids = seeded_ids(int(seed), int(length), runtime.vocabulary)
            start = time.perf_counter()
            written = [runtime.prefill(ids)]
        case ["decode", length, count, seed]:
            written = [runtime.prefill(seeded_ids(int(seed), int(length), runtime.vocabulary))]
            start = time.perf_counter()
            for _ in range(int(count)):
                written.append(runtime.step(written[-1]))
        case _:
            raise ValueError(f"{line!r} is no line of the race")
    milliseconds = 1e3 * (time.perf_counter() - start)
    return f"{milliseconds:.4f} {' '.join(map(str, written))}"


def serve(runtime: Runtime, description: str) -> None:
    """Answers until there is nothing more to read."""
    print("ready", description, flush=True)
    for line in sys.stdin:
        runtime.wake()
        reply = answer(runtime, line)
        runtime.sleep()
        print(reply, flush=True)
