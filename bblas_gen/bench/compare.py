"""`bblas-gen bench compare`: today's kernels against sources that another version of the generator emitted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import geometric_mean
from typing import Any

import click

from ..ir.catalog import OPS
from ..ir.spec import KernelSpec
from ..plans import Plan
from ..runtime.library import load_c, source_here
from .measure import Contender, hot
from .problem import ROWS, Problem, storage
from .progress import measuring

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True)
class Pair:
    """A kernel on operands of its own, in cache."""

    problem: Problem
    ready: Plan
    memory: list[Any]

    @classmethod
    def of(cls, problem: Problem, layout: str) -> Pair:
        small = problem.hot()
        operands = small.laid_out(small.operands(timed=True), layout).values()
        ready = problem.planned(operands, **problem.scalars, num_threads=1)
        return cls(problem, ready, list(map(storage, operands)))

    def timings(self, before: str, repetitions: int) -> tuple[float, float]:
        """Seconds of a call of today's kernel, and how often as fast as the one ``before`` it is."""
        assert self.ready.kernel
        source = self.ready.kernel.source
        old = load_c(source.symbol, before, source.entry.cffi_cdef)
        functions = (self.ready.kernel.library.function, old.function)
        runs = [Contender("", partial(f, *self.ready.arguments), self.memory) for f in functions]
        now, then = hot(runs, repetitions)
        return now.median, now.ratio(then)


def symbol_of(problem: Problem, layout: str) -> str:
    """The kernel that runs on row-major operands in ``layout``."""
    spec = KernelSpec.make(problem.op, problem.precision, layout, **problem.size)  # type: ignore[arg-type]
    return (spec if all(where.interleaved for where in spec.layouts) else spec.mirrored()).symbol()


def tokens(text: str) -> list[str]:
    """What a compiler sees of a source: no comments, no white space."""
    return _COMMENT.sub(" ", text).split()


def measure(problems: Sequence[tuple[Problem, str]], folder: Path, repetitions: int) -> Iterator[dict[str, Any]]:
    """A row for every kernel that is in ``folder``; those whose text is the same are not timed."""
    for problem, layout in problems:
        symbol = symbol_of(problem, layout)
        path = folder / f"{symbol}.c"
        if not path.is_file():
            continue
        before, now = path.read_text(encoding="utf-8"), source_here(KernelSpec.parse(symbol)).text
        row: dict[str, Any] = {"symbol": symbol, "same": True, "ratio": 1.0}
        if tokens(before) != tokens(now):
            seconds, ratio = Pair.of(problem, layout).timings(before, repetitions)
            row |= {"same": False, "seconds": seconds, "ratio": ratio}
        yield row


def problems_of(ops: Sequence[str], dtypes: str, sizes: Sequence[int], layouts: Sequence[str]) -> list[Any]:
    """The problems with one right-hand side and beta = 1, and their layouts."""
    return [
        (_problem(op, letter, n), layout)
        for op in ops
        for letter in dtypes
        if letter in ROWS[op].precisions
        for n in sizes
        for layout in layouts
    ]


def _problem(op: str, letter: str, n: int) -> Problem:
    """The operation itself: kernels of sequences have no names that another version could be asked for."""
    sizes = tuple(ROWS[op].sizes(n).values())
    return Problem(op, letter, sizes, int("beta" in OPS[op].scalars), 10_000, alone=True)


def print_rows(rows: Sequence[dict[str, Any]]) -> None:
    """The rows that were timed, the slowest first, and a summary."""
    timed = sorted((row for row in rows if not row["same"]), key=lambda row: row["ratio"])
    for row in timed:
        click.echo(f"{row['symbol']:<40} {row['ratio']:>6.3f}")
    click.echo(f"{len(rows) - len(timed)} kernels are the same, {len(timed)} differ")
    if timed:
        mean = geometric_mean(row["ratio"] for row in timed)
        click.echo(f"speed over that of the other version: {timed[0]['ratio']:.3f} at least, geometric mean {mean:.3f}")


def run(problems: Sequence[tuple[Problem, str]], folder: Path, repetitions: int) -> list[dict[str, Any]]:
    with measuring(1):
        rows = list(measure(problems, folder, repetitions))
    if not rows:
        raise click.ClickException(f"{folder} has no source of these kernels: emit them with the other version")
    print_rows(rows)
    return rows
