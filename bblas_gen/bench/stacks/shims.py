"""Peers on stacks that are no Python packages: one library of each for an order and a precision, called through C.

Matrices are column-major, as Eigen and MKL have them, in arrays of their own; results are new arrays, as everyone's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from ...arrays.host import Array
from ...codegen.render import render_file
from ...ir.terms import PRECISIONS
from ...runtime.library import Library
from ...runtime.marshal import address
from ...runtime.storage import aligned
from ..peers import PEERS, compiled
from .calls import CALLS, Operand, Problem

Ready = tuple[Callable[[], Any], Callable[[Any], Sequence[Array]]]
"""What does a problem and returns its results, and what makes NumPy's arrays of these."""
_MKL = "int64_t bb_size(int, int, int64_t); int64_t bb_work(int64_t, int);"
_MKL += "void bb_pack(int, int, void *, void *, int64_t); void bb_unpack(int, int, void *, void *, int64_t);"


@cache
def library(peer: str, calls: tuple[str, ...], precision: str, n: int) -> Library:
    """The functions of a peer for matrices of order ``n``. Raises Missing."""
    p = PRECISIONS[precision]
    real = p.storage.name
    functions = [{"name": name, "operands": _declared(name, n)} for name in calls]
    text = render_file(
        f"bench/stacks/{peer}.{'cpp' if peer == 'eigen' else 'c'}",
        n=n,
        real=real,
        letter=precision,
        parts=p.parts,
        complex=p.complex,
        scalar="const void *" if p.complex else f"{real} ",
        one="(bb_real[]){1, 0}" if p.complex else "1",
        zero="(bb_real[]){0, 0}" if p.complex else "0",
        functions=functions,
    )
    compact = peer != "eigen"
    declared = [_prototype(name, compact) for name in calls]
    return compiled(PEERS[peer], f"bb_{calls[0]}", text, "".join([*declared, _MKL * compact]))


def _declared(name: str, n: int) -> list[dict[str, Any]]:
    """What templates know of operands and results."""
    found = []
    for group, written in ((CALLS[name].operands, False), (CALLS[name].results, True)):
        for x in group:
            rows, cols = (*x.shape(n), 1, 1)[:2]
            kind = "real" if x.real else "element"
            found.append({"name": x.name, "rows": rows, "cols": cols, "written": written, "type": kind})
    return found


def _prototype(name: str, works: bool) -> str:
    call = CALLS[name]
    count = len(call.operands) + len(call.results) + works
    return f"void bb_{name}({'void *, ' * count}int64_t, int);"


def eigen(problem: Problem, arrays: Sequence[Array], calls: tuple[str, ...]) -> Ready:
    given = [_column_major(x) for x in arrays]
    function = getattr(library("eigen", calls, problem.precision, problem.n).handle, f"bb_{problem.call.name}")
    results = [(x.shape(problem.n)[::-1], x.dtype(problem.p)) for x in problem.call.results]

    def run() -> list[Array]:
        made = [np.empty((problem.batch, *shape), dtype) for shape, dtype in results]
        function(*map(address, (*given, *made)), problem.batch, problem.threads)
        return made

    return run, lambda results: [_row_major(x) for x in results]


def mkl_compact(
    problem: Problem, arrays: Sequence[Array], calls: tuple[str, ...], *, converting: bool = False
) -> Ready:
    """On data that is in compact form already, or ``converting`` to it and back."""
    handle = library("mkl_compact", calls, problem.precision, problem.n).handle
    function = getattr(handle, f"bb_{problem.call.name}")
    work = aligned((handle.bb_work(problem.batch, problem.threads),), np.dtype("u1"))
    forms = [_Compact(handle, x, problem) for x in (*problem.call.operands, *problem.call.results)]
    count = len(arrays)
    given = [_column_major(x) for x in arrays]
    packed = [form.packed(x) for form, x in zip(forms, given, strict=False)]

    def run() -> list[Array]:
        if converting:
            for form, x, compact in zip(forms, given, packed, strict=False):
                form.pack(x, compact)
        made = [form.empty() for form in forms[count:]]
        function(*map(address, (*packed, *made, work)), problem.batch, problem.threads)
        return [form.unpacked(x) for form, x in zip(forms[count:], made, strict=True)] if converting else made

    def found(results: Sequence[Array]) -> list[Array]:
        unpacked = results if converting else [x.unpacked(y) for x, y in zip(forms[count:], results, strict=True)]
        return [_row_major(x) for x in unpacked]

    return run, found


mkl_converting = partial(mkl_compact, converting=True)


class _Compact:
    """The compact form of a stack."""

    def __init__(self, handle: Any, operand: Operand, problem: Problem) -> None:
        self.shape = (problem.batch, *operand.shape(problem.n)[::-1])
        self.dtype = operand.dtype(problem.p)
        sides = (*operand.shape(problem.n), 1)[:2]
        self.bytes = handle.bb_size(*sides, problem.batch)
        self._pack, self._unpack = partial(handle.bb_pack, *sides), partial(handle.bb_unpack, *sides)

    def empty(self) -> Array:
        return aligned((self.bytes,), np.dtype("u1"))

    def packed(self, x: Array) -> Array:
        made = self.empty()
        self.pack(x, made)
        return made

    def pack(self, x: Array, made: Array) -> None:
        each = _addresses(x)
        self._pack(address(each), address(made), len(x))

    def unpacked(self, compact: Array) -> Array:
        made = np.empty(self.shape, self.dtype)
        each = _addresses(made)
        self._unpack(address(each), address(compact), len(made))
        return made


def _addresses(x: Array) -> Array:
    """Of each matrix of a stack."""
    return x.ctypes.data + x.strides[0] * np.arange(len(x), dtype=np.uintp)


def _column_major(x: Array) -> Array:
    """A copy with columns one after another, or of a stack of vectors."""
    return np.ascontiguousarray(x.mT if x.ndim == 3 else x)


def _row_major(x: Array) -> Array:
    """The matrices of an array that has columns one after another."""
    return x.mT if x.ndim == 3 else x
