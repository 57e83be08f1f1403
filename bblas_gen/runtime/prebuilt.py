"""The library that was built ahead, loaded: kernels by their names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..codegen.signature import signature_of
from ..errors import LibraryError
from ..ir.spec import KernelSpec
from ..toolchain.prebuilt import Prebuilt, find
from .state import RUNTIME
from .undivided import undivided

if TYPE_CHECKING:
    from cffi import FFI

POOL = """
void bblas_parallel_limit(int threads);
int bblas_parallel_helped(void);
int bblas_kept(void *call);
int bblas_pieces(const void *calls, const void *pieces, const void *windows, int64_t count, int64_t batch,
                  int threads, double nanoseconds);
"""
"""What the thread pool declares."""


@dataclass(frozen=True)
class Built:
    """A library that is loaded: what ``found`` says of it, its ``handle``, which lives as long as the process, and
    those of its ``functions`` that were asked for."""

    found: Prebuilt
    ffi: FFI
    handle: Any
    functions: dict[KernelSpec, Any] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, found: Prebuilt) -> Built:
        from cffi import FFI  # here: importing bblas_gen must stay fast

        ffi = FFI()
        declared = f"void *{found.prefix}kernel(const char *name); const char *{found.prefix}isa(void);"
        undivided(lambda: ffi.cdef(declared + (POOL if found.pooled else "")))
        try:  # kernels that are loaded later see its pool
            handle = ffi.dlopen(str(found.path), ffi.RTLD_NOW | (ffi.RTLD_GLOBAL if found.pooled else 0))
        except OSError as error:
            raise LibraryError(f"{found.path} does not load ({error})") from error
        return cls(found, ffi, handle)

    @property
    def isa(self) -> str:
        """The instruction set in use."""
        name = getattr(self.handle, f"{self.found.prefix}isa")()
        return bytes(self.ffi.string(name)).decode()

    def function(self, spec: KernelSpec) -> Any:
        """The C function of a kernel, None where the library does not have it."""
        found = self.functions.get(spec)
        if found is None and (found := self._function(spec)) is not None:
            self.functions[spec] = found
        return found

    def _function(self, spec: KernelSpec) -> Any:
        if (name := spec.symbol()) not in self.found.kernels:
            return None
        kinds = ", ".join("void *" if "*" in p.ctype else p.ctype for p in signature_of(spec).parameters)
        entry = getattr(self.handle, f"{self.found.prefix}kernel")(name.encode())
        return undivided(lambda: self.ffi.cast(f"int (*)({kinds})", entry)) if entry else None


def built(generator: Callable[[], str]) -> Built | None:
    """The library to be used, loaded; None where there is none. Raises LibraryError."""
    if RUNTIME.library is None:
        with RUNTIME.compiling.held("library"):
            if RUNTIME.library is None:
                found = find(generator)
                RUNTIME.library = Built.of(found) if found else False
    return RUNTIME.library or None
