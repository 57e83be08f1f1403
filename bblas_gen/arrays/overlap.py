"""Whether an output shares memory with itself or another operand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Runs = tuple[Array, Array]
"""First byte and end of pieces of memory without gaps, sorted by the first."""
ANY_LENGTH = 2**62


class Places(NamedTuple):
    """Where elements lie: arrays of one shape and strides (bytes), and the address of the first element of each."""

    addresses: Array
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    itemsize: int

    @classmethod
    def of(cls, array: Array) -> Places:
        address = array.__array_interface__["data"][0]
        return cls(np.array([address], dtype=np.uintp), array.shape, array.strides, array.itemsize)


def check_overlap(output: str, written: Sequence[Places], others: Mapping[str, Sequence[Places]]) -> None:
    """Refuse an output that shares an element with itself or with another operand.

    Cheap bounds first; only where those meet are pieces of memory compared.
    """
    found = [places for places in written if _elements(places)]
    alone = len(found) == 1 and len(found[0].addresses) == 1 and not _folds(found[0])
    if not alone and found:
        begins, ends = _runs(found)
        if (np.maximum.accumulate(ends)[:-1] > begins[1:]).any():
            raise ValueError(f"{output} overlaps itself: expected an output whose elements lie apart")
    for name, places in others.items():
        given = [x for x in places if _elements(x)]
        if found and given and _meet(found, given):
            raise ValueError(f"{output} overlaps {name}: expected an output that shares no memory with an input")


def may_grow(array: Array) -> bool:
    """Whether the elements lay apart however long the first axis were."""
    return not _folds(Places.of(array)._replace(shape=(ANY_LENGTH, *array.shape[1:])))


def _elements(places: Places) -> bool:
    return len(places.addresses) > 0 and 0 not in places.shape


def _folds(places: Places) -> bool:
    """Whether two indices might mean one element: some stride does not clear the extent of the smaller ones."""
    extent = places.itemsize
    for stride, length in _axes(places):
        if stride < extent:
            return True
        extent += stride * (length - 1)
    return False


def _axes(places: Places) -> list[tuple[int, int]]:
    """Strides, as if none were negative, and lengths of the axes longer than one; the shortest stride first."""
    return sorted((abs(s), n) for s, n in zip(places.strides, places.shape, strict=True) if n > 1)


def _first_bytes(places: Places) -> Array:
    below = sum(s * (n - 1) for s, n in zip(places.strides, places.shape, strict=True) if s < 0)
    return places.addresses.astype(np.int64) + below


def _meet(some: Sequence[Places], others: Sequence[Places]) -> bool:
    (low, high), (first, end) = _bounds(some), _bounds(others)
    if low >= end or first >= high:
        return False
    begins, ends = _runs(some)
    # of the pieces that begin before the end of another one, does one reach beyond its first byte?
    reach, (firsts, others_ends) = np.maximum.accumulate(ends), _runs(others)
    before = np.searchsorted(begins, others_ends)
    return bool((reach[before - 1] > firsts)[before > 0].any())


def _bounds(found: Sequence[Places]) -> tuple[int, int]:
    """First byte and end of all."""
    pairs = []
    for places in found:
        begins = _first_bytes(places)
        extent = places.itemsize + sum(stride * (length - 1) for stride, length in _axes(places))
        pairs.append((int(begins.min()), int(begins.max()) + extent))
    return min(low for low, _ in pairs), max(high for _, high in pairs)


def _runs(found: Sequence[Places]) -> Runs:
    pairs = [_pieces(places) for places in found]
    begins, ends = (np.concatenate(x) if len(pairs) > 1 else x[0] for x in zip(*pairs, strict=True))
    if (begins[1:] < begins[:-1]).any():
        order = np.argsort(begins)
        begins, ends = begins[order], ends[order]
    return begins, ends


def _pieces(places: Places) -> Runs:
    length, begins = places.itemsize, _first_bytes(places)
    for stride, count in _axes(places):
        if stride == length:  # no gap
            length *= count
        else:
            begins = (begins[:, None] + np.arange(count, dtype=np.int64) * stride).ravel()
    return begins, begins + length
