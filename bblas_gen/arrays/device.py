"""Arrays in the memory of a GPU, of any library that tells where they lie.

Each gets a *header*: a NumPy array with its address, shape and strides, which nobody ever reads. So all that is looked
at of arrays in host memory (shapes, strides, overlaps, which kernel takes them) is looked at in the same way.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from .headers import Array

INTERFACE = "__cuda_array_interface__"


@dataclass(frozen=True)
class ArrayLibrary:
    """How a library tells the stream that a caller works on, by one of its arrays, and how it makes an array beside it:
    ``make(like, shape, dtype, zero)``; None where arrays are never written."""

    stream: Callable[[Any], int | None]
    make: Callable[[Any, tuple[int, ...], np.dtype[Any], bool], Any] | None

    @property
    def tells(self) -> bool:
        """Whether each array has a stream of its own, and not all of a device one."""
        return self.stream is _told_stream


def is_device_array(value: Any) -> bool:
    return type(value) is not np.ndarray and hasattr(value, INTERFACE)


def shape_of(array: Any) -> tuple[int, ...]:
    """Also of what has no attribute for it."""
    return tuple(getattr(array, INTERFACE)["shape"] if is_device_array(array) else array.shape)


def array_of(value: Any) -> Any:
    """The array on a GPU that an operand is, in which its matrices are, or the first of them; None where it is in host
    memory."""
    if isinstance(value, (list, tuple)):
        return array_of(value[0]) if value else None
    return value if is_device_array(value) else getattr(value, "device_array", None)


def streams_of(value: Any) -> list[int | None]:
    """The streams that an operand is written on, the caller's first."""
    arrays = [array_of(item) for item in (value if isinstance(value, (list, tuple)) else [value])]
    return [library_of(array).stream(array) for array in arrays if array is not None]


def header(name: str, value: Any) -> Array:
    """The header of an array on a GPU, which must outlive it."""
    found: Mapping[str, Any] = getattr(value, INTERFACE)
    if found.get("mask") is not None:
        raise TypeError(f"{name} is a masked array, whose mask would be ignored: expected one without")
    shape, typestr = tuple(found["shape"]), found["typestr"]
    if 0 in shape:
        return np.empty(shape, typestr)
    check_aligned(name, np.dtype(typestr), found["data"][0], found.get("strides") or ())
    known = {"version": 3, "shape": shape, "typestr": typestr, "data": found["data"], "strides": found.get("strides")}
    return np.asarray(SimpleNamespace(__array_interface__=known))


def check_aligned(name: str, dtype: np.dtype[Any], address: int, strides: Sequence[int]) -> None:
    """Refuse what on the host would be copied first."""
    if address % dtype.alignment or any(step % dtype.itemsize for step in strides):
        raise ValueError(f"{name} has elements that are not aligned: expected what a GPU can read as it is")


def library_of(value: Any) -> ArrayLibrary:
    """The library of an array, by the package of its type."""
    package, _, _ = type(value).__module__.partition(".")
    return LIBRARIES.get(package, OTHER)


def _torch_stream(like: Any) -> int:
    return int(sys.modules["torch"].cuda.current_stream(like.device).cuda_stream)


def _torch_array(like: Any, shape: tuple[int, ...], dtype: np.dtype[Any], zero: bool) -> Any:
    torch = sys.modules["torch"]
    return (torch.zeros if zero else torch.empty)(shape, dtype=getattr(torch, dtype.name), device=like.device)


def _cupy_stream(like: Any) -> int:
    return int(sys.modules["cupy"].cuda.get_current_stream(like.device.id).ptr)


def _cupy_array(like: Any, shape: tuple[int, ...], dtype: np.dtype[Any], zero: bool) -> Any:
    cupy = sys.modules["cupy"]
    with like.device:
        return (cupy.zeros if zero else cupy.empty)(shape, dtype)


def _told_stream(like: Any) -> int | None:
    """The stream of the last write, which the array itself tells."""
    found: int | None = getattr(like, INTERFACE).get("stream")
    return found


def _array_of_namespace(like: Any, shape: tuple[int, ...], dtype: np.dtype[Any], zero: bool) -> Any:
    xp = like.__array_namespace__()
    return (xp.zeros if zero else xp.empty)(shape, dtype=getattr(xp, dtype.name), device=like.device)


def _numba_array(like: Any, shape: tuple[int, ...], dtype: np.dtype[Any], zero: bool) -> Any:
    cuda = sys.modules["numba"].cuda
    return cuda.to_device(np.zeros(shape, dtype)) if zero else cuda.device_array(shape, dtype)


def _own_array(like: Any, shape: tuple[int, ...], dtype: np.dtype[Any], zero: bool) -> Any:
    return like.beside(shape, dtype, zero)


OTHER = ArrayLibrary(_told_stream, _array_of_namespace)
"""What follows the array API standard."""
LIBRARIES = {
    "bblas_gen": ArrayLibrary(_told_stream, _own_array),
    "torch": ArrayLibrary(_torch_stream, _torch_array),
    "cupy": ArrayLibrary(_cupy_stream, _cupy_array),
    "numba": ArrayLibrary(_told_stream, _numba_array),
    "jax": ArrayLibrary(_told_stream, None),
    "jaxlib": ArrayLibrary(_told_stream, None),
}
