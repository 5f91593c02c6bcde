"""ropescope beside llama.cpp and PyTorch, natively: a Llama of SmolLM2-135M's shape, the same random weights and ids, on one thread and on two.

    python benches/native_peers.py

Every runtime, format and number of threads is a process that stays open. They take turns, in another order each time: prefill of 16 and of
128 tokens, and 64 tokens written behind a prompt of 16. Prints tables in Markdown, and writes a series of the subject `peers-native` (series.js has
its form). Fails where runtimes name other tokens. Needs the packages of requirements.txt and of package.json, which bring llama.cpp.
"""

import argparse
import datetime
import json
import re
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from math import gcd
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]
PEERS = Path(__file__).parent / "peers"
RESULTS = Path(__file__).parent / "results/peers-native"
LIBRARIES = Path(__file__).parent / "node_modules/@node-llama-cpp/linux-x64/bins/linux-x64"
GGUF = ROOT / "target/bench/gguf"

# Of ropescope, and the nearest of llama.cpp.
FORMATS = {"f32": "f32", "f16": "f16", "int8": "q8_0", "int4": "q4_0"}
THREADS = (1, 2)
WRITTEN = 64
# What each runtime is asked, without a seed.
LINES = {"prefill 16": "prefill 16", "prefill 128": "prefill 128", "decode": f"decode 16 {WRITTEN}"}
# Rounding may let another token be the likeliest now and then; in f32 and f16 it is the same of nearly all prompts.
AGREEMENT = 0.9
# Seconds in which threads of the process before fall asleep.
REST = 0.02


@dataclass
class Contender:
    runtime: str
    format: str
    threads: int
    command: list[str]
    description: str = ""
    times: dict[str, list[float]] = field(default_factory=lambda: {line: [] for line in LINES})
    tokens: list[int] = field(default_factory=list)

    def start(self, stack: ExitStack) -> None:
        self.process = stack.enter_context(subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT))
        stack.callback(self.process.kill)
        self.description = self.reply().removeprefix("ready").strip()

    def reply(self) -> str:
        reply = self.process.stdout.readline()
        if not reply:
            sys.exit(f"{' '.join(self.command)} ended")
        return reply

    def run(self, line: str, seed: int) -> tuple[float, int]:
        """Milliseconds, and the first token."""
        print(LINES[line], seed, file=self.process.stdin, flush=True)
        milliseconds, token, *_ = self.reply().split()
        return float(milliseconds), int(token)

    def summary(self, line: str) -> list[float]:
        """The median and the least time."""
        return [median(self.times[line]), min(self.times[line])]


def contenders(arguments: argparse.Namespace) -> list[Contender]:
    made = []
    for threads in arguments.threads:
        for form in arguments.formats:
            if "ropescope" in arguments.runtimes:
                made.append(Contender("ropescope", form, threads, [str(arguments.ropescope), "serve", str(arguments.model), form, str(threads)]))
            if "llama.cpp" in arguments.runtimes:
                file = gguf_file(arguments.model, FORMATS[form])
                made.append(Contender("llama.cpp", form, threads, [sys.executable, str(PEERS / "llama_cpp.py"), str(file), str(threads), str(LIBRARIES)]))
        for runtime, mode in {"PyTorch": "eager", "PyTorch, compiled": "compile"}.items():
            if runtime in arguments.runtimes and "f32" in arguments.formats:
                made.append(Contender(runtime, "f32", threads, [sys.executable, str(PEERS / "torch_llama.py"), str(arguments.model), str(threads), mode]))
    return made


def gguf_file(model: Path, kind: str) -> Path:
    """Writes the file that llama.cpp reads, where it is not there yet."""
    file = GGUF / f"{model.name}-{kind}.gguf"
    if not file.exists():
        GGUF.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(".part")
        subprocess.run([sys.executable, str(PEERS / "gguf_files.py"), str(model), str(part), kind], check=True)
        part.rename(file)
    return file


def race(all_of_them: list[Contender], turns: int) -> None:
    """The first turn warms up."""
    for turn in range(turns + 1):
        for line in LINES:
            for threads in sorted({one.threads for one in all_of_them}):
                group = [one for one in all_of_them if one.threads == threads]
                # Whoever always came behind the same one would find what that one leaves of the caches.
                steps = [step for step in range(1, len(group) + 1) if gcd(step, len(group)) == 1]
                step = steps[turn % len(steps)]
                for place in range(len(group)):
                    one = group[(turn + place * step) % len(group)]
                    time.sleep(REST)
                    milliseconds, token = one.run(line, turn + 1)
                    if turn > 0:
                        one.times[line].append(milliseconds)
                        one.tokens.append(token)
        print(f"turn {turn} of {turns}", file=sys.stderr, flush=True)


def ratio(one: Contender, other: Contender, line: str) -> list[float]:
    return [round(mine / theirs, 3) for mine, theirs in zip(one.summary(line), other.summary(line), strict=True)]


def tables(all_of_them: list[Contender]) -> dict:
    """Of every figure the median and the least time, or a ratio of either."""
    found = {(one.runtime, one.format, one.threads): one for one in all_of_them}
    times = [
        {"runtime": one.runtime, "format": one.format, "threads": one.threads, **{f"{line} ms": one.summary(line) for line in LINES}}
        | {"ms a token": [each / WRITTEN for each in one.summary("decode")]}
        for one in all_of_them
    ]
    ratios = [
        {"beside": one.runtime, "format": one.format, "threads": one.threads, **{line: ratio(found["ropescope", one.format, one.threads], one, line) for line in LINES}}
        for one in all_of_them
        if one.runtime != "ropescope" and ("ropescope", one.format, one.threads) in found
    ]
    speeds = [
        {"runtime": f32.runtime, "threads": f32.threads}
        | {form: ratio(f32, found[f32.runtime, form, f32.threads], "decode") for form in FORMATS if form != "f32" and (f32.runtime, form, f32.threads) in found}
        for f32 in all_of_them
        if f32.format == "f32" and not f32.runtime.startswith("PyTorch")
    ]
    scaling = [
        {"runtime": one.runtime, "format": one.format, **{line: ratio(one, found[one.runtime, one.format, 1], line) for line in LINES}}
        for one in all_of_them
        if one.threads == 2 and (one.runtime, one.format, 1) in found
    ]
    by = {(row["runtime"], row["format"]): row for row in scaling}
    if ("ropescope", "f32") in by and ("PyTorch", "f32") in by:
        mine, theirs = by["ropescope", "f32"], by["PyTorch", "f32"]
        quotients = {line: [round(a / b, 3) for a, b in zip(mine[line], theirs[line], strict=True)] for line in LINES}
        scaling.append({"runtime": "ropescope's / PyTorch's", "format": "f32", **quotients})
    titles = {
        "ratios": "ropescope's time / theirs: median, least",
        "speeds": "Decoding speed, as a multiple of f32's: by medians, by least times",
        "threads": "Two threads' time / one's: median, least",
        "times": f"Milliseconds: median, least; decode writes {WRITTEN} tokens",
    }
    rows = {"ratios": ratios, "speeds": speeds, "threads": scaling, "times": times}
    return {name: {"title": titles[name], "rows": rows[name], "notes": []} for name in titles if rows[name]}


def machine() -> dict:
    told = Path("/proc/cpuinfo").read_text()
    lines = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in told.splitlines())}
    wide = [flag for flag in lines["flags"].split() if re.match(r"(avx|amx|fma|f16c)", flag)]
    family = f"{lines['cpu family']}, model {lines['model']}"
    return {"cpu": lines["model name"], "family": family, "avx512": "avx512f" in wide, "flags": " ".join(wide), "cores": told.count("processor\t"), "system": sys.platform}


def disagreements(all_of_them: list[Contender]) -> tuple[list[str], list[str]]:
    """How often each names the first token that the first contender names; and where f32 or f16 do it too seldom."""
    expected = all_of_them[0].tokens
    shares = {f"{one.runtime}, {one.format}, {one.threads}": sum(map(int.__eq__, one.tokens, expected)) / len(expected) for one in all_of_them}
    wrong = [f"{name} names the same token of {share:.0%}" for name, share in shares.items() if share < AGREEMENT and re.search("f32|f16", name)]
    return [f"The first token is that of {next(iter(shares))} for: " + "; ".join(f"{name}, {share:.0%}" for name, share in shares.items())], wrong


def markdown(rows: list[dict]) -> str:
    def cell(value) -> str:
        return ", ".join(f"{each:.4g}" for each in value) if isinstance(value, list) else str(value)

    lines = [list(rows[0]), ["---"] * len(rows[0]), *([cell(value) for value in row.values()] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def series(all_of_them: list[Contender], arguments: argparse.Namespace, notes: list[str]) -> dict:
    commit = subprocess.run(["git", "describe", "--always", "--dirty", "--exclude=*"], cwd=ROOT, capture_output=True, text=True, check=True)
    described = dict.fromkeys(one.description for one in all_of_them if one.description)
    return {
        "title": "",
        "date": datetime.date.today().isoformat(),
        "machine": machine(),
        "commit": commit.stdout.strip(),
        "command": "python benches/native_peers.py",
        "notes": [
            *described,
            f"{arguments.turns} turns behind one that warms up. llama.cpp keeps keys and values as f16, as it does by default, the others as f32.",
            *notes,
        ],
        "tables": tables(all_of_them),
        "rows": [{"runtime": one.runtime, "format": one.format, "threads": one.threads, "times": one.times} for one in all_of_them],
    }


def place(made: dict) -> Path:
    RESULTS.mkdir(parents=True, exist_ok=True)
    number = 1 + len(list(RESULTS.glob(f"{made['date']}-*.json")))
    words = re.findall(r"\w+", re.sub(r"\(\w+\)", "", made["machine"]["cpu"]))
    return RESULTS / f"{made['date']}-{number}-{'-'.join(words[:2]).lower()}.json"


def text(value, indent: str = "") -> str:
    """JSON with a line for each row."""
    if not isinstance(value, (dict, list)) or not value or len(indent) == 8:
        return json.dumps(value, ensure_ascii=False)
    inner = indent + "  "
    items = value.items() if isinstance(value, dict) else ((None, one) for one in value)
    lines = [inner + ("" if name is None else f"{json.dumps(name)}: ") + text(one, inner) for name, one in items]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n" + ",\n".join(lines) + f"\n{indent}{closing}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=31)
    parser.add_argument("--ropescope", type=Path, help="the benchmark program; without it cargo builds one")
    parser.add_argument("--model", type=Path, default=ROOT / "target/bench/random-135m")
    parser.add_argument("--runtimes", nargs="+", choices=["ropescope", "llama.cpp", "PyTorch", "PyTorch, compiled"], default=["ropescope", "llama.cpp", "PyTorch"])
    parser.add_argument("--formats", nargs="+", choices=list(FORMATS), default=list(FORMATS))
    parser.add_argument("--threads", nargs="+", type=int, choices=THREADS, default=list(THREADS))
    parser.add_argument("--json", type=Path, help="the file of the series; without it the next of this day")
    arguments = parser.parse_args()
    if arguments.ropescope is None:
        subprocess.run(["cargo", "build", "--quiet", "--release", "--package", "ropescope-bench"], cwd=ROOT, check=True)
        arguments.ropescope = ROOT / "target/release/ropescope-bench"
    if not arguments.model.exists():
        subprocess.run([str(arguments.ropescope), "make-decoder", str(arguments.model)], check=True)
    with ExitStack() as stack:
        all_of_them = contenders(arguments)
        for one in all_of_them:
            one.start(stack)
        race(all_of_them, arguments.turns)
    notes, wrong = disagreements(all_of_them)
    made = series(all_of_them, arguments, notes)
    for table in made["tables"].values():
        print(f"\n{table['title']}\n\n{markdown(table['rows'])}")
    (arguments.json or place(made)).write_text(text(made) + "\n")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
