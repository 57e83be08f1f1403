"""`bblas-gen bench general`: kernels for sizes that only run time knows, against those made for the size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import click
import numpy as np

from ..ir.catalog import OPS
from ..plans import Plan
from ..runtime import kernels
from .contenders import Entry, Wrong, check_numbers, contenders
from .measure import hot
from .problem import ROWS, Problem

OPERATIONS = tuple(op for op, row in ROWS.items() if not row.copying)
LAYOUTS = ("bi", "il", "st", "pp")
SIZES = (2, 3, 4, 5, 7, 8, 12, 16, 19, 32)
"""Whole vectors and tiles, and what is left of them."""


def problems_of(ops: Sequence[str], dtypes: str, sizes: Sequence[int], beta: int) -> list[Problem]:
    """With as many right-hand sides as rows, and beta 0 where an operation has none."""
    return [
        Problem(op, letter, tuple(ROWS[op].sizes(n, n).values()), beta * ("beta" in OPS[op].scalars), 10_000)
        for op in ops
        for letter in dtypes
        if letter in ROWS[op].precisions
        for n in sizes
    ]


def measure(problems: Sequence[Problem], layouts: Sequence[str], repetitions: int) -> Iterator[dict[str, Any]]:
    """A row for every problem and layout, in cache; ``ratio``: the speed of the general kernel over that of the other,
    the median of the ratios round by round."""
    for problem in problems:
        for layout in layouts:
            (entry,) = contenders(problem.hot(), [layout], [], print, hot=True)
            special, general, alike = _both(entry)
            _check(special, general, alike)
            made, any_size = hot([special, general], repetitions)
            check_numbers(special)
            yield {
                "symbol": general.name,
                "n": problem.sizes[0],
                "beta": problem.beta,
                "batch": special.problem.batch,
                "seconds": any_size.median,
                "specialized_seconds": made.median,
                "gflops": problem.flops * special.problem.batch / any_size.median / 1e9,
                "spread": any_size.spread,
                "ratio": any_size.ratio(made),
            }


Compare = Callable[[Any, Any], bool]


def _both(entry: Entry) -> tuple[Entry, Entry, Compare]:
    """The kernel of a planned contender and the general one, called in the same way on the same operands; and what
    their results must be: the same bits, but of other forms or vectors, where one arithmetic has exceptions."""
    ready = entry.run
    assert isinstance(ready, Plan)
    assert ready.kernel
    spec = ready.kernel.spec
    general = kernels.kernel(spec.any_size)
    found = ((ready.kernel, ready.arguments), (general, (*spec.sizes, *ready.arguments)))
    special, any_size = (
        replace(entry, name=one.spec.symbol(), run=partial(one.library.function, *arguments))
        for one, arguments in found
    )
    plans = [one.source.schedule for one, _ in found]
    same = len({(plan.form, plan.width) for plan in plans}) == 1
    return special, any_size, _same_bits if same else _same_numbers


def _check(special: Entry, general: Entry, alike: Compare) -> None:
    """Raise Wrong where the two do not leave arrays that are ``alike``."""
    given, found = [array.copy() for array in special.arrays], []
    for contender in (special, general):
        for array, before in zip(special.arrays, given, strict=True):
            np.copyto(array, before)
        contender.run()
        found.append([array.copy() for array in special.arrays])
    if not all(map(alike, *found)):
        raise Wrong(f"{general.name} differs from {special.name}")


def _same_bits(one: Any, other: Any) -> bool:
    return bool(one.tobytes() == other.tobytes())


def _same_numbers(one: Any, other: Any) -> bool:
    """Whether two arrays hold the same integers, or the same numbers but for rounding errors."""
    if one.dtype.kind not in "fc":
        return np.array_equal(one, other)
    known = np.abs(one[np.isfinite(one)])
    most = np.finfo(one.dtype).eps ** 0.5 * known.max(initial=0)
    return np.allclose(one, other, rtol=0, atol=most, equal_nan=True)


def print_rows(rows: Sequence[dict[str, Any]]) -> None:
    click.echo(f"{'':<24}   n  GF/s  over that made for n")
    for row in rows:
        click.echo(f"{row['symbol']:<24} {row['n']:>3} {row['gflops']:>5.1f}  {row['ratio']:.3f}")
