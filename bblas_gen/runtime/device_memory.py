"""Memory of calls on a GPU beside their operands: tables that are made on the host and copied once, and room.

It is allocated and freed in the order of the stream, and copied from pinned memory that is not written again before the
copy is done. So nobody waits, neither for a copy nor for what is still in use.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from functools import cache
from threading import Lock
from typing import Any

import numpy as np

from ..arrays.headers import Array
from ..errors import CaptureError
from .gpu import Gpu, capturing
from .launches import beside_captures, done
from .lent import Memory

LEAST = 1 << 14
"""Bytes of pinned memory that are got at a time, at least: to get some takes longer than most calls."""


@dataclass(frozen=True)
class Tables:
    """What is to be in the memory of a call. It grows: a part has an offset before it has a place."""

    parts: list[Array] = field(default_factory=list)
    ends: list[int] = field(default_factory=lambda: [0])

    def put(self, values: Array) -> int:
        """The offset of a copy of ``values``."""
        self.parts.append(values)
        self.ends.append(self.ends[-1] + -(-values.nbytes // 8) * 8)
        return self.ends[-2]

    def placed(self, gpu: Gpu, stream: Any) -> Place:
        """Memory of the GPU with all of it, once the stream has come so far."""
        if not self.ends[-1]:
            return Place(0, None)
        check_not_captured(stream)
        buffer = gpu.device.allocate(self.ends[-1], stream=stream)
        place = Place(int(buffer.handle), Memory(buffer, gpu.left))
        pinned(gpu).copy(self, place.address, stream)
        return place


@dataclass(frozen=True)
class Place:
    """Memory of a call, freed in the order of its stream where nobody has it any more; that of a plan, which may
    outlive the stream, behind all that the GPU has got by then."""

    address: int
    memory: Memory | None = field(repr=False)

    @property
    def some(self) -> tuple[Place, ...]:
        """Itself, if it is any."""
        return (self,) if self.memory is not None else ()

    def outlive_stream(self) -> None:
        if self.memory is not None:
            self.memory.lent = True


def room(gpu: Gpu, stream: Any, size: int) -> Place:
    """Memory of so many bytes, once the stream has come so far."""
    if not size:
        return Place(0, None)
    if capturing(stream):
        raise CaptureError(f"a call works in {size} bytes more: expected, in a graph, a bb.plan that was made before")
    buffer = gpu.device.allocate(size, stream=stream)
    return Place(int(buffer.handle), Memory(buffer, gpu.left))


class Pinned:
    """Pinned host memory in pieces, each with an event of one GPU: what a copy may still read is not written again."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._pieces: list[tuple[Array, Any]] = []

    def copy(self, tables: Tables, address: int, stream: Any) -> None:
        """Queue a copy of ``tables`` to an address on a GPU."""
        from cuda.bindings import driver  # here: it is an extra

        size = tables.ends[-1]
        with beside_captures():
            piece, event = self._free(size)
        for begin, part in zip(tables.ends, tables.parts, strict=False):
            piece[begin : begin + part.nbytes] = part.view(np.uint8)
        done(driver.cuMemcpyHtoDAsync(address, piece.ctypes.data, size, stream.handle))
        event = stream.record(event)
        with self._lock:
            self._pieces.append((piece, event))

    def _free(self, size: int) -> tuple[Array, Any]:
        """A piece that no copy reads, and its event."""
        with self._lock:
            for i, (piece, event) in enumerate(self._pieces):
                if len(piece) >= size and event.is_done:
                    del self._pieces[i]
                    return piece, event
        from cuda.bindings import driver  # here: it is an extra

        size = max(LEAST, 1 << (size - 1).bit_length())
        (address,) = done(driver.cuMemAllocHost(size))
        return np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(int(address))), None


@cache
def pinned(gpu: Gpu) -> Pinned:
    """That of copies to a GPU. It stays."""
    return Pinned()


def check_not_captured(stream: Any) -> None:
    """Refuse to copy what a graph would copy again from memory that others have by then."""
    if capturing(stream):
        raise CaptureError(
            "lists and variable batches have tables, which are copied to the GPU by the call: expected, in a graph, a "
            "bb.plan that was made before"
        )
