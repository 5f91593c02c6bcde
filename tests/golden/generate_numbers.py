"""Writes numbers.safetensors, or checks it: what models of this folder compute when numbers are put in their tensors.

    python generate_numbers.py [--check]

Hooks on the modules of Hugging Face's classes, which run in f64, change the tensors in place. A case is named by its
interventions, as the engine reads them. README.md lists the tensors.
"""

import argparse
import re
import sys

import torch
import transformers
from safetensors.torch import load_file, save_file

from folders import CHECK_TOLERANCE, HERE
from generate_interventions import Folder, opened, texts
from in_f64 import in_f64

PATH = HERE / "numbers.safetensors"

# Of each family the modules of the decoder's layer N whose output, or with `<` whose input, is the tensor. LAST: the last layer.
ROFORMER = {
    "embeddings": "<roformer.embeddings.LayerNorm",
    "hidden_states.N": "<roformer.encoder.layer.N",
    "hidden_states.LAST": "roformer.encoder.layer.LAST.output.LayerNorm",
    "layer.N.residual": "roformer.encoder.layer.N.attention.output.LayerNorm",
    "layer.N.query": "roformer.encoder.layer.N.attention.self.query",
    "layer.N.key": "roformer.encoder.layer.N.attention.self.key",
    "layer.N.value": "roformer.encoder.layer.N.attention.self.value",
    "layer.N.head": "<roformer.encoder.layer.N.attention.output.dense",
    "ffn.N": "<roformer.encoder.layer.N.output.dense",
}
LLAMA = {
    "embeddings": "model.embed_tokens",
    "hidden_states.N": "<model.layers.N",
    "hidden_states.LAST": "model.norm",
    "layer.N.residual": "<model.layers.N.post_attention_layernorm",
    "layer.N.query": "model.layers.N.self_attn.q_proj",
    "layer.N.key": "model.layers.N.self_attn.k_proj",
    "layer.N.value": "model.layers.N.self_attn.v_proj",
    "layer.N.head": "<model.layers.N.self_attn.o_proj",
    "ffn.N": "<model.layers.N.mlp.down_proj",
}
MARIAN = {
    "embeddings": "<model.decoder.layers.0",
    "hidden_states.N": "<model.decoder.layers.N",
    "hidden_states.LAST": "model.decoder.layers.LAST.final_layer_norm",
    "layer.N.residual": "model.decoder.layers.N.encoder_attn_layer_norm",
    "layer.N.query": "model.decoder.layers.N.self_attn.q_proj",
    "layer.N.key": "model.decoder.layers.N.self_attn.k_proj",
    "layer.N.value": "model.decoder.layers.N.self_attn.v_proj",
    "layer.N.head": "<model.decoder.layers.N.self_attn.out_proj",
    "ffn.N": "<model.decoder.layers.N.fc2",
}
FOLDERS = [
    (Folder("tiny_masked_lm", "RoFormerForMaskedLM", 3), ROFORMER),
    (Folder("decoders/llama", "LlamaForCausalLM", -3, halves=10), LLAMA),
    (Folder("pairs/marian", "MarianMTModel", 0), MARIAN),
]
# Every tensor that takes numbers, one number and whole rows and columns, every layer, and later numbers over earlier ones.
CASES = [
    "ffn.1[*,5]=zero",
    "ffn.0[4,3]=zero",
    "ffn.1[*,*]=zero",
    "ffn.0[5,*]=zero",
    "ffn.0[5,7]=-1.5",
    "embeddings[5,1]=0.5",
    "hidden_states.1[5,2]=0.75",
    "hidden_states.LAST[5,3]=2.0",
    "layer.0.residual[4,3]=-0.5",
    "layer.1.query[0,4,1]=3",
    "layer.0.key[0,1,0]=-5",
    "layer.0.value[0,1,3]=1.25",
    "layer.0.head[1,5,2]=0.5",
    "layer.1.value[0,*,1]=1.5e-1",
    "ffn.*[*,5]=zero;ffn.1[4,5]=0.25;hidden_states.1[*,0]=0.125;layer.0.head[1,*,*]=0.5",
]


def change(model: torch.nn.Module, places: dict[str, str], text: str, layers: int) -> list:
    """Hooks that make an intervention."""
    tensor, _, index, number = re.fullmatch(r"([\w.*]+?)(\[(.*)\])?=(.*)", text).groups()
    value = 0.0 if number == "zero" else float(number)
    if "*" in tensor:
        of_layers = [change(model, places, text.replace("*", str(layer), 1), layers) for layer in range(layers)]
        return [hook for hooks in of_layers for hook in hooks]
    name = tensor.replace(f"hidden_states.{layers}", "hidden_states.LAST")
    layer = re.search(r"\.(\d+)", name)
    place = places[re.sub(r"\.\d+", ".N", name)].replace("LAST", str(layers - 1))
    place = re.sub(r"\.N(?=\.|$)", layer.group(0), place) if layer else place
    axes = [slice(None) if axis == "*" else int(axis) for axis in index.split(",")]
    config = model.config
    heads = config.num_attention_heads
    if tensor.endswith((".key", ".value")):
        heads = getattr(config, "num_key_value_heads", heads)

    def put(numbers: torch.Tensor) -> None:
        if len(axes) == 3:
            head, row, column = axes
            numbers.view(*numbers.shape[:2], heads, -1)[:, row, head, column] = value
        else:
            row, column = axes
            numbers[:, row, column] = value

    module = model.get_submodule(place.removeprefix("<"))
    if place.startswith("<"):
        return [module.register_forward_pre_hook(lambda _, inputs: put(inputs[0]))]
    return [module.register_forward_hook(lambda _, inputs, output: put(output))]


def inputs_of(folder: Folder, model: torch.nn.Module) -> dict[str, torch.Tensor]:
    """Two rows of ids; of an encoder–decoder those of its expected.safetensors."""
    if not model.config.is_encoder_decoder:
        return texts(folder, model.config.vocab_size)
    expected = load_file(HERE / folder.name / "expected.safetensors")
    names = ("input_ids", "attention_mask", "decoder_input_ids", "decoder_attention_mask")
    return {name: expected[name].long() for name in names}


def answers(folder: Folder, places: dict[str, str]) -> dict[str, torch.Tensor]:
    model = opened(folder)
    inputs = inputs_of(folder, model)
    layers = getattr(model.config, "decoder_layers", None) or model.config.num_hidden_layers

    def logits() -> torch.Tensor:
        with torch.no_grad(), in_f64():
            # The cache's copy of a key would not be changed.
            return model(**inputs, use_cache=False).logits

    plain = logits()
    tensors = dict(inputs)
    for case in CASES:
        case = case.replace("LAST", str(layers))
        hooks = [hook for text in case.split(";") for hook in change(model, places, text, layers)]
        found = logits()
        for hook in hooks:
            hook.remove()
        changed = (found - plain).abs().max().item()
        assert changed > 1e-4 * plain.abs().max().item(), f"{folder.name}, {case}: changes logits by {changed:.2g}"
        tensors[case] = found
    torch.testing.assert_close(logits(), plain)
    return {f"{folder.name}/{name}": tensor for name, tensor in tensors.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the committed file and write nothing")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    flat = {
        name: tensor.to(torch.float32 if tensor.is_floating_point() else torch.int64).contiguous()
        for folder, places in FOLDERS
        for name, tensor in answers(folder, places).items()
    }
    if not arguments.check:
        save_file(flat, PATH)
        return 0
    committed = load_file(PATH)
    faults = [f"{name} is on one side only" for name in committed.keys() ^ flat.keys()]
    for name in committed.keys() & flat.keys():
        old, new = committed[name].double(), flat[name].double()
        if old.shape != new.shape or (old - new).abs().max() > CHECK_TOLERANCE * max(1.0, old.abs().max().item()):
            faults.append(name)
    print("\n".join(faults), file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
