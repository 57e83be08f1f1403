"""Pointers: a batch of matrices that lie anywhere, one address for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from reprlib import repr as short
from typing import Any

import numpy as np

from ..arguments import as_ints
from ..ir.terms import BY_DTYPE, Layout
from .device import header, is_device_array
from .form import MatrixForm
from .headers import ALIGNED, WRITEABLE, Array, common
from .overlap import Places

INTERNAL = ("call_key", "device_array", "flags", "form", "listed", "of", "places")
"""What others in this package ask Pointers for."""


def check_dtype(name: str, dtype: np.dtype[Any]) -> None:
    if dtype.name not in BY_DTYPE:
        raise TypeError(f"{name} has dtype {dtype}: expected one of {', '.join(BY_DTYPE)}")
    if not dtype.isnative:
        raise TypeError(f"{name} has dtype {dtype.str!r}, which is not in this machine's byte order: use .astype()")


def as_dtype(name: str, value: Any) -> np.dtype[Any]:
    """What a user calls a dtype."""
    try:
        found: np.dtype[Any] = np.dtype(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} = {value!r}: expected one of {', '.join(BY_DTYPE)}") from None
    return found


def integers(name: str, value: Any, ndim: int) -> Array:
    """A list or an array of integers."""
    try:
        found = np.asarray(value, np.int64 if not len(value) else None)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} = {short(value)}: expected integers, {ndim}-D") from None
    if found.dtype.kind not in "iu" or found.ndim != ndim:
        raise TypeError(f"{name} is {found.dtype} of shape {found.shape}: expected integers, {ndim}-D")
    return found.astype(np.int64)


def check_plain(name: str, value: Any) -> None:
    """Refuse arrays of which a part does not count: kernels see all elements."""
    if type(value) is np.ndarray or not isinstance(value, np.ndarray):
        return  # nor is np.ma loaded
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array, whose mask would be ignored: expected .filled(...) or .data of it")


@dataclass(frozen=True, eq=False)
class Pointers:
    """A batch of matrices of one shape, strides (bytes) and dtype, and the address of each. ``owner`` is kept alive.

    Make one with :func:`bblas_gen.pointers`. ``p[i]`` is matrix i, a view. Lists of arrays that have all of this in
    common become one, too.
    """

    addresses: Array
    matrix: tuple[int, int]
    dtype: np.dtype[Any]
    strides: tuple[int, int]
    owner: Any = None
    flags: int = ALIGNED | WRITEABLE
    listed: bool = False  # of a list on a GPU: results are lists, too
    table: Any = None  # on a GPU, with the addresses: then those here are where, and are never read

    @classmethod
    def of(cls, items: Sequence[Any], *, ndim: int = 2) -> Pointers | None:
        """The matrices of a list, or vectors as columns; None if they are not of one kind that kernels can use."""
        if len(items) and getattr(items[0], "shape", None) != getattr(items[-1], "shape", None):
            return None
        arrays = tuple(items)
        found = common(arrays)
        if found is None or len(found[0][1]) != ndim or found[0][0].name not in BY_DTYPE:
            return None
        (dtype, shape, strides, flags), addresses = found
        if not flags & ALIGNED or not dtype.isnative or any(stride % dtype.itemsize for stride in strides):
            return None
        matrix, steps = _as_matrix(shape, strides, dtype)
        return cls(addresses, matrix, dtype, steps, arrays, flags & (ALIGNED | WRITEABLE))

    @property
    def device_array(self) -> Any:
        """The array on a GPU that has the matrices; None of host memory."""
        return self.table if self.table is not None else self.owner if is_device_array(self.owner) else None

    @property
    def writeable(self) -> bool:
        return bool(self.flags & WRITEABLE)

    @property
    def batch(self) -> int:
        return len(self.addresses)

    @property
    def shape(self) -> tuple[int, int, int]:
        return (self.batch, *self.matrix)

    @property
    def ndim(self) -> int:
        return 3

    @cached_property
    def form(self) -> MatrixForm:
        """How the routing sees it."""
        rs, cs = (stride // self.dtype.itemsize for stride in self.strides)
        return MatrixForm(Layout.PP, *self.matrix, rs, cs)

    @property
    def places(self) -> Places:
        """Where elements lie; nowhere if nobody on the host knows."""
        return Places(
            self.addresses if self.table is None else self.addresses[:0], self.matrix, self.strides, self.dtype.itemsize
        )

    @property
    def call_key(self) -> tuple[Any, ...]:
        """All that a call depends on but the addresses, as a key."""
        return Layout.PP, self.dtype, self.matrix, self.strides, self.flags, self.device_array is not None

    def __dir__(self) -> list[str]:
        """What is for users."""
        return [name for name in super().__dir__() if name not in INTERNAL]

    def __len__(self) -> int:
        return self.batch

    def __getitem__(self, index: int) -> Array:
        if self.device_array is not None:
            raise TypeError("the matrices are on a GPU: expected an index of the array that has them")
        return np.asarray(_Matrix(self, int(self.addresses[index])))

    def __repr__(self) -> str:
        return f"Pointers(shape={self.shape}, dtype={self.dtype}, strides={self.strides})"


class _Matrix:
    """One matrix, as NumPy can look at it; keeps alive what owns it."""

    def __init__(self, all_of_them: Pointers, address: int) -> None:
        self.kept = all_of_them
        self.__array_interface__ = {
            "data": (address, False),
            "shape": all_of_them.matrix,
            "strides": all_of_them.strides,
            "typestr": all_of_them.dtype.str,
            "version": 3,
        }


def pointers(addresses: Any, shape: Sequence[int], dtype: Any, strides: Any = None, owner: Any = None) -> Pointers:
    """An operand from the addresses of its matrices: it works wherever a list of arrays does, and is checked faster.

    Parameters
    ----------
    addresses : int64 or uint64 array (batch,)
        The address of the first element of each matrix. Copied, but on a GPU: there kernels read it where it is.
    shape : tuple of int
        Rows and columns of one matrix, or the length of a vector.
    dtype : dtype
        Of the elements.
    strides : tuple of int, optional
        Bytes from row to row and from column to column (of a vector from element to element), whole elements. By
        default those of a C-contiguous matrix.
    owner : object, optional
        The object that owns the memory. It stays alive as long as the operand or a plan of it does. If it is an array
        on a GPU, the addresses are that GPU's.

    Returns
    -------
    operand : Pointers
        Takes the place of a list of 2-D arrays.

    Raises
    ------
    TypeError
        For addresses or a dtype that no operand can have.
    ValueError
        For a shape, strides, or an address that is 0 or not aligned.

    Notes
    -----
    The caller must make sure that the addresses are right: nothing can check it, on a GPU not even whether outputs
    share memory. For matrices of one array use :func:`bblas_gen.indexed`.

    Examples
    --------
    >>> base, index = np.arange(8.0).reshape(2, 2, 2), np.array([1, 0, 1])
    >>> d = bb.pointers(base.ctypes.data + index * base.strides[0], base.shape[1:], base.dtype, owner=base)
    >>> bb.gemm(d, np.ones((3, 2, 1)))[0].tolist()
    [[9.0], [13.0]]
    """
    kind, there = as_dtype("dtype", dtype), is_device_array(addresses)
    check_dtype("dtype", kind)
    table = header("addresses", addresses) if there else np.asarray(addresses)
    if table.dtype.kind not in "iu" or table.dtype.itemsize != 8:
        raise TypeError(f"addresses has dtype {table.dtype}: expected 64-bit integers")
    if table.ndim != 1:
        raise ValueError(f"addresses has shape {table.shape}: expected (batch,)")
    sides = as_ints(shape)
    if sides is None or len(sides) not in (1, 2) or min(sides) < 0:
        raise ValueError(f"shape = {shape!r}: expected (rows, columns), or (n,) of vectors")
    gapless = tuple(kind.itemsize * side for side in (*sides[1:], 1))
    steps = gapless if strides is None else as_ints(strides)
    if steps is None or len(steps) != len(sides) or any(step % kind.itemsize for step in steps):
        raise ValueError(f"strides = {strides!r}: expected {len(sides)} multiples of {kind.itemsize} bytes")
    matrix, pair = _as_matrix(sides, steps, kind)
    if there:
        if len(table) > 1 and table.strides[0] != table.itemsize:
            raise ValueError(f"addresses has strides {table.strides}: expected one after another")
        return Pointers(table, matrix, kind, pair, owner, table=addresses)
    wrong = np.flatnonzero(((table <= 0) | (table % kind.alignment != 0)) & (0 not in sides))
    if len(wrong):
        i = int(wrong[0])
        raise ValueError(f"addresses[{i}] = {int(table[i]):#x}: expected that of an aligned {kind} (not 0)")
    return Pointers(table.astype(np.uintp), matrix, kind, pair, owner)


def indexed(base: Any, index: Any) -> Pointers:
    """The operand whose matrix i is ``base[index[i]]``, without a copy: ``base[index]`` for kernels.

    Parameters
    ----------
    base : array (count, rows, columns), or (count, n) of vectors
        Of any strides, also on a GPU. It stays alive, and what is written to it later counts.
    index : int array (batch,)
        From -count to count - 1 as NumPy counts, in any order, repeated or not. Copied. For an output none may be
        repeated.

    Returns
    -------
    operand : Pointers
        Takes the place of a list of 2-D arrays.

    Raises
    ------
    TypeError
        For a base or an index that is no such array.
    ValueError
        For a base whose elements are not aligned or not whole elements apart.
    IndexError
        For an index out of bounds.

    Notes
    -----
    Costs some nanoseconds for each matrix, and the kernel reads an address for each.

    Examples
    --------
    Cells of two materials:

    >>> materials, material_of_cell = np.arange(8.0).reshape(2, 2, 2), np.array([1, 0, 1])
    >>> bb.gemm(bb.indexed(materials, material_of_cell), np.ones((3, 2, 1)))[0].tolist()
    [[9.0], [13.0]]
    """
    owner, base = base, header("base", base) if is_device_array(base) else base
    if type(base) is not np.ndarray or base.ndim not in (2, 3):
        found = f"{base.ndim}-D" if isinstance(base, np.ndarray) else f"a {type(base).__name__}"
        raise TypeError(f"base is {found}: expected an array (count, rows, columns), or (count, n) of vectors")
    check_dtype("base", base.dtype)
    if not base.flags.aligned or any(stride % base.itemsize for stride in base.strides[1:]):
        raise ValueError(f"base has strides {base.strides} or is not aligned: expected whole elements of {base.dtype}")
    count, chosen = len(base), integers("index", index, 1)
    if len(chosen) and not (-count <= int(chosen.min()) and int(chosen.max()) < count):
        i = int(np.flatnonzero((chosen < -count) | (chosen >= count))[0])
        raise IndexError(
            f"index[{i}] = {int(chosen[i])}: expected {-count} to {count - 1}, as base has {count} matrices"
        )
    chosen[chosen < 0] += count
    matrix, pair = _as_matrix(base.shape[1:], base.strides[1:], base.dtype)
    addresses = (chosen * base.strides[0] + base.__array_interface__["data"][0]).astype(np.uintp)
    return Pointers(addresses, matrix, base.dtype, pair, owner, base.flags.num & (ALIGNED | WRITEABLE))


def _as_matrix(
    shape: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype[Any]
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Shape and strides; of a vector those of a column."""
    if len(shape) == 1:
        return (shape[0], 1), (strides[0], dtype.itemsize)
    return (shape[0], shape[1]), (strides[0], strides[1])
