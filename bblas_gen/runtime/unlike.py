"""New operands of a variable batch: matrices of different shapes, in the form of those that were given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from ..arrays.headers import Array
from ..arrays.host import Operand as Given
from ..arrays.ragged import Ragged
from ..ir.operation import Operand, Operation
from ..ir.sizes import evaluate
from ..ir.terms import BY_DTYPE, Kind, Layout
from ..ir.variants import original
from .variable import Variable


@dataclass(frozen=True)
class NewOperand:
    """An operand that is to be made: ``of`` makes it of an array of ``count`` elements, wherever that is. ``zero``:
    what is not written is zero."""

    count: int
    dtype: np.dtype[Any]
    zero: bool
    of: Callable[[Any], Any]

    def on_host(self) -> Any:
        return self.of((np.zeros if self.zero else np.empty)(self.count, self.dtype))


def unlike(op: Operation, variable: Variable, output: Operand) -> NewOperand:
    """``output`` beside the operands of a variable batch: a list where the first of them, or what it is a copy of, is
    one; else one array if all its matrices are of one shape, or Ragged."""
    sides = np.zeros((len(variable.bins), 2), np.int64)
    for index, letters, sizes in variable.sizes(op, complete=False):
        extents = op.extents(sizes, letters)
        sides[index, 0], sides[index, 1] = evaluate(output.rows, extents), evaluate(output.cols, extents)
    names = [original(op, output.name) or "", *variable.named]
    batches = [variable.named[x][1] for x in names if x in variable.named]
    scalars = [x for x in batches if x.batch is not None and x.dtype.name in BY_DTYPE]
    dtype = np.dtype(BY_DTYPE[scalars[0].dtype.name].dtype_of(output.kind))
    made = partial(NewOperand, dtype=dtype, zero=output.triangle)
    vectors = output.kind is Kind.INDEX
    if variable.groups:
        return _groups(op, variable, output, sides[variable.bins.number], made)
    if op.reduces:
        return made(variable.batch, of=partial(_shaped, (variable.batch, 1, 1)))
    listed = next((found for x in scalars if (found := _listed(x)) is not None), False)
    return _made(sides[variable.bins.number], made, listed=listed, vectors=vectors)


def _groups(
    op: Operation, variable: Variable, output: Operand, shapes: Array, made: Callable[..., NewOperand]
) -> NewOperand:
    """New batches, one for each group."""
    assert variable.groups
    counts, begins = np.diff(variable.groups.ends), variable.groups.ends[:-1]
    sides = np.zeros((len(counts), 2), np.int64)
    sides[counts > 0] = shapes[begins[counts > 0]]
    for i in np.flatnonzero(counts == 0).tolist():
        sides[i] = variable.side_of_group(op, i, output)
    axes = 1 if output.kind is Kind.INDEX else 2
    ends = np.concatenate([[0], np.cumsum(counts * sides.prod(axis=1))])
    return made(int(ends[-1]), of=partial(_parts, ends, np.hstack([counts[:, None], sides[:, :axes]])))


def _listed(operand: Given | Ragged) -> bool | None:
    """Whether it is a list; None of an array, beside which there may be either."""
    if isinstance(operand, Ragged):
        return operand.values is None
    return True if operand.form.layout is Layout.PP else None


def _made(shapes: Array, made: Callable[..., NewOperand], *, listed: bool, vectors: bool) -> NewOperand:
    """New matrices of ``shapes``, or ``vectors``, one after another."""
    batch, (rows, cols) = len(shapes), shapes.T
    ends = np.concatenate([[0], np.cumsum(rows * cols)])
    new = partial(made, int(ends[-1]))
    if listed:
        return new(of=partial(_parts, ends, shapes[:, : 1 if vectors else 2]))
    if batch and (shapes == shapes[0]).all():
        return new(of=partial(_shaped, (batch, *shapes[0, : 1 if vectors else 2].tolist())))
    if vectors or not batch or (cols == cols[0]).all():
        offsets = np.concatenate([[0], np.cumsum(rows)])
        return new(of=partial(_rows, offsets, () if vectors else (int(offsets[-1]), *cols[:1].tolist())))
    return new(of=partial(_matrices, ends, shapes))


def _shaped(shape: tuple[int, ...], values: Any) -> Any:
    return values.reshape(shape)


def _parts(ends: Array, shapes: Array, values: Any) -> list[Any]:
    pieces = zip(pairwise(ends.tolist()), shapes.tolist(), strict=True)
    return [values[i:j].reshape(shape) for (i, j), shape in pieces]


def _rows(offsets: Array, shape: tuple[int, ...], values: Any) -> Ragged:
    return Ragged.of_values(values.reshape(shape) if shape else values, offsets)


def _matrices(ends: Array, shapes: Array, values: Any) -> Ragged:
    return Ragged.of_values(values, ends, shapes)
