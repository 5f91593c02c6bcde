"""A text as one stream of token ids, kept on disk so that it is tokenised once."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer
from tqdm import tqdm

from ropescope_training.text import books, fingerprint

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


@dataclass(frozen=True)
class Vocabulary:
    """The special tokens of a tokenizer.json, and the ids that stand for text."""

    size: int
    pad: int
    cls: int
    sep: int
    mask: int
    special: np.ndarray  # ids, sorted
    ordinary: np.ndarray  # every other id, sorted

    @staticmethod
    def read(tokenizer: Tokenizer) -> "Vocabulary":
        ids = {token: tokenizer.token_to_id(token) for token in SPECIAL}
        missing = [token for token, value in ids.items() if value is None]
        if missing:
            raise SystemExit(f"the tokenizer has no {', '.join(missing)}")
        if tokenizer.encode("a").tokens[:1] != ["[CLS]"] or tokenizer.encode("a").tokens[-1:] != ["[SEP]"]:
            raise SystemExit("the tokenizer has no [CLS] … [SEP] template")
        size = tokenizer.get_vocab_size()
        special = np.array(sorted(ids.values()))
        ordinary = np.setdiff1d(np.arange(size), special)
        return Vocabulary(size, ids["[PAD]"], ids["[CLS]"], ids["[SEP]"], ids["[MASK]"], special, ordinary)


@dataclass(frozen=True)
class Corpus:
    """The token ids of all books in order, each book ending in [SEP].

    `paragraphs` and `books` hold the index in `ids` at which each begins; `characters` has one count for each book.
    """

    ids: np.ndarray
    paragraphs: np.ndarray
    books: np.ndarray
    characters: np.ndarray
    sha256: str  # of the text file

    def book(self, number: int) -> np.ndarray:
        """The ids of one book; negative numbers count from the last."""
        number %= len(self.books)
        end = self.books[number + 1] if number + 1 < len(self.books) else len(self.ids)
        return np.asarray(self.ids[self.books[number] : end], dtype=np.int64)

    def before_book(self, number: int) -> int:
        """How many ids come before a book; negative numbers count from the last."""
        return int(self.books[number % len(self.books)]) if number else len(self.ids)


def load_tokenizer(folder: Path) -> Tokenizer:
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise SystemExit(f"{folder} has no tokenizer.json")
    return Tokenizer.from_file(str(path))


def read_corpus(text: Path, tokenizer_folder: Path, cache: Path) -> Corpus:
    """Tokenises a text, or reads what an earlier call left in the cache."""
    tokenizer = load_tokenizer(tokenizer_folder)
    folder = cache / fingerprint(text, tokenizer_folder / "tokenizer.json")[:16]
    if not (folder / "ids.npy").is_file():
        write_tokens(text, tokenizer, folder)
    # The ids stay on disk: a large text is larger than memory.
    arrays = {name: np.load(folder / f"{name}.npy") for name in ("paragraphs", "books", "characters")}
    return Corpus(ids=np.load(folder / "ids.npy", mmap_mode="r"), sha256=fingerprint(text), **arrays)


def write_tokens(text: Path, tokenizer: Tokenizer, folder: Path) -> None:
    separator = tokenizer.token_to_id("[SEP]")
    dtype = np.uint16 if tokenizer.get_vocab_size() <= 1 << 16 else np.uint32
    pieces, paragraphs, starts, characters = [], [], [], []
    length = 0
    for book in tqdm(books(text), desc="tokenising", unit=" books", mininterval=1):
        starts.append(length)
        characters.append(sum(map(len, book)))
        for encoding in tokenizer.encode_batch_fast(book, add_special_tokens=False):
            paragraphs.append(length)
            pieces.append(np.array(encoding.ids, dtype))
            length += len(encoding.ids)
        pieces.append(np.array([separator], dtype))
        length += 1
    if not pieces:
        raise SystemExit(f"{text} holds no text")
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "paragraphs.npy", np.array(paragraphs, np.int64))
    np.save(folder / "books.npy", np.array(starts, np.int64))
    np.save(folder / "characters.npy", np.array(characters, np.int64))
    # Written last and renamed: a run that was cut short leaves no ids.npy.
    np.save(folder / "unfinished.npy", np.concatenate(pieces))
    (folder / "unfinished.npy").rename(folder / "ids.npy")
