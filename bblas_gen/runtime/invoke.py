"""What all operations but GEMM share: results in place or in ``out``, vectors as matrices of one column, reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..arrays.host import describe
from ..ir.catalog import OPS
from ..ir.operation import Operand, Operation
from ..ir.sizes import evaluate
from ..ir.terms import Layout
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
    """Run ``row``; returns its last operand, or ``out`` where that is to have the result, and info where asked."""
    check_check(check)
    names = names_of(row)
    if out is not None and out is not values[-1]:
        # first all that can be refused, so that it leaves ``out`` alone
        copy = bind(OPS["lacpy"], (names[-1], "out"), (values[-1], out), ("N",))
        names, values = (*names[:-1], "out"), (*values[:-1], out)
        numbers_of(row, scalars, values[0])
        team = threads(num_threads)
        bind(row, names, values, letters)
        copy.frozen((), team)()
    info = execute(row, names, values, letters, scalars, num_threads)
    if info is None:
        return values[-1]
    judge(row, info, values, letters, "ignore" if return_info and check == "raise" else check)
    return (values[-1], info) if return_info else values[-1]


def allocated(
    row: Operation, given: Mapping[str, Any], output: Operand, flags: Mapping[str, Any], *, strided: bool = False
) -> Any:
    """A new ``output`` for operands ``given`` by their names in the table, of the kind of the first batch of them, or
    ``strided``."""
    if not given:
        raise TypeError(f"{row.name} needs operands: none given")
    users = dict(zip((x.name for x in row.parameters), names_of(row), strict=True))
    named = {name: (users[name], describe(users[name], value)) for name, value in given.items()}
    sizes, batch = agreed(row, named, flags, complete=False)
    if batch is None:
        single = " and ".join(name for name, _ in named.values())
        raise ValueError(f"{single} are single matrices: expected a batch, such as a[None]")
    extents = row.extents(sizes, flags)
    shape = (batch, evaluate(output.rows, extents), evaluate(output.cols, extents))
    like, operand = next((value, named[name][1]) for name, value in given.items() if named[name][1].batch is not None)
    if isinstance(like, Interleaved) and not strided:
        return Interleaved.empty(shape, operand.dtype, nb="full" if like.layout is Layout.IL else like.nb)
    new = np.empty(shape, operand.dtype)
    return list(new) if isinstance(like, (list, tuple)) and not strided else new


def vector(name: str, x: Any) -> Any:
    """A batch of vectors as matrices of one column: an array (batch, n), a list of 1-D arrays, one 1-D array for all,
    or an Interleaved of shape (batch, n, 1)."""
    if isinstance(x, np.ndarray):
        if x.ndim not in (1, 2):
            raise ValueError(f"{name} has shape {x.shape}: expected vectors, an array (batch, n)")
        return x[..., None]
    return [vector(f"{name}[{i}]", item) for i, item in enumerate(x)] if isinstance(x, (list, tuple)) else x
