"""Operands that a caller left out: new ones, of the kind of those that were given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from reprlib import repr as short
from typing import Any

import numpy as np

from ..arguments import check_flag
from ..arrays.fresh import empty
from ..arrays.host import Array, describe
from ..arrays.host import Operand as Given
from ..arrays.pointers import Pointers
from ..ir.operation import Operand, Operation
from ..ir.sizes import evaluate
from ..ir.spec import letter
from ..ir.targets import SCRATCH
from ..ir.terms import BY_DTYPE, Kind, Role
from ..ir.variants import FILLS, RESULT, original, variant
from .call import user_names
from .each import is_each
from .shapes import Named, no_batch, resolve_sizes
from .variable import all_alike

Recipe = Callable[[int], Any]
"""Makes a new operand for a batch of a size; knows no operand of the call that it was first made for."""


def varied(
    op: Operation,
    operands: Mapping[str, Any],
    out: Any = None,
    *,
    overwrite: bool = True,
    fills: bool = False,
    refines: bool = False,
) -> tuple[Operation, Mapping[str, Any]]:
    """The variant of ``op`` that a user asks for, and its operands. ``out`` may be what is overwritten."""
    if not (type(overwrite) is type(fills) is type(refines) is bool):
        overwrite, fills, refines = _checked(op, overwrite=overwrite, fills=fills, refines=refines)
    keeps = not overwrite or (out is not None and out is not operands[op.returns[0]])
    row = variant(op, keeps=keeps, fills=fills, refines=refines)
    assert row is not None
    if row.intermediates:
        if given := next((x for x in row.intermediates if operands.get(x) is not None), None):
            why = f"{op.name} leaves no factors where it keeps operands"
            raise ValueError(f"{user_names(op)[given]} is given: expected None, as {why}")
        if any(is_large(_bytes(x), refines=refines) for x in operands.values()):
            row = variant(op, keeps=keeps, fills=fills, refines=refines, large=True)
            assert row is not None
    return row, {x.name: out if x.name == RESULT else operands.get(x.name) for x in row.parameters}


def is_large(size: int, *, refines: bool = False) -> bool:
    """Whether a matrix of so many bytes takes the variant for large ones; one that refines has two intermediates."""
    return size * (1 + refines) > SCRATCH // 2


def _checked(op: Operation, **given: Any) -> list[bool]:
    """What is on or off as it is, where it is NumPy's."""
    for name, value in ((name, given[x]) for name, x in varying(op).items() if x in given):
        check_flag(name, value)
    return [bool(x) for x in given.values()]


def _bytes(value: Any) -> int:
    """Bytes of one matrix."""
    one = value[0] if isinstance(value, (list, tuple)) and len(value) else value
    rows, cols = getattr(one, "shape", (0, 0))[-2:] if getattr(one, "ndim", 0) > 1 else (0, 0)
    return int(rows * cols * one.dtype.itemsize) if rows else 0


def varying(op: Operation) -> dict[str, str]:
    """The arguments by which users ask for variants, and what :func:`varied` calls them."""
    kept = {"out": "out", "overwrite": "overwrite"} if variant(op, keeps=True) else {}
    filled = {FILLS[op.other_triangle].argument: "fills"} if op.other_triangle else {}
    return kept | filled | ({"refine": "refines"} if op.halves else {})


def with_made(
    op: Operation,
    operands: Mapping[str, Any],
    flags: Mapping[str, Any],
    scalars: Mapping[str, Any],
    names: Mapping[str, str] | None = None,
) -> tuple[Mapping[str, Any], dict[str, Recipe]]:
    """The operands, with new ones for those that are None and may be, and how each of these was made; none where the
    matrices of the batch are not alike."""
    missing = [op.operand(name) for name, value in operands.items() if value is None]
    if not missing or any(not may_be_left_out(op, x) for x in missing):
        return operands, {}  # one that may not be left out is refused with all others
    if any(is_each(flags[x], str) for x in op.flags) or any(is_each(scalars[x], float) for x in op.user_scalars):
        return operands, {}  # nor is the batch one of matrices that are alike
    for x in missing:
        check_scale(op, x.name, scalars)
    given = {name: value for name, value in operands.items() if value is not None}
    letters = {flag: letter(flag, flags[flag]) for flag in op.flags}
    found = {x.name: recipe(op, given, x, letters, names) for x in missing}
    recipes = {name: pair[0] for name, pair in found.items() if pair}
    made = {name: pair[0](pair[1]) for name, pair in found.items() if pair}
    return {**operands, **made}, recipes


def may_be_left_out(op: Operation, x: Operand) -> bool:
    """Whether it is made where a user does not give it."""
    result = x is op.parameters[-1] or x.name in op.returns
    if x.role is Role.OUT and (x.kind is Kind.INDEX or result or not op.composed):
        return True
    return op.optional_result and x.name == op.returns[0]


def check_scale(op: Operation, name: str, scalars: Mapping[str, Any]) -> None:
    """Refuse to scale an operand that nobody gave."""
    scale = op.operand(name).scaled_by
    if scale and np.any(scalars[scale] if is_each(scalars[scale], float) else scalars[scale] != 0):
        user = user_names(op)[name]
        raise ValueError(f"{scale} = {short(scalars[scale])} without {user}: expected 0, or the {user} that it scales")


def recipe(
    op: Operation,
    given: Mapping[str, Any],
    output: Operand,
    flags: Mapping[str, Any],
    names: Mapping[str, str] | None = None,
) -> tuple[Recipe, int] | None:
    """What makes ``output`` for operands ``given`` by their names in the table, and their batch size; None where these
    are not alike. It is of the kind of the first batch of them; a number of each matrix is an array."""
    if not given:
        raise TypeError(f"{op.spoken_name} needs operands: none given")
    users = {**user_names(op), **(names or {})}
    named = {x: (users[x], describe(users[x], value, op.operand(x).kind)) for x, value in given.items()}
    fixed = all_alike(named)
    return None if fixed is None else _recipe(op, given, fixed, output, flags)


def _recipe(
    op: Operation, given: Mapping[str, Any], named: Named, output: Operand, flags: Mapping[str, Any]
) -> tuple[Recipe, int]:
    sizes, batch = resolve_sizes(op, named, flags, complete=False)
    if batch is None:
        raise ValueError(f"{no_batch(named)}: expected a batch, such as {next(iter(named.values()))[0]}[None]")
    extents = op.extents(sizes, flags)
    shape = evaluate(output.rows, extents), evaluate(output.cols, extents)
    like, operand = _model(op, output, given, {x: found for x, (_, found) in named.items()})
    dtype = np.dtype(BY_DTYPE[operand.dtype.name].dtype_of(output.kind))
    if hasattr(like, "recipe") and not op.reduces:
        return like.recipe(*shape, dtype, half=output.half, zero=output.triangle), batch
    if output.kind is Kind.INDEX:
        return partial(_array, shape[:1], dtype), batch
    copies = original(op, output.name) is not None
    listed = isinstance(like, (list, tuple)) or (isinstance(like, Pointers) and (copies or like.listed))
    by_columns = copies and operand.form.column_major and not operand.form.transposed().column_major
    more = {"by_columns": by_columns, "zero": output.triangle}
    listed = listed and not op.reduces
    if not listed and not by_columns and not output.triangle:
        return partial(_plain, shape, dtype), batch
    return partial(_list if listed else _array, shape, dtype, **more), batch


def _model(op: Operation, output: Operand, given: Mapping[str, Any], found: Mapping[str, Given]) -> tuple[Any, Given]:
    """What a new operand is to be like: what it begins as a copy of, or the first batch."""
    names = [original(op, output.name) or "", *given]
    batches = (x for x in names if x in given and found[x].batch is not None)
    name = next(x for x in batches if found[x].dtype.name in BY_DTYPE)
    return given[name], found[name]


def _plain(shape: tuple[int, ...], dtype: np.dtype[Any], batch: int) -> Array:
    return empty((batch, *shape), dtype)


def _array(
    shape: tuple[int, ...], dtype: np.dtype[Any], batch: int, *, by_columns: bool = False, zero: bool = False
) -> Array:
    """``by_columns``: each matrix by columns. ``zero``: what is not written is zero."""
    made: Array = (np.zeros if zero else empty)((batch, *(shape[::-1] if by_columns else shape)), dtype)
    return made.swapaxes(1, 2) if by_columns else made


def _list(shape: tuple[int, ...], dtype: np.dtype[Any], batch: int, **more: bool) -> list[Array]:
    return list(_array(shape, dtype, batch, **more))
