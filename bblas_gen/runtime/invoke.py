"""From a public function to a call: results in place or in ``out``, vectors as matrices of one column, reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import Any, NoReturn

import numpy as np

from ..arrays.device import is_device_array, shape_of, with_axis
from ..arrays.host import of_another_kind
from ..arrays.pointers import Pointers
from ..arrays.ragged import Ragged
from ..ir.operation import Operation
from ..ir.terms import Kind
from .call import no_memory
from .failures import RAISE, FailurePolicy
from .outputs import varied
from .route import as_batch, prepare, prepare_one

NO_FLAGS: Mapping[str, Any] = {}
NO_SCALARS: Mapping[str, Any] = {}
EXPECTED_VECTOR = "expected a 1-D array"
EXPECTED_VECTORS = "expected vectors, an array (batch, n), or (n,) for one, a list of 1-D arrays, or an Interleaved"


def refuse(function: Callable[..., Any], unknown: Mapping[str, Any]) -> NoReturn:
    """TypeError for arguments that a public function does not have; the last of its own takes those."""
    code = function.__code__
    known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    raise TypeError(f"{code.co_name} has no argument {next(iter(unknown))!r}: expected {', '.join(known)}")


def invoke(
    op: Operation,
    operands: Mapping[str, Any],
    flags: Mapping[str, Any] = NO_FLAGS,
    scalars: Mapping[str, Any] = NO_SCALARS,
    num_threads: Any = None,
    *,
    out: Any = None,
    check: str | None = None,
    return_info: bool = False,
    overwrite: bool = True,
    fills: bool = False,
    refines: bool = False,
) -> Any:
    """Run ``op`` on operands, flags and scalars by their names in the table; returns its results, and info where asked.

    Operands that may be left out are None. Those that are all single matrices are one problem. Without ``overwrite``,
    or where ``out`` is to have the first result, all operands keep their values. ``fills``: the other triangle of the
    result is written too. ``refines``: the solution is refined.
    """
    alone = is_single(op, operands)
    if alone and not (out is None or _is_array(out)):
        given = {"num_threads": num_threads, "check": check, "return_info": return_info}
        given |= {"out": out, "overwrite": overwrite, "fills": fills, "refines": refines}
        return _single(op, operands, flags, scalars, **given)
    if not alone and (columns := one_side(op, operands)):
        given = {"num_threads": num_threads, "check": check, "return_info": return_info}
        given |= {"out": out, "overwrite": overwrite, "refines": refines}
        asked, places = as_columns(op, operands, columns, given)
        return vectors(invoke(op, columns, flags, scalars, **asked), *places)
    policy = RAISE if check is None and return_info is False else FailurePolicy(check, return_info)
    if out is not None or overwrite is not True or fills is not False or refines is not False:
        op, operands = varied(op, operands, out, overwrite=overwrite, fills=fills, refines=refines)
    run, arguments, operands, info, *kept = (prepare_one if alone else prepare)(
        op, operands, flags, scalars, num_threads
    )
    if info is not None and type(info) is not np.ndarray:
        policy.check_on_gpu(info)
    if run(*arguments):
        raise no_memory(op)
    if type(info) is np.ndarray:
        if np.count_nonzero(info):
            policy.report_failures(op, info, as_batch(operands) if alone else operands, flags)
    elif info is not None:
        if behind := policy.filled(op, kept[-1], flags):
            behind()
        policy.report_on_gpu(op, info, as_batch(operands) if alone else operands, flags)
        info = info.array
    if policy is RAISE and len(op.returns) == 1:
        return operands[op.returns[0]]
    return policy.result(op, operands, info[0] if alone and info is not None else info)


def is_single(op: Operation, operands: Mapping[str, Any]) -> bool:
    """Whether all operands are single matrices, arrays without an axis for the batch."""
    found = False
    for x in op.parameters:
        if (value := operands.get(x.name)) is not None:
            axes = value.ndim if hasattr(value, "ndim") else len(shape_of(value))
            if axes != (1 if x.kind is Kind.INDEX else 2) or not _is_array(value):
                return False
            found = True
    return found


def one_side(op: Operation, operands: Mapping[str, Any]) -> dict[str, Any] | None:
    """The operands of one problem whose right-hand side is a vector, with that as a column; None for all others."""
    b = operands.get(op.right_hand_side) if op.right_hand_side else None
    if not _is_vector(b):
        return None
    columns = {**operands, op.right_hand_side: _column(b)}
    return columns if is_single(op, columns) else None


def as_columns(
    op: Operation, operands: Mapping[str, Any], columns: Mapping[str, Any], named: Mapping[str, Any]
) -> tuple[Mapping[str, Any], tuple[Any, Any]]:
    """What is asked by name of one problem whose right-hand side is a vector, with that as a column in ``columns``; and
    the vectors in which its solution may be, the first that is not None."""
    b, out = operands[op.right_hand_side], named.get("out")
    places = out, b if named.get("overwrite", True) else None
    if not _is_vector(out):
        return named, places
    return {**named, "out": columns[op.right_hand_side] if out is b else _column(out)}, places


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) or is_device_array(value)


def _is_vector(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.ndim == 1
    return value is not None and is_device_array(value) and len(shape_of(value)) == 1


def _column(x: Any) -> Any:
    return x[:, None] if isinstance(x, np.ndarray) else with_axis(x, last=True)


def _single(
    op: Operation, operands: Mapping[str, Any], flags: Mapping[str, Any], scalars: Mapping[str, Any], **named: Any
) -> Any:
    """One problem whose ``out`` is a batch of one; the other results are those operands that are overwritten, or new
    matrices."""
    out = named["out"]
    found = invoke(op, as_batch(operands), flags, scalars, **named)
    several = isinstance(found, tuple)
    places = [operands[x] if named["overwrite"] else None for x in op.returns]
    places[0] = out
    pairs = zip_longest(places, found if several else [found])
    results = [batch[0] if place is None else place for place, batch in pairs]
    return tuple(results) if several else results[0]


def reduce(op: Operation, operands: Mapping[str, Any], num_threads: Any = None, *, real: bool = False) -> Any:
    """Run ``op``, which makes one number of each matrix or pair of them: a new array (batch,), or one for each group.
    ``real``: its real part is all that there is."""
    found = invoke(op, {**operands, op.returns[0]: None}, num_threads=num_threads)
    numbers = [x[..., 0, 0].real if real else x[..., 0, 0] for x in (found if isinstance(found, list) else [found])]
    return numbers if isinstance(found, list) else numbers[0][()]


def vector(name: str, x: Any, expected: str = EXPECTED_VECTORS) -> Any:
    """A batch of vectors as matrices of one column: an array (batch, n), a list of 1-D arrays, one 1-D array for all,
    or an Interleaved of shape (batch, n, 1)."""
    if isinstance(x, np.ndarray):
        if x.ndim not in (1, 2):
            raise ValueError(f"{name} has shape {x.shape}: {expected}")
        return x[..., None]
    if isinstance(x, Ragged):
        return x.columns()
    if is_device_array(x):
        return with_axis(x, last=True) if len(shape_of(x)) < 3 else x
    if not isinstance(x, (list, tuple)):
        if not (x is None or isinstance(x, Pointers) or hasattr(x, "as_operand") or hasattr(x, "head")):
            raise of_another_kind(name, x, expected)
        return x
    found = Pointers.of(x, ndim=1) or Ragged.of(x, ndim=1)
    # an error about one of them is to name it
    return (
        found
        if found and found.writeable
        else [vector(f"{name}[{i}]", item, EXPECTED_VECTOR) for i, item in enumerate(x)]
    )


def vectors(found: Any, *given: Any) -> Any:
    """A result as vectors: what a user gave for it, the first that is not None, or else matrices of one column as
    :func:`vector` takes them; behind it may be what was reported."""
    if isinstance(found, tuple):
        return vectors(found[0], *given), *found[1:]
    if (own := next((x for x in given if x is not None), None)) is not None:
        return own
    if isinstance(found, np.ndarray) or is_device_array(found):
        return found[..., 0]
    if isinstance(found, Ragged):
        return found.vectors()
    return [vectors(x) for x in found] if isinstance(found, list) else found
