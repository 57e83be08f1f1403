"""A call on arrays that are on a GPU: checked as all calls are, by headers, then queued on the caller's stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..arrays.device import ArrayLibrary, array_of, header, is_device_array, library_of
from ..arrays.headers import Array
from ..arrays.host import check_writable, describe
from ..arrays.overlap import check_overlap
from ..codegen.device import Argument
from ..codegen.signature import signature_of
from ..ir.operation import Operation
from ..ir.spec import KernelSpec, letter
from ..ir.terms import Kind, Letter
from .call import matched, user_names
from .device_interleaved import DeviceInterleaved
from .device_route import DeviceRoute, Told, agreed, apart, told
from .each import is_each
from .gpu import DeviceKernel, Gpu, fetched, gpu_of
from .marshal import scalar
from .orient import KernelCall, lanes_of
from .outputs import Recipe, with_made
from .shapes import Named, resolve_sizes
from .state import RUNTIME


@dataclass(frozen=True)
class DeviceReports:
    """What matrices report, an int32 array on the GPU that is written on ``stream``."""

    array: Any
    stream: Any

    def fetched(self) -> Array:
        """A copy in host memory, once the GPU is done."""
        return fetched(header("info", self.array), self.stream)


@dataclass(frozen=True)
class DeviceCall:
    """What is to be queued, ``run`` (None where there is nothing to do); the ``operands`` by their names in the table,
    with those that were made; and what matrices report, if they do."""

    run: Callable[[], None] | None
    operands: Mapping[str, Any]
    reports: DeviceReports | None
    route: DeviceRoute | None = None

    @property
    def kernel(self) -> DeviceKernel | None:
        return None if self.route is None else self.route.kernel

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
) -> DeviceCall:
    """The call of ``op`` on what a user gave, everything checked and compiled; nothing is copied, and nobody waits.

    Raises what calls on host arrays raise; TypeError where some operands are in host memory.
    """
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
    made = {x: _made(x, route.library, arrays[0], recipe(batch), recipe) for x, recipe in route.made.items()}
    known = {**known, **{x: told(value, route.op.operand(x).kind) for x, value in made.items()}}
    stream = _stream(route.gpu, arrays)
    reports, address = None, 0
    if route.info_slot is not None:
        reports = _reports(route.library, arrays[0], batch, stream)
        address = told(reports.array, Kind.INDEX).address
    run = route.kernel.bound(stream, batch, route.arguments(known, batch, address))
    return DeviceCall(run, {**operands, **made}, reports, route)


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
    given = [(x, flags[x], str) for x in op.flags] + [(x, scalars[x], float) for x in op.user_scalars]
    for name, value, kind in given:
        if is_each(value, kind):
            raise TypeError(f"{name} = {value!r}: expected one for all matrices, as these are on a GPU")
    library, gpu = library_of(arrays[0]), _gpu(users, operands)
    heads: Mapping[str, Any] = {x: _head(users[x], value, users, operands) for x, value in operands.items()}
    heads, recipes = with_made(op, heads, flags, scalars)
    made = {x: _made(users[x], library, arrays[0], heads[x], recipe) for x, recipe in recipes.items()}
    heads = {**heads, **{x: _seen(users[x], value) for x, value in made.items()}}
    letters = {flag: letter(flag, flags[flag]) for flag in op.flags}
    named, batch = _checked(op, heads, users, letters)
    found, operands, stream = matched(op, named, letters), {**operands, **made}, _stream(gpu, arrays)
    reports = _reports(library, arrays[0], batch, stream, zero=found is None) if op.info else None
    if not batch or found is None:
        return DeviceCall(None, operands, reports)
    dtype = next(named[x.name][1].dtype for x in op.parameters if x.kind is Kind.SCALAR)
    pairs = zip(op.scalars, op.user_scalars, strict=True)
    numbers = {own: _number(scalar(user, scalars[user], dtype, real=own in op.real_scalars)) for own, user in pairs}
    route = _route(op, gpu, library, found, numbers, recipes)
    if route is None:
        return DeviceCall(None, operands, reports)
    places = {x: Told((), y.arrays[0].ctypes.data, y.batch, 0, y.form.nb) for x, (_, y) in named.items()}
    address = header("info", reports.array).ctypes.data if reports else 0
    run = route.kernel.bound(stream, batch, route.arguments(places, batch, address))
    return DeviceCall(run, operands, reports, route)


def _checked(
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
        return value if value is None else _seen(name, value)
    other = next(users[x] for x, one in operands.items() if array_of(one) is not None)
    raise TypeError(f"{name} is a {type(value).__name__} in host memory and {other} is on a GPU: expected both there")


def _seen(name: str, value: Any) -> Any:
    """What is looked at for an operand on a GPU."""
    return header(name, value) if is_device_array(value) else value.head


def _made(name: str, library: ArrayLibrary, like: Any, example: Any, recipe: Recipe) -> Any:
    """A new operand on the GPU, such as the ``example`` that was made for the host."""
    if library.make is None:
        raise TypeError(f"{name} is None: arrays of {type(like).__module__} are never written")
    if not isinstance(example, np.ndarray):  # Interleaved: its padding is zero
        return DeviceInterleaved(library.make(like, example.data.shape, example.data.dtype, True), example)
    by_columns, zero = (recipe.keywords.get(x, False) for x in ("by_columns", "zero"))  # type: ignore[attr-defined]
    shape = example.shape if not by_columns else (example.shape[0], *example.shape[:0:-1])
    found = library.make(like, shape, example.dtype, zero)
    return found.swapaxes(1, 2) if by_columns else found


def _stream(gpu: Gpu, arrays: Sequence[Any]) -> Any:
    """The stream of the caller, who works on the first of the arrays; it waits for those that others are written on."""
    own, *others = (library_of(array).stream(array) for array in arrays)
    stream = gpu.stream(own)
    for other in {*others} - {own, None}:
        stream.wait(gpu.stream(other))
    return stream


def _reports(library: ArrayLibrary, like: Any, batch: int, stream: Any, *, zero: bool = False) -> DeviceReports:
    if library.make is None:
        raise TypeError(f"arrays of {type(like).__module__} are never written: there is none for what matrices report")
    return DeviceReports(library.make(like, (batch,), np.dtype(np.int32), zero), stream)


def _route(
    op: Operation,
    gpu: Gpu,
    library: ArrayLibrary,
    found: KernelCall,
    scalars: Mapping[str, complex],
    made: Mapping[str, Recipe],
) -> DeviceRoute | None:
    """The call without its operands; None where no kernel is to run."""
    spec = replace(found.spec, target="cuda")
    kernel = gpu.kernel(spec, scalars)
    if kernel is None:
        return None
    values = dict(zip((p.name for p in signature_of(spec).parameters), found.arguments, strict=False))
    whence = [values.get(x.of, x.of) for x in kernel.function.arguments]
    at = {where: slot for slot, where in enumerate(whence) if isinstance(where, str)}
    names = [x.name for x in op.parameters]
    return DeviceRoute(
        op,
        gpu,
        library,
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
