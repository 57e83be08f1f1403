"""Lists of arrays on a GPU, looked at in one pass: where each lies, and the few kinds that they are of.

What is made of them is what lists in host memory become, so nothing else has to know. But nothing is ever copied:
matrices of one shape whose strides differ are a variable batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ir.terms import INDEX_DTYPE, Kind
from .device import CANNOT_TELL, INTERFACE, by_dlpack, check_aligned, header, is_device_array, library_of, owner_of
from .groups import Groups
from .headers import ALIGNED, C_CONTIGUOUS, WRITEABLE, Array
from .pointers import Pointers, check_dtype
from .ragged import Ragged

Seen = Pointers | Ragged | Groups


@dataclass(frozen=True)
class ArrayKind:
    """What arrays of a list have in common; ``first`` is the first of them."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    packed: bool
    read_only: bool
    first: int

    @property
    def sides(self) -> list[int]:
        return [*self.shape, *self.strides]


def seen_list(name: str, items: Sequence[Any], kind: Kind, arrays: list[Any]) -> Seen:
    """The matrices of a list (or vectors of indices), or the batches of one, as kernels find them. One of them for
    each stream is added to ``arrays``.

    TypeError for an array that is not on a GPU, or of another dtype; ValueError for one on another GPU, of another
    number of axes, or not aligned. They name the item.
    """
    addresses, codes, kinds = _kinds(name, items, arrays)
    vectors = kind is Kind.INDEX
    ndim = 3 - vectors if len(kinds[0].shape) == 3 - vectors else 2 - vectors
    for one in kinds:
        _check(name, one, kinds[0], ndim, kind)
    alignment = kinds[0].dtype.alignment
    for i in np.flatnonzero(addresses % alignment)[:1].tolist():
        check_aligned(f"{name}[{i}]", kinds[0].dtype, int(addresses[i]), ())
    flags = ALIGNED | WRITEABLE * (not any(one.read_only for one in kinds))
    flags |= C_CONTIGUOUS * all(one.packed for one in kinds)
    dtype, table = kinds[0].dtype, np.array([one.sides for one in kinds], np.int64)
    if ndim == 3 - vectors:
        return Groups.of_sides(addresses, table[codes], dtype, items, flags)
    if vectors:
        single = np.ones((len(kinds), 1), np.int64)
        table = np.hstack([table[:, :1], single, table[:, 1:], single * dtype.itemsize])
    elif len(kinds) == 1:
        rows, cols, rs, cs = kinds[0].sides
        return Pointers(addresses, (rows, cols), dtype, (rs, cs), items, flags, listed=True)
    return Ragged(addresses, table[codes, :2], table[codes, 2:], dtype, items, flags & ~ALIGNED)


def _kinds(name: str, items: Sequence[Any], arrays: list[Any]) -> tuple[Array, list[int], list[ArrayKind]]:
    """The address of each, the kind of each, and the kinds."""
    places, codes = [], []
    found: dict[tuple[Any, ...], int] = {}
    tellers: dict[int | None, Any] = {}
    own, device = type(items[0]), _device_of(items[0])
    for i, item in enumerate(items):
        if type(item) is not own:
            _check_alike(f"{name}[{i}]", item, f"{name}[0]", items[0])
        if (where := _device_of(item)) != device:
            raise ValueError(f"{name}[{i}] is on {where} and {name}[0] on {device}: expected one GPU")
        try:
            told = getattr(item, INTERFACE)
        except CANNOT_TELL:
            header(f"{name}[{i}]", item)  # says why
            raise
        if told.get("mask") is not None:
            raise TypeError(f"{name}[{i}] is a masked array, whose mask would be ignored: expected one without")
        address, read_only = told["data"]
        key = told["typestr"], tuple(told["shape"]), told.get("strides"), read_only
        places.append(address or 0)
        codes.append(found.setdefault(key, len(found)))
        tellers.setdefault(told.get("stream"), item)
    arrays += tellers.values()
    return np.array(places, np.uintp), codes, [_kind(key, codes.index(code)) for key, code in found.items()]


def _device_of(item: Any) -> Any:
    """The GPU on which an array is, where it tells."""
    own = owner_of(item)
    tells = own is not item and hasattr(own, "__dlpack_device__")
    return f"GPU {own.__dlpack_device__()[1]}" if tells else getattr(own, "device", None)


def _check_alike(name: str, item: Any, first: str, other: Any) -> None:
    """Refuse arrays of several libraries, which would have a stream each, and what is no array of a GPU."""
    if not is_device_array(item):
        where = f"{name} is a {type(item).__name__} in host memory and {first} is on a GPU"
        raise TypeError(f"{where}: expected both there")
    if by_dlpack(item) or library_of(item) is not library_of(other):
        kinds = [type(owner_of(x)).__name__ for x in (item, other)]
        raise TypeError(f"{name} is a {kinds[0]} and {first} a {kinds[1]}: expected arrays of one library")


def _kind(key: tuple[Any, ...], first: int) -> ArrayKind:
    typestr, shape, strides, read_only = key
    dtype, steps, extent = np.dtype(typestr), [], np.dtype(typestr).itemsize
    for side in shape[::-1]:
        steps.append(extent)
        extent *= side
    packed = tuple(steps[::-1])
    return ArrayKind(dtype, shape, strides or packed, strides in (None, packed), read_only, first)


def _check(name: str, one: ArrayKind, first: ArrayKind, ndim: int, kind: Kind) -> None:
    """Refuse what cannot be in one list with the first of it."""
    item = f"{name}[{one.first}]"
    if kind is Kind.INDEX and one.dtype != INDEX_DTYPE:
        raise TypeError(f"{item} has dtype {one.dtype}: expected {INDEX_DTYPE}")
    if kind is not Kind.INDEX:
        check_dtype(item, one.dtype)
    if one.dtype != first.dtype:
        raise TypeError(f"{item} has dtype {one.dtype} but {name}[0] has {first.dtype}: expected one dtype")
    if len(one.shape) != ndim:
        raise ValueError(f"{item} has shape {one.shape}: expected a {ndim}-D array")
    check_aligned(item, one.dtype, 0, one.strides)
