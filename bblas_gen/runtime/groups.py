"""Groups that are called one after another: lists of Interleaved batches, or of pointers.

Groups of arrays are one variable batch, as their matrices have addresses. These have storage that a kernel takes as a
whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..arrays.groups import check_count, check_item, is_group, is_stored_apart
from ..arrays.host import Array
from ..arrays.overlap import Pieces, Places, Where, check_overlap
from ..arrays.pointers import Pointers
from ..ir.operation import Operand, Operation
from ..ir.terms import Kind
from .bind import each_scalar, letters_of
from .each import Each, is_each

Lists = Mapping[str, Sequence[Any]]
Names = Mapping[str, str]


class Group(NamedTuple):
    """What one of them is called with, and the names of its operands."""

    operands: Mapping[str, Any]
    flags: Mapping[str, Any]
    scalars: Mapping[str, Any]
    names: Names


def groups(
    op: Operation,
    operands: Mapping[str, Any],
    flags: Mapping[str, Any],
    scalars: Mapping[str, Any],
    names: Names,
) -> list[Group]:
    """The groups of a call; none where no operand is such a list."""
    lists = {x.name: operands[x.name] for x in op.parameters if _is_list(x, operands[x.name])}
    first = next((x for x, items in lists.items() if is_stored_apart(items)), None)
    if first is None:
        return []
    count = len(lists[first])
    for x in op.parameters:
        _check(x, names[x.name], operands[x.name], names[first], count)
    _check_overlap(op, lists, names)
    letters = [letters_of(flag, flags[flag]) for flag in op.flags]
    for value in (*letters, *each_scalar(op, lists[first][0].dtype, scalars).values()):
        if isinstance(value, Each):
            value.of_groups(np.ones(count, np.int64))
    return [
        Group(
            {x: value[i] if x in lists else value for x, value in operands.items()},
            {x: value[i] if is_each(value, str) else value for x, value in flags.items()},
            {x: value[i] if is_each(value, float) else value for x, value in scalars.items()},
            {x: f"{name}[{i}]" if x in lists else name for x, name in names.items()},
        )
        for i in range(count)
    ]


def _is_list(x: Operand, value: Any) -> bool:
    return is_stored_apart(value) or is_group(value, ndim=2 if x.kind is Kind.INDEX else 3)


def _check(x: Operand, name: str, value: Any, first: str, count: int) -> None:
    """Refuse what is neither a list of ``count`` batches, of one kind and dtype, nor one matrix for all."""
    if value is None or (isinstance(value, np.ndarray) and value.ndim == (1 if x.kind is Kind.INDEX else 2)):
        return
    check_count(name, len(value) if _is_list(x, value) else None, first, count)
    for i, item in enumerate(value):
        check_item(f"{name}[{i}]", item, value[0], f"{name}[0]")


def _check_overlap(op: Operation, lists: Lists, names: Names) -> None:
    """Refuse outputs that a later group would read or write."""
    places = {x: _places(items) for x, items in lists.items()}
    for x in (x.name for x in op.outputs if x.name in places):
        check_overlap(names[x], places[x], {names[y]: where for y, where in places.items() if y != x})


def _places(items: Sequence[Any]) -> Where:
    """Where the elements of batches lie."""
    if isinstance(items[0], Pointers):
        return [x.places for x in items]
    arrays: list[Array] = [x if isinstance(x, np.ndarray) else x.data for x in items]
    if not all(x.flags.c_contiguous for x in arrays):
        return [Places.of(x) for x in arrays]
    pairs = [(x.__array_interface__["data"][0], x.nbytes) for x in arrays if x.size]
    begins, lengths = np.array(pairs, np.int64).reshape(-1, 2).T
    return [Pieces(begins, begins + lengths)]
