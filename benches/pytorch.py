"""PyTorch beside the GPU backend: the same model folders, ids, lengths and batches as `cargo xtask bench --gpu` measured.

    python benches/pytorch.py benches/results/gpu.json models/roformer-english target/bench/random-6x384 target/bench/random-135m

Runs Hugging Face's classes in eager mode and through torch.compile, on CUDA where there is one, else on the CPU, prints tables in
Markdown, writes benches/results/pytorch.json (a series, as series.js has them), and fails where PyTorch's likeliest tokens are others than those that were measured.
Needs the packages of benches/requirements.txt, and no network.
"""

import argparse
import datetime
import json
import sys
import time
from pathlib import Path

import numpy as np
import torch
import transformers

# Runs of a row that medians are taken of, behind some that warm up, and seconds after which a row is done.
RUNS = 21
LEAST_RUNS = 3
WARM_UP = 3
SECONDS = 1.0

# Logits that are nearer to one another than this share of the largest are a matter of rounding: either token may be the likeliest.
TIE = 1e-4


def ids(seed: int, count: int, vocabulary: int) -> list[int]:
    """The benchmark's seeded ids: `ids` in native/src/measure.rs."""
    drawn = []
    for _ in range(count):
        seed = seed * 48_271 % 2_147_483_647
        drawn.append(seed % vocabulary)
    return drawn


def open_model(folder: Path, device: str, dtype: torch.dtype, longest: int):
    """A model for texts of up to `longest` tokens; positions are computed, so that it may be more than its config says."""
    config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True)
    config.max_position_embeddings = max(config.max_position_embeddings, longest)
    kind = getattr(transformers, config.architectures[0])
    model = kind.from_pretrained(folder, config=config, dtype=dtype, local_files_only=True)
    if longest > 0 and config.model_type == "roformer":
        # A table of the file's length would be in the way of longer texts.
        positions = model.roformer.encoder.embed_positions
        positions.weight = torch.nn.Parameter(positions.create_weight().to(dtype), requires_grad=False)
    return model.to(device).eval()


def times(run, device: str) -> list[float]:
    """Milliseconds of runs, each waited for."""
    for _ in range(WARM_UP):
        run()
    taken, begin = [], time.perf_counter()
    while len(taken) < LEAST_RUNS or (len(taken) < RUNS and time.perf_counter() - begin < SECONDS):
        wait(device)
        start = time.perf_counter()
        run()
        wait(device)
        taken.append(1e3 * (time.perf_counter() - start))
    return taken


def wait(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


def is_likeliest(logits: torch.Tensor, token: int) -> bool:
    """Whether no other token is likelier by more than rounding."""
    largest = logits.max()
    return bool(largest - logits[token] <= TIE * logits.abs().max())


class Table:
    def __init__(self, title: str, columns: list[str]) -> None:
        self.title, self.columns, self.rows, self.notes = title, columns, [], []
        print(f"\n### {title}\n\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}", flush=True)

    def add(self, *cells) -> None:
        self.rows.append(dict(zip(self.columns, cells, strict=True)))
        print(f"| {' | '.join(f'{cell:.2f}' if isinstance(cell, float) else str(cell) for cell in cells)} |", flush=True)

    def left_out(self, note: str) -> None:
        self.notes.append(note)
        print(f"\nLeft out: {note}\n", file=sys.stderr, flush=True)

    def json(self) -> dict:
        return {"title": self.title, "rows": self.rows, "notes": self.notes}


def compiled(call, **options):
    """Through torch.compile; nothing is left over of other sizes, which would make it compile for all sizes at once."""
    torch._dynamo.reset()
    return torch.compile(call, **options)


def encoders(measured: dict, folders: dict[str, Path], device: str, modes: list[str]) -> tuple[Table, list[str]]:
    """Every row of the sweep. Logits of each text's middle token are made, as the benchmark makes them."""
    columns = ["model", "batch", "tokens", "mode", "median ms", "least ms", "tokens/s", "ropescope ms", "PyTorch / ropescope"]
    table, wrong = Table(f"PyTorch {torch.__version__}, f32, {device}, beside the sweep", columns), []
    rows = measured["tables"]["sweep"]["rows"]
    for name in dict.fromkeys(row["model"] for row in rows):
        if name not in folders:
            table.left_out(f"{name}: its folder was not given")
            continue
        of_model = [row for row in rows if row["model"] == name]
        model = open_model(folders[name], device, torch.float32, int(max(row["tokens"] for row in of_model)))
        for row in of_model:
            batch, length = int(row["batch"]), int(row["tokens"])
            given = torch.tensor(ids(1, batch * length, model.config.vocab_size), device=device).view(batch, length)

            def predicted(given: torch.Tensor) -> torch.Tensor:
                hidden = model.roformer(given).last_hidden_state
                return model.cls(hidden[:, given.shape[1] // 2])

            for mode in modes:
                call = compiled(predicted) if mode == "compile" else predicted
                with torch.inference_mode():
                    logits = call(given).float()
                    for text, token in enumerate(row["likeliest tokens"]):
                        if not is_likeliest(logits[text], token):
                            wrong.append(f"{name}, batch {batch}, {length} tokens, {mode}: text {text} goes on by {int(logits[text].argmax())}, not {token}")
                    taken = times(lambda: call(given), device)
                median = float(np.median(taken))
                speed = batch * length / median * 1e3
                table.add(name, batch, length, mode, median, min(taken), speed, row["median ms"], median / row["median ms"])
    return table, wrong


def decoders(measured: dict, folder: Path, device: str, modes: list[str]) -> tuple[Table, list[str]]:
    """Greedy decoding as long as the benchmark wrote, in 16 bits on CUDA; its f16 text is compared with what f32 arithmetic writes."""
    dtype = torch.float16 if device == "cuda" else torch.float32
    columns = ["model", "mode", "arithmetic", "ms a token", "tokens/s", "ropescope, weights", "ropescope ms a token", "PyTorch / ropescope"]
    table, wrong = Table(f"PyTorch {torch.__version__}, {device}, decoding", columns), []
    rows = measured["tables"]["decode"]["rows"]
    if not rows:
        table.left_out("decoding: the benchmark measured none")
        return table, wrong
    prompt, written = rows[0]["prompt"], rows[0]["written"]
    model = open_model(folder, device, torch.float32, 0)
    with torch.inference_mode():
        text = torch.tensor([prompt + written], device=device)
        logits = model(text).logits[0, len(prompt) - 1 : -1].float()
    for at, token in enumerate(written):
        if not is_likeliest(logits[at], token):
            wrong.append(f"{folder.name}: token {at} behind the prompt is {int(logits[at].argmax())}, not {token}")
            break
    model = model.to(dtype)
    for mode in modes:
        with torch.inference_mode():
            each = decoded(model, prompt, len(written) - 1, device, mode)
        for row in rows:
            cells = [row["weights"], row["ms a token"], each / row["ms a token"]]
            table.add(folder.name, mode, str(dtype).removeprefix("torch."), each, 1e3 / each, *cells)
    return table, wrong


def decoded(model, prompt: list[int], count: int, device: str, mode: str) -> float:
    """Median milliseconds of a token over a cache of fixed size, greedily, each token fed back on the device."""
    from transformers import StaticCache

    length = len(prompt) + count + 1
    # Shapes stay the same from token to token: on CUDA a step is recorded once and played back.
    step = compiled(model, mode="reduce-overhead" if device == "cuda" else "default") if mode == "compile" else model
    medians = []
    for turn in range(2):
        cache = StaticCache(config=model.config, max_cache_len=length)
        given = torch.tensor([prompt], device=device)
        places = torch.arange(len(prompt), device=device)
        token = model(given, past_key_values=cache, position_ids=places[None]).logits[:, -1:].argmax(-1)
        taken = []
        for at in range(count):
            places = torch.tensor([[len(prompt) + at]], device=device)
            wait(device)
            start = time.perf_counter()
            token = step(token.clone(), past_key_values=cache, position_ids=places).logits[:, -1:].argmax(-1)
            wait(device)
            taken.append(1e3 * (time.perf_counter() - start))
        medians.append(float(np.median(taken)))
    # The first turn warms up.
    return medians[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measured", type=Path, help="what `cargo xtask bench --gpu` wrote")
    parser.add_argument("folders", type=Path, nargs="+", help="folders of its encoders and of its decoder")
    parser.add_argument("--json", type=Path, default=Path(__file__).parent / "results/pytorch.json")
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--modes", nargs="+", choices=["eager", "compile"], default=["eager", "compile"])
    arguments = parser.parse_args()
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    measured = json.loads(arguments.measured.read_text())
    name = torch.cuda.get_device_name() if arguments.device == "cuda" else "the processor"
    threads = "" if arguments.device == "cuda" else f", {torch.get_num_threads()} threads"
    print(f"PyTorch {torch.__version__}, transformers {transformers.__version__}, on {name}{threads}; ropescope on {measured['adapter']['name']}")
    folders = {folder.resolve().name: folder for folder in arguments.folders}
    sweep, wrong = encoders(measured, folders, arguments.device, arguments.modes)
    tables = {"sweep": sweep.json()}
    architectures = {name: json.loads((folder / "config.json").read_text())["architectures"][0] for name, folder in folders.items()}
    for name in (name for name, architecture in architectures.items() if architecture.endswith("CausalLM")):
        decode, other = decoders(measured, folders[name], arguments.device, arguments.modes)
        tables[f"decode {name}"] = decode.json()
        wrong += other
    series = {
        "title": "",
        "date": datetime.date.today().isoformat(),
        "machine": {"system": name, "torch": torch.__version__, "transformers": transformers.__version__},
        "adapter": measured["adapter"],
        "command": "python benches/pytorch.py",
        "notes": [],
        "tables": tables,
    }
    arguments.json.write_text(json.dumps(series, indent=2) + "\n")
    if wrong:
        sys.exit("PyTorch names other tokens:\n" + "\n".join(wrong))
    print("\nBoth name the same tokens.")


if __name__ == "__main__":
    main()
