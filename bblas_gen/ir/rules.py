"""The rules by which one large problem is divided: what an operation is in operations on blocks, in place.

Elmroth, Gustavson, IBM J. Res. Dev. 44 (2000), doi:10.1147/rd.444.0605; Charara, Ltaief, Keyes, Euro-Par 2016,
doi:10.1007/978-3-319-43659-3_35.
"""

from __future__ import annotations

from dataclasses import dataclass

from .operation import By, Step, by, same

_UPLO, _DIAG, _TRANSA = ("uplo", same("uplo")), ("diag", same("diag")), ("transa", same("transa"))
_TRIANGLE = ("side", same("side")), _UPLO, _TRANSA, _DIAG
_ALPHA = (("alpha", "alpha"),)
_Scalars = tuple[tuple[str, str | complex], ...]
_ADD: _Scalars = (("alpha", "alpha"), ("beta", 1.0))
_SUBTRACT = (("alpha", -1.0), ("beta", 1.0))
_SCALARS: _Scalars = (("alpha", "alpha"), ("beta", "beta"))


@dataclass(frozen=True)
class Rule:
    """An operation as ``steps`` on blocks. The sides named in ``cut`` are cut at one place, which follows from the size
    ``order``. A block's name has, behind a dot, a letter for each of its operand's sides that are cut, rows first: "f"
    for the first part, "s" for the second, "a" for all. Of a triangle "o" is the block beside the diagonal.

    ``turns``: flags, and their letters that exchange what is first and second. ``goes_on``: also behind a step that
    reports; the first report counts. ``listed``: for lists alone, C does it at once, whatever its order. ``squared``:
    of a small one C multiplies a square, of which a triangle counts. ``twins``: the last two steps need nothing of each
    other.
    """

    order: str
    cut: tuple[str, ...]
    steps: tuple[Step, ...] | By[tuple[Step, ...]]
    turns: tuple[tuple[str, str], ...] = ()
    goes_on: bool = False
    listed: bool = False
    squared: bool = False
    twins: bool = False


def _triangular(first: Step, second: Step, left: Step, right: Step) -> By[tuple[Step, ...]]:
    return by("side", L=(first, left, second), R=(first, right, second))


def _solve() -> By[tuple[Step, ...]]:
    """X of the first part, what it contributes to the second, X of that."""
    update = (("alpha", -1.0), ("beta", "alpha"))
    return _triangular(
        Step("trsm", ("A.ff", "B.f"), _TRIANGLE, (("alpha", "alpha"),)),
        Step("trsm", ("A.ss", "B.s"), _TRIANGLE),
        Step("gemm", ("A.o", "B.f", "B.s"), (_TRANSA,), update),
        Step("gemm", ("B.f", "A.o", "B.s"), (("transb", same("transa")),), update),
    )


def _multiply() -> By[tuple[Step, ...]]:
    """The other way round: the second part needs the old first one."""
    return _triangular(
        Step("trmm", ("A.ss", "B.s"), _TRIANGLE, _ALPHA),
        Step("trmm", ("A.ff", "B.f"), _TRIANGLE, _ALPHA),
        Step("gemm", ("A.o", "B.f", "B.s"), (_TRANSA,), _ADD),
        Step("gemm", ("B.f", "A.o", "B.s"), (("transb", same("transa")),), _ADD),
    )


def _symmetric(name: str, turned: str) -> Rule:
    """Of the two blocks beside the diagonal, the one that is not stored is ``turned`` from the other."""
    flags = ("side", same("side")), ("uplo", same("uplo"))
    own = [Step(name, (f"A.{x}{x}", f"B.{x}", f"C.{x}"), flags, _SCALARS) for x in "fs"]
    lower, upper = by("uplo", L="N", U=turned), by("uplo", L=turned, U="N")
    left = (
        Step("gemm", ("A.o", "B.s", "C.f"), (("transa", upper),), _ADD),
        Step("gemm", ("A.o", "B.f", "C.s"), (("transa", lower),), _ADD),
    )
    right = (
        Step("gemm", ("B.s", "A.o", "C.f"), (("transb", lower),), _ADD),
        Step("gemm", ("B.f", "A.o", "C.s"), (("transb", upper),), _ADD),
    )
    return Rule("ka", ("ka",), by("side", L=(*own, *left), R=(*own, *right)))


def _rank(name: str, factors: str, *, hermitian: bool) -> Rule:
    """Products of different parts are products of matrices."""
    flags = ("uplo", same("uplo")), ("trans", same("trans"))
    own = [Step(name, (*(f"{y}.{x}" for y in factors), f"C.{x}{x}"), flags, _SCALARS) for x in "fs"]
    other = by("trans", **dict(zip("NTCR", "CRNT" if hermitian else "TNRC", strict=True)))
    letters = ("transa", same("trans")), ("transb", other)
    pairs = [(factors[0], factors[-1])] + [(factors[-1], factors[0])] * (len(factors) - 1)
    scalars: list[_Scalars] = [_SCALARS, (("alpha", "alpha*" if hermitian else "alpha"), ("beta", 1.0))]

    def between(first: str, second: str) -> list[Step]:
        return [
            Step("gemm", (f"{x}.{first}", f"{y}.{second}", "C.o"), letters, given)
            for (x, y), given in zip(pairs, scalars, strict=False)
        ]

    steps = by("uplo", L=(*own, *between("s", "f")), U=(*own, *between("f", "s")))
    return Rule("n", ("n",), steps, squared=True)


def _cholesky() -> By[tuple[Step, ...]]:
    first, last = (Step("potrf", (x,), (_UPLO,)) for x in ("A.ff", "A.ss"))
    lower = Step("trsm", ("A.ff", "A.o"), (("side", "R"), ("transa", "C")))
    upper = Step("trsm", ("A.ff", "A.o"), (("uplo", "U"), ("transa", "C")))
    update = [Step("herk", ("A.o", "A.ss"), (_UPLO, ("trans", trans)), _SUBTRACT) for trans in "NC"]
    return by("uplo", L=(first, lower, update[0], last), U=(first, upper, update[1], last))


def _own_product() -> By[tuple[Step, ...]]:
    """L* L or U U*."""
    first, last = (Step("lauum", (x,), (_UPLO,)) for x in ("A.ff", "A.ss"))
    update = [Step("herk", ("A.o", "A.ff"), (_UPLO, ("trans", trans)), (("beta", 1.0),)) for trans in "CN"]
    lower = Step("trmm", ("A.ss", "A.o"), (("transa", "C"),))
    upper = Step("trmm", ("A.ss", "A.o"), (("side", "R"), ("uplo", "U"), ("transa", "C")))
    return by("uplo", L=(first, update[0], lower, last), U=(first, update[1], upper, last))


def _inverse() -> By[tuple[Step, ...]]:
    own = [Step("trti2", (x,), (_UPLO, _DIAG)) for x in ("A.ff", "A.ss")]

    def beside(left: str, right: str) -> tuple[Step, Step]:
        return (
            Step("trsm", (left, "A.o"), (_UPLO, _DIAG), (("alpha", -1.0),)),
            Step("trsm", (right, "A.o"), (("side", "R"), _UPLO, _DIAG)),
        )

    return by("uplo", L=(*beside("A.ss", "A.ff"), *own), U=(*beside("A.ff", "A.ss"), *own))


def _product_of_inverses() -> tuple[Step, ...]:
    """X with X L = U, where U and L share A. What L has beside its diagonal is solved for from both ends before either
    end is overwritten."""
    right, left = (("side", "R"), ("diag", "U")), (("diag", "U"),)
    return (
        Step("trsm", ("A.ss", "A.fs"), right),
        Step("trsm", ("A.ff", "A.sf"), right),
        Step("trilu", ("A.ff",)),
        Step("gemm", ("A.fs", "A.sf", "A.ff"), (), _SUBTRACT),
        Step("trsm", ("A.ss", "A.sf"), left),
        Step("trmm", ("A.ss", "A.sf"), (("uplo", "U"),), (("alpha", -1.0),)),
        Step("trilu", ("A.ss",)),
    )


_PIVOTED = (
    Step("getrf", ("A.af", "IPIV.f")),
    Step("laswp", ("A.as", "IPIV.f")),
    Step("trsm", ("A.ff", "A.fs"), (("diag", "U"),)),
    Step("gemm", ("A.sf", "A.fs", "A.ss"), (), _SUBTRACT),
    Step("getrf", ("A.ss", "IPIV.s")),
    Step("laswp", ("A.sf", "IPIV.s")),
)
_TURNS = ("side", "R"), ("uplo", "U"), ("transa", "TC")

RULES: dict[str, Rule] = {
    "trsm": Rule("ka", ("ka",), _solve(), _TURNS),
    "trmm": Rule("ka", ("ka",), _multiply(), _TURNS),
    "symm": _symmetric("symm", "T"),
    "hemm": _symmetric("hemm", "C"),
    "syrk": _rank("syrk", "A", hermitian=False),
    "herk": _rank("herk", "A", hermitian=True),
    "syr2k": _rank("syr2k", "AB", hermitian=False),
    "her2k": _rank("her2k", "AB", hermitian=True),
    "potrf": Rule("n", ("n",), _cholesky()),
    "lauum": Rule("n", ("n",), _own_product()),
    "trti2": Rule("n", ("n",), _inverse(), twins=True),
    "trilu": Rule("n", ("n",), _product_of_inverses(), listed=True),
    "getrf": Rule("min(m, n)", ("m", "n", "min(m, n)"), _PIVOTED, goes_on=True),
    "getrfnp": Rule(
        "min(m, n)",
        ("m", "n"),
        (
            Step("getrfnp", ("A.af",)),
            Step("trsm", ("A.ff", "A.fs"), (("diag", "U"),)),
            Step("gemm", ("A.sf", "A.fs", "A.ss"), (), _SUBTRACT),
            Step("getrfnp", ("A.ss",)),
        ),
        goes_on=True,
    ),
}
"""By operation. Others are done at once, or are made of steps that have rules."""
AT_ONCE = frozenset({"checkdiag", "gemm", "lacpy", "laset", "laswp", "lasym"})
"""Operations without a rule that C does as parts of large problems, by ``templates/op/NAME.recursive.c``. What has
others as steps, as eigenproblems and many sequences have, is not divided."""
