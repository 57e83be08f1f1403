"""From a source to a loaded library: through the cache, compiling at most once."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..codegen.render import Source, render
from ..errors import TuneWarning
from ..ir.program import Program
from ..ir.spec import KernelSpec
from ..ir.targets import Isa
from ..schedule import tuned
from ..schedule.choose import choose
from ..toolchain import compilers
from ..toolchain.cache import Cache, key, location
from .state import RUNTIME

if TYPE_CHECKING:
    from cffi import FFI


@dataclass(frozen=True)
class Library:
    """A shared library in memory. ``handle`` must live as long as ``function``, its entry point."""

    path: Path
    key: str
    ffi: FFI
    handle: Any
    function: Any


def host_isa() -> Isa:
    """The instruction set that the compiler is to use here."""
    return Isa.of(compilers.find_cc().simd_bytes)


def source_here(spec: KernelSpec, **overrides: object) -> Source:
    """The source of ``spec`` as this machine's compiler and vectors make it best: what was tuned here, else what the
    model says; ``overrides`` change the schedule."""
    isa = host_isa()
    program = Program.of(spec)
    row = tuned.rows(isa.simd_bytes).get(spec.symbol()) if program.target.loads and not overrides else None
    if row:
        try:
            return render(program, choose(program, isa, **row))
        except (ValueError, TypeError) as error:
            warnings.warn(f"{tuned.location()}: {error}", TuneWarning, stacklevel=2)
    return render(program, choose(program, isa, **overrides))


def cache_key(text: Source) -> str:
    """The name of ``text``'s binary in the cache, for the compiler and instruction set in force."""
    cc = compilers.find_cc()
    return key(text.text, compilers.library_flags(cc), cc.identity)


def default_cache() -> Cache:
    """The cache that the environment names now."""
    stores, path = RUNTIME.stores, location()
    return stores.get(path) or stores.setdefault(path, Cache(path))


def load(text: Source) -> Library:
    """The library made from ``text``: from the cache if it is there, else compiled.

    Raises NoCompilerError, CompileError, JitDisabledError; a cache entry that does not load is rebuilt once.
    """
    return load_c(text.symbol, text.text, text.entry.cffi_cdef)


def load_c(
    symbol: str, text: str, declarations: str, *, language: Sequence[str] = (), libraries: Sequence[str] = ()
) -> Library:
    """The library made from any C text, through the same cache; ``symbol`` is its entry point and its name there.

    ``language``: flags before the source, such as ``-x c++``; ``libraries``: what it is linked with, behind it.
    """
    cc = compilers.find_cc()
    flags = (*compilers.library_flags(cc), *language)
    name = key(text, (*flags, *libraries), cc.identity)
    store = default_cache()
    meta = {"symbol": symbol, "argv": [cc.path, *flags, *libraries], "compiler": cc.identity}

    def make(folder: Path) -> Path:
        code, binary = folder / "kernel.c", folder / "kernel.so"
        code.write_text(text, encoding="utf-8")
        argv = [cc.path, *flags, "-o", binary.name, code.name, *libraries]
        compilers.run(argv, what=symbol, cwd=folder, source=code)
        return binary

    path = store.get(name, meta, make)
    try:
        return _open(path, name, symbol, declarations)
    except OSError as error:
        store.discard(name, f"it does not load ({error})")
        return _open(store.get(name, meta, make), name, symbol, declarations)


def _open(path: Path, name: str, symbol: str, declarations: str) -> Library:
    from cffi import FFI  # here: importing bblas_gen must stay fast

    ffi = FFI()
    ffi.cdef(declarations)
    handle = ffi.dlopen(str(path))
    try:
        function = getattr(handle, symbol)
    except AttributeError as error:
        raise OSError(str(error)) from error
    return Library(path, name, ffi, handle, function)
