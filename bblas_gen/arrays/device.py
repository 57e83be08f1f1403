"""Arrays in the memory of a GPU, of any library that tells where they lie.

Each gets a *header*: a NumPy array with its address, shape and strides, which nobody ever reads. So all that is looked
at of arrays in host memory (shapes, strides, overlaps, which kernel takes them) is looked at in the same way.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from ..ir.terms import BY_DTYPE
from .headers import Array

INTERFACE = "__cuda_array_interface__"
CANNOT_TELL = (KeyError, RuntimeError)
"""What arrays of PyTorch raise that are on a GPU and tell nothing: their dtype has no name there, or they have a
gradient."""
_CUDA, _CUDA_MANAGED = 2, 13
"""What DLPack calls devices."""


def _clear(array: Any, lane: int) -> None:
    array[-1:, ..., lane:] = 0


@dataclass(frozen=True)
class ArrayLibrary:
    """How a library tells a stream by one of its arrays, and how it makes an array beside it: ``make(like, shape,
    dtype, zero)``; None where it is not known how. ``clear(array, lane)``: in the last block lanes from this one
    on become zero. ``current``: the stream is the one on which the caller works, else that of the last write.
    ``fixed``: arrays are never written, and asked by DLPack, as only then the library says when they are ready.
    ``graphs``: memory that is allocated while a stream captures belongs to the graph."""

    stream: Callable[[Any], int | None]
    make: Callable[[Any, tuple[int, ...], np.dtype[Any], bool], Any] | None
    clear: Callable[[Any, int], None] = _clear
    current: bool = False
    fixed: bool = False
    graphs: bool = False


class Seen:
    """An array of an ``owner`` that is seen otherwise than as it tells: by what ``interface`` says. ``kept`` is what
    must live as long."""

    __slots__ = (INTERFACE, "kept", "owner")

    def __init__(self, owner: Any, interface: dict[str, Any], kept: Any = None) -> None:
        setattr(self, INTERFACE, interface)
        self.owner, self.kept = owner, kept


def owner_of(value: Any) -> Any:
    """The array of a user for what is seen of it."""
    return value.owner if type(value) is Seen else value


def is_device_array(value: Any) -> bool:
    if type(value) is np.ndarray:
        return False
    return _found(value) is not None or _exported(value)


def _found(value: Any) -> Mapping[str, Any] | None:
    """What an array tells of itself: None where it does not, nothing where it cannot."""
    try:
        found: Mapping[str, Any] | None = getattr(value, INTERFACE, None)
    except CANNOT_TELL:
        return {}
    return found


def by_dlpack(value: Any) -> bool:
    """Whether it is an array on a GPU that is to be asked by DLPack where it lies."""
    tells = hasattr(type(value), INTERFACE)  # not of the array itself: that may cost as much as all else
    return type(value) is not Seen and (not tells or library_of(value).fixed) and _exported(value)


def _exported(value: Any) -> bool:
    """Whether it tells by DLPack that it is in memory of a CUDA device."""
    where = getattr(type(value), "__dlpack_device__", None)
    try:
        return where is not None and where(value)[0] in (_CUDA, _CUDA_MANAGED)
    except (ValueError, RuntimeError, BufferError):  # PyTorch's of devices that are not DLPack's, such as meta
        return False


def shape_of(array: Any) -> tuple[int, ...]:
    """Also of what has no attribute for it."""
    found = _found(array)
    return tuple(found["shape"] if found else getattr(array, "shape", ()))


def with_axis(array: Any, *, last: bool = False) -> Any:
    """A single matrix, or indices of one, as a batch of one; ``last``: vectors as matrices of one column. Few of the
    libraries whose arrays tell their stream have a new axis for it."""
    if library_of(array).stream is not _told_stream or not _found(array) or by_dlpack(array):
        return array[..., None] if last else array[None]
    found = getattr(array, INTERFACE)
    strides, item = found.get("strides"), int(found["typestr"][2:])
    shape, steps = ((*x, y) if last else (y, *x) for x, y in ((found["shape"], 1), (strides or (), item)))
    return Seen(owner_of(array), {**found, "shape": shape, "strides": strides and steps}, array)


def array_of(value: Any) -> Any:
    """The array on a GPU that an operand is, in which its matrices are, or the first of them; None where it is in host
    memory."""
    if isinstance(value, (list, tuple)):
        return array_of(value[0]) if value else None
    return value if is_device_array(value) else getattr(value, "device_array", None)


def any_on_device(operands: Iterable[Any]) -> bool:
    return any(array_of(value) is not None for value in operands)


def arrays_of(value: Any) -> list[Any]:
    """The arrays on a GPU of an operand, each of a list."""
    items = value if isinstance(value, (list, tuple)) else [value]
    return [array for item in items if (array := array_of(item)) is not None]


def lazy(value: Any) -> str:
    """What makes an array of PyTorch that is in memory as it reads, where that is not so: its elements are negative, or
    conjugated, when they are read."""
    ways = (("is_conj", "resolve_conj"), ("is_neg", "resolve_neg"))
    return next((way for asked, way in ways if hasattr(value, asked) and getattr(value, asked)()), "")


def header(name: str, value: Any) -> Array:
    """The header of an array on a GPU, which must outlive it."""
    if way := lazy(value):
        raise TypeError(f"{name} is a view that is not in memory as it reads: expected {name}.{way}()")
    try:
        found: Mapping[str, Any] | None = getattr(value, INTERFACE, None)
    except KeyError as error:
        raise unknown_dtype(name, value) from error
    except RuntimeError as error:
        raise TypeError(f"{name} is a {type(value).__name__} that does not tell where it lies: {error}") from error
    if found is None:
        raise TypeError(
            f"{name} is a {type(value).__name__} that tells by DLPack alone where it lies: expected {INTERFACE}"
        )
    if found.get("mask") is not None:
        raise TypeError(f"{name} is a masked array, whose mask would be ignored: expected one without")
    shape, typestr = tuple(found["shape"]), found["typestr"]
    if np.dtype(typestr).kind == "V":
        raise unknown_dtype(name, value)
    if 0 in shape:
        return np.empty(shape, typestr)
    check_aligned(name, np.dtype(typestr), found["data"][0], found.get("strides") or ())
    known = {"version": 3, "shape": shape, "typestr": typestr, "data": found["data"], "strides": found.get("strides")}
    return np.asarray(SimpleNamespace(__array_interface__=known))


def unknown_dtype(name: str, value: Any) -> TypeError:
    """Of a dtype that NumPy has no name for, such as bfloat16."""
    dtype = str(getattr(owner_of(value), "dtype", "of no name")).rpartition(".")[2]
    return TypeError(f"{name} has dtype {dtype}: expected one of {', '.join(BY_DTYPE)}")


def check_aligned(name: str, dtype: np.dtype[Any], address: int, strides: Sequence[int]) -> None:
    """Refuse what on the host would be copied first."""
    if address % dtype.alignment or any(step % dtype.itemsize for step in strides):
        raise ValueError(f"{name} has elements that are not aligned: expected what a GPU can read as it is")


def library_of(value: Any) -> ArrayLibrary:
    """The library of an array, by the package of its type, or of a type that this is derived from."""
    kind = type(owner_of(value))
    for base in kind.__mro__:
        if found := LIBRARIES.get(base.__module__.partition(".")[0]):
            return found
    return STANDARD if hasattr(kind, "__array_namespace__") else OTHER


def streams_of(arrays: Sequence[Any]) -> list[int]:
    """The handles of the streams that arrays tell, first that of the caller: the one on which a library works that says
    so, else the first that is told, else 0, the default one."""
    pairs = sorted(((library_of(array), array) for array in arrays), key=lambda pair: not pair[0].current)
    told = (library.stream(array) for library, array in pairs)
    return list(dict.fromkeys(handle for handle in told if handle is not None)) or [0]


def _torch_stream(like: Any) -> int:
    torch = sys.modules["torch"]
    handle = getattr(getattr(torch, "_C", None), "_cuda_getCurrentRawStream", None)  # which makes no object of it
    return int(handle(like.device.index) if handle else torch.cuda.current_stream(like.device).cuda_stream)


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
    found: int | None = getattr(like, INTERFACE, {}).get("stream")
    return found


def _array_of_namespace(like: Any, shape: tuple[int, ...], dtype: np.dtype[Any], zero: bool) -> Any:
    xp = like.__array_namespace__()
    return (xp.zeros if zero else xp.empty)(shape, dtype=getattr(xp, dtype.name), device=like.device)


def _numba_array(like: Any, shape: tuple[int, ...], dtype: np.dtype[Any], zero: bool) -> Any:
    cuda = sys.modules["numba"].cuda
    return cuda.to_device(np.zeros(shape, dtype)) if zero else cuda.device_array(shape, dtype)


def _own_array(like: Any, shape: tuple[int, ...], dtype: np.dtype[Any], zero: bool) -> Any:
    return like.beside(shape, dtype, zero)


def _clear_own(array: Any, lane: int) -> None:
    array.clear_lanes(lane)


STANDARD = ArrayLibrary(_told_stream, _array_of_namespace)
"""What follows the array API standard."""
OTHER = ArrayLibrary(_told_stream, None)
"""What tells where it lies, and no more."""
LIBRARIES = {
    "bblas_gen": ArrayLibrary(_told_stream, _own_array, _clear_own),
    "torch": ArrayLibrary(_torch_stream, _torch_array, current=True, graphs=True),
    "cupy": ArrayLibrary(_cupy_stream, _cupy_array, current=True),
    "numba": ArrayLibrary(_told_stream, _numba_array),
    "jax": ArrayLibrary(_told_stream, None, fixed=True),
    "jaxlib": ArrayLibrary(_told_stream, None, fixed=True),
    "tensorflow": ArrayLibrary(_told_stream, None, fixed=True),
}
