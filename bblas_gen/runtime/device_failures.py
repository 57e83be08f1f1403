"""NaN for matrices on a GPU that failed: a kernel behind the call reads what they report, so nobody waits.

It is one launch for each output, and for each batch of a list. Of matrices that are not alike a table says where each
is, which is copied as other tables are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..arrays.device import header, shape_of
from ..arrays.headers import Array
from ..arrays.pointers import Pointers
from ..arrays.ragged import Ragged
from ..codegen.device import DeviceFunction
from ..ir.operation import Operand, Operation
from ..ir.terms import Kind
from .device_launch import in_turn
from .device_memory import Place, Tables
from .device_side import DeviceReports
from .device_texts import THREADS, compiled
from .each import is_each
from .gpu import Gpu, gpu_of

PARTS = {"L": 1, "D": 2, "U": 4}
Parts = Callable[[int], int]
"""Which of an operand are written, of a matrix or of all of a group."""
FUNCTION = DeviceFunction("bb_fill_nan", {}, "", (), THREADS, THREADS)


@dataclass(frozen=True)
class Piece:
    """Matrices that are one launch, the first of which is ``first`` of all: its arguments between those that say where
    they are and where they report. They are at an address, or where a table says, of one number or six for each, which
    is to be copied, or on the GPU."""

    first: int
    count: int
    arguments: tuple[int, ...]
    address: int = 0
    table: Any = None
    entry: int = 0


def fill(
    op: Operation,
    reports: DeviceReports,
    operands: Mapping[str, Any],
    flags: Mapping[str, Any],
    written: Callable[[Operation, Operand, Mapping[str, Any]], frozenset[str]],
) -> tuple[partial[None], tuple[Place, ...]]:
    """The launches that do it, on the stream of ``reports``, and the memory that they need. ``written``: the parts of
    an operand that are."""
    gpu, tables = gpu_of(reports.address), Tables()
    found = [
        x for y in op.outputs if y.kind is not Kind.INDEX for x in _pieces(op, y, operands[y.name], flags, written)
    ]
    at = [tables.put(x.table) if isinstance(x.table, np.ndarray) else None for x in found]
    place = tables.placed(gpu, reports.stream)
    launches = []
    for x, offset in zip(found, at, strict=True):
        table = x.table or 0 if offset is None else place.address + offset
        launches.append(_launch(gpu, reports, x, table))
    return partial(in_turn, reports.stream.handle, launches), place.some


def _launch(gpu: Gpu, reports: DeviceReports, x: Piece, table: int) -> partial[None]:
    kernel = gpu.function(FUNCTION, lambda: compiled(FUNCTION.name, gpu.architecture), reports.stream)
    arguments = x.address, table, x.entry, *x.arguments, reports.after(x.first).address, x.count
    _, cols, *_ = x.arguments
    return kernel.bound(reports.stream, x.count * cols, arguments)


def _pieces(
    op: Operation, x: Operand, value: Any, flags: Mapping[str, Any], written: Callable[..., frozenset[str]]
) -> Iterator[Piece]:
    """Those of an output."""

    def parts(number: int) -> int:
        letters = {name: one[number] if is_each(one, str) else one for name, one in flags.items()}
        return sum(PARTS[part] for part in written(op, x, letters))

    each = any(is_each(one, str) for one in flags.values())
    if not isinstance(value, (list, tuple)):
        found = [_unlike(_rows(value), parts)] if each else [_batch(value, 0, parts)]
    elif len(shape_of(value[0])) < 3:
        found = [_unlike([row for item in value for row in _rows(item)], parts)]
    else:
        ends = np.cumsum([0, *(shape_of(item)[0] for item in value)]).tolist()
        found = [
            _batch(item, end, partial(_of, parts, i)) for i, (item, end) in enumerate(zip(value, ends, strict=False))
        ]
    yield from (piece for piece in found if piece.count and all(piece.arguments[:2]))


def _of(parts: Parts, group: int, _number: int) -> int:
    return parts(group)


def _batch(value: Any, first: int, parts: Parts) -> Piece:
    """A batch whose matrices are alike, or Ragged."""
    if isinstance(value, Ragged) or (isinstance(value, Pointers) and value.table is None):
        return _unlike(_rows(value), parts)
    if isinstance(value, Pointers):
        steps = [step // _real(value.dtype) for step in value.strides]
        table = header("addresses", value.table).ctypes.data
        numbers = _numbers(value.matrix, steps, parts(0), 0, 1, value.dtype)
        return Piece(first, value.batch, numbers, table=table, entry=1)
    if hasattr(value, "head"):
        return _interleaved(value.head, first, parts(0))
    head = header("values", value)
    steps = [step // _real(head.dtype) for step in head.strides]
    numbers = _numbers(head.shape[1:], steps[1:], parts(0), steps[0], 1, head.dtype)
    return Piece(first, len(head), numbers, head.ctypes.data)


def _interleaved(head: Any, first: int, parts: int) -> Piece:
    _, rows, cols = head.shape
    step = head.nb * (2 if head.dtype.kind == "c" else 1)
    block = int(np.prod(head.data.shape[1:]))
    triangle = {"": 0, "L": 1, "U": 2}[head.triangle]
    numbers = _numbers((rows, cols), (step, step * rows), parts, block, head.nb, head.dtype, head.nb, triangle)
    return Piece(first, head.batch, numbers, head.data.ctypes.data)


def _unlike(rows: list[tuple[Any, ...]], parts: Parts) -> Piece:
    """Matrices of one dtype whose addresses, sizes and strides are those of ``rows``."""
    dtype = rows[0][-1] if rows else np.dtype(float)
    table: Array = np.array([(*row[:-1], parts(i)) for i, row in enumerate(rows)], np.int64)
    most = [max((row[side] for row in rows), default=0) for side in (1, 2)]
    return Piece(0, len(rows), _numbers(most, (0, 0), 0, 0, 1, dtype), table=table.ravel(), entry=6)


def _rows(value: Any) -> list[tuple[Any, ...]]:
    """Address, rows, columns, strides in reals and dtype of each matrix of a batch, or of one."""
    if isinstance(value, Pointers):
        steps = [step // _real(value.dtype) for step in value.strides]
        return [(int(at), *value.matrix, *steps, value.dtype) for at in value.addresses]
    if isinstance(value, Ragged):
        steps = (value.strides // _real(value.dtype)).tolist()
        places = zip(value.addresses.tolist(), value.shapes.tolist(), steps, strict=True)
        return [(at, *sides, *own, value.dtype) for at, sides, own in places]
    head = header("values", value)
    whole = head if head.ndim > 2 else head[None]
    own = [step // _real(head.dtype) for step in whole.strides[1:]]
    first = whole.ctypes.data
    return [(first + i * whole.strides[0], *whole.shape[1:], *own, head.dtype) for i in range(len(whole))]


def _numbers(
    shape: Any, steps: Any, parts: int, block: int, lanes: int, dtype: Any, imaginary: int = 1, triangle: int = 0
) -> tuple[int, ...]:
    """The arguments of a launch from rows on."""
    imaginary = imaginary if dtype.kind == "c" else 0
    return (*shape, *steps, parts, block, lanes, imaginary, _real(dtype) // 4, triangle)


def _real(dtype: Any) -> int:
    """Bytes of a real of it."""
    return int(dtype.itemsize) // (2 if dtype.kind == "c" else 1)
