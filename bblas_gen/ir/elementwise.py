"""Rows of the table of operations: what is done with every element by itself, or with the diagonal. Steps of sequences
for the most part, between products and factorizations."""

from __future__ import annotations

from .operation import INFO, Operand, Operation, Way, Work
from .terms import Role

_IN, _INOUT, _OUT = Role.IN, Role.INOUT, Role.OUT
_HIGHAM = "Higham, SIAM J. Matrix Anal. Appl. 26 (2005), doi:10.1137/04061101X"
_OSBORNE = "Osborne, J. ACM 7 (1960), doi:10.1145/321043.321048"


def _whole(name: str) -> Work:
    """An array as large as the matrix."""
    return Work(name, "n**2", columns="n")


def _pade(degree: int, arrays: tuple[str, ...], flops: str) -> Operation:
    return Operation(
        name=f"gepade{degree}",
        formula=f"X := P(A), V := Q(A), the Pade approximant P / Q of exp of degree {degree}",
        sizes=("n",),
        operands=(Operand("A", "n", "n", _IN), Operand("X", "n", "n", _OUT), Operand("V", "n", "n", _OUT)),
        flops=flops,
        tile_shape="nn",
        prefetches="never",
        hidden=True,
        revisits=True,
        indexes=True,
        team=True,
        arrays=tuple(_whole(name) for name in arrays),
        source=_HIGHAM,
    )


# Nothing is fetched ahead: whole matrices are one stream, which processors see, and of a diagonal few lines are read.
ELEMENTWISE = (
    Operation(
        name="geadd",
        formula="B := alpha op(A) + beta B",
        sizes=("m", "n"),
        flags=("transa",),
        scalars=("alpha", "beta"),
        operands=(
            Operand("A", "m", "n", _IN, flag="transa", scaled_by="alpha"),
            Operand("B", "m", "n", _INOUT, scaled_by="beta"),
        ),
        arguments=("alpha", "A", "beta", "B"),
        flops="3 * m * n",
        transposition=(("m", "n"),),
        needs=(),
        sliced=("m", "n"),
        prefetches="never",
        source="PBLAS PxGEADD",
    ),
    Operation(
        name="lascl",
        formula="A := alpha A",
        sizes=("m", "n"),
        scalars=("alpha",),
        operands=(Operand("A", "m", "n", _INOUT),),
        flops="m * n",
        transposition=(("m", "n"),),
        needs=(),
        sliced=("m", "n"),
        prefetches="never",
        source="LAPACK xLASCL, with a factor in place of a quotient",
    ),
    Operation(
        name="adddiag",
        formula="A := alpha I + A",
        sizes=("n",),
        scalars=("alpha",),
        operands=(Operand("A", "n", "n", _INOUT, triangle=True),),
        flops="n",
        prefetches="never",
        source="BLIS shiftd",
    ),
    Operation(
        name="halve",
        formula="B := D^-1 A D / 2^S, S the least whole number from 0 on for which no column of B has a 1-norm above"
        " alpha, D a diagonal of powers of two that balances A where its norm is large, else I",
        sizes=("n",),
        scalars=("alpha",),
        real_scalars=("alpha",),
        operands=(
            Operand("A", "n", "n", _IN),
            Operand("B", "n", "n", _OUT),
            Operand("S", "1", "1", _OUT),
            Operand("D", "n", "1", _OUT),
        ),
        returns=("B", "S", "D"),
        flops="4 * n**2",
        needs=("algebra", "logarithm", "pivot"),
        prefetches="never",
        hidden=True,
        revisits=True,
        indexes=True,
        team=True,
        arrays=(_whole("sizes"),),
        source=f"{_HIGHAM}; {_OSBORNE}",
    ),
    Operation(
        name="similar",
        formula="A := D A D^-1, D a real diagonal, as a column",
        sizes=("n",),
        operands=(Operand("A", "n", "n", _INOUT), Operand("D", "n", "1", _IN)),
        returns=("A",),
        flops="n**2",
        needs=("algebra", "pivot"),
        prefetches="never",
        hidden=True,
        team=True,
        source=_OSBORNE,
    ),
    _pade(13, ("p2", "p6", "u", "even"), "12 * n**3 + 30 * n**2"),
    _pade(7, ("p2", "p6", "u"), "8 * n**3 + 14 * n**2"),
    Operation(
        name="getaylor",
        formula="X^(2^S) = exp(A), S a whole number from 0 on for which the 1-norm of (A - t I) / 2^S, balanced where"
        " it is large, or the root of that of a power, is at most 3, t the real part of the mean of A's diagonal",
        sizes=("n",),
        operands=(Operand("A", "n", "n", _IN), Operand("X", "n", "n", _OUT), Operand("S", "1", "1", _OUT)),
        returns=("X", "S"),
        flops="8 * n**3 + 100 * n",
        needs=("algebra", "exponential", "pivot"),
        tile_shape="nn",
        prefetches="never",
        hidden=True,
        ways=(
            Way("cayley_hamilton", 2, 2, ("p1",), team=True),
            Way("cayley_hamilton", 3, 3, ("p1", "p2"), team=True),
            Way("cayley_hamilton", 5, 5, ("p1", "p2", "p3"), team=True),
            Way("cayley_hamilton", 6, 6, ("p1", "p2", "p3", "high"), team=True),
            Way("cayley_hamilton", 8, 8, ("p1", "p2", "p3", "p4", "high"), team=True),
        ),
        indexes=True,
        team=True,
        else_way="taylor_horner",
        else_arrays=("p1", "p2"),
        arrays=tuple(_whole(name) for name in ("p1", "p2", "p3", "p4", "high")),
        source=f"Gantmacher, The Theory of Matrices, chapters IV and V; {_OSBORNE}",
    ),
    Operation(
        name="squaring",
        formula="A := A^(2^S), S a whole number from 0 on",
        sizes=("n",),
        operands=(Operand("A", "n", "n", _INOUT), Operand("S", "1", "1", _IN)),
        flops="2 * n**3",
        needs=("algebra", "pivot"),
        tile_shape="nn",
        prefetches="never",
        hidden=True,
        revisits=True,
        indexes=True,
        team=True,
        arrays=(_whole("squares"),),
        source=_HIGHAM,
    ),
    Operation(
        name="posqrt",
        formula="X := (L L*)^(1/2), with L as potrf left it in A's lower triangle",
        sizes=("n",),
        operands=(Operand("A", "n", "n", _IN), Operand("X", "n", "n", _OUT), INFO),
        returns=("X",),
        flops="14 * n**3",
        needs=("algebra", "reciprocal", "root", "square", "pivot"),
        fails="are not positive definite",
        prefetches="never",
        hidden=True,
        indexes=True,
        arrays=(Work("y", "n**2"), Work("p", "n**2"), Work("sizes", "n"), Work("column", "4 * n")),
        source="Higham, Functions of Matrices (2008), chapter 6; Byers, Xu, SIAM J. Matrix Anal. Appl. 30 (2008),"
        " doi:10.1137/070699895",
    ),
    Operation(
        name="logdet",
        formula="R := 2 sum of log |a_ii|: log(det(L L*)) with the factor as potrf left it",
        sizes=("n",),
        operands=(Operand("A", "n", "n", _IN, triangle=True), Operand("R", "1", "1", _OUT)),
        flops="20 * n + 30",
        needs=("algebra", "logarithm"),
        prefetches="never",
        source="NumPy linalg.slogdet",
    ),
)
