"""`bblas-gen bench linalg`: functions of stacks of matrices against NumPy, SciPy, PyTorch, JAX, Eigen and MKL."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from time import monotonic
from typing import Any

import click

from ...linalg import accelerate
from ...toolchain import machine
from .. import options
from ..asked import HEAD
from ..peers import Missing
from ..progress import Told, measuring
from ..result import as_json, report, rounded
from ..table import print_table
from . import cold, contest, shims, targets
from .calls import CALLS, Problem
from .peers import PEERS
from .rows import brief, steady
from .workers import workers

SIZES = (2, 3, 4, 8, 16, 32)


@dataclass(frozen=True)
class Wanted:
    """What is measured."""

    calls: Sequence[str]
    precisions: Sequence[str]
    sizes: Sequence[int]
    threads: Sequence[int]
    peers: Sequence[str]
    batch: int
    repetitions: int
    seconds: float

    @property
    def cases(self) -> Iterator[tuple[int, str, str]]:
        """Orders, functions and precisions."""
        return product(self.sizes, self.calls, self.precisions)


@click.command("linalg")
@click.option("--calls", **options.names(list(CALLS)), help="Functions.")
@click.option("--dtype", **options.names("sdcz", ["d"]), help="Precisions.")
@click.option("--sizes", type=options.Numbers(), default=",".join(map(str, SIZES)), show_default=True, help="Orders n.")
@options.batch()
@click.option("--threads", type=options.Numbers(), help="Numbers of threads.  [default: one, then all cores]")
@click.option("--peers", **options.names(list(PEERS)), help="Peers, or none; what is not installed is skipped.")
@options.repetitions()
@click.option("--seconds", type=float, default=0.3, show_default=True, help="Of a problem's rounds, about.")
@click.option("--minutes", type=float, default=6.0, show_default=True, help="When it ends; what is left is named.")
@options.json_output()
def linalg(
    calls: list[str],
    dtype: list[str],
    sizes: list[int],
    batch: int,
    threads: list[int] | None,
    peers: list[str],
    repetitions: int,
    seconds: float,
    minutes: float,
    output: Path | None,
) -> None:
    """Measure bblas_gen.linalg on stacks, by plain calls, against NumPy, SciPy, PyTorch, JAX, Eigen and MKL compact.

    Results are compared before they are timed; everyone takes turns, in a process for each number of threads. What was
    found is written after each problem. Kernels and shims are compiled before time is counted, for the instruction set
    that BBLAS_GEN_ISA names, such as x86-64-v3; NumPy and other libraries have the vectors of the machine.
    """
    counts = sorted(set(threads or [1, machine.cores()]))
    wanted = Wanted(calls, dtype, sizes, counts, peers, batch, repetitions, seconds)
    skipped = Told()
    rows: list[dict[str, Any]] = []
    compile_all(wanted)
    with measuring(max(counts)):
        for row in measure(wanted, monotonic() + 60 * minutes, skipped):
            rows.append(rounded(row))
            if output:
                output.write_text(as_json(_report(rows, skipped)), encoding="utf-8")
    for some in (steady(rows), [row for row in rows if row["state"] == "cold"]):
        if some:
            head, *lines = brief(some)
            print_table(head, [tuple(line) for line in lines])
    print_table(HEAD, [tuple(line.cells) for line in targets.lines(_report(rows, skipped))])
    skipped.tell()
    if output:
        click.echo(f"wrote {output}", err=True)


def _report(rows: list[dict[str, Any]], skipped: Told) -> dict[str, Any]:
    return report(rows) | {"linalg": {"skipped": list(skipped.lines)}}


def compile_all(wanted: Wanted) -> None:
    """All kernels and shims, on all cores: processes that measure find them."""
    click.echo("compiling", err=True)
    compiled = [x for x in ("eigen", "mkl_compact") if x in wanted.peers]
    with accelerate(always=True), ThreadPoolExecutor(machine.cores()) as pool:
        shim = [
            pool.submit(_compile_shim, name, precision, n)
            for n in sorted(wanted.sizes, reverse=True)
            for precision in wanted.precisions
            for name in compiled
        ]
        kernels = [pool.submit(_compile_kernel, *case) for case in wanted.cases]
        for one in (*shim, *kernels):
            one.result()


def _compile_kernel(n: int, call: str, precision: str) -> None:
    problem = Problem(CALLS[call], precision, n, 2, 1)
    contest.ours(problem, problem.operands())()


def _compile_shim(name: str, precision: str, n: int) -> None:
    with suppress(Missing):
        shims.library(name, PEERS[name].calls, precision, n)


def measure(wanted: Wanted, until: float, skipped: Callable[[str], None]) -> Iterator[dict[str, Any]]:
    """Rows; ``skipped`` is told of the problems for which there is no time, too."""
    with workers(wanted.threads) as pool:
        for n, call, precision in wanted.cases:
            if monotonic() > until:
                skipped(f"{call} {n}: no time was left")
                continue
            click.echo(f"{call} {precision} {n}", err=True)
            for threads, worker in pool.items():
                problem = (call, precision, n, wanted.batch, threads)
                row, lines = worker.submit(_one, problem, wanted.peers, wanted.repetitions, wanted.seconds).result()
                for line in lines:
                    skipped(line)
                yield row
            if call == "inv" and n <= cold.ORDERS and 1 in pool:
                yield pool[1].submit(cold.measure, precision, n, wanted.batch, wanted.repetitions).result()


def _one(
    problem: tuple[str, str, int, int, int], peers: Sequence[str], repetitions: int, seconds: float
) -> tuple[dict[str, Any], list[str]]:
    """A row, and who takes no part: in a process of its own."""
    call, precision, n, batch, threads = problem
    wanted, lines = Problem(CALLS[call], precision, n, batch, threads), list[str]()
    return contest.measure(wanted, peers, repetitions, seconds, lines.append), lines
