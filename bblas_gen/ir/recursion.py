"""How one large problem is divided: rules in blocks, and the list of smaller problems that they lead to.

A rule says what an operation is in operations on blocks, in place. It is applied until blocks are small. What is left
are products of matrices, which do nearly all of the arithmetic, and small problems along the diagonal. The list is
plain data: no kernel, array or machine is in it, so all targets go through the same one.

Elmroth, Gustavson, IBM J. Res. Dev. 44 (2000), doi:10.1147/rd.444.0605; Charara, Ltaief, Keyes, Euro-Par 2016,
doi:10.1007/978-3-319-43659-3_35.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from typing import TypeVar

from .catalog import OPS
from .operation import DEFAULT_SCALARS, By, Operand, Operation, Step, by, picked, same
from .sizes import evaluate, is_name
from .spec import default_flag, letter
from .terms import Letter, Uplo

T = TypeVar("T")
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


class Part(StrEnum):
    """What of a side belongs to a block: all, what is before the cut, what is behind."""

    ALL = "all"
    BEFORE = "before"
    BEHIND = "behind"


@dataclass(frozen=True)
class Place:
    """The block of operand ``name`` that has these parts of its rows and columns as they are stored."""

    name: str
    down: Part = Part.ALL
    across: Part = Part.ALL


@dataclass(frozen=True)
class Block:
    """``rows`` x ``cols`` elements of operand ``name``, the first of which is (``row``, ``col``)."""

    name: str
    row: int
    col: int
    rows: int
    cols: int

    def __str__(self) -> str:
        return f"{self.name}[{self.row}:{self.row + self.rows}, {self.col}:{self.col + self.cols}]"


@dataclass(frozen=True)
class Problem:
    """An operation on blocks. A scalar is a number, or the name of one of the whole problem, with * for its conjugate.

    Pivots are numbers of rows of the whole matrix. What is reported of a block counts from its own first row.
    """

    op: Operation
    blocks: tuple[Block, ...]
    letters: Mapping[str, Letter]
    scalars: tuple[str | complex, ...]

    def __str__(self) -> str:
        scalars = (
            f"{x} = {y.real:g}" if isinstance(y, complex) else f"{x} = {y}"
            for x, y in zip(self.op.scalars, self.scalars, strict=True)
        )
        return " ".join([self.op.name, *self.letters.values(), *map(str, self.blocks), *scalars])


def problems(
    op: Operation, sizes: Mapping[str, int], letters: Mapping[str, Letter], most: int, whole: Collection[str] = ()
) -> Iterator[Problem]:
    """What ``op`` comes to, in its order: problems of an order up to ``most``, products of any size, and operations
    that are to stay ``whole``."""
    blocks = []
    for x in op.matrices:
        rows, cols = (evaluate(side, op.extents(sizes, letters)) for side in stored(x, letters))
        blocks.append(Block(x.name, 0, 0, rows, cols))
    yield from _divided(Problem(op, tuple(blocks), letters, op.scalars), most, whole)


def cut(order: int) -> int:
    """Where a side is cut: the largest power of two below its length."""
    return 1 << (order - 1).bit_length() - 1


def _divided(whole: Problem, most: int, kept: Collection[str]) -> Iterator[Problem]:
    op, letters = whole.op, whole.letters
    if op.name in kept:
        yield whole
        return
    steps: tuple[Step, ...] = ()
    rule, at = RULES.get(op.name), 0
    if rule:
        order = evaluate(rule.order, op.extents(_sizes(whole), letters))
        at = cut(order) if order > most else 0
    if at or not rule:
        steps = steps_of(op, letters)
    if not steps:
        yield whole
    for step in steps:
        yield from _divided(_step(step, whole, at), most, kept)


def steps_of(op: Operation, letters: Mapping[str, Letter]) -> tuple[Step, ...]:
    """What an operation comes to where it is divided, or is made of others; none where it is done at once. Operands are
    names of :func:`places`."""
    rule = RULES.get(op.name)
    return picked(rule.steps, letters) if rule else op.steps_for(letters) or _halves(op)


def divides(op: Operation, letters: Mapping[str, Letter]) -> bool:
    """Whether some of what it comes to has a rule that C follows, and C does all else at once."""
    if rule := RULES.get(op.name):
        return not rule.listed
    parts = [(OPS[x.op], letters_of(x, letters)) for x in steps_of(op, letters)]
    known = all(x.name in {*RULES, *AT_ONCE} or divides(x, given) for x, given in parts)
    return known and any(divides(*part) for part in parts)


def letters_of(step: Step, letters: Mapping[str, Letter]) -> dict[str, Letter]:
    """All letters of a step where those of the whole are ``letters``."""
    given = step.letters(letters)
    return {name: letter(name, given.get(name, default_flag(name))) for name in OPS[step.op].flags}


def _halves(op: Operation) -> tuple[Step, ...]:
    """What an operation with a body of its own does, one after the other."""
    rows = (OPS[name] for name in op.halves)
    return tuple(
        Step(x.name, tuple(y.name for y in x.matrices), tuple((z, same(z)) for z in x.flags if z in op.flags))
        for x in rows
    )


def _step(step: Step, whole: Problem, at: int) -> Problem:
    op, known = OPS[step.op], places(whole.op, whole.letters)
    values = dict(zip(whole.op.scalars, whole.scalars, strict=True))
    scalars = dict(step.scalars)
    return Problem(
        op,
        tuple(_block(known[name], whole, at) for name in step.operands),
        letters_of(step, whole.letters),
        tuple(_scalar(scalars.get(name, DEFAULT_SCALARS[name]), values) for name in op.scalars),
    )


def _block(place: Place, whole: Problem, at: int) -> Block:
    block = next(y for x, y in zip(whole.op.matrices, whole.blocks, strict=True) if x.name == place.name)
    (row, rows), (col, cols) = _span(place.down, block.rows, at), _span(place.across, block.cols, at)
    return Block(block.name, block.row + row, block.col + col, rows, cols)


def _span(part: Part, length: int, at: int) -> tuple[int, int]:
    """Begin and length of a part of a side."""
    return {Part.ALL: (0, length), Part.BEFORE: (0, at), Part.BEHIND: (at, length - at)}[part]


def _scalar(value: str | complex, values: Mapping[str, str | complex]) -> str | complex:
    if not isinstance(value, str):
        return complex(value)
    found = values[value.removesuffix("*")]
    if value.endswith("*"):
        return _conjugate(found)
    return found


def _conjugate(value: str | complex) -> str | complex:
    if not isinstance(value, str):
        return complex(value).conjugate()
    return value.removesuffix("*") if value.endswith("*") else f"{value}*"


def _sizes(problem: Problem) -> dict[str, int]:
    """The sizes of a problem, read off its blocks."""
    return sizes_of(problem.op, problem.letters, [(block.rows, block.cols) for block in problem.blocks])


def sizes_of(op: Operation, letters: Mapping[str, Letter], sides: Iterable[tuple[T, T]]) -> dict[str, T]:
    """The sizes of an operation on operands that are stored with these rows and columns."""
    found = {}
    for x, both in zip(op.matrices, sides, strict=True):
        for side, length in zip(stored(x, letters), both, strict=True):
            if is_name(name := op.size_name(side, letters)):
                found[name] = length
    return found


def stored(x: Operand, letters: Mapping[str, Letter]) -> tuple[str, str]:
    """The sides of an operand as it is stored."""
    turned = x.flag is not None and letters[x.flag].transposes  # type: ignore[union-attr]
    return (x.cols, x.rows) if turned else (x.rows, x.cols)


def places(op: Operation, letters: Mapping[str, Letter]) -> dict[str, Place]:
    """The blocks that the steps of an operation may name."""
    rule = RULES.get(op.name)
    if not rule:
        return {x.name: Place(x.name) for x in op.matrices}
    cuts = {op.size_name(name, letters) for name in rule.cut}
    turned = sum(str(letters[name]) in those for name, those in rule.turns) % 2 == 1
    first, second = (Part.BEHIND, Part.BEFORE) if turned else (Part.BEFORE, Part.BEHIND)
    parts = {"a": Part.ALL, "f": first, "s": second}
    found = {}
    for x in op.matrices:
        sides = [parts if op.size_name(side, letters) in cuts else {"": Part.ALL} for side in stored(x, letters)]
        for (down, rows), (across, cols) in product(*(side.items() for side in sides)):
            found[f"{x.name}.{down}{across}".removesuffix(".")] = Place(x.name, rows, cols)
        if x.triangle:
            below = (letters["uplo"] is Uplo.L) != turned
            found[f"{x.name}.o"] = found[f"{x.name}.{'sf' if below else 'fs'}"]
    return found


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
