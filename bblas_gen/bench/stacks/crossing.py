"""`bblas-gen bench hand-over`: from how many matrices on kernels are as fast as NumPy, beside the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import numpy as np

from ...schedule.hand_over import REACH
from .. import options
from ..measure import Contender, hot, quiet
from ..progress import measuring
from ..result import as_json, report
from ..table import print_table
from .calls import CALLS, Problem

BY_KIND = {"product": "matmul"} | {kind: kind for kind in REACH if kind in CALLS and kind != "expm"}
"""The function that is measured for a row of the table. SciPy loops in Python, so its rows need no measurement."""
LADDER = tuple(sorted({round(1.15**step) for step in range(66)}))
"""Numbers of matrices."""


@click.command("hand-over")
@click.option("--kinds", **options.names(list(BY_KIND)), help="Rows of the table.")
@click.option("--sizes", type=options.Numbers(), help="Orders n.  [default: those of the table]")
@options.repetitions()
@options.json_output()
def hand_over(kinds: list[str], sizes: list[int] | None, repetitions: int, output: Path | None) -> None:
    """Measure from how many matrices on `bblas_gen.linalg` is as fast as NumPy: one thread, double, plain calls.

    Beside each number stands that of `schedule/hand_over`, which is to be no smaller.
    """
    rows = []
    with measuring(1), quiet():
        for kind in kinds:
            for n in sizes or REACH[kind].orders:
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
    theirs = partial(problem.call.by["numpy"], np.linalg, *arrays)
    mine, other = hot([Contender("ours", by_kernels(problem, arrays), []), Contender("numpy", theirs, [])], repetitions)
    return mine.ratio(other)


def by_kernels(problem: Problem, arrays: list[Any]) -> Callable[[], Any]:
    """The plain call of who wants no errors, which kernels do however few matrices there are."""
    module = import_module("bblas_gen.linalg")
    return partial(problem.call.by["ours"], module, *arrays, num_threads=1, check="ignore")


def _table(kind: str, n: int) -> int | None:
    pairs: Iterator[tuple[int, int]] = zip(*REACH[kind], strict=True)
    return next((matrices for order, matrices in pairs if n <= order), None)
