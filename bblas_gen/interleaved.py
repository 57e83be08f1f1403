"""Interleaved: a batch in layout ``bi`` or ``il``, where vectors run across matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from .arrays import Array, Operand, check_dtype, describe
from .call import execute
from .ops import OPS
from .route import Form
from .spec import MAX_NB
from .terms import BY_DTYPE, Layout

ALIGNMENT = 64
NAMES = ("a", "out")


class Interleaved:
    """A batch of ``shape`` (batch, rows, columns), the matrices of a block interleaved.

    ``data`` is the storage, an array of reals of shape (blocks, columns, rows, nb) for real and (blocks, columns,
    rows, 2, nb) for complex dtypes, real parts before imaginary ones: element (i, j) of matrix b is
    ``data[b // nb, j, i, ..., b % nb]``. In layout ``bi`` a block is ``nb`` matrices; in ``il`` there is one block and
    ``nb`` counts the stored lanes. ``padding`` lanes at the end of the last block belong to no matrix: zero at first,
    never written.

    Make one with :func:`bblas_gen.interleave`, :meth:`empty`, or around your own storage with this constructor, which
    copies nothing. ``A[b]`` copies one matrix out (read-only, as writing to it would change nothing else), ``A[b] = x``
    writes one; ``A.lanes`` is a view of everything.
    """

    __slots__ = ("batch", "data", "dtype", "layout", "nb")
    __array_priority__ = 1000

    def __init__(self, data: Array, batch: int, *, layout: str = "bi") -> None:
        if not isinstance(data, np.ndarray):
            raise TypeError(f"data is a {type(data).__name__}: expected an array of reals")
        check_dtype("data", data.dtype)
        if data.dtype.kind == "c" or data.ndim not in (4, 5) or (data.ndim == 5 and data.shape[3] != 2):
            raise ValueError(
                f"data has dtype {data.dtype} and shape {data.shape}: expected reals of shape (blocks, columns, rows,"
                " nb) or (blocks, columns, rows, 2, nb)"
            )
        if not data.flags.c_contiguous:
            raise ValueError("data is not C-contiguous: expected storage without gaps")
        if layout not in (Layout.BI, Layout.IL):
            raise ValueError(f"layout = {layout!r} is not interleaved: expected 'bi' or 'il'")
        self.layout = Layout(layout)
        self.data = data
        self.batch = batch
        self.nb = data.shape[-1]
        self.dtype = np.dtype(f"c{data.itemsize * 2}") if data.ndim == 5 else data.dtype
        if self.layout is Layout.IL and data.shape[0] != 1:
            raise ValueError(f"data has {data.shape[0]} blocks: expected one in layout il")
        blocks = -(-batch // self.nb) if self.nb else 0
        if batch < 0 or (self.layout is Layout.BI and blocks != data.shape[0]) or batch > data.shape[0] * self.nb:
            raise ValueError(f"batch = {batch} does not fit {data.shape[0]} block(s) of {self.nb} matrices")

    @classmethod
    def empty(cls, shape: tuple[int, int, int], dtype: Any = float, *, nb: int | str | None = None) -> Interleaved:
        """New storage for ``shape``, 64-byte aligned and not written but for its padding, so that the first kernel to
        write it decides which memory node each part comes from."""
        kind = np.dtype(dtype)
        check_dtype("dtype", kind)
        row = BY_DTYPE[kind.name]
        batch, rows, cols = _shape(shape)
        lanes = row.default_nb
        full = isinstance(nb, str)
        if full and nb != "full":
            raise ValueError(f"nb = {nb!r} is not a block size: expected an int from 1 to {MAX_NB} or 'full'")
        if full:
            lanes = max(1, -(-batch // lanes)) * lanes
        elif nb is not None:
            lanes = check_nb(nb)
        blocks = 1 if full else -(-batch // lanes)
        inner = (2, lanes) if row.complex else (lanes,)
        data = aligned((blocks, cols, rows, *inner), np.dtype(f"f{row.real_bytes}"))
        used = batch - (blocks - 1) * lanes
        data[-1:, ..., used:] = 0
        return cls(data, batch, layout=Layout.IL if full else Layout.BI)

    @property
    def shape(self) -> tuple[int, int, int]:
        return (self.batch, self.data.shape[2], self.data.shape[1])

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
        matrix b is ``lanes[b // nb, b % nb]``. Includes the padding."""
        return np.moveaxis(self.data, -1, 1).swapaxes(2, 3)

    def deinterleave(self, out: Any = None, *, num_threads: int | None = None) -> Any:
        """The batch as an array of shape ``shape``; see :func:`bblas_gen.deinterleave`."""
        return deinterleave(self, out, num_threads=num_threads)

    @property
    def lie(self) -> tuple[Any, ...]:
        """All that a call depends on, but for the address."""
        return self.dtype, self.data.shape, self.batch, self.layout

    def as_operand(self) -> Operand:
        """How the routing sees it: matrices are column-major inside a block."""
        _, rows, cols = self.shape
        form = Form(self.layout, rows, cols, 1, max(1, rows), nb=self.nb)
        return Operand(form, self.batch, self.dtype, (self.data,), (self.data,))

    def __len__(self) -> int:
        return self.batch

    def __getitem__(self, index: int) -> Array:
        block, lane = self._position(index)
        stored = self.data[block, ..., lane]
        matrix = stored.T.copy() if self.data.ndim == 4 else (stored[..., 0] + 1j * stored[..., 1]).T
        matrix = matrix.astype(self.dtype, copy=False)
        matrix.flags.writeable = False
        return matrix

    def __setitem__(self, index: int, value: Any) -> None:
        block, lane = self._position(index)
        matrix = np.broadcast_to(np.asarray(value, dtype=self.dtype), self.shape[1:]).T
        if self.data.ndim == 4:
            self.data[block, ..., lane] = matrix
        else:
            self.data[block, ..., 0, lane] = matrix.real
            self.data[block, ..., 1, lane] = matrix.imag

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


def check_nb(nb: Any) -> int:
    """``nb`` as a block size."""
    try:
        value: int = nb.__index__()
    except AttributeError:
        value = 0
    if isinstance(nb, bool) or not 1 <= value <= MAX_NB:
        raise ValueError(f"nb = {nb!r} is not a block size: expected an int from 1 to {MAX_NB} or 'full'")
    return value


def _shape(shape: Any) -> tuple[int, int, int]:
    sizes = tuple(shape)
    if len(sizes) != 3:
        raise ValueError(f"shape = {shape!r}: expected (batch, rows, columns)")
    if any(size < 0 for size in sizes):
        raise ValueError(f"negative dimensions are not allowed: shape = {shape!r}")
    return sizes[0], sizes[1], sizes[2]


def aligned(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """An uninitialised array that begins on a cache line: vectors then never straddle two."""
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    raw = np.empty(size + ALIGNMENT, dtype=np.uint8)
    start = -raw.__array_interface__["data"][0] % ALIGNMENT
    return raw[start : start + size].view(dtype).reshape(shape)


def interleave(
    a: Any, out: Interleaved | None = None, *, nb: int | str | None = None, num_threads: int | None = None
) -> Interleaved:
    """Copy a batch into interleaved storage: out[b] := a[b].

    ``a``: array (batch, rows, columns) of any strides, or a list of 2-D arrays; read. ``out``: storage to overwrite
    (its padding is left alone), or None for new one with blocks of ``nb`` matrices: by default one cache line of
    reals, ``"full"`` for layout ``il``. ``num_threads``: None leaves it to OpenMP.

    One allocation, one pass, threaded: every thread writes the blocks it will later compute with, so memory is placed
    on the node of the core that uses it. Raises TypeError and ValueError for bad arguments. Source: the layouts of
    Dongarra et al., Euro-Par 2017, doi:10.1007/978-3-319-64203-1_37.
    """
    if out is None:
        source = describe("a", a)
        out = Interleaved.empty((source.count, *source.shape), source.dtype, nb=nb)
    elif not isinstance(out, Interleaved):
        raise TypeError(f"out is a {type(out).__name__}: expected an Interleaved")
    elif nb is not None:
        raise ValueError(f"nb = {nb!r} given with out: expected one of them, as out has its own block size")
    execute(OPS["lacpy"], NAMES, (a, out), ("N",), (), num_threads)
    return out


def deinterleave(a: Interleaved, out: Any = None, *, num_threads: int | None = None) -> Any:
    """Copy a batch out of interleaved storage: out[b] := a[b].

    ``out``: array (batch, rows, columns) or list of 2-D arrays to overwrite, or None for a new C-contiguous array.
    The inverse of :func:`interleave`; same cost, threads and errors.
    """
    if not isinstance(a, Interleaved):
        raise TypeError(f"a is a {type(a).__name__}: expected an Interleaved")
    if out is None:
        out = np.empty(a.shape, a.dtype)
    execute(OPS["lacpy"], NAMES, (a, out), ("N",), (), num_threads)
    return out
