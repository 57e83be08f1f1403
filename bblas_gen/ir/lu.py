"""Rows of the table of operations: LU factorizations with partial pivoting, what is solved and inverted with them."""

from __future__ import annotations

from .operation import INFO, Operand, Operation, Step, Way, Work, by
from .terms import Kind, Role

_IN, _INOUT, _OUT = Role.IN, Role.INOUT, Role.OUT
_BATCHED = "Dongarra et al., Euro-Par 2017, doi:10.1007/978-3-319-64203-1_37"
_KAHAN = "Jeannerod, Louvet, Muller, Math. Comp. 82 (2013), doi:10.1090/S0025-5718-2013-02679-8"
_FLOPS = "(4*n**3 - 3*n**2 - n) // 6"
_K = "min(m, n)"
_PIVOTED = ("algebra", "reciprocal", "pivot", "permutation")
_FACTORED = "A = P L U as getrf left it"
_PLAIN = "A = L U as getrfnp left it"
_FACTOR_FLOPS = (
    f"{_K} * m - {_K} * ({_K} + 1) // 2 + 2 * {_K} * (m - 1) * (n - 1)"
    f" - (m + n - 2) * {_K} * ({_K} - 1) + {_K} * ({_K} - 1) * (2 * {_K} - 1) // 3"
)


def _panel(rows: str) -> tuple[Work, ...]:
    """The columns that are factored at a time, and which row of what was given stands where."""
    return Work("panel", f"panel * ({rows}) * parts", Kind.REAL), Work("row", rows, Kind.INDEX)


def _pivots(role: Role, rows: str = "n") -> Operand:
    """The exchanges of rows, one after another, by LAPACK's numbers from 1."""
    return Operand("IPIV", rows, "1", role, kind=Kind.INDEX)


def _triangles(trans: str) -> tuple[Step, ...]:
    """The two triangular systems of an LU factorization."""
    lower = Step("trsm", ("A", "B"), (("transa", trans), ("diag", "U")))
    upper = Step("trsm", ("A", "B"), (("uplo", "U"), ("transa", trans)))
    return (upper, lower) if trans in "TC" else (lower, upper)


def _exchanged(trans: str) -> tuple[Step, ...]:
    """The exchanges of rows and the triangular systems."""
    exchange = Step("laswp", ("B", "IPIV"), (("trans", trans),))
    return (*_triangles(trans), exchange) if trans in "TC" else (exchange, *_triangles(trans))


_INVERT = (Step("checkdiag", ("A",)), Step("trti2", ("A",), (("uplo", "U"),)), Step("trilu", ("A",)))
"""U^-1, then U^-1 L^-1."""


LU = (
    Operation(
        name="getrf",
        formula="A = P L U, L unit lower, U upper; both overwrite A, IPIV has the row that each row was exchanged with",
        sizes=("m", "n"),
        operands=(Operand("A", "m", "n", _INOUT), _pivots(_OUT, _K), INFO),
        flops=_FACTOR_FLOPS,
        needs=_PIVOTED,
        returns=("A", "IPIV"),
        fails="are singular",
        fetched=("A",),
        arrays=_panel("m"),
        block_arrays=(Work("panel", "n * panel", Kind.REAL), Work("diagonal", "n", Kind.REAL)),
        team=True,
        lines=1,
        source=f"LAPACK xGETRF; {_BATCHED}",
    ),
    Operation(
        name="getrs",
        formula=f"op(A) X = B, {_FACTORED}, X overwrites B",
        sizes=("n", "nrhs"),
        flags=("trans",),
        operands=(Operand("A", "n", "n", _IN), _pivots(_IN), Operand("B", "n", "nrhs", _INOUT)),
        flops="2 * n**2 * nrhs",
        steps=by("trans", **{letter: _exchanged(letter) for letter in "NTCR"}),
        source=f"LAPACK xGETRS; {_BATCHED}",
    ),
    Operation(
        name="gesv",
        formula="A X = B; factors overwrite A and IPIV as in getrf, X overwrites B",
        sizes=("n", "nrhs"),
        operands=(Operand("A", "n", "n", _INOUT), _pivots(_OUT), Operand("B", "n", "nrhs", _INOUT), INFO),
        flops=f"{_FLOPS} + 2 * n**2 * nrhs",
        needs=_PIVOTED,
        fails="are singular",
        fetched=("A", "B"),
        halves=("getrf", "getrs"),
        arrays=(*_panel("n"), Work("inverse", "n")),
        block_arrays=(
            Work("panel", "n * panel", Kind.REAL),
            Work("beside", "n * nrhs", Kind.REAL),
            Work("upper", "n * (panel + nrhs)", Kind.REAL),
        ),
        source=f"LAPACK xGESV; {_BATCHED}",
    ),
    Operation(
        name="getri",
        formula=f"A := A^-1, {_FACTORED}",
        sizes=("n",),
        operands=(Operand("A", "n", "n", _INOUT), _pivots(_IN), INFO),
        flops="(4*n**3 - 3*n**2 + 5*n) // 3",
        steps=(*_INVERT, Step("laswp", ("A", "IPIV"), (("side", "R"), ("trans", "T")))),
        fails="are singular",
        source="LAPACK xGETRI",
    ),
    Operation(
        name="gedet",
        formula=f"R := det(A), {_FACTORED}",
        sizes=("n",),
        operands=(Operand("A", "n", "n", _IN, triangle=True), _pivots(_IN), Operand("R", "1", "1", _OUT)),
        flops="8 * n",
        needs=("algebra", "logarithm", "pivot"),
        prefetches="never",
        total=True,
        determinant_of="getrf",
        source="LINPACK xGEDI, without its powers of 10",
    ),
    Operation(
        name="geslogdet",
        formula=f"R e^E := det(A), |R| = 1, {_FACTORED}",
        sizes=("n",),
        operands=(
            Operand("A", "n", "n", _IN, triangle=True),
            _pivots(_IN),
            Operand("R", "1", "1", _OUT),
            Operand("E", "1", "1", _OUT),
        ),
        flops="8 * n + 30",
        needs=("algebra", "logarithm", "pivot", "root", "square"),
        prefetches="never",
        total=True,
        determinant_of="getrf",
        source="NumPy linalg.slogdet",
    ),
    Operation(
        name="getrfnp",
        formula="A = L U, L unit lower, U upper; both overwrite A",
        sizes=("m", "n"),
        operands=(Operand("A", "m", "n", _INOUT), INFO),
        flops=_FACTOR_FLOPS,
        needs=("algebra", "reciprocal", "pivot"),
        tile_shape="nn",
        fails="have a pivot that is zero",
        team=True,
        lines=1,
        source="LAPACK xGETRF without exchanges of rows",
    ),
    Operation(
        name="getrsnp",
        formula=f"op(A) X = B, {_PLAIN}, X overwrites B",
        sizes=("n", "nrhs"),
        flags=("trans",),
        operands=(Operand("A", "n", "n", _IN), Operand("B", "n", "nrhs", _INOUT)),
        flops="2 * n**2 * nrhs",
        steps=by("trans", **{letter: _triangles(letter) for letter in "NTCR"}),
        source="LAPACK xGETRS without exchanges of rows",
    ),
    Operation(
        name="gesvnp",
        formula="A X = B; factors overwrite A as in getrfnp, X overwrites B",
        sizes=("n", "nrhs"),
        operands=(Operand("A", "n", "n", _INOUT), Operand("B", "n", "nrhs", _INOUT), INFO),
        flops=f"{_FLOPS} + 2 * n**2 * nrhs",
        steps=(Step("getrfnp", ("A",)), *_triangles("N")),
        fails="have a pivot that is zero",
        halves=("getrfnp", "getrsnp"),
        source="LAPACK xGESV without exchanges of rows",
    ),
    Operation(
        name="getrinp",
        formula=f"A := A^-1, {_PLAIN}",
        sizes=("n",),
        operands=(Operand("A", "n", "n", _INOUT), INFO),
        flops="(4*n**3 - 3*n**2 + 5*n) // 3",
        steps=_INVERT,
        fails="are singular",
        source="LAPACK xGETRI without exchanges of rows",
    ),
    Operation(
        name="laswp",
        formula="A := P' A, P A, A P or A P', P the exchanges of IPIV one after another",
        sizes=("m", "n", "k"),
        flags=("side", "trans"),
        operands=(Operand("A", "m", "n", _INOUT), _pivots(_IN, "k")),
        flops="0",
        needs=("algebra", "pivot", "permutation"),
        canonical_form="permutation",
        team=True,
        source="LAPACK xLASWP",
    ),
    Operation(
        name="trilu",
        formula="A := U L^-1, U upper and L unit lower, which share A",
        sizes=("n",),
        operands=(Operand("A", "n", "n", _INOUT),),
        flops="n**3 - n**2",
        hidden=True,
        arrays=(Work("l", "n"),),
        team=True,
        source="LAPACK xGETRI",
    ),
)

_GEINV = Operation(
    name="geinv",
    formula="X := A^-1",
    sizes=("n",),
    operands=(Operand("A", "n", "n", _IN), Operand("X", "n", "n", _OUT), INFO),
    flops="2 * n**3",
    needs=("algebra", "reciprocal", "pivot", "minor"),
    prefetches="lines",
    ways=(Way("inverse_straight", 1, 3), Way("inverse_closed", 3, 0), Way("inverse_straight", 4, 0)),
    source=_KAHAN,
)
FUSED = ((_GEINV, (Step("lacpy", ("A", "X")), Step("getrf", ("X", "IPIV")), Step("getri", ("X", "IPIV")))),)
"""What is done at once in the place of steps, for orders that it has a way for, where nobody reads what is lost."""
