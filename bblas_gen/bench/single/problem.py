"""One problem: an operation on single operands, as we, the Fortran interface of BLAS and NumPy are asked for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ...ir.catalog import OPS
from ...ir.operation import Operand
from ...ir.spec import KernelSpec
from ...ir.terms import PRECISIONS, Kind, Precision, Role
from ...runtime.storage import aligned

Arrays = Mapping[str, Any]
Found = tuple[Any, Any]
READ, READ_TWO, UPDATE, ADD_TO, MATRIX = range(5)
"""Streams: one is read; two are read; one is read and written; one is read and added to another one; a matrix beside
vectors."""
SMALL_FLOPS, SMALL_BYTES = 10**8, 1 << 25
"""Below both, what a call costs beside its work is no small part of it."""


@dataclass(frozen=True)
class Row:
    """An operation in these benchmarks.

    ``blas``: its arguments in the Fortran interface, a word for each: a flag, a size, a scalar, an operand, rows (rA),
    columns (cA) or leading dimension (lA) of one, ``inc`` for 1, ``info``, memory to ``work`` in, its length ``lwork``.
    ``wrong``: by how much a result is wrong, and what that is measured by in units of eps, for a problem and its
    operands before and after. ``numpy``: what does the same in NumPy, where there is something. ``fills``: what
    operands hold that are not just random. ``stream``: how memory is gone through, where that takes the time; such a
    call goes on with what the last one left.
    """

    op: str
    formula: str
    blas: str
    wrong: Callable[[Problem, Arrays, Arrays], Found]
    numpy: Callable[[Arrays, Problem], Callable[[], Any]] | None = None
    fills: Mapping[str, Callable[[Any], None]] = field(default_factory=dict)
    scalars: Mapping[str, float] = field(default_factory=dict)
    stream: int | None = None


@dataclass(frozen=True)
class Problem:
    """An operation on column-major operands, alpha = 1 and beta = 0 where ``row`` has no others. ``sizes`` and
    ``letters`` of flags are in the order of the table of operations; letters that are left out are the first of their
    kind. ``flops`` and ``bytes``, the least that are read or written, are those of one call."""

    row: Row
    precision: str
    sizes: tuple[int, ...]
    letters: str = ""

    @property
    def op(self) -> str:
        return self.row.op

    @property
    def p(self) -> Precision:
        return PRECISIONS[self.precision]

    @cached_property
    def spec(self) -> KernelSpec:
        return self._spec(self.letters)

    def _spec(self, letters: str) -> KernelSpec:
        op = OPS[self.op]
        named: dict[str, Any] = dict(zip(op.flags, letters, strict=False))
        return KernelSpec.make(op, self.precision, **self.size, **named)

    @property
    def flags(self) -> dict[str, str]:
        """The flags by name, as users write them."""
        return {name: str(value) for name, value in self.spec.flag.items()}

    @property
    def size(self) -> dict[str, Any]:
        return dict(zip(OPS[self.op].sizes, self.sizes, strict=True))

    @property
    def plain(self) -> bool:
        """Whether every flag is the first of its kind."""
        return self.spec.flags == self._spec("").flags

    @property
    def scalars(self) -> dict[str, float]:
        """The scalars that are not what a function takes where it is not told."""
        return dict(self.row.scalars)

    @property
    def flops(self) -> int:
        return self.spec.flops

    @property
    def bytes(self) -> int:
        """Operands that are read and written count twice."""
        return self.spec.bytes + sum(self._nbytes(x) for x in self.kept)

    @property
    def kept(self) -> list[Operand]:
        """The operands whose values are both read and written."""
        return [x for x in self.spec.row.parameters if x.role is Role.INOUT and x.scaled_by != "beta"]

    @property
    def output(self) -> Operand:
        """The operand that a call returns."""
        return self.spec.row.operand(self.spec.row.returns[0])

    @property
    def small(self) -> bool:
        return self.flops < SMALL_FLOPS and self.bytes < SMALL_BYTES

    @property
    def shape(self) -> str:
        """The sizes as people write them: one where all are the same."""
        return "x".join(map(str, dict.fromkeys(self.sizes) if len(set(self.sizes)) == 1 else self.sizes))

    @property
    def name(self) -> str:
        letters = "" if self.plain else f" {self.letters.lower()}"
        return f"{self.precision}{self.op}{letters} {self.shape}"

    def _nbytes(self, x: Operand) -> int:
        return x.elements(self.spec.extents) * self.p.bytes_of(x.kind)

    def operands(self) -> dict[str, Any]:
        """Filled operands: vectors, and matrices in column-major order, each beginning on a cache line. No other memory
        is touched, as it would count as that of a call."""
        rng = np.random.default_rng(self.sizes)
        return {x.name: self._filled(rng, x) for x in self.spec.row.parameters}

    def _filled(self, rng: np.random.Generator, x: Operand) -> Any:
        rows, cols = self.spec.stored(x)
        stored = aligned((cols, rows), np.dtype(self.p.dtype_of(x.kind)))
        array = stored.T
        if x.kind is Kind.INDEX or x.role is Role.OUT:
            array[...] = np.arange(rows)[:, None] + 1 if x.kind is Kind.INDEX else 0  # no exchanges
        else:
            reals = stored.view(stored.real.dtype)
            rng.random(out=reals, dtype=reals.dtype)
            reals -= 0.5
            if fill := self.row.fills.get(x.name):
                fill(array)
        return array[:, 0] if x.is_vector or x.kind is Kind.INDEX else array
