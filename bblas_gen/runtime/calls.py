"""The calls of a variable batch: which kernel does each bin, and with what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from ..arrays.host import Array, check_writable
from ..arrays.overlap import check_overlap
from ..ir.operation import Operation
from ..ir.spec import KernelSpec
from .bins import numbered
from .call import matched, with_copies
from .each import Each
from .kernels import Kernel, kernel, load
from .large import large
from .orient import KernelCall
from .pieces import BinCall, Run, runs
from .state import RUNTIME
from .variable import Memory, Variable

EARNS = 1000
"""Matrices of a size in one call that are worth the compile of its kernel."""
FEW = 4
"""Kernels that are compiled in any case: the one for any size takes as long as some others."""
Parts = tuple[tuple[Any, ...], tuple[Any, ...]]
"""All that a spec is but for its sizes, and these."""
Choice = tuple[KernelSpec, tuple[tuple[str, object], ...]]
"""A kernel: its spec, and fields of its schedule."""
Fields = dict[str, object] | None
"""The fields of the schedule of a kernel for any size; None: one for the size."""


@dataclass(frozen=True)
class Chosen:
    """What bins have in common whose operands lie alike: the kernel for one of them, ``found``, from which others
    differ in sizes and strides, the ``members``, and the ``sizes`` (members, names) and kernel of each, and whether it
    has large matrices, of which threads share each: these are done ``alone``."""

    found: KernelCall
    members: Array
    sizes: Array
    kernels: tuple[Kernel, ...] = ()
    alone: tuple[bool, ...] = ()


@dataclass(frozen=True)
class Calls:
    """The calls of a variable batch, one for each bin; it has what a Call has. ``kernel`` is that of the largest bin,
    ``made`` are operands that were left out. It lives as long as its calls: the pool keeps the code of ``chosen``."""

    variable: Variable
    chosen: tuple[Chosen, ...]
    scalars: Mapping[str, Each]
    memory: Mapping[str, Memory]
    info: bool
    copied_in: tuple[tuple[Array, Array], ...]
    copied_out: tuple[tuple[Array, Array], ...]
    made: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def prepare(cls, op: Operation, variable: Variable, scalars: Mapping[str, Each], made: Mapping[str, Any]) -> Calls:
        """The calls of ``op``, everything checked, the kernels compiled if need be. ``scalars``: those of which each
        matrix has one."""
        check(op, variable)
        named = variable.named
        chosen = _with_kernels(tuple(chosen_for(op, variable)), variable.bins.counts)
        staged = {x: variable.copies(x) for x in named}
        before = tuple(pair for pairs in staged.values() for pair in pairs)
        after = tuple((new, old) for x in op.outputs for old, new in staged[x.name])
        memory = {x: variable.memory(x) for x in named}
        return cls(variable, chosen, scalars, memory, op.info, before, after, made)

    @property
    def batch(self) -> int:
        return self.variable.batch

    @property
    def kernel(self) -> Kernel | None:
        counts = self.variable.bins.counts
        pairs = [(counts[i], one) for x in self.chosen for i, one in zip(x.members, x.kernels, strict=True)]
        return max(pairs, key=lambda pair: pair[0])[1] if pairs else None

    def bound(self, op: Operation, scalars: Sequence[Any], num_threads: int, info: Array | None) -> Callable[[], Any]:
        """The calls on their operands, as a function without arguments (see Call)."""
        bins, reports = self.variable.bins, np.zeros(self.batch, np.int32)
        memory = dict(self.memory)
        if info is not None:
            begins = reports.ctypes.data + reports.itemsize * bins.ends[:-1]
            memory["info"] = Memory(begins, np.full(len(bins), reports.itemsize), reports)
        calls: list[BinCall | None] = [None] * len(bins)
        values = {name: self.scalars.get(name, value) for name, value in zip(op.scalars, scalars, strict=True)}
        for one in self.chosen:
            for number, call in self._bound(one, values, memory, num_threads):
                calls[number] = call
        made = list(runs(calls, bins, self.variable.bytes(), num_threads))
        run = partial(_run, made, (info, bins.order, reports) if info is not None else None)
        return partial(with_copies, run, self.copied_in, self.copied_out) if self.copied_in or self.copied_out else run

    def _bound(
        self, one: Chosen, scalars: Mapping[str, Any], memory: Mapping[str, Memory], num_threads: int
    ) -> Iterator[tuple[int, BinCall]]:
        """Bins and their calls."""
        at, firsts = one.members, self.variable.bins.firsts[one.members]
        slots = {value: i for i, value in enumerate(one.found.arguments) if isinstance(value, str)}
        columns = {i: source.of(self.variable.sides)[at].tolist() for i, source in one.found.numbers.items()}
        columns |= {slots[x]: y.of(firsts) for x, y in scalars.items() if isinstance(y, Each)}
        template = list(one.found.arguments)
        template[-1] = num_threads
        for name in scalars.keys() - self.scalars.keys():
            template[slots[name]] = scalars[name]
        begins = zip(*(x.begins[at].tolist() for x in memory.values()), strict=True)
        steps = zip(*(x.steps[at].tolist() for x in memory.values()), strict=True)
        libraries = {key: (own.library, own.spec.general) for key, own in {id(own): own for own in one.kernels}.items()}
        known = slots["batch_count"], tuple(slots[x] for x in memory)
        later = known[0] + one.sizes.shape[1], tuple(slot + one.sizes.shape[1] for slot in known[1])
        bins = zip(at.tolist(), one.kernels, one.alone, one.sizes.tolist(), begins, steps, strict=True)
        for i, (number, own, alone, sizes, first, step) in enumerate(bins):
            arguments = template[:]
            for slot, values in columns.items():
                arguments[slot] = values[i]
            library, general = libraries[id(own)]
            arguments = sizes + arguments if general else arguments
            yield number, BinCall(library, arguments, later if general else known, first, step, alone)


def check(op: Operation, variable: Variable) -> None:
    """Refuse operands that do not agree on sizes, and outputs that cannot be written, or share memory."""
    for _ in variable.sizes(op, complete=True):
        pass
    named = variable.named
    places = {x: variable.places(x) for x in named}
    for x in op.outputs:
        name, output = named[x.name]
        check_writable(name, output)
        others = {n: places[y] for y, (n, operand) in named.items() if operand is not output}
        check_overlap(name, places[x.name], others)


def chosen_for(op: Operation, variable: Variable) -> Iterator[Chosen]:
    """All bins for which there is something to compute, by how their operands lie."""
    sides, firsts = variable.sides, variable.bins.firsts
    which = numbered([variable.combination, *(x for one in sides.values() for x in one.orders)], len(firsts))
    _, first = np.unique(which, return_index=True)
    for kind, number in enumerate(first.tolist()):
        found = matched(op, variable.part(number), variable.flags[variable.combination[number]])
        if found is not None:
            members = np.flatnonzero(which == kind)
            none = np.zeros((len(members), 0), np.int64)
            sizes = [source.of(sides)[members][:, None] for source in found.sizes]
            yield Chosen(found, members, np.concatenate([none, *sizes], axis=1))


def _with_kernels(chosen: Sequence[Chosen], counts: Array) -> tuple[Chosen, ...]:
    """With the kernels of their bins, which have ``counts`` matrices: one for the size where enough matrices have it,
    or it is loaded; else, where there are more such sizes than a few, the one for any size, which does large ones."""
    numbers = [numbered(one.sizes.T, len(one.members)) for one in chosen]
    loaded = [_apart(spec) for spec, overrides in RUNTIME.kernels.everything() if not overrides]
    every = [_sized(one, number) for one, number in zip(chosen, numbers, strict=True)]
    other = [[large(spec) for spec in known] for known in every]
    rare = [_rare(*one, counts, loaded) for one in zip(chosen, numbers, other, strict=True)]
    several = sum(map(len, rare)) > FEW
    specs: list[list[Choice]] = []
    for one, known, seldom, own in zip(chosen, every, rare, other, strict=True):
        found = [{} if fields is None and several and i in seldom else fields for i, fields in enumerate(own)]
        specs.append([_choice(one.found.spec, *pair) for pair in zip(known, found, strict=True)])
    different = {(id(spec), own): (spec, own) for some in specs for spec, own in some}
    load(spec for spec, own in different.values() if not own)
    kernels = {key: kernel(spec, **dict(own)) for key, (spec, own) in different.items()}
    made = ([kernels[id(spec), own] for spec, own in some] for some in specs)
    return tuple(
        replace(one, kernels=tuple(some[i] for i in number.tolist()), alone=tuple(_alone(own[i]) for i in number))
        for one, some, number, own in zip(chosen, made, numbers, other, strict=True)
    )


def _choice(lie: KernelSpec, known: KernelSpec, fields: Fields) -> Choice:
    """The kernel for the sizes of ``known``, for matrices that lie as in ``lie``; where there are ``fields`` of its
    schedule, one for any size."""
    return (known, ()) if fields is None else (lie.any_size, tuple(fields.items()))


def _alone(fields: Fields) -> bool:
    """Whether threads share each matrix: of long vectors they share all."""
    return fields is not None and fields.get("form") != "streamed"


def _sized(one: Chosen, number: Array) -> list[KernelSpec]:
    """The spec of each size, by its number."""
    _, firsts = np.unique(number, return_index=True)
    return [replace(one.found.spec, sizes=tuple(x)) for x in one.sizes[firsts].tolist()]


def _rare(one: Chosen, number: Array, other: Sequence[Fields], counts: Array, loaded: Sequence[Parts]) -> set[int]:
    """The sizes, by number, that few matrices have, and no ``other`` kernel, and none of those that are ``loaded``."""
    seldom = np.bincount(number, weights=counts[one.members])[number] < EARNS
    kind, _ = _apart(one.found.spec)
    known = {sizes for same, sizes in loaded if same == kind}
    pairs = zip(number[seldom].tolist(), one.sizes[seldom].tolist(), strict=True)
    return {i for i, sizes in pairs if other[i] is None and (not known or tuple(sizes) not in known)}


def _apart(spec: KernelSpec) -> Parts:
    same = spec.op, spec.precision, spec.flags, spec.layouts, spec.nb, spec.strides, spec.target, spec.sequence
    return same, spec.sizes


def _run(made: Sequence[Run], told: tuple[Array, Array, Array] | None) -> int:
    for function, arguments in made:
        if status := int(function(*arguments)):
            return status
    if told is not None:
        info, order, reports = told
        info[order] = reports
    return 0
