"""Interleaved: a batch in layout ``bi`` or ``il``, where vectors run across matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, SupportsIndex, TypeVar, overload

import numpy as np

from ..arguments import as_int
from ..arrays.form import MatrixForm
from ..arrays.host import Array, Operand
from ..arrays.pointers import Pointers, check_dtype, check_plain
from ..arrays.ragged import Ragged
from ..ir.catalog import OPS
from ..ir.terms import INDEX_DTYPE, Layout
from .call import no_memory
from .route import execute, prepare
from .storage import Storage, aligned, order_of


class Interleaved:
    """A batch of ``shape`` (batch, rows, columns), the matrices of a block interleaved.

    ``data`` is the storage, an array of reals of shape (blocks, columns, rows, nb) for real and (blocks, columns,
    rows, 2, nb) for complex dtypes, real parts before imaginary ones: element (i, j) of matrix b is
    ``data[b // nb, j, i, ..., b % nb]``. In layout ``bi`` a block is ``nb`` matrices; in ``il`` there is one block and
    ``nb`` counts the stored lanes. ``padding`` lanes at the end of the last block belong to no matrix: zero at first,
    never written. Of square matrices one triangle can be stored alone, column by column (``triangle`` "L" or "U",
    layouts ``bl`` and ``bu``): ``data`` then has the shape (blocks, n (n + 1) / 2, nb), or (blocks, n (n + 1) / 2, 2,
    nb), and what is not stored counts as zero.

    Make one with :func:`bblas_gen.interleave`, :meth:`empty`, or around your own storage with this constructor, which
    copies nothing. Indices such as pivots are batches of int32 in the same layouts. ``A[b]`` copies one matrix out
    (read-only, as writing to it would change nothing else), ``A[b] = x`` writes one. ``A[i:j]`` is a view of matrices
    i to j - 1, where i begins a block: operations on it read and write ``A``; other matrices of its last block are
    padding to it. ``A @ B`` is ``gemm(A, B)``. ``A.lanes`` is a view of everything.

    Examples
    --------
    >>> A = bb.interleave(np.arange(40.0).reshape(10, 2, 2))
    >>> A.data.shape, A.padding
    ((2, 2, 2, 8), 6)
    >>> A[9].tolist()
    [[36.0, 37.0], [38.0, 39.0]]
    >>> last = bb.trmm(np.eye(2), A[8:], alpha=0.5)
    >>> A[9].tolist()
    [[18.0, 18.5], [19.0, 19.5]]
    >>> (A[:1] @ np.ones((1, 2, 1)))[0].tolist()
    [[1.0], [5.0]]
    """

    __slots__ = ("batch", "data", "dtype", "layout", "nb")
    __array_priority__ = 1000

    def __init__(self, data: Array, batch: int, *, layout: str = "bi") -> None:
        if not isinstance(data, np.ndarray):
            raise TypeError(f"data is a {type(data).__name__}: expected an array of reals")
        check_plain("data", data)
        if (count := as_int(batch)) is None:
            raise TypeError(f"batch = {batch!r}: expected an int, the number of matrices")
        if data.dtype != INDEX_DTYPE:
            check_dtype("data", data.dtype)
        if layout not in [where for where in Layout if where.interleaved]:
            raise ValueError(f"layout = {layout!r} is not interleaved: expected 'bi', 'il', 'bl' or 'bu'")
        self.layout = Layout(layout)
        sides = "elements" if self.layout.triangle else "columns, rows"
        plain = 3 if self.layout.triangle else 4
        pairs = data.ndim == plain + 1 and data.shape[-2] == 2
        if data.dtype.kind == "c" or not (pairs or data.ndim == plain):
            raise ValueError(
                f"data has dtype {data.dtype} and shape {data.shape}: expected reals of shape (blocks, {sides}, nb) or"
                f" (blocks, {sides}, 2, nb)"
            )
        if self.layout.triangle and order_of(data.shape[1]) * (order_of(data.shape[1]) + 1) != 2 * data.shape[1]:
            raise ValueError(f"data has {data.shape[1]} elements of a matrix: expected n (n + 1) / 2 of a triangle")
        if not data.flags.c_contiguous:
            raise ValueError("data is not C-contiguous: expected storage without gaps")
        self.data = data
        self.batch = count
        self.nb = data.shape[-1]
        if not self.nb:
            raise ValueError(f"data has shape {data.shape}: expected blocks of 1 lane or more")
        self.dtype = np.dtype(f"c{data.itemsize * 2}") if pairs else data.dtype
        if self.layout is Layout.IL and data.shape[0] != 1:
            raise ValueError(f"data has {data.shape[0]} blocks: expected one in layout il")
        blocks = -(-count // self.nb)
        if count < 0 or (self.layout.blocked and blocks != data.shape[0]) or count > data.shape[0] * self.nb:
            raise ValueError(f"batch = {batch} does not fit {data.shape[0]} block(s) of {self.nb} matrices")

    @classmethod
    def empty(
        cls, shape: tuple[int, int, int], dtype: Any = float, *, nb: int | str | None = None, triangle: str = ""
    ) -> Interleaved:
        """New storage for ``shape``, 64-byte aligned and not written but for its padding, so that the first kernel to
        write it decides which memory node each part comes from."""
        found = Storage.of(shape, dtype, nb, triangle)
        data = aligned(found.shape, found.dtype)
        data[-1:, ..., found.used :] = 0
        return cls(data, found.batch, layout=found.layout)

    @property
    def shape(self) -> tuple[int, int, int]:
        if self.layout.triangle:
            return (self.batch, order_of(self.data.shape[1]), order_of(self.data.shape[1]))
        return (self.batch, self.data.shape[2], self.data.shape[1])

    @property
    def triangle(self) -> str:
        """The triangle that is stored alone, "L" or "U"; "" where all is stored."""
        return str(self.layout.triangle or "")

    @property
    def ndim(self) -> int:
        return 3

    @property
    def padding(self) -> int:
        """Lanes of the last block that belong to no matrix."""
        return int(self.data.shape[0] * self.nb - self.batch)

    @property
    def nbytes(self) -> int:
        """Bytes of storage, padding included."""
        return self.data.nbytes

    @property
    def lanes(self) -> Array:
        """All storage as a view of shape (blocks, nb, rows, columns), for complex (blocks, nb, rows, columns, 2):
        matrix b is ``lanes[b // nb, b % nb]``. Of a triangle the elements are in one axis. Includes the padding."""
        lanes = np.moveaxis(self.data, -1, 1)
        return lanes if self.layout.triangle else lanes.swapaxes(2, 3)

    @overload
    def deinterleave(self, out: None = None, *, num_threads: int | None = None) -> Array: ...

    @overload
    def deinterleave(self, out: Batch, *, num_threads: int | None = None) -> Batch: ...

    def deinterleave(self, out: Any = None, *, num_threads: int | None = None) -> Any:
        """The batch as an array of shape ``shape``; see :func:`bblas_gen.deinterleave`."""
        if out is None:
            out = np.empty(self.shape, self.dtype)
        if self.dtype == INDEX_DTYPE:  # few numbers, for which there is no kernel
            _check_indices(out, self.shape)
            out[...] = self.lanes.reshape(-1, *self.shape[1:])[: self.batch]
        else:
            self.copied(self, out, num_threads)
        return out

    @property
    def call_key(self) -> tuple[Any, ...]:
        """All that a call depends on but the address, the batch size and, in ``il``, the number of lanes, as a key."""
        inner = self.data.shape[1:-1] if self.layout is Layout.IL else self.data.shape[1:]
        return self.layout, self.dtype, inner, self.data.flags.num

    def recipe(
        self, rows: int, cols: int, dtype: np.dtype[Any], *, half: bool = False, zero: bool = False
    ) -> Callable[[int], Interleaved]:
        """What makes batches of other matrices in the same layout; it keeps nothing of this one. ``half``: where this
        is a triangle stored alone, they are too. ``zero``: what is not written is zero."""
        nb = "full" if self.layout is Layout.IL else self.nb
        triangle = self.triangle if half else ""
        return partial(_made, rows, cols, dtype, nb=nb, triangle=triangle, zero=zero)

    def to(self, where: str) -> Any:
        """Itself for "cpu"; for "cuda" a copy in the memory of the first GPU, for "cuda:1" of the second one, the same
        bytes, with a ``to`` of its own. CudaUnavailable where there is none, ValueError where there are fewer."""
        from .device_interleaved import on_gpu  # here: importing bblas_gen must stay fast
        from .device_storage import moved

        return moved(where, cpu=lambda: self, cuda=partial(on_gpu, self))

    @staticmethod
    def copied(a: Any, out: Any, num_threads: int | None) -> None:
        """out := a, whatever the layouts."""
        execute(OPS["lacpy"], {"A": a, "B": out}, {"transa": "N"}, {}, num_threads, names={"B": "out"})

    @staticmethod
    def multiplied(a: Any, b: Any) -> Any:
        """a b, of the kind of the first batch of both."""
        flags, scalars = {"transa": "N", "transb": "N"}, {"alpha": 1.0, "beta": 0.0}
        run, arguments, operands, *_kept = prepare(OPS["gemm"], {"A": a, "B": b, "C": None}, flags, scalars, None)
        if run(*arguments):
            raise no_memory(OPS["gemm"])
        return operands["C"]

    def as_operand(self) -> Operand:
        """How the routing sees it: matrices are column-major inside a block."""
        _, rows, cols = self.shape
        form = MatrixForm(self.layout, rows, cols, 1, max(1, rows), nb=self.nb)
        return Operand(form, self.batch, self.dtype, (self.data,), (self.data,))

    def __getstate__(self) -> tuple[Array, int, str]:
        return self.data, self.batch, str(self.layout)

    def __setstate__(self, state: tuple[Array, int, str]) -> None:
        data, batch, layout = state
        Interleaved.__init__(self, data, batch, layout=layout)

    def __len__(self) -> int:
        return self.batch

    def __dir__(self) -> list[str]:
        """What is for users."""
        return [name for name in super().__dir__() if name not in INTERNAL]

    def __matmul__(self, other: BatchLike) -> Interleaved:
        result: Interleaved = self.multiplied(self, other)
        return result

    def __rmatmul__(self, other: Any) -> Any:
        return self.multiplied(other, self)

    @overload
    def __getitem__(self, index: SupportsIndex) -> Array: ...

    @overload
    def __getitem__(self, index: slice) -> Interleaved: ...

    def __getitem__(self, index: SupportsIndex | slice) -> Array | Interleaved:
        return self._view(index) if isinstance(index, slice) else self._matrix(index)

    def _view(self, wanted: slice) -> Interleaved:
        """Whole blocks, of which the last one may have matrices that do not belong to the view."""
        start, stop, step = wanted.indices(self.batch)
        if stop <= start:
            start = stop = 0
        if step != 1 or start % self.nb:
            raise ValueError(
                f"index {start}:{stop}:{step} is no view: expected step 1 and a start that is a multiple of nb ="
                f" {self.nb}, as blocks are not cut"
            )
        first, end = start // self.nb, -(-stop // self.nb)
        data = self.data if self.layout is Layout.IL else self.data[first:end]
        return Interleaved(data, stop - start, layout=self.layout)

    def _matrix(self, index: SupportsIndex) -> Array:
        block, lane = self._position(index)
        stored = self.data[block, ..., lane]
        matrix = np.zeros(self.shape[1:], self.dtype)
        if self.dtype.kind != "c":
            matrix[self._places()] = stored
        else:  # not x + 1j y, which makes NaN of infinite parts
            matrix.real[self._places()], matrix.imag[self._places()] = stored[..., 0], stored[..., 1]
        matrix.flags.writeable = False
        return matrix

    def __setitem__(self, index: SupportsIndex, value: Any) -> None:
        block, lane = self._position(index)
        numbers = np.broadcast_to(np.asarray(value, dtype=self.dtype), self.shape[1:])[self._places()]
        if self.dtype.kind != "c":
            self.data[block, ..., lane] = numbers
        else:
            self.data[block, ..., 0, lane] = numbers.real
            self.data[block, ..., 1, lane] = numbers.imag

    def _places(self) -> tuple[Array, ...]:
        """Rows and columns of what is stored, in the order of the storage."""
        _, rows, cols = self.shape
        if self.layout.triangle:
            other = np.triu_indices if self.layout is Layout.BL else np.tril_indices
            return other(rows)[::-1]  # column by column is row by row of the transpose
        i, j = np.indices((rows, cols))
        return i.T, j.T

    def _position(self, index: Any) -> tuple[int, int]:
        try:
            wanted: int = index.__index__()
        except AttributeError:
            raise TypeError(f"index is {index!r}: expected an int, the number of a matrix") from None
        if not -self.batch <= wanted < self.batch:
            raise IndexError(f"index {wanted} is out of bounds for a batch of {self.batch}")
        return divmod(wanted % self.batch, int(self.nb))

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("an Interleaved is not converted silently: use .deinterleave(), or .lanes for a view")

    def __repr__(self) -> str:
        storage = f"layout={str(self.layout)!r}, nb={self.nb}, padding={self.padding}"
        return f"Interleaved(shape={self.shape}, dtype={self.dtype}, {storage})"


INTERNAL = ("as_operand", "call_key", "copied", "multiplied", "recipe")
"""What others in this package ask an Interleaved for."""
Number = complex | Sequence[complex] | Array
Real = float | Sequence[float] | Array
"""What a scalar may be: one for all matrices, or one for each."""
BatchLike = Array | Sequence[Array] | Interleaved | Pointers | Ragged
"""What an operand may be."""
Batch = TypeVar("Batch", bound=BatchLike)
"""An operand that comes back."""


def _made(rows: int, cols: int, dtype: Any, batch: int, *, nb: int | str, triangle: str, zero: bool) -> Interleaved:
    made = Interleaved.empty((batch, rows, cols), dtype, nb=nb, triangle=triangle)
    if zero:
        made.data[...] = 0
    return made


def _check_indices(out: Any, shape: tuple[int, ...]) -> None:
    """Refuse what is no array of indices of a shape."""
    if not isinstance(out, np.ndarray) or out.dtype != INDEX_DTYPE:
        kind = f"has dtype {out.dtype}" if isinstance(out, np.ndarray) else f"is a {type(out).__name__}"
        raise TypeError(f"out {kind}: expected an array of {INDEX_DTYPE}")
    if out.shape != shape:
        raise ValueError(f"out has shape {out.shape}: expected {shape}")
