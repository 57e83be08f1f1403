"""One call of one operation: shapes agreed, kernel found, arguments in their places.

A Call is what depends on how the operands lie; the addresses and scalars of a particular call are filled in when it
is run. So the checks of a repeated call shrink to a dictionary look-up, and those of a Plan to nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array, Operand, check_overlap, check_writable
from .dispatch import Kernel, kernel
from .ops import OPS, Operation
from .route import find
from .terms import BY_DTYPE, Layout, Role, Trans

if TYPE_CHECKING:
    from cffi import FFI

Named = Mapping[str, tuple[str, Operand]]
"""Operands by their name in the table of operations: the user's name for it, and what it is."""

_forked = False


def _after_fork() -> None:
    """GNU OpenMP's threads do not survive a fork and it waits for them forever: children of a fork use one thread."""
    global _forked
    _forked = True


os.register_at_fork(after_in_child=_after_fork)


def threads(num_threads: Any) -> int:
    """The C argument for a user's ``num_threads``: 0 leaves it to OpenMP and the break-even size."""
    if num_threads is None:
        return 1 if _forked else 0
    try:
        value: int = num_threads.__index__()
    except AttributeError:
        raise TypeError(f"num_threads = {num_threads!r}: expected None or an int") from None
    if not 1 <= value <= 65536:
        raise ValueError(f"num_threads = {num_threads!r}: expected None or an int from 1 to 65536")
    return 1 if _forked else value


@cache
def ffi() -> FFI:
    from cffi import FFI  # here: importing bblas_gen must stay fast

    return FFI()


def address(array: Array) -> Any:
    """A C pointer to the first element of ``array``, which must outlive it."""
    if array.flags.c_contiguous and array.size:
        return ffi().from_buffer(array)
    return ffi().cast("void *", array.ctypes.data)


def pointer(operand: Operand) -> tuple[Any, Any]:
    """The C argument for an operand's data, and what must be kept alive while it is in use."""
    if operand.form.layout is not Layout.PP:
        return address(operand.arrays[0]), operand.arrays
    table = np.array([array.ctypes.data for array in operand.arrays], dtype=np.uintp)
    return ffi().from_buffer(table), (table, operand.arrays)


def scalar(name: str, value: Any, dtype: np.dtype[Any]) -> Any:
    """The C argument for a user's ``alpha`` or ``beta``."""
    try:
        number = complex(value) if dtype.kind == "c" else float(value)
    except (TypeError, ValueError, OverflowError):
        expected = "a number" if dtype.kind == "c" else "a real number"
        raise TypeError(f"{name} = {value!r}: expected {expected}, as the operands are {dtype}") from None
    if number != number:
        raise ValueError(f"{name} = {value!r} is not a number (NaN): expected one")
    if isinstance(number, float):
        return number
    return ffi().new("float[2]" if dtype.itemsize == 8 else "double[2]", (number.real, number.imag))


@dataclass(frozen=True)
class Call:
    """A kernel with its arguments but for scalars and threads, and addresses where it is not bound to any.

    ``kernel`` is None where there is nothing to compute. ``places`` are the positions in ``template`` of the addresses
    (unless bound) and then the scalars. ``copied_in`` and ``copied_out`` are pairs (from, to) of arrays copied before
    and after.
    """

    kernel: Kernel | None
    template: tuple[Any, ...] = ()
    places: tuple[int, ...] = ()
    pinned: tuple[Any, ...] = ()
    copied_in: tuple[tuple[Array, Array], ...] = ()
    copied_out: tuple[tuple[Array, Array], ...] = ()

    @classmethod
    def prepare(cls, op: str, named: Named, flags: Mapping[str, Trans], *, bind: bool = True) -> Call:
        """The call of ``op`` on these operands: everything checked, the kernel compiled if need be.

        With ``bind`` the operands' addresses are filled in; without, the caller gives them when it runs the call.
        """
        row = OPS[op]
        _, batch = agreed(row, named, flags, complete=True)
        outputs = [x.name for x in row.operands if x.role is not Role.IN]
        for key in outputs:
            name, operand = named[key]
            check_writable(name, operand.given)
            check_overlap(name, operand.given, {n: o.given for other, (n, o) in named.items() if other != key})
        if not batch or not all(length for key in outputs for length in named[key][1].shape):
            return cls(None)
        dtype = named[outputs[0]][1].dtype
        forms = {key: operand.form for key, (_, operand) in named.items()}
        route = find(row, BY_DTYPE[dtype.name].letter, forms, flags)
        values: list[Any] = list(route.arguments)
        values[values.index("batch_count")] = batch
        places = {x.name: values.index(x.name) for x in row.operands}
        scalars = tuple(values.index(name) for name in row.scalars)
        compiled = kernel(route.spec)
        if not bind:
            return cls(compiled, tuple(values), (*places.values(), *scalars))
        pinned = []
        for key, place in places.items():
            values[place], keep = pointer(named[key][1])
            pinned.append(keep)
        pairs = {key: named[key][1].copies for key in places}
        return cls(
            compiled,
            tuple(values),
            scalars,
            pinned=tuple(pinned),
            copied_in=tuple(pair for found in pairs.values() for pair in found),
            copied_out=tuple((new, old) for key in outputs for old, new in pairs[key]),
        )

    def arguments(self, scalars: Sequence[Any], num_threads: int, addresses: Sequence[Any] = ()) -> list[Any]:
        """What the kernel is called with."""
        values = list(self.template)
        for place, value in zip(self.places, (*addresses, *scalars), strict=True):
            values[place] = value
        values[-1] = num_threads
        return values

    def run(self, scalars: Sequence[Any], num_threads: int, addresses: Sequence[Any] = ()) -> None:
        """Run the kernel now."""
        if self.copied_in:
            self.frozen(scalars, num_threads)()
        elif self.kernel is not None:
            self.kernel.library.function(*self.arguments(scalars, num_threads, addresses))

    def frozen(self, scalars: Sequence[Any], num_threads: int) -> Callable[[], Any]:
        """A bound call as a function without arguments."""
        if self.kernel is None:
            return _nothing
        run = partial(self.kernel.library.function, *self.arguments(scalars, num_threads))
        return partial(_staged, run, self.copied_in, self.copied_out) if self.copied_in else run


def _nothing() -> None:
    """What an empty batch or an empty output asks for."""


def _staged(
    run: Callable[[], Any], before: Sequence[tuple[Array, Array]], after: Sequence[tuple[Array, Array]]
) -> None:
    for source, target in before:
        np.copyto(target, source)
    run()
    for source, target in after:
        np.copyto(target, source)


def agreed(
    row: Operation, named: Named, flags: Mapping[str, Trans], *, complete: bool
) -> tuple[dict[str, int], int | None]:
    """The sizes and the batch size that the operands agree on; errors where they do not.

    ``complete`` says that all operands are there; without it the output is still to be allocated.
    """
    first_name, first = next(iter(named.values()))
    sizes: dict[str, tuple[int, str]] = {}
    batch: tuple[int, str] | None = None
    for x in row.operands:
        if x.name not in named:
            continue
        name, operand = named[x.name]
        if operand.dtype != first.dtype:
            raise TypeError(f"{name} has dtype {operand.dtype} but {first_name} has {first.dtype}: expected one dtype")
        transposed = x.flag is not None and flags[x.flag].transposes
        for size, (length, axis) in zip(
            (x.cols, x.rows) if transposed else (x.rows, x.cols),
            ((operand.form.rows, "rows"), (operand.form.cols, "columns")),
            strict=True,
        ):
            text = f"{length} {axis}"
            known, source = sizes.setdefault(size, (length, f"{name} has {text}"))
            if known != length:
                letters = "".join(f", {f} = {letter}" for f, letter in flags.items() if letter != "N")
                raise ValueError(f"{name} has {text} but {source}: expected {size} = {known} of both{letters}")
        batch = _agree_batch(name, operand, batch, shareable=x.role is Role.IN)
    if complete and batch is None:
        raise ValueError(f"{first_name} and all others are single matrices: expected a batch, such as a[None]")
    _check_blocks(named)
    return {size: length for size, (length, _) in sizes.items()}, batch[0] if batch else None


def _agree_batch(
    name: str, operand: Operand, batch: tuple[int, str] | None, *, shareable: bool
) -> tuple[int, str] | None:
    if operand.batch is None:
        if not shareable:
            raise ValueError(f"{name} is 2-D, one matrix for the whole batch: expected 3-D, as it is an output")
        return batch
    if batch and batch[0] != operand.batch:
        raise ValueError(f"{name} is a batch of {operand.batch} but {batch[1]} is one of {batch[0]}: expected one size")
    return batch or (operand.batch, name)


def _check_blocks(named: Named) -> None:
    blocks = {name: o.form.nb for name, o in named.values() if o.form.layout is Layout.BI}
    if len(set(blocks.values())) > 1:
        found = ", ".join(f"{name} has nb = {nb}" for name, nb in blocks.items())
        raise ValueError(f"{found}: expected one block size")
