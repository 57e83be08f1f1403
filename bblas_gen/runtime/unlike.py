"""New operands of a variable batch: matrices of different shapes, in the form of those that were given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from ..arrays.headers import Array
from ..arrays.ragged import Ragged
from ..ir.operation import Operand, Operation
from ..ir.sizes import evaluate
from ..ir.terms import BY_DTYPE, Kind, Letter
from ..ir.variants import original
from .variable import Unlike, Variable


def unlike_recipe(
    op: Operation, named: Unlike, output: Operand, flags: Mapping[str, Letter]
) -> tuple[Callable[[int], Any], int]:
    """What makes ``output`` beside operands ``named``, and the batch size: a list where the first of them, or what it
    is a copy of, is one; else one array if all its matrices are of one shape, or Ragged."""
    variable = Variable.of(op, named)
    extents = [op.extents(sizes, flags) for sizes in variable.sizes(op, flags, complete=False)]
    sides = np.array([(evaluate(output.rows, x), evaluate(output.cols, x)) for x in extents], np.int64).reshape(-1, 2)
    batches = [named[x][1] for x in (original(op, output.name) or "", *named) if x in named]
    model = next(x for x in batches if x.batch is not None and x.dtype.name in BY_DTYPE)
    listed = not (isinstance(model, Ragged) and model.values is not None)
    dtype = np.dtype(BY_DTYPE[model.dtype.name].dtype_of(output.kind))
    if op.reduces:
        return lambda batch: np.empty((batch, 1, 1), dtype), variable.batch
    vectors = output.kind is Kind.INDEX
    make = partial(_made, sides[variable.bins.number], dtype, listed=listed, vectors=vectors, zero=output.triangle)
    return make, variable.batch


def _made(shapes: Array, dtype: np.dtype[Any], batch: int, *, listed: bool, vectors: bool, zero: bool) -> Any:
    """New matrices of ``shapes``, or ``vectors``, one after another. ``zero``: what is not written is zero."""
    rows, cols = shapes.T
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
