"""From what users hand over to C arguments: pointers, scalars, threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from reprlib import repr as short
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arguments import as_int
from ..arrays.host import Array, Operand
from ..ir.operation import Operation
from ..ir.terms import FLOAT, Layout
from ..toolchain.machine import POOLED
from .each import is_each
from .state import RUNTIME

if TYPE_CHECKING:
    from cffi import FFI

MAX_THREADS = 1024  # an OpenMP that cannot start as many as it is asked for ends the process


def thread_argument(num_threads: Any) -> int:
    """The C argument for a user's ``num_threads``: 0 leaves it to the kernel.

    Where there is no thread pool, children of a fork use one thread: GNU OpenMP would wait for threads that did not
    survive it.
    """
    alone = RUNTIME.forked and not POOLED
    if num_threads is None:
        return 1 if alone else 0
    value = as_int(num_threads)
    if value is None:
        raise TypeError(f"num_threads = {num_threads!r}: expected None or an int")
    if not 1 <= value <= MAX_THREADS:
        raise ValueError(f"num_threads = {num_threads!r}: expected None or an int from 1 to {MAX_THREADS}")
    return 1 if alone else value


@cache
def ffi() -> FFI:
    from cffi import FFI  # here: importing bblas_gen must stay fast

    return FFI()


def address(array: Array) -> Any:
    """A C pointer to the first element of ``array``, which must outlive it."""
    if array.flags.c_contiguous and array.size:
        return ffi().from_buffer(array)
    return ffi().cast("void *", array.ctypes.data)


@cache
def at_address() -> Callable[[int], Any]:
    """What makes a C pointer of a number."""
    return partial(ffi().cast, ffi().typeof("void *"))


def pointer(operand: Operand) -> tuple[Any, Any]:
    """The C argument for an operand's data, and what must be kept alive while it is in use."""
    if operand.form.layout is not Layout.PP:
        return address(operand.arrays[0]), operand.arrays
    table = table_of(operand)
    return ffi().from_buffer(table), (table, operand.arrays, operand.pointers)


def table_of(operand: Operand) -> Array:
    """The address of each matrix of a list."""
    found = operand.pointers
    return found.addresses if found else np.array([array.ctypes.data for array in operand.arrays], dtype=np.uintp)


def table_on_gpu(operand: Operand) -> bool:
    """Whether that table is on a GPU, where only kernels read it."""
    return operand.pointers is not None and operand.pointers.table is not None


def scalar(name: str, value: Any, dtype: np.dtype[Any], *, real: bool = False) -> Any:
    """The C argument for a user's ``alpha`` or ``beta`` of a call on operands of ``dtype``; ``real``: it is real even
    where they are complex."""
    is_complex = dtype.kind == "c" and not real
    if type(value) is float and not is_complex and (1e-30 < abs(value) < 1e30 or value == 0):
        return value  # in every precision
    try:
        number = _number(name, value, dtype, is_complex)
        if number != number:
            raise ValueError(f"{name} = {value!r} is not a number (NaN): expected one")
        single = dtype.char in "fF"  # a double holds all numbers of Python
        if isinstance(number, float):
            return FLOAT.nonzero(number) if single else number
        if single:
            number = complex(FLOAT.nonzero(number.real), FLOAT.nonzero(number.imag))
        return ffi().new("float[2]" if single else "double[2]", (number.real, number.imag))
    except OverflowError:
        raise OverflowError(f"{name} = {short(value)} is too large: the operands are {dtype}") from None


def _number(name: str, value: Any, dtype: np.dtype[Any], is_complex: bool) -> Any:
    try:
        if isinstance(value, (str, bytes)) or (isinstance(value, np.complexfloating) and not is_complex):
            raise TypeError
        return complex(value) if is_complex else float(value)
    except (TypeError, ValueError):  # of an array of PyTorch with several elements a ValueError
        expected = "a number" if is_complex else "a real number"
        raise TypeError(f"{name} = {value!r}: expected {expected}, as the operands are {dtype}") from None


def scalar_arguments(op: Operation, scalars: Mapping[str, Any], like: Any) -> list[Any]:
    """The C arguments for a user's scalars, by their names, in table order, for operands such as ``like``; None for one
    of which each matrix has its own."""
    dtype = like[0].dtype if isinstance(like, (list, tuple)) else like.dtype
    return [
        None if is_each(scalars[name], float) else scalar(name, scalars[name], dtype, real=own in op.real_scalars)
        for own, name in zip(op.scalars, op.user_scalars, strict=True)
    ]
