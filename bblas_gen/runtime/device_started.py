"""One problem in host memory, begun on a GPU: panels of operands come in, are worked on, and go out, all at once.

Three streams, one for copies in, one for kernels, one for copies out, are ordered by events alone. A panel is some rows
or columns of an operand. Panels come in the order in which the list of launches wants them; before the first launch
that touches one its copy is waited for, and behind the last one that writes it, it goes out. What falls into
independent parts, as right-hand sides do, is done part by part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock, RLock
from typing import Any

import numpy as np

from ..arrays.device import header
from ..arrays.form import MatrixForm
from ..arrays.headers import Array
from ..ir.operation import Operand, Operation
from ..ir.program import Program
from ..ir.recursion import Block, Problem
from ..ir.spec import KernelSpec
from ..ir.terms import Kind, Letter, Role
from .call import checked, matched
from .device_large import comes_to_products, loaded, part_order
from .device_memory import room
from .device_parts import INFO, WORK, Room, Scalars, Wanted, calls, free_sizes, listed, stored
from .device_storage import DeviceStorage
from .gpu import Gpu, gpu
from .launches import done, follow
from .shapes import Named, resolve_sizes

PANEL_BYTES = 16 << 20
"""Of a panel: a copy takes a few hundred microseconds, far longer than it takes to ask for it."""


_REGISTERED: dict[tuple[int, int], int] = {}
"""Memory of the host that was page-locked here, by its bounds, and how many work with it."""
_LOCK = Lock()
Step = tuple[list[Block], list[Block], list[Wanted]]
"""Launches, the blocks that they touch, and those that they write."""


@dataclass(frozen=True)
class Panels:
    """An operand, and the header of a copy of it on the GPU: ``size`` lines along ``axis`` at a time (0: rows).
    ``reads``: they come in, ``writes``: they go out."""

    host: Array
    place: Array
    axis: int
    size: int
    reads: bool
    writes: bool

    def of(self, block: Block) -> range:
        """Those that a block lies in."""
        first, count = (block.col, block.cols) if self.axis else (block.row, block.rows)
        return range(first // self.size, -(-(first + count) // self.size) if count else first // self.size)

    def copied(self, number: int, stream: Any, *, back: bool) -> None:
        """Queue a copy of one to the GPU, or ``back``."""
        from cuda.bindings import driver  # here: it is an extra

        part = [slice(None)] * 2
        part[self.axis] = slice(number * self.size, (number + 1) * self.size)
        ends = [self.host[tuple(part)], self.place[tuple(part)]]
        if abs(ends[0].strides[0]) < abs(ends[0].strides[1]):
            ends = [x.T for x in ends]
        how = driver.CUDA_MEMCPY2D()
        host, device = driver.CUmemorytype.CU_MEMORYTYPE_HOST, driver.CUmemorytype.CU_MEMORYTYPE_DEVICE
        how.srcMemoryType, how.dstMemoryType = (device, host) if back else (host, device)
        own, other = ("dst", "src") if back else ("src", "dst")
        for end, x, where in ((own, ends[0], "Host"), (other, ends[1], "Device")):
            setattr(how, end + where, x.ctypes.data)
            setattr(how, end + "Pitch", x.strides[0] if x.shape[0] > 1 else x.shape[1] * x.itemsize)
        how.WidthInBytes, how.Height = ends[0].shape[1] * ends[0].itemsize, ends[0].shape[0]
        done(driver.cuMemcpy2DAsync(how, stream.handle))


@dataclass
class Begun:
    """What is queued on a GPU. ``end`` is an event behind all of it; ``held`` is what must live until then, and
    ``after`` is done then, once, on the host, by the first thread that waits: others wait for it."""

    gpu: Gpu | None = None
    end: Any = None
    held: list[Any] = field(default_factory=list)
    after: list[Callable[[], None]] = field(default_factory=list)
    info: Array | None = None
    lock: Any = field(default_factory=RLock)

    def done(self) -> bool:
        end = self.end
        self._enter()
        return end is None or end.is_done

    def _enter(self) -> None:
        """Make the GPU current: this thread may have none, or another one."""
        if self.gpu is not None:
            self.gpu.enter()

    def wait(self) -> None:
        with self.lock:
            self._enter()
            if self.end is not None:
                self.end.sync()
                self.end = None
            while self.after:
                self.after.pop()()
            self.held.clear()


def begin(
    op: Operation, named: Named, letters: Mapping[str, Letter], scalars: Scalars, device: int, panel_bytes: int
) -> Begun:
    """``op`` on operands of one problem in host memory, each a batch of one; all checked, compiled and queued."""
    checked(op, named, letters)
    if not comes_to_products(op, letters) or any(x.kind is Kind.INDEX for x in op.parameters):
        raise ValueError(f"op = {op.name!r} is not done in parts: expected one that comes to products, such as 'trsm'")
    found, begun = matched(op, named, letters), Begun()
    if op.info:
        begun.info = np.zeros(1, np.int32)
    if found is None:
        return begun
    begun.gpu = own = gpu(device)
    streams = tuple(own.device.create_stream() for _ in range(3))
    try:
        _begin(op, found.spec, own, streams, named, letters, scalars, panel_bytes, begun)
    except BaseException:
        for stream in streams:  # nothing is queued on memory that goes
            stream.sync()
        begun.wait()
        raise
    return begun


def _begin(
    op: Operation,
    spec: KernelSpec,
    own: Gpu,
    streams: Sequence[Any],
    named: Named,
    letters: Mapping[str, Letter],
    scalars: Scalars,
    panel_bytes: int,
    begun: Begun,
) -> None:
    order = part_order(op, spec.p)
    sizes, _ = resolve_sizes(op, named, letters, complete=True)
    along = free_sizes(op, letters)[-1:]
    panels = {
        x.name: _panels(op, x, named[x.name][1].arrays[0][0], own, streams, letters, along, scalars, panel_bytes, begun)
        for x in op.matrices
        if x.name in named
    }
    kept = Program.of(spec).in_form("team").preserved
    parts = list(_listed(op, sizes, letters, order, along, panels))
    forms = {x: _form(named[x][1].form, y) for x, y in panels.items()}
    reports = [one.blocks[0].row // order for one in parts if one.op.info]
    if reports != [*range(len(reports))]:
        raise ValueError(f"op = {op.name!r} has several steps that report: expected one at most")
    space = Room.of(op, spec.p, 1, forms, sizes, letters, kept, len(reports))
    whole = {x: Block(x, 0, 0, forms[x].rows, forms[x].cols) for x in panels}
    steps: list[Step] = []
    first = next((one for one in parts if one.op.info), None)
    for one in parts:
        if one is first:
            steps += [([whole[x]], [], [space.copied(x, back=False)]) for x in kept]
        written = [y for x, y in zip(one.op.matrices, one.blocks, strict=True) if x.role is not Role.IN]
        steps.append((list(one.blocks), written, list(calls(one, space, scalars, order))))
    if reports:
        steps.append(([], [], [space.reported(len(reports), order)]))
    steps += [([whole[x]], [whole[x]], [space.copied(x, back=True)]) for x in kept]
    _queue(own, streams, steps, panels, space, begun)


def _form(given: MatrixForm, panels: Panels) -> MatrixForm:
    """That of an operand on the GPU."""
    rs, cs = (x // panels.host.itemsize for x in panels.place.strides)
    return replace(given, rs=rs, cs=cs, sb=0)


def _panels(
    op: Operation,
    x: Operand,
    host: Array,
    own: Gpu,
    streams: Sequence[Any],
    letters: Mapping[str, Letter],
    along: Sequence[str],
    scalars: Scalars,
    panel_bytes: int,
    begun: Begun,
) -> Panels:
    """Those of an operand, which is copied first where neither rows nor columns are contiguous."""
    if host.itemsize not in host.strides or min(host.strides) < 0:
        given, host = host, np.ascontiguousarray(host)
        if x.role is not Role.IN:
            begun.after.append(lambda: np.copyto(given, host))
    begun.held.append(_registered(host, begun))
    down = host.strides[1] == host.itemsize  # rows are contiguous
    storage = DeviceStorage(own, host.shape if down else host.shape[::-1], host.dtype, streams[0])
    sides = stored(x, letters)
    axis = next((i for i, side in enumerate(sides) if side in along), 0 if down else 1)
    line = max(1, host.shape[1 - axis] * host.itemsize)
    size = max(1, panel_bytes // line)
    begun.held.append(storage)
    place = header(x.name, storage)
    return Panels(
        host, place if down else place.T, axis, size, op.reads(x, scalars) or x.triangle, x.role is not Role.IN
    )


def _registered(host: Array, begun: Begun) -> Array:
    """Memory of the host that the driver copies by itself meanwhile. Where it is that already, or cannot be, copies are
    right, too."""
    from cuda.bindings import driver  # here: it is an extra

    first, last = np.lib.array_utils.byte_bounds(host)
    with _LOCK:
        known = _REGISTERED.get((first, last), 0)
        if known or not int(driver.cuMemHostRegister(first, last - first, 0)[0]):
            _REGISTERED[first, last] = known + 1
            begun.after.append(lambda: _released(first, last))
    return host


def _released(first: int, last: int) -> None:
    from cuda.bindings import driver  # here: it is an extra

    with _LOCK:
        _REGISTERED[first, last] -= 1
        if not _REGISTERED[first, last]:
            del _REGISTERED[first, last]
            done(driver.cuMemHostUnregister(first))


def _listed(
    op: Operation,
    sizes: Mapping[str, int],
    letters: Mapping[str, Letter],
    order: int,
    along: Sequence[str],
    panels: Mapping[str, Panels],
) -> Iterator[Problem]:
    """The problems, those of one part behind those of another."""
    if not along:
        yield from listed(op, sizes, letters, order)
        return
    (name,) = along
    size = min(panels[x.name].size for x in op.matrices if name in stored(x, letters))
    for first in range(0, sizes[name], size):
        part = {**sizes, name: min(size, sizes[name] - first)}
        for one in listed(op, part, letters, order):
            yield replace(one, blocks=tuple(_shifted(op, x, letters, name, first) for x in one.blocks))


def _shifted(op: Operation, block: Block, letters: Mapping[str, Letter], name: str, by: int) -> Block:
    rows, cols = stored(op.operand(block.name), letters)
    return replace(block, row=block.row + by * (rows == name), col=block.col + by * (cols == name))


def _queue(
    own: Gpu,
    streams: Sequence[Any],
    steps: Sequence[Step],
    panels: Mapping[str, Panels],
    space: Room,
    begun: Begun,
) -> None:
    """Copies and launches, each behind what it needs."""
    inward, compute, outward = streams
    reports = DeviceStorage(own, (1,), np.dtype(np.int32), compute)
    place = room(own, compute, space.size)
    addresses = {x: y.place.ctypes.data for x, y in panels.items()}
    addresses |= {WORK: place.address, INFO: header("info", reports).ctypes.data}
    last = {pair: i for i, (_, written, _) in enumerate(steps) for pair in _pairs(written, panels)}
    follow(compute, inward)  # memory is there
    came: set[tuple[str, int]] = set()
    loaded([x for _, _, wanted in steps for x in wanted], own, compute)  # compiled side by side
    for i, (touched, written, wanted) in enumerate(steps):
        for name, number in _pairs(touched, panels):
            if (name, number) not in came and panels[name].reads:
                panels[name].copied(number, inward, back=False)
                follow(compute, inward)
            came.add((name, number))
        for launch in loaded(wanted, own, compute):
            launch.bound(compute, addresses)()
        going = [pair for pair in _pairs(written, panels) if last[pair] == i]
        if going:
            follow(outward, compute)
        for name, number in going:
            panels[name].copied(number, outward, back=True)
    follow(outward, compute)
    if begun.info is not None:
        _fetch(begun.info, reports, outward)
    begun.end = outward.record()
    begun.held += [streams, place, reports]


def _pairs(blocks: Sequence[Block], panels: Mapping[str, Panels]) -> list[tuple[str, int]]:
    """The panels that blocks lie in, those of operands alone."""
    return [(x.name, i) for x in blocks if x.name in panels and x.rows and x.cols for i in panels[x.name].of(x)]


def _fetch(to: Array, reports: DeviceStorage, stream: Any) -> None:
    from cuda.bindings import driver  # here: it is an extra

    done(driver.cuMemcpyDtoHAsync(to.ctypes.data, header("info", reports).ctypes.data, to.nbytes, stream.handle))
