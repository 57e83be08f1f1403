"""Arrays of ours in the memory of a GPU, and their copies in host memory."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NoReturn

import numpy as np

from ..arguments import place_of
from ..arrays.headers import Array
from ..errors import CaptureError
from .gpu import Gpu, capturing, core
from .launches import done
from .lent import Memory

_INDICES = (int, np.integer, slice, type(None), type(Ellipsis))


class DeviceStorage:
    """An array in memory of a GPU that is its own, or a part of one. It tells where it lies as all arrays there do. Its
    memory is got, and given back, on ``stream``, by default the default one, which waits for all that work with it."""

    def __init__(self, own: Gpu, shape: tuple[int, ...], dtype: np.dtype[Any], stream: Any = None) -> None:
        size, stream = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize, stream or own.stream(None)
        own.free_left(stream)
        buffer = own.device.allocate(max(1, size), stream=stream)
        self.gpu, self._memory = own, Memory(buffer, own.left)
        place = int(buffer.handle), False
        told = {"version": 3, "shape": shape, "typestr": dtype.str, "data": place}
        self._head: Array = np.asarray(SimpleNamespace(__array_interface__=told))  # has a place, and is never read

    @classmethod
    def of(cls, own: Gpu, array: Array) -> DeviceStorage:
        """A copy of an array in host memory."""
        found, given = cls(own, array.shape, array.dtype), np.ascontiguousarray(array)
        from cuda.bindings import driver  # here: it is an extra, which may be missing

        done(driver.cuMemcpyHtoD(found._head.ctypes.data, given.ctypes.data, given.nbytes))
        return found

    @classmethod
    def new(cls, own: Gpu, shape: tuple[int, ...], dtype: np.dtype[Any], zero: bool) -> DeviceStorage:
        found = cls(own, shape, dtype)
        if zero:
            found._memory.buffer.fill(0, stream=own.stream(None))
        return found

    def beside(self, shape: tuple[int, ...], dtype: np.dtype[Any], zero: bool) -> DeviceStorage:
        """A new array on the same GPU."""
        return self.new(self.gpu, shape, dtype, zero)

    def clear_lanes(self, first: int) -> None:
        """Lanes from ``first`` to the end of the last block become zero."""
        from cuda.bindings import driver  # here: it is an extra

        if not self.nbytes:
            return
        rows, item = int(np.prod(self.shape[1:-1], dtype=np.int64)), self.dtype.itemsize
        at, pitch = self._head.ctypes.data + self.nbytes, self.shape[-1] * item
        stream = self.gpu.stream(None).handle
        done(driver.cuMemsetD2D8Async(at - rows * pitch + first * item, pitch, 0, pitch - first * item, rows, stream))

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, self.gpu.number

    def __dlpack__(self, *, stream: int | None = None, **how: Any) -> Any:
        """For the libraries that ask so: on ``stream`` what is written is there. They may let go of it while it is in
        use."""
        from cuda.core.utils import StridedMemoryView  # here: it is an extra

        if stream is not None and stream > 1:
            self.gpu.stream(stream).wait(self.gpu.stream(None))
        item, steps = self.dtype.itemsize, self._head.strides
        if min(steps, default=0) < 0:
            raise BufferError(f"strides {steps}: expected none that are negative")
        size = item + sum((side - 1) * step for side, step in zip(self.shape, steps, strict=True)) if self.nbytes else 0
        self._memory.lent = True
        part = core().Buffer.from_handle(self._head.ctypes.data, size, owner=self)
        strides = None if self._head.flags.c_contiguous else tuple(step // item for step in steps)
        whole = StridedMemoryView.from_buffer(part, self.shape, dtype=self.dtype, strides=strides)
        return whole.__dlpack__(stream=-1, **how)

    def __array__(self, *_: Any, **__: Any) -> Any:
        """NumPy would make an array of views."""
        raise TypeError("an array on a GPU is not converted silently: use .to('cpu')")

    def __eq__(self, other: object) -> NoReturn:
        """Python would tell whether it is the same object."""
        raise TypeError("an array on a GPU is not compared: use .to('cpu')")

    __hash__ = object.__hash__

    def __reduce__(self) -> NoReturn:
        raise TypeError("an array on a GPU is not pickled or copied: expected .to('cpu'), which is")

    @property
    def device(self) -> str:
        """Its GPU."""
        return f"GPU {self.gpu.number}"

    @property
    def shape(self) -> tuple[int, ...]:
        found: tuple[int, ...] = self._head.shape
        return found

    @property
    def ndim(self) -> int:
        return self._head.ndim

    @property
    def dtype(self) -> np.dtype[Any]:
        return self._head.dtype

    @property
    def nbytes(self) -> int:
        return self._head.nbytes

    @property
    def real(self) -> DeviceStorage:
        """A view of the real parts."""
        return self._view(self._head.real)

    def __len__(self) -> int:
        return len(self._head)

    def __getitem__(self, index: Any) -> DeviceStorage:
        """A view: indices are integers, slices, None and an ellipsis. Others NumPy would follow into the memory."""
        given = index if isinstance(index, tuple) else (index,)
        for one in given:
            if isinstance(one, (bool, np.bool_)) or not isinstance(one, _INDICES):
                raise TypeError(f"index {one!r}: expected, of an array on a GPU, integers, slices, None or ...")
        return self._view(self._head[given if Ellipsis in given else (*given, ...)])  # which never is a number

    def reshape(self, *shape: Any) -> DeviceStorage:
        """A view, of an array without gaps."""
        if not self._head.flags.c_contiguous:
            raise ValueError(f"strides {self._head.strides}: expected, to reshape an array, none between elements")
        return self._view(self._head.reshape(*shape))

    def swapaxes(self, first: int, second: int) -> DeviceStorage:
        """A view."""
        return self._view(self._head.swapaxes(first, second))

    def _view(self, head: Any) -> DeviceStorage:
        found = object.__new__(DeviceStorage)
        found.gpu, found._memory, found._head = self.gpu, self._memory, head
        return found

    def to(self, where: str) -> Array:
        """For "cpu", a copy in host memory, once the GPU is done with what was queued."""
        found: Array = moved(where, cpu=lambda: fetched(self._head, self.gpu.stream(None)))
        return found

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        strides = None if self._head.flags.c_contiguous else self._head.strides
        told = {"shape": self.shape, "typestr": self.dtype.str, "strides": strides}
        return {"version": 3, "data": (self._head.ctypes.data, False), "stream": 1, **told}


def moved(where: str, **ways: Callable[..., Any]) -> Any:
    """What the way to ``where`` gives. It gets the number of a GPU where one is named, as in "cuda:1"."""
    kind, number = place_of(where, ways)
    return ways[kind](*number)


def check_can_wait(stream: Any) -> None:
    """CaptureError for a stream that captures: what is queued on it is not run."""
    if capturing(stream):
        raise CaptureError("a stream captures: expected nothing that waits for it, such as check = 'raise'")


def fetched(header: Array, stream: Any) -> Array:
    """A copy in host memory of an array on a GPU, by its header, once all on the stream is done."""
    from cuda.bindings import driver  # here: it is an extra

    check_can_wait(stream)
    if not header.flags.c_contiguous:
        raise ValueError(f"an array on a GPU has strides {header.strides}: expected, for a copy, none between elements")
    found = np.empty(header.shape, header.dtype)
    if found.size:
        done(driver.cuMemcpyDtoHAsync(found.ctypes.data, header.ctypes.data, found.nbytes, stream.handle))
    stream.sync()
    return found
