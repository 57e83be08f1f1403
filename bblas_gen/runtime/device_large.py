"""Large matrices on a GPU: a call is a list of launches on one stream, in place, that is worked out once.

The list is that of ``ir.recursion``: what is not a product is small, and done as any batch of small matrices is. Its
right-hand sides, or whatever else of it falls into independent parts, are such a batch. Products and updates go to the
kernels for any size. What the parts of a matrix report becomes the report of the whole in the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from ..codegen.device import DeviceFunction
from ..ir.operation import Operation
from ..ir.program import Program
from ..ir.recursion import problems
from ..ir.rules import RULES
from ..ir.spec import KernelSpec
from ..ir.terms import Kind, Layout, Letter, Precision
from ..schedule import gpu as schedules
from . import cublas
from .cublas import Product
from .device_launch import argument, entry_names, in_turn, on_gpu, sources
from .device_memory import Place, room
from .device_parts import INFO, WORK, Room, Scalars, Wanted, calls, listed
from .device_route import Told
from .device_texts import THREADS, compiled
from .gpu import DeviceKernel, Gpu
from .orient import KernelCall
from .outputs import Recipe
from .shapes import Named, resolve_sizes
from .state import MAX_CALLS


@dataclass(frozen=True)
class Launch:
    """One without addresses: ``places`` has the arguments that are, by slot, what they point into, and bytes beyond its
    first; of so many matrices or elements, ``count``."""

    kernel: DeviceKernel | Product
    count: int
    arguments: tuple[Any, ...]
    places: tuple[tuple[int, str, int], ...]

    def bound(self, stream: Any, addresses: Mapping[str, int]) -> partial[None]:
        arguments = list(self.arguments)
        for slot, name, beyond in self.places:
            arguments[slot] = addresses[name] + beyond
        return self.kernel.bound(stream, self.count, arguments)


@dataclass(frozen=True)
class LargeRoute:
    """A call on large matrices without its operands: its ``launches`` for a ``batch`` of so many, which work in
    ``work`` bytes of memory. ``kernel`` is that of its products, or the first; ``op`` is here so that
    nothing else gets its id."""

    op: Operation
    gpu: Gpu
    kernel: DeviceKernel | Product
    launches: tuple[Launch, ...]
    batch: int
    work: int
    made: Mapping[str, Recipe]

    @property
    def reports(self) -> bool:
        return bool(self.op.info)

    def takes(self, batch: int) -> bool:
        return batch == self.batch

    def launched(
        self, stream: Any, known: Mapping[str, Told], batch: int, info: int
    ) -> tuple[partial[None], tuple[Place, ...]]:
        """All of it on operands, and the memory that it works in."""
        place = room(self.gpu, stream, self.work)
        addresses = {x: one.address for x, one in known.items()} | {WORK: place.address, INFO: info}
        return partial(in_turn, stream.handle, [one.bound(stream, addresses) for one in self.launches]), place.some


def is_large(op: Operation, found: KernelCall, letters: Mapping[str, Letter], arch: str) -> bool:
    """Whether a call goes to a list: by shape, layout and what a block of the GPU holds alone."""
    spec = found.spec
    apart = all(where is Layout.ST for where in spec.layouts)
    return apart and too_large(on_gpu(spec, spec.sizes), arch) and comes_to_products(op, letters)


@lru_cache(MAX_CALLS)
def too_large(spec: KernelSpec, arch: str) -> bool:
    """Whether matrices have to be done in parts."""
    return schedules.large(Program.of(spec), arch)


def comes_to_products(op: Operation, letters: Mapping[str, Letter]) -> bool:
    """Whether anything of it is a product, or has a rule that leads there."""
    return any(x.op.name in RULES or x.op.tiled for x in problems(op, dict.fromkeys(op.sizes, 1), letters, 1))


def routed(
    op: Operation,
    gpu: Gpu,
    spec: KernelSpec,
    named: Named,
    letters: Mapping[str, Letter],
    scalars: Scalars,
    batch: int,
    stream: Any,
    made: Mapping[str, Recipe],
) -> LargeRoute | None:
    """The list of a call whose operands were checked, its kernels compiled and loaded; None where a part of it is still
    large, and would be again for other sizes. ``spec`` is the kernel that would do all of it."""
    sizes, _ = resolve_sizes(op, named, letters, complete=True)
    order, kept = part_order(op, spec.p), Program.of(spec).in_form("team").preserved
    parts = list(listed(op, sizes, letters, order))
    rows = [one.blocks[0].row // order for one in parts if one.op.info]
    if rows != [*range(len(rows))]:  # several steps report
        return None
    own = Room.of(op, spec.p, batch, {x: y.form for x, (_, y) in named.items()}, sizes, letters, kept, len(rows))
    wanted: list[Wanted] = []
    first = next((one for one in parts if one.op.info), None)
    for one in parts:
        if one is first:  # what steps before it have made is kept, too
            wanted += [own.copied(name, back=False) for name in kept]
        new = list(calls(one, own, scalars, order))
        if one.op.name in RULES and any(
            x.spec and not x.spec.general and too_large(x.spec, gpu.architecture) for x in new
        ):
            return None
        wanted += new
    if rows:
        wanted.append(own.reported(len(rows), order))
    wanted += [own.copied(name, back=True) for name in kept]
    launches = tuple(loaded(wanted, gpu, stream))
    kernels = [one.kernel for one in launches]
    most = next((x for x in kernels if x.spec and x.spec.row.tiled), kernels[0])
    return LargeRoute(op, gpu, most, launches, batch, own.size, made)


def part_order(op: Operation, p: Precision) -> int:
    """The order of parts that are small."""
    return schedules.stop(p, pivoted=any(x.kind is Kind.INDEX for x in op.parameters))


def loaded(wanted: Sequence[Wanted], gpu: Gpu, stream: Any) -> list[Launch]:
    """Launches whose kernels are compiled, several side by side, and loaded."""
    by_cublas = [_by_cublas(x, gpu, stream) for x in wanted]
    keys = [
        (x.spec if one is None else None, tuple(x.scalars.items())) for x, one in zip(wanted, by_cublas, strict=True)
    ]
    new = list(dict.fromkeys((spec, numbers) for spec, numbers in keys if spec is not None))
    kernels = dict(zip(new, gpu.kernels([(spec, dict(numbers)) for spec, numbers in new], stream), strict=True))
    found = []
    for x, one, (spec, numbers) in zip(wanted, by_cublas, keys, strict=True):
        if one is not None:
            found.append(one)
        elif kernel := kernels[spec, numbers] if spec is not None else _ours(x, gpu, stream):
            found.append(_launch(x, kernel))
    return found


def _by_cublas(x: Wanted, gpu: Gpu, stream: Any) -> Launch | None:
    """A product that is the work of cuBLAS."""
    if x.spec is None or not x.spec.row.tiled or not (own := cublas.product(x.spec, x.scalars, gpu, stream)):
        return None
    values = dict(zip(entry_names(x.spec), x.arguments, strict=False))
    if x.count > cublas.MOST or not (given := cublas.arguments(x.spec, values, x.scalars)):
        return None
    found, slots = given
    return Launch(own, x.count, tuple(found), tuple((slot, *x.places[values[name]]) for slot, name in slots.items()))


def _ours(x: Wanted, gpu: Gpu, stream: Any) -> DeviceKernel:
    """A function for lists."""
    block = x.function.endswith("panel")
    function = DeviceFunction(x.function, {}, "", (), THREADS, 1 if block else THREADS)
    return gpu.function(function, lambda: compiled(x.function, gpu.architecture), stream)


def _launch(x: Wanted, kernel: DeviceKernel) -> Launch:
    whence = list(x.arguments)
    values = list(x.arguments)
    if x.spec is not None:
        whence = sources(kernel, entry_names(x.spec), x.arguments)
        named = zip(kernel.function.arguments, whence, strict=True)
        values = [x.count if of == "batch_count" else argument(own, of, x.scalars, x.spec) for own, of in named]
    places = [(slot, *x.places[of]) for slot, of in enumerate(whence) if isinstance(of, str) and of in x.places]
    return Launch(kernel, x.count, tuple(values), tuple(places))
