"""Into interleaved storage and out of it."""

from __future__ import annotations

from typing import Any, Literal, overload

from .arrays.device import array_of
from .arrays.host import Array, describe
from .arrays.ragged import Ragged
from .ir.terms import Kind
from .runtime.interleaved import Batch, BatchLike, Interleaved
from .runtime.storage import Storage


def interleave(
    a: BatchLike,
    out: Interleaved | None = None,
    *,
    nb: int | str | None = None,
    triangle: Literal["", "L", "U"] = "",
    num_threads: int | None = None,
) -> Interleaved:
    """Copy a batch into interleaved storage: out[b] := a[b].

    Parameters
    ----------
    a : batch of matrices
        Array (batch, rows, columns) of any strides, list of 2-D arrays of one shape, or Interleaved. Read. Arrays on a
        GPU are copied there, on their stream, to storage of the same library (CuPy, PyTorch, ...).
    out : Interleaved, optional
        Overwritten, except its padding. None: a new one is made.
    nb : int or "full", optional
        Matrices in a block of a new one. By default as many as one cache line has reals (8 doubles, 16 floats): layout
        ``bi``. "full": one block of all matrices, layout ``il``.
    triangle : {"", "L", "U"}
        "L" or "U": only that triangle of square matrices is stored, for operations that read no more. Half the memory.
    num_threads : int, optional
        None: as many as make the copy faster.

    Returns
    -------
    out : Interleaved
        The one given, or the new one, of the shape and dtype of ``a``.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it.
    ValueError
        Shapes do not fit, the block size is not valid, or ``nb`` or ``triangle`` are given beside ``out``.

    Notes
    -----
    One allocation and one pass, by several threads. Each thread writes the blocks that it will later compute with, so
    memory lies on the node of the core that uses it. Twice the bytes of ``a`` are moved.

    References
    ----------
    The layouts of Dongarra et al., Euro-Par 2017, doi:10.1007/978-3-319-64203-1_37.

    Examples
    --------
    >>> a = np.arange(12.0).reshape(3, 2, 2)
    >>> x = bb.interleave(a)
    >>> x
    Interleaved(shape=(3, 2, 2), dtype=float64, layout='bi', nb=8, padding=5)
    >>> bb.deinterleave(x).tolist() == a.tolist()
    True
    """
    if out is None:
        out = _made(a, nb, triangle)
    elif not _is_interleaved(out):
        raise TypeError(f"out is a {type(out).__name__}: expected an Interleaved")
    elif nb is not None or triangle:
        given = f"nb = {nb!r}" if nb is not None else f"triangle = {triangle!r}"
        raise ValueError(f"{given} given with out: expected one of them, as out has its own layout")
    Interleaved.copied(a, out, num_threads)
    return out


def _is_interleaved(batch: Any) -> bool:
    """Whether it is one, in host memory or on a GPU."""
    if isinstance(batch, Interleaved):
        return True
    from .runtime.device_interleaved import DeviceInterleaved  # here: importing bblas_gen must stay fast

    return isinstance(batch, DeviceInterleaved)


def _made(a: Any, nb: int | str | None, triangle: str) -> Any:
    """A new batch for ``a``, where that is."""
    array = array_of(a)
    if array is None:
        shape, dtype = _described(a)
        return Interleaved.empty(shape, dtype, nb=nb, triangle=triangle)
    from .runtime.device_interleaved import interleaved_beside  # here: importing bblas_gen must stay fast
    from .runtime.device_side import seen
    from .runtime.dlpack import exported

    shape, dtype = _described(seen("a", exported({"a": a}, str)[0]["a"], Kind.SCALAR, []))
    return interleaved_beside("a", array, Storage.of(shape, dtype, nb, triangle), Interleaved)


def _described(a: Any) -> tuple[tuple[int, int, int], Any]:
    """The shape and the dtype of a batch."""
    source = describe("a", a)
    if isinstance(source, Ragged):
        raise ValueError("a has matrices of different shapes: expected one shape of all")
    return (source.count, *source.shape), source.dtype


@overload
def deinterleave(a: Interleaved, out: None = None, *, num_threads: int | None = None) -> Array: ...


@overload
def deinterleave(a: Interleaved, out: Batch, *, num_threads: int | None = None) -> Batch: ...


def deinterleave(a: Interleaved, out: BatchLike | None = None, *, num_threads: int | None = None) -> BatchLike:
    """Copy a batch out of interleaved storage: out[b] := a[b]. The inverse of :func:`interleave`.

    Parameters
    ----------
    a : Interleaved
        Of shape (batch, rows, columns). Read. On a GPU the copy stays there, as an array of the library of ``a.data``.
    out : batch of matrices, optional
        Array of that shape or list of 2-D arrays. Overwritten. None: a new C-contiguous array is made.
    num_threads : int, optional
        None: as many as make the copy faster.

    Returns
    -------
    out : as given
        The one given, or the new array. If ``a`` stores one triangle, the other becomes zero.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it.
    ValueError
        Shapes do not fit, or the output is read-only.

    Notes
    -----
    One pass, by several threads. Twice the bytes of the batch are moved.

    Examples
    --------
    >>> x = bb.interleave(np.array([[[1.0, np.nan], [2.0, 3.0]]]), triangle="L")
    >>> bb.deinterleave(x)[0].tolist()
    [[1.0, 0.0], [2.0, 3.0]]
    """
    if not _is_interleaved(a):
        raise TypeError(f"a is a {type(a).__name__}: expected an Interleaved")
    return a.deinterleave(out, num_threads=num_threads)
