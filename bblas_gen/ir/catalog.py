"""The table of operations: what each one computes, never how.

An operation is a row here, a lane body ``templates/op/NAME.lane.c`` (or the steps that it is made of), optionally
bodies of other forms (see ``schedule.Schedule``), and an oracle in ``tests/support/oracles.py``.
"""

from __future__ import annotations

from collections.abc import Callable

from .operation import Letters, Operand, Operation, RowStep, Sizes
from .terms import Role


def _ka(letters: Letters) -> str:
    return "m" if letters["side"] == "L" else "n"


def _solve(second: bool) -> Callable[[Letters], Letters]:
    """The flags of one of the two triangular systems of a Cholesky factorization."""

    def flags(f: Letters) -> Letters:
        return {"uplo": f["uplo"], "transa": "N" if (f["uplo"] == "L") != second else "C"}

    return flags


def _uplo(f: Letters) -> Letters:
    return {"uplo": f["uplo"]}


USUAL_SCALARS = {"alpha": 1.0, "beta": 0.0}
"""What scalars are where nobody says."""
_IN, _INOUT, _OUT = Role.IN, Role.INOUT, Role.OUT
_BATCHED = "Dongarra et al., Euro-Par 2017, doi:10.1007/978-3-319-64203-1_37"
_SOLVE = (
    RowStep("trsm", ("A", "B"), _solve(second=False), (1,)),
    RowStep("trsm", ("A", "B"), _solve(second=True), (1,)),
)


def _cholesky(s: Sizes) -> int:
    n = s["n"]
    return (2 * n**3 + 3 * n**2 + n) // 6


def _inverse(s: Sizes) -> int:
    return (s["n"] ** 3 + 2 * s["n"]) // 3


def _symmetric(name: str, letter: str) -> Operation:
    return Operation(
        name=name,
        formula=f"C := alpha A B + beta C or alpha B A + beta C, A = A{letter}",
        sizes=("m", "n"),
        flags=("side", "uplo"),
        scalars=("alpha", "beta"),
        operands=(
            Operand("A", "ka", "ka", _IN, factor="alpha", triangle=True),
            Operand("B", "m", "n", _IN, factor="alpha"),
            Operand("C", "m", "n", _INOUT, factor="beta"),
        ),
        arguments=("alpha", "A", "B", "beta", "C"),
        flops=lambda s: 2 * s["m"] * s["n"] * s["ka"],
        forms=("lane", "direct"),
        tile="mn",
        reduction="symmetric",
        derived={"ka": _ka},
        hermitian=name == "hemm",
        source=f"BLAS x{name.upper()}",
    )


def _rank(name: str, formula: str, factors: str, real: tuple[str, ...] = ()) -> Operation:
    """An update of rank k or 2 k by ``factors`` A, or A and B."""
    return Operation(
        name=name,
        formula=formula,
        sizes=("n", "k"),
        flags=("uplo", "trans"),
        scalars=("alpha", "beta"),
        operands=(
            *(Operand(x, "n", "k", _IN, flag="trans", factor="alpha") for x in factors),
            Operand("C", "n", "n", _INOUT, factor="beta", triangle=True),
        ),
        arguments=("alpha", *factors, "beta", "C"),
        flops=lambda s: len(factors) * s["k"] * s["n"] * (s["n"] + 1),
        forms=("lane", "direct"),
        tile="nn",
        reduction="rank_k",
        real_scalars=real,
        hermitian=name.startswith("he"),
        source=f"BLAS x{name.upper()}",
    )


def _triangular(name: str, formula: str, forms: tuple[str, ...]) -> Operation:
    return Operation(
        name=name,
        formula=formula,
        sizes=("m", "n"),
        flags=("side", "uplo", "transa", "diag"),
        scalars=("alpha",),
        operands=(
            Operand("A", "ka", "ka", _IN, flag="transa", factor="alpha", triangle=True),
            Operand("B", "m", "n", _INOUT),
        ),
        flops=lambda s: s["m"] * s["n"] * s["ka"],
        forms=forms,
        tile="mn",
        reduction="triangular",
        derived={"ka": _ka},
        source=f"BLAS x{name.upper()}; {_BATCHED}",
    )


def _square(name: str, formula: str, flops: Callable[[Sizes], int], *, info: bool, diag: bool = False) -> Operation:
    return Operation(
        name=name,
        formula=formula,
        sizes=("n",),
        flags=("uplo", "diag") if diag else ("uplo",),
        scalars=(),
        operands=(Operand("A", "n", "n", _INOUT, triangle=True),),
        flops=flops,
        tile="nn",
        reduction="square",
        info=info,
        source=f"LAPACK x{name.upper()}; {_BATCHED}",
    )


def _vectors(name: str, formula: str, x: Role, y: Role | None, flops: int, **more: object) -> Operation:
    operands = [Operand("X", "n", "1", x)]
    if y is not None:
        operands.append(Operand("Y", "n", "1", y))
    return Operation(
        name=name,
        formula=formula,
        sizes=("n",),
        flags=(),
        operands=tuple(operands),
        flops=lambda s: flops * s["n"],
        source=f"BLAS x{name.upper()}",
        **more,  # type: ignore[arg-type]
    )


def _dot(name: str, letter: str) -> Operation:
    return Operation(
        name=name,
        formula=f"R := X{letter} Y",
        sizes=("n",),
        flags=(),
        scalars=(),
        operands=(Operand("X", "n", "1", _IN), Operand("Y", "n", "1", _IN), Operand("R", "1", "1", _OUT)),
        flops=lambda s: 2 * s["n"],
        steps=(RowStep("gemm", ("X", "Y", "R"), lambda _: {"transa": "C" if name == "dotc" else "T"}, (1, 0)),),
        source="BLAS xDOT, xDOTU, xDOTC",
    )


def _ger(name: str, letter: str) -> Operation:
    return Operation(
        name=name,
        formula=f"A := alpha X Y{letter} + A",
        sizes=("m", "n"),
        flags=(),
        scalars=("alpha",),
        operands=(
            Operand("X", "m", "1", _IN, factor="alpha"),
            Operand("Y", "n", "1", _IN, factor="alpha"),
            Operand("A", "m", "n", _INOUT),
        ),
        flops=lambda s: 2 * s["m"] * s["n"],
        steps=(RowStep("gemm", ("X", "Y", "A"), lambda _: {"transb": "C" if name == "gerc" else "T"}, ("alpha", 1)),),
        source="BLAS xGER, xGERU, xGERC",
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
                Operand("A", "m", "k", _IN, flag="transa", factor="alpha"),
                Operand("B", "k", "n", _IN, flag="transb", factor="alpha"),
                Operand("C", "m", "n", _INOUT, factor="beta"),
            ),
            arguments=("alpha", "A", "B", "beta", "C"),
            flops=lambda s: 2 * s["m"] * s["n"] * s["k"],
            forms=("lane", "direct", "flat"),
            mirror={"A": "B", "B": "A", "m": "n", "n": "m", "transa": "transb", "transb": "transa"},
            tile="mn",
            basic=True,
            source="BLAS xGEMM; Dongarra et al., ICCS 2017, doi:10.1016/j.procs.2017.05.138",
        ),
        _symmetric("symm", "'"),
        _symmetric("hemm", "*"),
        _rank("syrk", "C := alpha op(A) op(A)' + beta C", "A"),
        _rank("herk", "C := alpha op(A) op(A)* + beta C", "A", real=("alpha", "beta")),
        _rank("syr2k", "C := alpha op(A) op(B)' + alpha op(B) op(A)' + beta C", "AB"),
        _rank("her2k", "C := alpha op(A) op(B)* + conj(alpha) op(B) op(A)* + beta C", "AB", real=("beta",)),
        _triangular("trmm", "B := alpha op(A) B or alpha B op(A), A triangular", ("lane", "direct")),
        _triangular("trsm", "op(A) X = alpha B or X op(A) = alpha B, A triangular, X overwrites B", ("lane",)),
        _dot("dot", "'"),
        _dot("dotc", "*"),
        _vectors("axpy", "Y := alpha X + Y", _IN, _INOUT, 2, scalars=("alpha",)),
        _vectors("scal", "X := alpha X", _INOUT, None, 1, scalars=("alpha",)),
        Operation(
            name="nrm2",
            formula="R := sqrt(X* X)",
            sizes=("n",),
            flags=(),
            scalars=(),
            operands=(Operand("X", "n", "1", _IN), Operand("R", "1", "1", _OUT)),
            flops=lambda s: 2 * s["n"],
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
                Operand("A", "m", "n", _IN, flag="trans", factor="alpha"),
                Operand("X", "n", "1", _IN, factor="alpha"),
                Operand("Y", "m", "1", _INOUT, factor="beta"),
            ),
            arguments=("alpha", "A", "X", "beta", "Y"),
            flops=lambda s: 2 * s["m"] * s["n"],
            steps=(RowStep("gemm", ("A", "X", "Y"), lambda f: {"transa": f["trans"]}, ("alpha", "beta")),),
            source="BLAS xGEMV",
        ),
        Operation(
            name="trsv",
            formula="op(A) x = X, A triangular, x overwrites X",
            sizes=("n",),
            flags=("uplo", "trans", "diag"),
            scalars=(),
            operands=(
                Operand("A", "n", "n", _IN, flag="trans", triangle=True),
                Operand("X", "n", "1", _INOUT),
            ),
            flops=lambda s: s["n"] ** 2,
            steps=(
                RowStep(
                    "trsm",
                    ("A", "X"),
                    lambda f: {"uplo": f["uplo"], "transa": f["trans"], "diag": f["diag"]},
                    (1,),
                ),
            ),
            source="BLAS xTRSV",
        ),
        _square("potrf", "A = L L* or U* U, the factor overwrites its triangle of A", _cholesky, info=True),
        Operation(
            name="potrs",
            formula="A X = B with A = L L* or U* U as potrf left it, X overwrites B",
            sizes=("n", "nrhs"),
            flags=("uplo",),
            scalars=(),
            operands=(Operand("A", "n", "n", _IN, triangle=True), Operand("B", "n", "nrhs", _INOUT)),
            flops=lambda s: 2 * s["n"] ** 2 * s["nrhs"],
            steps=_SOLVE,
            source=f"LAPACK xPOTRS; {_BATCHED}",
        ),
        Operation(
            name="posv",
            formula="A X = B, A = A* positive definite; factor overwrites A as in potrf, X overwrites B",
            sizes=("n", "nrhs"),
            flags=("uplo",),
            scalars=(),
            operands=(Operand("A", "n", "n", _INOUT, triangle=True), Operand("B", "n", "nrhs", _INOUT)),
            flops=lambda s: _cholesky(s) + 2 * s["n"] ** 2 * s["nrhs"],
            steps=(RowStep("potrf", ("A",), _uplo), *_SOLVE),
            info=True,
            source=f"LAPACK xPOSV; {_BATCHED}",
        ),
        Operation(
            name="potri",
            formula="A := (L L*)^-1 or (U* U)^-1 with the factor as potrf left it; one triangle",
            sizes=("n",),
            flags=("uplo",),
            scalars=(),
            operands=(Operand("A", "n", "n", _INOUT, triangle=True),),
            flops=lambda s: _inverse(s) + _cholesky(s),
            steps=(RowStep("nonsing", ("A",)), RowStep("trinv", ("A",), _uplo), RowStep("lauum", ("A",), _uplo)),
            info=True,
            source="LAPACK xPOTRI",
        ),
        Operation(
            name="trtri",
            formula="A := A^-1, A triangular",
            sizes=("n",),
            flags=("uplo", "diag"),
            scalars=(),
            operands=(Operand("A", "n", "n", _INOUT, triangle=True),),
            flops=_inverse,
            steps=(
                RowStep("nonsing", ("A",), lambda f: {"diag": f["diag"]}),
                RowStep("trinv", ("A",), lambda f: {"uplo": f["uplo"], "diag": f["diag"]}),
            ),
            info=True,
            source="LAPACK xTRTRI",
        ),
        _square("lauum", "A := L* L or U U*, the product overwrites its triangle of A", _cholesky, info=False),
        _square("trinv", "A := A^-1, A triangular, whatever its diagonal", _inverse, info=False, diag=True),
        Operation(
            name="nonsing",
            formula="info := the first zero on the diagonal of a triangular A, 0 if there is none",
            sizes=("n",),
            flags=("diag",),
            scalars=(),
            operands=(Operand("A", "n", "n", _IN, triangle=True),),
            flops=lambda s: 0,
            info=True,
            source="LAPACK xTRTRI",
        ),
        Operation(
            name="lacpy",
            formula="B := op(A)",
            sizes=("m", "n"),
            flags=("transa",),
            scalars=(),
            operands=(Operand("A", "m", "n", _IN, flag="transa"), Operand("B", "m", "n", _OUT)),
            flops=lambda s: 0,
            mirror={"m": "n", "n": "m"},
            basic=True,
            source="LAPACK xLACPY, with op() and a change of layout",
        ),
    )
}
