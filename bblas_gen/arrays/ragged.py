"""Ragged operands: a batch of matrices, each with a shape and strides of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..arguments import place_of
from ..ir.terms import BY_DTYPE, INDEX_DTYPE
from .device import header, is_device_array
from .form import usable
from .headers import ALIGNED, C_CONTIGUOUS, WRITEABLE, Array, apart
from .overlap import Pieces
from .pointers import check_dtype, integers

FLAGS = C_CONTIGUOUS | WRITEABLE
PUBLIC = ("batch", "dtype", "offsets", "shapes", "to", "values", "writeable")
"""What is for users."""
WAYS: dict[str, Callable[..., Any]] = {}
"""What brings an array to a place, by its name, if it is elsewhere, to the GPU of a number where that is given; the
floor that can do it says so."""


@dataclass(frozen=True, eq=False)
class Ragged:
    """A batch of matrices of one dtype, of any shapes. ``r[i]`` is matrix i, a view.

    Make one with :func:`bblas_gen.ragged`. Lists of arrays of different shapes become one, too. ``values`` has all
    elements, those of matrix i from row ``offsets[i]`` to ``offsets[i + 1]``; both are None of a list. ``flat``: its
    elements are matrices of ``shapes``, not vectors. Where ``values`` are on a GPU, so are the addresses.
    """

    addresses: Array
    shapes: Array  # (batch, 2)
    strides: Array  # (batch, 2), bytes
    dtype: np.dtype[Any]
    owner: Any
    flags: int
    copies: tuple[tuple[Array, Array], ...] = ()
    values: Any = None
    offsets: Array | None = None
    flat: bool = False

    @classmethod
    def of(cls, items: Sequence[Any], *, ndim: int = 2) -> Ragged | None:
        """The matrices of a list, or vectors as columns; None if they are not all NumPy's own arrays of one dtype with
        whole elements."""
        found = apart(tuple(items))
        if found is None or found[0][1].shape[1] != 2 * ndim:
            return None
        (dtype, sides, flags), addresses = found
        packed, known = flags & C_CONTIGUOUS, dtype.name in BY_DTYPE and dtype.isnative
        if not known or not flags & ALIGNED or not (packed or _whole(sides[:, ndim:], dtype)):
            return None
        shapes, strides = _as_matrices(sides, dtype)
        return cls(addresses, shapes, _rows(shapes, dtype) if packed else strides, dtype, items, flags & FLAGS)

    @classmethod
    def of_arrays(cls, items: Sequence[Array]) -> Ragged:
        """The matrices of a list of 2-D arrays of one dtype, with copies of those that are not aligned."""
        arrays = [usable(item) for item in items]
        sides = np.array([(*x.shape, *x.strides) for x in arrays], np.int64)
        flags = WRITEABLE if all(x.flags.writeable for x in items) else 0
        copies = tuple((old, new) for old, new in zip(items, arrays, strict=True) if old is not new)
        addresses = np.array([x.ctypes.data for x in arrays], dtype=np.uintp)
        return cls(addresses, sides[:, :2], sides[:, 2:], arrays[0].dtype, items, flags, copies)

    @classmethod
    def of_values(cls, values: Any, offsets: Array, shapes: Array | None = None) -> Ragged:
        """Pieces of ``values``: rows ``offsets[i]`` to ``offsets[i + 1]``, or matrices of ``shapes`` without gaps."""
        flat, seen = shapes is not None, _seen(values)
        if shapes is None:
            rows = seen[:, None] if seen.ndim == 1 else seen
            shapes = np.stack([np.diff(offsets), np.full(len(offsets) - 1, rows.shape[1])], axis=1)
            strides = np.broadcast_to(np.array(rows.strides, np.int64), shapes.shape)
        else:
            strides = _rows(shapes, seen.dtype)
        addresses = (seen.__array_interface__["data"][0] + offsets[:-1] * seen.strides[0]).astype(np.uintp)
        return cls(addresses, shapes, strides, seen.dtype, values, seen.flags.num & FLAGS, (), values, offsets, flat)

    @property
    def device_array(self) -> Any:
        """The array on a GPU that has the matrices; None of host memory."""
        return self.values if is_device_array(self.values) else None

    def to(self, where: str) -> Ragged:
        """A copy of it on a GPU, for "cuda", or in host memory, for "cpu", once the GPU is done with what was queued;
        itself where it is there. "cuda" is any GPU, the first for what is in host memory; "cuda:1" the second one, by
        way of host memory from another. The memory of a copy is its own. ValueError where there is no such GPU."""
        kind, number = place_of(where, WAYS)
        values = WAYS[kind](self.values, *number)
        if values is self.values or self.offsets is None:
            return self
        return Ragged.of_values(values, self.offsets, self.shapes if self.flat else None)

    @property
    def batch(self) -> int:
        return len(self.addresses)

    @property
    def columns_of_shapes(self) -> list[Array]:
        """What tells matrices apart: their sides, and their strides where these do not follow."""
        sides = [self.shapes] if self.packed else [self.shapes, self.strides]
        return [side[:, axis] for side in sides for axis in (0, 1)]

    @property
    def packed(self) -> bool:
        """Whether all are row-major without gaps."""
        return bool(self.flags & C_CONTIGUOUS)

    @property
    def places(self) -> list[Pieces]:
        """Where the elements of matrices without gaps lie."""
        begins = self.addresses.astype(np.int64)
        found = Pieces(begins, begins + self.shapes[:, 0] * self.shapes[:, 1] * self.dtype.itemsize)
        return [found if (found.begins < found.ends).all() else Pieces(*(x[begins < found.ends] for x in found))]

    @property
    def writeable(self) -> bool:
        return bool(self.flags & WRITEABLE)

    def __dir__(self) -> list[str]:
        return [*PUBLIC, "__getitem__", "__len__"]

    def __len__(self) -> int:
        return self.batch

    def __iter__(self) -> Iterator[Array]:
        return map(self.__getitem__, range(self.batch))

    def __getitem__(self, index: int) -> Array:
        i = range(self.batch)[index]
        if self.values is None or self.offsets is None:
            item: Array = self.owner[i]
            return item if item.ndim == 2 else item[:, None]
        part: Array = self.values[int(self.offsets[i]) : int(self.offsets[i + 1])]
        return part.reshape(self.shapes[i].tolist()) if self.flat else part

    def __repr__(self) -> str:
        return f"Ragged(batch={self.batch}, dtype={self.dtype})"

    def columns(self) -> Ragged:
        """Vectors as matrices of one column."""
        if self.values is None or len(self.values.shape) == 2 or self.flat:
            return self
        return replace(self, values=self.values[:, None])

    def vectors(self) -> Ragged:
        """Matrices of one column as vectors."""
        return self if self.values is None or self.flat else replace(self, values=self.values[:, 0])


def as_ragged(value: Any) -> Any:
    """A list whose first and last arrays are not alike as Ragged, if it can be; else what it is."""
    if not isinstance(value, (list, tuple)) or len(value) < 2:
        return value
    first, last = (getattr(item, "shape", None) for item in (value[0], value[-1]))
    return value if first == last else Ragged.of(value) or value


def ragged(values: Any, offsets: Any, shapes: Any = None) -> Ragged:
    """An operand whose matrices have different numbers of rows and lie one after another, as in CSR, Awkward and Arrow.

    Parameters
    ----------
    values : array (total, columns), or (total,) of vectors
        The rows of all matrices, of any strides, also on a GPU. It stays alive, and is read and written where it is.
    offsets : int array (batch + 1,)
        Matrix i has rows ``offsets[i]`` to ``offsets[i + 1]`` of ``values``. From 0 to total, never less than the one
        before. Copied.
    shapes : int array (batch, 2), optional
        With it ``values`` is 1-D and matrix i is ``values[offsets[i]:offsets[i + 1]].reshape(shapes[i])``. Copied.

    Returns
    -------
    operand : Ragged
        Takes the place of a list of arrays in every operation and sequence. ``operand[i]`` is matrix i, a view;
        ``operand.values`` and ``operand.offsets`` are all of them.

    Raises
    ------
    TypeError
        For values or a dtype that no operand can have.
    ValueError
        For offsets or shapes that are not of these values.

    Notes
    -----
    Matrices of one shape are done together, vectors filled across them, so the order of shapes costs little: some
    nanoseconds for each matrix. A shape that is rare is done by a kernel for any size where the operation has one.

    Examples
    --------
    The ratings of three users, two factors each, and the Gram matrix of each user:

    >>> ratings = bb.ragged(np.arange(12.0).reshape(6, 2), [0, 1, 4, 6])
    >>> bb.syrk(ratings, trans="T")[1].tolist()
    [[56.0, 0.0], [68.0, 83.0]]
    """
    given, values = values, _seen(values)
    if type(values) is not np.ndarray or values.ndim not in (1, 2):
        found = f"{values.ndim}-D" if isinstance(values, np.ndarray) else f"a {type(values).__name__}"
        raise TypeError(f"values is {found}: expected an array (total, columns), or (total,) of vectors")
    if values.dtype != INDEX_DTYPE:
        check_dtype("values", values.dtype)
    if not values.flags.aligned or any(stride % values.itemsize for stride in values.strides):
        raise ValueError(f"values has strides {values.strides} or is not aligned: expected whole {values.dtype}")
    ends = integers("offsets", offsets, 1)
    if not len(ends) or ends[0] < 0 or ends[-1] > len(values) or (np.diff(ends) < 0).any():
        raise ValueError(f"offsets go from {ends[:1]} to {ends[-1:]}: expected to rise from 0 to {len(values)} at most")
    if shapes is None:
        return Ragged.of_values(given, ends)
    sides = integers("shapes", shapes, 2)
    if values.ndim != 1 or values.strides[0] != values.itemsize:
        raise ValueError(f"values has shape {values.shape} and shapes are given: expected a 1-D array without gaps")
    if sides.shape != (len(ends) - 1, 2) or (sides < 0).any():
        raise ValueError(f"shapes has shape {sides.shape}: expected rows and columns of {len(ends) - 1} matrices")
    wrong = np.flatnonzero(sides.prod(axis=1) != np.diff(ends))
    if len(wrong):
        i = int(wrong[0])
        raise ValueError(f"shapes[{i}] = {sides[i].tolist()} but offsets leave it {ends[i + 1] - ends[i]} elements")
    return Ragged.of_values(given, ends, sides)


def _seen(values: Any) -> Any:
    """What is looked at of an array."""
    return header("values", values) if is_device_array(values) else values


def _whole(strides: Array, dtype: np.dtype[Any]) -> bool:
    return not (strides % dtype.itemsize).any()


def _rows(shapes: Array, dtype: np.dtype[Any]) -> Array:
    """Strides of row-major matrices without gaps."""
    return np.stack([shapes[:, 1] * dtype.itemsize, np.full(len(shapes), dtype.itemsize)], axis=1)


def _as_matrices(sides: Array, dtype: np.dtype[Any]) -> tuple[Array, Array]:
    """Shapes and strides; of vectors those of columns."""
    if sides.shape[1] == 4:
        return sides[:, :2], sides[:, 2:]
    one = np.ones((len(sides), 1), np.int64)
    return np.hstack([sides[:, :1], one]), np.hstack([sides[:, 1:], one * dtype.itemsize])
