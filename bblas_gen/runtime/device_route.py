"""The short way of a call on a GPU that is like an earlier one: as in ``route``, but what goes in are addresses.

What is remembered is a call without operands, batch size and stream. It is taken where operands lie as they did then,
and no output may meet another operand; everything else goes the long way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from ..arrays.device import INTERFACE, is_device_array, lazy, owner_of
from ..ir.operation import Operation
from ..ir.terms import Kind
from .device_memory import Place
from .gpu import DeviceKernel, Gpu
from .outputs import Recipe


class Told(NamedTuple):
    """Of an operand: all that a call depends on but the rest: the address, the batch size (None: one matrix for all),
    the bytes from the first to the last, the lanes that are stored of a matrix, and how many of the bytes are before
    the address."""

    key: tuple[Any, ...]
    address: int
    batch: int | None
    bytes: int
    lanes: int
    before: int = 0


@dataclass(frozen=True)
class DeviceRoute:
    """A call without its operands. ``template`` has the arguments of ``kernel``, but for those that ``addresses`` and
    ``lanes`` (place and name of an operand), ``batch_slot`` and ``info_slot`` say; ``made`` are operands that are made.
    ``op`` is here so that nothing else gets its id."""

    op: Operation
    gpu: Gpu
    kernel: DeviceKernel
    template: tuple[Any, ...]
    addresses: tuple[tuple[int, str], ...]
    lanes: tuple[tuple[int, str], ...]
    batch_slot: int
    info_slot: int | None
    made: Mapping[str, Recipe]

    @property
    def reports(self) -> bool:
        return self.info_slot is not None

    def takes(self, batch: int) -> bool:
        """Whether it is that of a batch of so many."""
        return batch > 0

    def launched(
        self, stream: Any, known: Mapping[str, Told], batch: int, info: int
    ) -> tuple[partial[None], tuple[Place, ...]]:
        """The launch on operands, and the memory that it works in."""
        return self.kernel.bound(stream, batch, self.arguments(known, batch, info)), ()

    def arguments(self, told: Mapping[str, Told], batch: int, info: int) -> list[Any]:
        """What the kernel is launched with."""
        found = list(self.template)
        for slot, name in self.addresses:
            found[slot] = told[name].address
        for slot, name in self.lanes:
            found[slot] = told[name].lanes
        found[self.batch_slot] = batch
        if self.info_slot is not None:
            found[self.info_slot] = info
        return found


def told(value: Any, kind: Kind) -> Told:
    """What there is to know of an operand on a GPU. AttributeError where it is none."""
    if not is_device_array(value):
        head = value.head
        size = head.data.nbytes
        return Told((head.call_key, type(value.data)), head.data.ctypes.data, head.batch, size, head.nb)
    found = getattr(value, INTERFACE)
    shape, strides, typestr = found["shape"], found.get("strides"), found["typestr"]
    address, read_only = found["data"]
    item = int(typestr[2:])
    batched = len(shape) == (2 if kind is Kind.INDEX else 3)
    size, before = item, 0
    if strides is None:
        for side in shape:
            size *= side
    else:
        size += sum((side - 1) * abs(step) for side, step in zip(shape, strides, strict=True))
        if min(strides, default=0) < 0:
            before, size = size, 2 * size  # at most
    own = shape[1:] if batched and strides is None else shape
    off = address % (item // 2 if typestr[1] == "c" else item)  # bytes, where elements are not aligned
    key = type(owner_of(value)), lazy(value), typestr, batched, own, strides, read_only, found.get("mask") is None, off
    return Told(key, address, shape[0] if batched else None, size, 0, before)


def apart(op: Operation, known: Mapping[str, Told]) -> bool:
    """Whether no output can meet another operand."""
    for x in op.outputs:
        if (own := known.get(x.name)) is None:
            continue
        first = own.address - own.before
        for name, other in known.items():
            begin = other.address - other.before
            if name != x.name and first < begin + other.bytes and begin < first + own.bytes:
                return False
    return True


def agreed(known: Sequence[Told]) -> int | None:
    """The batch size of all; None where they do not agree."""
    sizes = {one.batch for one in known} - {None}
    return sizes.pop() if len(sizes) == 1 else None
