"""Plain text as it is trained on: one paragraph a line, books apart by an empty line; `.xz` is read as it is."""

import hashlib
import lzma
from collections.abc import Iterator
from pathlib import Path


def books(path: Path) -> Iterator[list[str]]:
    """The books of a text, each as its paragraphs, read as a stream."""
    opener = lzma.open if path.suffix == ".xz" else open
    paragraphs: list[str] = []
    with opener(path, "rt", encoding="utf-8") as file:
        for line in file:
            line = line.strip()
            if line:
                paragraphs.append(line)
            elif paragraphs:
                yield paragraphs
                paragraphs = []
    if paragraphs:
        yield paragraphs


def fingerprint(*paths: Path) -> str:
    """The SHA-256 of the files' contents, in hexadecimal."""
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()
