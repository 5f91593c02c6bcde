"""Makes Hugging Face's classes compute in f64 what they fix to f32: rotation angles, RMS norms, softmax."""

import contextlib
from collections.abc import Iterator

import torch
from torch.overrides import TorchFunctionMode


class _WidenF32(TorchFunctionMode):
    """Reads every request for f32 (`dtype=torch.float32`, `.float()`) as one for f64."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        if func is torch.Tensor.float:
            func = torch.Tensor.double
        widened = [torch.float64 if value is torch.float32 else value for value in args]
        named = {name: torch.float64 if value is torch.float32 else value for name, value in (kwargs or {}).items()}
        return func(*widened, **named)


@contextlib.contextmanager
def in_f64() -> Iterator[None]:
    """Within it, tensors and modules are made in f64, and nothing is rounded to f32 on the way."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        with _WidenF32():
            yield
    finally:
        torch.set_default_dtype(before)
