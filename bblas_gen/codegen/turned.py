"""How direct bodies go through contiguous rows of a left factor with which few columns are multiplied: blocks of them
are transposed in registers, without a panel. The arithmetic is that of a panel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..ir.views import Index, View
from .direct import STEP, At, Direct
from .tiles import Columns, Step, Turned

ROWS = 8
"""Rows of the left factor that are gone through together: fewer wait for their own sums."""
BLOCKS = 4
"""Blocks that a left factor has elements for, at least."""


def is_turned(d: Direct, columns: Sequence[Columns]) -> bool:
    """Whether a product goes so: all columns are one tile, and rows have so many blocks that few overlap."""
    (a, *_), m, k = d.body.views, d.body.size["m"], d.body.size["k"]
    if not (isinstance(m, int) and isinstance(k, int)) or a.unit_rows or a.cs != 1:
        return False
    one, across = len(columns) == 1 and not columns[0].loop.repeats, d.panel.across
    return one and 1 < across <= k <= d.schedule.kc and m * k >= BLOCKS * across**2


def turned(d: Direct, at: At, a: View, b: View) -> tuple[Turned, ...]:
    """The blocks of a tile, a few rows after the others: so hardware sees which come next."""
    k, across, found = d.body.size["k"], d.panel.across, list[Turned]()
    assert isinstance(k, int)
    vectors = range(len(at.offsets))
    together = max(1, ROWS // across)
    groups = [vectors[first : first + together] for first in vectors[::together]]
    for number, group in enumerate(groups):
        ends: list[tuple[int | str, int]] = [(STEP, across), (k - across, k % across)]
        for first, last in ends:
            if last:
                parts = tuple(_vector(d, at, (a, b), v, first, last) for v in group)
                found.append(Turned(number, len(groups), first == STEP, last, d.stride(a.rs), parts))
    return tuple(found)


def _vector(
    d: Direct, at: At, views: tuple[View, View], v: int, first: int | str, last: int
) -> tuple[str, tuple[Step, ...]]:
    """The block of a vector of the output, and its last steps."""
    (a, b), across, every = views, d.panel.across, d.triangle.every()
    steps = []
    for r in range(across - last, across):
        place: Index = (first, r) if isinstance(first, str) else first + r
        step = d.step(at, d.packed, "B", [b] * at.columns, place, every, conj=b.conj)
        steps.append(_of_vector(step, f"a{v}", f"x[{r}]"))
    return f"A + {a.vector(at.real(v), first)}", tuple(steps)


def _of_vector(step: Step, own: str, x: str) -> Step:
    """The products of one vector of the left factor, which is ``x``."""
    factors = (
        replace(factor, products=tuple(replace(y, a=x) for y in factor.products if y.a == own))
        for factor in step.factors
    )
    return Step((), tuple(factors))
