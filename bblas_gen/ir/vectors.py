"""Rows of the table of operations: levels 1 and 2 of the BLAS, long vectors and a matrix beside one."""

from __future__ import annotations

from typing import Any

from .operation import Operand, Operation, Step, same
from .terms import Role

_IN, _INOUT, _OUT = Role.IN, Role.INOUT, Role.OUT
FORMS = ("lane", "streamed")


def _vectors(name: str, formula: str, x: Role, y: Role | None, flops: int, **more: Any) -> Operation:
    operands = [Operand("X", "n", "1", x, scaled_by="alpha" if x is _IN else None)]
    if y is not None:
        operands.append(Operand("Y", "n", "1", y))
    return Operation(
        name=name,
        formula=formula,
        sizes=("n",),
        operands=tuple(operands),
        flops=f"{flops} * n",
        algorithms=FORMS,
        source=f"BLAS x{name.upper()}",
        **more,
    )


def _dot(name: str, letter: str) -> Operation:
    return Operation(
        name=name,
        formula=f"R := X{letter} Y",
        sizes=("n",),
        operands=(Operand("X", "n", "1", _IN), Operand("Y", "n", "1", _IN), Operand("R", "1", "1", _OUT)),
        flops="2 * n",
        steps=(Step("gemm", ("X", "Y", "R"), (("transa", "C" if letter == "*" else "T"),)),),
        algorithms=FORMS,
        template="dot",
        hermitian=letter == "*",
        summed=True,
        source="BLAS xDOT, xDOTU, xDOTC",
    )


def _ger(name: str, letter: str) -> Operation:
    return Operation(
        name=name,
        formula=f"A := alpha X Y{letter} + A",
        sizes=("m", "n"),
        scalars=("alpha",),
        operands=(
            Operand("X", "m", "1", _IN, scaled_by="alpha"),
            Operand("Y", "n", "1", _IN, scaled_by="alpha"),
            Operand("A", "m", "n", _INOUT),
        ),
        flops="2 * m * n",
        steps=(
            Step(
                "gemm",
                ("X", "Y", "A"),
                (("transb", "C" if letter == "*" else "T"),),
                (("alpha", "alpha"), ("beta", 1.0)),
            ),
        ),
        algorithms=FORMS,
        template="ger",
        hermitian=letter == "*",
        source="BLAS xGER, xGERU, xGERC",
    )


VECTORS = (
    _dot("dot", "'"),
    _dot("dotc", "*"),
    _vectors("axpy", "Y := alpha X + Y", _IN, _INOUT, 2, scalars=("alpha",), sliced=("n",)),
    _vectors("scal", "X := alpha X", _INOUT, None, 1, scalars=("alpha",), sliced=("n",)),
    Operation(
        name="nrm2",
        formula="R := sqrt(X* X)",
        sizes=("n",),
        operands=(Operand("X", "n", "1", _IN), Operand("R", "1", "1", _OUT)),
        flops="2 * n",
        algorithms=FORMS,
        summed=True,
        needs=("algebra", "square", "pivot"),
        source="BLAS xNRM2",
    ),
    _ger("ger", "'"),
    _ger("gerc", "*"),
    Operation(
        name="gemv",
        formula="Y := alpha op(A) X + beta Y",
        sizes=("m", "n"),
        flags=("trans",),
        scalars=("alpha", "beta"),
        operands=(
            Operand("A", "m", "n", _IN, flag="trans", scaled_by="alpha"),
            Operand("X", "n", "1", _IN, scaled_by="alpha"),
            Operand("Y", "m", "1", _INOUT, scaled_by="beta"),
        ),
        arguments=("alpha", "A", "X", "beta", "Y"),
        flops="2 * m * n",
        steps=(Step("gemm", ("A", "X", "Y"), (("transa", same("trans")),), (("alpha", "alpha"), ("beta", "beta"))),),
        algorithms=FORMS,
        summed=True,
        optional_result=True,
        sized_by="A",
        source="BLAS xGEMV",
    ),
)
