"""Batches in host memory that go through a GPU in chunks, so that they may be larger than its memory.

There are three slots, each with memory of a chunk on the GPU and beside it on the host, where the driver copies at full
speed. Three streams, one for copies in, one for kernels, one for copies out, are ordered by events alone: while one
chunk is worked on, the next one comes in and the last one goes out. A slot is filled again once its results are there.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays.device import INTERFACE, Seen
from ..arrays.headers import Array
from ..arrays.host import Operand as Described
from ..arrays.host import describe
from ..ir.operation import Operand, Operation
from ..ir.spec import letter
from ..ir.terms import Kind, Layout, Role
from ..toolchain.machine import cores
from .call import checked, matched, user_names
from .device_call import DeviceCall, device_call
from .device_interleaved import DeviceInterleaved
from .device_storage import DeviceStorage
from .each import is_each
from .gpu import Gpu, core, gpu
from .interleaved import Interleaved
from .launches import done, follow
from .outputs import with_made

if TYPE_CHECKING:
    from concurrent.futures import Executor

CHUNK_BYTES = 64 << 20
"""Of one chunk: a copy takes about a millisecond, far longer than it takes to ask for it."""
SLOTS = 3
COPIERS = 8
"""Threads that copy to and from the memory of slots, at most: one reaches a fraction of what a bus carries."""


@dataclass(frozen=True)
class Pages:
    """An operand as an array of ``units``, each of ``matrices``; ``kept``: what kernels do not write stays, so it is
    copied in. ``reads`` and ``writes`` are those of kernels. Of an array by columns ``turned`` units are by rows."""

    name: str
    value: Any
    units: Array
    matrices: int
    reads: bool
    writes: bool
    kept: bool
    turned: bool

    @classmethod
    def of(cls, x: Operand, name: str, value: Any, *, read: bool) -> Pages:
        """Those of an operand that a user calls ``name``; kernels read it if ``read``."""
        how = {"reads": read, "writes": x.role is not Role.IN, "kept": x.triangle}
        if isinstance(value, Interleaved):
            if value.layout is Layout.IL:
                raise ValueError(f"{name} has layout 'il': expected blocks, as 'bi', of which chunks are made")
            return cls(x.name, value, value.data, value.nb, turned=False, **how)
        turned = x.kind is not Kind.INDEX and abs(value.strides[-2]) < abs(value.strides[-1])
        return cls(x.name, value, value.swapaxes(-1, -2) if turned else value, 1, turned=turned, **how)

    def bytes_of(self, matrices: int) -> int:
        return -(-matrices // self.matrices) * (self.units[:1].nbytes if len(self.units) else 0)

    def chunk(self, first: int, last: int) -> Array:
        return self.units[first // self.matrices : -(-last // self.matrices)]

    def comes_in(self, count: int) -> bool:
        """Whether a chunk of ``count`` matrices is copied in: also for what is beside them in their last block."""
        return self.reads or self.kept or count % self.matrices != 0

    def operand(self, storage: DeviceStorage, count: int, stream: Any) -> Any:
        """``count`` matrices in memory of the GPU, as an operand that is worked on in ``stream``."""
        shape = (-(-count // self.matrices), *storage.shape[1:])
        told = {**getattr(storage, INTERFACE), "shape": shape, "stream": int(stream.handle)}
        if isinstance(self.value, Interleaved):
            return DeviceInterleaved.of(Seen(storage, told), count, str(self.value.layout), Interleaved)
        return Seen(storage, _turned(told, storage.dtype.itemsize) if self.turned else told)


@dataclass
class Slot:
    """Memory for one chunk: of each operand on the GPU and on the host, and what is reported of its matrices. ``calls``
    are those that work on it, by numbers of matrices; ``chunk`` is the one that is in it, done after the event
    ``done``."""

    storage: Mapping[str, DeviceStorage]
    host: Mapping[str, Array]
    info: Array | None
    calls: dict[int, DeviceCall] = field(default_factory=dict)
    chunk: tuple[int, int] = (0, 0)
    done: Any = None


@dataclass(frozen=True)
class Pipeline:
    """A call whose operands are ``pages``, and the same ``shared`` ones for all chunks of ``size`` matrices."""

    gpu: Gpu
    op: Operation
    flags: Mapping[str, Any]
    scalars: Mapping[str, Any]
    pages: Sequence[Pages]
    shared: Mapping[str, Seen]
    size: int
    streams: tuple[Any, ...]
    copiers: Executor
    slots: Sequence[Slot] = field(default_factory=list)

    def run(self, batch: int, info: Array | None) -> None:
        """All chunks, one after the other."""
        chunks = [(first, min(batch, first + self.size)) for first in range(0, batch, self.size)]
        try:
            for i, chunk in enumerate(chunks):
                self.queue(self.slots[i % SLOTS], *chunk)
                if i >= SLOTS - 1:
                    self.finish(self.slots[(i + 1) % SLOTS], info)
            for i in range(max(0, len(chunks) - SLOTS + 1), len(chunks)):
                self.finish(self.slots[i % SLOTS], info)
        finally:
            for stream in self.streams:  # memory of slots goes when nothing is queued on it
                stream.sync()

    def queue(self, slot: Slot, first: int, last: int) -> None:
        """What a chunk needs, each behind what it needs itself."""
        inward, compute, outward = self.streams
        incoming = [x for x in self.pages if x.comes_in(last - first)]
        for x in incoming:
            self._copied(_part(slot.host[x.name], x.chunk(first, last)), x.chunk(first, last))
        for x in incoming:
            _to_gpu(slot.storage[x.name], slot.host[x.name], x.chunk(first, last).nbytes, inward)
        follow(compute, inward)
        call = self._call(slot, last - first)
        call()
        follow(outward, compute)
        for x in self.pages:
            if x.writes:
                _to_host(slot.host[x.name], slot.storage[x.name], x.chunk(first, last).nbytes, outward)
        if slot.info is not None and call.reports:
            _to_host(slot.info, call.reports.array, 4 * (last - first), outward)
        slot.chunk, slot.done = (first, last), outward.record()

    def finish(self, slot: Slot, info: Array | None) -> None:
        """Results to where they belong, once they have come."""
        wait(slot.done)
        first, last = slot.chunk
        for x in self.pages:
            if x.writes:
                own = x.chunk(first, last)
                self._copied(own, _part(slot.host[x.name], own))
        if info is not None and slot.info is not None:
            info[first:last] = slot.info[: last - first]

    def _call(self, slot: Slot, count: int) -> DeviceCall:
        """The call of a slot for so many matrices, whose memory for reports lives as long as the slot."""
        if found := slot.calls.get(count):
            return found
        operands = {x.name: x.operand(slot.storage[x.name], count, self.streams[1]) for x in self.pages}
        given = {x.name: {**self.shared, **operands}[x.name] for x in self.op.parameters}
        slot.calls[count] = device_call(self.op, given, self.flags, self.scalars)
        return slot.calls[count]

    def _copied(self, to: Array, given: Array) -> None:
        """Copy on the host, by some threads."""
        step = max(1, -(-len(to) // COPIERS))
        list(self.copiers.map(np.copyto, *([x[i : i + step] for i in range(0, len(x), step)] for x in (to, given))))


def streamed(
    op: Operation,
    operands: Mapping[str, Any],
    flags: Mapping[str, Any],
    scalars: Mapping[str, Any],
    *,
    device: int,
    chunk_bytes: int,
) -> tuple[Mapping[str, Any], Array | None]:
    """``op`` on what a user gave in host memory, done by a GPU; the operands with those that were made, and what
    matrices report. Everything is there when it returns. Raises what other calls raise."""
    from concurrent.futures import ThreadPoolExecutor  # here: importing bblas_gen must stay fast

    users = user_names(op)
    for name, value in operands.items():
        if value is not None and not isinstance(value, (np.ndarray, Interleaved)):
            what = "expected an array in host memory, or an Interleaved, of which chunks are made"
            raise TypeError(f"{users[name]} is a {type(value).__name__}: {what}")
    _one_for_all(op, flags, scalars)
    found, _ = with_made(op, operands, flags, scalars)
    letters = {flag: letter(flag, flags[flag]) for flag in op.flags}
    named = {x.name: (users[x.name], _operand(users[x.name], found[x.name], x.kind)) for x in op.parameters}
    batch = checked(op, named, letters)
    info = np.zeros(batch, np.int32) if op.info else None
    if not batch or matched(op, named, letters) is None:
        return found, info
    pages = []
    for x in op.parameters:
        if named[x.name][1].batch is not None:
            pages.append(Pages.of(x, users[x.name], found[x.name], read=op.reads(x, scalars)))
    own, size = gpu(device), min(_whole(batch, pages), _matrices(pages, chunk_bytes))
    streams = tuple(own.device.create_stream() for _ in range(3))
    shared = {x: _shared(own, found[x], streams[1]) for x, (_, y) in named.items() if y.batch is None}
    slots = [_slot(own, pages, size, op.info, streams[0]) for _ in range(min(SLOTS, -(-batch // size)))]
    with ThreadPoolExecutor(min(COPIERS, cores())) as copiers:
        Pipeline(own, op, flags, scalars, pages, shared, size, streams, copiers, slots).run(batch, info)
    return found, info


def _one_for_all(op: Operation, flags: Mapping[str, Any], scalars: Mapping[str, Any]) -> None:
    """TypeError where each matrix has a flag or a scalar of its own."""
    given = [(x, flags[x], str) for x in op.flags] + [(x, scalars[x], float) for x in op.user_scalars]
    for name, value, kind in given:
        if is_each(value, kind):
            raise TypeError(f"{name} = {value!r}: expected one for all matrices, as they go to a GPU in chunks")


def _operand(name: str, value: Any, kind: Kind) -> Described:
    found = describe(name, value, kind)
    assert isinstance(found, Described)  # no list
    if found.copies:
        raise ValueError(f"{name} has elements that are not aligned: expected what a GPU can read as it is")
    return found


def wait(event: Any) -> None:
    event.sync()


def _matrices(pages: Sequence[Pages], chunk_bytes: int) -> int:
    """Matrices of a chunk: as many whole blocks as fit, at least one."""
    block = lcm(*(x.matrices for x in pages))
    return max(1, chunk_bytes // max(1, sum(x.bytes_of(block) for x in pages))) * block


def _whole(batch: int, pages: Sequence[Pages]) -> int:
    block = lcm(*(x.matrices for x in pages))
    return -(-batch // block) * block


def _slot(own: Gpu, pages: Sequence[Pages], size: int, reports: bool, stream: Any) -> Slot:
    shapes = {x.name: (-(-size // x.matrices), *x.units.shape[1:]) for x in pages}
    storage = {x.name: DeviceStorage(own, shapes[x.name], x.units.dtype, stream) for x in pages}
    host = {x.name: _pinned(shapes[x.name], x.units.dtype) for x in pages}
    return Slot(storage, host, _pinned((size,), np.dtype(np.int32)) if reports else None)


def _shared(own: Gpu, value: Array, stream: Any) -> Seen:
    """A copy of an operand of all matrices, which is read where ``stream`` is."""
    storage = DeviceStorage.of(own, value)
    follow(stream, own.stream(None))
    return Seen(storage, {**getattr(storage, INTERFACE), "stream": int(stream.handle)})


def _pinned(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """An array in memory of the host that the driver copies by itself, which lives as long as the array."""
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    memory = core().LegacyPinnedMemoryResource().allocate(max(1, size))
    held: Any = (ctypes.c_char * max(1, size)).from_address(int(memory.handle))
    held.memory = memory
    found: Array = np.frombuffer(held, np.uint8, size).view(dtype).reshape(shape)
    return found


def _part(host: Array, like: Array) -> Array:
    return host[: len(like)]


def _turned(told: Mapping[str, Any], item: int) -> dict[str, Any]:
    """What is told of matrices by rows, of their transposes."""
    count, cols, rows = told["shape"]
    return {**told, "shape": (count, rows, cols), "strides": (rows * cols * item, item, rows * item)}


def _to_gpu(to: DeviceStorage, given: Array, size: int, stream: Any) -> None:
    from cuda.bindings import driver  # here: it is an extra

    done(driver.cuMemcpyHtoDAsync(_address(to), given.ctypes.data, size, stream.handle))


def _to_host(to: Array, given: DeviceStorage, size: int, stream: Any) -> None:
    from cuda.bindings import driver  # here: it is an extra

    done(driver.cuMemcpyDtoHAsync(to.ctypes.data, _address(given), size, stream.handle))


def _address(storage: DeviceStorage) -> int:
    return int(getattr(storage, INTERFACE)["data"][0])
