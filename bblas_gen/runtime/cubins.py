"""From functions of a GPU to a cubin: of a library that was built ahead, else through the cache that all kernels share,
compiling at most once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from ..codegen.render import Source, render
from ..codegen.unit import unit
from ..errors import JitDisabledError, LibraryError, NoCompilerError
from ..ir.program import Program
from ..ir.spec import KernelSpec
from ..schedule import gpu
from ..toolchain import compilers, cuda
from ..toolchain.cache import Cache, in_place, key
from ..toolchain.compilers import Compiler
from ..toolchain.cubins import CubinLibrary, find
from ..toolchain.machine import cores
from ..toolchain.store import Load, T
from .library import default_cache, generator, remembered
from .nvrtc import compile_cubin
from .state import RUNTIME
from .undivided import undivided

UNIT = 16
"""Functions in one text, at most: more would leave cores idle at the end."""
Wanted = tuple[KernelSpec, str]
"""A kernel, and the name of one of its device functions (see ``codegen.device``)."""


def compile_device(wanted: Sequence[Wanted], arch: str = "", load: Load[T] = in_place) -> T:  # type: ignore[assignment]
    """The path of a cubin that holds the functions ``wanted``, or what ``load`` makes of it; see ``Store.find``.

    ``arch`` is that of the device, such as "sm_90", which the setting BBLAS_GEN_CUDA_ARCH overrules. A library that was
    built ahead is looked into first. Raises ValueError where nothing says what to compile for, LibraryError, and what
    :func:`compile_for` raises.
    """
    arch = cuda.architecture(arch)
    if (ahead := cubins_here()) and (path := _of_library(ahead, arch, [name for _, name in wanted])):
        return load(path, path)
    with _naming_libraries(arch):
        return compile_for(wanted, arch, load)


def compile_for(wanted: Sequence[Wanted], arch: str, load: Load[T] = in_place) -> T:  # type: ignore[assignment]
    """The same, without a library, for any architecture. Several functions are compiled together, and are one entry of
    the cache. Where that knows them no text is made. Raises NoCompilerError, CompileError, JitDisabledError and
    CacheError.
    """
    cc, flags = cuda.find_cuda_compiler(), cuda.cubin_flags(arch)
    functions = sorted(dict.fromkeys(wanted), key=lambda pair: pair[1])
    return remembered(_recipe(functions, cc, flags), load, partial(_compiled, functions, cc, flags, load))


def compile_ahead(specs: Iterable[KernelSpec], arch: str = "", jobs: int | None = None) -> None:
    """All device functions of ``specs`` into the cache, UNIT in a text, so that :func:`compile_device` finds each.

    ``jobs`` compilers run at a time, by default one on each core. Raises what :func:`compile_device` raises.
    """
    from concurrent.futures import ThreadPoolExecutor  # here: importing bblas_gen must stay fast

    own, arch, ahead = arch, cuda.architecture(arch), cubins_here()
    wanted = [one for spec in dict.fromkeys(specs) for one in functions_of(spec, own or arch)]
    wanted = [one for one in wanted if not (ahead and _of_library(ahead, arch, [one[1]]))]
    if not wanted:
        return
    cc, flags = cuda.find_cuda_compiler(), cuda.cubin_flags(arch)
    store, team = default_cache(), jobs or cores()
    missing = [one for one in wanted if not _has(store, _recipe([one], cc, flags))]
    size = max(1, min(UNIT, -(-len(missing) // team)))
    units = [missing[i : i + size] for i in range(0, len(missing), size)]
    with ThreadPoolExecutor(team) as pool:
        list(pool.map(partial(_unit_ahead, cc, flags), units))


def _unit_ahead(cc: Compiler, flags: Sequence[str], wanted: Sequence[Wanted]) -> None:
    name, _ = _compiled(wanted, cc, flags, in_place)
    for one in wanted:
        remembered(_recipe([one], cc, flags), in_place, lambda: (name, Path()))


def _has(store: Cache, recipe: str) -> bool:
    known = store.recall(recipe) if recipe else None
    return known is not None and store.lookup(known, in_place) is not None


def _recipe(functions: Sequence[Wanted], cc: Compiler, flags: Sequence[str]) -> str:
    """A name for all that decides a cubin; "" where that is not known."""
    version = generator()
    named = [(sorted(vars(spec).items()), name) for spec, name in functions]
    return key(repr([version, named]), flags, cc.identity) if version else ""


def compile_text(text: str | Callable[[], str], what: str, arch: str = "", functions: Sequence[str] = ()) -> Path:
    """The path of a cubin of any CUDA text, or of what makes it, through the same cache; ``what`` is its name there and
    in messages. Where its ``functions`` are named a library that was built ahead is looked into first."""
    arch = cuda.architecture(arch)
    if functions and (ahead := cubins_here()) and (path := _of_library(ahead, arch, functions)):
        return path
    with _naming_libraries(arch):
        cc, flags = cuda.find_cuda_compiler(), cuda.cubin_flags(arch)
        return _cached(text if isinstance(text, str) else undivided(text), cc, flags, what, in_place)[1]


@contextmanager
def _naming_libraries(arch: str) -> Iterator[None]:
    """Where nothing can be compiled, say what does without."""
    made = f"bblas-gen build --target cuda --arch {arch} makes a library that does without, where there is one"
    try:
        yield
    except NoCompilerError as error:
        raise NoCompilerError(error.reason, f"{error.hint}; {made}") from error
    except JitDisabledError as error:
        raise JitDisabledError(f"{error}; {made}") from error


def cubins_here() -> CubinLibrary | None:
    """The library of cubins that was built ahead; None where there is none. Raises LibraryError."""
    if RUNTIME.cubins is None:
        with RUNTIME.compiling.held("cubins"):
            if RUNTIME.cubins is None:
                RUNTIME.cubins = find(generator) or False
    return RUNTIME.cubins or None


def _of_library(ahead: CubinLibrary, arch: str, names: Sequence[str]) -> Path | None:
    try:
        return ahead.file(arch, names)
    except (OSError, ValueError) as error:
        raise LibraryError(f"{ahead.folder} cannot be used: {error}") from error


def functions_of(spec: KernelSpec, arch: str = "") -> list[Wanted]:
    """All functions of a kernel on GPUs of an architecture; without one, on all."""
    return [(spec, function.name) for function in device_source(spec, arch=arch).functions]


def device_source(spec: KernelSpec, name: str = "", arch: str = "") -> Source:
    """The source of a kernel for GPUs of an architecture; of one device function alone, without a launcher, where
    ``name`` is given, which tells what GPUs it is for."""
    program, names = Program.of(spec), dict[str, None]()
    for schedule in gpu.schedules(program) if name else (gpu.choose(program, arch),):
        found = undivided(partial(render, program, schedule, name))
        names |= dict.fromkeys(function.name for function in found.functions)
        if not name or name in names:
            return found
    raise ValueError(f"{name} is not a function of {spec.symbol()}: expected one of {', '.join(names)}")


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
