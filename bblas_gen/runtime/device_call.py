"""A call on arrays that are on a GPU: checked as all calls are, by headers, then queued on the caller's stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate
from typing import Any

import numpy as np

from ..arrays.device import CANNOT_TELL, INTERFACE, array_of, arrays_of, library_of, owner_of
from ..ir.operation import Operation
from ..ir.terms import Layout
from . import graph_memory
from .bind import Alike, Unlike, looked_at
from .call import checked, matched, user_names
from .cublas import Product
from .device_bins import bin_launches
from .device_groups import device_groups
from .device_interleaved import library_name
from .device_large import LargeRoute, is_large, routed
from .device_launch import argument, entry_names, in_turn, number, on_gpu, on_stream, sources
from .device_memory import Place, Tables
from .device_route import DeviceRoute, Told, agreed, apart, told
from .device_side import DeviceReports, DeviceSide, gpu_of_all, seen
from .device_storage import DeviceStorage
from .dlpack import exported, hold
from .gpu import DEFAULT, DeviceKernel, Gpu, capturing, gpu_of
from .groups import Group
from .marshal import scalar_arguments, table_of, table_on_gpu
from .orient import KernelCall, lanes_of
from .outputs import Recipe, with_made
from .state import RUNTIME
from .unlike import NewOperand

_NUMBERS = (int, float, complex, np.generic, type(None))
"""Scalars that are told apart by their values."""


@dataclass(frozen=True)
class DeviceCall:
    """What is to be queued on the stream of ``side``, ``launch`` (None where there is nothing to do); the ``operands``
    by their names in the table, with those that were made; and what matrices report, if they do. ``kernel`` is that of
    most matrices; ``route``: what calls that are like it may take. ``own`` is the default stream where arrays of ours
    are among them. ``kept``: operands as they were exported to the call, and ``held``, what was of arrays within them:
    both must live until it is done. ``memory``: tables, which are there in the order of that stream. ``hidden``: what
    was made and nobody gets, which a graph needs."""

    launch: partial[None] | None
    operands: Mapping[str, Any]
    reports: DeviceReports | None
    side: DeviceSide
    kernel: DeviceKernel | Product | None = None
    route: DeviceRoute | LargeRoute | None = None
    own: Any = None
    kept: Any = None
    held: tuple[Any, ...] = ()
    memory: tuple[Place, ...] = ()
    hidden: tuple[Any, ...] = ()

    @property
    def run(self) -> Callable[[], None] | None:
        return self.launch and self.on(self.side.stream)

    def on(self, stream: Any) -> Callable[[], None]:
        """What queues it on a stream."""
        assert self.launch is not None
        other = stream is not self.side.stream
        launch = on_stream(self.launch, stream.handle) if other else self.launch
        kept = [x for x in (self.kept, self.held, other and self.memory) if x]
        others = [x for x in dict.fromkeys((self.own, *self.side.others)) if x is not None and x is not stream]
        if not kept and not others and not self.hidden:
            return launch
        return partial(_queue, self.side.gpu, launch, stream, others, kept, self.hidden)

    def __call__(self) -> int:
        if run := self.run:
            run()
        return 0

    def then(self, other: DeviceCall) -> DeviceCall:
        """Both, one after another."""
        launches = [x for x in (self.launch, other.launch) if x]
        launch = partial(in_turn, self.side.stream.handle, launches)
        return replace(self, launch=launch, memory=(*self.memory, *other.memory))

    def followed(self) -> Callable[[], Any]:
        """What runs it on the stream on which the caller works then, where a library says which that is. Tables are
        waited for: they are to be there for all streams."""
        for place in self.memory:
            place.outlive_stream()
        arrays = map(array_of, self.operands.values())
        teller = next((x for x in arrays if x is not None and library_of(x).current), None)
        if self.launch is None or teller is None:
            return self.run or self
        if self.memory:
            self.side.stream.sync()
        stream_of = library_of(teller).stream
        if self.own is None and not (self.side.others or self.kept or self.held or self.memory):
            return partial(_follow, self.launch, self.launch.func, self.launch.args[1:], stream_of, teller)
        return partial(_follow_with_all, self.launch, self, stream_of, teller)


def _follow(
    _launch: Any,
    func: Callable[..., None],
    arguments: tuple[Any, ...],
    stream_of: Callable[[Any], int | None],
    teller: Any,
) -> None:
    func(stream_of(teller) or DEFAULT, *arguments)


def _follow_with_all(_launch: Any, call: DeviceCall, stream_of: Callable[[Any], int | None], teller: Any) -> None:
    """Where the stream has to wait, or something to be kept until it has come so far."""
    call.on(call.side.gpu.stream(stream_of(teller)))()


def _queue(
    gpu: Gpu,
    launch: Callable[[], None],
    stream: Any,
    others: Sequence[Any],
    kept: Sequence[Any],
    hidden: tuple[Any, ...],
) -> None:
    """Queue a call behind what is on ``others``, the default stream where arrays are ours, which go on behind it; a
    graph is queued by its caller, and depends on nothing outside of it but what is ``hidden``."""
    _ = gpu.device  # is current
    alone = capturing(stream)
    for other in () if alone else others:
        stream.wait(other)
    launch()
    for other in () if alone else others:
        other.wait(stream)
    if kept and not alone:
        hold(stream, kept)
    if not alone:
        graph_memory.let_go()
    elif hidden:
        graph_memory.keep(stream, hidden)


def _default(gpu: Gpu, values: Iterable[Any]) -> Any:
    """The default stream, if arrays are ours, or hold operands, that belong to it."""
    found = map(array_of, values)  # those of a list are of one library
    ours = any(type(owner_of(x)) is DeviceStorage and getattr(x, INTERFACE)["stream"] == 1 for x in found)
    return gpu.stream(None) if ours else None


def device_call(
    op: Operation,
    operands: Mapping[str, Any],
    flags: Mapping[str, Any],
    scalars: Mapping[str, Any],
    names: Mapping[str, str] | None = None,
) -> DeviceCall:
    """The call of ``op`` on what a user gave, everything checked and compiled; nobody waits. Nothing is copied but
    tables of addresses.

    Raises what calls on host arrays raise; TypeError where some operands are in host memory.
    """
    told_so, held = exported(operands, lambda x: (names or {}).get(x) or user_names(op)[x])
    call = _call(op, told_so, flags, scalars, names)
    reports = call.reports and call.reports.array
    own = _default(call.side.gpu, [*call.operands.values(), reports]) if call.launch else None
    call = replace(call, own=own, held=held, hidden=_hidden(op, call, operands))
    if told_so is operands:
        return call
    given = {x: value for x, value in operands.items() if value is not None}
    return replace(call, operands={**call.operands, **given}, kept=told_so)


def _hidden(op: Operation, call: DeviceCall, given: Mapping[str, Any]) -> tuple[Any, ...]:
    """What was made for a call on operands that were ``given``, but for its results."""
    if library_of(call.side.like).graphs:
        return ()
    made = [call.operands[x] for x, value in given.items() if value is None and x not in op.returns]
    return (*(x for x in made if x is not None), *([call.reports.array] if call.reports else []))


def _call(
    op: Operation,
    operands: Mapping[str, Any],
    flags: Mapping[str, Any],
    scalars: Mapping[str, Any],
    names: Mapping[str, str] | None,
    within: DeviceReports | None = None,
) -> DeviceCall:
    """``within``: on which stream, and where matrices report, if they are part of several batches."""
    kinds = {x.name: x.kind for x in op.parameters}
    try:
        known = {name: told(value, kinds[name]) for name, value in operands.items() if value is not None}
        where = (gpu_of(one.address).number for one in known.values())
        given = scalars.values()
        if not all(isinstance(x, _NUMBERS) for x in given):
            raise TypeError  # by what others say of themselves two may look alike
        numbers = *given, *map(type, given), *map(str, given)  # 2 and 2 + 0j are equal, and 0 and -0
        key = "gpu", id(op), *flags.values(), *numbers, *known, *(x.key for x in known.values()), *where
        route: DeviceRoute | LargeRoute | None = RUNTIME.calls[key]
    except (AttributeError, TypeError, *CANNOT_TELL):  # what no call takes, or has no such way
        return _long_way(op, operands, flags, scalars, names, within)
    batch = agreed(list(known.values()))
    if route is not None and batch and route.takes(batch) and apart(op, known):
        return _on_the_way(route, operands, known, batch, within)
    call = _long_way(op, operands, flags, scalars, names, within)
    if call.route is not None:
        RUNTIME.calls.keep(key, call.route)
    return call


def _on_the_way(
    route: DeviceRoute | LargeRoute,
    operands: Mapping[str, Any],
    known: Mapping[str, Told],
    batch: int,
    within: DeviceReports | None,
) -> DeviceCall:
    arrays = [found for found in map(array_of, operands.values()) if found is not None]
    side = DeviceSide.of(route.gpu, arrays, within)
    made = {x: side.made(x, recipe(batch), recipe)[0] for x, recipe in route.made.items()}
    known = {**known, **{x: told(value, route.op.operand(x).kind) for x, value in made.items()}}
    reports = (within or side.reports(batch)) if route.reports else None
    launch, memory = route.launched(side.stream, known, batch, reports.address if reports else 0)
    return DeviceCall(launch, {**operands, **made}, reports, side, route.kernel, route, memory=memory)


def _long_way(
    op: Operation,
    operands: Mapping[str, Any],
    flags: Mapping[str, Any],
    scalars: Mapping[str, Any],
    names: Mapping[str, str] | None,
    within: DeviceReports | None,
) -> DeviceCall:
    """Everything looked at."""
    users, arrays = {**user_names(op), **(names or {})}, list[Any]()
    gpu = gpu_of_all(users, operands)
    _check_not_fixed(op, users, operands)
    if found := device_groups(op, operands, flags, scalars, users):
        arrays += [array for value in operands.values() for array in arrays_of(value)]
        return _in_turn(op, DeviceSide.of(gpu, arrays, within), found, operands)
    heads: Mapping[str, Any] = {x: seen(users[x], value, op.operand(x).kind, arrays) for x, value in operands.items()}
    heads, recipes = with_made(op, heads, flags, scalars, users)
    side = DeviceSide.of(gpu, arrays, within)
    made, new = {x: side.made(users[x], heads[x], recipe) for x, recipe in recipes.items()}, {}

    def make(x: str, wanted: NewOperand) -> Any:
        new[x], head = side.new(users[x], wanted)
        return head

    heads = {**heads, **{x: head for x, (_, head) in made.items()}}
    bound = looked_at(op, heads, flags, scalars, users, make)
    operands = {**operands, **{x: own for x, (own, _) in made.items()}, **new}
    numbers = _numbers(op, scalars, heads)
    if isinstance(bound, Unlike):
        reports = (within or side.reports(bound.variable.batch)) if op.info else None
        bins = bin_launches(op, side, bound, numbers, reports)
        launch = partial(in_turn, side.stream.handle, bins.launches) if bins.launches else None
        return DeviceCall(launch, operands, reports, side, bins.kernel, memory=bins.place.some)
    return _alike(op, side, bound, numbers, operands, recipes, within)


def _check_not_fixed(op: Operation, users: Mapping[str, str], operands: Mapping[str, Any]) -> None:
    """Refuse to write arrays of libraries whose arrays are never written."""
    for x in op.outputs:
        if (array := array_of(operands[x.name])) is not None and library_of(array).fixed:
            raise TypeError(f"{users[x.name]} is a {library_name(array)}: expected an array that may be written")


def _alike(
    op: Operation,
    side: DeviceSide,
    bound: Alike,
    scalars: Mapping[str, complex],
    operands: Mapping[str, Any],
    made: Mapping[str, Recipe],
    within: DeviceReports | None,
) -> DeviceCall:
    """The call on matrices that are alike."""
    batch, tables = checked(op, *bound), Tables()
    found = matched(op, *bound)
    reports = (within or side.reports(batch, zero=found is None)) if op.info else None
    if batch and found and is_large(op, found, bound.flags, side.gpu.architecture):
        given = (found.spec, *bound, scalars, batch, side.stream, made)
        if large := routed(op, side.gpu, *given):
            known = {x: Told((), y.arrays[0].ctypes.data, y.batch, 0, 0) for x, (_, y) in bound.named.items()}
            launch, memory = large.launched(side.stream, known, batch, reports.address if reports else 0)
            return DeviceCall(launch, operands, reports, side, large.kernel, large, memory=memory)
    route = _route(op, side, found, scalars, made) if batch and found else None
    if route is None:
        return DeviceCall(None, operands, reports, side)
    pointed = {x: y for x, (_, y) in bound.named.items() if y.form.layout is Layout.PP}
    at = {x: tables.put(table_of(y)) for x, y in pointed.items() if not table_on_gpu(y)}
    place = tables.placed(side.gpu, side.stream)
    first = {x: y.arrays[0].ctypes.data for x, (_, y) in bound.named.items() if x not in pointed}
    first |= {x: place.address + at[x] if x in at else table_of(y).ctypes.data for x, y in pointed.items()}
    known = {x: Told((), first[x], y.batch, 0, y.form.nb) for x, (_, y) in bound.named.items()}
    arguments = route.arguments(known, batch, reports.address if reports else 0)
    launch = route.kernel.bound(side.stream, batch, arguments)
    return DeviceCall(launch, operands, reports, side, route.kernel, route, memory=place.some)


def _in_turn(
    op: Operation, side: DeviceSide, given: Sequence[tuple[Group, int]], operands: Mapping[str, Any]
) -> DeviceCall:
    """The calls of groups, one after another on one stream."""
    ends = [0, *accumulate(size for _, size in given)]
    reports = side.reports(ends[-1], zero=True) if op.info else DeviceReports(None, side.stream, 0)
    calls = [
        _call(op, x.operands, x.flags, x.scalars, x.names, reports.after(end))
        for (x, _), end in zip(given, ends, strict=False)
    ]
    made = {x: [call.operands[x] for call in calls] for x, value in operands.items() if value is None}
    launch = partial(in_turn, side.stream.handle, [call.launch for call in calls if call.launch])
    kernel = next((call.kernel for call in calls if call.kernel), None)
    memory = tuple(place for call in calls for place in call.memory)
    return DeviceCall(launch, {**operands, **made}, reports if op.info else None, side, kernel, memory=memory)


def _numbers(op: Operation, scalars: Mapping[str, Any], heads: Mapping[str, Any]) -> dict[str, complex]:
    """The scalars that all matrices share, by their names in C."""
    given = scalar_arguments(op, scalars, next(x for x in heads.values() if x is not None))
    return {own: number(x) for own, x in zip(op.scalars, given, strict=True) if x is not None}


def _route(
    op: Operation, side: DeviceSide, found: KernelCall, scalars: Mapping[str, complex], made: Mapping[str, Recipe]
) -> DeviceRoute | None:
    """The call without its operands; None where no kernel is to run."""
    spec = on_gpu(found.spec, found.spec.sizes)
    kernel = side.gpu.kernel(spec, scalars, side.stream)
    if kernel is None:
        return None
    whence = sources(kernel, entry_names(found.spec), found.arguments)
    at = {where: slot for slot, where in enumerate(whence) if isinstance(where, str)}
    names = [x.name for x in op.parameters]
    return DeviceRoute(
        op,
        side.gpu,
        kernel,
        template=tuple(argument(x, y, scalars, spec) for x, y in zip(kernel.function.arguments, whence, strict=True)),
        addresses=tuple((at[name], name) for name in names),
        lanes=tuple((at[lanes_of(name)], name) for name in names if lanes_of(name) in at),
        batch_slot=at["batch_count"],
        info_slot=at.get("info"),
        made=made,
    )
