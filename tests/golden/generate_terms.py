"""Writes terms.safetensors of some golden folders, or checks it: what sublayers compute in Hugging Face's own classes.

    python generate_terms.py                   # writes every file that is there again
    python generate_terms.py decoders/llama    # writes those of the named folders
    python generate_terms.py --check           # compares what would be written with what is there

Forward hooks read inputs and outputs of modules: of norms, of the feed-forward network, and each sublayer's term in the residual stream. The
inputs are those of expected.safetensors. Tensors have the engine's names of sites.
"""

import json
import sys
from collections.abc import Callable

import torch
import transformers
from safetensors.torch import load_file, save_file

from folders import CHECK_TOLERANCE, HERE, parser_of

INPUTS = ("input_ids", "attention_mask", "token_type_ids", "decoder_input_ids", "decoder_attention_mask")
GATED = {
    "ffn.N.gate": "mlp.gate_proj",
    "ffn.N.activated": "mlp.act_fn",
    "ffn.N.inner": "mlp.up_proj",
    "ffn.N": "<mlp.down_proj",
}
BERT = {
    "layer.N.attention": "attention.output.dense",
    "ffn.N.inner": "intermediate.dense",
    "ffn.N.activated": "intermediate",
    "ffn.N": "intermediate",
    "layer.N.ffn": "output.dense",
}
LLAMA = GATED | {
    "layer.N.norm.0": "input_layernorm",
    "layer.N.attention": "self_attn.o_proj",
    "layer.N.residual": "<post_attention_layernorm",
    "layer.N.norm.1": "post_attention_layernorm",
    "layer.N.ffn": "mlp",
}
# The modules of a layer by family. `<` reads a module's input, `0/2` the first half of its output.
LAYERS = {
    "roformer": (
        "roformer.encoder.layer",
        BERT
        | {
            "layer.N.norm.0": "attention.output.LayerNorm",
            "layer.N.residual": "attention.output.LayerNorm",
            "layer.N.norm.1": "output.LayerNorm",
        },
    ),
    "esm": (
        "esm.encoder.layer",
        BERT
        | {
            "layer.N.norm.0": "attention.LayerNorm",
            "layer.N.residual": "<LayerNorm",
            "layer.N.norm.1": "LayerNorm",
        },
    ),
    "llama": ("model.layers", LLAMA),
    "qwen3": ("model.layers", LLAMA),
    "gemma3_text": (
        "model.layers",
        GATED
        | {
            "layer.N.norm.0": "input_layernorm",
            "layer.N.norm.1": "post_attention_layernorm",
            "layer.N.attention": "post_attention_layernorm",
            "layer.N.residual": "<pre_feedforward_layernorm",
            "layer.N.norm.2": "pre_feedforward_layernorm",
            "layer.N.norm.3": "post_feedforward_layernorm",
            "layer.N.ffn": "post_feedforward_layernorm",
        },
    ),
    "gpt_neox": (
        "gpt_neox.layers",
        {
            "layer.N.norm.0": "input_layernorm",
            "layer.N.attention": "attention.dense",
            "layer.N.norm.1": "post_attention_layernorm",
            "ffn.N.inner": "mlp.dense_h_to_4h",
            "ffn.N.activated": "mlp.act",
            "ffn.N": "<mlp.dense_4h_to_h",
            "layer.N.ffn": "mlp.dense_4h_to_h",
        },
    ),
    "modernbert": (
        "model.layers",
        {
            "layer.N.attention": "attn.Wo",
            "layer.N.residual": "<mlp_norm",
            "ffn.N.gate": "mlp.Wi 0/2",
            "ffn.N.inner": "mlp.Wi 1/2",
            "ffn.N.activated": "mlp.act",
            "ffn.N": "<mlp.Wo",
            "layer.N.ffn": "mlp.Wo",
            "layer.N.norm.0": "attn_norm",
            "layer.N.norm.1": "mlp_norm",
        },
    ),
}
# Places of one layer that replace those above: the first layer of a ModernBERT has no norm before attention.
FIRST_LAYER = {"modernbert": {"layer.0.norm.0": "model.layers.0.mlp_norm", "layer.0.norm.1": None}}
# A layer of an encoder–decoder, and how Pegasus differs: its norms come before.
PAIR = {
    "layer.N.attention": "self_attn.out_proj",
    "layer.N.norm.0": "self_attn_layer_norm",
    "ffn.N.inner": "fc1",
    "ffn.N.activated": "activation_fn",
    "ffn.N": "<fc2",
    "layer.N.ffn": "fc2",
}
ENCODER = PAIR | {"layer.N.residual": "self_attn_layer_norm", "layer.N.norm.1": "final_layer_norm"}
DECODER = PAIR | {
    "layer.N.norm.1": "encoder_attn_layer_norm",
    "layer.N.residual": "encoder_attn_layer_norm",
    "layer.N.norm.2": "final_layer_norm",
}
CROSS = {"layer.N.attention": "encoder_attn.out_proj"}
PRE_NORM = {"layer.N.residual": "<final_layer_norm"}
STACKS = {
    "marian": {"encoder": ENCODER, "decoder": DECODER, "cross": CROSS},
    "pegasus": {"encoder": ENCODER | PRE_NORM, "decoder": DECODER | PRE_NORM, "cross": CROSS},
}
# The final norm, whose input is the residual stream after the last layer.
FINAL = {
    "llama": "model.norm",
    "qwen3": "model.norm",
    "gemma3_text": "model.norm",
    "gpt_neox": "gpt_neox.final_layer_norm",
    "modernbert": "model.final_norm",
    "esm": "esm.encoder.emb_layer_norm_after",
}


def watch(model: torch.nn.Module, place: str, keep: Callable[[torch.Tensor], None]) -> None:
    """Calls `keep` with what a place names in each forward pass."""
    name, _, half = place.removeprefix("<").partition(" ")
    module = model.get_submodule(name)

    def hook(_: torch.nn.Module, inputs: tuple, output: torch.Tensor | tuple) -> None:
        tensor = inputs[0] if place.startswith("<") else output
        tensor = tensor[0] if isinstance(tensor, tuple) else tensor
        keep(tensor.chunk(2, dim=-1)[int(half[0])] if half else tensor)

    module.register_forward_hook(hook)


def in_layers(model: torch.nn.Module, layers: str, modules: dict[str, str], prefix: str = "") -> dict[str, str]:
    """The modules of every layer by the names of sites."""
    return {
        prefix + name.replace("N", str(layer)): f"{'<' if place[0] == '<' else ''}{layers}.{layer}.{place.removeprefix('<')}"
        for layer in range(len(model.get_submodule(layers)))
        for name, place in modules.items()
    }


def terms(folder: str) -> dict[str, torch.Tensor]:
    """Every watched tensor of a run of the folder's inputs, in f32."""
    config = json.loads((HERE / folder / "config.json").read_text())
    head = getattr(transformers, config["architectures"][0])
    model = head.from_pretrained(HERE / folder, dtype=torch.float32, attn_implementation="eager").eval()
    family = config["model_type"]
    found: dict[str, torch.Tensor] = {}
    places = {}
    if family in STACKS:
        for part, modules in STACKS[family].items():
            stack = f"model.{'encoder' if part == 'encoder' else 'decoder'}"
            places |= in_layers(model, f"{stack}.layers", modules, f"{part}.")
            if family == "pegasus" and part != "cross":
                places |= {f"{part}.residual": f"<{stack}.layer_norm", f"{part}.norm": f"{stack}.layer_norm"}
    else:
        places |= in_layers(model, *LAYERS[family]) | FIRST_LAYER.get(family, {})
        places = {name: place for name, place in places.items() if place}
    if family in FINAL:
        places |= {"residual": f"<{FINAL[family]}", "norm": FINAL[family]}
    for name, place in places.items():
        watch(model, place, lambda tensor, name=name: found.update({name: tensor.detach().clone().contiguous()}))
    expected = load_file(HERE / folder / "expected.safetensors")
    inputs = {name: tensor.long() for name, tensor in expected.items() if name in INPUTS}
    with torch.no_grad():
        model(**inputs)
    return found


def main() -> int:
    arguments = parser_of(__doc__).parse_args()
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    faults = []
    committed_files = sorted(HERE.rglob("terms.safetensors"))
    for folder in arguments.names or [str(path.parent.relative_to(HERE)) for path in committed_files]:
        found, path = terms(folder), HERE / folder / "terms.safetensors"
        if not arguments.check:
            save_file(found, path)
            print(folder, len(found), flush=True)
            continue
        committed = load_file(path)
        if committed.keys() != found.keys():
            faults.append(f"{folder}: {sorted(committed.keys() ^ found.keys())} on one side only")
        for name in sorted(committed.keys() & found.keys()):
            difference = (committed[name].double() - found[name].double()).abs().max().item()
            if difference > CHECK_TOLERANCE * max(1.0, committed[name].double().abs().max().item()):
                faults.append(f"{folder} {name}: differs by {difference:.3g}")
    print("\n".join(faults), file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
