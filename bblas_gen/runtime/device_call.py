"""A call on arrays that are on a GPU: checked as all calls are, by headers, then queued on the caller's stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Any

from ..arrays.device import array_of, library_of, streams_of
from ..ir.operation import Operation
from ..ir.terms import Layout
from .bind import Alike, Unlike, looked_at
from .call import checked, matched, user_names
from .device_bins import bin_launches
from .device_groups import device_groups
from .device_launch import argument, entry_names, in_turn, number, on_gpu, sources
from .device_memory import Tables
from .device_route import DeviceRoute, Told, agreed, apart, told
from .device_side import DeviceReports, DeviceSide, gpu_of_all, seen, stream_after
from .gpu import DeviceKernel, gpu_of
from .groups import Group
from .marshal import scalar_arguments, table_of, table_on_gpu
from .orient import KernelCall, lanes_of
from .outputs import Recipe, with_made
from .state import RUNTIME
from .unlike import NewOperand


@dataclass(frozen=True)
class DeviceCall:
    """What is to be queued, ``run`` (None where there is nothing to do); the ``operands`` by their names in the table,
    with those that were made; and what matrices report, if they do. ``kernel`` is that of most matrices; ``route``:
    what calls that are like it may take; ``memory``: what must live as long."""

    run: Callable[[], None] | None
    operands: Mapping[str, Any]
    reports: DeviceReports | None
    kernel: DeviceKernel | None = None
    route: DeviceRoute | None = None
    memory: Any = None

    def __call__(self) -> int:
        if self.run:
            self.run()
        return 0


def any_on_device(operands: Iterable[Any]) -> bool:
    return any(array_of(value) is not None for value in operands)


def device_call(
    op: Operation,
    operands: Mapping[str, Any],
    flags: Mapping[str, Any],
    scalars: Mapping[str, Any],
    names: Mapping[str, str] | None = None,
    within: DeviceReports | None = None,
) -> DeviceCall:
    """The call of ``op`` on what a user gave, everything checked and compiled; nobody waits. Nothing is copied but
    tables of addresses. ``within``: on which stream, and where matrices report, if they are part of several batches.

    Raises what calls on host arrays raise; TypeError where some operands are in host memory.
    """
    kinds = {x.name: x.kind for x in op.parameters}
    try:
        known = {name: told(value, kinds[name]) for name, value in operands.items() if value is not None}
        where = (gpu_of(one.address).number for one in known.values())
        key = "gpu", id(op), *flags.values(), *scalars.values(), *known, *(x.key for x in known.values()), *where
        route: DeviceRoute | None = RUNTIME.calls[key]
    except (AttributeError, TypeError):  # what no call takes, or has no such way
        return _long_way(op, operands, flags, scalars, names, within)
    batch = agreed(list(known.values()))
    if route is not None and batch and apart(op, known):
        return _on_the_way(route, operands, known, batch, within)
    call = _long_way(op, operands, flags, scalars, names, within)
    if call.route is not None:
        RUNTIME.calls.keep(key, call.route)
    return call


def _on_the_way(
    route: DeviceRoute,
    operands: Mapping[str, Any],
    known: Mapping[str, Told],
    batch: int,
    within: DeviceReports | None,
) -> DeviceCall:
    arrays = [found for found in map(array_of, operands.values()) if found is not None]
    stream = within.stream if within else stream_after(route.gpu, [library_of(x).stream(x) for x in arrays])
    side = DeviceSide(route.library, route.gpu, arrays[0], stream)
    made = {x: side.made(x, recipe(batch), recipe)[0] for x, recipe in route.made.items()}
    known = {**known, **{x: told(value, route.op.operand(x).kind) for x, value in made.items()}}
    reports = None if route.info_slot is None else within or side.reports(batch)
    run = route.kernel.bound(stream, batch, route.arguments(known, batch, reports.address if reports else 0))
    return DeviceCall(run, {**operands, **made}, reports, route.kernel, route)


def _long_way(
    op: Operation,
    operands: Mapping[str, Any],
    flags: Mapping[str, Any],
    scalars: Mapping[str, Any],
    names: Mapping[str, str] | None,
    within: DeviceReports | None,
) -> DeviceCall:
    """Everything looked at."""
    users = {**user_names(op), **(names or {})}
    gpu, streams = gpu_of_all(users, operands), list[int | None]()
    like = next(array for value in operands.values() if (array := array_of(value)) is not None)
    found = device_groups(op, operands, flags, scalars, users)
    heads: Mapping[str, Any] = {}
    if found:
        streams += [stream for value in operands.values() for stream in streams_of(value)]
    else:
        heads = {x: seen(users[x], value, op.operand(x).kind, streams) for x, value in operands.items()}
    side = DeviceSide(library_of(like), gpu, like, within.stream if within else stream_after(gpu, streams))
    if found:
        return _in_turn(op, side, found, operands)
    heads, recipes = with_made(op, heads, flags, scalars, users)
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
        run = partial(in_turn, bins.launches) if bins.launches else None
        return DeviceCall(run, operands, reports, bins.kernel, memory=bins.place)
    return _alike(op, side, bound, numbers, operands, recipes, within)


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
    route = _route(op, side, found, scalars, made) if batch and found else None
    if route is None:
        return DeviceCall(None, operands, reports)
    pointed = {x: y for x, (_, y) in bound.named.items() if y.form.layout is Layout.PP}
    at = {x: tables.put(table_of(y)) for x, y in pointed.items() if not table_on_gpu(y)}
    place = tables.placed(side.gpu, side.stream)
    first = {x: y.arrays[0].ctypes.data for x, (_, y) in bound.named.items() if x not in pointed}
    first |= {x: place.address + at[x] if x in at else table_of(y).ctypes.data for x, y in pointed.items()}
    known = {x: Told((), first[x], y.batch, 0, y.form.nb) for x, (_, y) in bound.named.items()}
    arguments = route.arguments(known, batch, reports.address if reports else 0)
    run = route.kernel.bound(side.stream, batch, arguments)
    return DeviceCall(run, operands, reports, route.kernel, route, place)


def _in_turn(
    op: Operation, side: DeviceSide, given: Sequence[tuple[Group, int]], operands: Mapping[str, Any]
) -> DeviceCall:
    """The calls of groups, one after another on one stream."""
    ends = [0, *accumulate(size for _, size in given)]
    reports = side.reports(ends[-1], zero=True) if op.info else DeviceReports(None, side.stream, 0)
    calls = [
        device_call(op, x.operands, x.flags, x.scalars, x.names, reports.after(end))
        for (x, _), end in zip(given, ends, strict=False)
    ]
    made = {x: [call.operands[x] for call in calls] for x, value in operands.items() if value is None}
    run = partial(in_turn, [call.run for call in calls if call.run])
    kernel = next((call.kernel for call in calls if call.kernel), None)
    return DeviceCall(run, {**operands, **made}, reports if op.info else None, kernel, memory=calls)


def _numbers(op: Operation, scalars: Mapping[str, Any], heads: Mapping[str, Any]) -> dict[str, complex]:
    """The scalars that all matrices share, by their names in C."""
    given = scalar_arguments(op, scalars, next(x for x in heads.values() if x is not None))
    return {own: number(x) for own, x in zip(op.scalars, given, strict=True) if x is not None}


def _route(
    op: Operation, side: DeviceSide, found: KernelCall, scalars: Mapping[str, complex], made: Mapping[str, Recipe]
) -> DeviceRoute | None:
    """The call without its operands; None where no kernel is to run."""
    spec = on_gpu(found.spec, found.spec.sizes)
    kernel = side.gpu.kernel(spec, scalars)
    if kernel is None:
        return None
    whence = sources(kernel, entry_names(found.spec), found.arguments)
    at = {where: slot for slot, where in enumerate(whence) if isinstance(where, str)}
    names = [x.name for x in op.parameters]
    return DeviceRoute(
        op,
        side.gpu,
        side.library,
        kernel,
        template=tuple(argument(x, y, scalars, spec) for x, y in zip(kernel.function.arguments, whence, strict=True)),
        addresses=tuple((at[name], name) for name in names),
        lanes=tuple((at[lanes_of(name)], name) for name in names if lanes_of(name) in at),
        batch_slot=at["batch_count"],
        info_slot=at.get("info"),
        made=made,
    )
