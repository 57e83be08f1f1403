"""Where the matrices of one operand are in memory."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..ir.terms import Layout
from .headers import Array


@dataclass(frozen=True)
class MatrixForm:
    """Where the matrices of one operand are: strides in elements, row (``rs``), column (``cs``), batch (``sb``).

    ``nb`` is the block size of ``bi`` and the number of stored lanes of ``il``. ``turned``: rows and columns have
    changed places since the user's operand was described.
    """

    layout: Layout
    rows: int
    cols: int
    rs: int = 1
    cs: int = 1
    sb: int = 0
    nb: int = 0
    turned: bool = False

    @property
    def unit_rows(self) -> bool:
        return self.rows <= 1 or self.rs == 1

    def transposed(self) -> MatrixForm:
        return replace(self, rows=self.cols, cols=self.rows, rs=self.cs, cs=self.rs, turned=not self.turned)

    @property
    def ld(self) -> int:
        """The distance of columns; what a matrix without gaps has where a single column leaves it open."""
        return self.cs if self.cols > 1 else max(1, self.rows)

    @property
    def leading(self) -> int:
        """The leading dimension that kernels accept."""
        return max(1, self.rows, self.ld)

    @property
    def column_major(self) -> bool:
        return self.unit_rows and self.ld >= self.rows

    @property
    def packed(self) -> bool:
        return self.column_major and self.ld == max(1, self.rows)


def usable(array: Array) -> Array:
    """``array``, or a C-contiguous copy where its elements are not aligned or not a whole number of elements apart."""
    whole = all(stride % array.itemsize == 0 for stride in array.strides)
    return array if array.flags.aligned and whole else np.array(array, order="C")
