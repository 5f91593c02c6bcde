"""Makes tokenizer.json of a Marian model's SentencePiece files, beside them: what the page and the command line read texts with.

    python marian_tokenizer.py FOLDER    # source.spm, vocab.json, and target.spm for pieces of the target alone

The same pieces as Hugging Face's MarianTokenizer, whose ids are vocab.json's, without the sacremoses package's way of writing
punctuation. One vocabulary for both languages; a folder with target_vocab.json is refused.
"""

import argparse
import json
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

from tokenizers import AddedToken, Regex, Tokenizer, decoders, normalizers, pre_tokenizers, processors
from tokenizers.models import Unigram

END, UNKNOWN, PADDING = "</s>", "<unk>", "<pad>"
# Of a piece that only the target's model knows: never better than one of the source's.
LEAST = -100.0


def fields(message: bytes) -> Iterator[tuple[int, bytes | int]]:
    """Numbers and values of a protobuf message's fields."""
    at = 0

    def number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    while at < len(message):
        key = number()
        match key & 7:
            case 0:
                yield key >> 3, number()
            case 1 | 5 as kind:
                size = 8 if kind == 1 else 4
                yield key >> 3, message[at : at + size]
                at += size
            case 2:
                size = number()
                yield key >> 3, message[at : at + size]
                at += size
            case other:
                raise SystemExit(f"a field of kind {other}: this is no SentencePiece model")


def model(path: Path) -> tuple[dict[str, float], bytes]:
    """Pieces with their scores, and the table that texts are normalised by."""
    pieces, table = {}, b""
    for number, value in fields(path.read_bytes()):
        if number == 1:
            piece = dict(fields(value))
            pieces[piece[1].decode()] = struct.unpack("<f", piece.get(2, bytes(4)))[0]
        elif number == 2 and dict(fields(value)).get(3, 1) != 1:
            raise SystemExit(f"{path}: is no unigram model")
        elif number == 3:
            table = dict(fields(value)).get(2, b"")
    return pieces, table


def tokenizer(folder: Path) -> Tokenizer:
    if (folder / "target_vocab.json").exists():
        raise SystemExit(f"{folder}: has a vocabulary for each language, which one tokenizer.json cannot hold")
    pieces, table = model(folder / "source.spm")
    vocabulary = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
    tokens = sorted(vocabulary, key=vocabulary.get)
    if [vocabulary[token] for token in tokens] != list(range(len(tokens))):
        raise SystemExit(f"{folder / 'vocab.json'}: ids are not 0, 1, 2 …")
    scores = [(token, pieces.get(token, LEAST)) for token in tokens]
    made = Tokenizer(Unigram(scores, unk_id=vocabulary[UNKNOWN], byte_fallback=False))
    steps = [normalizers.Precompiled(table)] if table else []
    steps += [normalizers.Strip(left=False, right=True), normalizers.Replace(Regex(" {2,}"), " ")]
    made.normalizer = normalizers.Sequence(steps)
    made.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    made.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="always")
    made.post_processor = processors.TemplateProcessing(single=f"$A {END}", special_tokens=[(END, vocabulary[END])])
    codes = [token for token in tokens if token.startswith(">>") and token.endswith("<<")]
    special = [token for token in (END, UNKNOWN, PADDING) if token in vocabulary]
    made.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in special + codes])
    return made


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    tokenizer(folder).save(str(folder / "tokenizer.json"))
    print(folder / "tokenizer.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
