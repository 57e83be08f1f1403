"""How one large problem is divided: the list of smaller problems that rules lead to.

A rule is applied until blocks are small. What is left are products of matrices, which do nearly all of the arithmetic,
and small problems along the diagonal. The list is plain data: no kernel, array or machine is in it, so all targets go
through the same one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from typing import TypeVar

from .catalog import OPS
from .operation import DEFAULT_SCALARS, Operand, Operation, Step, picked, same
from .rules import AT_ONCE, RULES
from .sizes import evaluate, is_name
from .spec import default_flag, letter
from .terms import Letter, Uplo

T = TypeVar("T")


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
