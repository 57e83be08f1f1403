"""Rows of the table of operations: singular values, and the vectors that belong to them."""

from __future__ import annotations

from .eig import ITERATES
from .operation import INFO, Operand, Operation, Way, Work
from .terms import Kind, Role

_IN, _OUT = Role.IN, Role.OUT
_K = "min(m, n)"
_GIVEN, _VALUES = Operand("A", "m", "n", _IN), Operand("S", _K, "1", _OUT, kind=Kind.REAL)
_COLUMNS, _RIGHT = Work("u", "m * n * abreast", columns=_K), Work("v", f"{_K}**2 * abreast", columns=_K)
_TRIANGLE = Work("r", f"{_K}**2")
_BIDIAGONAL = (
    Work("s", f"{_K} * abreast", Kind.REAL),
    Work("e", f"{_K} * abreast", Kind.REAL),
    Work("tau", f"2 * {_K}"),
)
_ROTATIONS = Work("turns", f"8 * {_K} * abreast", Kind.REAL)
_NAMED = 32
"""Most reals of a matrix all of whose elements have names: of one that has more, the triangle alone."""

SVD = (
    Operation(
        name="gesvd",
        formula="A = U S VT; S has the singular values, largest first, U* U = VT VT* = I",
        sizes=("m", "n"),
        operands=(_GIVEN, _VALUES, Operand("U", "m", _K, _OUT), Operand("VT", _K, "n", _OUT), INFO),
        flops=f"14 * max(m, n) * {_K}**2 + 8 * {_K}**3",
        needs=ITERATES,
        ways=(
            Way("singular_columns", 4, 4, ("u", "v", "s"), reals=_NAMED),
            Way("singular_triangle", 4, 4, ("u", "v", "r", "s", "tau"), team=True),
        ),
        else_way="singular_bidiagonal",
        else_arrays=("u", "v", "s", "e", "tau", "turns"),
        abreast=2,
        order=_K,
        arrays=(_COLUMNS, _RIGHT, _TRIANGLE, *_BIDIAGONAL, _ROTATIONS),
        indexes=True,
        team=True,
        returns=("U", "S", "VT"),
        fails="are not finite, or have singular values that did not converge",
        source="LAPACK xGESVD with JOBU = JOBVT = S",
    ),
    Operation(
        name="gesvdvals",
        formula="S := the singular values of A, largest first",
        sizes=("m", "n"),
        operands=(_GIVEN, _VALUES, INFO),
        template="gesvd",
        flops=f"4 * max(m, n) * {_K}**2 - 4 * {_K}**3 // 3",
        needs=ITERATES,
        ways=(
            Way("singular_columns", 4, 4, ("u", "s"), reals=_NAMED),
            Way("singular_triangle", 4, 4, ("u", "r", "s", "tau"), team=True),
        ),
        else_way="singular_bidiagonal",
        else_arrays=("u", "s", "e", "tau"),
        abreast=2,
        order=_K,
        arrays=(_COLUMNS, _TRIANGLE, *_BIDIAGONAL),
        indexes=True,
        team=True,
        fails="are not finite, or have singular values that did not converge",
        source="LAPACK xGESVD with JOBU = JOBVT = N",
    ),
)
