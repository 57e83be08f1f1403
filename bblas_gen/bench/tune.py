"""`bblas-gen tune`: measure how kernels are best made on this machine, and keep what gains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from math import exp, log
from typing import Any

import click

from ..ir.program import Program
from ..ir.spec import KernelSpec
from ..ir.targets import Isa
from ..ir.terms import PRECISIONS
from ..runtime import kernels
from ..schedule import tuned
from ..schedule.choose import choose, variations
from ..schedule.schedule import Schedule
from ..toolchain.compilers import find_cc
from .limits import flush
from .measure import Contender, cold, hot
from .options import Names, Shapes
from .problem import ROWS, Problem, storage
from .progress import measuring
from .runs import problem_sizes

GAIN = 1.04
"""A schedule is kept where it is as much faster than the model's: less is noise."""
BLOCKS = (1, 2, 4, 8)
"""Block sizes of layout bi to compare, in units of the default."""
LAYOUTS = ("st", "pp", "bi", "il")


@click.command()
@click.argument("op", type=click.Choice(list(ROWS)), default="gemm", metavar="[OPERATION]")
@click.option("--dtype", type=Names(list(PRECISIONS)), default="d", show_default=True, help="Precisions.")
@click.option("--sizes", type=Shapes(), default="2..16", show_default=True, help="Sizes n, or shapes m x n x k.")
@click.option("--layouts", type=Names(LAYOUTS), default="st,bi", show_default=True, help="Layouts.")
@click.option("--batch", type=click.IntRange(16), default=2_000, show_default=True, help="Matrices in a cold batch.")
@click.option("--repetitions", type=click.IntRange(2), default=7, show_default=True, help="Rounds; medians count.")
@click.option("--most", type=click.IntRange(2), default=24, show_default=True, help="Schedules to try for a kernel.")
def tune(
    op: str,
    dtype: list[str],
    sizes: list[tuple[int, ...]],
    layouts: list[str],
    batch: int,
    repetitions: int,
    most: int,
) -> None:
    """Measure other schedules (form, width, tile, prefetch) than the model chooses, and keep those that are faster.

    OPERATION is one that `bblas-gen bench` has, gemm by default. What is kept goes to a file in your configuration
    folder (see `bblas-gen info`); kernels made from then on use it. For layout bi the best block size is shown, too: it
    is yours to pass to `interleave`, for storage does not change with the machine.
    """
    simd_bytes = find_cc().simd_bytes
    kept = 0
    with measuring(1):
        for letter in dtype:
            for shape in sizes:
                problem = Problem(op, letter, problem_sizes(op, shape), 0, batch, alone=True)
                for layout in layouts:
                    symbol, row, gain = _best(problem, layout, simd_bytes, repetitions, most)
                    if row or symbol in tuned.rows(simd_bytes):
                        tuned.keep(simd_bytes, {symbol: row})
                        kept += 1
                    told = ", ".join(f"{name} {value}" for name, value in row.items()) or "as the model says"
                    click.echo(f"{symbol:<32} {gain:5.2f}x  {told}")
                    if layout == "bi":
                        click.echo(f"{'':<32} best nb: {_best_block(problem, repetitions)}")
    click.echo(f"wrote {tuned.location()}" if kept else "nothing gained: nothing written", err=True)
    kernels.reset()


def _best(
    problem: Problem, layout: str, simd_bytes: int, repetitions: int, most: int
) -> tuple[str, dict[str, Any], float]:
    """The kernel's symbol, the best schedule's fields where it is not the model's, and what they gain."""
    spec = _spec(problem, layout)
    program, isa = Program.of(spec), Isa.of(simd_bytes)
    model = replace(choose(program, isa), tiles=())
    plans = [model, *(plan for plan in variations(program, isa) if plan != model)][:most]
    seconds = _score(problem, layout, plans, repetitions)
    best = min(range(len(plans)), key=seconds.__getitem__)
    again = _score(problem, layout, [model, plans[best]], 2 * repetitions + 1)  # the best of many is partly luck
    gain = min(seconds[0] / seconds[best], again[0] / again[1])
    if gain < GAIN:
        return spec.symbol(), {}, 1.0
    chosen = asdict(plans[best])
    return spec.symbol(), {name: chosen[name] for name in tuned.FIELDS}, gain


def _spec(problem: Problem, layout: str) -> KernelSpec:
    """The kernel that runs on the problem's operands in ``layout``."""
    one = problem.with_batch(1)
    ready = one.planned(one.laid_out(one.operands(), layout).values())
    assert ready.kernel
    spec: KernelSpec = ready.kernel.spec
    return spec


def _score(problem: Problem, layout: str, plans: Sequence[Schedule], repetitions: int) -> list[float]:
    """Seconds per matrix of each plan: the geometric mean of hot and cold."""
    totals = [0.0] * len(plans)
    for state, mine in (("hot", problem.hot()), ("cold", problem)):
        operands = mine.laid_out(mine.operands(timed=True), layout).values()
        ready = mine.planned(operands, num_threads=1)
        assert ready.kernel
        built = [kernels.kernel(ready.kernel.spec, **asdict(found)) for found in plans]
        runs = [
            Contender("", partial(k.library.function, *ready.arguments), list(map(storage, operands))) for k in built
        ]
        timings = hot(runs, repetitions) if state == "hot" else cold(runs, repetitions, flush)
        totals = [total + log(t.median / mine.batch) for total, t in zip(totals, timings, strict=True)]
    return [exp(total / 2) for total in totals]


def _best_block(problem: Problem, repetitions: int) -> int:
    """The block size of layout bi with the least time, in cache and flushed."""
    sizes = [times * problem.p.default_nb for times in BLOCKS]
    totals = [0.0] * len(sizes)
    for state, mine in (("hot", problem.hot()), ("cold", problem)):
        runs = []
        for nb in sizes:
            operands = mine.laid_out(mine.operands(timed=True), f"bi{nb}").values()
            ready = mine.planned(operands, num_threads=1)
            runs.append(Contender(str(nb), ready, list(map(storage, operands))))
        timings = hot(runs, repetitions) if state == "hot" else cold(runs, repetitions, flush)
        totals = [total + log(timing.median) for total, timing in zip(totals, timings, strict=True)]
    return sizes[min(range(len(sizes)), key=totals.__getitem__)]
