"""`bblas-gen bench threads`: the default number of threads against one, at rest and beside busy processes."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median, quantiles
from typing import Any

import click
import numpy as np

from ..interleave import interleave
from ..plans import plan

PROBLEMS = ((6, 20_000), (8, 2000), (16, 200), (16, 400), (16, 1600), (32, 200), (32, 400))
"""Orders and batches of products in `bi`, from 20 us of work on."""
SETTLE_SECONDS = 0.3


@contextmanager
def beside(busy: int) -> Iterator[None]:
    """So many processes that do nothing but work."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(busy)]
    try:
        time.sleep(SETTLE_SECONDS if busy else 0)
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def measure(
    problems: Sequence[tuple[int, int]], busy: Sequence[int], calls: int, repetitions: int
) -> Iterator[dict[str, Any]]:
    """A row for each problem and number of busy processes: the medians of series of calls, which take turns; ``gain``
    is how often as fast as one thread the default is, the median of the ratios series by series."""
    rng = np.random.default_rng(0)
    for others in busy:
        for n, batch in problems:
            a = interleave(rng.standard_normal((batch, n, n)))
            c = interleave(np.zeros((batch, n, n)))
            runs = plan("gemm", a, a, c, num_threads=1), plan("gemm", a, a, c)
            with beside(others):
                series = [[_times(run, calls) for run in runs] for _ in range(repetitions + 1)][1:]
            one, default = ([x for pair in series for x in pair[i]] for i in (0, 1))
            yield {
                "n": n,
                "batch": batch,
                "busy": others,
                "one_seconds": median(one),
                "default_seconds": median(default),
                "default_p99_seconds": quantiles(default, n=100)[-1],
                "gain": median(median(alone) / median(together) for alone, together in series),
            }


def _times(run: Callable[[], Any], calls: int) -> list[float]:
    found = []
    for _ in range(calls):
        started = time.perf_counter()
        run()
        found.append(time.perf_counter() - started)
    return found


def print_rows(rows: Sequence[dict[str, Any]]) -> None:
    click.echo("  n  batch  busy  one thread us  default us  p99 us   gain")
    for row in rows:
        one, default, p99 = (row[f"{name}_seconds"] * 1e6 for name in ("one", "default", "default_p99"))
        text = f"{row['n']:>3} {row['batch']:>6} {row['busy']:>5} {one:>14.1f} {default:>11.1f} {p99:>7.0f}"
        click.echo(f"{text} {row['gain']:>6.2f}")
