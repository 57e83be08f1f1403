"""Integers of a variable batch on a GPU: pivots and what matrices report.

Kernels have those of a bin one after another; users have them elsewhere. They are moved, element by element, by kernels
that copy 1 x 1 matrices: 32 bits are 32 bits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np

from ..arrays.form import MatrixForm
from ..arrays.headers import Array
from ..arrays.host import Operand
from ..ir.catalog import OPS
from ..ir.operation import Operation
from ..ir.terms import INDEX_BYTES, Layout, Role, Trans
from .device_launch import entry_names, launch, on_gpu, sources
from .device_memory import Tables
from .device_side import DeviceReports, DeviceSide
from .orient import KernelCall, match
from .variable import Variable, addresses


@dataclass(frozen=True)
class Integers:
    """Those of all bins, in one array that begins at ``offset`` of the memory of a call: what is only read, what is
    read and written, what is only written. ``begins``: of each operand, and of "info", in each bin. ``table``: the
    offset of the addresses at which users have all of them; the first ``read`` are read, the last ``written`` are
    written."""

    begins: dict[str, Array]
    offset: int
    table: int
    count: int
    read: int
    written: int

    @classmethod
    def of(cls, op: Operation, variable: Variable, reports: DeviceReports | None, tables: Tables) -> Integers:
        bins, begins = variable.bins, {}
        users: list[Array] = []
        counts: list[int] = []
        for x in sorted(
            (op.operand(x) for x in variable.own), key=lambda x: (not op.reads(x, {}), x.role is not Role.IN)
        ):
            rows = variable.sides[x.name].rows
            begins[x.name] = sum(counts) + np.cumsum(rows * bins.counts) - rows * bins.counts
            users.append(_elements(variable, x.name))
            counts.append(len(users[-1]))
        reads = [op.reads(op.operand(x), {}) for x in begins]
        writes = [op.operand(x).role is not Role.IN for x in begins]
        if reports:
            begins["info"] = sum(counts) + bins.ends[:-1]
            users.append((reports.address + INDEX_BYTES * bins.order).astype(np.uintp))
            counts.append(variable.batch)
            reads, writes = [*reads, False], [*writes, True]
        total = sum(counts)
        offset = tables.put(np.zeros(total, np.int32))  # zero: what has nothing to do reports nothing
        table = tables.put(np.concatenate(users)) if users else 0
        read, written = (sum(n for n, is_so in zip(counts, which, strict=True) if is_so) for which in (reads, writes))
        found = {x: offset + INDEX_BYTES * begin for x, begin in begins.items()}
        return cls(found, offset, table, total, read, written)

    def brought(self, side: DeviceSide, base: int) -> list[partial[None]]:
        """The launch, if any, that brings them to where kernels read them."""
        return _copy(side, self.read, base + self.table, base + self.offset, gathers=True) if self.read else []

    def returned(self, side: DeviceSide, base: int) -> list[partial[None]]:
        """The launch, if any, that takes them to where users have them."""
        first = self.count - self.written
        places = base + self.table + 8 * first, base + self.offset + INDEX_BYTES * first
        return _copy(side, self.written, *places, gathers=False) if self.written else []


def _elements(variable: Variable, x: str) -> Array:
    """The address of each integer of an operand, bin after bin."""
    _, operand = variable.named[x]
    order, rows = variable.bins.order, np.repeat(variable.sides[x].rows, variable.bins.counts)
    ends = np.cumsum(rows)
    within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - rows, rows)
    steps = np.full(len(order), INDEX_BYTES) if isinstance(operand, Operand) else operand.strides[order, 0]
    found: Array = np.repeat(addresses(operand)[order], rows) + (np.repeat(steps, rows) * within).astype(np.uintp)
    return found


def _copy(side: DeviceSide, count: int, table: int, values: int, *, gathers: bool) -> list[partial[None]]:
    found, names = _mover(gathers)
    kernel = side.gpu.kernel(found.spec, {}, side.stream)
    assert kernel
    given = {"A": table, "B": values} if gathers else {"A": values, "B": table}
    whence = sources(kernel, names, found.arguments)
    return [launch(kernel, side.stream, whence, {**given, "batch_count": count}, {})]


@cache
def _mover(gathers: bool) -> tuple[KernelCall, list[str]]:
    """What copies numbers of 32 bits from a table of addresses, or to it."""
    far, near = MatrixForm(Layout.PP, 1, 1), MatrixForm(Layout.ST, 1, 1, sb=1)
    forms = {"A": far, "B": near} if gathers else {"A": near, "B": far}
    found = match(OPS["lacpy"], "s", forms, {"transa": Trans.N})
    return replace(found, spec=on_gpu(found.spec, found.spec.sizes)), entry_names(found.spec)
