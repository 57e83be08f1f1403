"""Operands that a caller left out: new ones, of the kind of those that were given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from reprlib import repr as short
from typing import Any

import numpy as np

from ..arrays.host import Array, describe
from ..ir.operation import Operand, Operation
from ..ir.sizes import evaluate
from ..ir.spec import letter
from ..ir.terms import BY_DTYPE, Kind, Role
from .call import user_names
from .shapes import no_batch, resolve_sizes

Recipe = Callable[[int], Any]
"""Makes a new operand for a batch of a size; knows no operand of the call that it was first made for."""


def with_made(
    op: Operation, operands: Mapping[str, Any], flags: Mapping[str, Any], scalars: Mapping[str, Any]
) -> tuple[Mapping[str, Any], dict[str, Recipe]]:
    """The operands, with new ones for those that are None and may be, and how each of these was made."""
    missing = [name for name, value in operands.items() if value is None]
    if not missing or any(not _may_be_left_out(op, op.operand(name)) for name in missing):
        return operands, {}  # one that may not be left out is refused with all others
    for name in missing:
        check_scale(op, name, scalars)
    given = {name: value for name, value in operands.items() if value is not None}
    letters = {flag: letter(flag, flags[flag]) for flag in op.flags}
    found = {name: recipe(op, given, op.operand(name), letters) for name in missing}
    made = {name: make(batch) for name, (make, batch) in found.items()}
    return {**operands, **made}, {name: make for name, (make, _) in found.items()}


def _may_be_left_out(op: Operation, x: Operand) -> bool:
    if x.role is Role.OUT and (x.kind is Kind.INDEX or x is op.parameters[-1]):
        return True
    return op.optional_result and x.name == op.returns[0]


def check_scale(op: Operation, name: str, scalars: Mapping[str, Any]) -> None:
    """Refuse to scale an operand that nobody gave."""
    scale = op.operand(name).scaled_by
    if scale and scalars[scale] != 0:
        user = user_names(op)[name]
        raise ValueError(f"{scale} = {short(scalars[scale])} without {user}: expected 0, or the {user} that it scales")


def recipe(op: Operation, given: Mapping[str, Any], output: Operand, flags: Mapping[str, Any]) -> tuple[Recipe, int]:
    """What makes ``output`` for operands ``given`` by their names in the table, and their batch size. It is of the kind
    of the first batch of them; a number of each matrix is an array."""
    if not given:
        raise TypeError(f"{op.name} needs operands: none given")
    users = user_names(op)
    named = {x: (users[x], describe(users[x], value, op.operand(x).kind)) for x, value in given.items()}
    sizes, batch = resolve_sizes(op, named, flags, complete=False)
    if batch is None:
        raise ValueError(f"{no_batch(named)}: expected a batch, such as {next(iter(named.values()))[0]}[None]")
    extents = op.extents(sizes, flags)
    shape = evaluate(output.rows, extents), evaluate(output.cols, extents)
    batches = ((value, named[name][1]) for name, value in given.items() if named[name][1].batch is not None)
    like, operand = next(pair for pair in batches if pair[1].dtype.name in BY_DTYPE)
    dtype = np.dtype(BY_DTYPE[operand.dtype.name].dtype_of(output.kind))
    if hasattr(like, "recipe") and not op.reduces:
        return like.recipe(*shape, dtype), batch
    if output.kind is Kind.INDEX:
        return partial(_array, shape[:1], dtype), batch
    listed = isinstance(like, (list, tuple)) and not op.reduces
    return partial(_list if listed else _array, shape, dtype), batch


def _array(shape: tuple[int, ...], dtype: np.dtype[Any], batch: int) -> Array:
    return np.empty((batch, *shape), dtype)


def _list(shape: tuple[int, ...], dtype: np.dtype[Any], batch: int) -> list[Array]:
    return list(_array(shape, dtype, batch))
