"""Writes the golden folders of pairs/, or checks them, with Hugging Face's own classes.

    python generate_pairs.py            # trains and writes every case of pair_cases.py
    python generate_pairs.py bart       # the named cases
    python generate_pairs.py --check    # compares what the committed weights compute with what is there

README.md describes the files. Random weights repeat one token: each model is trained for some seconds to begin with its source's
first word and to go on to one of two others each time. Which one depends on nothing, so that beams have something to weigh.
"""

import argparse
import copy
import dataclasses
import json
import sys
from pathlib import Path

import numpy as np
import torch
import transformers
from safetensors.torch import load_file, save_file

from folders import CHECK_TOLERANCE, HERE, assert_near
from in_f64 import in_f64
from pair_cases import END, PAD, PAIR_CASES, WORDS, PairCase

FOLDERS = HERE / "pairs"
# Written ids stay what they are when every logit is off by this share of the largest, either way.
NOISE = 2e-4
INPUTS = ("input_ids", "attention_mask", "decoder_input_ids", "decoder_attention_mask")


# Words that are written about; the others of a vocabulary never come.
COUNT = 9


def sources(random: np.random.RandomState, shape: tuple[int, int], padding: tuple[int, ...]):
    """Ids and mask (rows, length), i64: words, an end, padding behind it."""
    rows, length = shape
    ids = WORDS + random.randint(0, COUNT, shape)
    mask = np.ones(shape, np.int64)
    for row, count in enumerate(padding or (0,) * rows):
        ids[row, length - count - 1] = END
        ids[row, length - count :] = PAD
        mask[row, length - count :] = 0
    ids[[not count for count in padding or (0,) * rows], -1] = END
    return ids, mask


def written(random: np.random.RandomState, ids: np.ndarray, length: int) -> np.ndarray:
    """A text for each source, (rows, length), padded behind its end: its first word is the source's own, the others each 2 above the
    one before, or 5 in 4 of 10 cases; every third one may be the last."""
    texts = np.full((len(ids), length), PAD)
    for text, word in zip(texts, ids[:, 0] - WORDS):
        end = 0
        for at in range(length - 1):
            text[at], end = WORDS + word, at + 1
            if word % 3 == 0 and random.rand() < 0.5:
                break
            word = (word + (2 if random.rand() < 0.6 else 5)) % COUNT
        text[end : end + 1] = END
    return texts


class Unfit(Exception):
    """A model whose ids another implementation might miss by rounding, or could hit by chance."""


def batch(case: PairCase) -> dict[str, torch.Tensor]:
    """The inputs of the case's run, i64."""
    random = np.random.RandomState(1000 + case.seed)
    ids, mask = sources(random, case.shape, case.padding)
    text = written(random, ids, case.text_length - 1)
    text = np.concatenate([np.full((len(text), 1), PAD), text], axis=1)
    text_mask = np.ones_like(text)
    for row, count in enumerate(case.text_padding):
        text_mask[row, text.shape[1] - count :] = 0
    return dict(zip(INPUTS, map(torch.from_numpy, (ids, mask, text, text_mask))))


def trained(case: PairCase) -> torch.nn.Module:
    """The case's model, trained from its seed."""
    torch.manual_seed(case.seed)
    head = getattr(transformers, case.head)
    model = head(head.config_class(**copy.deepcopy(case.config)))
    with torch.no_grad():
        model.final_logits_bias.normal_(std=0.3)
    random = np.random.RandomState(case.seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=8e-3)
    model.train()
    for step in range(case.steps):
        for group in optimizer.param_groups:
            group["lr"] = 8e-3 * min(1.0, (step + 1) / 20) * (1 - step / case.steps) + 1e-4
        length = case.shape[1]
        ids, mask = sources(random, (16, length), tuple(random.randint(0, max(1, length - 2), 16)))
        labels = written(random, ids, 12)
        labels[labels == PAD] = -100
        ids, mask, labels = map(torch.from_numpy, (ids, mask, labels))
        first = torch.full((len(ids), 1), PAD)
        texts = torch.cat([first, labels[:, :-1].clamp(min=0)], dim=1)
        logits = model(input_ids=ids, attention_mask=mask, decoder_input_ids=texts, use_cache=False).logits
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"{case.name}: loss {loss.item():.3f}", file=sys.stderr)
    return model.eval()


def write_weights(case: PairCase, model: torch.nn.Module, folder: Path) -> None:
    """config.json, generation_config.json and model.safetensors, as the case says."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, value in case.generation.items():
        setattr(model.generation_config, name, value)
    model = copy.deepcopy(model).to(getattr(torch, case.dtype))
    model.save_pretrained(folder)
    tensors = load_file(folder / "model.safetensors")
    if case.stored_positions:
        for side in ("encoder", "decoder"):
            weight = getattr(model.model, side).embed_positions.weight
            tensors[f"model.{side}.embed_positions.weight"] = weight.detach().clone()
    tensors = {name: tensor for name, tensor in tensors.items() if name not in case.without}
    save_file(tensors, folder / "model.safetensors", metadata=dict(format="pt"))
    if not case.own_generation_config:
        (folder / "generation_config.json").unlink()
        path = folder / "config.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | case.generation, indent=2, sort_keys=True) + "\n")


def read_back(case: PairCase, folder: Path) -> torch.nn.Module:
    """The model as Hugging Face reads the folder, in f32."""
    model, report = getattr(transformers, case.head).from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager", output_loading_info=True
    )
    assert not report["missing_keys"] or set(report["missing_keys"]) <= set(case.without), (case.name, report)
    assert model.config._attn_implementation == "eager", case.name
    if not case.own_generation_config:
        # What an older version of the library did when it opened such a folder.
        for name, value in (case.generation | dict(forced_eos_token_id=END)).items():
            setattr(model.generation_config, name, value)
    return model.eval()


def run(model: torch.nn.Module, inputs: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Every output of one forward pass, by the names of the golden files."""
    with torch.no_grad():
        output = model(**inputs, use_cache=False, output_hidden_states=True, output_attentions=True)
    tensors = dict(logits=output.logits)
    for kind in ("encoder_hidden_states", "decoder_hidden_states"):
        tensors |= {f"{kind}.{n}": states for n, states in enumerate(output[kind])}
    for kind in ("encoder_attentions", "decoder_attentions", "cross_attentions"):
        tensors |= {f"{kind}.{n}": weights for n, weights in enumerate(output[kind])}
    return tensors


class Noise(transformers.LogitsProcessor):
    """Puts every logit off."""

    def __init__(self, seed: int) -> None:
        self.random = torch.Generator().manual_seed(seed)

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        largest = scores[scores.isfinite()].abs().max()
        return scores + NOISE * largest * (2 * torch.rand(scores.shape, generator=self.random) - 1)


def generate(model: torch.nn.Module, inputs: dict[str, torch.Tensor], noise: int = 0, **settings) -> torch.Tensor:
    """Ids of each text, start token first, padded behind their ends."""
    given = {name: inputs[name] for name in INPUTS[:2]}
    processors = transformers.LogitsProcessorList([Noise(noise)] if noise else [])
    return model.generate(**given, logits_processor=processors, **settings)


def outputs(model: torch.nn.Module, inputs: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    tensors = run(model, inputs)
    tensors["greedy"] = generate(model, inputs, num_beams=1)
    tensors["beams"] = generate(model, inputs)
    return tensors


def verify(case: PairCase, model: torch.nn.Module, tensors: dict[str, torch.Tensor]) -> None:
    """Near f64; ids that neither rounding nor chance decides."""
    inputs = {name: tensors[name] for name in INPUTS}
    with in_f64():
        twin = copy.deepcopy(model).double()
        if not case.stored_positions and hasattr(twin.model.encoder.embed_positions, "create_weight"):
            for side in (twin.model.encoder, twin.model.decoder):
                side.embed_positions.weight.data.copy_(side.embed_positions.create_weight())
        assert_near(case.name, tensors, run(twin, inputs))
    for seed in range(1, 6):
        for kind, settings in (("greedy", dict(num_beams=1)), ("beams", {})):
            noisy = generate(model, inputs, noise=seed, **settings)
            if not torch.equal(noisy, tensors[kind]):
                raise Unfit(f"{case.name}, seed {case.seed}: {kind} ids hang on rounding")
    for kind in ("greedy", "beams"):
        different = [len(set(row.tolist())) for row in tensors[kind]]
        if min(different) < 3:
            raise Unfit(f"{case.name}, seed {case.seed}: {kind} ids repeat themselves: {tensors[kind].tolist()}")


def found(case: PairCase, folder: Path) -> PairCase:
    """Trains and writes the case's model, from its seed or, where ids hang on rounding there, from the first one after it."""
    for seed in range(case.seed, case.seed + 20):
        tried = dataclasses.replace(case, seed=seed)
        write_weights(tried, trained(tried), folder)
        model, inputs = read_back(tried, folder), batch(tried)
        try:
            verify(tried, model, inputs | outputs(model, inputs))
        except Unfit as unfit:
            print(unfit, file=sys.stderr)
            continue
        if seed != case.seed:
            print(f"{case.name}: write seed {seed} into pair_cases.py", file=sys.stderr)
        return tried
    raise SystemExit(f"{case.name}: no seed found")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="cases to write (all when none is named)")
    parser.add_argument("--check", action="store_true", help="compare with the committed files and write nothing here")
    arguments = parser.parse_args()
    known = {case.name: case for case in PAIR_CASES}
    unknown = [name for name in arguments.names if name not in known]
    if unknown:
        parser.error(f"no such case: {', '.join(unknown)}; there are {', '.join(known)}")

    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    faults, differ = [], 0
    for case in [known[name] for name in arguments.names] or PAIR_CASES:
        folder = FOLDERS / case.name
        if not arguments.check:
            case = found(case, folder)
        model = read_back(case, folder)
        inputs = batch(case)
        tensors = inputs | outputs(model, inputs)
        assert all(tensor.isfinite().all() for tensor in tensors.values()), case.name
        verify(case, model, tensors)
        differ += not torch.equal(tensors["greedy"], tensors["beams"])
        if arguments.check:
            committed = load_file(folder / "expected.safetensors")
            assert committed.keys() == tensors.keys(), case.name
            for name, tensor in tensors.items():
                difference = (committed[name].double() - tensor.double()).abs().max().item()
                if difference > CHECK_TOLERANCE * max(1.0, tensor.double().abs().max().item()):
                    faults.append(f"{case.name} {name}: differs by {difference:.3g}")
        else:
            tensors = {name: tensor.clone(memory_format=torch.contiguous_format) for name, tensor in tensors.items()}
            save_file(tensors, folder / "expected.safetensors")
        print(case.name, tensors["greedy"][0].tolist(), tensors["beams"][0].tolist(), flush=True)
    assert arguments.names or differ, "beams find nothing that greedy decoding misses"
    print("\n".join(faults), file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
