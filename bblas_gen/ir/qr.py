"""Rows of the table of operations: QR factorizations by reflections, what is multiplied and made with them."""

from __future__ import annotations

from .operation import INFO, Operand, Operation, Work, by
from .terms import Kind, Role

_IN, _INOUT, _OUT = Role.IN, Role.INOUT, Role.OUT
_K = "min(m, n)"
_KA = by("side", L="m", R="n")
REFLECTS = ("algebra", "root", "square", "reciprocal", "pivot")
_FACTORED = "A = Q R as geqrf left it"
_FLOPS = f"4 * m * n * {_K} - 2 * (m + n) * {_K}**2 + 4 * {_K}**3 // 3"

QR = (
    Operation(
        name="geqrf",
        formula="A = Q R; R and the vectors of the reflections whose product Q is overwrite A, TAU has their factors",
        sizes=("m", "n"),
        operands=(Operand("A", "m", "n", _INOUT), Operand("TAU", _K, "1", _OUT)),
        flops=_FLOPS,
        needs=REFLECTS,
        returns=("A", "TAU"),
        revisits=True,
        team=True,
        source="LAPACK xGEQRF",
    ),
    Operation(
        name="ormqr",
        formula=f"C := op(Q) C or C op(Q), {_FACTORED}",
        sizes=("m", "n", "k"),
        flags=("side", "trans"),
        operands=(Operand("A", "ka", "k", _IN), Operand("TAU", "k", "1", _IN), Operand("C", "m", "n", _INOUT)),
        flops="4 * m * n * k",
        canonical_form="reflections",
        derived=(("ka", _KA),),
        revisits=True,
        sliced=("n",),
        source="LAPACK xORMQR, xUNMQR",
    ),
    Operation(
        name="orgqr",
        formula=f"A := the first n columns of Q, {_FACTORED}",
        sizes=("m", "n", "k"),
        operands=(Operand("A", "m", "n", _INOUT), Operand("TAU", "k", "1", _IN)),
        flops="4 * m * n * k",
        revisits=True,
        team=True,
        source="LAPACK xORGQR, xUNGQR",
    ),
    Operation(
        name="triu",
        formula="R := the upper triangle of the first rows of A, zeros below it",
        sizes=("m", "n"),
        operands=(Operand("A", "m", "n", _IN), Operand("R", _K, "n", _OUT)),
        flops="0",
        needs=(),
        prefetches="never",
        hidden=True,
        source="LAPACK xLACPY, xLASET",
    ),
    Operation(
        name="geqp3",
        formula="A P = Q R, the longest column left first; Q and R as in geqrf, JPVT has the numbers of the columns",
        sizes=("m", "n"),
        operands=(
            Operand("A", "m", "n", _INOUT),
            Operand("JPVT", "n", "1", _OUT, kind=Kind.INDEX),
            Operand("TAU", _K, "1", _OUT),
        ),
        flops=_FLOPS,
        needs=REFLECTS,
        returns=("A", "JPVT", "TAU"),
        arrays=(Work("norms", "2 * n", Kind.REAL), Work("column", "n", Kind.INDEX)),
        revisits=True,
        indexes=True,
        team=True,
        source="LAPACK xGEQP3",
    ),
    Operation(
        name="gels",
        formula="the X of least norm among those of least norm(B - op(A) X) overwrites B, factors overwrite A",
        sizes=("m", "n", "nrhs"),
        flags=("trans",),
        operands=(Operand("A", "m", "n", _INOUT, flag="trans"), Operand("B", "max(m, n)", "nrhs", _INOUT), INFO),
        flops=f"2 * m * n * {_K} - 2 * (m + n) * {_K}**2 // 2 + 2 * {_K}**3 // 3 + (4 * m * n - {_K}**2) * nrhs",
        needs=REFLECTS,
        fails="do not have full rank",
        arrays=(Work("taus", f"{_K} * parts", Kind.REAL), Work("panel", "panel * max(m, n) * parts", Kind.REAL)),
        sized_by="A",
        revisits=True,
        indexes=True,
        team=True,
        source="LAPACK xGELS",
    ),
)
