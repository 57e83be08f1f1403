"""From functions of a GPU to a cubin: through the cache that all kernels share, compiling at most once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from ..codegen.render import Source, render
from ..codegen.unit import unit
from ..ir.program import Program
from ..ir.spec import KernelSpec
from ..schedule import gpu
from ..toolchain import compilers, cuda
from ..toolchain.cache import in_place, key
from ..toolchain.compilers import Compiler
from ..toolchain.store import Load, T
from .library import default_cache, generator, remembered
from .nvrtc import compile_cubin
from .undivided import undivided

Wanted = tuple[KernelSpec, str]
"""A kernel, and the name of one of its device functions (see ``codegen.device``)."""


def compile_device(wanted: Sequence[Wanted], arch: str = "", load: Load[T] = in_place) -> T:  # type: ignore[assignment]
    """The path of a cubin that holds the functions ``wanted``, or what ``load`` makes of it; see ``Store.find``.

    ``arch`` is that of the device, such as "sm_90", which the setting BBLAS_GEN_CUDA_ARCH overrules. Several functions
    are compiled together, and are one entry of the cache. Where that knows them no text is made. Raises ValueError
    where nothing says what to compile for, NoCompilerError, CompileError, JitDisabledError, CacheError.
    """
    cc, flags = cuda.find_cuda_compiler(), cuda.cubin_flags(cuda.architecture(arch))
    functions = sorted(dict.fromkeys(wanted), key=lambda pair: pair[1])
    version = generator()
    named = [(sorted(vars(spec).items()), name) for spec, name in functions]
    recipe = key(repr([version, named]), flags, cc.identity) if version else ""
    return remembered(recipe, load, partial(_compiled, functions, cc, flags, load))


def compile_text(text: str, what: str, arch: str = "") -> Path:
    """The path of a cubin of any CUDA text, through the same cache; ``what`` is its name there and in messages."""
    cc, flags = cuda.find_cuda_compiler(), cuda.cubin_flags(cuda.architecture(arch))
    return _cached(text, cc, flags, what, in_place)[1]


def device_source(spec: KernelSpec, name: str = "") -> Source:
    """The source of a kernel for GPUs; of one device function alone, without a launcher, where ``name`` is given."""
    program = Program.of(spec)
    found = undivided(lambda: render(program, gpu.choose(program), name))
    names = [function.name for function in found.functions]
    if name and name not in names:
        raise ValueError(f"{name} is not a function of {spec.symbol()}: expected one of {', '.join(names)}")
    return found


def _compiled(functions: Sequence[Wanted], cc: Compiler, flags: Sequence[str], load: Load[T]) -> tuple[str, T]:
    """The key of the entry that holds the functions, and what ``load`` makes of it."""
    sources = [device_source(spec, name) for spec, name in functions]
    text = undivided(lambda: unit(sources, [source.symbol for source in sources])).text
    what = functions[0][1] + (f" and {len(functions) - 1} more" if len(functions) > 1 else "")
    return _cached(text, cc, flags, what, load)


def _cached(text: str, cc: Compiler, flags: Sequence[str], what: str, load: Load[T]) -> tuple[str, T]:
    name = key(text, flags, cc.identity)
    meta = {"symbol": what, "argv": [cc.path, *flags], "compiler": cc.identity}
    return name, default_cache().get(name, meta, partial(_make, text, cc, flags, what), load)


def _make(text: str, cc: Compiler, flags: Sequence[str], what: str, folder: Path) -> Path:
    code, binary = folder / "kernel.cu", folder / "kernel.cubin"
    code.write_text(text, encoding="utf-8")
    if cc.family == "nvrtc":
        binary.write_bytes(compile_cubin(cc.path, code, flags, what))
    else:
        argv = [cc.path, "-cubin", *flags, "-o", binary.name, code.name]
        compilers.run(argv, what=what, cwd=folder, source=code)
    return binary
