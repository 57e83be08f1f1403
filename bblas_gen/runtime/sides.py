"""The forms of the matrices of all bins of a variable batch at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arrays.form import MatrixForm
from ..arrays.headers import Array
from ..arrays.host import Operand
from ..arrays.ragged import Ragged
from ..ir.operation import Operation
from ..ir.sizes import evaluate, is_name
from ..ir.terms import INDEX_DTYPE, Layout, Letter


@dataclass(frozen=True)
class Sides:
    """What a MatrixForm has, of an operand, as arrays with a number for each bin."""

    layout: Layout
    rows: Array
    cols: Array
    rs: Array
    cs: Array
    sb: Array

    @classmethod
    def of(cls, operand: Operand | Ragged, firsts: Array) -> Sides:
        """``firsts``: a matrix of each bin. Matrices are found by pointers, but not indices, which have arrays of
        their own, nor one for all."""
        size = operand.dtype.itemsize
        if isinstance(operand, Ragged):
            rows, cols = operand.shapes[firsts].T
            rs, cs = (operand.strides[firsts] // size).T
            form = None
        else:
            form = operand.form
            rows, cols, rs, cs = (np.full(len(firsts), x, np.int64) for x in (form.rows, form.cols, form.rs, form.cs))
        none = np.zeros(len(firsts), np.int64)
        if form and operand.batch is None:
            return cls(form.layout, rows, cols, rs, cs, none)
        if operand.dtype == INDEX_DTYPE:
            return cls(Layout.ST, rows, none + 1, none + 1, np.maximum(1, rows), rows)
        return cls(Layout.PP, rows, cols, rs, cs, none)

    def transposed(self) -> Sides:
        return Sides(self.layout, self.cols, self.rows, self.cs, self.rs, self.sb)

    @property
    def ld(self) -> Array:
        return np.where(self.cols > 1, self.cs, np.maximum(1, self.rows))

    @property
    def leading(self) -> Array:
        return np.maximum(np.maximum(1, self.rows), self.ld)

    @property
    def orders(self) -> list[Array]:
        """All that the choice of a kernel asks of the forms, but for sizes."""
        found = []
        for one in (self, self.transposed()):
            column_major = ((one.rows <= 1) | (one.rs == 1)) & (one.ld >= one.rows)
            found.append(column_major * (1 + (one.ld == np.maximum(1, one.rows))))
        either = (found[0] > 0) == (found[1] > 0)
        return [*found, 1 * ((self.rows > 0) & (self.cols > 0)), np.sign(self.rows - self.cols) * either]

    def form(self, number: int) -> MatrixForm:
        """Of one bin."""
        rows, cols, rs, cs, sb = (int(x[number]) for x in (self.rows, self.cols, self.rs, self.cs, self.sb))
        return MatrixForm(self.layout, rows, cols, rs, cs, sb)

    def __getitem__(self, index: Array) -> Sides:
        """Of some bins."""
        return Sides(self.layout, *(x[index] for x in (self.rows, self.cols, self.rs, self.cs, self.sb)))


def agreed(op: Operation, sides: Mapping[str, Sides], flags: Mapping[str, Letter]) -> tuple[dict[str, Any], Array]:
    """The sizes, as arrays, and in which bins operands do not agree on them."""
    sizes: dict[str, Any] = {"1": 1}
    wrong = np.zeros(len(next(iter(sides.values())).rows), bool)
    rest = []
    for x in (x for x in op.parameters if x.name in sides):
        form = sides[x.name]
        if x.flag is not None and flags[x.flag].transposes:  # type: ignore[union-attr]
            form = form.transposed()
        for text, length in ((x.rows, form.rows), (x.cols, form.cols)):
            if text == "1" or is_name(text):
                wrong |= sizes.setdefault(op.size_name(text, flags), length) != length
            else:
                rest.append((text, length))
    del sizes["1"]
    extents = op.extents(sizes, flags) if rest else {}
    for text, length in rest:
        wrong |= evaluate(text, extents) != length
    return sizes, wrong
