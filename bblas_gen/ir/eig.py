"""Rows of the table of operations: eigenvalues and vectors of symmetric and Hermitian matrices, alone and in pairs."""

from __future__ import annotations

from .operation import INFO, Operand, Operation, Step, Way, Work, by, same
from .qr import REFLECTS
from .terms import Kind, Role

_IN, _INOUT, _OUT = Role.IN, Role.INOUT, Role.OUT
ITERATES = (*REFLECTS, "rotation")
_TRIDIAGONAL = (Work("d", "n * abreast"), Work("e", "n * abreast"), Work("p", "n"))
"""The tridiagonal matrices, and a vector."""
_ROTATIONS = (Work("tangents", "2 * n * abreast", Kind.REAL), Work("sines", "2 * n * abreast", Kind.REAL))
_VECTORS = Operand("A", "n", "n", _INOUT, turns=True)
_VALUES = Operand("W", "n", "1", _OUT, kind=Kind.REAL)
_UPLO = ("uplo", same("uplo"))
_REDUCED = (
    Step("potrf", ("B",), (_UPLO,), offset="n"),
    Step("sygst", ("A", "B"), (("itype", by("itype", **{"1": "1", "2": "2", "3": "2"})), _UPLO)),
    Step("syev", ("A", "W"), (("jobz", same("jobz")), _UPLO)),
)
"""A pair, brought to one matrix with the same values. A report of B begins behind those of A, as in LAPACK."""


def _back(op: str, **transa: str) -> tuple[Step, ...]:
    """The vectors of that matrix, brought to those of the pair by the factor of B."""
    return (*_REDUCED, Step(op, ("B", "A"), (_UPLO, ("transa", by("uplo", **transa)))))


_SOLVED, _MULTIPLIED = _back("trsm", L="C", U="N"), _back("trmm", L="N", U="C")

EIG = (
    Operation(
        name="syev",
        formula="A = V diag(W) V*, A = A*; W ascends, V overwrites A",
        sizes=("n",),
        flags=("jobz", "uplo"),
        operands=(_VECTORS, _VALUES, INFO),
        flops="9 * n**3",
        needs=ITERATES,
        returns=("A", "W"),
        fails="are not finite, or have eigenvalues that did not converge",
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
        revisits=True,
        indexes=True,
        team=True,
        source="LAPACK xSYEV, xHEEV",
    ),
    Operation(
        name="sygst",
        formula="A := L^-1 A L^-* or L* A L, A = A*, with B = L L* as potrf left it; U* is L where B = U* U",
        sizes=("n",),
        flags=("itype", "uplo"),
        operands=(Operand("A", "n", "n", _INOUT, triangle=True), Operand("B", "n", "n", _IN, triangle=True)),
        flops="n**3",
        tile_shape="nn",
        canonical_form="square",
        needs=by("itype", **{"1": ("algebra", "reciprocal"), "2": ("algebra",), "3": ("algebra",)}),
        arrays=by("itype", **{"1": (Work("inverse", "n"),), "2": (), "3": ()}),
        indexes=True,
        team=True,
        hermitian=True,
        prefetches="never",
        hidden=True,
        source="LAPACK xSYGST, xHEGST",
    ),
    Operation(
        name="sygv",
        formula="A V = B V diag(W), A B V = V diag(W) or B A V = V diag(W), A = A*, B positive definite; W ascends, V"
        " overwrites A, the factor of B overwrites B as in potrf",
        sizes=("n",),
        flags=("itype", "jobz", "uplo"),
        operands=(_VECTORS, Operand("B", "n", "n", _INOUT, triangle=True), _VALUES, INFO),
        flops="11 * n**3",
        steps=by("jobz", N=_REDUCED, V=by("itype", **{"1": _SOLVED, "2": _SOLVED, "3": _MULTIPLIED})),
        returns=("A", "W"),
        fails="are not finite, have a B that is not positive definite, or have eigenvalues that did not converge",
        prefetches="never",
        source="LAPACK xSYGV, xHEGV",
    ),
)
