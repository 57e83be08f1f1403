"""From a public function to a call: results in place or in ``out``, vectors as matrices of one column, reports."""

from __future__ import annotations

from collections.abc import Mapping
from reprlib import repr as short
from typing import Any

import numpy as np

from ..arrays.host import describe
from ..ir.catalog import OPS
from ..ir.operation import Operand, Operation
from ..ir.sizes import evaluate
from ..ir.spec import letter
from ..ir.terms import BY_DTYPE, Kind, Layout, Role
from .call import bind, execute, user_names
from .failures import RAISE, FailurePolicy
from .interleaved import Interleaved
from .marshal import scalar_arguments, thread_argument
from .shapes import no_batch, resolve_sizes
from .state import RUNTIME

NO_FLAGS: Mapping[str, Any] = {}
NO_SCALARS: Mapping[str, Any] = {}


def invoke(
    op: Operation,
    operands: Mapping[str, Any],
    flags: Mapping[str, Any] = NO_FLAGS,
    scalars: Mapping[str, Any] = NO_SCALARS,
    num_threads: Any = None,
    *,
    out: Any = None,
    check: str = "raise",
    return_info: bool = False,
    fresh: bool = False,
) -> Any:
    """Run ``op`` on operands, flags and scalars by their names in the table; returns its results, and info where asked.

    ``out`` is to have the first result, and the operand that would else be overwritten keeps its values. ``fresh``:
    the output was made for this call.
    """
    policy = RAISE if check == "raise" and not return_info else FailurePolicy(check, return_info)
    names = None
    operands, result = with_indices(op, operands, flags), op.returns[0]
    if out is not None and out is not operands[result]:
        # first all that can be refused, so that it leaves ``out`` alone
        given, names = operands[result], {result: "out"}
        lacpy, users = OPS["lacpy"], {"A": user_names(op)[result], "B": "out"}
        copy = bind(lacpy, {"A": given, "B": out}, {"transa": "N"}, users)
        operands = {**operands, result: out}
        scalar_arguments(op, scalars, next(iter(operands.values())))
        threads = thread_argument(num_threads)
        bind(op, operands, flags, names)
        copy.bound((), threads)()
    info = execute(op, operands, flags, scalars, num_threads, names=names, fresh=fresh)
    if info is not None:
        policy.report_failures(op, info, operands, flags)
    return policy.result(op, operands, info)


def with_indices(op: Operation, operands: Mapping[str, Any], flags: Mapping[str, Any]) -> Mapping[str, Any]:
    """The operands, with new ones for outputs of indices that are None."""
    missing = [name for name, value in operands.items() if value is None]
    if not missing:
        return operands
    given = {name: value for name, value in operands.items() if value is not None}
    letters = {flag: letter(flag, flags[flag]) for flag in op.flags}
    made = [x for x in op.outputs if x.name in missing and x.role is Role.OUT and x.kind is Kind.INDEX]
    return {**operands, **{x.name: new_output(op, given, x, letters) for x in made}}


def new_output(
    op: Operation,
    given: Mapping[str, Any],
    output: Operand,
    flags: Mapping[str, Any] = NO_FLAGS,
    *,
    strided: bool = False,
) -> Any:
    """A new ``output`` for operands ``given`` by their names in the table, of the kind of the first batch of them, or
    ``strided``."""
    if not given:
        raise TypeError(f"{op.name} needs operands: none given")
    users = user_names(op)
    named = {x: (users[x], describe(users[x], value, op.operand(x).kind)) for x, value in given.items()}
    sizes, batch = resolve_sizes(op, named, flags, complete=False)
    if batch is None:
        raise ValueError(f"{no_batch(named)}: expected a batch, such as {next(iter(named.values()))[0]}[None]")
    extents = op.extents(sizes, flags)
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


def new_result(op: Operation, given: Mapping[str, Any], flags: Mapping[str, Any], scale: Mapping[str, Any]) -> Any:
    """A new first result of ``op`` where the user gave none; ``scale``: the scalar that such a result is scaled by."""
    for name, value in scale.items():
        if value != 0:
            user = user_names(op)[op.returns[0]]
            raise ValueError(f"{name} = {short(value)} without {user}: expected 0, or the {user} that it scales")
    shapes = [(x.dtype, x.shape) if type(x) is np.ndarray else None for x in given.values()]
    key = (op, *given, *flags, *flags.values(), *shapes)
    results = RUNTIME.results
    try:
        known = None if None in shapes else results[key]
    except TypeError:  # a letter that is none, which is refused below
        known = None
    if known is not None:
        return np.empty(*known)
    letters = {flag: letter(flag, flags[flag]) for flag in op.flags}
    new = new_output(op, given, op.operand(op.returns[0]), letters)
    if None not in shapes:
        results.keep(key, (new.shape, new.dtype))
    return new


def result_scale(op: Operation, scalars: Mapping[str, Any]) -> dict[str, Any]:
    """The scalar that the first result of ``op`` is scaled by, where there is one."""
    scale = op.operand(op.returns[0]).scaled_by
    return {scale: scalars[scale]} if scale else {}


def reduce(op: Operation, operands: Mapping[str, Any], num_threads: Any = None) -> Any:
    """Run ``op``, which makes one number of each matrix or pair of them: a new array (batch,)."""
    result = op.parameters[-1]
    return invoke(
        op, {**operands, result.name: new_output(op, operands, result, strided=True)}, num_threads=num_threads
    )[:, 0, 0]


def vector(name: str, x: Any) -> Any:
    """A batch of vectors as matrices of one column: an array (batch, n), a list of 1-D arrays, one 1-D array for all,
    or an Interleaved of shape (batch, n, 1)."""
    if isinstance(x, np.ndarray):
        if x.ndim not in (1, 2):
            raise ValueError(f"{name} has shape {x.shape}: expected vectors, an array (batch, n)")
        return x[..., None]
    return [vector(f"{name}[{i}]", item) for i, item in enumerate(x)] if isinstance(x, (list, tuple)) else x
