"""The library that a user asks for: operations, precisions, sizes and layouts as the command and Python take them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..errors import SpecError
from ..ir.operation import Operation
from ..ir.spec import KernelSpec
from ..ir.terms import Layout, Precision
from ..toolchain import compilers, machine
from .contents import ANY_X86, LAYOUTS, LEVELS, Level, families, spread
from .plan import APIS, Plan, unreached

_TAKEN = (
    (Layout.PP, "arrays of pointers", {"standard", "vendor"}),
    (Layout.BI, "interleaved matrices", {"compact", "mkl_compact"}),
)
"""The layouts that interfaces cannot do without."""


def plan_of(
    specs: Iterable[KernelSpec],
    rows: Iterable[Operation],
    precisions: Sequence[Precision],
    sizes: Iterable[int],
    layouts: Sequence[str],
    isa: Sequence[str],
    *,
    name: str,
    prefix: str,
    openmp: bool | None,
    api: Sequence[str],
) -> Plan:
    """The library of these kernels and operations. Raises SpecError and NoCompilerError."""
    where, numbers = [_layout(text) for text in layouts], [*sizes]
    wanted, bare = [*specs], []
    for row in rows:
        for p in precisions:
            wanted += spread(row, p, numbers, where)
            bare += spread(row, p, [1], where)[:1]
    if not wanted and not bare:
        raise SpecError("nothing to build: expected operations (ops), or kernels (a set)")
    found = families([*wanted, *(spec.any_size for spec in bare)], where)
    return Plan(
        name=name,
        prefix=prefix or f"{name}_",
        families=found,
        more=unreached(found, wanted),
        levels=_levels(isa),
        openmp=compilers.has_openmp(compilers.find_cc()) if openmp is None else openmp,
        apis=_apis(api, where),
    )


def _layout(text: str) -> Layout:
    if text not in [str(layout) for layout in LAYOUTS]:
        raise SpecError(f"layouts = {text!r}: expected some of {', '.join(LAYOUTS)}")
    return Layout(text)


def _apis(names: Sequence[str], layouts: Sequence[Layout]) -> tuple[str, ...]:
    """The interfaces that are named, and our own."""
    if wrong := next((name for name in names if name not in APIS), None):
        raise SpecError(f"api = {wrong!r} is unknown: expected some of {', '.join(APIS)}")
    for layout, what, some in _TAKEN:
        if set(names) & some and layout not in layouts:
            raise SpecError(f"api = {','.join(names)!r} takes {what}: expected layouts with {layout}")
    return tuple(name for name in APIS if name == "own" or name in names)


def _levels(isa: Sequence[str]) -> tuple[Level, ...]:
    """The instruction sets that are named, from the oldest on; those for all processors where none is."""
    cc = compilers.find_cc()
    native = Level("native", cc.simd_bytes)
    if not isa and machine.architecture() != "x86_64":
        return (native,)
    names = [*isa] or [*ANY_X86]
    known = {level.march: level for level in (*LEVELS, native)}
    if wrong := next((name for name in names if name not in known), None):
        raise SpecError(f"isa = {wrong!r} is unknown: expected some of {', '.join(known)}")
    if "native" in names and len(names) > 1:
        raise SpecError(f"isa = {','.join(names)!r}: expected native alone, or others")
    return tuple(level for name, level in known.items() if name in names)
