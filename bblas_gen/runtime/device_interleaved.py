"""Interleaved batches in the memory of a GPU: the same bytes as on the host."""

from __future__ import annotations

from typing import Any, NoReturn

from ..arrays.device import INTERFACE, Seen, header, is_device_array, library_of, owner_of
from ..arrays.headers import Array
from ..arrays.ragged import WAYS
from ..ir.terms import INDEX_DTYPE
from .device_storage import DeviceStorage, fetched, moved
from .gpu import gpu, gpu_of
from .storage import Storage


class DeviceInterleaved:
    """An :class:`Interleaved` whose ``data`` is an array on a GPU: of any library, of the same shape, without gaps.

    ``head`` is it as if in host memory: it has shapes and addresses, and is never read. Made by ``Interleaved.to``.
    ``A @ B`` is ``gemm(A, B)``; ``A[i:j]`` is a view, as of an Interleaved, where slices of ``data`` are.
    """

    __slots__ = ("data", "head")

    def __init__(self, data: Any, like: Any) -> None:
        self.data = data
        self.head = type(like)(header("data", data), like.batch, layout=str(like.layout))

    @classmethod
    def of(cls, data: Any, batch: int, layout: str, kind: type) -> DeviceInterleaved:
        """A batch in ``data``; those on the host are of ``kind``."""
        return cls(data, kind(header("data", data), batch, layout=layout))

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

    def __matmul__(self, other: Any) -> Any:
        return self.head.multiplied(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return self.head.multiplied(other, self)

    def __getitem__(self, index: slice) -> DeviceInterleaved:
        """Whole blocks, of which the last one may have matrices that do not belong to the view."""
        if not isinstance(index, slice):
            raise TypeError(f"index is {index!r}: expected a slice, as a batch on a GPU is read by to('cpu')")
        head = self.head[index]
        first = index.indices(self.batch)[0] // self.nb
        data = self.data[first : first + len(head.data)]
        return DeviceInterleaved.of(data, head.batch, str(head.layout), type(head))

    def __reduce__(self) -> NoReturn:
        raise TypeError("an Interleaved on a GPU is not pickled or copied: expected .to('cpu'), which is")

    def to(self, where: str) -> Any:
        """Itself for "cuda"; for "cpu" a copy in host memory, once the GPU is done with what was queued; for "cuda:1"
        itself or, by way of host memory, a copy on the second GPU."""
        return moved(where, cpu=self._fetched, cuda=self._on_gpu)

    def _on_gpu(self, number: int | None = None) -> DeviceInterleaved:
        return self if _is_on(self.head.data, number) else on_gpu(self._fetched(), number or 0)

    def _fetched(self) -> Any:
        found = _to_host(self.data)
        return type(self.head)(found, self.head.batch, layout=str(self.head.layout))

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("an Interleaved on a GPU is not converted silently: use .to('cpu'), or .deinterleave()")

    def deinterleave(self, out: Any = None, *, num_threads: int | None = None) -> Any:
        """The batch as an array on the GPU, of the library of ``data``; see :func:`bblas_gen.deinterleave`."""
        if out is None:
            out = made_beside("a", self.data, self.shape, self.dtype, False)
        whole, to = (self, out) if self.dtype != INDEX_DTYPE else (self._as_reals(), _as_reals(out))
        self.head.copied(whole, to, num_threads)
        return out

    def _as_reals(self) -> DeviceInterleaved:
        """A batch of indices, as there are kernels for reals of their size, which copy every bit."""
        return DeviceInterleaved.of(_as_reals(self.data), self.batch, str(self.layout), type(self.head))

    def __repr__(self) -> str:
        return f"{self.head!r} on a GPU"


def on_gpu(batch: Any, number: int = 0) -> DeviceInterleaved:
    """A copy of an Interleaved on a GPU, in memory of its own."""
    return DeviceInterleaved(DeviceStorage.of(gpu(number), batch.data), batch)


def _to_gpu(array: Any, number: int | None = None) -> Any:
    if is_device_array(array) and _is_on(header("values", array), number):
        return array
    return DeviceStorage.of(gpu(number or 0), _to_host(array))


def _is_on(head: Array, number: int | None) -> bool:
    """Whether an array on a GPU, by its header, is on the one of a number; on any where that is None."""
    return number is None or gpu_of(head.ctypes.data).number == number


def _to_host(array: Any) -> Array:
    if not is_device_array(array):
        return array  # type: ignore[no-any-return]
    found = header("values", array)
    own = gpu_of(found.ctypes.data)
    return fetched(found, own.stream(library_of(array).stream(array)))


def interleaved_beside(name: str, like: Any, storage: Storage, kind: type, *, zero: bool = False) -> DeviceInterleaved:
    """A new batch on the GPU of the array ``like``, of its library, its padding zero; ``zero``: all of it. Those on the
    host are of ``kind``. TypeError, with the ``name`` of an operand, where there are no new arrays of the library."""
    data = made_beside(name, like, storage.shape, storage.dtype, zero)
    if not zero and storage.used < storage.shape[-1]:
        library_of(data).clear(data, storage.used)
    return DeviceInterleaved.of(data, storage.batch, str(storage.layout), kind)


def made_beside(name: str, like: Any, shape: tuple[int, ...], dtype: Any, zero: bool) -> Any:
    """A new array on the GPU of the array ``like``, of its library; of ours where that library's are never written."""
    library = library_of(like)
    if library.fixed:
        return DeviceStorage.new(gpu_of(header(name, like).ctypes.data), shape, dtype, zero)
    make = library.make
    if make is None:
        raise TypeError(f"{name} is None: no new array is made like a {library_name(like)}, expected one to be written")
    return make(owner_of(like), shape, dtype, zero)


def library_name(array: Any) -> str:
    """An array's type and library."""
    kind = type(owner_of(array))
    return f"{kind.__name__} of {kind.__module__.partition('.')[0]}"


def _as_reals(array: Any) -> Seen:
    return Seen(array, {**getattr(array, INTERFACE), "typestr": "<f4"})


WAYS.update(cuda=_to_gpu, cpu=_to_host)
