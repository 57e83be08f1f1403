"""One call of one operation: shapes agreed, kernel found, arguments in their places.

A Call is what depends on how the operands lie; the addresses and scalars of a particular call are filled in when it
is run. So the checks of a repeated call shrink to a dictionary look-up, and those of a Plan to nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array, Operand, check_overlap, check_writable, describe
from .dispatch import Kernel, kernel
from .ops import OPS, Operation
from .route import Form, Route, find
from .spec import trans
from .terms import BY_DTYPE, Layout, Role, Trans

if TYPE_CHECKING:
    from cffi import FFI

Named = Mapping[str, tuple[str, Operand]]
"""Operands by their name in the table of operations: the user's name for it, and what it is."""

MAX_CALLS = 4096
MAX_THREADS = 1024  # an OpenMP that cannot start as many as it is asked for ends the process
_NDARRAY = np.ndarray
_calls: dict[tuple[Any, ...], Call] = {}
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
    if not 1 <= value <= MAX_THREADS:
        raise ValueError(f"num_threads = {num_threads!r}: expected None or an int from 1 to {MAX_THREADS}")
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


def addresses(arrays: Sequence[Array]) -> list[Any]:
    """C pointers to the first elements."""
    buffer = ffi().from_buffer
    try:
        return [buffer(array) for array in arrays]
    except ValueError:  # not C-contiguous
        return [address(array) for array in arrays]


def pointer(operand: Operand) -> tuple[Any, Any]:
    """The C argument for an operand's data, and what must be kept alive while it is in use."""
    if operand.form.layout is not Layout.PP:
        return address(operand.arrays[0]), operand.arrays
    table = np.array([array.ctypes.data for array in operand.arrays], dtype=np.uintp)
    return ffi().from_buffer(table), (table, operand.arrays)


def _dtype(like: Any) -> np.dtype[Any]:
    found: np.dtype[Any] = like[0].dtype if isinstance(like, (list, tuple)) else like.dtype
    return found


def scalar(name: str, value: Any, like: Any) -> Any:
    """The C argument for a user's ``alpha`` or ``beta`` of a call on operands such as ``like``."""
    dtype = like.dtype if type(like) is _NDARRAY else _dtype(like)
    is_complex = dtype.kind == "c"
    if type(value) is float and value == value and not is_complex:
        return value
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        number = complex(value) if is_complex else float(value)
    except (TypeError, ValueError, OverflowError):
        expected = "a number" if is_complex else "a real number"
        raise TypeError(f"{name} = {value!r}: expected {expected}, as the operands are {dtype}") from None
    if number != number:
        raise ValueError(f"{name} = {value!r} is not a number (NaN): expected one")
    if isinstance(number, float):
        return number
    return ffi().new("float[2]" if dtype.itemsize == 8 else "double[2]", (number.real, number.imag))


@dataclass(frozen=True)
class Call:
    """A kernel with its arguments but for scalars and threads.

    ``kernel`` is None where there is nothing to compute. ``places`` are the positions in ``template`` of the operands
    and then the scalars, in table order. ``copied_in`` and ``copied_out`` are pairs (from, to) of arrays copied before
    and after.
    """

    kernel: Kernel | None
    template: tuple[Any, ...] = ()
    places: tuple[int, ...] = ()
    pinned: tuple[Any, ...] = ()
    copied_in: tuple[tuple[Array, Array], ...] = ()
    copied_out: tuple[tuple[Array, Array], ...] = ()

    @classmethod
    def prepare(cls, op: str, named: Named, flags: Mapping[str, Trans]) -> Call:
        """The call of ``op`` on these operands: everything checked, the kernel compiled if need be."""
        row = OPS[op]
        _, batch = agreed(row, named, flags, complete=True)
        output_name, output = named[row.operands[-1].name]
        check_writable(output_name, output.given)
        check_overlap(output_name, output.given, {n: o.given for n, o in named.values() if o is not output})
        if not (batch and all(output.shape)):
            return cls(None)
        forms = tuple(named[x.name][1].form for x in row.operands)
        route = _route(op, BY_DTYPE[output.dtype.name].letter, forms, tuple(flags.items()))
        values: list[Any] = list(route.arguments)
        values[values.index("batch_count")] = batch
        places = tuple(values.index(x.name) for x in row.operands)
        scalars = (values.index(name) for name in row.scalars)
        pinned = []
        for x, place in zip(row.operands, places, strict=True):
            values[place], keep = pointer(named[x.name][1])
            pinned.append(keep)
        copies = tuple(pair for x in row.operands for pair in named[x.name][1].copies)
        back = tuple((new, old) for old, new in output.copies)
        return cls(kernel(route.spec), tuple(values), (*places, *scalars), tuple(pinned), copies, back)

    def unbound(self) -> Call:
        """The call for other operands that lie alike; it keeps none of these alive."""
        return replace(self, pinned=())

    def arguments(self, values: Sequence[Any], num_threads: int) -> list[Any]:
        """What the kernel is called with. ``values``: the scalars; before them, if not those bound, the addresses."""
        filled = list(self.template)
        for place, value in zip(self.places[-len(values) :], values, strict=False):
            filled[place] = value
        filled[-1] = num_threads
        return filled

    def frozen(self, scalars: Sequence[Any], num_threads: int) -> Callable[[], Any]:
        """The call on the operands bound, as a function without arguments."""
        if self.kernel is None:
            return _nothing
        run = partial(self.kernel.library.function, *self.arguments(scalars, num_threads))
        return partial(_staged, run, self.copied_in, self.copied_out) if self.copied_in else run


@lru_cache(MAX_CALLS)
def _route(op: str, precision: str, forms: tuple[Form, ...], flags: tuple[tuple[str, Trans], ...]) -> Route:
    row = OPS[op]
    return find(row, precision, {x.name: form for x, form in zip(row.operands, forms, strict=True)}, dict(flags))


def bind(op: str, names: Sequence[str], values: Sequence[Any], letters: Sequence[Any]) -> Call:
    """The call of ``op`` on what a user gave: operands in table order and their names, flags in table order."""
    row = OPS[op]
    flags = {flag: trans(flag, letter) for flag, letter in zip(row.flags, letters, strict=True)}
    described = (describe(name, value) for name, value in zip(names, values, strict=True))
    named = {x.name: pair for x, pair in zip(row.operands, zip(names, described, strict=True), strict=True)}
    return Call.prepare(op, named, flags)


def execute(
    op: str,
    names: Sequence[str],
    values: Sequence[Any],
    letters: tuple[Any, ...],
    scalars: Sequence[tuple[str, Any]],
    num_threads: Any,
    *,
    fresh: bool = False,
) -> None:
    """Run ``op`` on what a user gave, remembering the call for operands that lie alike.

    What two such operands may still differ in is checked here: alignment, the right to write, overlap (not if the
    output is ``fresh``).
    """
    key = (op, letters, *[(v.dtype, v.shape, v.strides) if type(v) is _NDARRAY else _lie(v) for v in values])
    call = _calls.get(key)
    arrays = [value if type(value) is _NDARRAY else value.data for value in values] if call else []
    if call is None or not all(map(_aligned, arrays)):
        call, arrays = bind(op, names, values, letters), []
        if None not in key and not call.copied_in:
            if len(_calls) >= MAX_CALLS:
                _calls.clear()
            _calls[key] = call.unbound()
    elif not fresh:
        *inputs, output = arrays
        if not output.flags.writeable:
            check_writable(names[-1], (output,))
        for name, array in zip(names, inputs, strict=False):
            # two arrays that both own their memory share none
            apart = output.base is None is array.base and output is not array
            if not apart and np.may_share_memory(output, array):
                check_overlap(names[-1], (output,), {name: (array,)})
    numbers = [scalar(name, value, values[0]) for name, value in scalars]
    team = threads(num_threads)
    if call.copied_in:
        call.frozen(numbers, team)()
    elif call.kernel is not None:
        call.kernel.library.function(*call.arguments([*addresses(arrays), *numbers], team))


_aligned = attrgetter("flags.aligned")


def _lie(x: Any) -> tuple[Any, ...] | None:
    """Everything about an operand other than an array that its call depends on; None where that is not soon told."""
    return getattr(x, "lie", None)


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
