"""One call of one operation: shapes agreed, kernel found, arguments in their places.

A Call is what depends on how the operands lie; the addresses and scalars of a particular call are filled in when it
is run. So the checks of a repeated call shrink to a dictionary look-up, and those of a Plan to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays.form import Form
from ..arrays.host import Array, check_writable, describe
from ..arrays.overlap import check_overlap
from ..ir.operation import Operation
from ..ir.spec import letter
from ..ir.terms import BY_DTYPE, Kind, Letter, Role
from .kernels import Kernel, kernel
from .marshal import _NDARRAY, address, addresses, numbers_of, pointer, threads
from .orient import Route, find
from .shapes import Named, agreed

if TYPE_CHECKING:
    pass


MAX_CALLS = 4096
_calls: dict[tuple[Any, ...], Call] = {}


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
        first = next(named[x.name][1] for x in row.parameters if x.kind is Kind.SCALAR)
        route = _route(row, BY_DTYPE[first.dtype.name].letter, forms, tuple(flags.items()))
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
    described = (describe(name, v, x.kind) for name, v, x in zip(names, values, row.parameters, strict=True))
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
