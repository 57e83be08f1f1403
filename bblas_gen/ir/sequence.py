"""Sequences of operations as rows of the table of operations."""

from __future__ import annotations

import re
from cmath import isfinite
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from reprlib import repr as short
from typing import Any

from ..errors import SpecError
from .catalog import OPS
from .operation import DEFAULT_SCALARS, INFO, Operand, Operation, Step
from .sizes import is_name, renamed
from .spec import default_flag, letter, operation
from .terms import Kind, Letter, Role

_NAME = re.compile(r"(?!BB)(?!INFO$)[A-Z][A-Za-z0-9]{0,15}", re.ASCII)
_SCALAR = re.compile(r"[a-z][a-z0-9]{0,15}", re.ASCII)
_TAKEN = ("check", "out")
_SIZES = ("m", "n", "k", *(f"size{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"))


def step(op: str, *operands: str, **settings: Any) -> Step:
    """An operation on operands by name: a step of a sequence.

    ``step("lacpy", "A", "B")`` copies: to preserve A, or to bring in a constant.

    Parameters
    ----------
    op : str
        An operation of ``bblas-gen list``.
    *operands : str
        What it works on, in the order of its C signature: capital letters, then letters and digits.
    **settings : letter, number or str
        Its flags, and its scalars as numbers (alpha is 1 and beta 0 where left out) or as names, which then are
        arguments of the sequence.

    Returns
    -------
    step : Step
        For :func:`bblas_gen.sequence`.

    Raises
    ------
    SpecError
        For what the operation does not have, or operands of which it would write one that it reads.

    Examples
    --------
    >>> bb.step("trsm", "L", "B", alpha="weight", transa="T")
    step('trsm', 'L', 'B', transa='T', alpha='weight')
    """
    row = operation(op)
    if len(operands) != len(row.parameters):
        names = ", ".join(x.name for x in row.parameters)
        raise SpecError(f"{op} on {operands!r}: expected {len(row.parameters)} operands ({names})")
    for name in operands:
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise SpecError(f"operand {name!r} is not a name: expected a capital letter, then letters and digits")
    written = [name for x, name in zip(row.parameters, operands, strict=True) if x in row.outputs]
    if twice := next((name for name in written if operands.count(name) > 1), None):
        raise SpecError(f"{op} on {operands!r} writes {twice}, which it reads: expected another operand")
    flags = {name: letter(name, settings.pop(name, default_flag(name))) for name in row.flags}
    scalars = {name: _scalar(row, name, settings.pop(name, DEFAULT_SCALARS[name])) for name in row.scalars}
    if settings:
        known = ", ".join((*row.flags, *row.scalars)) or "none"
        raise SpecError(f"unknown argument {next(iter(settings))!r} for {op}: expected {known}")
    return Step(
        op,
        operands,
        tuple((name, str(value)) for name, value in flags.items() if value != default_flag(name)),
        tuple((name, value) for name, value in scalars.items() if value != DEFAULT_SCALARS[name]),
    )


def _scalar(row: Operation, name: str, value: Any) -> str | complex:
    if isinstance(value, str):
        if not _SCALAR.fullmatch(value) or value in _TAKEN:
            raise SpecError(f"{name} = {value!r} is not a name for an argument: expected small letters and digits")
        return value + "_"  # no other name in a kernel ends so
    try:
        number = complex(value)
    except TypeError:
        raise SpecError(f"{name} = {value!r}: expected a number, or the name of an argument") from None
    except OverflowError:
        number = complex("inf")
    if not isfinite(number) or (number.imag and name in row.real_scalars):
        raise SpecError(f"{name} = {short(value)}: expected a finite {'real ' * (name in row.real_scalars)}number")
    return number


@dataclass(frozen=True)
class _Bound:
    """A step with its row and all its flags and scalars."""

    row: Operation
    operands: tuple[str, ...]
    flag: Mapping[str, Letter]
    scalars: Mapping[str, str | complex]

    @classmethod
    def of(cls, one: Step) -> _Bound:
        row, given, numbers = OPS[one.op], one.letters({}), dict(one.scalars)
        flag = {name: letter(name, given.get(name, default_flag(name))) for name in row.flags}
        return cls(row, one.operands, flag, {name: numbers.get(name, DEFAULT_SCALARS[name]) for name in row.scalars})


def sequence_row(given: Sequence[Step], name: str, scratch: Iterable[str]) -> Operation:
    """The row of a sequence. Raises SpecError for what cannot be one."""
    scratch = tuple(scratch) if isinstance(scratch, Iterable) else (scratch,)
    if not all(isinstance(x, str) for x in scratch):
        raise SpecError(f"scratch = {scratch!r}: expected names of operands")
    if not given or not all(isinstance(x, Step) for x in given):
        raise SpecError(f"steps = {tuple(given)!r}: expected one or more of bblas_gen.step(...)")
    if not isinstance(name, str) or not re.fullmatch("[a-z][a-z0-9]{0,30}", name, re.ASCII) or name in OPS:
        raise SpecError(f"name = {name!r}: expected small letters and digits, and no operation's name")
    steps = tuple(map(_Bound.of, given))
    sizes = _sizes(steps)
    uses = _uses(steps)
    unknown = [x for x in scratch if x not in uses]
    if unknown or len({x.lower() for x in uses}) < len(uses):
        known = ", ".join(uses)
        wrong = f"scratch names {unknown[0]!r}: expected operands of the steps, {known}" if unknown else ""
        raise SpecError(wrong or f"names {known} collide")
    operands = [_operand(x, uses[x], sizes, x in scratch) for x in uses]
    result = _result(steps[-1], scratch)
    if result in scratch:
        raise SpecError(f"scratch names {result}, the result of the sequence: expected intermediates")
    operands.sort(key=lambda x: x.name == result)  # the result last, as everywhere
    order = dict.fromkeys(size for x in operands for size in (x.rows, x.cols) if is_name(size))
    reasons = {one.row.fails for one in steps if one.row.info}
    return Operation(
        name=name,
        formula="; ".join(f"{one.row.formula} [{', '.join(one.operands)}]" for one in steps),
        sizes=tuple(order),
        scalars=tuple(dict.fromkeys(x for one in steps for x in one.scalars.values() if isinstance(x, str))),
        operands=(*operands, INFO) if reasons else tuple(operands),
        flops=" + ".join(f"({_flops(one, sizes)})" for one in steps),
        steps=tuple(given),
        real_scalars=tuple(
            value
            for one in steps
            for slot, value in one.scalars.items()
            if isinstance(value, str) and slot in one.row.real_scalars
        ),
        fails=reasons.pop() if len(reasons) == 1 else "cannot be done" if reasons else "",
        source="a sequence composed by its user",
        composed=True,
    )


def _result(last: _Bound, scratch: Collection[str]) -> str:
    """What the last step returns, which is the result of the sequence; an intermediate only where all of it is."""
    if not last.row.returns:
        raise SpecError(f"the last step is {last.row.name}, which only reports: expected one that writes a result")
    stands = dict(zip((x.name for x in last.row.parameters), last.operands, strict=True))
    names = [stands[name] for name in last.row.returns]
    return next((name for name in names if name not in scratch), names[0])


def _slots(one: _Bound) -> Iterator[tuple[tuple[str, int], str]]:
    """Each side (0 rows, 1 columns) of the operands as they are stored, and the name of its size in the operation."""
    for x, name in zip(one.row.parameters, one.operands, strict=True):
        sides = (x.rows, x.cols)
        if x.flag and one.flag[x.flag].transposes:  # type: ignore[union-attr]
            sides = sides[::-1]
        for side, size in enumerate(sides):
            yield (name, side), one.row.size_name(size, one.flag)


def _sizes(steps: tuple[_Bound, ...]) -> dict[tuple[str, int], str]:
    """A name for the size of each side; sides that some step wants equal have one name."""
    found: dict[tuple[str, int], int | str] = {}
    expressions: dict[tuple[str, int], tuple[_Bound, str]] = {}
    for one in steps:
        together: dict[str, list[tuple[str, int]]] = {}
        for slot, size in _slots(one):
            if not (is_name(size) or size == "1"):
                expressions[slot] = (one, size)
                continue
            together.setdefault(size, []).append(slot)
            found.setdefault(slot, len(found))
        for size, slots in together.items():
            merged = {found[slot] for slot in slots}
            target = "1" if size == "1" or "1" in merged else min(merged, key=str)
            found |= {slot: target for slot, group in found.items() if group in merged}
    groups = dict.fromkeys(group for group in found.values() if group != "1")
    names = {"1": "1", **dict(zip(groups, _SIZES, strict=False))}
    known = {slot: names[group] for slot, group in found.items()}
    for slot, (one, text) in expressions.items():
        known.setdefault(slot, renamed(text, {size: known[at] for at, size in _slots(one) if at in known}))
    return known


def _flops(one: _Bound, sizes: Mapping[tuple[str, int], str]) -> str:
    """The operation count of a step in the sizes of the sequence."""
    names = {size: sizes[slot] for slot, size in _slots(one)}
    return renamed(one.row.flops, names | {name: names[rule.pick(one.flag)] for name, rule in one.row.derived})


@dataclass(frozen=True)
class _Use:
    """What a step does with an operand: the parts of it that it reads and writes (see Operand.parts)."""

    reads: frozenset[str]
    writes: frozenset[str]
    triangle: bool
    kind: Kind


def _uses(steps: tuple[_Bound, ...]) -> dict[str, list[_Use]]:
    found: dict[str, list[_Use]] = {}
    for one in steps:
        for x, name in zip(one.row.parameters, one.operands, strict=True):
            unread = x.role is Role.OUT or (
                x.role is Role.INOUT and x.scaled_by is not None and one.scalars[x.scaled_by] == 0
            )
            parts, none = x.parts(one.flag), frozenset[str]()
            use = _Use(none if unread else parts, none if x.role is Role.IN else parts, x.triangle, x.kind)
            found.setdefault(name, []).append(use)
    return found


def _operand(name: str, uses: list[_Use], sizes: Mapping[tuple[str, int], str], scratch: bool) -> Operand:
    first, triangle = uses[0], all(use.triangle for use in uses)
    if len({use.kind for use in uses}) > 1:
        raise SpecError(f"operand {name} is a {' and a '.join(sorted({use.kind for use in uses}))}: expected one kind")
    if scratch:
        _check_written(name, uses)
    role = Role.SCRATCH if scratch else Role.INOUT if any(use.writes for use in uses) else Role.IN
    if role is Role.INOUT and not first.reads and not first.triangle:
        role = Role.OUT
    return Operand(name, sizes[name, 0], sizes[name, 1], role, triangle=triangle, kind=first.kind)


_PARTS = {"L": "lower triangle", "D": "diagonal", "U": "upper triangle"}


def _check_written(name: str, uses: list[_Use]) -> None:
    """Refuse an intermediate of which a step reads what none before it has written: that memory holds anything."""
    written: frozenset[str] = frozenset()
    for use in uses:
        if missing := use.reads - written:
            what = " and ".join(f"its {text}" for part, text in _PARTS.items() if part in missing) if written else "it"
            raise SpecError(f"scratch operand {name} is read before {what} is written")
        written |= use.writes
