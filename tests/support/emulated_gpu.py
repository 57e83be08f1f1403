"""A GPU that is not there: arrays that say they are on one, and a compiler for it, both of the CPU."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np

ALIVE: list[Any] = []
"""Memory of all arrays: what is queued may use it when nobody has the array any more."""


class GpuArray:
    """An array of a library for GPUs: it tells where it lies, and can be sliced; nobody can read it but ``array``."""

    def __init__(self, array: np.ndarray[Any, Any], stream: int | None = None) -> None:
        self.array, self.stream = array, stream
        ALIVE.append(array)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        found = self.array.__array_interface__
        strides = None if self.array.flags.c_contiguous else self.array.strides
        place = found["data"][0], not self.array.flags.writeable
        kind = {"shape": self.array.shape, "typestr": found["typestr"], "strides": strides}
        return {"version": 3, "data": place, "stream": self.stream, **kind}

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    @property
    def ndim(self) -> int:
        return self.array.ndim

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.array.dtype

    @property
    def device(self) -> str:
        return "emulated"

    def __getitem__(self, index: Any) -> GpuArray:
        return GpuArray(self.array[index], self.stream)

    def swapaxes(self, first: int, second: int) -> GpuArray:
        return GpuArray(self.array.swapaxes(first, second), self.stream)

    def __array_namespace__(self) -> Any:
        return Namespace


class Namespace:
    """The functions of its library. What is new is poisoned."""

    float32, float64, complex64, complex128, int32 = "f4", "f8", "c8", "c16", "i4"

    @staticmethod
    def empty(shape: tuple[int, ...], *, dtype: str, device: str) -> GpuArray:
        found = np.empty(shape, dtype)
        found.view(np.uint8).fill(0xAA)
        return GpuArray(found)

    @staticmethod
    def zeros(shape: tuple[int, ...], *, dtype: str, device: str) -> GpuArray:
        return GpuArray(np.zeros(shape, dtype))


def compiler(folder: Path) -> Path:
    """An nvcc whose cubins the emulated driver takes."""
    script = folder / "nvcc"
    tests = Path(__file__).resolve().parents[1]
    script.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(tests)!r})\n"
        "from support.emulated_gpu import main\nmain(sys.argv[1:])\n"
    )
    script.chmod(0o755)
    return script


def main(arguments: list[str]) -> None:
    """What the compiler does."""
    from . import emulator

    if "--version" in arguments:
        print("Cuda compilation tools, release 0.0, V0.0.0")
        return
    text = Path(arguments[-1]).read_text()
    names = re.findall(r'^extern "C" __global__[^;{]*?\b(\w+)\([^()]*\)\s*\{', text, re.MULTILINE)
    shutil.copy(emulator.compile(text, names).path, arguments[arguments.index("-o") + 1])
