"""Into interleaved storage and out of it."""

from __future__ import annotations

from typing import Any

from .arrays.host import describe
from .runtime.interleaved import Interleaved, copy


def interleave(
    a: Any,
    out: Interleaved | None = None,
    *,
    nb: int | str | None = None,
    triangle: str = "",
    num_threads: int | None = None,
) -> Interleaved:
    """Copy a batch into interleaved storage: out[b] := a[b].

    ``a``: array (batch, rows, columns) of any strides, or a list of 2-D arrays; read. ``out``: storage to overwrite
    (its padding is left alone), or None for new one with blocks of ``nb`` matrices: by default one cache line of
    reals, ``"full"`` for layout ``il``. ``triangle``: "L" or "U" stores that triangle of square matrices alone, for
    operations that read no more: half the memory. ``num_threads``: None, as many as pay.

    One allocation, one pass, threaded: every thread writes the blocks it will later compute with, so memory is placed
    on the node of the core that uses it. Raises TypeError and ValueError for bad arguments. Source: the layouts of
    Dongarra et al., Euro-Par 2017, doi:10.1007/978-3-319-64203-1_37.
    """
    if out is None:
        source = describe("a", a)
        out = Interleaved.empty((source.count, *source.shape), source.dtype, nb=nb, triangle=triangle)
    elif not isinstance(out, Interleaved):
        raise TypeError(f"out is a {type(out).__name__}: expected an Interleaved")
    elif nb is not None or triangle:
        given = f"nb = {nb!r}" if nb is not None else f"triangle = {triangle!r}"
        raise ValueError(f"{given} given with out: expected one of them, as out has its own layout")
    copy(a, out, num_threads)
    return out


def deinterleave(a: Interleaved, out: Any = None, *, num_threads: int | None = None) -> Any:
    """Copy a batch out of interleaved storage: out[b] := a[b]; what is not stored becomes zero.

    ``out``: array (batch, rows, columns) or list of 2-D arrays to overwrite, or None for a new C-contiguous array.
    The inverse of :func:`interleave`; same cost, threads and errors.
    """
    if not isinstance(a, Interleaved):
        raise TypeError(f"a is a {type(a).__name__}: expected an Interleaved")
    return a.deinterleave(out, num_threads=num_threads)
