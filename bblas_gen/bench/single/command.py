"""`bblas-gen bench single`: one long vector, one large matrix."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import Any

import click

from .. import options
from ..asked import HEAD
from ..progress import Told, measuring
from ..result import as_json, report, rounded
from ..table import print_table
from . import cases as chosen
from . import memory, targets
from .contest import measure
from .peers import PEERS, libraries
from .rows import brief

PARTS = (*chosen.PARTS, "memory")


@click.command("single")
@click.option("--parts", **options.names(PARTS), help="What is measured.")
@click.option("--threads", type=options.Numbers(), default="1,2", show_default=True, help="Numbers of threads.")
@click.option("--peers", **options.names(list(PEERS)), help="Peers, or none; what is not found is skipped.")
@click.option("--quick", is_flag=True, help="Few and small problems: a rehearsal.")
@click.option("--minutes", type=float, default=15.0, show_default=True, help="When it ends; what is left is named.")
@click.option(
    "--seconds", type=float, default=1.0, show_default=True, help="Of a problem's rounds, about; three at least."
)
@click.option(
    "--repetitions", type=click.IntRange(2), default=7, show_default=True, help="Rounds at most; medians count."
)
@options.json_output()
def single(
    parts: list[str],
    threads: list[int],
    peers: list[str],
    quick: bool,
    minutes: float,
    seconds: float,
    repetitions: int,
    output: Path | None,
) -> None:
    """Measure single vectors and matrices, small to huge, against BLAS libraries, Eigen and NumPy.

    Every result is checked before it is timed; everyone takes turns, on each number of threads. Vectors are compared
    with a loop through as many bytes, matrices beside vectors with loops of the same reads and writes, products with
    the arithmetic. What was found is written after each problem.
    """
    sizes, until = chosen.QUICK if quick else chosen.FULL, monotonic() + 60 * minutes
    skipped = Told()
    wanted = chosen.cases([part for part in parts if part != "memory"], sizes)
    found: dict[int, list[dict[str, Any]]] = {}
    rows: list[dict[str, Any]] = []
    with measuring(max(threads)):
        for case in chosen.in_turn(wanted):
            if monotonic() >= until:
                skipped(f"{case.problem.name}: no time was left")
                continue
            click.echo(case.problem.name, err=True)
            made = measure(case, sorted(threads), peers, repetitions, seconds, skipped)
            found[wanted.index(case)] = [rounded(row) for row in made]
            rows = [row for _, some in sorted(found.items()) for row in some]
            _write(output, rows, skipped)
        if "memory" in parts:
            known = [x for x in peers if x != "numpy"]
            for problem, beside in chosen.memory(sizes):
                if monotonic() >= until:
                    skipped(f"memory of {problem.name}: no time was left")
                    continue
                rows += map(rounded, memory.measure(problem, sorted(threads), known if beside else []))
            _write(output, rows, skipped)
    timed = [row for row in rows if row["part"] != "memory"]
    head, *lines = brief(timed)
    print_table(head, [tuple(line) for line in lines])
    print_table(HEAD, [tuple(line.cells) for line in targets.lines(_report(rows, skipped))])
    skipped.tell()
    if output:
        click.echo(f"wrote {output}", err=True)


def _report(rows: list[dict[str, Any]], skipped: Told) -> dict[str, Any]:
    return report(rows) | {"single": {"skipped": list(skipped.lines), "libraries": libraries()}}


def _write(output: Path | None, rows: list[dict[str, Any]], skipped: Told) -> None:
    if output:
        output.write_text(as_json(_report(rows, skipped)), encoding="utf-8")
