"""The side of a call on a GPU that its caller sees: his stream, new arrays of his library, what matrices report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arrays.device import ArrayLibrary, array_of, header, is_device_array, streams_of
from ..arrays.device_lists import seen_list
from ..arrays.headers import Array
from ..ir.terms import Kind
from .device_interleaved import DeviceInterleaved
from .gpu import Gpu, fetched, gpu_of
from .outputs import Recipe
from .unlike import NewOperand


@dataclass(frozen=True)
class DeviceReports:
    """What matrices report, from ``address`` in an int32 array on the GPU that is written on ``stream``; no array where
    they do not."""

    array: Any
    stream: Any
    address: int

    def fetched(self) -> Array:
        """A copy in host memory, once the GPU is done."""
        return fetched(header("info", self.array), self.stream)

    def after(self, matrices: int) -> DeviceReports:
        """Of matrices that come behind so many."""
        return DeviceReports(self.array, self.stream, self.address + 4 * matrices)


@dataclass(frozen=True)
class DeviceSide:
    """The GPU of all operands, the stream of the caller, who works on the array ``like``, and its library."""

    library: ArrayLibrary
    gpu: Gpu
    like: Any
    stream: Any

    def array(self, name: str, shape: tuple[int, ...], dtype: np.dtype[Any], *, zero: bool) -> Any:
        """A new array. TypeError where the library has none that are written."""
        if self.library.make is None:
            raise TypeError(f"{name} is to be made: arrays of {type(self.like).__module__} are never written")
        return self.library.make(self.like, shape, dtype, zero)

    def reports(self, batch: int, *, zero: bool = False) -> DeviceReports:
        found = self.array("info", (batch,), np.dtype(np.int32), zero=zero)
        return DeviceReports(found, self.stream, header("info", found).ctypes.data)

    def made(self, name: str, example: Any, recipe: Recipe) -> tuple[Any, Any]:
        """A new operand such as the ``example`` that was made for the host, and what is looked at for it."""
        if not isinstance(example, (np.ndarray, list)):  # Interleaved: its padding is zero
            own = DeviceInterleaved(self.array(name, example.data.shape, example.data.dtype, zero=True), example)
            return own, own.head
        listed, like = isinstance(example, list), example[0] if isinstance(example, list) else example
        shape = (len(example), *like.shape[0 if listed else 1 :])
        by_columns, zero = (recipe.keywords.get(x, False) for x in ("by_columns", "zero"))  # type: ignore[attr-defined]
        shape = (shape[0], *shape[:0:-1]) if by_columns else shape
        found = self.array(name, shape, like.dtype, zero=zero)
        both = [x.swapaxes(1, 2) if by_columns else x for x in (found, header(name, found))]
        return tuple([x[i] for i in range(len(example))] if listed else x for x in both)  # type: ignore[return-value]

    def new(self, name: str, wanted: NewOperand) -> tuple[Any, Any]:
        """A new operand of a variable batch, and what is looked at for it."""
        values = self.array(name, (wanted.count,), wanted.dtype, zero=wanted.zero)
        return wanted.of(values), wanted.of(header(name, values))


def seen(name: str, value: Any, kind: Kind, streams: list[int | None]) -> Any:
    """What is looked at for an operand on a GPU, or for None; the streams that it is written on are added."""
    if isinstance(value, (list, tuple)):
        return seen_list(name, value, kind, streams)
    streams += streams_of(value)
    if not is_device_array(value):
        return getattr(value, "head", value)
    found = header(name, value)
    if kind is Kind.INDEX and found.shape[-1:] > (1,) and found.strides[-1] != found.itemsize:
        raise ValueError(f"{name} has strides {found.strides}: expected indices of a matrix one after another")
    return found


def stream_after(gpu: Gpu, streams: Sequence[int | None]) -> Any:
    """The stream of the caller, the first; it waits for the others."""
    own, *others = streams
    stream = gpu.stream(own)
    for other in {*others} - {own, None}:
        stream.wait(gpu.stream(other))
    return stream


def gpu_of_all(users: Mapping[str, str], operands: Mapping[str, Any]) -> Gpu:
    """The GPU on which all operands are. TypeError where one is in host memory, ValueError for another GPU."""
    known = {users[x]: array for x, value in operands.items() if (array := array_of(value)) is not None}
    found = {name: gpu_of(header(name, array).ctypes.data) for name, array in known.items()}
    first, own = next(iter(found.items()))
    for name, other in found.items():
        if other is not own and known[name].shape and 0 not in known[name].shape:
            raise ValueError(f"{name} is on GPU {other.number} and {first} on GPU {own.number}: expected one GPU")
    for x, value in operands.items():
        if isinstance(value, (list, tuple)) and not value:
            raise ValueError(f"{users[x]} is an empty list: an empty batch is an array of shape (0, rows, columns)")
        if value is not None and array_of(value) is None:
            name, one = (f"{users[x]}[0]", value[0]) if isinstance(value, list) and value else (users[x], value)
            where = f"{name} is a {type(one).__name__} in host memory and {first} is on a GPU"
            raise TypeError(f"{where}: expected both there")
    return own
