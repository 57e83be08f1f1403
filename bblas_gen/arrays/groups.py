"""Groups: several batches in one call, a list of 3-D arrays for each operand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ir.terms import BY_DTYPE, INDEX_DTYPE, Layout
from .device import is_device_array, shape_of
from .form import MatrixForm, usable
from .headers import ALIGNED, C_CONTIGUOUS, WRITEABLE, Array, apart
from .pointers import check_dtype, check_plain
from .ragged import FLAGS, Ragged

Located = tuple[int, int]
"""A group, and the matrix in it."""


@dataclass(frozen=True, eq=False, repr=False)
class Groups(Ragged):
    """The matrices of a list of batches, one batch after another. ``ends``: where each begins, and the end; ``sides``
    (groups, 2): of the matrices of each."""

    ends: Array = None  # type: ignore[assignment]
    sides: Array = None  # type: ignore[assignment]

    @classmethod
    def of_list(cls, name: str, items: Sequence[Any]) -> Groups:
        """Of 3-D arrays of one dtype, or of 2-D ones of indices."""
        found = apart(tuple(items))
        if found and _usable(*found[0]):
            (dtype, sides, flags), addresses = found
            return cls.of_sides(addresses, sides, dtype, items, flags)
        ndim = items[0].ndim
        for i, item in enumerate(items):
            check_item(f"{name}[{i}]", item, items[0], f"{name}[0]")
        arrays = [usable(item) for item in items]
        sides = np.array([(*x.shape, *x.strides) for x in arrays], np.int64).reshape(-1, 2 * ndim)
        addresses = np.array([x.ctypes.data for x in arrays], dtype=np.uintp)
        flags = int(np.bitwise_and.reduce([x.flags.num for x in arrays]))
        copies = tuple((old, new) for old, new in zip(items, arrays, strict=True) if old is not new)
        if copies:  # where elements lie is not where the given ones do
            flags = flags & ~C_CONTIGUOUS & ~WRITEABLE
            flags |= WRITEABLE if all(x.flags.writeable for x in items) else 0
        return cls.of_sides(addresses, sides, arrays[0].dtype, items, flags, copies)

    @classmethod
    def of_sides(
        cls, begins: Array, sides: Array, dtype: np.dtype[Any], items: Sequence[Any], flags: int, copies: Any = ()
    ) -> Groups:
        """Of the address, and of shape and strides (bytes), of each."""
        shapes, strides = np.split(sides, 2, axis=1)
        if shapes.shape[1] == 2:  # of indices, each a column
            one = np.ones((len(sides), 1), np.int64)
            shapes, strides = np.hstack([shapes, one]), np.hstack([strides, one * dtype.itemsize])
        counts = shapes[:, 0]
        ends = np.concatenate([[0], np.cumsum(counts)])
        within = np.arange(ends[-1]) - np.repeat(ends[:-1], counts)
        addresses = np.repeat(begins, counts) + (np.repeat(strides[:, 0], counts) * within).astype(np.uintp)
        return cls(
            addresses,
            np.repeat(shapes[:, 1:], counts, axis=0),
            np.repeat(strides[:, 1:], counts, axis=0),
            dtype,
            items,
            flags & FLAGS,
            copies,
            ends=ends,
            sides=shapes[:, 1:],
        )

    def form_of(self, group: int) -> MatrixForm:
        """As far as shapes go."""
        rows, cols = map(int, self.sides[group])
        return MatrixForm(Layout.PP, rows, cols)

    @property
    def counts(self) -> Array:
        return np.diff(self.ends)

    def __getitem__(self, index: int) -> Array:
        group, i = located(self.ends, range(self.batch)[index])
        item: Array = self.owner[group][i]
        return item if item.ndim == 2 else item[:, None]


def is_group(value: Any, ndim: int = 3) -> bool:
    """Whether it is a list of batches: of arrays with ``ndim`` axes."""
    listed = isinstance(value, (list, tuple)) and len(value) > 0
    if listed and isinstance(value[0], np.ndarray):
        return bool(value[0].ndim == ndim)
    return listed and is_device_array(value[0]) and len(shape_of(value[0])) == ndim


def is_stored_apart(value: Any) -> bool:
    """Whether it is a list of batches that are no arrays: Interleaved, or pointers."""
    listed = isinstance(value, (list, tuple)) and len(value) > 0
    return listed and (hasattr(value[0], "call_key") or hasattr(value[0], "head"))  # which those on a GPU have


def located(ends: Array, i: int) -> Located:
    """Where matrix ``i`` of all groups is."""
    group = int(np.searchsorted(ends, i, side="right")) - 1
    return group, i - int(ends[group])


def agreed_ends(named: Mapping[str, tuple[str, Any]]) -> Array | None:
    """Where the groups of the operands begin, and the end; None where there are none."""
    batches = [pair for pair in named.values() if pair[1].batch is not None]
    first, like = next(((name, x) for name, x in batches if isinstance(x, Groups)), ("", None))
    if like is None:
        return None
    for name, x in batches:
        check_count(name, len(x.sides) if isinstance(x, Groups) else None, first, len(like.sides))
        for i in np.flatnonzero(x.counts != like.counts)[:1]:
            found = f"{name}[{i}] is a batch of {x.counts[i]} but {first}[{i}] is one of {like.counts[i]}"
            raise ValueError(f"{found}: expected one size")
    return like.ends


def check_count(name: str, count: int | None, first: str, expected: int) -> None:
    """Refuse what has not as many batches as ``first``; ``count`` is None of what is no list of them."""
    if count is None:
        found = f"{name} is one batch but {first} is a list of batches"
        raise TypeError(f"{found}: expected a list of batches, or one matrix for all")
    if count != expected:
        raise ValueError(f"{name} has {count} batches but {first} has {expected}: expected as many")


def check_item(name: str, item: Any, first: Any, first_name: str) -> None:
    """Refuse what cannot be in one list of batches with the ``first`` of it."""
    kind = np.ndarray if isinstance(first, np.ndarray) else type(first)
    if not isinstance(item, kind):
        found = f"{name} is a {type(item).__name__} but {first_name} is a {kind.__name__}"
        raise TypeError(f"{found}: expected batches of one kind in a list")
    check_plain(name, item)
    if item is first and first.dtype != INDEX_DTYPE:
        check_dtype(name, item.dtype)
    if item.dtype != first.dtype:
        raise TypeError(f"{name} has dtype {item.dtype} but {first_name} has {first.dtype}: expected one dtype")
    if item.ndim != first.ndim:
        raise ValueError(f"{name} has shape {item.shape}: expected {first.ndim} axes, as {first_name} is a batch")


def _usable(dtype: np.dtype[Any], sides: Array, flags: int) -> bool:
    """Whether kernels take them as they are."""
    known = dtype.isnative and (dtype.name in BY_DTYPE or dtype == INDEX_DTYPE)
    strides = sides[:, sides.shape[1] // 2 :]
    return known and bool(flags & ALIGNED) and not (strides % dtype.itemsize).any()
