"""cuBLAS, where its library is there: products of large matrices are its work then.

It is called as C is, on the caller's stream, with one handle for each GPU. What it has no letter or no stride for stays
with our own kernel, as does alpha = 0, where nothing is to be read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from threading import Lock
from typing import Any

from ..errors import CaptureError, LibraryError
from ..ir.spec import KernelSpec
from ..ir.terms import Layout, Letter, Strides, Trans
from .gpu import Gpu, capturing

VARIABLE = "BBLAS_GEN_CUBLAS"
"""The path of the library, or "none" for our own products."""
MOST = 2**31 - 1
_LETTERS: dict[Letter, int] = {Trans.N: 0, Trans.T: 1, Trans.C: 2}
_PRODUCTS = {"gemm": "gemmStridedBatched"}
"""By operation."""
_DECLARED = "int cublasCreate_v2(void **handle); int cublasSetStream_v2(void *handle, uintptr_t stream);" + "".join(
    f"int cublas{p}gemmStridedBatched(void *handle, int transa, int transb, int m, int n, int k, const void *alpha, "
    "uintptr_t a, int lda, long long stride_a, uintptr_t b, int ldb, long long stride_b, const void *beta, "
    "uintptr_t c, int ldc, long long stride_c, int batch);"
    for p in "SDCZ"
)


@dataclass(frozen=True)
class Handle:
    """That of a GPU, which ``enter`` makes current: another may be in this thread. A stream is set for each call, so
    calls take turns."""

    library: Any
    own: Any
    enter: Callable[[], Any]
    lock: Any = field(default_factory=Lock)


@dataclass(frozen=True)
class Product:
    """A product that cuBLAS does: launched as a kernel is."""

    spec: KernelSpec
    handle: Handle

    @property
    def name(self) -> str:
        return f"cublas{self.spec.precision.upper()}{_PRODUCTS[self.spec.op]}"

    def bound(self, stream: Any, count: int, arguments: Any) -> partial[None]:
        return partial(self.queue, stream.handle, *arguments, count)

    def queue(self, stream: Any, *arguments: Any) -> None:
        self.handle.enter()
        with self.handle.lock:
            status = self.handle.library.cublasSetStream_v2(self.handle.own, int(stream))
            status = status or getattr(self.handle.library, self.name)(self.handle.own, *arguments)
        if status:
            raise RuntimeError(f"{self.name} refuses: status {status}")


_HANDLES: dict[int, Handle] = {}
"""By the number of a GPU. They stay."""


@cache
def library() -> Any:
    """The library; None where there is none, or it is not wanted."""
    from cffi import FFI  # here: importing bblas_gen must stay fast

    wanted = os.environ.get(VARIABLE)
    if wanted == "none":
        return None
    ffi = FFI()
    ffi.cdef(_DECLARED)
    if wanted:
        try:
            return ffi, ffi.dlopen(wanted)
        except OSError as error:
            raise LibraryError(f"{VARIABLE} = {wanted!r} cannot be loaded: {error}") from error
    try:
        from cuda.pathfinder import load_nvidia_dynamic_lib  # here: it comes with an extra

        return ffi, ffi.dlopen(load_nvidia_dynamic_lib("cublas").abs_path)
    except Exception:  # of many types: no package, no library, of another CUDA
        return None


def _handle(gpu: Gpu, stream: Any) -> Handle:
    """That of a GPU, made with the first call there, but not while ``stream`` captures."""
    if gpu.number not in _HANDLES:
        if capturing(stream):
            raise CaptureError("cuBLAS is not loaded, which it cannot be in a capture: call it once before")
        ffi, found = library()
        gpu.enter()
        place = ffi.new("void **")
        if status := found.cublasCreate_v2(place):
            raise LibraryError(f"cublasCreate refuses: status {status}")
        _HANDLES[gpu.number] = Handle(found, place[0], gpu.enter)
    return _HANDLES[gpu.number]


def product(spec: KernelSpec, scalars: Mapping[str, complex], gpu: Gpu, stream: Any) -> Product | None:
    """What does a product of any size; None where our own kernel is to do it."""
    plain = spec.strides in (Strides.PACKED, Strides.LD) and all(where is Layout.ST for where in spec.layouts)
    known = spec.op in _PRODUCTS and plain and all(x in _LETTERS for x in spec.flags) and scalars["alpha"] != 0
    if not known or library() is None:
        return None
    return Product(spec, _handle(gpu, stream))


def arguments(
    spec: KernelSpec, values: Mapping[str, Any], scalars: Mapping[str, complex]
) -> tuple[list[Any], dict[int, str]] | None:
    """The arguments of a product but for the number of matrices, and the slots of operands: ``values`` has sizes and
    strides by their names in C. None where one is too large."""
    ffi, _ = library()
    real = "float" if spec.p.storage.bytes == 4 else "double"
    numbers = {x: ffi.new(f"{real}[2]", [scalars[x].real, scalars[x].imag]) for x in ("alpha", "beta")}
    found: list[Any] = [*(_LETTERS[x] for x in spec.flags), *(values[x] for x in spec.row.sizes), numbers["alpha"]]
    slots, integers = {}, [values[x] for x in spec.row.sizes]
    for x in spec.row.operands:
        rows, _ = spec.stored(x)
        letter = x.name.lower()
        ld = values.get(f"ld{letter}") or max(1, values[rows])
        integers.append(ld)
        if x is spec.row.operands[-1]:
            found.append(numbers["beta"])
        slots[len(found)] = x.name
        found += [0, ld, values[f"stride_{letter}"]]
    return (found, slots) if max(integers) <= MOST else None
