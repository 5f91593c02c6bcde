"""llama.cpp in the race: the libraries that node-llama-cpp ships, through their C interface.

    python benches/peers/llama_cpp.py FILE.gguf THREADS LIBRARIES

llama.cpp itself chooses the build of its kernels that fits the processor best.
"""

import ctypes
import json
import re
import sys
from ctypes import POINTER, byref, c_bool, c_char_p, c_float, c_int, c_int32, c_uint32, c_void_p
from pathlib import Path

import numpy as np
from serving import Runtime, serve

# More than any text of the race has.
CONTEXT = 512


class ModelParameters(ctypes.Structure):
    """Defaults alone are of use: a copy by value may be larger than the structure."""

    _fields_ = [("bytes", ctypes.c_ubyte * 512)]


class ContextParameters(ctypes.Structure):
    """The first members; what follows stays as it is by default."""

    _fields_ = [
        *((name, c_uint32) for name in ("context", "batch", "microbatch", "sequences", "snapshots", "outputs", "outputs_of_sequence")),
        ("threads", c_int32),
        ("batch_threads", c_int32),
        ("rest", ctypes.c_ubyte * 476),
    ]


class Batch(ctypes.Structure):
    _fields_ = [("count", c_int32), *((name, c_void_p) for name in ("tokens", "embeddings", "positions", "counts", "sequences", "logits"))]


class PoolParameters(ctypes.Structure):
    _fields_ = [("mask", c_bool * 512), ("threads", c_int), ("priority", c_int), ("poll", c_uint32), ("strict", c_bool), ("paused", c_bool)]


def function(library: ctypes.CDLL, name: str, result, *parameters):
    found = getattr(library, name)
    found.restype, found.argtypes = result, parameters
    return found


def build_of_kernels() -> Path:
    """The library of kernels that this process has loaded."""
    return Path(re.findall(r"\S*libggml-cpu-\w+\.so", Path("/proc/self/maps").read_text())[0])


class LlamaCpp(Runtime):
    def __init__(self, file: Path, threads: int, libraries: Path) -> None:
        [found] = libraries.glob("libllama.v*.so")
        [ggml] = libraries.glob("libggml.v*.so")
        llama, backends = ctypes.CDLL(str(found), ctypes.RTLD_GLOBAL), ctypes.CDLL(str(ggml), ctypes.RTLD_GLOBAL)
        self.silence = ctypes.CFUNCTYPE(None, c_int, c_char_p, c_void_p)(lambda level, text, data: None)
        function(llama, "llama_log_set", None, c_void_p, c_void_p)(self.silence, None)
        function(backends, "ggml_backend_load_all_from_path", None, c_char_p)(str(libraries).encode())
        function(llama, "llama_backend_init", None)()
        defaults = function(llama, "llama_model_default_params", ModelParameters)()
        load = function(llama, "llama_model_load_from_file", c_void_p, c_char_p, ModelParameters)
        model = load(str(file).encode(), defaults)
        if not model:
            raise OSError(f"llama.cpp does not load {file}")
        parameters = function(llama, "llama_context_default_params", ContextParameters)()
        parameters.context = parameters.batch = parameters.microbatch = CONTEXT
        parameters.threads = parameters.batch_threads = threads
        self.context = function(llama, "llama_init_from_model", c_void_p, c_void_p, ContextParameters)(model, parameters)
        sizes = [function(llama, f"llama_{name}", c_uint32, c_void_p)(self.context) for name in ("n_ctx", "n_batch", "n_ubatch", "n_threads", "n_threads_batch")]
        if sizes != [CONTEXT, CONTEXT, CONTEXT, threads, threads]:
            raise ValueError(f"llama.cpp's parameters lie elsewhere: it has {sizes}")
        vocabulary = function(llama, "llama_model_get_vocab", c_void_p, c_void_p)(model)
        self.vocabulary = function(llama, "llama_vocab_n_tokens", c_int32, c_void_p)(vocabulary)
        self.memory = function(llama, "llama_get_memory", c_void_p, c_void_p)(self.context)
        self.clear = function(llama, "llama_memory_clear", None, c_void_p, c_bool)
        self.batch_of = function(llama, "llama_batch_get_one", Batch, POINTER(c_int32), c_int32)
        self.decode = function(llama, "llama_decode", c_int32, c_void_p, Batch)
        self.logits = function(llama, "llama_get_logits_ith", POINTER(c_float), c_void_p, c_int32)
        self.features = function(llama, "llama_print_system_info", c_char_p)().decode()
        self.kernels = build_of_kernels()
        self.pool_of(threads, llama)

    def pool_of(self, threads: int, llama: ctypes.CDLL) -> None:
        """Threads that stay between steps, as llama.cpp's own programs have them; they wait actively, and so rest while others run."""
        kernels = ctypes.CDLL(str(self.kernels))
        parameters = PoolParameters()
        base = ctypes.CDLL(str(self.kernels.with_name("libggml-base.so")))
        function(base, "ggml_threadpool_params_init", None, c_void_p, c_int)(byref(parameters), threads)
        parameters.paused = True
        self.pool = function(kernels, "ggml_threadpool_new", c_void_p, c_void_p)(byref(parameters))
        function(llama, "llama_attach_threadpool", None, c_void_p, c_void_p, c_void_p)(self.context, self.pool, self.pool)
        self.resume, self.pause = (function(kernels, f"ggml_threadpool_{name}", None, c_void_p) for name in ("resume", "pause"))

    def wake(self) -> None:
        self.resume(self.pool)

    def sleep(self) -> None:
        self.pause(self.pool)

    def prefill(self, ids: list[int]) -> int:
        self.clear(self.memory, False)
        return self.run(ids)

    def step(self, token: int) -> int:
        return self.run([token])

    def run(self, ids: list[int]) -> int:
        # The batch points into this array.
        tokens = (c_int32 * len(ids))(*ids)
        if self.decode(self.context, self.batch_of(tokens, len(ids))) != 0:
            raise RuntimeError("llama.cpp does not run the ids")
        return int(np.ctypeslib.as_array(self.logits(self.context, -1), (self.vocabulary,)).argmax())


if __name__ == "__main__":
    file, threads, libraries = Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    release = json.loads((libraries / "_nlcBuildMetadata.json").read_text())["buildOptions"]["llamaCpp"]["release"]
    runtime = LlamaCpp(file, threads, libraries)
    features = " ".join(re.findall(r"(\w+) = 1", runtime.features))
    serve(runtime, f"llama.cpp {release}, {runtime.kernels.name}: {features}")
