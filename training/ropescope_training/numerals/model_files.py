"""The encoder–decoder that writes numbers out, as files in Hugging Face's form."""

import copy
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import nn
from transformers import GenerationConfig, MarianConfig, MarianMTModel

from ropescope_training.model_files import write_json
from ropescope_training.numerals.card import write_card
from ropescope_training.numerals.tokens import END, PAD, UNKNOWN

# Room for sources and targets; the sinusoids go on to any length.
POSITIONS = 64


def new_model(tokenizer: Tokenizer, seed: int, layers: int, heads: int, hidden: int, intermediate: int) -> nn.Module:
    """A MarianMTModel with random weights of that seed, without dropout; the settings that Marian's models have."""
    torch.manual_seed(seed)
    pad, end = tokenizer.token_to_id(PAD), tokenizer.token_to_id(END)
    config = MarianConfig(
        vocab_size=tokenizer.get_vocab_size(),
        max_position_embeddings=POSITIONS,
        d_model=hidden,
        encoder_layers=layers,
        decoder_layers=layers,
        encoder_attention_heads=heads,
        decoder_attention_heads=heads,
        encoder_ffn_dim=intermediate,
        decoder_ffn_dim=intermediate,
        activation_function="swish",
        dropout=0.0,
        scale_embedding=True,
        init_std=hidden**-0.5,
        pad_token_id=pad,
        eos_token_id=end,
        forced_eos_token_id=end,
        decoder_start_token_id=pad,
    )
    model = MarianMTModel(config)
    # For rows as short as these the plain form is the quickest.
    model.set_attn_implementation("eager")
    # A written form ends by itself; padding is never written.
    model.generation_config = GenerationConfig(
        pad_token_id=pad,
        eos_token_id=end,
        forced_eos_token_id=end,
        decoder_start_token_id=pad,
        bad_words_ids=[[pad]],
        max_length=POSITIONS,
    )
    return model


def read_model(folder: Path) -> nn.Module:
    """The model of a folder in f32, ready to be evaluated, with attentions that can be looked at."""
    return MarianMTModel.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()


def write_model(model: nn.Module, tokenizer: Tokenizer, output: Path, training: dict) -> None:
    """Writes f16 weights, config.json, generation_config.json, tokenizer.json and its config, training.json, the card."""
    output.mkdir(parents=True, exist_ok=True)
    copy.deepcopy(model).cpu().half().save_pretrained(output)
    # safetensors leaves its files to their owner alone; these are to be served.
    (output / "model.safetensors").chmod(0o644)
    tokenizer.save(str(output / "tokenizer.json"))
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": END, "unk_token": UNKNOWN, "pad_token": PAD}
    write_json(output / "tokenizer_config.json", settings)
    write_json(output / "training.json", training)
    write_card(output)
