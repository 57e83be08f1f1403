"""One call of one operation: shapes agreed, kernel found, arguments in their slots.

Here everything is checked and everything refused; a Plan does it once, and calls that were made before take the short
way of ``route``. Operands, flags and scalars go by their names in the table of operations, never by position: letters
are too alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from ..arrays.host import Array, check_writable
from ..arrays.overlap import check_overlap
from ..ir.operation import Operation
from ..ir.terms import BY_DTYPE, Kind, Letter
from .kernels import Kernel, kernel
from .large import enlarged
from .marshal import address, pointer
from .orient import KernelCall, lanes_of, match
from .shapes import Named, resolve_sizes
from .state import RUNTIME


@dataclass(frozen=True)
class Call:
    """A kernel with its arguments but for scalars, info and threads.

    ``kernel`` is None where there is nothing to compute; ``batch`` matrices report where ``info``. ``slots`` says where
    in ``argument_template`` operands, scalars, "info" and "batch_count" belong, and the "lanes of" an operand in layout
    ``il``. ``copied_in`` and ``copied_out`` are pairs (from, to) of arrays copied before and after.
    """

    kernel: Kernel | None
    batch: int = 0
    info: bool = False
    argument_template: tuple[Any, ...] = ()
    slots: Mapping[str, int] = field(default_factory=dict)
    pinned: tuple[Any, ...] = ()
    copied_in: tuple[tuple[Array, Array], ...] = ()
    copied_out: tuple[tuple[Array, Array], ...] = ()

    @classmethod
    def prepare(cls, op: Operation, named: Named, flags: Mapping[str, Letter]) -> Call:
        """The call of ``op`` on these operands, everything checked."""
        batch, found = checked(op, named, flags), matched(op, named, flags)
        return cls.of(op, named, found and enlarged(found), batch)

    @classmethod
    def of(cls, op: Operation, named: Named, found: KernelCall | None, batch: int) -> Call:
        """The call on operands that were checked, the kernel that was ``found`` compiled if need be."""
        if not batch or found is None:
            return cls(None, batch, op.info)
        values: list[Any] = list(found.arguments)
        slots = {value: i for i, value in enumerate(values) if isinstance(value, str)}
        values[slots["batch_count"]] = batch
        pinned = []
        for name, (_, operand) in named.items():
            values[slots[name]], keep = pointer(operand)
            pinned.append(keep)
            if (lanes := lanes_of(name)) in slots:
                values[slots[lanes]] = operand.form.nb
        return cls(
            kernel=kernel(found.spec, **dict(found.overrides)),
            batch=batch,
            info=op.info,
            argument_template=tuple(values),
            slots=slots,
            pinned=tuple(pinned),
            copied_in=tuple(pair for _, operand in named.values() for pair in operand.copies),
            copied_out=tuple((new, old) for x in op.outputs for old, new in named[x.name][1].copies),
        )

    def bound(self, op: Operation, scalars: Sequence[Any], num_threads: int, info: Array | None) -> Callable[[], Any]:
        """The call on its operands, as a function without arguments; ``scalars``: C arguments in table order."""
        if self.kernel is None:
            return _nothing
        arguments = list(self.argument_template)
        for name, value in zip(op.scalars, scalars, strict=True):
            arguments[self.slots[name]] = value
        if info is not None:
            arguments[self.slots["info"]] = address(info)
        arguments[-1] = num_threads
        run = partial(self.kernel.library.function, *arguments)
        return partial(with_copies, run, self.copied_in, self.copied_out) if self.copied_in else run


def checked(op: Operation, named: Named, flags: Mapping[str, Letter]) -> int:
    """The batch size, once everything is checked: sizes agree, and outputs can be written, apart from all others."""
    _, batch = resolve_sizes(op, named, flags, complete=True)
    for x in op.outputs:
        name, output = named[x.name]
        check_writable(name, output)
        check_overlap(name, output.places, {n: o.places for n, o in named.values() if o is not output})
    return batch or 0


def matched(op: Operation, named: Named, flags: Mapping[str, Letter]) -> KernelCall | None:
    """The kernel for operands that were checked, and its arguments; None where there is nothing to compute."""
    outputs = [named[x.name] for x in op.outputs]
    if not any(all(operand.shape) for _, operand in outputs or named.values()):
        return None
    forms = tuple(named[x.name][1].form for x in op.parameters)
    first = next(named[x.name][1] for x in op.parameters if x.kind is Kind.SCALAR)
    precision = BY_DTYPE[first.dtype.name].letter
    found: KernelCall | None
    matches, key = RUNTIME.matches, (op, precision, forms, tuple(flags.items()))
    found = matches[key]
    if found is None:
        by_name = {x.name: form for x, form in zip(op.parameters, forms, strict=True)}
        found = match(op, precision, by_name, dict(flags))
        matches.keep(key, found)
    return found


def user_names(op: Operation) -> dict[str, str]:
    """The names of the operands as users write them: small letters, but in their own sequences."""
    return {x.name: x.name if op.composed else x.name.lower() for x in op.parameters}


def by_user_names(op: Operation, operands: Iterable[Any]) -> dict[str, Any]:
    """Operands in the order of the table, by the names that users write."""
    return dict(zip(user_names(op).values(), operands, strict=True))


def no_memory(op: Operation) -> MemoryError:
    """What is raised for a kernel that found no memory to work in, and did nothing."""
    return MemoryError(f"{op.variant_of or op.name}: there is no memory for the scratch of a thread")


def _nothing() -> None:
    """What an empty batch or an empty output asks for."""


def with_copies(
    run: Callable[[], Any], before: Sequence[tuple[Array, Array]], after: Sequence[tuple[Array, Array]]
) -> int:
    """Run a call, with copies (from, to) around it."""
    for source, target in before:
        np.copyto(target, source)
    if status := int(run()):
        return status
    for source, target in after:
        np.copyto(target, source)
    return 0
