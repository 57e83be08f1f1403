"""Whether an output shares memory with itself or another operand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .host import Array

ANY_LENGTH = 2**62


def check_overlap(output: str, written: Sequence[Array], others: dict[str, Sequence[Array]]) -> None:
    """Refuse an output that shares an element with itself or with another operand.

    Cheap bounds first; only where those meet are the addresses of single elements compared.
    """
    if _meets_itself(written):
        addresses = _addresses(written)
        if len(np.unique(addresses)) < len(addresses):
            raise ValueError(f"{output} overlaps itself: expected an output whose elements lie apart")
    for name, arrays in others.items():
        if _meets(written, arrays) and np.intersect1d(_addresses(written), _addresses(arrays)).size:
            raise ValueError(f"{output} overlaps {name}: expected an output that shares no memory with an input")


def _bounds(arrays: Sequence[Array]) -> tuple[Array, Array]:
    """First byte and end of each array, sorted by the first."""
    pairs = [np.lib.array_utils.byte_bounds(a) for a in arrays if a.size]
    found = np.array(sorted(pairs), dtype=np.uint64).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def _meets(some: Sequence[Array], others: Sequence[Array]) -> bool:
    if len(some) == len(others) == 1:
        return bool(np.may_share_memory(some[0], others[0]))
    low, high = _bounds(some)
    for array in others:
        if array.size:
            first, end = np.lib.array_utils.byte_bounds(array)
            # of the intervals that begin before `end`, does one reach beyond `first`?
            before = int(np.searchsorted(low, end))
            if before and int(high[:before].max()) > first:
                return True
    return False


def _meets_itself(arrays: Sequence[Array]) -> bool:
    if len(arrays) > 1:
        low, high = _bounds(arrays)
        if (np.maximum.accumulate(high)[:-1] > low[1:]).any():
            return True
        arrays = arrays[:1]  # their strides are alike
    return any(_folds(array, array.shape) for array in arrays)


def may_grow(array: Array) -> bool:
    """Whether the elements lay apart however long the first axis were."""
    return not _folds(array, (ANY_LENGTH, *array.shape[1:]))


def _folds(array: Array, shape: tuple[int, ...]) -> bool:
    """Whether two indices might mean one element, if the array had this shape: some stride does not clear the extent of
    the smaller ones."""
    extent = array.itemsize
    for stride, length in sorted((abs(s), n) for s, n in zip(array.strides, shape, strict=True) if n > 1):
        if stride < extent:
            return True
        extent += stride * (length - 1)
    return False


def _addresses(arrays: Sequence[Array]) -> Array:
    """The address of every element."""
    found = []
    for array in arrays:
        here = np.array(array.__array_interface__["data"][0], dtype=np.int64)
        for stride, length in zip(array.strides, array.shape, strict=True):
            here = here[..., None] + np.arange(length, dtype=np.int64) * stride
        found.append(here.ravel())
    return np.concatenate(found)
