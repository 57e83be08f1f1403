"""The few kernels that do everything: for any size, any strides and a pointer to each matrix, in canonical cases alone.

Where strides are arguments, to transpose a matrix or to read it from its end is to pass others. So of all sides,
triangles and transpositions one case is left, with conjugates and diagonals of ones; and an operation that is made of
others needs no kernel.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from .canonical import Body, canonical_lane
from .operation import Operation
from .program import bound_bodies
from .spec import KernelSpec
from .terms import FLAGS, Diag, Itype, Job, Layout, Letter, Precision, Side, Strides, Trans, Uplo
from .variants import ROWS


@dataclass(frozen=True)
class Look:
    """How a matrix is looked at: element (i, j) is ``first + i rs + j cs``, or its conjugate."""

    rs: int
    cs: int
    first: int = 0
    conj: bool = False

    def transposed(self) -> Look:
        return replace(self, rs=self.cs, cs=self.rs)

    def conjugated(self) -> Look:
        return replace(self, conj=not self.conj)

    def reversed(self, rows: int, cols: int | None) -> Look:
        """From the last row, and the last column where ``cols`` is given."""
        down = self.rs * (rows - 1) + (self.cs * (cols - 1) if cols is not None else 0)
        return replace(self, rs=-self.rs, cs=self.cs if cols is None else -self.cs, first=self.first + down)


@dataclass(frozen=True)
class Task:
    """One body done by a kernel of this kind: its ``sizes``, how it looks at each matrix, in the order of its row, and
    whether complex scalars are conjugated."""

    kernel: KernelSpec
    sizes: tuple[int, ...]
    looks: tuple[Look, ...]
    conjugates: bool


def task_of(body: Body, looks: Mapping[str, Any], p: Precision) -> Task:
    """The task of ``body`` on matrices that lie as ``looks`` say, by the kernel's names of them."""
    case, row = canonical_lane(body, looks, is_complex=p.complex), body.row
    views: tuple[Any, ...] = case.views
    seen: list[Look] = [view if p.complex else replace(view, conj=False) for view in views]
    upper = False
    for i, x in enumerate(row.matrices):
        if seen[i].conj and not x.flag:  # there is no letter for it: the other triangle of the transpose
            seen[i], upper = seen[i].transposed(), True
    conj = {x.flag: look.conj for x, look in zip(row.matrices, seen, strict=True) if x.flag}
    same = not row.canonical_form  # views are those of the operands
    flags = tuple(_letter(name, body.flag[name], conj, upper, same) for name in row.flags)
    spec = KernelSpec(
        op=row.name,
        precision=p.letter,
        sizes=row.sizes,
        flags=flags,
        layouts=tuple(x.kind.layout(Layout.PP) for x in row.parameters),
        strides=Strides.RS,
    )
    mirrored = row.canonical_form == "rank_k" and row.hermitian and case.transposed_output
    return Task(spec, tuple(case.size[name] for name in row.sizes), tuple(seen), mirrored)


def _letter(name: str, given: Letter, conj: Mapping[str, bool], upper: bool, same: bool) -> Letter:
    kind = FLAGS[name]
    if kind is Trans:
        return Trans.of(False, conj[name]) if name in conj else Trans.of(given.transposes, False)  # type: ignore[union-attr]
    if kind in (Diag, Job, Itype) or (kind is Uplo and same):
        return given
    return Side.L if kind is Side else Uplo.U if upper else Uplo.L


def needed(rows: Iterable[Operation], precisions: Iterable[Precision]) -> list[KernelSpec]:
    """The kernels of this kind that do the operations ``rows`` in all cases, and their variants, each once."""
    wanted = {row.name for row in rows}
    every = [row for row in ROWS.values() if wanted & {row.name, row.variant_of}]
    return list(dict.fromkeys(spec for p in precisions for row in every for spec in _kernels(row, p)))


def _kernels(row: Operation, p: Precision) -> Iterator[KernelSpec]:
    for letters in product(*(_letters(FLAGS[name], p) for name in row.flags)):
        named: dict[str, Any] = dict(zip(row.flags, letters, strict=True)) | dict.fromkeys(row.sizes, 1)
        for body in bound_bodies(KernelSpec.make(row, p.letter, Layout.PP, **named)):
            yield task_of(body, {name: Look(1, 1) for name in body.operands}, p).kernel


def _letters(kind: type[Letter], p: Precision) -> tuple[Letter, ...]:
    """The letters of a flag; of real matrices those that conjugate mean what others do."""
    return tuple(x for x in kind if p.complex or kind is not Trans or not x.conjugates)  # type: ignore[union-attr]
