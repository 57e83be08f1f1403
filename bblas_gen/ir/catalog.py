"""The table of operations: what each one computes, never how.

An operation is a row here, a lane body ``templates/op/NAME.lane.c`` (or the steps that it is made of), optionally
bodies of other forms (see ``schedule.choose.Schedule``), and an oracle in ``tests/support/oracles.py``.
"""

from __future__ import annotations

from typing import Any

from .eig import EIG
from .elementwise import ELEMENTWISE
from .lu import LU
from .operation import INFO, Operand, Operation, Step, Work, by, same
from .qr import QR
from .svd import SVD
from .terms import Role
from .vectors import VECTORS

_IN, _INOUT, _OUT = Role.IN, Role.INOUT, Role.OUT
_BATCHED = "Dongarra et al., Euro-Par 2017, doi:10.1007/978-3-319-64203-1_37"
_KA = by("side", L="m", R="n")
_UPLO, _DIAG = ("uplo", same("uplo")), ("diag", same("diag"))
_SOLVE = (
    Step("trsm", ("A", "B"), (_UPLO, ("transa", by("uplo", L="N", U="C")))),
    Step("trsm", ("A", "B"), (_UPLO, ("transa", by("uplo", L="C", U="N")))),
)
"""The two triangular systems of a Cholesky factorization."""
_INVERTS = by("diag", N=("algebra", "reciprocal"), U=("algebra",))
_INVERSES = by("diag", N=(Work("inverse", "ka"),), U=())
LINES = 4
"""Rows or columns of a lane where a team does panels. With two what all lanes do of a panel is done twice as often."""
_CHOLESKY = "(2*n**3 + 3*n**2 + n) // 6"
_INVERSE = "(n**3 + 2*n) // 3"


def _symmetric(name: str, letter: str) -> Operation:
    return Operation(
        name=name,
        formula=f"C := alpha A B + beta C or alpha B A + beta C, A = A{letter}",
        sizes=("m", "n"),
        flags=("side", "uplo"),
        scalars=("alpha", "beta"),
        operands=(
            Operand("A", "ka", "ka", _IN, scaled_by="alpha", triangle=True),
            Operand("B", "m", "n", _IN, scaled_by="alpha"),
            Operand("C", "m", "n", _INOUT, scaled_by="beta"),
        ),
        arguments=("alpha", "A", "B", "beta", "C"),
        flops="2 * m * n * ka",
        algorithms=("lane", "direct", "blocked"),
        tile_shape="mn",
        canonical_form="symmetric",
        derived=(("ka", _KA),),
        sliced=("n",),
        template="symm",
        hermitian=name == "hemm",
        optional_result=True,
        source=f"BLAS x{name.upper()}",
    )


def _rank(name: str, formula: str, factors: str, real_scalars: tuple[str, ...] = ()) -> Operation:
    """An update of rank k or 2 k by ``factors`` A, or A and B."""
    return Operation(
        name=name,
        formula=formula,
        sizes=("n", "k"),
        flags=("uplo", "trans"),
        scalars=("alpha", "beta"),
        operands=(
            *(Operand(x, "n", "k", _IN, flag="trans", scaled_by="alpha") for x in factors),
            Operand("C", "n", "n", _INOUT, scaled_by="beta", triangle=True),
        ),
        arguments=("alpha", *factors, "beta", "C"),
        flops=f"{len(factors)} * k * n * (n + 1)",
        algorithms=("lane", "direct"),
        tiled=len(factors) == 1,
        tile_shape="nn",
        canonical_form="rank_k",
        real_scalars=real_scalars,
        template="syrk" if len(factors) == 1 else "syr2k",
        team=True,
        hermitian=name.startswith("he"),
        optional_result=True,
        source=f"BLAS x{name.upper()}",
    )


def _triangular(name: str, formula: str, **more: Any) -> Operation:
    return Operation(
        name=name,
        formula=formula,
        sizes=("m", "n"),
        flags=("side", "uplo", "transa", "diag"),
        scalars=("alpha",),
        operands=(
            Operand("A", "ka", "ka", _IN, flag="transa", scaled_by="alpha", triangle=True),
            Operand("B", "m", "n", _INOUT),
        ),
        flops="m * n * ka",
        tile_shape="mn",
        holds=True,
        canonical_form="triangular",
        derived=(("ka", _KA),),
        sliced=("n",),
        source=f"BLAS x{name.upper()}; {_BATCHED}",
        **more,
    )


def _square(name: str, formula: str, flops: str, **more: Any) -> Operation:
    """What is done in place with one triangle of a square matrix."""
    columns: dict[str, Any] = {"flags": ("uplo",), "operands": (Operand("A", "n", "n", _INOUT, triangle=True),)}
    return Operation(
        name=name,
        formula=formula,
        sizes=("n",),
        flops=flops,
        tile_shape="nn",
        canonical_form="square",
        source=f"LAPACK x{name.upper()}; {_BATCHED}",
        **(columns | more),
    )


def _beside(name: str, formula: str, *, clears: bool = False, source: str) -> Operation:
    """What is made of the other triangle; one that ``clears`` it reads nothing."""
    return Operation(
        name=name,
        formula=formula,
        sizes=("n",),
        flags=("uplo",),
        operands=(Operand("A", "n", "n", _INOUT, half=clears),),
        flops="0",
        canonical_form="square",
        moves=clears,
        needs=(),
        hidden=True,
        team=True,
        source=source,
    )


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
                Operand("A", "m", "k", _IN, flag="transa", scaled_by="alpha"),
                Operand("B", "k", "n", _IN, flag="transb", scaled_by="alpha"),
                Operand("C", "m", "n", _INOUT, scaled_by="beta"),
            ),
            arguments=("alpha", "A", "B", "beta", "C"),
            flops="2 * m * n * k",
            algorithms=("lane", "direct", "flat", "blocked"),
            tiled=True,
            transposition=(("A", "B"), ("m", "n"), ("transa", "transb")),
            tile_shape="mn",
            needs=(),
            prefetches="step",
            optional_result=True,
            sliced=("m", "n"),
            source="BLAS xGEMM; Dongarra et al., ICCS 2017, doi:10.1016/j.procs.2017.05.138",
        ),
        _symmetric("symm", "'"),
        _symmetric("hemm", "*"),
        _rank("syrk", "C := alpha op(A) op(A)' + beta C", "A"),
        _rank("herk", "C := alpha op(A) op(A)* + beta C", "A", real_scalars=("alpha", "beta")),
        _rank("syr2k", "C := alpha op(A) op(B)' + alpha op(B) op(A)' + beta C", "AB"),
        _rank("her2k", "C := alpha op(A) op(B)* + conj(alpha) op(B) op(A)* + beta C", "AB", real_scalars=("beta",)),
        _triangular("trmm", "B := alpha op(A) B or alpha B op(A), A triangular", algorithms=("lane", "direct")),
        _triangular(
            "trsm",
            "op(A) X = alpha B or X op(A) = alpha B, A triangular, X overwrites B",
            algorithms=("lane", "across", "columns"),
            team=True,
            lines=LINES,
            needs=_INVERTS,
            arrays=_INVERSES,
        ),
        *VECTORS,
        Operation(
            name="trsv",
            formula="op(A) x = X, A triangular, x overwrites X",
            sizes=("n",),
            flags=("uplo", "trans", "diag"),
            operands=(
                Operand("A", "n", "n", _IN, flag="trans", triangle=True),
                Operand("X", "n", "1", _INOUT),
            ),
            flops="n**2",
            steps=(Step("trsm", ("A", "X"), (_UPLO, ("transa", same("trans")), _DIAG)),),
            source="BLAS xTRSV",
        ),
        _square(
            "potrf",
            "A = L L* or U* U, the factor overwrites its triangle of A",
            _CHOLESKY,
            operands=(Operand("A", "n", "n", _INOUT, triangle=True), INFO),
            algorithms=("lane", "hybrid"),
            team=True,
            lines=LINES,
            needs=("algebra", "root", "square"),
            fails="are not positive definite",
            other_triangle="zero",
        ),
        Operation(
            name="potrs",
            formula="A X = B with A = L L* or U* U as potrf left it, X overwrites B",
            sizes=("n", "nrhs"),
            flags=("uplo",),
            operands=(Operand("A", "n", "n", _IN, triangle=True), Operand("B", "n", "nrhs", _INOUT)),
            flops="2 * n**2 * nrhs",
            steps=_SOLVE,
            source=f"LAPACK xPOTRS; {_BATCHED}",
        ),
        Operation(
            name="posv",
            formula="A X = B, A = A* positive definite; factor overwrites A as in potrf, X overwrites B",
            sizes=("n", "nrhs"),
            flags=("uplo",),
            operands=(Operand("A", "n", "n", _INOUT, triangle=True), Operand("B", "n", "nrhs", _INOUT), INFO),
            flops=f"{_CHOLESKY} + 2 * n**2 * nrhs",
            steps=(Step("potrf", ("A",), (_UPLO,)), *_SOLVE),
            algorithms=("lane", "hybrid"),
            canonical_form="square",
            needs=("algebra", "root", "square", "reciprocal"),
            fails="are not positive definite",
            halves=("potrf", "potrs"),
            source=f"LAPACK xPOSV; {_BATCHED}",
        ),
        Operation(
            name="potri",
            formula="A := (L L*)^-1 or (U* U)^-1 with the factor as potrf left it; one triangle",
            sizes=("n",),
            flags=("uplo",),
            operands=(Operand("A", "n", "n", _INOUT, triangle=True), INFO),
            flops=f"{_INVERSE} + {_CHOLESKY}",
            steps=(Step("checkdiag", ("A",)), Step("trti2", ("A",), (_UPLO,)), Step("lauum", ("A",), (_UPLO,))),
            fails="are singular",
            other_triangle="mirror",
            source="LAPACK xPOTRI",
        ),
        Operation(
            name="trtri",
            formula="A := A^-1, A triangular",
            sizes=("n",),
            flags=("uplo", "diag"),
            operands=(Operand("A", "n", "n", _INOUT, triangle=True), INFO),
            flops=_INVERSE,
            steps=(Step("checkdiag", ("A",), (_DIAG,)), Step("trti2", ("A",), (_UPLO, _DIAG))),
            fails="are singular",
            other_triangle="zero",
            source="LAPACK xTRTRI",
        ),
        _square(
            "lauum",
            "A := L* L or U U*, the product overwrites its triangle of A",
            _CHOLESKY,
            team=True,
            lines=LINES,
            other_triangle="mirror",
        ),
        _beside("laset", "the strict triangle of A that uplo does not name := 0", clears=True, source="LAPACK xLASET"),
        _beside("lasym", "the strict triangle of A that uplo does not name := that of A*", source="xPOTRI, completed"),
        _square(
            "trti2",
            "A := A^-1, A triangular, whatever its diagonal",
            _INVERSE,
            flags=("uplo", "diag"),
            team=True,
            lines=LINES,
            needs=_INVERTS,
            hidden=True,
        ),
        Operation(
            name="checkdiag",
            formula="info := the first zero on the diagonal of a triangular A, 0 if there is none",
            sizes=("n",),
            flags=("diag",),
            operands=(Operand("A", "n", "n", _IN, triangle=True), INFO),
            flops="0",
            fails="are singular",
            hidden=True,
            team=True,
            source="LAPACK xTRTRI",
        ),
        *LU,
        *QR,
        *SVD,
        *EIG,
        *ELEMENTWISE,
        Operation(
            name="lacpy",
            formula="B := op(A)",
            sizes=("m", "n"),
            flags=("transa",),
            operands=(Operand("A", "m", "n", _IN, flag="transa"), Operand("B", "m", "n", _OUT)),
            flops="0",
            transposition=(("m", "n"),),
            prefetches="never",
            repacks=True,
            copies=True,
            moves=True,
            sliced=("m", "n"),
            needs=(),
            source="LAPACK xLACPY, with op() and a change of layout",
        ),
    )
}
LISTED = tuple(row for row in OPS.values() if not row.hidden)
"""The rows that users are told of."""
