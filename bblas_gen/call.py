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
from .operation import Operation
from .route import Form, Route, find
from .spec import letter
from .terms import BY_DTYPE, Layout, Letter, Role

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


def scalar(name: str, value: Any, like: Any, *, real: bool = False) -> Any:
    """The C argument for a user's ``alpha`` or ``beta`` of a call on operands such as ``like``; ``real``: it is real
    even where they are complex."""
    dtype = like.dtype if type(like) is _NDARRAY else _dtype(like)
    is_complex = dtype.kind == "c" and not real
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
    """A kernel with its arguments but for scalars, info and threads.

    ``kernel`` is None where there is nothing to compute; ``batch`` matrices report. ``places`` are the positions in
    ``template`` of the operands, then the scalars, in table order, then info. ``copied_in`` and ``copied_out`` are
    pairs (from, to) of arrays copied before and after.
    """

    kernel: Kernel | None
    batch: int = 0
    template: tuple[Any, ...] = ()
    places: tuple[int, ...] = ()
    pinned: tuple[Any, ...] = ()
    copied_in: tuple[tuple[Array, Array], ...] = ()
    copied_out: tuple[tuple[Array, Array], ...] = ()

    @classmethod
    def prepare(cls, row: Operation, named: Named, flags: Mapping[str, Letter]) -> Call:
        """The call of ``row`` on these operands: everything checked, the kernel compiled if need be."""
        _, batch = agreed(row, named, flags, complete=True)
        outputs = [named[x.name] for x in row.outputs]
        for name, output in outputs:
            check_writable(name, output.given)
            check_overlap(name, output.given, {n: o.given for n, o in named.values() if o is not output})
        if not (batch and any(all(output.shape) for _, output in outputs)):
            return cls(None, batch or 0)
        forms = tuple(named[x.name][1].form for x in row.parameters)
        route = _route(row, BY_DTYPE[outputs[0][1].dtype.name].letter, forms, tuple(flags.items()))
        values: list[Any] = list(route.arguments)
        values[values.index("batch_count")] = batch
        places = tuple(values.index(x.name) for x in row.parameters)
        others = (values.index(name) for name in (*row.scalars, *(["info"] if row.info else [])))
        pinned = []
        for x, place in zip(row.parameters, places, strict=True):
            values[place], keep = pointer(named[x.name][1])
            pinned.append(keep)
        copies = tuple(pair for x in row.parameters for pair in named[x.name][1].copies)
        back = tuple((new, old) for _, output in outputs for old, new in output.copies)
        return cls(kernel(route.spec), batch, tuple(values), (*places, *others), tuple(pinned), copies, back)

    def unbound(self) -> Call:
        """The call for other operands that lie alike; it keeps none of these alive."""
        return replace(self, pinned=())

    def arguments(self, values: Sequence[Any], num_threads: int) -> list[Any]:
        """What the kernel is called with. ``values``: scalars and info; before them, if not those bound, addresses."""
        filled = list(self.template)
        for place, value in zip(self.places[-len(values) :], values, strict=False):
            filled[place] = value
        filled[-1] = num_threads
        return filled

    def frozen(self, values: Sequence[Any], num_threads: int) -> Callable[[], Any]:
        """The call on the operands bound, as a function without arguments; ``values``: scalars and info."""
        if self.kernel is None:
            return _nothing
        run = partial(self.kernel.library.function, *self.arguments(values, num_threads))
        return partial(_staged, run, self.copied_in, self.copied_out) if self.copied_in else run


@lru_cache(MAX_CALLS)
def _route(row: Operation, precision: str, forms: tuple[Form, ...], flags: tuple[tuple[str, Letter], ...]) -> Route:
    return find(row, precision, {x.name: form for x, form in zip(row.parameters, forms, strict=True)}, dict(flags))


def bind(row: Operation, names: Sequence[str], values: Sequence[Any], letters: Sequence[Any]) -> Call:
    """The call of ``row`` on what a user gave: operands in table order and their names, flags in table order."""
    flags = {flag: letter(flag, given) for flag, given in zip(row.flags, letters, strict=True)}
    described = (describe(name, value) for name, value in zip(names, values, strict=True))
    pairs = zip(names, described, strict=True)
    named = {x.name: pair for x, pair in zip(row.parameters, pairs, strict=True)}
    return Call.prepare(row, named, flags)


def execute(
    row: Operation,
    names: Sequence[str],
    values: Sequence[Any],
    letters: tuple[Any, ...],
    scalars: Sequence[Any],
    num_threads: Any,
    *,
    fresh: bool = False,
) -> Array | None:
    """Run ``row`` on what a user gave, remembering the call for operands that lie alike; returns what each matrix
    reports where it does.

    What two such operands may still differ in is checked here: alignment, the right to write, overlap (not if the
    output is ``fresh``).
    """
    key = (row, letters, *[(v.dtype, v.shape, v.strides) if type(v) is _NDARRAY else _lie(v) for v in values])
    try:
        call = _calls.get(key)
    except TypeError:  # a letter that is none, say
        call, key = None, (None,)
    arrays = [value if type(value) is _NDARRAY else value.data for value in values] if call else []
    if call is None or not all(map(_aligned, arrays)):
        call, arrays = bind(row, names, values, letters), []
        if None not in key and not call.copied_in:
            if len(_calls) >= MAX_CALLS:
                _calls.clear()
            _calls[key] = call.unbound()
    elif not fresh:
        _check_outputs(row, names, arrays)
    numbers = numbers_of(row, scalars, values[0])
    team = threads(num_threads)
    info = np.zeros(call.batch, np.int32) if row.info else None
    if info is not None and call.kernel is not None:
        numbers.append(address(info))
    if call.copied_in:
        call.frozen(numbers, team)()
    elif call.kernel is not None:
        call.kernel.library.function(*call.arguments([*addresses(arrays), *numbers], team))
    return info


def numbers_of(row: Operation, scalars: Sequence[Any], like: Any) -> list[Any]:
    """The C arguments for a user's scalars in table order."""
    triples = zip(row.numbers, row.scalars, scalars, strict=True)
    return [scalar(name, value, like, real=own in row.real_scalars) for name, own, value in triples]


def _check_outputs(row: Operation, names: Sequence[str], arrays: Sequence[Array]) -> None:
    for position, x in enumerate(row.parameters):
        if x.role is Role.IN:
            continue
        output = arrays[position]
        if not output.flags.writeable:
            check_writable(names[position], (output,))
        for other, array in enumerate(arrays):
            # two arrays that both own their memory share none
            apart = output.base is None is array.base and output is not array
            if other != position and not apart and np.may_share_memory(output, array):
                check_overlap(names[position], (output,), {names[other]: (array,)})


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
    row: Operation, named: Named, flags: Mapping[str, Letter], *, complete: bool
) -> tuple[dict[str, int], int | None]:
    """The sizes and the batch size that the operands agree on; errors where they do not.

    ``complete`` says that all operands are there; without it the output is still to be allocated.
    """
    first_name, first = next(iter(named.values()))
    sizes: dict[str, tuple[int, str]] = {}
    batch: tuple[int, str] | None = None
    for x in row.parameters:
        if x.name not in named:
            continue
        name, operand = named[x.name]
        if operand.dtype != first.dtype:
            raise TypeError(f"{name} has dtype {operand.dtype} but {first_name} has {first.dtype}: expected one dtype")
        transposed = x.flag is not None and flags[x.flag].transposes  # type: ignore[union-attr]
        for key, (length, axis) in zip(
            (x.cols, x.rows) if transposed else (x.rows, x.cols),
            ((operand.form.rows, "rows"), (operand.form.cols, "columns")),
            strict=True,
        ):
            text = f"{length} {axis}"
            size = row.size_name(key, flags)
            known, source = (1, "it") if size == "1" else sizes.setdefault(size, (length, f"{name} has {text}"))
            if size == "1" and length != 1:
                raise ValueError(f"{name} has {text}: expected 1")
            if known != length:
                letters = "".join(f", {f} = {given}" for f, given in flags.items() if given != "N")
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
    blocks = {name: o.form.nb for name, o in named.values() if o.form.layout.blocked}
    if len(set(blocks.values())) > 1:
        found = ", ".join(f"{name} has nb = {nb}" for name, nb in blocks.items())
        raise ValueError(f"{found}: expected one block size")
