"""Rows of the table of operations: eigenvalues and vectors of symmetric and Hermitian matrices."""

from __future__ import annotations

from .operation import INFO, Operand, Operation, Way, Work, by
from .qr import REFLECTS
from .terms import Kind, Role

_INOUT, _OUT = Role.INOUT, Role.OUT
ITERATES = (*REFLECTS, "rotation")
_TRIDIAGONAL = (Work("d", "n * abreast"), Work("e", "n * abreast"), Work("p", "n"))
"""The tridiagonal matrices, and a vector."""
_ROTATIONS = (Work("cosines", "n * abreast", Kind.REAL), Work("sines", "n * abreast", Kind.REAL))

EIG = (
    Operation(
        name="syev",
        formula="A = V diag(W) V*, A = A*; W ascends, V overwrites A",
        sizes=("n",),
        flags=("jobz", "uplo"),
        operands=(Operand("A", "n", "n", _INOUT, turns=True), Operand("W", "n", "1", _OUT, kind=Kind.REAL), INFO),
        flops="9 * n**3",
        needs=ITERATES,
        returns=("A", "W"),
        fails="are not finite, or whose values did not converge",
        hermitian=True,
        prefetches="never",
        ways=(
            Way("eigen_sweeps", 1, 1),
            Way("eigen_pair", 2, 2),
            Way("eigen_closed", 3, 0),
            Way("eigen_sweeps", 6, 4),
        ),
        else_way="eigen_tridiagonal",
        abreast=2,
        arrays=by(
            "jobz",
            N=(Work("copy", "n * n * parts * abreast", Kind.REAL), *_TRIDIAGONAL),
            V=(Work("tau", "n * abreast"), *_TRIDIAGONAL, *_ROTATIONS),
        ),
        source="LAPACK xSYEV, xHEEV",
    ),
)
