"""A library of cubins: kernels for GPUs, for one or several architectures, and an index by which Python finds them."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from ..errors import KernelWarning, SpecError
from ..ir.operation import Operation
from ..ir.spec import KernelSpec
from ..ir.terms import Layout, Precision, Strides
from ..toolchain.cubins import INDEX, index_of
from ..version import __version__
from .contents import FEW, letters_of

UNIT = 16
"""Functions in a cubin: few are compiled slowly, many are loaded for one of them."""
LAYOUTS = (Layout.PP, Layout.ST, Layout.IL, Layout.BI)
"""Of which operations may have kernels; a set has any."""
Wanted = tuple[KernelSpec, str]


@dataclass(frozen=True)
class Unit:
    """Functions for an architecture, by their names, and what compiles them together."""

    arch: str
    functions: Sequence[str]
    compiled: Callable[[], Path]


def units(arch: str, functions: Sequence[Wanted], compile_: Callable[[Sequence[Wanted], str], Path]) -> Iterator[Unit]:
    """The units of functions of kernels; ``compile_`` compiles some together."""
    for first in range(0, len(functions), UNIT):
        some = functions[first : first + UNIT]
        yield Unit(arch, [name for _, name in some], partial(compile_, some, arch))


def of_gpus(specs: Iterable[KernelSpec], stacklevel: int) -> list[KernelSpec]:
    """Those for GPUs. What GPUs have no kernels for is left out with a KernelWarning, as programs that were recorded
    may run on both; SpecError where nothing is left."""
    found, others = list[KernelSpec](), list[str]()
    for spec in specs:
        try:
            found.append(replace(spec, target="cuda"))
        except SpecError:  # of sizes that only run time knows
            others.append(spec.symbol())
    why = f"GPUs have no such kernels for sizes that only run time knows: {', '.join(dict.fromkeys(others))}"
    if others and not found:
        raise SpecError(why)
    if others:
        warnings.warn(f"some kernels are left out: {why}", KernelWarning, stacklevel=stacklevel)
    return found


def wanted(
    specs: Iterable[KernelSpec],
    rows: Iterable[Operation],
    precisions: Sequence[Precision],
    sizes: Sequence[int],
    layouts: Sequence[str],
) -> list[KernelSpec]:
    """The kernels for GPUs of ``specs``, and of operations those for equal sizes and one right-hand side: all flags,
    each layout, matrices without gaps in both memory orders. Raises SpecError."""
    if wrong := next((text for text in layouts if text not in [*map(str, LAYOUTS)]), None):
        raise SpecError(f"layouts = {wrong!r}: expected some of {', '.join(LAYOUTS)}")
    found = of_gpus(specs, stacklevel=5)
    for row, p, n, layout in product(rows, precisions, sizes, layouts):
        found += _of_row(row, p, n, Layout(layout))
    if not found:
        raise SpecError("nothing to build: expected operations (ops) with sizes, or kernels (a set)")
    return [*dict.fromkeys(found)]


def _of_row(row: Operation, p: Precision, n: int, layout: Layout) -> Iterator[KernelSpec]:
    sizes: dict[str, Any] = {name: 1 if name in FEW else n for name in row.sizes}
    mirrored = row.transposition is not None or layout.interleaved
    orders = (Strides.PACKED,) if mirrored else (Strides.PACKED, Strides.RM)
    for flags in product(*(letters_of(row, p, name) for name in row.flags)):
        letters: dict[str, Any] = dict(zip(row.flags, flags, strict=True))
        for strides in orders:
            yield KernelSpec.make(row, p.letter, layout, strides=strides, target="cuda", **letters, **sizes)


def build(
    tasks: Sequence[Unit],
    folder: Path,
    *,
    compiler: str,
    digest: str,
    jobs: int,
    done: Callable[[int, int], None],
) -> list[Path]:
    """Fill ``folder`` with cubins, and their index; returns the paths, the index first. ``done`` is told how many units
    are compiled, of how many. ``digest`` is a name for the generator.

    Files of a library that was there before are removed. Raises what compiles units raises, and OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    made = 0

    def compiled(unit: Unit) -> tuple[str, dict[str, Any]]:
        nonlocal made
        binary = unit.compiled().read_bytes()
        digest = hashlib.sha256(binary).hexdigest()
        name = f"{unit.arch}-{digest[:16]}.cubin"
        _write(folder / name, binary)
        made += 1
        done(made, len(tasks))
        return name, {"arch": unit.arch, "sha256": digest, "functions": [*unit.functions]}

    with ThreadPoolExecutor(jobs) as team:
        files = dict(team.map(compiled, tasks))
    index = folder / INDEX
    _write(index, index_of(__version__, digest, compiler, files).encode())
    for stale in {*folder.glob("sm_*-*.cubin")} - {folder / name for name in files}:
        stale.unlink()
    _close(folder)
    return [index, *(folder / name for name in files)]


def _write(path: Path, content: bytes) -> None:
    """Write to a file beside ``path``, then rename."""
    draft = path.with_suffix(".draft")
    draft.write_bytes(content)
    _close(draft)
    draft.replace(path)


def _close(path: Path) -> None:
    """Nothing is loaded that others can write."""
    path.chmod(path.stat().st_mode & ~0o022)
