"""Writes the golden folders of decoders/, or checks them, with Hugging Face's own classes.

    python generate_decoders.py            # writes every case of decoder_cases.py
    python generate_decoders.py llama      # writes the named cases
    python generate_decoders.py --check    # compares what would be written with what is there
    python generate_decoders.py --search llama    # the first seed, from the case's own, whose greedy ids are sure

README.md describes the files. Attention is eager and nothing is cached: Hugging Face's cache keeps keys as they were
rotated, which is another model where a rope scaling depends on the length.
"""

import copy
import dataclasses
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
import transformers
from safetensors.torch import load_file, save_file
from transformers import GenerationConfig

from decoder_cases import DECODER_CASES, ROFORMER, DecoderCase
from folders import HERE, assert_near, chosen, fill, parser_of, run, write
from in_f64 import in_f64

FOLDERS = HERE / "decoders"
NEW_TOKENS = 24
# The best logit of a greedy step leads the second by this share of the largest |logit|.
MARGIN = 1e-2
# How many different tokens the continuation of a row must have at least.
LEAST_DIFFERENT = 3
# What is set apart by a configuration must change the logits by this share of the largest |logit|.
EFFECT = 1e-3
TIED = ("lm_head.weight", "decoder.weight", "decoder.bias")
TABLE = "embed_positions.weight"
PAD = 0


class Unfit(Exception):
    """A seed whose greedy continuation another implementation might miss by rounding, or could hit by chance."""


def batch(case: DecoderCase) -> dict[str, torch.Tensor]:
    """The case's input_ids and attention_mask, (rows, length), i64: padded ids are 0, all others are not."""
    rows, length = case.shape
    ids = np.random.RandomState(1000 + case.seed).randint(1, case.config["vocab_size"], (rows, length))
    mask = np.ones((rows, length), np.int64)
    for row, count in enumerate(case.padding):
        if count > 0:
            mask[row, length - count :] = 0
        elif count < 0:
            mask[row, :-count] = 0
    if case.masks:
        ids[:, list(case.masks)] = case.config["mask_token_id"]
    ids = np.where(mask == 1, ids, PAD)
    return dict(input_ids=torch.from_numpy(ids), attention_mask=torch.from_numpy(mask))


def filled(case: DecoderCase) -> torch.nn.Module:
    """The case's model with its seeded weights, in f32."""
    head = getattr(transformers, case.head)
    model = head(head.config_class(**copy.deepcopy(case.config)))
    tied = TIED if model.config.tie_word_embeddings else ()
    fill(model, case.seed, case.scale, (TABLE, *tied))
    return model


def old_buffers(model: torch.nn.Module, names: list[str]) -> dict[str, torch.Tensor]:
    """What older versions stored beside the weights: rounded frequencies; GPT-NeoX also its causal mask.

    Today's classes take none of it, so the rounding changes nothing.
    """
    length = model.config.max_position_embeddings
    buffers = {}
    for layer in range(model.config.num_hidden_layers):
        prefix = next(name for name in names if f"layers.{layer}." in name).split(f"layers.{layer}.")[0]
        attention = "attention" if model.config.model_type == "gpt_neox" else "self_attn"
        prefix = f"{prefix}layers.{layer}.{attention}"
        buffers[f"{prefix}.rotary_emb.inv_freq"] = rotary(model).inv_freq.to(torch.bfloat16).to(torch.float16)
        if model.config.model_type == "gpt_neox":
            buffers[f"{prefix}.bias"] = torch.ones(1, 1, length, length).tril().bool()
            buffers[f"{prefix}.masked_bias"] = torch.tensor(-1e9)
    return buffers


def rotary(model: torch.nn.Module) -> torch.nn.Module:
    """The module that holds a decoder's frequencies."""
    return getattr(model, model.base_model_prefix).rotary_emb


def frequencies(model: torch.nn.Module) -> dict:
    """θ and magnitude of a decoder's ropes."""
    ropes = rotary(model)
    theta = {name: buffer.tolist() for name, buffer in ropes.named_buffers()}
    return theta | {name: value for name, value in vars(ropes).items() if name.endswith("attention_scaling")}


def write_weights(case: DecoderCase, model: torch.nn.Module, folder: Path) -> None:
    """Writes config.json and model.safetensors as save_pretrained does, then changes what the case asks for."""
    stored = copy.deepcopy(model).to(getattr(torch, case.dtype))
    stored.save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    path = folder / "model.safetensors"
    tensors = load_file(path)
    if case.tied_copies:
        tensors |= {name: value.clone() for name, value in stored.state_dict().items() if name.endswith(TIED)}
    for old, new in case.rename:
        tensors = {name.replace(old, new): tensor for name, tensor in tensors.items()}
    if case.old_buffers:
        tensors |= old_buffers(model, sorted(tensors))
    save_file(tensors, path, metadata={"format": "pt"})
    config = json.loads((folder / "config.json").read_text())
    config = {name: value for name, value in config.items() if name not in case.config_without} | case.config_keys
    (folder / "config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")


def read_back(case: DecoderCase, folder: Path) -> torch.nn.Module:
    """The model as Hugging Face reads the folder, in f32."""
    model, report = getattr(transformers, case.head).from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager", output_loading_info=True
    )
    missing = [name for name in report["missing_keys"] if not name.endswith((TABLE, *TIED))]
    assert not missing, f"{case.name}: Hugging Face misses {missing}"
    assert model.config._attn_implementation == "eager", case.name
    return model.eval()


def exact_twin(model: torch.nn.Module) -> torch.nn.Module:
    """The same model with the same weights, made in f64; to be run within in_f64()."""
    with in_f64():
        twin = type(model)(copy.deepcopy(model.config)).eval()
        twin.load_state_dict(model.state_dict())
    return twin


def moved_left(ids: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Every row with all its padding in front, as a batch is continued."""
    rows = []
    for row, kept in zip(ids, mask.bool(), strict=True):
        rows.append(torch.cat([row[~kept], row[kept]]))
    return torch.stack(rows), mask.sort(dim=1).values


def steps(model: torch.nn.Module, ids: torch.Tensor, mask: torch.Tensor) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Goes on with the best token NEW_TOKENS times; after each, all ids so far, and the lead of each row's best logit
    over its second, as a share of the largest |logit|.

    Padding is moved to the left first. Every step runs the whole text; position ids count what is not padding.
    """
    ids, mask = moved_left(ids, mask)
    for _ in range(NEW_TOKENS):
        inputs = dict(input_ids=ids, attention_mask=mask, use_cache=False)
        if model.config.model_type != "roformer":
            inputs["position_ids"] = (mask.cumsum(dim=1) - 1).clamp(min=0)
        with torch.no_grad():
            logits = model(**inputs).logits[:, -1]
        best = logits.topk(2, dim=-1)
        ids = torch.cat([ids, best.indices[:, :1]], dim=1)
        mask = torch.cat([mask, torch.ones_like(mask[:, :1])], dim=1)
        yield ids, (best.values[:, 0] - best.values[:, 1]) / logits.abs().amax(dim=-1)


def greedy(model: torch.nn.Module, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """(rows, length + NEW_TOKENS): the greedy continuation, when it is one to compare with."""
    for continued, lead in steps(model, ids, mask):
        if lead.min().item() < MARGIN:
            raise Unfit(f"leads by {lead.min().item():.2g} with {continued.shape[1]} tokens")
    if min(row.unique().numel() for row in continued[:, -NEW_TOKENS:]) < LEAST_DIFFERENT:
        raise Unfit("one token over and over")
    return continued


def generated(model: torch.nn.Module, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """The same by Hugging Face's own generate(), which no token ends."""
    ids, mask = moved_left(ids, mask)
    model.generation_config = GenerationConfig(
        do_sample=False, max_new_tokens=NEW_TOKENS, use_cache=False, pad_token_id=PAD, eos_token_id=None
    )
    return model.generate(input_ids=ids, attention_mask=mask)


def without(case: DecoderCase, model: torch.nn.Module) -> list[torch.nn.Module]:
    """The same weights in models without what the case's configuration asks for: the scaling, the window."""
    config = model.config
    others = []
    rope = getattr(config, "rope_parameters", None)
    if rope and "full_attention" in rope:
        plain = copy.deepcopy(config)
        plain.rope_parameters["full_attention"] = copy.deepcopy(rope["sliding_attention"])
        others.append(plain)
    elif rope and rope["rope_type"] != "default":
        plain = copy.deepcopy(config)
        plain.rope_parameters = dict(rope_type="default", rope_theta=rope["rope_theta"])
        if config.model_type == "gpt_neox":
            plain.rope_parameters["partial_rotary_factor"] = rope["partial_rotary_factor"]
        others.append(plain)
    window = getattr(config, "sliding_window", None)
    if window is not None and window < case.shape[1]:
        plain = copy.deepcopy(config)
        # Gemma's layers have a rope by their type: it must stay.
        layered = "full_attention" in (rope or {})
        plain.sliding_window = 1000 if layered else None
        if hasattr(config, "layer_types") and not layered:
            plain.layer_types = ["full_attention"] * config.num_hidden_layers
        others.append(plain)
    models = [type(model)(plain).eval() for plain in others]
    for other in models:
        other.load_state_dict(model.state_dict())
    return models


def verify(case: DecoderCase, model: torch.nn.Module, tensors: dict[str, torch.Tensor]) -> None:
    """What must hold of every case: near f64, as generate() says, and not the same without what it is about."""
    inputs = {name: tensors[name] for name in ("input_ids", "attention_mask")}
    twin = exact_twin(model)
    with in_f64():
        assert_near(case.name, tensors, run(twin, inputs | dict(use_cache=False)))
    own = generated(copy.deepcopy(model), **{"ids": inputs["input_ids"], "mask": inputs["attention_mask"]})
    assert torch.equal(own, tensors["greedy"]), f"{case.name}: generate() goes on otherwise"
    whole = dict(input_ids=tensors["greedy"], use_cache=False)
    logits = run(copy.deepcopy(model), whole)["logits"]
    for other in without(case, model):
        change = (run(other, whole)["logits"] - logits).abs().max().item()
        # Below its border a scaling that follows the length changes nothing.
        if case.name != "rope_dynamic_below":
            assert change > EFFECT * logits.abs().max().item(), f"{case.name}: changes logits by {change:.2g}"
    weights = tensors["attentions.0"].transpose(1, 2)[keyless(model, tensors["attention_mask"])]
    assert torch.allclose(weights, torch.full_like(weights, 1 / case.shape[1])), f"{case.name}: rows without keys"


def keyless(model: torch.nn.Module, mask: torch.Tensor) -> torch.Tensor:
    """Which (row, query) of the first layer have no key left: all padding, ahead, or before the window."""
    length = mask.shape[1]
    window = length
    if "sliding_attention" in getattr(model.config, "layer_types", ["sliding_attention"])[0]:
        window = getattr(model.config, "sliding_window", None) or length
    distance = torch.arange(length)[:, None] - torch.arange(length)[None, :]
    seen = (distance >= 0) & (distance < window)
    return ~(seen[None] & mask.bool()[:, None, :]).any(dim=-1)


def make(case: DecoderCase, folder: Path) -> tuple[torch.nn.Module, dict[str, torch.Tensor]]:
    """Writes one case into `folder`. Returns the model as Hugging Face reads it back, unused, and what it computes."""
    folder.mkdir(parents=True, exist_ok=True)
    made = filled(case)
    write_weights(case, made, folder)
    model = read_back(case, folder)
    if case.head != ROFORMER:
        # Keys of config.json that are read otherwise than they were meant would be found here.
        assert frequencies(model) == frequencies(made), case.name
    inputs = batch(case)
    # Frequencies that follow the length are kept in the model: each use takes a fresh copy.
    outputs = run(copy.deepcopy(model), inputs | dict(use_cache=False))
    outputs["greedy"] = greedy(copy.deepcopy(model), inputs["input_ids"], inputs["attention_mask"])
    assert all(tensor.isfinite().all() for tensor in outputs.values()), case.name
    tensors = inputs | outputs
    save_file(
        {name: tensor.clone(memory_format=torch.contiguous_format) for name, tensor in tensors.items()},
        folder / "expected.safetensors",
    )
    return model, tensors


def search(case: DecoderCase) -> int:
    """The first seed, from the case's own, whose greedy continuation is fit."""
    for seed in range(case.seed, case.seed + 10_000):
        tried = dataclasses.replace(case, seed=seed)
        with tempfile.TemporaryDirectory() as temporary:
            try:
                make(tried, Path(temporary))
            except Unfit:
                continue
        return seed
    raise SystemExit(f"{case.name}: no seed found")


def write_case(case: DecoderCase, folder: Path) -> None:
    verify(case, *make(case, folder))


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--search", action="store_true", help="print the first seed whose greedy ids are sure")
    arguments = parser.parse_args()
    cases = chosen(parser, arguments.names, DECODER_CASES)
    if not arguments.search:
        return write(cases, FOLDERS, arguments.check, write_case)
    for case in cases:
        print(case.name, search(case), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
