"""`bblas-gen build`: a C library of kernels, ahead of time."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from pathlib import Path

import click

from ..errors import SpecError
from ..ir.operation import Operation
from ..ir.spec import KernelSpec, operation, precision
from ..ir.terms import Layout
from ..library.build import build
from ..library.contents import ANY_X86, LAYOUTS, LEVELS, Level, families, spread
from ..library.plan import APIS, Plan, unreached
from ..runtime import library
from ..toolchain import compilers, machine
from .options import sequences_option, set_option, sizes_in

_ISA = f"Instruction sets, of native, {', '.join(level.march for level in LEVELS)}. Default: those for all processors."


def _listed(text: str) -> list[str]:
    return [word for word in text.split(",") if word]


@click.command("build")
@set_option
@sequences_option
@click.option("--ops", default="", metavar="NAMES", help="Operations, such as gemm,trsm,posv; also of --sequences.")
@click.option("--dtypes", default="d", show_default=True, metavar="LETTERS", help="Of --ops: s, d, c, z, such as sd.")
@click.option("--sizes", default="", metavar="SIZES", help="Of --ops: equal sizes with kernels of their own, as 1..16.")
@click.option("--layouts", default="pp,st", show_default=True, help="Of functions: pp, st, bi.")
@click.option("--api", default="own", show_default=True, help=f"Interfaces, of {', '.join(APIS)}; always our own.")
@click.option("--isa", default="", metavar="NAMES", help=_ISA)
@click.option("--name", default="bblas", show_default=True, help="The library is libNAME, its header NAME.h.")
@click.option("--prefix", default="", help="Begins all names in C. Default: NAME_.")
@click.option("--openmp/--no-openmp", default=None, help="Threads. Default: where the compiler has OpenMP.")
@click.option("-j", "--jobs", type=click.IntRange(1), default=machine.cores, help="Compilers; default: cores.")
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path), required=True, help="The folder.")
def build_library(
    kernel_set: Sequence[KernelSpec],
    sequences: Sequence[Operation],
    ops: str,
    dtypes: str,
    sizes: str,
    layouts: str,
    api: str,
    isa: str,
    name: str,
    prefix: str,
    openmp: bool | None,
    jobs: int,
    output: Path,
) -> None:
    """Build a C library: functions that do every shape, with kernels of their own for the shapes that are named.

    Shared and static library, header, CMake package, pkg-config file and manifest are installed in the folder. What was
    compiled before is not compiled again.
    """
    where = [_layout(text) for text in _listed(layouts)]
    apis = _apis(api, where)
    specs = [*kernel_set]
    known = {row.name: row for row in sequences}
    bare: list[KernelSpec] = []
    for op in _listed(ops):
        row = known.get(op) or operation(op)
        for letter in dtypes.replace(",", ""):
            specs += spread(row, precision(letter), _sizes(sizes), where)
            bare += spread(row, precision(letter), [1], where)[:1]
    if not specs and not bare:
        raise click.UsageError("nothing to build: give --ops, or a --set")
    found = families([*specs, *(spec.any_size for spec in bare)], where)
    plan = Plan(
        name=name,
        prefix=prefix or f"{name}_",
        families=found,
        more=unreached(found, specs),
        levels=_levels(isa),
        openmp=compilers.has_openmp(compilers.find_cc()) if openmp is None else openmp,
        apis=apis,
    )
    digest = library.generator("library")
    with click.progressbar(length=1, label="Compiling", show_pos=True) as bar:

        def done(count: int, of: int) -> None:
            bar.length = of
            bar.update(count - bar.pos)

        built = build(plan, output, digest=digest, jobs=jobs, done=done)
    for path in built.files:
        click.echo(path)


def _sizes(text: str) -> list[int]:
    found = sizes_in("sizes", text) if text else []
    if wrong := next((size for size in found if isinstance(size, str)), None):
        raise click.UsageError(f"sizes = {wrong!r} is no size: expected numbers and ranges, such as 1..8,16")
    return [size for size in found if isinstance(size, int)]


def _layout(text: str) -> Layout:
    if text not in [str(layout) for layout in LAYOUTS]:
        raise SpecError(f"layouts = {text!r}: expected some of {', '.join(LAYOUTS)}")
    return Layout(text)


def _apis(text: str, layouts: Sequence[Layout]) -> tuple[str, ...]:
    """The interfaces that are named, and our own."""
    names = _listed(text)
    if wrong := next((name for name in names if name not in APIS), None):
        raise SpecError(f"api = {wrong!r} is unknown: expected some of {', '.join(APIS)}")
    if set(names) - {"own"} and Layout.PP not in layouts:
        raise SpecError(f"api = {text!r} takes arrays of pointers: expected layouts with pp")
    return tuple(name for name in APIS if name == "own" or name in names)


def _levels(isa: str) -> tuple[Level, ...]:
    """The instruction sets that are named, from the oldest on; those for all processors where none is."""
    cc = compilers.find_cc()
    native = Level("native", cc.simd_bytes)
    if not isa and platform.machine() not in ("x86_64", "AMD64"):
        return (native,)
    names = _listed(isa) or list(ANY_X86)
    known = {level.march: level for level in (*LEVELS, native)}
    if wrong := next((name for name in names if name not in known), None):
        raise SpecError(f"isa = {wrong!r} is unknown: expected some of {', '.join(known)}")
    if "native" in names and len(names) > 1:
        raise SpecError(f"isa = {isa!r}: expected native alone, or others")
    return tuple(level for name, level in known.items() if name in names)
