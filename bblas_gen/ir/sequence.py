"""Sequences of operations as rows of the table of operations."""

from __future__ import annotations

import re
from cmath import isfinite
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..errors import SpecError
from .catalog import OPS, USUAL_SCALARS
from .operation import Letters, Operand, Operation, RowStep, Sizes
from .spec import letter, operation, usual
from .terms import Letter, Role

_NAME = re.compile(r"(?!BB)[A-Z][A-Za-z0-9]{0,15}", re.ASCII)


_SCALAR = re.compile(r"[a-z][a-z0-9]{0,15}", re.ASCII)


_TAKEN = ("check", "out")


_SIZES = ("m", "n", "k", *(f"size{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"))


@dataclass(frozen=True)
class Step:
    """One operation of a sequence; make it with :func:`step`."""

    row: Operation
    operands: tuple[str, ...]
    flag: Mapping[str, Letter]
    scalars: tuple[str | complex, ...]

    def __repr__(self) -> str:
        """The call that makes it, without what is usual."""
        letters = [f"{n}={str(value)!r}" for n, value in self.flag.items() if value != usual(n)]
        numbers = [
            f"{name}={_as_given(value)!r}"
            for name, value in zip(self.row.scalars, self.scalars, strict=True)
            if value != USUAL_SCALARS[name]
        ]
        return f"step({', '.join([*map(repr, (self.row.name, *self.operands)), *letters, *numbers])})"


def step(op: str, *operands: str, **settings: Any) -> Step:
    """An operation on operands by name, in the order of its C signature: ``step("trsm", "L", "B", alpha=-1)``.

    ``settings``: its flags, and its scalars as numbers (alpha is 1 and beta 0 where left out) or as names, which then
    are arguments of the sequence. Raises SpecError for what the operation does not have.
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
    flag = {name: letter(name, settings.pop(name, usual(name))) for name in row.flags}
    scalars = tuple(_scalar(row, name, settings.pop(name, USUAL_SCALARS[name])) for name in row.scalars)
    if settings:
        known = ", ".join((*row.flags, *row.scalars)) or "none"
        raise SpecError(f"unknown argument {next(iter(settings))!r} for {op}: expected {known}")
    return Step(row, operands, flag, scalars)


def _scalar(row: Operation, name: str, value: Any) -> str | complex:
    if isinstance(value, str):
        if not _SCALAR.fullmatch(value) or value in _TAKEN:
            raise SpecError(f"{name} = {value!r} is not a name for an argument: expected small letters and digits")
        return value + "_"  # no other name in a kernel ends so
    try:
        number = complex(value)
    except TypeError:
        raise SpecError(f"{name} = {value!r}: expected a number, or the name of an argument") from None
    if not isfinite(number) or (number.imag and name in row.real_scalars):
        raise SpecError(f"{name} = {value!r}: expected a finite {'real ' * (name in row.real_scalars)}number")
    return number


def _as_given(value: str | complex) -> str | complex:
    if isinstance(value, str):
        return value.removesuffix("_")
    return value if value.imag else value.real


def _row(steps: tuple[Step, ...], name: str, scratch: tuple[str, ...]) -> Operation:
    if not steps or not all(isinstance(x, Step) for x in steps):
        raise SpecError(f"steps = {steps!r}: expected one or more of bblas_gen.step(...)")
    if not re.fullmatch("[a-z][a-z0-9]{0,30}", name, re.ASCII) or name in OPS:
        raise SpecError(f"name = {name!r}: expected small letters and digits, and no operation's name")
    sizes = _sizes(steps)
    uses = _uses(steps)
    unknown = [x for x in scratch if x not in uses]
    if unknown or len({x.lower() for x in uses}) < len(uses):
        raise SpecError(
            f"scratch names {unknown[0]}: no step has it" if unknown else f"names {', '.join(uses)} collide"
        )
    operands = [_operand(x, uses[x], sizes, x in scratch) for x in uses]
    last = steps[-1].row.outputs[-1].name
    result = steps[-1].operands[[x.name for x in steps[-1].row.parameters].index(last)]
    operands.sort(key=lambda x: x.name == result)  # the result last, as everywhere
    named = dict.fromkeys(x for one in steps for x in one.scalars if isinstance(x, str))
    order = dict.fromkeys(size for x in operands for size in (x.rows, x.cols) if size != "1")
    return Operation(
        name=name,
        formula="; ".join(f"{one.row.formula} [{', '.join(one.operands)}]" for one in steps),
        sizes=tuple(order),
        flags=(),
        scalars=tuple(named),
        operands=tuple(operands),
        flops=lambda s: sum(one.row.flops(_own(one, sizes, s)) for one in steps),
        steps=tuple(RowStep(one.row.name, one.operands, partial(_same, one.flag), one.scalars) for one in steps),
        real_scalars=tuple(
            name
            for one in steps
            for slot, name in zip(one.row.scalars, one.scalars, strict=True)
            if isinstance(name, str) and slot in one.row.real_scalars
        ),
        info=any(one.row.info for one in steps),
        source="a sequence composed by its user",
    )


def _slots(one: Step) -> Iterator[tuple[tuple[str, int], str]]:
    """Each side (0 rows, 1 columns) of the operands as they are stored, and the name of its size in the operation."""
    for x, name in zip(one.row.parameters, one.operands, strict=True):
        sides = (x.rows, x.cols)
        if x.flag and one.flag[x.flag].transposes:  # type: ignore[union-attr]
            sides = sides[::-1]
        for side, size in enumerate(sides):
            yield (name, side), one.row.size_name(size, one.flag)


def _sizes(steps: tuple[Step, ...]) -> dict[tuple[str, int], str]:
    """A name for the size of each side; sides that some step wants equal have one name."""
    found: dict[tuple[str, int], int | str] = {}
    for one in steps:
        together: dict[str, list[tuple[str, int]]] = {}
        for slot, size in _slots(one):
            together.setdefault(size, []).append(slot)
            found.setdefault(slot, len(found))
        for size, slots in together.items():
            merged = {found[slot] for slot in slots}
            target = "1" if size == "1" or "1" in merged else min(merged, key=str)
            found |= {slot: target for slot, group in found.items() if group in merged}
    groups = dict.fromkeys(group for group in found.values() if group != "1")
    names = {"1": "1", **dict(zip(groups, _SIZES, strict=False))}
    return {slot: names[group] for slot, group in found.items()}


def _own(one: Step, sizes: Mapping[tuple[str, int], str], values: Sizes) -> Sizes:
    """The sizes of a step by the names of its operation."""
    known = {size: values[sizes[slot]] for slot, size in _slots(one)}
    return one.row.extents({n: v for n, v in known.items() if n in one.row.sizes}, one.flag)


def _same(flag: Letters, _: Letters) -> Letters:
    return flag


@dataclass(frozen=True)
class _Use:
    """What a step does with an operand."""

    reads: bool
    writes: bool
    triangle: bool


def _uses(steps: tuple[Step, ...]) -> dict[str, list[_Use]]:
    found: dict[str, list[_Use]] = {}
    for one in steps:
        numbers = dict(zip(one.row.scalars, one.scalars, strict=True))
        for x, name in zip(one.row.parameters, one.operands, strict=True):
            unread = x.role is Role.OUT or (x.role is Role.INOUT and x.factor is not None and numbers[x.factor] == 0)
            found.setdefault(name, []).append(_Use(not unread, x.role is not Role.IN, x.triangle))
    return found


def _operand(name: str, uses: list[_Use], sizes: Mapping[tuple[str, int], str], scratch: bool) -> Operand:
    first, triangle = uses[0], all(use.triangle for use in uses)
    if scratch and (first.reads or (first.triangle and not triangle)):
        missing = "all of it is" if not first.reads else "it is"
        raise SpecError(f"scratch operand {name} is read before {missing} written")
    role = Role.SCRATCH if scratch else Role.INOUT if any(use.writes for use in uses) else Role.IN
    if role is Role.INOUT and not first.reads and not first.triangle:
        role = Role.OUT
    return Operand(name, sizes[name, 0], sizes[name, 1], role, triangle=triangle)
