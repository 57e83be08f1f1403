"""What all operations but GEMM share: results in place or in ``out``, vectors as matrices of one column, reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .arrays import Array, describe
from .call import agreed, execute
from .interleaved import Interleaved
from .operation import Operand, Operation
from .ops import OPS
from .terms import Layout

CHECKS = ("raise", "nan", "ignore")
TOLD = 5
"""Failing matrices that an error names."""


def names_of(row: Operation) -> tuple[str, ...]:
    """The names of the operands as users write them: small letters, but in their own sequences."""
    return tuple(x.name.lower() if row.name in OPS else x.name for x in row.parameters)


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
    if out is not None:
        values = (*values[:-1], copied(values[-1], out, num_threads))
    info = execute(row, names_of(row), values, letters, scalars, num_threads)
    if info is None:
        return values[-1]
    outputs = [value for x, value in zip(row.parameters, values, strict=True) if x in row.outputs]
    judge(row.name, info, outputs, "ignore" if return_info and check == "raise" else check)
    return (values[-1], info) if return_info else values[-1]


def allocated(row: Operation, given: Mapping[str, Any], output: Operand, flags: Mapping[str, Any]) -> Any:
    """A new ``output`` for operands ``given`` by their names in the table, of the kind of the first batch of them."""
    users = dict(zip((x.name for x in row.parameters), names_of(row), strict=True))
    named = {name: (users[name], describe(users[name], value)) for name, value in given.items()}
    sizes, batch = agreed(row, named, flags, complete=False)
    if batch is None:
        raise ValueError(
            f"{' and '.join(name for name, _ in named.values())} are single matrices: expected a batch, such as a[None]"
        )
    extents = row.extents(sizes, flags)
    shape = (batch, extents[output.rows], extents[output.cols])
    like, operand = next((value, named[name][1]) for name, value in given.items() if named[name][1].batch is not None)
    if isinstance(like, Interleaved):
        return Interleaved.empty(shape, operand.dtype, nb="full" if like.layout is Layout.IL else like.nb)
    new = np.empty(shape, operand.dtype)
    return list(new) if isinstance(like, (list, tuple)) else new


def copied(source: Any, out: Any, num_threads: Any) -> Any:
    """``out``, now with what ``source`` holds."""
    execute(OPS["lacpy"], ("a", "out"), (source, out), ("N",), (), num_threads)
    return out


def check_check(check: str) -> None:
    if check not in CHECKS:
        raise ValueError(f"check = {check!r}: expected one of {', '.join(map(repr, CHECKS))}")


def judge(name: str, info: Array, outputs: Sequence[Any], check: str) -> None:
    """What ``check`` wants done about matrices that failed; the others are finished."""
    if check == "ignore" or not info.any():
        return
    failed = np.flatnonzero(info)
    if check == "nan":
        for output in outputs:
            for i in map(int, failed):
                if isinstance(output, Interleaved):
                    output[i] = np.nan
                else:
                    output[i][...] = np.nan
        return
    told = ", ".join(f"{i} (info = {info[i]})" for i in failed[:TOLD]) + (", ..." if len(failed) > TOLD else "")
    reason = "are singular" if name in ("trtri", "potri") else "are not positive definite"
    raise np.linalg.LinAlgError(f"{name}: {len(failed)} of {len(info)} matrices {reason}: {told}")


def vector(name: str, x: Any) -> Any:
    """A batch of vectors as matrices of one column: an array (batch, n), a list of 1-D arrays, one 1-D array for all,
    or an Interleaved of shape (batch, n, 1)."""
    if isinstance(x, np.ndarray):
        if x.ndim not in (1, 2):
            raise ValueError(f"{name} has shape {x.shape}: expected vectors, an array (batch, n)")
        return x[..., None]
    return [vector(f"{name}[{i}]", item) for i, item in enumerate(x)] if isinstance(x, (list, tuple)) else x
