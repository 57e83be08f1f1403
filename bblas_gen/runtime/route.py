"""The short way of a call that is like an earlier one.

A call is remembered as a whole: from what comes in (operation, flags, and of each operand dtype, shape, strides and
alignment) to where everything goes. What was checked then depends on nothing else, but for what is asked here again:
batch sizes, overlaps, scalars and threads. This way only ever says yes. Where it does not, the call goes the long way,
which looks at everything, and refuses what is wrong by its name.

The batch size is no part of what is remembered: a kernel is chosen by shape and layout.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import permutations
from typing import Any

import numpy as np

from ..arrays.device import any_on_device, with_axis
from ..arrays.headers import ALIGNED, C_CONTIGUOUS, WRITEABLE
from ..arrays.host import Array
from ..arrays.overlap import ANY_LENGTH, Places, check_overlap, may_grow
from ..arrays.pointers import Pointers
from ..arrays.ragged import as_ragged
from ..ir.operation import Operand, Operation
from ..ir.terms import Kind
from .bind import bind
from .call import Call, no_memory, user_names
from .calls import Calls
from .each import is_each
from .groups import Group, groups
from .kernels import Kernel, side_by_side
from .marshal import address, ffi, scalar, scalar_arguments, thread_argument
from .orient import lanes_of
from .outputs import Recipe, check_scale, with_made
from .state import RUNTIME

FLAGS = C_CONTIGUOUS | ALIGNED | WRITEABLE
_NDARRAY = np.ndarray
_may_share_memory = np.may_share_memory


Ready = tuple[Callable[..., Any], Sequence[Any], Mapping[str, Any], Any, Any, Any]
"""A call that only has to be run, ``run(*arguments)``; its operands, with those that were made; its reports; its
kernel, None where there is nothing to compute; and what must live until then."""


@dataclass(frozen=True, slots=True)
class Route:
    """What a call comes to, without its operands, in positions: of the operands as given, of C arguments.

    ``op`` is here so that nothing else gets its id. ``template``: the C arguments but for those that ``pointers`` (of
    each operand), ``lanes`` and ``scalars`` (name, whether it is a C double) say, ``batch_slot``, ``info_slot``, and
    the threads. ``lengths``: of each operand that is given, the rows of one matrix for all, or None for a batch;
    ``first``: the first batch. ``limit``: batches up to it are known not to overlap themselves. ``pairs``: those that
    must not overlap, the first of each is written; where one is a list they are in ``listed``, an output beside itself
    too. ``made``: those that are made, and whether a scalar must be 0 for it.
    """

    op: Operation
    kernel: Kernel
    function: Callable[..., Any]
    dtype: np.dtype[Any]
    template: list[Any]
    batch_slot: int
    info_slot: int
    pointers: tuple[tuple[int, Callable[[Array], Any]], ...]
    lanes: tuple[tuple[int, int], ...]
    scalars: tuple[tuple[int, str, bool], ...]
    lengths: tuple[tuple[int, int | None], ...]
    first: int
    limit: int
    pairs: tuple[tuple[int, int], ...]
    listed: tuple[tuple[int, int], ...]
    made: tuple[tuple[int, str, Recipe, bool], ...]


Keep = Callable[[Route], None]


def execute(
    op: Operation,
    operands: Mapping[str, Any],
    flags: Mapping[str, Any],
    scalars: Mapping[str, Any],
    num_threads: Any,
    *,
    names: Mapping[str, str] | None = None,
) -> None:
    """Run ``op`` on what a user gave."""
    run, arguments, *_kept = prepare(op, operands, flags, scalars, num_threads, names)
    if run(*arguments):
        raise no_memory(op)


def prepare(
    op: Operation,
    operands: Mapping[str, Any],
    flags: Mapping[str, Any],
    scalars: Mapping[str, Any],
    num_threads: Any,
    names: Mapping[str, str] | None = None,
) -> Ready:
    """The call of ``op`` on what a user gave, everything checked. ``names``: the user's names of operands, where they
    are not the usual. Operands that may be left out are None."""
    ready, keep = _short_way(op, operands, flags, scalars, num_threads, names)
    return ready or long_way(op, operands, flags, scalars, num_threads, names, keep)


def prepare_one(
    op: Operation, operands: Mapping[str, Any], flags: Mapping[str, Any], scalars: Mapping[str, Any], num_threads: Any
) -> Ready:
    """The call of ``op`` on single matrices: that of a batch of one. The operands that come back are single, too."""
    ready, keep = _short_way(op, operands, flags, scalars, num_threads, None, alone=True)
    if ready is None:
        keep_one = partial(_keep_one, keep, list(operands.values())) if keep else None
        ready = long_way(op, as_batch(operands), flags, scalars, num_threads, None, keep_one)
    run, arguments, found, *more = ready
    if found is not operands:  # some were made
        found = {x: found[x][0] if value is None and found[x] is not None else value for x, value in operands.items()}
    return run, arguments, found, *more


def as_batch(operands: Mapping[str, Any]) -> dict[str, Any]:
    """Single matrices as batches of one."""
    return {name: value if value is None else with_batch_axis(value) for name, value in operands.items()}


def with_batch_axis(value: Any) -> Any:
    """A single matrix as a batch of one."""
    return value[None] if isinstance(value, np.ndarray) else with_axis(value)


def _keep_one(keep: Keep, given: Sequence[Any], route: Route) -> None:
    """Keep the route of a batch of one for single matrices."""
    pairs = zip(route.pointers, given, strict=True)
    keep(replace(route, pointers=tuple((slot, own if x is None else _pointer(x)) for (slot, own), x in pairs)))


def _short_way(
    op: Operation,
    operands: Mapping[str, Any],
    flags: Mapping[str, Any],
    scalars: Mapping[str, Any],
    num_threads: Any,
    names: Mapping[str, str] | None,
    *,
    alone: bool = False,
) -> tuple[Ready | None, Keep | None]:
    """The call, if one like it was made before; else what takes its route, if there may be one. ``alone``: the operands
    are single matrices."""
    calls = RUNTIME.calls
    parts: list[Any] = [id(op), *flags.values()]
    arrays: list[Any] = []
    lengths: list[int | None] = []
    try:
        for value in operands.values():
            if type(value) is _NDARRAY:
                shape = value.shape
                parts += value.dtype, shape if alone else shape[1:], value.strides, value.flags.num & FLAGS
                arrays.append(value)
                lengths.append(1 if alone else shape[0])
            elif value is None:
                parts.append(None)
                arrays.append(None)
                lengths.append(None)
            else:
                parts.append((found := _seen(value)).call_key)
                arrays.append(_with_address(found))
                lengths.append(found.batch)
        key = tuple(parts)
        route: Route | None = calls[key]
    except (AttributeError, IndexError, TypeError):  # what no call takes, or what takes the long way
        key, route = (), None
    if route is None or not _fits(route, lengths):
        return None, partial(calls.keep, key) if key else None
    for i, j in route.pairs:
        x, y = arrays[i], arrays[j]
        # two arrays that both own their memory share none
        if (x is y or x.base is not None or y.base is not None) and _may_share_memory(x, y):
            if alone:
                return None, None
            _check(op, names, list(operands), arrays, i, j)
    for i, j in route.listed:
        _check(op, names, list(operands), arrays, i, j)
    return _on_the_way(route, operands, arrays, lengths[route.first], scalars, num_threads), None


def _fits(route: Route, lengths: Sequence[int | None]) -> bool:
    batch = lengths[route.first]
    for i, length in route.lengths:
        if lengths[i] != (batch if length is None else length):
            return False
    return batch <= route.limit  # type: ignore[operator]


def _on_the_way(
    route: Route,
    operands: Mapping[str, Any],
    arrays: list[Any],
    batch: Any,
    scalars: Mapping[str, Any],
    num_threads: Any,
) -> Ready | None:
    """None where each matrix has a scalar of its own."""
    arguments = route.template[:]
    for slot, name, plain in route.scalars:
        value = scalars[name]
        # a float that every precision holds needs no further look
        known = plain and type(value) is float and (1e-30 < abs(value) < 1e30 or value == 0)
        if not known and is_each(value, float):
            return None
        arguments[slot] = value if known else scalar(name, value, route.dtype, real=plain)
    for i, name, recipe, scaled in route.made:
        if scaled:
            check_scale(route.op, name, scalars)
        made = recipe(batch)
        arrays[i] = _with_address(_seen(made))
        operands = {**operands, name: made}
    for (slot, pointer), array in zip(route.pointers, arrays, strict=True):
        arguments[slot] = pointer(array)
    for slot, i in route.lanes:
        arguments[slot] = arrays[i].shape[-1]
    info = counted(route, arguments, batch, num_threads)
    return route.function, arguments, operands, info, route.kernel, arrays


def counted(route: Route, arguments: list[Any], batch: Any, num_threads: Any) -> Any:
    """Fill in how many matrices and threads there are, and where matrices report, which comes back."""
    arguments[route.batch_slot] = batch
    arguments[-1] = 0 if num_threads is None and not RUNTIME.forked else thread_argument(num_threads)
    if not route.info_slot:
        return None
    info = np.zeros(batch, np.int32)
    arguments[route.info_slot] = ffi().from_buffer(info)
    return info


def long_way(
    op: Operation,
    operands: Mapping[str, Any],
    flags: Mapping[str, Any],
    scalars: Mapping[str, Any],
    num_threads: Any,
    names: Mapping[str, str] | None = None,
    keep: Keep | None = None,
) -> Ready:
    """Everything looked at, and what was found out handed to ``keep``."""
    if any_on_device(operands.values()):
        from .device_call import device_call  # here: importing bblas_gen must stay fast

        queued = device_call(op, operands, flags, scalars, names)
        return queued.run or queued, (), queued.operands, queued.reports, queued.kernel, queued
    if found := groups(op, operands, flags, scalars, {**user_names(op), **(names or {})}):
        return _in_turn(op, found, operands, num_threads)
    seen, made = with_made(op, {name: as_ragged(value) for name, value in operands.items()}, flags, scalars, names)
    operands = {**operands, **{name: seen[name] for name in made}}
    call = bind(op, seen, flags, scalars, names)
    if isinstance(call, Calls):
        operands = {**operands, **call.made}
    numbers = scalar_arguments(op, scalars, next(iter(operands.values())))
    threads = thread_argument(num_threads)
    info = np.zeros(call.batch, np.int32) if call.info else None
    if keep and isinstance(call, Call) and call.kernel and not call.copied_in:
        keep(_route(op, call, call.kernel, operands, made))
    return call.bound(op, numbers, threads, info), (), operands, info, call.kernel, call


def _in_turn(op: Operation, given: Sequence[Group], operands: Mapping[str, Any], num_threads: Any) -> Ready:
    """The calls of groups, one after another; new kernels are compiled side by side."""

    def seen(group: Group) -> Ready:
        return prepare(op, group.operands, group.flags, group.scalars, num_threads, group.names)

    short = [_short_way(op, x.operands, x.flags, x.scalars, num_threads, x.names)[0] for x in given]
    new = [group for group, ready in zip(given, short, strict=True) if ready is None]
    rest = iter(side_by_side(seen, new))
    calls = [ready or next(rest) for ready in short]
    made = {x: [call[2][x] for call in calls] for x, value in operands.items() if value is None}
    reports = [call[3] for call in calls if call[3] is not None]
    info = np.concatenate(reports) if reports else None
    kernel = next((call[4] for call in calls if call[4]), None)
    return partial(_run_all, calls, reports, info), (), {**operands, **made}, info, kernel, calls


def _run_all(calls: Sequence[Ready], reports: Sequence[Array], info: Array | None) -> int:
    for run, arguments, *_ in calls:
        if status := run(*arguments):
            return int(status)
    if info is not None:
        np.concatenate(reports, out=info)
    return 0


def _route(op: Operation, call: Call, kernel: Kernel, operands: Mapping[str, Any], made: Mapping[str, Recipe]) -> Route:
    names, seen = list(operands), [_seen(value) for value in operands.values()]
    arrays, dtype = [_with_address(value) for value in seen], seen[0].dtype
    given = [i for i, name in enumerate(names) if name not in made]
    lengths = [(i, len(arrays[i]) if _shared(op.operand(names[i]), seen[i]) else None) for i in given]
    written = [names.index(x.name) for x in op.outputs if x.name not in made]
    pairs = [(i, j) for i, j in permutations(given, 2) if i in written and not (j in written and j < i)]
    pairs += [(i, i) for i in written if type(arrays[i]) is Pointers]
    listed = [pair for pair in pairs if Pointers in map(type, (arrays[i] for i in pair))]
    template = list(call.argument_template)
    for name in names:
        template[call.slots[name]] = None
    doubles = [name in op.real_scalars or dtype.kind != "c" for name in op.scalars]
    return Route(
        op=op,
        kernel=kernel,
        function=kernel.library.function,
        dtype=dtype,
        template=template,
        batch_slot=call.slots["batch_count"],
        info_slot=call.slots.get("info", 0),
        pointers=tuple((call.slots[name], _pointer(array)) for name, array in zip(names, arrays, strict=True)),
        lanes=tuple((call.slots[x], i) for i, name in enumerate(names) if (x := lanes_of(name)) in call.slots),
        scalars=tuple((call.slots[x], y, z) for x, y, z in zip(op.scalars, op.user_scalars, doubles, strict=True)),
        lengths=tuple(lengths),
        first=next(i for i, length in lengths if length is None),
        limit=ANY_LENGTH if all(_may_grow(arrays[i]) for i in written) else call.batch,
        pairs=tuple(pair for pair in pairs if pair not in listed),
        listed=tuple(listed),
        made=tuple((names.index(x), x, recipe, op.operand(x).scaled_by is not None) for x, recipe in made.items()),
    )


def _may_grow(array: Any) -> bool:
    return type(array) is Pointers or may_grow(array)  # pointers are looked at in every call


def _shared(x: Operand, value: Any) -> bool:
    """Whether it is one matrix for the whole batch."""
    return bool(value.ndim == (1 if x.kind is Kind.INDEX else 2))


def _seen(value: Any) -> Any:
    """An operand as it is looked at: of a list, the pointers."""
    return Pointers.of(value) if type(value) in (list, tuple) else value


def _with_address(value: Any) -> Any:
    """What the address of an operand is taken of: an array, or pointers."""
    return value if type(value) in (_NDARRAY, Pointers) else value.data


def _pointer(array: Any) -> Callable[[Any], Any]:
    """What makes a C pointer of such an array: pointers, one without elements, without gaps, or of any strides."""
    if type(array) is Pointers:
        return _table
    if not array.size:
        return address
    if array.flags.c_contiguous:
        return ffi().from_buffer  # type: ignore[no-any-return]
    return partial(_first_element, (slice(0, 1),) * array.ndim)


def _table(pointers: Pointers) -> Any:
    return ffi().from_buffer(pointers.addresses)


def _first_element(index: tuple[slice, ...], array: Array) -> Any:
    return ffi().from_buffer(array[index])


def _check(
    op: Operation, names: Mapping[str, str] | None, order: Sequence[str], arrays: Sequence[Any], i: int, j: int
) -> None:
    """Look closely whether output i overlaps j, or itself."""
    users = {**user_names(op), **(names or {})}
    found = [x.places if type(x) is Pointers else Places.of(x) for x in (arrays[i], arrays[j])]
    check_overlap(users[order[i]], found[:1], {users[order[j]]: found[1:]} if i != j else {})
