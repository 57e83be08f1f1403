"""From a spec to a kernel that can be called: what was loaded once stays loaded."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import SpecError
from ..ir.spec import KernelSpec
from ..ir.targets import TARGETS
from ..toolchain.machine import cores
from .record import note
from .state import RUNTIME
from .undivided import undivided

if TYPE_CHECKING:
    from ..codegen.render import Source
    from .library import Library

T = TypeVar("T")
R = TypeVar("R")
Name = tuple[KernelSpec, tuple[tuple[str, object], ...]]

UNIT = 16
"""Kernels in one translation unit, at most: more save little, and would leave cores idle at the end."""


@dataclass(frozen=True)
class Kernel:
    """A compiled kernel: what was wanted (``spec``), how it was made (``source``), its binary (``library``).

    Calling it calls the C entry point with the parameters of ``source.declaration``, sizes that are not known before
    (``m=None``) first; it returns ``info``: 0, or -i where argument i is at fault. ``make_source`` makes ``source``
    when it is asked for: a binary from the cache does without; ``overrides`` are the fields of its schedule that were
    replaced. It pickles as what was wanted: who unpickles it loads the binary from the cache, or compiles it.
    """

    spec: KernelSpec
    library: Library
    make_source: Callable[[], Source] = field(repr=False, compare=False)
    overrides: tuple[tuple[str, object], ...] = ()

    @cached_property
    def source(self) -> Source:
        return self.make_source()

    def __call__(self, *arguments: Any) -> int:
        return int(self.library.function(*arguments))

    def __repr__(self) -> str:
        return f"<Kernel {self.spec.symbol()}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.spec, self.overrides)


def _again(spec: KernelSpec, overrides: Iterable[tuple[str, object]]) -> Kernel:
    return kernel(spec, **dict(overrides))


def kernel(spec: KernelSpec, **overrides: object) -> Kernel:
    """The kernel for ``spec``, compiled if need be. ``overrides`` replace fields of its schedule (see Schedule)."""
    _check_target(spec)
    if not overrides:
        note(spec)
    name, loaded = _name(spec, overrides), RUNTIME.kernels
    found: Kernel | None = loaded[name]
    if found is None:
        with RUNTIME.compiling.held(name):  # one thread compiles, others that want the same kernel wait for it
            found = loaded[name]
            if found is None:
                found = _loaded(spec, overrides, name)
                loaded.keep(name, found)
    return found


def _loaded(spec: KernelSpec, overrides: Mapping[str, object], name: Name) -> Kernel:
    undivided(partial(import_module, ".threads", __package__))  # here: importing bblas_gen must stay fast
    from . import library, threads

    threads.start_pool()
    return Kernel(spec, library.load_kernel(spec, overrides), partial(library.source_here, spec, **overrides), name[1])


def load(specs: Iterable[KernelSpec]) -> None:
    """The kernels for ``specs``, found or compiled side by side, so that :func:`kernel` has them at once."""
    missing = [spec for spec in dict.fromkeys(specs) if RUNTIME.kernels[spec, ()] is None]
    if len(missing) > 1:
        side_by_side(kernel, missing)


def side_by_side(work: Callable[[T], R], items: Sequence[T]) -> list[R]:
    """What ``work``, which waits for compilers, makes of each item, on all cores."""
    if len(items) < 2:
        return [work(item) for item in items]
    from concurrent.futures import ThreadPoolExecutor  # here: importing bblas_gen must stay fast

    with ThreadPoolExecutor(cores()) as pool:
        return list(pool.map(work, items))


Wanted = KernelSpec | tuple[KernelSpec, Mapping[str, object]]
"""A spec, or a spec and the fields of its schedule that are to be replaced."""


def prepare(wanted: Iterable[Wanted], *, jobs: int | None = None) -> list[Kernel]:
    """The kernels for ``wanted``, in this order; those that are not loaded yet are compiled together.

    Up to UNIT kernels make one translation unit, which saves what a call of the compiler costs, and ``jobs`` compilers
    run at a time, by default one on each core. Later calls of :func:`kernel` find them loaded. Another process finds
    them in the cache if it prepares the same ones. Raises what :func:`kernel` raises.
    """
    from concurrent.futures import ThreadPoolExecutor  # here: importing bblas_gen must stay fast

    from .library import load_many, source_here
    from .threads import start_pool

    pairs = [(x, {}) if isinstance(x, KernelSpec) else (x[0], dict(x[1])) for x in wanted]
    names = [_name(spec, overrides) for spec, overrides in pairs]
    missing = {name: pair for name, pair in zip(names, pairs, strict=True) if RUNTIME.kernels[name] is None}
    for spec, _ in missing.values():
        _check_target(spec)
    texts = [source_here(spec, **overrides) for spec, overrides in missing.values()]
    team = jobs or cores()
    size = max(1, min(UNIT, -(-len(texts) // team)))
    units = [texts[i : i + size] for i in range(0, len(texts), size)]
    start_pool()
    with ThreadPoolExecutor(team) as pool:
        libraries = [library for found in pool.map(load_many, units) for library in found]
    found = zip(missing.items(), texts, libraries, strict=True)
    made = {name: Kernel(spec, library, partial(_same, text), name[1]) for (name, (spec, _)), text, library in found}
    for name, one in made.items():
        RUNTIME.kernels.keep(name, one)
    return [made.get(name) or kernel(spec, **overrides) for name, (spec, overrides) in zip(names, pairs, strict=True)]


def _same(text: Source) -> Source:
    return text


def _name(spec: KernelSpec, overrides: Mapping[str, object]) -> Name:
    wrong = next((name for name, value in overrides.items() if not isinstance(value, Hashable)), None)
    if wrong:
        raise ValueError(f"{wrong} = {overrides[wrong]!r} is not available: expected a number, or the name of a form")
    return spec, tuple(sorted(overrides.items()))


def _check_target(spec: KernelSpec) -> None:
    if not TARGETS[spec.target].loads:
        target = spec.target
        raise SpecError(
            f"target = {target!r} cannot be loaded as a function of Python: bb.warmup(..., target={target!r}) compiles "
            f"and loads kernels for calls on a GPU, bblas-gen build --target {target} makes a library of them, and "
            "bblas-gen emit writes them for other programs"
        )


def reset() -> None:
    """Forget all that this process remembers: the next call looks into the cache again, at tuned schedules, compilers
    and settings too. For tests and after a change of these."""
    from .threads import renew_limit

    RUNTIME.reset()
    renew_limit()
