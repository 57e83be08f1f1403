"""`bblas-gen bench hand-over`: from how many matrices on kernels are as fast as NumPy, beside the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from ...linalg.asked import ALWAYS
from ...schedule.hand_over import AT_ONCE, REACH, Reach
from .. import options
from ..measure import Contender, hot, quiet
from ..progress import measuring
from ..result import as_json, report
from ..table import print_table
from .calls import CALLS, Problem
from .contest import ours

BY_KIND = {"product": "matmul"} | {kind: kind for kind in REACH if kind in CALLS and kind != "expm"}
"""The function that is measured for a row of the table. Other functions of SciPy loop in Python, and need none."""
LADDER = tuple(sorted({round(1.15**step) for step in range(66)}))
"""Numbers of matrices."""


@click.command("hand-over")
@click.option("--kinds", **options.names(list(BY_KIND)), help="Rows of the table.")
@click.option("--sizes", type=options.Numbers(), help="Orders n.  [default: the smallest that numbers are for]")
@options.repetitions()
@options.json_output()
def hand_over(kinds: list[str], sizes: list[int] | None, repetitions: int, output: Path | None) -> None:
    """Measure from how many matrices on `bblas_gen.linalg` is as fast as NumPy or SciPy: one thread, double.

    Beside each number stands that of `schedule/hand_over`, which is to be no smaller: of calls that go past NumPy's
    Python where it has one for these.
    """
    rows = []
    with measuring(1), quiet(), all_by_kernels():
        for kind in kinds:
            for n in sizes or smallest(kind):
                rows.append(
                    {"kind": kind, "n": n, "matrices": crossing(kind, n, repetitions), "table": _table(kind, n)}
                )
    print_table(("", "n", "measured", "table"), [tuple(str(x) for x in row.values()) for row in rows])
    if output:
        output.write_text(as_json(report(rows)), encoding="utf-8")
        click.echo(f"wrote {output}", err=True)


def crossing(kind: str, n: int, repetitions: int) -> int | None:
    """The fewest matrices of order ``n`` that kernels do as fast; None where they never do."""
    problem = Problem(CALLS[BY_KIND[kind]], "d", n, LADDER[-1], 1)
    arrays = problem.operands()
    return first(lambda count: _gain(problem, [x[:count] for x in arrays], repetitions) >= 1)


def first(holds: Callable[[int], bool]) -> int | None:
    """The first number of the ladder for which it ``holds``, as for all behind it; None where it does for none."""
    low, high = 0, len(LADDER)
    while low < high:
        middle = (low + high) // 2
        if holds(LADDER[middle]):
            high = middle
        else:
            low = middle + 1
    return LADDER[low] if low < len(LADDER) else None


def _gain(problem: Problem, arrays: list[Any], repetitions: int) -> float:
    name = "numpy" if "numpy" in problem.call.by else "scipy"
    theirs = Contender(name, partial(problem.call.by[name], import_module(f"{name}.linalg"), *arrays), [])
    mine, other = hot([Contender("ours", ours(problem, arrays), []), theirs], repetitions)
    return mine.ratio(other)


@contextmanager
def all_by_kernels() -> Iterator[None]:
    """Kernels do plain calls of ours, however few matrices there are; NumPy's functions are its own."""
    block = object()
    ALWAYS.append(block)
    try:
        yield
    finally:
        ALWAYS.remove(block)


def smallest(kind: str) -> list[int]:
    """The smallest order that each number of the table is for: no other needs as many matrices."""
    return [1, *(order + 1 for order in _reach(kind).orders[:-1])]


def _reach(kind: str) -> Reach:
    return AT_ONCE.get(kind, REACH[kind])


def _table(kind: str, n: int) -> int | None:
    pairs: Iterator[tuple[int, int]] = zip(*_reach(kind), strict=True)
    return next((matrices for order, matrices in pairs if n <= order), None)
