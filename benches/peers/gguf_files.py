"""A tied Llama of Hugging Face's form as a GGUF file. Every matrix is in one format; vectors are f32, as llama.cpp wants them.

    python benches/peers/gguf_files.py MODEL FILE f32|f16|q8_0|q4_0
"""

import json
import sys
from pathlib import Path

import gguf
import numpy as np
from safetensors import safe_open

TYPES = {
    "f32": gguf.GGMLQuantizationType.F32,
    "f16": gguf.GGMLQuantizationType.F16,
    "q8_0": gguf.GGMLQuantizationType.Q8_0,
    "q4_0": gguf.GGMLQuantizationType.Q4_0,
}


def interleaved(rows: np.ndarray, heads: int) -> np.ndarray:
    """Rows of heads in llama.cpp's order: components of a pair are neighbours, where Hugging Face has them half a head apart."""
    return rows.reshape(heads, 2, -1, rows.shape[1]).swapaxes(1, 2).reshape(rows.shape)


def write(model: Path, file: Path, form: str) -> None:
    config = json.loads((model / "config.json").read_text())
    heads, key_heads, layers = (config[key] for key in ("num_attention_heads", "num_key_value_heads", "num_hidden_layers"))
    writer = gguf.GGUFWriter(file, "llama")
    writer.add_block_count(layers)
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(heads)
    writer.add_head_count_kv(key_heads)
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_dimension_count(config["hidden_size"] // heads)
    writer.add_rope_freq_base(config["rope_theta"])
    writer.add_vocab_size(config["vocab_size"])
    # The race has ids, no text.
    writer.add_tokenizer_model("none")
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.LLAMA, layers)
    with safe_open(model / "model.safetensors", framework="numpy") as weights:
        for name in weights.keys():
            numbers = weights.get_tensor(name).astype(np.float32)
            if "q_proj" in name:
                numbers = interleaved(numbers, heads)
            if "k_proj" in name:
                numbers = interleaved(numbers, key_heads)
            kind = TYPES[form if numbers.ndim > 1 else "f32"]
            writer.add_tensor(names.get_name(name, try_suffixes=(".weight",)), gguf.quants.quantize(numbers, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
