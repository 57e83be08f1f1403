"""New operands of a variable batch: matrices of different shapes, in the form of those that were given."""

from __future__ import annotations

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


def unlike(op: Operation, variable: Variable, output: Operand) -> Any:
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
    vectors = output.kind is Kind.INDEX
    if variable.groups:
        return _groups(op, variable, output, sides[variable.bins.number], dtype)
    if op.reduces:
        return np.empty((variable.batch, 1, 1), dtype)
    listed = next((found for x in scalars if (found := _listed(x)) is not None), False)
    return _made(sides[variable.bins.number], dtype, listed=listed, vectors=vectors, zero=output.triangle)


def _groups(op: Operation, variable: Variable, output: Operand, shapes: Array, dtype: np.dtype[Any]) -> list[Array]:
    """New batches, one for each group."""
    assert variable.groups
    counts, begins = np.diff(variable.groups.ends), variable.groups.ends[:-1]
    sides = np.zeros((len(counts), 2), np.int64)
    sides[counts > 0] = shapes[begins[counts > 0]]
    for i in np.flatnonzero(counts == 0).tolist():
        sides[i] = variable.side_of_group(op, i, output)
    ends = np.concatenate([[0], np.cumsum(counts * sides.prod(axis=1))]).tolist()
    values = (np.zeros if output.triangle else np.empty)(ends[-1], dtype)
    axes = 1 if output.kind is Kind.INDEX else 2
    pieces = zip(pairwise(ends), counts.tolist(), sides[:, :axes].tolist(), strict=True)
    return [values[i:j].reshape(count, *side) for (i, j), count, side in pieces]


def _listed(operand: Given | Ragged) -> bool | None:
    """Whether it is a list; None of an array, beside which there may be either."""
    if isinstance(operand, Ragged):
        return operand.values is None
    return True if operand.form.layout is Layout.PP else None


def _made(shapes: Array, dtype: np.dtype[Any], *, listed: bool, vectors: bool, zero: bool) -> Any:
    """New matrices of ``shapes``, or ``vectors``, one after another. ``zero``: what is not written is zero."""
    batch, (rows, cols) = len(shapes), shapes.T
    ends = np.concatenate([[0], np.cumsum(rows * cols)])
    values = (np.zeros if zero else np.empty)(int(ends[-1]), dtype)
    if listed:
        parts = [values[i:j] for i, j in pairwise(ends.tolist())]
        return parts if vectors else [part.reshape(shape) for part, shape in zip(parts, shapes.tolist(), strict=True)]
    if batch and (shapes == shapes[0]).all():
        return values.reshape(batch, *shapes[0][: 1 if vectors else 2])
    if vectors or not batch or (cols == cols[0]).all():
        offsets = np.concatenate([[0], np.cumsum(rows)])
        return Ragged.of_values(values if vectors else values.reshape(int(offsets[-1]), *cols[:1]), offsets)
    return Ragged.of_values(values, ends, shapes)
