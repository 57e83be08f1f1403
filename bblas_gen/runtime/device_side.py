"""The side of a call on a GPU that its caller sees: his stream, new arrays of his library, what matrices report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np

from ..arrays.device import array_of, arrays_of, header, is_device_array, library_of, streams_of
from ..arrays.device_lists import seen_list
from ..arrays.headers import Array
from ..ir.terms import Kind
from .device_interleaved import interleaved_beside, made_beside
from .device_storage import DeviceStorage, check_can_wait, fetched
from .dlpack import let_go
from .gpu import Gpu, gpu_of
from .outputs import Recipe
from .storage import Storage
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
        return fetched(header("info", self.array), self._waited_for())

    def check_can_wait(self) -> None:
        """CaptureError where a stream captures that :meth:`fetched` would wait for."""
        check_can_wait(self._waited_for())

    def _waited_for(self) -> Any:
        head, library = header("info", self.array), library_of(self.array)
        told = library.current or isinstance(self.array, DeviceStorage)  # which waits for all that work with it
        return gpu_of(head.ctypes.data).stream(library.stream(self.array)) if told else self.stream

    def after(self, matrices: int) -> DeviceReports:
        """Of matrices that come behind so many."""
        return DeviceReports(self.array, self.stream, self.address + 4 * matrices)


@dataclass(frozen=True)
class DeviceSide:
    """The GPU of all operands, the stream of the caller, and the array ``like`` which new ones are. ``others``: streams
    on which operands are written, too: the call waits for them, and they for the call."""

    gpu: Gpu
    like: Any
    stream: Any
    others: tuple[Any, ...] = ()

    @classmethod
    def of(cls, gpu: Gpu, arrays: Sequence[Any], within: DeviceReports | None = None) -> DeviceSide:
        """That of a caller who works on ``arrays``; new ones are like the first whose library makes any. The stream
        is that of ``within``, if that is given."""
        like = next((x for x in arrays if library_of(x).make is not None), arrays[0])
        own, *others = [within.stream] if within else map(gpu.stream, streams_of(arrays))
        gpu.free_left(own)
        let_go()
        return cls(gpu, like, own, tuple(x for x in others if x is not own))

    def reports(self, batch: int, *, zero: bool = False) -> DeviceReports:
        found = made_beside("info", self.like, (batch,), np.dtype(np.int32), zero)
        return DeviceReports(found, self.stream, header("info", found).ctypes.data)

    def made(self, name: str, example: Any, recipe: Recipe) -> tuple[Any, Any]:
        """A new operand such as the ``example`` that was made for the host, and what is looked at for it."""
        recipe = cast("partial[Any]", recipe)
        by_columns, zero = (recipe.keywords.get(x, False) for x in ("by_columns", "zero"))
        if not isinstance(example, (np.ndarray, list)):
            own = interleaved_beside(name, self.like, Storage.like(example), type(example), zero=zero)
            return own, own.head
        listed, like = isinstance(example, list), example[0] if isinstance(example, list) else example
        shape = (len(example), *like.shape[0 if listed else 1 :])
        shape = (shape[0], *shape[:0:-1]) if by_columns else shape
        found = made_beside(name, self.like, shape, like.dtype, zero)
        both = [x.swapaxes(1, 2) if by_columns else x for x in (found, header(name, found))]
        return tuple([x[i] for i in range(len(example))] if listed else x for x in both)  # type: ignore[return-value]

    def new(self, name: str, wanted: NewOperand) -> tuple[Any, Any]:
        """A new operand of a variable batch, and what is looked at for it."""
        values = made_beside(name, self.like, (wanted.count,), wanted.dtype, wanted.zero)
        return wanted.of(values), wanted.of(header(name, values))


def seen(name: str, value: Any, kind: Kind, arrays: list[Any]) -> Any:
    """What is looked at for an operand on a GPU, or for None. Its arrays are added to ``arrays``; of a list one for
    each stream."""
    if isinstance(value, (list, tuple)):
        return seen_list(name, value, kind, arrays)
    arrays += arrays_of(value)
    if not is_device_array(value):
        return getattr(value, "head", value)
    found = header(name, value)
    if kind is Kind.INDEX and found.shape[-1:] > (1,) and found.strides[-1] != found.itemsize:
        raise ValueError(f"{name} has strides {found.strides}: expected indices of a matrix one after another")
    return found


def gpu_of_all(users: Mapping[str, str], operands: Mapping[str, Any]) -> Gpu:
    """The GPU on which all operands are. TypeError where one is in host memory, ValueError for another GPU."""
    arrays = {users[x]: array for x, value in operands.items() if (array := array_of(value)) is not None}
    heads = {name: header(name, array) for name, array in arrays.items()}
    found = {name: gpu_of(head.ctypes.data) for name, head in heads.items()}
    first = next((name for name, head in heads.items() if head.size), next(iter(heads)))  # what is empty is nowhere
    own = found[first]
    for name, other in found.items():
        if other is not own and heads[name].size:
            raise ValueError(f"{name} is on GPU {other.number} and {first} on GPU {own.number}: expected one GPU")
    for x, value in operands.items():
        if isinstance(value, (list, tuple)) and not value:
            raise ValueError(f"{users[x]} is an empty list: an empty batch is an array of shape (0, rows, columns)")
        if value is not None and array_of(value) is None:
            name, one = (f"{users[x]}[0]", value[0]) if isinstance(value, list) and value else (users[x], value)
            where = f"{name} is a {type(one).__name__} in host memory and {first} is on a GPU"
            raise TypeError(f"{where}: expected both there")
    return own
