"""The functions of ``numpy.linalg``: NumPy's own, with our gufuncs beneath them.

Each is run with other globals than NumPy's, in which the module of gufuncs is ours. So arguments, promotion,
broadcasting, results, subclasses and errors are NumPy's to the letter, of the version that is there, and what is made
of others (``pinv``, ``tensorsolve``, ``matrix_power``) gains as they do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import Parameter, signature
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numpy.linalg import _linalg

from . import products
from .asked import IDLE, OF_NUMPY, asking, with_others
from .gufuncs import SINGLE, assert_finite, cores, namespace
from .stacks import check_readable

REFINED = ("solve", "tensorsolve")


def over(module: ModuleType, **replaced: Any) -> dict[str, Any]:
    """The globals of a module in which some are replaced, for all of its functions as well."""
    space = {**vars(module), **replaced}
    for name, found in vars(module).items():
        own = getattr(found, "__wrapped__", found)  # beneath what asks operands for functions of their own
        if isinstance(own, FunctionType) and own.__globals__ is vars(module) and name not in replaced:
            copy = FunctionType(own.__code__, space, own.__name__, own.__defaults__, own.__closure__)
            copy.__kwdefaults__, copy.__doc__ = own.__kwdefaults__, own.__doc__
            space[name] = copy
    return space


REPLACED = {
    "_umath_linalg": namespace(),
    "_core_matmul": products.matmul,
    "_core_vecdot": products.vecdot,
}
"""What NumPy's module of linear algebra stands on, by its names there, and what stands in for it."""
_UFUNCS = {"matvec": products.matvec, "vecmat": products.vecmat}
"""What NumPy has among its ufuncs."""
_ASKING = {"_assert_finite": assert_finite}
"""What counts for our functions alone, as NumPy's are asked nothing."""
OURS = over(_linalg, **{name: x for name, x in REPLACED.items() if hasattr(_linalg, name)}, **_UFUNCS, **_ASKING)


def has_its_own(x: Any) -> bool:
    """Whether an operand brings functions of its own, as arrays of other libraries do."""
    return getattr(type(x), "__array_function__", np.ndarray.__array_function__) is not np.ndarray.__array_function__


def check_plain(x: Any, plain: bool) -> None:
    """Nothing is asked that functions of an operand's own do not know."""
    if not plain:
        own = f"{type(x).__name__} has functions of its own"
        raise TypeError(f"check, return_info, dtype, driver and refine are for arrays of NumPy, and {own}")


AT_ONCE = {
    "solve": ("solve", ""),
    "inv": ("inv", ""),
    "det": ("det", ""),
    "slogdet": ("slogdet", "SlogdetResult"),
    "cholesky": ("cholesky_lo", ""),
    "eigh": ("eigh_lo", "EighResult"),
    "eigvalsh": ("eigvalsh_lo", ""),
}
"""Functions that are one gufunc where nothing is converted, by their first arguments alone, and what results are named
as. They go to the gufunc at once, past NumPy's Python."""


def at_once(name: str) -> Callable[[Sequence[Any], int | None], Any]:
    """What tries to do a function so; None where it goes the long way."""
    if name in products.PRODUCTS:
        return products.PRODUCTS[name].at_once
    if name not in AT_ONCE:
        return lambda operands, num_threads: None
    gufunc, result = AT_ONCE[name]
    own, named = next(row for row in SINGLE if row.name == gufunc), OURS.get(result)
    takes, theirs = len(cores(gufunc)[0]), getattr(np.linalg, name)

    def tried(operands: Sequence[Any], num_threads: int | None) -> Any:
        return own.at_once(operands, num_threads, named, theirs) if len(operands) == takes else None

    return tried


def function(name: str) -> Callable[..., Any]:
    """NumPy's function of a name over our gufuncs, with our arguments."""
    own = OURS[name]
    public = getattr(np.linalg, name, None) or getattr(np, name, own)
    short = at_once(name)

    @wraps(own)
    def call(
        *operands: Any,
        check: str | None = None,
        return_info: bool = False,
        num_threads: int | None = None,
        dtype: Any = None,
        **named: Any,
    ) -> Any:
        if not named and check is None and return_info is False and dtype is None:
            found = short(operands, num_threads)
            if found is not None:
                return found
        refine = name in REFINED and named.pop("refine", False)
        plain = check is None and return_info is False and dtype is None and refine is False
        for x in (*operands, *named.values()) if named else operands:
            if type(x) is not np.ndarray and has_its_own(x):
                check_plain(x, plain)
                return public(*operands, **named)
            if type(x) is not np.ndarray:
                check_readable(own, operands, named)
        if plain and num_threads is None:
            return own(*operands, **named)
        with asking(check, return_info, num_threads, dtype, refine) as asked:
            found = own(*operands, **named)
        return (found, asked.info()) if return_info else found

    more = _asked_of(call)
    if name in REFINED:
        more.append(Parameter("refine", Parameter.KEYWORD_ONLY, default=False))
    _signed(call, own, more)
    call.__doc__ = with_others(own.__doc__, OF_NUMPY, [x.name for x in more])
    return call


def without_kernels(name: str) -> Callable[..., Any]:
    """NumPy's function of a name, with the arguments that all functions here have."""
    own = getattr(np.linalg, name)

    @wraps(own)
    def call(
        *operands: Any,
        check: str | None = None,
        return_info: bool = False,
        num_threads: int | None = None,
        **named: Any,
    ) -> Any:
        check_readable(own, operands, named)
        with asking(check, return_info, num_threads) as asked:
            found = own(*operands, **named)
        return (found, asked.info()) if return_info else found

    _signed(call, own, _asked_of(call))
    call.__doc__ = with_others(own.__doc__, IDLE, IDLE)
    return call


def _asked_of(call: Callable[..., Any]) -> list[Parameter]:
    """What a function of ours takes beside operands."""
    listed = signature(call, follow_wrapped=False).parameters.values()
    return [x for x in listed if x.kind is Parameter.KEYWORD_ONLY]


def _signed(call: Any, own: Callable[..., Any], more: list[Parameter]) -> None:
    """NumPy's arguments and ours."""
    known = signature(own)
    parameters = sorted([*known.parameters.values(), *more], key=lambda x: x.kind)
    call.__signature__ = known.replace(parameters=parameters)
    call.__module__ = "bblas_gen.linalg"
