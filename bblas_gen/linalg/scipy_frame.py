"""The frame of functions with SciPy's arguments and results, whose loop over matrices is in kernels.

A call for which there is no kernel, or about which anything is unusual, is SciPy's, which also says what is wrong with
it. SciPy is imported for these alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial, wraps
from importlib import import_module
from inspect import Parameter, Signature, signature
from math import prod
from typing import Any

import numpy as np

from ..arrays.host import Array
from ..runtime.marshal import thread_argument
from ..schedule.hand_over import LARGEST, is_worth_it
from . import kernels
from .asked import ALWAYS, ASKED, OF_SCIPY, Asked, asking, precision, wants_all, with_others
from .stacks import Stacks, check_readable, native

Computed = tuple[Any, Array]
"""A result with the leading axes of a stack, and what each of its matrices reported."""
PRECISIONS = tuple(map(np.dtype, "dfDF"))
THEIRS: dict[str, Callable[..., Any]] = {}
"""SciPy's functions that have been called so far, by their names; not those that are put in their place."""


def theirs(name: str) -> Callable[..., Any]:
    """SciPy's own function."""
    if name not in THEIRS:
        THEIRS[name] = getattr(import_module("scipy.linalg"), name)
    return THEIRS[name]


def by_scipy(name: str, *operands: Any, **named: Any) -> Any:
    """What SciPy's own function returns. Several results of stacks are a list there; here a tuple, as of one matrix."""
    found = theirs(name)(*operands, **named)
    return tuple(found) if type(found) is list else found


class Unusual(Exception):
    """A call that is SciPy's to do, or to refuse."""


class Failed(Exception):
    """A call with a matrix that failed, about which SciPy has something to say."""


AtOnce = Callable[[Array, int | None], Array]
"""What a batch of square matrices becomes, with a number of threads; none can fail."""


def like_scipy(
    kind: str, at_once: AtOnce | None = None
) -> Callable[[Callable[..., Computed | None]], Callable[..., Any]]:
    """Functions of ours that take what SciPy's take, and ``check``, ``return_info``, ``num_threads`` and ``dtype``, the
    precision of operands and results; where they return None SciPy's is called. ``kind``: of the rule that hands over.
    ``at_once`` does a batch of which nothing is to be converted, where nothing else is given.
    """
    return partial(_like_scipy, kind, at_once)


def _like_scipy(kind: str, at_once: AtOnce | None, compute: Callable[..., Computed | None]) -> Callable[..., Any]:
    name = compute.__name__

    @wraps(compute)
    def call(
        *operands: Any,
        check: str | None = None,
        return_info: bool = False,
        num_threads: int | None = None,
        dtype: Any = None,
        **named: Any,
    ) -> Any:
        wants_more = check is not None or return_info is not False or dtype is not None
        if not (wants_more or ALWAYS) and _are_few(kind, (*operands, *named.values()) if named else operands):
            thread_argument(num_threads)
            check_readable(compute, operands, named)
            return by_scipy(name, *operands, **named)
        if at_once and not (wants_more or named) and _is_plain(operands):
            thread_argument(num_threads)
            x = kernels.attempt(at_once, *operands, num_threads)
            return by_scipy(name, *operands) if x is None else _contiguous(x)
        try:
            with asking(check, return_info, num_threads, dtype) as asked:
                # SciPy does not do what is asked beside: where a kernel is missing, that is the error
                found = (compute if wants_more else partial(kernels.attempt, compute))(*operands, **named)
        except Unusual:
            found = None
        except Failed:
            found, wants_more = None, False
        if found is None:
            check_readable(compute, operands, named)
            if wants_more:
                takes = f"matrices of order {LARGEST} or less, and arguments that kernels know"
                raise ValueError(f"check, return_info and dtype of {name} are for {takes}")
            return by_scipy(name, *operands, **named)
        results = _contiguous(found[0])
        return (results, _reported(found[1], asked)) if return_info else results

    more = [x for x in signature(call, follow_wrapped=False).parameters.values() if x.kind is Parameter.KEYWORD_ONLY]
    known = signature(compute).parameters.values()
    call.__signature__ = Signature([*known, *more])  # type: ignore[attr-defined]
    call.__doc__ = with_others(compute.__doc__, OF_SCIPY, [x.name for x in (*known, *more)])
    call.is_like_scipy = True  # type: ignore[attr-defined]
    return call


def _is_plain(operands: Sequence[Any]) -> bool:
    """Whether they are one batch of square matrices that kernels take as it is."""
    a = operands[0] if len(operands) == 1 else None
    if type(a) is not np.ndarray or a.dtype not in PRECISIONS or not (a.flags.c_contiguous and a.flags.aligned):
        return False
    return a.ndim == 3 and a.shape[1] == a.shape[2] and 1 < a.shape[1] <= LARGEST and len(a) > 0


def _reported(info: Array, asked: Asked) -> Array:
    """What each matrix reported: by itself, or first to a function of NumPy's that was called."""
    for beneath in asked.reports or []:
        info = np.where(info != 0, info, beneath.reshape(info.shape))
    return info


def _contiguous(results: Any) -> Any:
    """As SciPy's of stacks are, also where kernels went along columns."""
    if type(results) is tuple:
        return tuple(map(_contiguous, results))
    return np.asarray(results, order="C") if type(results) is np.ndarray else results


def _are_few(kind: str, given: Iterable[Any]) -> bool:
    """Whether no argument is a stack that kernels are for: a look that costs little beside a single matrix."""
    for x in given:
        if type(x) is tuple and x:  # factors, and what belongs to them
            x = x[0]
        shape = getattr(x, "shape", None)
        if shape is None and type(x) is list:
            try:
                shape = np.shape(x)
            except ValueError:
                shape = None
        if shape and len(shape) > 2 and is_worth_it(kind, shape[-2], prod(shape[:-2])):
            return False
    return True


def as_stacks(operands: Sequence[Any], core: Sequence[int], *, finite: bool) -> Stacks:
    """Operands in one precision, as batches. ``core``: the axes of each, 0: 2 where it has as many, else 1."""
    arrays = [np.asarray(x) for x in operands]
    if any(type(x) is not np.ndarray and hasattr(x, "__array_function__") for x in operands):
        raise Unusual
    if any(x.dtype.kind not in "biufc" or not x.size or not x.ndim for x in arrays):
        raise Unusual
    if any(x.dtype.kind in "biu" and x.itemsize < 4 for x in arrays):  # for each function another precision
        raise Unusual
    axes = [c or min(x.ndim, 2) for x, c in zip(arrays, core, strict=True)]
    dtype = np.result_type(*arrays)
    if dtype.kind in "biu" or dtype.char not in "fdFD":
        dtype = np.dtype("f" if dtype == np.float16 else "d" if dtype.kind in "biu" else dtype)
    if dtype.char not in "fdFD":
        raise Unusual
    dtype = precision(dtype, ASKED.get().dtype)
    stacks = Stacks.of([native(x, dtype) for x in arrays], axes)
    if stacks is None or max(arrays[0].shape[-2:]) > LARGEST:
        raise Unusual
    if not stacks.shape and not wants_all():
        raise Unusual
    if finite and not all(np.isfinite(x).all() for x in arrays):
        raise Failed
    return stacks


def check_square(*matrices: Array) -> None:
    a = matrices[0]
    if a.shape[-1] != a.shape[-2] or any(x.shape[-2] != a.shape[-1] for x in matrices[1:]):
        raise Unusual


def report(results: Sequence[Array], info: Array) -> None:
    """What becomes of matrices that failed: SciPy has the last word where that is an error, or a warning."""
    if not np.count_nonzero(info):
        return
    if ASKED.get().raises:
        raise Failed
    if ASKED.get().check != "ignore":
        for x in results:
            x[info != 0] = np.nan
