"""Numbers of a few bits each as text: one stream of bits, the highest bit of each number first, in base64."""

import base64

import numpy as np


def pack(numbers: np.ndarray, bits: int) -> str:
    """Numbers below 2^bits; the last byte is filled up with zeros."""
    if numbers.size and (numbers.min() < 0 or numbers.max() >= 1 << bits):
        raise ValueError(f"a number has no room in {bits} bits")
    shifts = np.arange(bits - 1, -1, -1)
    stream = (numbers.reshape(-1, 1).astype(np.int64) >> shifts) & 1
    return base64.b64encode(np.packbits(stream.astype(np.uint8).ravel()).tobytes()).decode("ascii")


def unpack(text: str, bits: int, count: int) -> np.ndarray:
    """(count), i64."""
    stream = np.unpackbits(np.frombuffer(base64.b64decode(text), np.uint8))[: bits * count]
    return stream.reshape(count, bits).astype(np.int64) @ (1 << np.arange(bits - 1, -1, -1))
