"""From what a user gave to a call, or, of a variable batch, the calls that it comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..arrays.host import Array, Operand, check_writable, describe
from ..arrays.overlap import check_overlap
from ..ir.operation import Operation
from ..ir.spec import KernelSpec, letter
from ..ir.terms import Letter
from .call import Call, matched, user_names, with_copies
from .kernels import Kernel, load
from .marshal import address
from .pieces import BinCall, Run, runs
from .state import RUNTIME
from .variable import Unlike, Variable, all_alike

EARNS = 1000
"""Matrices of a size in one call that are worth the compile of its kernel."""
FEW = 4
"""Kernels that are compiled in any case: the one for any size takes as long as some others."""


@dataclass(frozen=True)
class Calls:
    """The calls of a variable batch, one for each bin; it has what a Call has. ``kernel`` is that of the largest."""

    variable: Variable
    calls: tuple[Call, ...]
    info: bool
    copied_in: tuple[tuple[Array, Array], ...]
    copied_out: tuple[tuple[Array, Array], ...]

    @classmethod
    def prepare(cls, op: Operation, named: Unlike, flags: Mapping[str, Letter]) -> Calls:
        """The calls of ``op`` on these operands, everything checked, the kernels compiled if need be."""
        variable = Variable.of(op, named)
        variable.sizes(op, flags, complete=True)
        places = {x: variable.places(x) for x in named}
        for x in op.outputs:
            name, output = named[x.name]
            check_writable(name, output)
            others = {n: places[y] for y, (n, operand) in named.items() if operand is not output}
            check_overlap(name, places[x.name], others)
        found = [matched(op, part, flags) for part in variable.parts]
        batches = [len(index) for index in variable.bins]
        wanted: Counter[KernelSpec] = Counter()
        for one, batch in zip(found, batches, strict=True):
            wanted.update({one.spec: batch} if one else {})
        rare = _rare(wanted)
        load(rare.get(spec, spec) for spec in wanted)
        calls = tuple(
            Call.of(op, part, one, batch, rare.get(one.spec) if one else None)
            for part, one, batch in zip(variable.parts, found, batches, strict=True)
        )
        staged = {x: [*operand.copies, *variable.own(x)] for x, (_, operand) in named.items()}
        before = tuple(pair for pairs in staged.values() for pair in pairs)
        after = tuple((new, old) for x in op.outputs for old, new in staged[x.name])
        return cls(variable, calls, op.info, before, after)

    @property
    def batch(self) -> int:
        return self.variable.batch

    @property
    def kernel(self) -> Kernel | None:
        return max(self.calls, key=lambda call: call.batch if call.kernel else 0).kernel if self.calls else None

    @property
    def pinned(self) -> tuple[Any, ...]:
        return (self.variable, *((call.kernel, call.pinned) for call in self.calls))  # code too, which the pool keeps

    def bound(self, op: Operation, scalars: Sequence[Any], num_threads: int, info: Array | None) -> Callable[[], Any]:
        """The calls on their operands, as a function without arguments (see Call)."""
        bins, reports = self.variable.bins, np.zeros(self.batch, np.int32)
        told = None if info is None else reports
        calls = [self._of_bin(i, op, scalars, num_threads, told) for i in range(len(bins))]
        made = list(runs(calls, bins, self.variable.bytes(), num_threads))
        run = partial(_run, made, (info, bins.order, reports) if info is not None else None)
        return partial(with_copies, run, self.copied_in, self.copied_out) if self.copied_in or self.copied_out else run

    def _of_bin(
        self, number: int, op: Operation, scalars: Sequence[Any], num_threads: int, reports: Array | None
    ) -> BinCall | None:
        call, (start, stop) = self.calls[number], self.variable.bins.ends[number : number + 2]
        if call.kernel is None:
            return None
        arguments = list(call.argument_template)
        for name, value in zip(op.scalars, scalars, strict=True):
            arguments[call.slots[name]] = value
        arguments[-1] = num_threads
        parts = self.variable.parts[number].items()
        tables = [(call.slots[x], _table(operand)) for x, (_, operand) in parts if operand.batch is not None]
        if reports is not None:
            tables.append((call.slots["info"], reports[start:stop]))
            arguments[call.slots["info"]] = address(reports[start:stop])
        return BinCall(call.kernel.library, arguments, call.slots["batch_count"], tables)


def _rare(wanted: Mapping[KernelSpec, int]) -> Mapping[KernelSpec, KernelSpec]:
    """Of the kernels wanted, each for so many matrices, those that are not worth a compile, and the kernel for any size
    in the place of each."""
    rare = [spec for spec, batch in wanted.items() if batch < EARNS and RUNTIME.kernels[spec, ()] is None]
    general: dict[tuple[Any, ...], KernelSpec] = {}
    found = {}
    for spec in rare if len(rare) > FEW else ():
        key = spec.precision, spec.flags, spec.layouts, spec.strides
        found[spec] = general.get(key) or general.setdefault(key, spec.any_size)
    return found


def _table(operand: Operand) -> Array:
    """What the kernel of a bin is given an address of."""
    return operand.pointers.addresses if operand.pointers else operand.arrays[0]


def _run(made: Sequence[Run], told: tuple[Array, Array, Array] | None) -> int:
    for function, arguments in made:
        if status := int(function(*arguments)):
            return status
    if told is not None:
        info, order, reports = told
        info[order] = reports
    return 0


def bind(
    op: Operation, operands: Mapping[str, Any], flags: Mapping[str, Any], names: Mapping[str, str] | None = None
) -> Call | Calls:
    """The call of ``op`` on what a user gave. ``names``: the user's names of operands, where they are not the usual."""
    letters = {flag: letter(flag, flags[flag]) for flag in op.flags}
    known = {**user_names(op), **(names or {})}
    described = {x.name: describe(known[x.name], operands[x.name], x.kind) for x in op.parameters}
    named = {name: (known[name], operand) for name, operand in described.items()}
    fixed = all_alike(named)
    return Calls.prepare(op, named, letters) if fixed is None else Call.prepare(op, fixed, letters)
