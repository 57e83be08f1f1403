"""The frame of functions with SciPy's arguments and results, whose loop over matrices is in kernels.

A call for which there is no kernel, or about which anything is unusual, is SciPy's, which also says what is wrong with
it. SciPy is imported for these alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from importlib import import_module
from inspect import Parameter, Signature, signature
from typing import Any

import numpy as np

from ..arrays.host import Array
from ..errors import JitDisabledError, NoCompilerError
from .asked import ASKED, Asked, asking, wants_all, wants_kernels
from .stacks import Stacks, native

Computed = tuple[Any, Array | None]
"""A result with the leading axes of a stack, and what each of its matrices reported."""
THEIRS: dict[str, Callable[..., Any]] = {}
"""SciPy's functions that have been called so far, by their names; not those that are put in their place."""


def theirs(name: str) -> Callable[..., Any]:
    """SciPy's own function."""
    if name not in THEIRS:
        THEIRS[name] = getattr(import_module("scipy.linalg"), name)
    return THEIRS[name]


class Unusual(Exception):
    """A call that is SciPy's to do, or to refuse."""


def like_scipy(compute: Callable[..., Computed | None]) -> Callable[..., Any]:
    """A function of ours that takes what SciPy's takes, and ``check``, ``return_info`` and ``num_threads``; where it
    returns None SciPy's is called."""
    name = compute.__name__

    @wraps(compute)
    def call(
        *operands: Any,
        check: str | None = None,
        return_info: bool = False,
        num_threads: int | None = None,
        **named: Any,
    ) -> Any:
        try:
            with asking(check, return_info, num_threads):
                found = compute(*operands, **named)
        except (NoCompilerError, JitDisabledError, Unusual):
            found = None
        if found is None:
            if check is not None or return_info:
                raise ValueError(f"check and return_info of {name} are for stacks of small matrices")
            return theirs(name)(*operands, **named)
        return found if return_info else found[0]

    more = [x for x in signature(call, follow_wrapped=False).parameters.values() if x.kind is Parameter.KEYWORD_ONLY]
    known = signature(compute).parameters.values()
    call.__signature__ = Signature([*known, *more])  # type: ignore[attr-defined]
    call.__module__ = "bblas_gen.linalg"
    call.is_like_scipy = True  # type: ignore[attr-defined]
    return call


def as_stacks(kind: str, operands: Sequence[Any], core: Sequence[int], *, finite: bool) -> Stacks:
    """Operands in one precision, as batches. ``core``: the axes of each, 0: 2 where it has as many, else 1."""
    arrays = [np.asarray(x) for x in operands]
    if any(type(x) is not np.ndarray and hasattr(x, "__array_function__") for x in operands):
        raise Unusual
    if any(x.dtype.kind not in "biufc" or not x.size for x in arrays):
        raise Unusual
    axes = [c or min(x.ndim, 2) for x, c in zip(arrays, core, strict=True)]
    dtype = np.result_type(*arrays)
    if dtype.kind in "biu" or dtype.char not in "fdFD":
        dtype = np.dtype("f" if dtype == np.float16 else "d" if dtype.kind in "biu" else dtype)
    if dtype.char not in "fdFD":
        raise Unusual
    stacks = Stacks.of([native(x, dtype) for x in arrays], axes)
    if stacks is None or not wants_kernels(kind, arrays[0].shape[-1], stacks.count):
        raise Unusual
    if not stacks.shape and not wants_all():
        raise Unusual
    if finite and not all(np.isfinite(x).all() for x in arrays):
        raise ValueError("array must not contain infs or NaNs")
    return stacks


def check_square(*matrices: Array) -> None:
    a = matrices[0]
    if a.shape[-1] != a.shape[-2] or any(x.shape[-2] != a.shape[-1] for x in matrices[1:]):
        raise Unusual


def report(results: Sequence[Array], info: Array, message: str, *, first: int = 1) -> None:
    """What becomes of matrices that failed. ``first``: the number that the message gives the first place."""
    asked: Asked = ASKED.get()
    if not np.count_nonzero(info):
        return
    if asked.raises:
        place = int(info[np.flatnonzero(info)[0]])
        raise np.linalg.LinAlgError(message.format(place - 1 + first))
    if asked.check != "ignore":
        for x in results:
            x[info != 0] = np.nan
