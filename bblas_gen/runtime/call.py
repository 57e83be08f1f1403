"""One call of one operation: shapes agreed, kernel found, arguments in their slots.

A Call is what depends on layouts, shapes and strides; the addresses and scalars of a particular call are filled in when
it is run. So the checks of a repeated call shrink to a dictionary look-up, and those of a Plan to nothing. Operands,
flags and scalars go by their names in the table of operations, never by position: letters are too alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np

from ..arrays.form import MatrixForm
from ..arrays.host import Array, check_writable, describe
from ..arrays.overlap import check_overlap
from ..ir.operation import Operation
from ..ir.spec import letter
from ..ir.terms import BY_DTYPE, Kind, Letter
from .kernels import Kernel, kernel
from .marshal import _NDARRAY, address, addresses, pointer, scalar_arguments, thread_argument
from .orient import KernelCall, match
from .shapes import Named, resolve_sizes
from .state import RUNTIME


@dataclass(frozen=True)
class Call:
    """A kernel with its arguments but for scalars, info and threads.

    ``kernel`` is None where there is nothing to compute; ``batch`` matrices report where ``info``. ``slots`` are the
    positions in ``argument_template`` of the operands in the order given, then of the scalars in table order, then of
    info. ``outputs`` are the positions of what is written among the operands. ``copied_in`` and ``copied_out`` are
    pairs (from, to) of arrays copied before and after.
    """

    kernel: Kernel | None
    batch: int = 0
    info: bool = False
    argument_template: tuple[Any, ...] = ()
    slots: tuple[int, ...] = ()
    outputs: tuple[int, ...] = ()
    pinned: tuple[Any, ...] = ()
    copied_in: tuple[tuple[Array, Array], ...] = ()
    copied_out: tuple[tuple[Array, Array], ...] = ()

    @classmethod
    def prepare(cls, op: Operation, named: Named, flags: Mapping[str, Letter]) -> Call:
        """The call of ``op`` on these operands: everything checked, the kernel compiled if need be."""
        _, batch = resolve_sizes(op, named, flags, complete=True)
        outputs = [named[x.name] for x in op.outputs]
        for name, output in outputs:
            check_writable(name, output.given)
            check_overlap(name, output.given, {n: o.given for n, o in named.values() if o is not output})
        if not (batch and any(all(operand.shape) for _, operand in outputs or named.values())):
            return cls(None, batch or 0, op.info)
        forms = tuple(named[x.name][1].form for x in op.parameters)
        first = next(named[x.name][1] for x in op.parameters if x.kind is Kind.SCALAR)
        found = _matched(op, BY_DTYPE[first.dtype.name].letter, forms, tuple(flags.items()))
        values: list[Any] = list(found.arguments)
        values[values.index("batch_count")] = batch
        operands = [values.index(name) for name in named]
        others = (values.index(name) for name in (*op.scalars, *(["info"] if op.info else [])))
        slots = (*operands, *others)
        pinned = []
        for (_, operand), slot in zip(named.values(), operands, strict=True):
            values[slot], keep = pointer(operand)
            pinned.append(keep)
        written = {x.name for x in op.outputs}
        return cls(
            kernel=kernel(found.spec),
            batch=batch,
            info=op.info,
            argument_template=tuple(values),
            slots=slots,
            outputs=tuple(i for i, name in enumerate(named) if name in written),
            pinned=tuple(pinned),
            copied_in=tuple(pair for _, operand in named.values() for pair in operand.copies),
            copied_out=tuple((new, old) for _, output in outputs for old, new in output.copies),
        )

    def without_operands(self) -> Call:
        """The call for other operands of the same shapes and strides; addresses would keep these operands alive."""
        template = list(self.argument_template)
        for slot in self.slots:
            template[slot] = None
        return replace(self, argument_template=tuple(template), pinned=())

    def arguments(self, values: Sequence[Any], num_threads: int) -> list[Any]:
        """What the kernel is called with. ``values``: scalars and info; before them, if not those bound, addresses."""
        filled = list(self.argument_template)
        for slot, value in zip(self.slots[-len(values) :], values, strict=False):
            filled[slot] = value
        filled[-1] = num_threads
        return filled

    def bound(self, values: Sequence[Any], num_threads: int) -> Callable[[], Any]:
        """The call on its operands, as a function without arguments; ``values``: scalars and info."""
        if self.kernel is None:
            return _nothing
        run = partial(self.kernel.library.function, *self.arguments(values, num_threads))
        return partial(_staged, run, self.copied_in, self.copied_out) if self.copied_in else run


def _matched(
    op: Operation, precision: str, forms: tuple[MatrixForm, ...], flags: tuple[tuple[str, Letter], ...]
) -> KernelCall:
    found: KernelCall | None
    matches, key = RUNTIME.matches, (op, precision, forms, flags)
    found = matches[key]
    if found is None:
        named = {x.name: form for x, form in zip(op.parameters, forms, strict=True)}
        found = match(op, precision, named, dict(flags))
        matches.keep(key, found)
    return found


def user_names(op: Operation) -> dict[str, str]:
    """The names of the operands as users write them: small letters, but in their own sequences."""
    return {x.name: x.name if op.composed else x.name.lower() for x in op.parameters}


def bind(
    op: Operation, operands: Mapping[str, Any], flags: Mapping[str, Any], names: Mapping[str, str] | None = None
) -> Call:
    """The call of ``op`` on what a user gave. ``names``: the user's names of operands, where they are not the usual."""
    letters = {flag: letter(flag, flags[flag]) for flag in op.flags}
    known = {**user_names(op), **(names or {})}
    described = {x.name: describe(known[x.name], operands[x.name], x.kind) for x in op.parameters}
    return Call.prepare(op, {name: (known[name], operand) for name, operand in described.items()}, letters)


def execute(
    op: Operation,
    operands: Mapping[str, Any],
    flags: Mapping[str, Any],
    scalars: Mapping[str, Any],
    num_threads: Any,
    *,
    names: Mapping[str, str] | None = None,
    fresh: bool = False,
) -> Array | None:
    """Run ``op`` on what a user gave, remembering the call for others of the same shapes and strides; returns info
    where there is one.

    What two such operands may still differ in is checked here: alignment, the right to write, overlap (not if the
    output is ``fresh``).
    """
    values = operands.values()
    described = [(v.dtype, v.shape, v.strides) if type(v) is _NDARRAY else _cache_key(v) for v in values]
    key = (op, *operands, *flags, *flags.values(), *described)
    calls = RUNTIME.calls
    try:
        call = calls[key]
    except TypeError:  # a letter that is none, say
        call, key = None, (None,)
    arrays = [value if type(value) is _NDARRAY else value.data for value in values] if call else []
    if call is None or not all(map(_aligned, arrays)):
        call, arrays = bind(op, operands, flags, names), []
        if None not in key and not call.copied_in:
            calls.keep(key, call.without_operands())
    elif not fresh:
        _check_outputs(call, arrays, lambda: [{**user_names(op), **(names or {})}[x] for x in operands])
    arguments = scalar_arguments(op, scalars, next(iter(values)))
    threads = thread_argument(num_threads)
    info = np.zeros(call.batch, np.int32) if call.info else None
    if info is not None and call.kernel is not None:
        arguments.append(address(info))
    if call.copied_in:
        call.bound(arguments, threads)()
    elif call.kernel is not None:
        call.kernel.library.function(*call.arguments([*addresses(arrays), *arguments], threads))
    return info


def _check_outputs(call: Call, arrays: Sequence[Array], names: Callable[[], Sequence[str]]) -> None:
    for position in call.outputs:
        output = arrays[position]
        if not output.flags.writeable:
            check_writable(names()[position], (output,))
        for other, array in enumerate(arrays):
            # two arrays that both own their memory share none
            apart = output.base is None is array.base and output is not array
            if other != position and not apart and np.may_share_memory(output, array):
                check_overlap(names()[position], (output,), {names()[other]: (array,)})


_aligned = attrgetter("flags.aligned")


def _cache_key(x: Any) -> tuple[Any, ...] | None:
    """What the call depends on, of an operand that is not an array; None where there is no such key."""
    return getattr(x, "cache_key", None)


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
