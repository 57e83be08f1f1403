"""What is measured on a GPU: operations in place, whose operands are brought back to what they were before each round.

So nothing has to go on with its own result, and numbers are random ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ... import lapack
from ...arrays.host import describe
from ...ir.operation import Operand
from ...ir.sequence import step
from ...ir.spec import KernelSpec
from ...ir.terms import Kind, Role
from ...runtime.call import matched
from ...sequences import sequence
from ..fills import GENERAL, LOWER
from ..problem import ROWS as ON_CPU
from ..problem import Problem, Row, forward, norm

SECTOR = 32
"""Bytes that memory of a GPU is read and written by, at least."""
INVERSE = sequence([step("getrf", "A", "IPIV"), step("getri", "A", "IPIV")], name="inverse", scratch="IPIV")


def _factored(x: Any) -> Any:
    return x["A"] @ x["A"].mT.conj()


def _rows() -> dict[str, Row]:
    """In the order in which they are measured."""
    solution = replace(
        ON_CPU["gesv"],
        formula="A X = B by LU",
        expected=lambda x: np.linalg.solve(x["A"], x["B"]),
        scale=lambda x: forward(x["A"], np.linalg.solve(x["A"], x["B"])),
        copying=None,
    )
    inverse = replace(
        ON_CPU["getri"],
        formula="A := A^-1 by LU",
        expected=lambda x: np.linalg.inv(x["A"]),
        scale=lambda x: forward(x["A"], np.linalg.inv(x["A"])),
        fills={"A": GENERAL},
        copying=INVERSE,
    )
    factors = replace(
        ON_CPU["getrf"], formula="A = P L U", expected=lambda x: x["A"], scale=lambda x: 10 * norm(x["A"]), copying=None
    )
    solved = Row(
        "potrs",
        "A X = B, A = L L*",
        lapack.potrs,
        lambda x: np.linalg.solve(_factored(x), x["B"]),
        lambda x: forward(_factored(x), np.linalg.solve(_factored(x), x["B"])),
        fills={"A": LOWER},
        rhs="nrhs",
    )
    square = replace(ON_CPU["trsm"], rhs="")
    found = (ON_CPU["gemm"], ON_CPU["posv"], ON_CPU["potrf"], square, factors, solution, inverse, solved)
    return {row.op: row for row in found}


ROWS = _rows()
NAMES = {"getri": "inverse"}
"""What operations are called that are measured with others before them."""


@dataclass(frozen=True)
class GpuProblem(Problem):
    """An operation on row-major matrices, in place."""

    @property
    def row(self) -> Row:
        return ROWS[self.op]

    @classmethod
    def of(cls, op: str, precision: str, n: int, batch: int) -> GpuProblem:
        """The case n, with as many right-hand sides in triangular solves and one in others; beta = 0."""
        return cls(op, precision, tuple(ROWS[op].sizes(n).values()), 0, batch)

    @property
    def n(self) -> int:
        return self.sizes[0]

    def moved(self, layout: str) -> int:
        """Bytes that are read and written at least, for a matrix: where matrices lie by themselves, whole sectors; of
        lists their addresses too."""
        lists = 8 * sum(x.kind is Kind.SCALAR for x in self.spec.row.matrices) if layout == "pp" else 0
        apart = layout in ("st", "pp")
        moved = (self._touched(x, writes) for x in self.spec.row.parameters for writes in (False, True))
        bytes_of = [(_sectors(found, size) * SECTOR if apart else int(found.sum()) * size) for found, size in moved]
        return round(sum(bytes_of)) + 4 * bool(self.spec.row.info) + lists

    def _touched(self, x: Operand, writes: bool) -> tuple[Any, int]:
        """Which elements of an operand are read, or written, and their bytes."""
        rows, cols = self.spec.stored(x)
        found, parts = np.zeros((rows, cols), bool), x.parts(self.spec.flag)
        untouched = x.role is Role.IN if writes else x.role is Role.OUT or (x.scaled_by == "beta" and not self.beta)
        if not untouched:
            found |= np.tril(np.full_like(found, "L" in parts), -1) | np.triu(np.full_like(found, "U" in parts), 1)
            found |= np.eye(rows, cols, dtype=bool) & ("D" in parts)
        return found, self.p.bytes_of(x.kind)

    def kernel(self, layout: str) -> KernelSpec:
        """The kernel that a call on a GPU comes to."""
        few = self.with_batch(self.p.default_nb)
        operands = few.laid_out(few.operands(), layout)
        row = self.spec.row
        named: dict[str, Any] = {x.name: (x.name, describe(x.name, operands[x.name], x.kind)) for x in row.parameters}
        found = matched(row, named, dict(zip(row.flags, self.spec.flags, strict=True)))
        assert found
        return replace(found.spec, target="cuda")


def _sectors(touched: Any, size: int) -> float:
    """Sectors for each matrix, on average, as matrices follow one another."""
    count = SECTOR // np.gcd(SECTOR, max(1, touched.size) * size)
    places = np.flatnonzero(np.tile(touched.ravel(), count)) * size
    return float(len(np.unique(np.concatenate([places, places + size - 1]) // SECTOR)) / count)
