"""From what a user gave to a call, or, of a variable batch, the calls that it comes to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..arrays.groups import agreed_ends
from ..arrays.host import describe
from ..ir.operation import Operation
from ..ir.spec import letter
from ..ir.terms import Letter
from .call import Call, user_names
from .calls import Calls
from .each import Each, each, is_each
from .marshal import scalar
from .outputs import check_scale, may_be_left_out
from .shapes import Named
from .unlike import NewOperand, unlike
from .variable import Grouping, Variable, all_alike


class Alike(NamedTuple):
    """The operands of a call whose matrices are alike, and its flags."""

    named: Named
    flags: Mapping[str, Letter]


class Unlike(NamedTuple):
    """A variable batch, the scalars of which each of its matrices has one, and operands that were made."""

    variable: Variable
    scalars: Mapping[str, Each]
    made: Mapping[str, Any]


def bind(
    op: Operation,
    operands: Mapping[str, Any],
    flags: Mapping[str, Any],
    scalars: Mapping[str, Any],
    names: Mapping[str, str] | None = None,
) -> Call | Calls:
    """The call of ``op`` on what a user gave. ``names``: the user's names of operands, where they are not the usual.
    Operands that are None are made, of a variable batch; of others none is."""
    found = looked_at(op, operands, flags, scalars, names)
    return Call.prepare(op, *found) if isinstance(found, Alike) else Calls.prepare(op, *found)


def looked_at(
    op: Operation,
    operands: Mapping[str, Any],
    flags: Mapping[str, Any],
    scalars: Mapping[str, Any],
    names: Mapping[str, str] | None = None,
    make: Callable[[str, NewOperand], Any] = lambda _, new: new.on_host(),
) -> Alike | Unlike:
    """What a user gave, each operand looked at. ``make``: what makes an operand, of its name in the table."""
    letters = {flag: letters_of(flag, flags[flag]) for flag in op.flags}
    known = {**user_names(op), **(names or {})}
    missing = [x for x in op.parameters if operands[x.name] is None and may_be_left_out(op, x)]
    given = [x for x in op.parameters if x not in missing]
    named = {x.name: (known[x.name], describe(known[x.name], operands[x.name], x.kind)) for x in given}
    fixed, own = all_alike(named), each_scalar(op, next(iter(named.values()))[1].dtype, scalars)
    if fixed is not None and not own and not any(isinstance(x, Each) for x in letters.values()):
        return Alike(fixed, letters)  # type: ignore[arg-type]
    ends, by_group = agreed_ends(named), letters
    if ends is not None:
        counts = np.diff(ends)
        own = {x: y.of_groups(counts) for x, y in own.items()}
        letters = {x: y.of_groups(counts) if isinstance(y, Each) else y for x, y in letters.items()}
    variable, made = Variable.of(op, named, letters, own, None if ends is None else Grouping(ends, by_group)), {}
    for x in missing:
        check_scale(op, x.name, scalars)
        made[x.name] = make(x.name, unlike(op, variable, x))
        variable = variable.joined(x.name, known[x.name], describe(known[x.name], made[x.name], x.kind))
    return Unlike(variable, own, made)


def letters_of(flag: str, value: Any) -> Letter | Each:
    """The letter that a user's flag means, or those of each matrix."""
    if not is_each(value, str):
        return letter(flag, value)
    return each(flag, value, partial(_letter, flag))


def _letter(flag: str, name: str, value: Any) -> Letter:
    return letter(flag, value, name)


def each_scalar(op: Operation, dtype: Any, scalars: Mapping[str, Any]) -> dict[str, Each]:
    """The scalars of which each matrix has one, as C arguments, by their names in C; ``dtype``: of the operands."""
    found = {}
    for own, name in zip(op.scalars, op.user_scalars, strict=True):
        if is_each(scalars[name], float):
            found[own] = each(name, scalars[name], partial(_number, dtype, own in op.real_scalars))
    return found


def _number(dtype: Any, real: bool, name: str, value: Any) -> Any:
    return scalar(name, value, dtype, real=real)
