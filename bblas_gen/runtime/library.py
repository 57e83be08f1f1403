"""From a source to a loaded library: through the cache, compiling at most once."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any

from ..codegen.folder import template_folder
from ..codegen.signature import Signature, signature_of
from ..errors import BblasError, JitDisabledError, NoCompilerError, TuneWarning
from ..ir.spec import KernelSpec
from ..ir.targets import CacheLevel, Isa
from ..schedule import tuned
from ..toolchain import compilers, index, machine
from ..toolchain.cache import Cache, key, location
from ..toolchain.store import Load, T, truthy
from .prebuilt import Built, built
from .state import RUNTIME
from .undivided import undivided

if TYPE_CHECKING:
    from cffi import FFI

    from ..codegen.node import Need
    from ..codegen.render import Source
    from ..ir.program import Program
    from ..schedule.schedule import Schedule

PACKAGE = Path(__file__).resolve().parents[1]
MAKERS = ("ir", "schedule", "codegen")
"""The packages that decide the text of a kernel, beside the templates."""
STARTED = time()
"""When this process read the generator: files that are newer do not say how it makes a kernel."""


@dataclass(frozen=True)
class Library:
    """A kernel's entry point in a shared library; ``handle`` must live as long as ``function``. ``pooled``: it was
    loaded when there was a thread pool, and found it. ``needs``: those of the kernels that it calls."""

    path: Path
    key: str
    ffi: FFI
    handle: Any
    function: Any
    pooled: bool = False
    needs: tuple[Library, ...] = ()


def host_isa() -> Isa:
    """The instruction set that the compiler is to use here."""
    return Isa.of(compilers.find_cc().simd_bytes)


def isa_of_machine() -> Isa:
    """The same with the caches of this machine, of which results do not depend."""
    isa = host_isa()
    second, third = (
        CacheLevel(*told) if told[0] else other for told, other in zip(machine.shares(), isa.caches, strict=True)
    )
    return replace(isa, caches=(second, third))


def source_here(spec: KernelSpec, **overrides: object) -> Source:
    """The source of ``spec`` as this machine's compiler and vectors make it best: what was tuned here, else what the
    model says; ``overrides`` change the schedule."""
    undivided(partial(import_module, "..codegen.render", __package__))  # here: importing bblas_gen must stay fast
    from ..codegen.render import render
    from ..ir.program import Program
    from ..schedule.choose import choose

    program, isa = Program.of(spec), isa_of_machine()
    known = None if overrides else _tuned(program, isa)
    return undivided(lambda: render(program, known or choose(program, isa, **overrides)))


def _tuned(program: Program, isa: Isa) -> Schedule | None:
    """The schedule that was measured to be best here, if any was and is still possible."""
    from ..schedule.choose import choose  # here: importing bblas_gen must stay fast

    row = tuned.rows(isa.simd_bytes).get(program.spec.symbol()) if program.target.loads else None
    try:
        return choose(program, isa, **row) if row else None
    except (ValueError, TypeError) as error:
        warnings.warn(f"{tuned.location()}: {error}", TuneWarning, stacklevel=3)
        return None


def default_cache() -> Cache:
    """The cache that the environment names now."""
    stores, path = RUNTIME.stores, location()
    return stores.get(path) or stores.setdefault(path, Cache(path))


def library_here() -> Built | None:
    """The library that was built ahead, loaded; None where there is none. Raises LibraryError."""
    return built(partial(generator, "library"))


def load_kernel(spec: KernelSpec, overrides: Mapping[str, object]) -> Library:
    """The kernel of ``spec``: of a library that was built ahead, else the one that :func:`source_here` makes, else what
    general kernels of the library do in its place, where there is no compiler.

    Raises LibraryError, and what :func:`load` raises.
    """
    ahead = None if overrides else library_here()
    if ahead and (function := ahead.function(spec)):
        return Library(ahead.found.path, "", ahead.ffi, ahead.handle, function, ahead.found.pooled)
    try:
        return _from_cache(spec, overrides)
    except (NoCompilerError, JitDisabledError) as error:
        from .stand_in import stand_in  # here: importing bblas_gen must stay fast

        if ahead and (replaced := stand_in(spec, ahead.function)):
            return Library(ahead.found.path, "", ahead.ffi, ahead.handle, replaced)
        raise _with_hint(error, spec) from error


def _with_hint(error: NoCompilerError | JitDisabledError, spec: KernelSpec) -> BblasError:
    """What to do where there is a compiler, so that none is needed here."""
    row = spec.row
    ops = dict.fromkeys(step.op for step in row.steps_for({})) if row.composed else [row.spoken_name]
    hint = f"bblas-gen prebuild --ops {','.join(ops)} --dtypes {spec.precision} makes a library that does without"
    if isinstance(error, NoCompilerError):
        return NoCompilerError(error.reason, f"{error.hint}; where there is one, {hint}")
    return JitDisabledError(f"{error}; {hint}")


def _from_cache(spec: KernelSpec, overrides: Mapping[str, object]) -> Library:
    """The library of the kernel that :func:`source_here` makes. Where the cache knows its recipe no text is made."""
    recipe = _recipe(spec, overrides)

    needs: tuple[Need, ...] = ()
    if overrides.get("form") == "recursive":
        from ..codegen.recursive import needs_of  # here: importing bblas_gen must stay fast
        from ..ir.program import Program

        needs = needs_of(Program.of(spec))
    prototypes = _prototypes(signature_of(spec), needs)

    def opened(binary: Path, place: Path) -> Library:
        return _with_needs(_opener(place.parent.name, prototypes)(binary, place), [needs])[0]

    def compiled() -> tuple[str, Library]:
        library = load(source_here(spec, **overrides))
        return library.key, library

    return remembered(recipe, opened, compiled)


def remembered(recipe: str, load: Load[T], make: Callable[[], tuple[str, T]]) -> T:
    """What ``load`` makes of the entry that ``recipe`` has in the cache; else what ``make`` makes, whose key is noted.
    "" is a recipe that is not known."""
    store = default_cache()
    known = store.recall(recipe) if recipe and not truthy("BBLAS_GEN_FORCE_COMPILE") else None
    if known and (found := store.lookup(known, load)) is not None:
        return found
    name, made = make()
    if recipe and index.newest(_makers()) < STARTED:  # nobody wrote to them meanwhile
        store.note(recipe, name)
    return made


def _makers() -> tuple[Path, ...]:
    return (*(PACKAGE / name for name in MAKERS), template_folder())


def generator(*more: str) -> str:
    """A name for what makes texts in this process, and for other packages beside; "" where files have changed since it
    began."""
    return index.digest((*_makers(), *(PACKAGE / name for name in more)), STARTED)


def _recipe(spec: KernelSpec, overrides: Mapping[str, object]) -> str:
    """A name for all that decides the binary of a kernel; "" where that is not known."""
    cc, version = compilers.find_cc(), generator()
    row = {} if overrides else tuned.rows(cc.simd_bytes).get(spec.symbol(), {})
    what = [version, vars(spec), sorted(overrides.items()), sorted(row.items()), isa_of_machine()]
    return key(repr(what), compilers.kernel_flags(cc), cc.identity) if version else ""


def load(text: Source) -> Library:
    """The library made from ``text``: from the cache if it is there, else compiled.

    Raises NoCompilerError, CompileError, JitDisabledError, CacheError.
    """
    return _load_sources([text], text.symbol, text.text, [text.symbol])[0]


def load_many(texts: Sequence[Source]) -> list[Library]:
    """The libraries of several kernels, made by one call of the compiler: one binary, one entry of the cache.

    Their bits are those of :func:`load`. Raises what it raises.
    """
    if len(texts) == 1:
        return [load(texts[0])]
    from ..codegen.unit import unit  # here: importing bblas_gen must stay fast

    together = undivided(lambda: unit(texts))
    what = f"{texts[0].symbol} and {len(texts) - 1} more" if texts else "no kernel"
    return _load_sources(texts, what, together.text, together.entries)


def _load_sources(texts: Sequence[Source], what: str, together: str, entries: Sequence[str]) -> list[Library]:
    """The libraries of kernels in one C text, by the names of their entry points there."""
    flags, prototypes = compilers.kernel_flags(compilers.find_cc()), dict[str, str]()
    for entry, text in zip(entries, texts, strict=True):
        prototypes |= _prototypes(replace(text.entry, symbol=entry), text.needs)
    flags += ("-DBB_GIVEN",) * any(text.needs for text in texts)
    return _with_needs(_load(what, together, prototypes, flags), [text.needs for text in texts])


def _prototypes(entry: Signature, needs: Sequence[Need]) -> dict[str, str]:
    """The prototypes of a kernel by name: its entry point, and, where it calls others, what takes their addresses."""
    found = {entry.symbol: entry.cffi_cdef}
    return found | {f"{entry.symbol}_given": f"void {entry.symbol}_given(void *kernels);"} if needs else found


def _with_needs(found: Sequence[Library], needs: Sequence[Sequence[Need]]) -> list[Library]:
    """The libraries of kernels with the addresses of those that they call; ``found`` has one for each prototype."""
    made, rest = [], iter(found)
    for wanted in needs:
        library = next(rest)
        if wanted:
            called = tuple(load_kernel(need.spec, {}) for need in wanted)
            takes, ffi = next(rest).function, library.ffi
            takes(
                ffi.new("void *[]", [ffi.cast("void *", int(one.ffi.cast("intptr_t", one.function))) for one in called])
            )
            library = replace(library, needs=called)
        made.append(library)
    return made


def load_c(
    symbol: str,
    text: str | Callable[[], str],
    declarations: str,
    *,
    language: Sequence[str] = (),
    libraries: Sequence[str] = (),
    openmp: bool = True,
    everywhere: bool = False,
) -> Library:
    """The library made from any C text, through the same cache; ``symbol`` is its entry point and its name there. Of
    templates of ours the text may be what makes it, which is not done where the cache knows its binary.

    ``language``: flags before the source, such as ``-x c++``; ``libraries``: what it is linked with, behind it;
    ``everywhere``: whether libraries that are loaded later see its functions.
    """
    flags = (*compilers.library_flags(compilers.find_cc(), openmp=openmp), *language)
    prototypes = {symbol: declarations}

    def made(found: str) -> Library:
        return _load(symbol, found, prototypes, flags, libraries, everywhere=everywhere)[0]

    if isinstance(text, str):
        return made(text)

    def opened(binary: Path, place: Path) -> Library:
        return _opener(place.parent.name, prototypes, everywhere=everywhere)(binary, place)[0]

    def compiled() -> tuple[str, Library]:
        library = made(text())
        return library.key, library

    version = generator()
    what = key(f"{version} {symbol} {declarations}", (*flags, *libraries), compilers.find_cc().identity)
    return remembered(what if version else "", opened, compiled)


def _load(
    what: str,
    text: str,
    prototypes: Mapping[str, str],
    flags: Sequence[str],
    libraries: Sequence[str] = (),
    *,
    everywhere: bool = False,
) -> list[Library]:
    """One library for each entry point of ``text``; ``what`` names them all in the cache and in messages."""
    cc = compilers.find_cc()
    name = key(text, (*flags, *libraries), cc.identity)
    store = default_cache()
    meta = {"symbol": what, "argv": [cc.path, *flags, *libraries], "compiler": cc.identity}

    def make(folder: Path) -> Path:
        code, binary = folder / "kernel.c", folder / "kernel.so"
        code.write_text(text, encoding="utf-8")
        argv = [cc.path, *flags, "-o", binary.name, code.name, *libraries]
        compilers.run(argv, what=what, cwd=folder, source=code)
        return binary

    return store.get(name, meta, make, _opener(name, prototypes, everywhere=everywhere))


def functions_of(path: Path, declarations: str) -> Any:
    """The functions of a library that somebody else built."""
    from cffi import FFI  # here: importing bblas_gen must stay fast

    ffi = FFI()
    ffi.cdef(declarations)
    return ffi.dlopen(str(path))


def _opener(name: str, prototypes: Mapping[str, str], *, everywhere: bool = False) -> Load[list[Library]]:
    """What loads the entry points from a binary that will stay in another place."""

    def opened(binary: Path, place: Path) -> list[Library]:
        from cffi import FFI  # here: importing bblas_gen must stay fast

        ffi = FFI()
        undivided(lambda: ffi.cdef("\n".join(prototypes.values())))
        handle = ffi.dlopen(str(binary), ffi.RTLD_NOW | (ffi.RTLD_GLOBAL if everywhere else 0))
        try:
            functions = [getattr(handle, symbol) for symbol in prototypes]
        except AttributeError as error:
            raise OSError(str(error)) from error
        return [Library(place, name, ffi, handle, function, bool(RUNTIME.pool)) for function in functions]

    return opened
