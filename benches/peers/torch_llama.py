"""PyTorch in the race: Hugging Face's class in f32 on the CPU, step by step in eager mode or through torch.compile.

    python benches/peers/torch_llama.py MODEL THREADS eager|compile
"""

import sys
from pathlib import Path

import torch
import transformers
from serving import Runtime, serve

# More than any text of the race has; torch.compile wants a cache of fixed size.
LONGEST = 128


class Torch(Runtime):
    def __init__(self, model: Path, mode: str) -> None:
        self.model = transformers.LlamaForCausalLM.from_pretrained(model, dtype=torch.float32, local_files_only=True).eval()
        self.vocabulary = self.model.config.vocab_size
        # One graph for each number of tokens: 16, 128, and one more.
        self.call = torch.compile(self.model, dynamic=False) if mode == "compile" else self.model
        self.is_fixed = mode == "compile"

    def prefill(self, ids: list[int]) -> int:
        config = self.model.config
        self.cache = transformers.StaticCache(config=config, max_cache_len=LONGEST) if self.is_fixed else transformers.DynamicCache(config=config)
        self.length = 0
        return self.run(ids)

    def step(self, token: int) -> int:
        return self.run([token])

    @torch.inference_mode()
    def run(self, ids: list[int]) -> int:
        positions = torch.arange(self.length, self.length + len(ids))[None]
        self.length += len(ids)
        output = self.call(torch.tensor([ids]), past_key_values=self.cache, position_ids=positions, logits_to_keep=1)
        return int(output.logits[0, -1].argmax())


if __name__ == "__main__":
    model, threads, mode = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    torch.set_num_threads(threads)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    versions = f"PyTorch {torch.__version__}, transformers {transformers.__version__}"
    serve(Torch(model, mode), f"{versions}, {torch.backends.cpu.get_cpu_capability()}")
