"""`bblas-gen bench`: the commands."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ..terms import PRECISIONS
from . import overhead as overhead_rows
from .contenders import OURS
from .measure import quiet
from .peers import PEERS
from .problem import ROWS, Problem
from .result import STATES, Result, measure, report
from .table import print_results


class Shapes(click.ParamType):  # type: ignore[type-arg]  # generic only in newer releases
    """Shapes such as 2..32 or 4,8,16 or 56x9x9,4x4x16."""

    name = "shapes"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[tuple[int, ...]]:
        found: list[tuple[int, ...]] = []
        try:
            for piece in str(value).split(","):
                first, dots, last = piece.partition("..")
                if dots:
                    found += [(n,) for n in range(int(first), int(last) + 1)]
                else:
                    found.append(tuple(map(int, piece.split("x"))))
        except ValueError:
            found = []
        if not found or min(map(min, found)) < 1:
            self.fail(f"{value!r} is not a list of sizes such as 2..32 or 4,8,16 or 56x9x9", param, ctx)
        return found


class Names(click.ParamType):  # type: ignore[type-arg]
    """A comma-separated choice of some names; "none" is none of them."""

    name = "names"

    def __init__(self, choices: Sequence[str]) -> None:
        self.choices = choices

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[str]:
        found = [name.strip() for name in str(value).split(",") if name.strip() != "none"]
        unknown = [name for name in found if name not in self.choices]
        if unknown:
            self.fail(f"{unknown[0]!r} is unknown: expected some of {', '.join(self.choices)}", param, ctx)
        return found


def _names(choices: Sequence[str]) -> dict[str, Any]:
    return {"type": Names(choices), "default": ",".join(choices), "show_default": True}


def _operation(op: str) -> click.Command:
    """The command that measures one operation."""

    @click.command(op, help=f"Measure {op} on batches: our layouts, the peers found here and the machine's limits.")
    @click.option("--dtype", type=Names(list(PRECISIONS)), default="d", show_default=True, help="Precisions.")
    @click.option("--sizes", type=Shapes(), default="2..32", show_default=True, help="Sizes n, or shapes m x n x k.")
    @click.option("--batch", type=click.IntRange(1), default=10_000, show_default=True, help="Matrices in a batch.")
    @click.option("--beta", type=click.Choice(["0", "1"]), default="1", show_default=True, help="C := A B + beta C.")
    @click.option("--ours", **_names(OURS), help="Our layouts; call is st without a plan.")
    @click.option("--peers", **_names(list(PEERS)), help="Peers, or none; what is not installed is skipped.")
    @click.option("--states", **_names(STATES), help="Where the data is: see below.")
    @click.option("--threads", type=click.IntRange(1), default=1, show_default=True, help="Threads of everyone.")
    @click.option("--repetitions", type=click.IntRange(2), default=9, show_default=True, help="Rounds; medians count.")
    @click.option("--json", "output", type=click.Path(dir_okay=False, path_type=Path), help="Write all rows here.")
    def command(
        dtype: list[str],
        sizes: list[tuple[int, ...]],
        batch: int,
        beta: str,
        ours: list[str],
        peers: list[str],
        states: list[str],
        threads: int,
        repetitions: int,
        output: Path | None,
    ) -> None:
        problems = [
            Problem(op, letter, _sizes(op, shape), int(beta), batch, threads) for letter in dtype for shape in sizes
        ]
        results = run(problems, ours=ours, peers=peers, states=states, repetitions=repetitions)
        print_results(results)
        if output:
            write(output, [result.record() for result in results])

    command.epilog = (
        "States: hot, the data in half of the level-2 cache; steady, the whole batch again and again; cold, the caches"
        " flushed before every call."
    )
    return command


def _sizes(op: str, shape: tuple[int, ...]) -> tuple[int, ...]:
    names = ROWS[op].sizes(shape[0])
    if len(shape) == 1:
        return tuple(names.values())
    if len(shape) != len(names):
        raise click.UsageError(f"{'x'.join(map(str, shape))} is not a shape of {op}: expected {' x '.join(names)}")
    return shape


def run(problems: Sequence[Problem], **options: Any) -> list[Result]:
    """Measure all problems, with a line for every peer that is missing, once."""
    told: set[str] = set()

    def skipped(line: str) -> None:
        if line not in told:
            told.add(line)
            click.echo(f"skipped: {line}", err=True)

    results: list[Result] = []
    with quiet(), click.progressbar(problems, label="measuring", file=sys.stderr) as bar:
        for problem in bar:
            results += measure(problem, skipped=skipped, **options)
    return results


def write(output: Path, rows: list[dict[str, Any]]) -> None:
    """Write rows and all that they depend on as JSON, one row to a line."""
    head = report([])
    lines = ",\n".join("  " + json.dumps(row) for row in rows)
    text = json.dumps(head, indent=1).replace('"rows": []', f'"rows": [\n{lines}\n ]')
    output.write_text(text + "\n", encoding="utf-8")
    click.echo(f"wrote {output}", err=True)


@click.command()
@click.option("--json", "output", type=click.Path(dir_okay=False, path_type=Path), help="Write all rows here.")
def overhead(output: Path | None) -> None:
    """Measure what a call costs beside its arithmetic, the first call of a shape, and the import."""
    rows = overhead_rows.measure()
    for row in rows:
        click.echo(f"{row['what']:<40} {row['value']:>8.3f} {row['unit']}")
    if output:
        write(output, rows)


@click.group(commands={op: _operation(op) for op in ROWS} | {"overhead": overhead})
def bench() -> None:
    """Measure kernels, peers and limits side by side."""
