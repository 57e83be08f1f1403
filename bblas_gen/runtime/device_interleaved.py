"""Interleaved batches in the memory of a GPU: the same bytes as on the host."""

from __future__ import annotations

from typing import Any

from ..arrays.device import header, is_device_array, library_of
from ..arrays.headers import Array
from ..arrays.ragged import WAYS
from .gpu import DeviceStorage, fetched, gpu, gpu_of, moved


class DeviceInterleaved:
    """An :class:`Interleaved` whose ``data`` is an array on a GPU: of any library, of the same shape, without gaps.

    ``head`` is it as if in host memory: it has shapes and addresses, and is never read. Made by ``Interleaved.to``.
    """

    __slots__ = ("data", "head")

    def __init__(self, data: Any, like: Any) -> None:
        self.data = data
        self.head = type(like)(header("data", data), like.batch, layout=str(like.layout))

    @property
    def device_array(self) -> Any:
        return self.data

    def __getattr__(self, name: str) -> Any:
        """What an Interleaved tells of itself."""
        if name in ("shape", "ndim", "dtype", "layout", "nb", "batch", "padding", "triangle", "nbytes"):
            return getattr(self.head, name)
        raise AttributeError(f"a batch on a GPU has no {name!r}: to('cpu') brings it to host memory")

    def __len__(self) -> int:
        return len(self.head)

    def to(self, where: str) -> Any:
        """Itself for "cuda"; for "cpu" a copy in host memory, once the GPU is done with what was queued."""
        return moved(where, cpu=self._fetched, cuda=lambda: self)

    def _fetched(self) -> Any:
        found = _to_host(self.data)
        return type(self.head)(found, self.head.batch, layout=str(self.head.layout))

    def __repr__(self) -> str:
        return f"{self.head!r} on a GPU"


def on_gpu(batch: Any, number: int = 0) -> DeviceInterleaved:
    """A copy of an Interleaved on a GPU, in memory of its own."""
    return DeviceInterleaved(DeviceStorage.of(gpu(number), batch.data), batch)


def _to_gpu(array: Any) -> Any:
    return array if is_device_array(array) else DeviceStorage.of(gpu(0), array)


def _to_host(array: Any) -> Array:
    if not is_device_array(array):
        return array  # type: ignore[no-any-return]
    found = header("values", array)
    own = gpu_of(found.ctypes.data)
    return fetched(found, own.stream(library_of(array).stream(array)))


WAYS.update(cuda=_to_gpu, cpu=_to_host)
