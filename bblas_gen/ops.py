"""The table of operations: what each one computes, never how.

An operation is a row here, a lane body ``templates/op/NAME.lane.c``, optionally bodies of other forms (see
``schedule.Schedule``), and an oracle in ``tests/reference.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .terms import Role

Sizes = Mapping[str, int]


@dataclass(frozen=True)
class Operand:
    """A matrix argument: ``op(X)`` is ``rows`` x ``cols`` (names of sizes); ``flag`` names the letter that is op.

    ``factor`` names the scalar whose zero means that the operand is not read.
    """

    name: str
    rows: str
    cols: str
    role: Role
    flag: str | None = None
    factor: str | None = None


@dataclass(frozen=True)
class Operation:
    """One row of OPS.

    ``arguments`` is the order of scalars and operands in every C signature. ``flops`` counts real floating-point
    operations per matrix in real arithmetic (complex precisions multiply by 4). ``forms`` are the bodies there are,
    ``templates/op/NAME.FORM.c``; every operation has a lane body. ``mirror`` says which names change places when every
    matrix is replaced by its transpose: so row-major data runs on column-major kernels.
    """

    name: str
    formula: str
    sizes: tuple[str, ...]
    flags: tuple[str, ...]
    scalars: tuple[str, ...]
    operands: tuple[Operand, ...]
    arguments: tuple[str, ...]
    flops: Callable[[Sizes], int]
    forms: tuple[str, ...]
    mirror: Mapping[str, str]
    source: str

    def operand(self, name: str) -> Operand:
        return next(row for row in self.operands if row.name == name)


OPS: dict[str, Operation] = {
    row.name: row
    for row in (
        Operation(
            name="gemm",
            formula="C := alpha op(A) op(B) + beta C",
            sizes=("m", "n", "k"),
            flags=("transa", "transb"),
            scalars=("alpha", "beta"),
            operands=(
                Operand("A", "m", "k", Role.IN, flag="transa", factor="alpha"),
                Operand("B", "k", "n", Role.IN, flag="transb", factor="alpha"),
                Operand("C", "m", "n", Role.INOUT, factor="beta"),
            ),
            arguments=("alpha", "A", "B", "beta", "C"),
            flops=lambda s: 2 * s["m"] * s["n"] * s["k"],
            forms=("lane", "direct", "flat"),
            mirror={"A": "B", "B": "A", "m": "n", "n": "m", "transa": "transb", "transb": "transa"},
            source="BLAS xGEMM; Dongarra et al., ICCS 2017, doi:10.1016/j.procs.2017.05.138",
        ),
        Operation(
            name="lacpy",
            formula="B := op(A)",
            sizes=("m", "n"),
            flags=("transa",),
            scalars=(),
            operands=(Operand("A", "m", "n", Role.IN, flag="transa"), Operand("B", "m", "n", Role.OUT)),
            arguments=("A", "B"),
            flops=lambda s: 0,
            forms=("lane",),
            mirror={"m": "n", "n": "m"},
            source="LAPACK xLACPY, with op() and a change of layout",
        ),
    )
}
