"""What all operations but GEMM share: results in place or in ``out``, vectors as matrices of one column, reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..arrays.host import describe
from ..ir.catalog import OPS
from ..ir.operation import Operand, Operation
from ..ir.sizes import evaluate
from ..ir.spec import letter
from ..ir.terms import BY_DTYPE, Kind, Layout, Role
from .call import bind, execute
from .failures import check_check, judge
from .interleaved import Interleaved
from .marshal import numbers_of, threads
from .shapes import agreed


def names_of(row: Operation) -> tuple[str, ...]:
    """The names of the operands as users write them: small letters, but in their own sequences."""
    return tuple(x.name if row.composed else x.name.lower() for x in row.parameters)


def perform(
    row: Operation,
    values: Sequence[Any],
    letters: tuple[Any, ...] = (),
    scalars: Sequence[Any] = (),
    num_threads: Any = None,
    *,
    out: Any = None,
    check: str = "raise",
    return_info: bool = False,
) -> Any:
    """Run ``row``; returns its result, or ``out`` where that is to have the first operand of it, and info where asked.
    Outputs of indices that are None are made."""
    check_check(check)
    names, values = names_of(row), with_indices(row, values, letters)
    place = results(row)[0]
    if out is not None and out is not values[place]:
        # first all that can be refused, so that it leaves ``out`` alone
        copy = bind(OPS["lacpy"], (names[place], "out"), (values[place], out), ("N",))
        names = (*names[:place], "out", *names[place + 1 :])
        values = (*values[:place], out, *values[place + 1 :])
        numbers_of(row, scalars, values[0])
        team = threads(num_threads)
        bind(row, names, values, letters)
        copy.frozen((), team)()
    info = execute(row, names, values, letters, scalars, num_threads)
    found = tuple(values[place] for place in results(row))
    if info is not None:
        judge(row, info, values, letters, "ignore" if return_info and check == "raise" else check)
        found += (info,) * return_info
    return found if len(found) > 1 else found[0]


def results(row: Operation) -> tuple[int, ...]:
    """Where the operands that are the result stand among all."""
    names = [x.name for x in row.parameters]
    return tuple(names.index(name) for name in row.returns)


def with_indices(row: Operation, values: Sequence[Any], letters: Sequence[Any]) -> tuple[Any, ...]:
    """The operands, with new ones for outputs of indices that are None."""
    if not any(value is None for value in values):
        return tuple(values)
    flags = {name: letter(name, value) for name, value in zip(row.flags, letters, strict=True)}
    given = {x.name: value for x, value in zip(row.parameters, values, strict=True) if value is not None}
    return tuple(
        allocated(row, given, x, flags) if value is None and x.role is Role.OUT and x.kind is Kind.INDEX else value
        for x, value in zip(row.parameters, values, strict=True)
    )


def allocated(
    row: Operation, given: Mapping[str, Any], output: Operand, flags: Mapping[str, Any], *, strided: bool = False
) -> Any:
    """A new ``output`` for operands ``given`` by their names in the table, of the kind of the first batch of them, or
    ``strided``."""
    if not given:
        raise TypeError(f"{row.name} needs operands: none given")
    users = dict(zip((x.name for x in row.parameters), names_of(row), strict=True))
    kinds = {x.name: x.kind for x in row.parameters}
    named = {name: (users[name], describe(users[name], value, kinds[name])) for name, value in given.items()}
    sizes, batch = agreed(row, named, flags, complete=False)
    if batch is None:
        single = " and ".join(name for name, _ in named.values())
        raise ValueError(f"{single} are single matrices: expected a batch, such as a[None]")
    extents = row.extents(sizes, flags)
    shape = (batch, evaluate(output.rows, extents), evaluate(output.cols, extents))
    batches = ((value, named[name][1]) for name, value in given.items() if named[name][1].batch is not None)
    like, operand = next(pair for pair in batches if pair[1].dtype.name in BY_DTYPE)
    dtype = BY_DTYPE[operand.dtype.name].dtype_of(output.kind)
    if isinstance(like, Interleaved) and not strided:
        return Interleaved.empty(shape, dtype, nb="full" if like.layout is Layout.IL else like.nb)
    if output.kind is Kind.INDEX:
        return np.empty(shape[:2], dtype)
    new = np.empty(shape, dtype)
    return list(new) if isinstance(like, (list, tuple)) and not strided else new


def vector(name: str, x: Any) -> Any:
    """A batch of vectors as matrices of one column: an array (batch, n), a list of 1-D arrays, one 1-D array for all,
    or an Interleaved of shape (batch, n, 1)."""
    if isinstance(x, np.ndarray):
        if x.ndim not in (1, 2):
            raise ValueError(f"{name} has shape {x.shape}: expected vectors, an array (batch, n)")
        return x[..., None]
    return [vector(f"{name}[{i}]", item) for i, item in enumerate(x)] if isinstance(x, (list, tuple)) else x
