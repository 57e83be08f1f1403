"""A call on arrays that are on a GPU: checked as all calls are, by headers, then queued on the caller's stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

import numpy as np

from ..arrays.device import INTERFACE, array_of, header, is_device_array, library_of, owner_of, streams_of
from ..arrays.headers import Array
from ..arrays.host import check_writable, describe
from ..arrays.overlap import check_overlap
from ..codegen.device import Argument
from ..codegen.signature import signature_of
from ..ir.operation import Operation
from ..ir.spec import KernelSpec, letter
from ..ir.terms import Kind, Letter
from .call import matched, user_names
from .device_interleaved import interleaved_beside, library_name, made_beside
from .device_route import DeviceRoute, Told, agreed, apart, told
from .dlpack import exported, hold
from .each import is_each
from .gpu import DeviceKernel, DeviceStorage, Gpu, capturing, fetched, gpu_of
from .marshal import scalar
from .orient import KernelCall, lanes_of
from .outputs import Recipe, with_made
from .shapes import Named, resolve_sizes
from .state import RUNTIME
from .storage import Storage


@dataclass(frozen=True)
class DeviceReports:
    """What matrices report, an int32 array on the GPU that is written on ``stream``."""

    array: Any
    stream: Any

    def fetched(self) -> Array:
        """A copy in host memory, once the GPU is done."""
        head, library = header("info", self.array), library_of(self.array)
        own = gpu_of(head.ctypes.data).stream(library.stream(self.array)) if library.current else self.stream
        return fetched(head, own)


@dataclass(frozen=True)
class DeviceCall:
    """What is to be queued on ``stream``, ``launch`` (None where there is nothing to do); the ``operands`` by their
    names in the table, with those that were made; and what matrices report, if they do. ``own`` is the default stream
    where arrays of ours are among them. ``kept``: what was exported to the call, which must live until it is done."""

    launch: partial[None] | None
    operands: Mapping[str, Any]
    reports: DeviceReports | None
    stream: Any
    route: DeviceRoute | None = None
    own: Any = None
    kept: Any = None

    @property
    def kernel(self) -> DeviceKernel | None:
        return None if self.route is None else self.route.kernel

    @property
    def run(self) -> Callable[[], None] | None:
        return self.launch and self.on(self.stream)

    def on(self, stream: Any) -> Callable[[], None]:
        """What queues it on a stream."""
        assert self.launch is not None
        launch = self.launch
        if stream is not self.stream:
            launch = partial(launch.func, stream, *launch.args[1:])
        if self.kept is None and (self.own is None or self.own is stream):
            return launch
        return partial(_queue, launch, stream, self.own, self.kept)

    def __call__(self) -> int:
        if run := self.run:
            run()
        return 0

    def followed(self) -> Callable[[], Any]:
        """What runs it on the stream on which the caller works then, where a library says which that is."""
        arrays = map(array_of, self.operands.values())
        teller = next((x for x in arrays if x is not None and library_of(x).current), None)
        if self.launch is None or teller is None:
            return self.run or self
        return partial(_follow, self.launch, self, library_of(teller).stream, teller)


def _follow(_launch: Any, call: DeviceCall, stream_of: Callable[[Any], int | None], teller: Any) -> None:
    assert call.route is not None
    call.on(call.route.gpu.stream(stream_of(teller)))()


def _queue(launch: Callable[[], None], stream: Any, own: Any, seen: Any) -> None:
    """Queue a call behind what the default stream does with arrays of ours, which goes on behind it; a graph is queued
    by its caller."""
    alone = capturing(stream)
    if own is not None and not alone:
        stream.wait(own)
    launch()
    if own is not None and not alone:
        own.wait(stream)
    if seen is not None and not alone:
        hold(stream, seen)


def _default(gpu: Gpu, values: Iterable[Any]) -> Any:
    """The default stream, if arrays are ours, or hold operands, that belong to it."""
    found = (getattr(value, "data", value) for value in values)
    ours = any(type(owner_of(x)) is DeviceStorage and getattr(x, INTERFACE)["stream"] == 1 for x in found)
    return gpu.stream(None) if ours else None


def any_on_device(operands: Iterable[Any]) -> bool:
    return any(array_of(value) is not None for value in operands)


def device_call(
    op: Operation,
    operands: Mapping[str, Any],
    flags: Mapping[str, Any],
    scalars: Mapping[str, Any],
    names: Mapping[str, str] | None = None,
) -> DeviceCall:
    """The call of ``op`` on what a user gave, everything checked and compiled; nothing is copied, and nobody waits.

    Raises what calls on host arrays raise; TypeError where some operands are in host memory.
    """
    seen = exported(operands)
    call = _call(op, seen, flags, scalars, names)
    if seen is operands:
        return call
    given = {x: value for x, value in operands.items() if value is not None}
    return replace(call, operands={**call.operands, **given}, kept=seen)


def _call(
    op: Operation,
    operands: Mapping[str, Any],
    flags: Mapping[str, Any],
    scalars: Mapping[str, Any],
    names: Mapping[str, str] | None,
) -> DeviceCall:
    kinds = {x.name: x.kind for x in op.parameters}
    try:
        known = {name: told(value, kinds[name]) for name, value in operands.items() if value is not None}
        where = (gpu_of(one.address).number for one in known.values())
        key = "gpu", id(op), *flags.values(), *scalars.values(), *known, *(x.key for x in known.values()), *where
        route: DeviceRoute | None = RUNTIME.calls[key]
    except (AttributeError, TypeError):  # what no call takes
        return _long_way(op, operands, flags, scalars, names)
    batch = agreed(list(known.values()))
    if route is not None and batch and apart(op, known):
        return _on_the_way(route, operands, known, batch)
    call = _long_way(op, operands, flags, scalars, names)
    if call.route is not None:
        RUNTIME.calls.keep(key, call.route)
    return call


def _on_the_way(route: DeviceRoute, operands: Mapping[str, Any], known: Mapping[str, Told], batch: int) -> DeviceCall:
    arrays = [found for found in map(array_of, operands.values()) if found is not None]
    like = _like(arrays)
    made = {x: _made(x, like, recipe(batch), recipe) for x, recipe in route.made.items()}
    known = {**known, **{x: told(value, route.op.operand(x).kind) for x, value in made.items()}}
    stream = _stream(route.gpu, arrays)
    reports, address = None, 0
    if route.info_slot is not None:
        reports = _reports(like, batch, stream)
        address = told(reports.array, Kind.INDEX).address
    launch = route.kernel.bound(stream, batch, route.arguments(known, batch, address))
    own = _default(route.gpu, [*operands.values(), *made.values(), reports and reports.array])
    return DeviceCall(launch, {**operands, **made}, reports, stream, route, own)


def _long_way(
    op: Operation,
    operands: Mapping[str, Any],
    flags: Mapping[str, Any],
    scalars: Mapping[str, Any],
    names: Mapping[str, str] | None,
) -> DeviceCall:
    """Everything looked at."""
    users = {**user_names(op), **(names or {})}
    arrays = [found for found in map(array_of, operands.values()) if found is not None]
    one_for_all(op, flags, scalars)
    for x in op.outputs:
        if (array := array_of(operands[x.name])) is not None and library_of(array).fixed:
            raise TypeError(f"{users[x.name]} is a {library_name(array)}: expected an array that may be written")
    gpu = _gpu(users, operands)
    heads: Mapping[str, Any] = {x: _head(users[x], value, users, operands) for x, value in operands.items()}
    heads, recipes = with_made(op, heads, flags, scalars)
    like = _like(arrays)
    made = {x: _made(users[x], like, heads[x], recipe) for x, recipe in recipes.items()}
    heads = {**heads, **{x: looked_at(users[x], value) for x, value in made.items()}}
    letters = {flag: letter(flag, flags[flag]) for flag in op.flags}
    named, batch = checked(op, heads, users, letters)
    found, operands, stream = matched(op, named, letters), {**operands, **made}, _stream(gpu, arrays)
    reports = _reports(like, batch, stream, zero=found is None) if op.info else None
    if not batch or found is None:
        return DeviceCall(None, operands, reports, stream)
    dtype = next(named[x.name][1].dtype for x in op.parameters if x.kind is Kind.SCALAR)
    pairs = zip(op.scalars, op.user_scalars, strict=True)
    numbers = {own: _number(scalar(user, scalars[user], dtype, real=own in op.real_scalars)) for own, user in pairs}
    route = _route(op, gpu, found, numbers, recipes, stream)
    if route is None:
        return DeviceCall(None, operands, reports, stream)
    places = {x: Told((), y.arrays[0].ctypes.data, y.batch, 0, y.form.nb) for x, (_, y) in named.items()}
    address = header("info", reports.array).ctypes.data if reports else 0
    launch = route.kernel.bound(stream, batch, route.arguments(places, batch, address))
    own = _default(gpu, [*operands.values(), reports and reports.array])
    return DeviceCall(launch, operands, reports, stream, route, own)


def one_for_all(op: Operation, flags: Mapping[str, Any], scalars: Mapping[str, Any]) -> None:
    """TypeError where each matrix has a flag or a scalar of its own."""
    given = [(x, flags[x], str) for x in op.flags] + [(x, scalars[x], float) for x in op.user_scalars]
    for name, value, kind in given:
        if is_each(value, kind):
            raise TypeError(f"{name} = {value!r}: expected one for all matrices, as a GPU is to work on them")


def checked(
    op: Operation, heads: Mapping[str, Any], users: Mapping[str, str], letters: Mapping[str, Letter]
) -> tuple[Named, int]:
    """The operands, looked at and agreed, and their batch size."""
    named: dict[str, Any] = {
        x.name: (users[x.name], describe(users[x.name], heads[x.name], x.kind)) for x in op.parameters
    }
    _, batch = resolve_sizes(op, named, letters, complete=True)
    for x in op.outputs:
        name, output = named[x.name]
        check_writable(name, output)
        check_overlap(name, output.places, {n: o.places for n, o in named.values() if o is not output})
    for name, operand in named.values():
        if operand.copies:
            raise ValueError(f"{name} has elements that are not aligned: expected what a GPU can read as it is")
    return named, batch or 0


def _gpu(users: Mapping[str, str], operands: Mapping[str, Any]) -> Gpu:
    """The GPU on which all operands are."""
    known = {users[x]: array for x, value in operands.items() if (array := array_of(value)) is not None}
    found = {name: gpu_of(header(name, array).ctypes.data) for name, array in known.items()}
    first, own = next(iter(found.items()))
    for name, other in found.items():
        if other is not own and known[name].shape and 0 not in known[name].shape:
            raise ValueError(f"{name} is on GPU {other.number} and {first} on GPU {own.number}: expected one GPU")
    return own


def _head(name: str, value: Any, users: Mapping[str, str], operands: Mapping[str, Any]) -> Any:
    if value is None or array_of(value) is not None:
        return value if value is None else looked_at(name, value)
    other = next(users[x] for x, one in operands.items() if array_of(one) is not None)
    raise TypeError(f"{name} is a {type(value).__name__} in host memory and {other} is on a GPU: expected both there")


def _like(arrays: Sequence[Any]) -> Any:
    """The array of which new ones are like: the first one whose library makes any."""
    return next((x for x in arrays if library_of(x).make is not None), arrays[0])


def looked_at(name: str, value: Any) -> Any:
    """What is looked at for an operand on a GPU."""
    return header(name, value) if is_device_array(value) else value.head


def _made(name: str, like: Any, example: Any, recipe: Recipe) -> Any:
    """A new operand on the GPU, such as the ``example`` that was made for the host."""
    recipe = cast("partial[Any]", recipe)
    by_columns, zero = (recipe.keywords.get(x, False) for x in ("by_columns", "zero"))
    if not isinstance(example, np.ndarray):
        return interleaved_beside(name, like, Storage.like(example), type(example), zero=zero)
    shape = example.shape if not by_columns else (example.shape[0], *example.shape[:0:-1])
    found = made_beside(name, like, shape, example.dtype, zero)
    return found.swapaxes(1, 2) if by_columns else found


def _stream(gpu: Gpu, arrays: Sequence[Any]) -> Any:
    """The stream of the caller; it waits for those that others are written on, unless it captures: what a graph depends
    on must be captured too."""
    own, *others = streams_of(arrays)
    stream = gpu.stream(own)
    if others and capturing(stream):
        return stream
    for other in others:
        stream.wait(gpu.stream(other))
    return stream


def _reports(like: Any, batch: int, stream: Any, *, zero: bool = False) -> DeviceReports:
    return DeviceReports(made_beside("info", like, (batch,), np.dtype(np.int32), zero), stream)


def _route(
    op: Operation,
    gpu: Gpu,
    found: KernelCall,
    scalars: Mapping[str, complex],
    made: Mapping[str, Recipe],
    stream: Any,
) -> DeviceRoute | None:
    """The call without its operands; None where no kernel is to run."""
    spec = replace(found.spec, target="cuda")
    kernel = gpu.kernel(spec, scalars, stream)
    if kernel is None:
        return None
    values = dict(zip((p.name for p in signature_of(spec).parameters), found.arguments, strict=False))
    whence = [values.get(x.of, x.of) for x in kernel.function.arguments]
    at = {where: slot for slot, where in enumerate(whence) if isinstance(where, str)}
    names = [x.name for x in op.parameters]
    return DeviceRoute(
        op,
        gpu,
        kernel,
        template=tuple(_argument(x, y, scalars, spec) for x, y in zip(kernel.function.arguments, whence, strict=True)),
        addresses=tuple((at[name], name) for name in names),
        lanes=tuple((at[lanes_of(name)], name) for name in names if lanes_of(name) in at),
        batch_slot=at["batch_count"],
        info_slot=at.get("info"),
        made=made,
    )


def _argument(x: Argument, whence: Any, scalars: Mapping[str, complex], spec: KernelSpec) -> Any:
    """What is launched with, where it is known: sizes are 64-bit integers, reals of the kernel's precision."""
    if whence not in scalars:
        return None if isinstance(whence, str) else int(whence)
    part = scalars[whence].imag if x.part == "im" else scalars[whence].real
    return np.float32(part) if spec.p.storage.bytes == 4 else float(part)


def _number(value: Any) -> complex:
    """A scalar as a number, from what C is given for it."""
    return complex(value) if isinstance(value, (int, float)) else complex(value[0], value[1])
