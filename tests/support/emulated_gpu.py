"""A GPU that is not there: arrays of the CPU that say they are on one."""

from __future__ import annotations

import ctypes
import weakref
from typing import Any

import numpy as np
import pytest

from bblas_gen.runtime import gpu

from . import emulator


def driver_calls(name: str) -> int:
    """How often a function of the driver was called."""
    counted = ctypes.CDLL(str(emulator.driver())).emu_driver_calls
    counted.restype = ctypes.c_uint64
    return int(counted(name.encode()))


ALIVE: list[Any] = []
"""Memory of all arrays: what is queued may use it when nobody has the array any more."""


class GpuArray:
    """An array of a library for GPUs: it tells where it lies, and can be sliced; nobody can read it but ``array``."""

    def __init__(self, array: np.ndarray[Any, Any], stream: int | None = None) -> None:
        self.array, self.stream = array, stream
        ALIVE.append(array)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        found = self.array.__array_interface__
        strides = None if self.array.flags.c_contiguous else self.array.strides
        place = found["data"][0], not self.array.flags.writeable
        kind = {"shape": self.array.shape, "typestr": found["typestr"], "strides": strides}
        return {"version": 3, "data": place, "stream": self.stream, **kind}

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    @property
    def ndim(self) -> int:
        return self.array.ndim

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.array.dtype

    @property
    def device(self) -> str:
        return "emulated"

    def __getitem__(self, index: Any) -> GpuArray:
        index = index if isinstance(index, tuple) else (index,)
        return GpuArray(self.array[index if ... in index else (*index, ...)], self.stream)  # an array, not a number

    @property
    def real(self) -> GpuArray:
        return GpuArray(self.array.real, self.stream)

    def reshape(self, *shape: Any) -> GpuArray:
        return GpuArray(self.array.reshape(*shape), self.stream)

    def __setitem__(self, index: Any, value: float) -> None:
        self.array[index] = value

    def swapaxes(self, first: int, second: int) -> GpuArray:
        return GpuArray(self.array.swapaxes(first, second), self.stream)

    def __array_namespace__(self) -> Any:
        return Namespace


class DlpackArray:
    """An array that tells by DLPack alone where it lies, which is where ``own`` does. ``streams`` are those for which
    it was asked, ``alive`` counts what it told that nobody has let go."""

    def __init__(self, own: Any, read_only: bool = False, device: int = 2) -> None:
        self.own, self.read_only, self.device = own, read_only, device
        self.streams: list[int] = []
        self.alive = 0

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(self.own.dtype)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device, 0

    def __dlpack__(self, *, stream: int | None = None, **how: Any) -> Any:
        from cuda.core import Buffer
        from cuda.core.utils import StridedMemoryView

        assert stream is not None
        self.streams.append(stream)
        found = self.own.__cuda_array_interface__
        item = self.dtype.itemsize
        strides = found["strides"] and tuple(step // item for step in found["strides"])
        size = int(np.prod(found["shape"])) * item
        memory = Buffer.from_handle(found["data"][0], size, owner=_Told(self))
        kind = {"dtype": self.dtype, "strides": strides, "is_readonly": self.read_only}
        return StridedMemoryView.from_buffer(memory, found["shape"], **kind).__dlpack__(stream=-1, **how)


class OddDlpack:
    """An array that tells by DLPack of elements that this names by a code and bits, such as (4, 16), bfloat16."""

    def __init__(self, dtype: str, code: int, bits: int) -> None:
        self.dtype, self._sides = dtype, (ctypes.c_int64 * 3)(1, 2, 2)
        place, device, axes, lanes = 4096, 2, 3, 1
        kind = axes | code << 32 | bits << 40 | lanes << 48
        self._deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda tensor: None)
        deleter = ctypes.cast(self._deleter, ctypes.c_void_p).value
        self._tensor = (ctypes.c_uint64 * 8)(place, device, kind, ctypes.addressof(self._sides), 0, 0, 0, deleter)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, 0

    def __dlpack__(self, **how: Any) -> Any:
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ctypes.addressof(self._tensor), b"dltensor", None)


class _Told:
    """What an array told."""

    def __init__(self, array: DlpackArray) -> None:
        array.alive += 1
        weakref.finalize(self, self._gone, weakref.ref(array))

    @staticmethod
    def _gone(array: weakref.ref[DlpackArray]) -> None:
        if (found := array()) is not None:
            found.alive -= 1


class Namespace:
    """The functions of its library. What is new is poisoned."""

    float32, float64, complex64, complex128, int32 = "f4", "f8", "c8", "c16", "i4"

    @staticmethod
    def empty(shape: tuple[int, ...], *, dtype: str, device: str) -> GpuArray:
        found = np.empty(shape, dtype)
        found.view(np.uint8).fill(0xAA)
        return GpuArray(found)

    @staticmethod
    def zeros(shape: tuple[int, ...], *, dtype: str, device: str) -> GpuArray:
        return GpuArray(np.zeros(shape, dtype))


class Captured:
    """What is queued on ``stream`` within ``with``, to be run by ``run``."""

    def __init__(self, nonblocking=True):
        from cuda import core

        self.stream = gpu.gpu(0).device.create_stream(options=core.StreamOptions(nonblocking=nonblocking))
        self.graph = self.stream.create_graph_builder()

    def __enter__(self):
        self.graph.begin_building("global")
        return self

    def __exit__(self, *_):
        self.graph.end_building()

    def run(self):
        self.graph.complete().launch(self.stream)
        self.stream.sync()

    def array(self, a):
        return GpuArray(a, stream=int(self.stream.handle))


def large_from(order: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is beyond so many rows is large, and is done in parts of as many."""
    monkeypatch.setattr("bblas_gen.schedule.gpu.stop", lambda p, pivoted=False: order)
    monkeypatch.setattr("bblas_gen.runtime.device_large.too_large", lambda spec, arch: max(spec.sizes) > order)
    monkeypatch.setattr("bblas_gen.runtime.device_parts.SLICE", order)
