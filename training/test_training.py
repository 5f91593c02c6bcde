"""The scripts on a tiny text: the loss falls, an interrupted run goes on as if it had not been, and the files load.

    python -m pytest training        # a few minutes; `cargo xtask test --training` makes the environment and calls it

The command line's program is taken from the variable ROPESCOPE, else from target/debug.
"""

import itertools
import json
import lzma
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from safetensors.torch import load_file
from tokenizers import Tokenizer

from ropescope_training.batches import IGNORED, Lengths, Rows, generator, mask_tokens
from ropescope_training.linear_attention import attention_of
from ropescope_training.model_files import read_model
from ropescope_training.packing import pack, unpack
from ropescope_training.positions import give_positions, positioned_output, sinusoids
from ropescope_training.schedule import Budget, learning_rate
from ropescope_training.scoring import questions, score
from ropescope_training.text import books
from ropescope_training.tokens import Vocabulary, read_corpus

HERE = Path(__file__).parent
TOKENIZER = HERE.parent / "models" / "roformer-english"
SIZE = "--layers 2 --heads 4 --hidden 64 --embedding 32 --positions 64 --lengths 32,64 --tokens-per-step 1024".split()
COURSE = "--steps 60 --learning-rate 5e-3 --validate-every 15 --validation-rows 16 --device cpu --threads 1".split()


@pytest.fixture(scope="session")
def text(tmp_path_factory) -> Path:
    """Four small books of sentences of one pattern, so that there is something to learn in a minute."""
    draw = random.Random(0)
    people = ["the captain", "my sister", "the old doctor", "a stranger", "the king", "her father"]
    acts = ["opened", "closed", "painted", "bought", "found", "lost"]
    things = ["the door", "a letter", "the house", "the book", "a horse", "the ship"]
    whens = ["in the morning", "at night", "before dinner", "on sunday"]

    def sentence() -> str:
        return " ".join(draw.choice(part) for part in (people, acts, things, whens)).capitalize() + "."

    volumes = [[" ".join(sentence() for _ in range(4)) for _ in range(120)] for _ in range(4)]
    path = tmp_path_factory.mktemp("text") / "books.txt"
    path.write_text("\n\n".join("\n".join(volume) for volume in volumes) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def workplace(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("runs")


def script(name: str, *arguments: object) -> str:
    """Runs a script and returns what it prints; fails with its errors."""
    command = [sys.executable, str(HERE / name), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def train(name: str, text: Path, output: Path, *more: object) -> Path:
    files = ("--text", text, "--tokenizer", TOKENIZER, "--output", output, "--cache", output.parent / "cache")
    script(name, *files, *SIZE, *COURSE, *more)
    return output


@pytest.fixture(scope="session")
def masked(text: Path, workplace: Path) -> Path:
    return train("train_mlm.py", text, workplace / "masked")


@pytest.fixture(scope="session")
def causal(text: Path, workplace: Path) -> Path:
    return train("train_clm.py", text, workplace / "causal")


def training_of(folder: Path) -> dict:
    return json.loads((folder / "training.json").read_text(encoding="utf-8"))


def program() -> str:
    found = os.environ.get("ROPESCOPE") or HERE.parent / "target" / "debug" / "ropescope"
    assert Path(found).is_file(), f"{found} is not there: cargo build, or set ROPESCOPE"
    return str(found)


def test_compressed_text_reads_as_plain_text(text: Path, tmp_path: Path):
    compressed = tmp_path / "books.txt.xz"
    compressed.write_bytes(lzma.compress(text.read_bytes()))
    assert list(books(compressed)) == list(books(text))
    assert [len(book) for book in books(text)] == [120] * 4


def test_tokens_are_those_of_the_tokenizer(text: Path, tmp_path: Path):
    corpus = read_corpus(text, TOKENIZER, tmp_path)
    tokenizer = Tokenizer.from_file(str(TOKENIZER / "tokenizer.json"))
    paragraphs = next(itertools.islice(books(text), 2, None))
    expected = [id for part in paragraphs for id in tokenizer.encode(part, add_special_tokens=False).ids]
    assert corpus.book(2).tolist() == [*expected, tokenizer.token_to_id("[SEP]")]
    assert corpus.characters[2] == sum(map(len, paragraphs))
    assert corpus.before_book(-1) == len(corpus.ids) - len(corpus.book(-1))
    again = read_corpus(text, TOKENIZER, tmp_path)
    assert np.array_equal(again.ids, corpus.ids)


def test_rows_cover_the_text_evenly():
    rows = Rows(np.arange(1000), np.arange(0, 1000, 50), seed=3)
    drawn = rows.draw(0, 400, 10)
    assert (np.diff(drawn, axis=1) == 1).all()
    assert np.array_equal(drawn[100:120], rows.draw(100, 20, 10)), "rows depend on their number alone"
    # Rows of even number begin anywhere: each tenth of the text gets its share.
    assert np.histogram(drawn[::2, 0], 10, (0, 991))[0].min() >= 15
    assert (drawn[1::2, 0] % 50 == 0).mean() > 0.9, "rows of odd number begin where a paragraph does"


def test_masking_picks_and_replaces_as_bert_does():
    vocabulary = Vocabulary.read(Tokenizer.from_file(str(TOKENIZER / "tokenizer.json")))
    content = np.full((200, 200), 1234)
    content[:, ::10] = vocabulary.sep
    inputs, labels = mask_tokens(content, vocabulary, generator(1), 0.15)
    picked = labels != IGNORED
    assert (content[picked] == 1234).all() and (labels[picked] == 1234).all()
    assert (inputs[~picked] == content[~picked]).all()
    assert abs(picked[content == 1234].mean() - 0.15) < 0.01
    assert abs((inputs[picked] == vocabulary.mask).mean() - 0.8) < 0.02
    assert abs((inputs[picked] == 1234).mean() - 0.1) < 0.02
    assert not np.isin(inputs[picked & (inputs != vocabulary.mask)], vocabulary.special).any()


def test_every_length_has_its_share_of_steps():
    lengths = Lengths((32, 64), (3.0, 1.0), 1024, seed=0)
    drawn = [lengths.of(step) for step in range(400)]
    assert {rows * length for rows, length in drawn} == {1024}
    assert abs(sum(length == 32 for _, length in drawn) / 400 - 0.75) < 0.08


def test_the_rate_warms_up_and_falls():
    rates = [learning_rate(part / 100, 1.0, 0.1) for part in range(101)]
    assert rates[0] == 0 and rates[10] == 1 and abs(rates[100] - 0.02) < 1e-9
    assert rates[:11] == sorted(rates[:11]) and rates[10:] == sorted(rates[10:], reverse=True)
    assert Budget(100, 1.0).progress(10, 30.0) == 0.5
    assert Budget(100, None).progress(150, 0.0) == 1.0


@pytest.mark.parametrize("kind", ["masked", "causal"])
def test_the_loss_falls(kind: str, request):
    curve = training_of(request.getfixturevalue(kind))["curve"]
    assert [point["step"] for point in curve] == [15, 30, 45, 60]
    assert curve[-1]["valid"] < curve[0]["valid"] - 1
    assert curve[-1]["train"] < curve[0]["train"] - 1


@pytest.mark.parametrize(("kind", "name"), [("masked", "train_mlm.py"), ("causal", "train_clm.py")])
def test_an_interrupted_run_goes_on_as_if_it_had_not_been(kind: str, name: str, text: Path, workplace: Path, request):
    whole = request.getfixturevalue(kind)
    parts = workplace / f"{kind}-in-parts"
    train(name, text, parts, "--pause-at-step", 20)
    assert not (parts / "model.safetensors").exists()
    train(name, text, parts, "--pause-at-step", 45)
    train(name, text, parts)

    def curve(folder: Path) -> list[dict]:
        return [{**point, "seconds": 0} for point in training_of(folder)["curve"]]

    assert curve(parts) == curve(whole)
    one, other = load_file(whole / "model.safetensors"), load_file(parts / "model.safetensors")
    assert one.keys() == other.keys()
    assert all(torch.equal(one[tensor], other[tensor]) for tensor in one), "the weights differ in some bit"


def test_a_checkpoint_of_another_run_is_refused(text: Path, workplace: Path):
    output = workplace / "refused"
    train("train_mlm.py", text, output, "--pause-at-step", 2)
    files = ("--text", text, "--tokenizer", TOKENIZER, "--output", output, "--cache", workplace / "cache")
    command = [sys.executable, str(HERE / "train_mlm.py"), *map(str, files), *SIZE, *COURSE, "--seed", "9"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode != 0 and "another" in done.stderr and "seed" in done.stderr


def test_a_run_can_go_on_from_a_model(masked: Path, text: Path, workplace: Path):
    output = workplace / "continued"
    train("train_mlm.py", text, output, "--start", masked, "--seed", "5")
    assert training_of(output)["curve"][0]["train"] < training_of(masked)["curve"][-1]["train"] + 0.5
    assert "from the weights of masked" in (output / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("kind", "head"), [("masked", "RoFormerForMaskedLM"), ("causal", "RoFormerForCausalLM")])
def test_the_files_are_complete(kind: str, head: str, request):
    folder = request.getfixturevalue(kind)
    config = json.loads((folder / "config.json").read_text())
    assert config["architectures"] == [head] and config["is_decoder"] == (kind == "causal")
    tensors = load_file(folder / "model.safetensors")
    assert {tensor.dtype for tensor in tensors.values()} == {torch.float16}
    assert not any("embed_positions" in name for name in tensors)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    assert tokenizer.encode("the door").tokens == ["[CLS]", "the", "door", "[SEP]"]
    pieces = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    assert [tokenizer.token_to_id(piece) for piece in pieces] == list(range(tokenizer.get_vocab_size()))
    assert sum(tensor.numel() for tensor in tensors.values()) == training_of(folder)["model"]["parameters"]
    _, report = getattr(transformers, head).from_pretrained(folder, output_loading_info=True)
    assert not report["unexpected_keys"]
    assert all("embed_positions" in name or "decoder" in name for name in report["missing_keys"])


def test_scores_are_independent_of_batches_and_padding(masked: Path, text: Path, workplace: Path):
    """The protocol's losses equal those of single rows without any padding."""
    corpus = read_corpus(text, masked, workplace / "cache")
    vocabulary = Vocabulary.read(Tokenizer.from_file(str(masked / "tokenizer.json")))
    model = transformers.RoFormerForMaskedLM.from_pretrained(masked, dtype=torch.float32).eval()
    inputs, labels = questions(corpus.book(-1)[:101], vocabulary, False, 0, 0.15)
    scored = score(model, inputs, labels, 32, vocabulary)
    assert len(scored.losses) == (labels != IGNORED).sum()
    alone = []
    for start in range(0, 101, 30):
        row, asked = inputs[start : start + 30], labels[start : start + 30]
        ids = torch.tensor([[vocabulary.cls, *row, vocabulary.sep]])
        with torch.no_grad():
            chances = model(ids).logits[0, 1:-1].log_softmax(-1)
        alone += [-chances[at, label].item() for at, label in enumerate(asked) if label != IGNORED]
    assert np.allclose(scored.losses, alone, atol=1e-4)


def test_evaluation_heads_and_card(masked: Path, causal: Path, text: Path, workplace: Path):
    shared = ("--text", text, "--cache", workplace / "cache", "--book-name", "Book Four")
    printed = script("evaluate.py", masked, *shared, "--lengths", "32,64", "--write")
    assert "length" not in printed and "64: loss" in printed
    script("evaluate.py", causal, *shared, "--lengths", "64", "--write", "--json", workplace / "figures.json")
    scores = training_of(masked)["evaluations"]
    assert [entry["length"] for entry in scores] == [32, 64]
    assert scores[0]["targets"] == scores[1]["targets"]
    untrained = script("evaluate.py", TOKENIZER, masked, *shared, "--lengths", "64")
    assert "standard error" in untrained
    for folder in (masked, causal):
        script("describe_heads.py", folder, *shared, "--rows", "10", "--length", "32")
        heads = json.loads((folder / "heads.json").read_text(encoding="utf-8"))["heads"]
        assert [(head["layer"], head["head"]) for head in heads] == [
            (layer, head) for layer in (0, 1) for head in range(4)
        ]
        for head in heads:
            assert 0 <= head["previous"] + head["next"] + head["same"] + head["special"] <= 1 + 1e-3
            assert 0 <= head["entropy"] <= np.log(32)
            assert folder is masked or head["next"] == 0
            assert head["largest"] >= max(head[name] for name in ("previous", "next", "same", "first"))
            assert 0 < head["concentration"] <= 1 and -1 <= head["correlation"] <= 1
            assert 0 <= head["induction"] <= 1 and head["first"] <= head["special"] + 1e-3
        known = "".join((folder / name).read_text(encoding="utf-8") for name in ("training.json", "heads.json"))
        known_numbers = set(re.findall(r"\d+(?:\.\d+)?(?:e-?\d+)?", known))
        said = (folder / "README.md").read_text(encoding="utf-8")
        said = said.replace("f16", "").replace("counted from 0", "")
        assert set(re.findall(r"\d+(?:\.\d+)?(?:e-?\d+)?", said)) <= known_numbers
        assert "Book Four" in said and "| 1 | 3 |" in said


def test_held_out_rows_are_those_of_the_evaluation(masked: Path, causal: Path, text: Path, workplace: Path):
    shared = ("--text", text, "--cache", workplace / "cache", "--book-name", "Book Four", "--length", "32")
    printed = script("held_out.py", masked, *shared, "--rows", "9")
    held_out = json.loads((masked / "held-out.json").read_text(encoding="utf-8"))
    assert f"9 rows, {held_out['masked_tokens']} masked tokens, loss {held_out['loss']}" in printed
    vocabulary = Vocabulary.read(Tokenizer.from_file(str(TOKENIZER / "tokenizer.json")))
    assert held_out["special"] == {"first": vocabulary.cls, "last": vocabulary.sep, "mask": vocabulary.mask}
    ids = unpack(held_out["ids"], held_out["bits"], 9 * 30).reshape(9, 30)
    picked = unpack(held_out["masked"], 1, 9 * 30).reshape(9, 30) == 1
    book = read_corpus(text, TOKENIZER, workplace / "cache").book(-1)[:-1]
    _, labels = questions(book, vocabulary, False, 0, 0.15)
    rows, places = len(book) // 30, []
    for row, mask in zip(ids, picked, strict=True):
        places += [at for at in range(rows) if (book[at * 30 : at * 30 + 30] == row).all()
                   and ((labels[at * 30 : at * 30 + 30] != IGNORED) == mask).all()]
    assert sorted(places) == list(np.linspace(0, rows - 1, 9).astype(int))
    # Any first rows are spread over the book.
    assert max(places[:3]) - min(places[:3]) > rows / 3
    shown = np.where(picked, vocabulary.mask, ids)
    asked = np.where(picked, ids, IGNORED)
    loss = score(read_model(masked), shown.ravel(), asked.ravel(), 32, vocabulary).loss
    assert abs(loss - held_out["loss"]) < 1e-4
    with pytest.raises(AssertionError, match="fills no masks"):
        script("held_out.py", causal, *shared)


@pytest.mark.parametrize("bits", [1, 7, 8, 13])
def test_packed_numbers_come_back(bits: int):
    numbers = np.random.default_rng(bits).integers(0, 1 << bits, 101)
    assert (unpack(pack(numbers, bits), bits, 101) == numbers).all()
    with pytest.raises(ValueError, match="no room"):
        pack(np.array([1 << bits]), bits)


def run_program(folder: Path, ids: list[int], output: Path) -> dict[str, torch.Tensor]:
    row = ",".join(map(str, ids))
    command = [program(), "run", "--model", str(folder), "--ids", row, "--backend", "cpu", "--output", str(output)]
    done = subprocess.run([*command, "--taps", "attentions"], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return load_file(output)


@pytest.mark.parametrize("kind", ["masked", "causal"])
def test_ropescope_computes_the_same(kind: str, request, tmp_path: Path):
    folder = request.getfixturevalue(kind)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    ids = tokenizer.encode("The old doctor [MASK] the door in the morning. My sister lost a [MASK].").ids
    head = transformers.RoFormerForMaskedLM if kind == "masked" else transformers.RoFormerForCausalLM
    model = head.from_pretrained(folder, dtype=torch.float32).eval()
    with torch.no_grad():
        expected = model(torch.tensor([ids]), output_attentions=True)
    actual = run_program(folder, ids, tmp_path / "out.safetensors")
    for name, reference in (("logits", expected.logits), ("attentions.1", expected.attentions[1])):
        difference = (actual[name] - reference).abs().max().item()
        assert difference <= 1e-5 * max(1.0, reference.abs().max().item()), name


def test_fill_mask_agrees(masked: Path):
    sentence = "The old doctor [MASK] the door in the morning. My sister lost a [MASK]."
    command = [program(), "fill-mask", "--model", str(masked), "--text", sentence, "--backend", "cpu", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    tokenizer = Tokenizer.from_file(str(masked / "tokenizer.json"))
    ids = torch.tensor([tokenizer.encode(sentence).ids])
    model = transformers.RoFormerForMaskedLM.from_pretrained(masked, dtype=torch.float32).eval()
    with torch.no_grad():
        chances = model(ids).logits[0].softmax(-1)
    asked = (ids[0] == tokenizer.token_to_id("[MASK]")).nonzero().flatten().tolist()
    answers = json.loads(done.stdout)
    assert [answer["position"] for answer in answers] == asked
    for position, answer in zip(asked, answers, strict=True):
        best = chances[position].topk(5)
        assert [fill["id"] for fill in answer["fills"]] == best.indices.tolist()
        assert np.allclose([fill["probability"] for fill in answer["fills"]], best.values, atol=1e-5)


def test_the_kinds_of_positions_differ_in_nothing_else():
    config = dict(vocab_size=50, embedding_size=16, hidden_size=16, num_hidden_layers=1, num_attention_heads=2)
    config |= dict(intermediate_size=16, max_position_embeddings=40)
    ids = torch.randint(5, 50, (2, 12), generator=torch.Generator().manual_seed(0))
    ones = torch.ones_like(ids)

    def model(kind: str) -> torch.nn.Module:
        torch.manual_seed(4)
        made = transformers.RoFormerForMaskedLM(transformers.RoFormerConfig(**config)).eval()
        give_positions(made, kind, 20)
        return made

    rotary = model("rotary")
    with torch.no_grad():
        assert torch.equal(positioned_output(rotary, ids, ones), rotary.roformer(ids, attention_mask=ones)[0])
        for kind in ("sinusoidal", "learned"):
            absolute = model(kind)
            shifted = positioned_output(absolute, ids, ones)
            # Without the added vectors nothing tells the order: a permuted row gives a permuted output.
            absolute.absolute_positions.zero_()
            bare, turned = (positioned_output(absolute, row, ones) for row in (ids, ids.flip(1)))
            assert torch.allclose(bare, turned.flip(1), atol=1e-6)
            assert not torch.allclose(shifted, bare, atol=1e-3)
    assert torch.allclose(sinusoids(3, 4)[2], torch.tensor([np.sin(2), np.cos(2), np.sin(0.02), np.cos(0.02)]).float())


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("positions", ("rotary", "sinusoidal", "learned")),
        ("attentions", ("softmax rotary", "linear rotary", "linear unrotated")),
    ],
)
def test_kinds_are_compared(name: str, kinds: tuple[str, ...], text: Path, workplace: Path):
    output = workplace / name
    arguments = ["--text", text, "--tokenizer", TOKENIZER, "--output", output, "--cache", workplace / "cache"]
    arguments += "--steps 6 --layers 1 --heads 2 --hidden 16 --embedding 16 --lengths 32 --tokens-per-step 256".split()
    arguments += "--validate-every 3 --validation-rows 4 --seeds 0,1 --read-lengths 16,32,64 --read-tokens 900".split()
    arguments += ["--threads", "1", "--device", "cpu"]
    script(f"compare_{name}.py", *arguments)
    report = json.loads((output / f"{name}.json").read_text(encoding="utf-8"))
    assert [(run["kind"], run["seed"]) for run in report["runs"]] == [(kind, seed) for seed in (0, 1) for kind in kinds]
    assert len({json.dumps(run["curve"]) for run in report["runs"]}) == 6
    for kind, found in report["summary"].items():
        assert (found["loss_by_length"]["64"] is None) == (kind == "learned")
        assert found["loss_by_length"]["32"]["mean"] > 0
        assert found["validation_loss"]["least"] <= found["validation_loss"]["most"]
    assert (output / f"{name}.svg").read_text(encoding="utf-8").count(kinds[0]) >= 1
    # A second call reads what is there and draws the same.
    before = (output / f"{name}.svg").read_bytes()
    script(f"compare_{name}.py", *arguments)
    assert (output / f"{name}.svg").read_bytes() == before


def test_a_softmax_model_goes_on_with_linear_attention(masked: Path, text: Path, workplace: Path):
    output = workplace / "linear"
    train("train_mlm.py", text, output, "--attention", "linear", "--start", masked)
    assert json.loads((output / "config.json").read_text())["attention"] == "linear"
    assert "attention" not in json.loads((masked / "config.json").read_text())
    model = read_model(output)
    assert attention_of(model) == "linear" and attention_of(read_model(masked)) == "softmax"
    curve = training_of(output)["curve"]
    assert curve[-1]["valid"] < curve[0]["valid"]
    said = (output / "README.md").read_text(encoding="utf-8")
    assert "linear attention" in said and "from the weights of masked" in said
    shared = ("--text", text, "--cache", workplace / "cache", "--book-name", "Book Four")
    script("evaluate.py", output, *shared, "--lengths", "64", "--write")
    # It goes on being linear unasked, and its weights are no probabilities to describe.
    train("train_mlm.py", text, workplace / "linear-on", "--start", output)
    assert attention_of(read_model(workplace / "linear-on")) == "linear"
    with pytest.raises(AssertionError, match="attends linearly"):
        script("describe_heads.py", output, *shared)
