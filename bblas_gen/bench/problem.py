"""What is measured: one operation on one batch, with operands in every layout."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .. import machine
from ..api import gemm
from ..interleaved import Interleaved, aligned, interleave
from ..ops import OPS
from ..spec import KernelSpec
from ..terms import PRECISIONS, Precision, Role

Sizes = Mapping[str, int]
Arrays = Mapping[str, Any]


@dataclass(frozen=True)
class Row:
    """An operation in the benchmarks; what the peers do is in peers.py and templates/bench/peer.

    ``sizes`` of its square case n; ``call``, the user's function, unplanned; ``expected``, the output for operands by
    name, and ``scale``, by which its error is measured in units of eps: one number for a matrix.
    """

    op: str
    sizes: Callable[[int], Sizes]
    call: Callable[..., Any]
    expected: Callable[[Arrays], Any]
    scale: Callable[[Arrays], Any]


def norm(x: Any) -> Any:
    """The Frobenius norms of a batch of matrices."""
    return np.sqrt((np.abs(x) ** 2).sum(axis=(1, 2)))


ROWS = {
    row.op: row
    for row in (
        Row(
            "gemm",
            sizes=lambda n: {"m": n, "n": n, "k": n},
            call=gemm,
            expected=lambda x: x["A"] @ x["B"],
            scale=lambda x: np.sqrt(x["A"].shape[2] + 2) * norm(x["A"]) * norm(x["B"]),
        ),
    )
}


@dataclass(frozen=True)
class Problem:
    """An operation on ``batch`` row-major matrices with alpha = 1 and ``beta``, for ``threads`` threads.

    ``flops`` and ``bytes`` (read or written, the least a call out of cache moves) are per matrix.
    """

    op: str
    precision: str
    sizes: tuple[int, ...]
    beta: int
    batch: int
    threads: int = 1

    @property
    def p(self) -> Precision:
        return PRECISIONS[self.precision]

    @cached_property
    def size(self) -> dict[str, int]:
        return dict(zip(OPS[self.op].sizes, self.sizes, strict=True))

    @cached_property
    def spec(self) -> KernelSpec:
        return KernelSpec.make(self.op, self.precision, **self.size)  # type: ignore[arg-type]

    @property
    def flops(self) -> int:
        return self.spec.flops

    @property
    def bytes(self) -> int:
        output = self.spec.row.operands[-1]
        again = self.size[output.rows] * self.size[output.cols] * self.p.itemsize if self.beta else 0
        return self.spec.bytes + again

    @property
    def shape(self) -> str:
        """The sizes as people write them: ``8`` where square, ``4x4x16`` elsewhere (m x n x k)."""
        return str(self.sizes[0]) if len(set(self.sizes)) == 1 else "x".join(map(str, self.sizes))

    def hot(self) -> Problem:
        """The same with a batch that fills half of every thread's level-2 cache, in whole blocks."""
        unit = self.p.default_nb
        wanted = machine.caches()["l2"] * self.threads // 2 // self.spec.bytes // unit * unit
        return self.with_batch(max(min(wanted, self.batch), unit))

    def with_batch(self, batch: int) -> Problem:
        return Problem(self.op, self.precision, self.sizes, self.beta, batch, self.threads)

    def operands(self) -> dict[str, Any]:
        """Random operands as contiguous arrays (batch, rows, columns), each beginning on a cache line; the output is
        zero."""
        rng = np.random.default_rng(self.sizes)
        found = {}
        for x in self.spec.row.operands:
            array = aligned((self.batch, self.size[x.rows], self.size[x.cols]), np.dtype(self.p.dtype))
            array[...] = 0 if x.role is not Role.IN else _random(rng, array.shape, self.p)
            found[x.name] = array
        return found


def _random(rng: np.random.Generator, shape: tuple[int, ...], p: Precision) -> Any:
    numbers = rng.standard_normal(shape)
    return numbers + 1j * rng.standard_normal(shape) if p.complex else numbers


def as_layout(array: Any, layout: str) -> Any:
    """The batch ``array`` as an operand in ``layout``; ``st`` and ``pp`` share its memory. ``bi24`` asks for nb."""
    if layout == "st":
        return array
    if layout == "pp":
        return list(array)
    return interleave(array, nb="full" if layout == "il" else int(layout[2:]) if layout[2:] else None)


def storage(operand: Any) -> Any:
    """The memory that an operand occupies."""
    if isinstance(operand, list):
        return operand[0].base
    return operand.data if isinstance(operand, Interleaved) else operand
