"""`bblas-gen bench`: the commands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ..ir.catalog import OPS
from . import compare as comparison
from . import fusion, options
from . import general as general_kernels
from . import library as linked
from . import overhead as overhead_rows
from . import threads as team
from . import variable as unlike
from .contenders import OURS, ours_of
from .gpu.command import ByTarget, cuda, target
from .pages import figure, make_report
from .peers import PEERS, Missing, peers_of
from .problem import ROWS, Problem
from .progress import Skipped, measuring
from .result import rounded
from .runs import measured_experiments, problem_sizes, run, write
from .single.command import single
from .stacks.command import linalg
from .stacks.crossing import hand_over
from .table import print_results

_EPILOG = (
    "States: hot, the data in half of the level-2 cache; steady, the whole batch again and again; cold, the caches"
    " flushed before every call."
)


def _options(op: str) -> list[options.Option]:
    """The options of the command for one operation."""
    row = ROWS[op]
    shapes = "" if len(OPS[op].sizes) == 1 else f", or shapes {' x '.join(OPS[op].sizes)}"
    precisions = options.names(list(row.precisions), ["d" if "d" in row.precisions else "z"])
    here = options.names(list(PEERS), peers_of(op))
    choice = click.Choice(["0", "1"])
    found: list[options.Option] = [
        click.option("--dtype", **precisions, help="Precisions."),
        click.option("--sizes", type=options.Shapes(), default="2..32", show_default=True, help=f"Sizes n{shapes}."),
        options.batch(),
        click.option("--ours", **options.names(ours_of(op)), help=_ours_help(op)),
        click.option("--peers", **here, help="Peers, or none; what is not installed is skipped."),
        options.states(),
        click.option("--threads", type=click.IntRange(1), default=1, show_default=True, help="Threads of everyone."),
        options.repetitions(),
        options.json_output(),
    ]
    if "beta" in OPS[op].scalars:
        told = f"{row.formula} + beta C."
        found.insert(3, click.option("--beta", type=choice, default="1", show_default=True, help=told))
    if row.rhs:
        columns = click.option(
            "--rhs", type=options.Numbers(), default="1", show_default=True, help="Right-hand sides."
        )
        found.insert(2, columns)
    return found


def _operation(op: str) -> click.Command:
    """The command that measures one operation."""

    def command(
        dtype: list[str],
        sizes: list[tuple[int, ...]],
        batch: int,
        threads: int,
        output: Path | None,
        beta: str = "0",
        rhs: Sequence[int] = (1,),
        **named: Any,
    ) -> None:
        problems = [
            Problem(op, letter, problem_sizes(op, shape, columns), int(beta), batch, threads)
            for letter in dtype
            for columns in rhs
            for shape in sizes
        ]
        skipped = Skipped()
        results = run(list(dict.fromkeys(problems)), skipped, **named)
        print_results(results)
        skipped.tell()
        if output:
            write(output, [result.record() for result in results])

    for option in reversed(_options(op)):
        option(command)
    told = f"Measure {op}, {ROWS[op].formula}, on batches: our layouts, the peers found here and the machine's limits."
    return click.command(op, help=told, epilog=_EPILOG)(command)


def _ours_help(op: str) -> str:
    beside = ROWS[op].beside
    return "Our layouts; call is st without a plan" + (f", {beside}_* our {beside} of the same n." if beside else ".")


@click.command()
@options.json_output()
def overhead(output: Path | None) -> None:
    """Measure what a call costs beside its arithmetic, the first call of a shape, and the import."""
    with measuring(1):
        rows = overhead_rows.measure()
    for row in rows:
        click.echo(f"{row['what']:<40} {row['value']:>8.3f} {row['unit']}")
    if output:
        write(output, rows)


@click.command()
@options.batch(10)
@options.repetitions()
@options.json_output(required=True)
def experiments(batch: int, repetitions: int, output: Path) -> None:
    """Measure what the papers show: block size, groups of one, cost of conversion, size of the batch, fusion."""
    write(output, [], experiments=measured_experiments(batch, repetitions))


@click.command(epilog=_EPILOG)
@click.option("--sizes", type=options.Numbers(), default="2..16", show_default=True, help="Sizes n.")
@options.batch()
@options.states()
@click.option("--layouts", **options.names(OURS[:4], fusion.LAYOUTS), help="Layouts.")
@options.repetitions()
@options.json_output()
def sequences(
    sizes: list[int],
    batch: int,
    states: list[str],
    layouts: list[str],
    repetitions: int,
    output: Path | None,
) -> None:
    """Measure sequences in one kernel against the same steps as planned calls, one after another, and NumPy."""
    with measuring(1):
        rows = list(fusion.measure(batch, repetitions, sizes=sizes, layouts=layouts, states=states))
    click.echo(f"{'':<10}   n layout state     batch  fused GF/s  unfused GF/s  gain  over NumPy")
    for row in rows:
        unfused = row["gflops"] * row["seconds"] / row["unfused_seconds"]
        click.echo(
            f"{row['sequence']:<10} {row['n']:>3} {row['layout']:<6} {row['state']:<6} {row['batch']:>8} "
            f"{row['gflops']:>11.1f} {unfused:>13.1f} {row['gain']:>5.2f} {row['over_numpy']:>11.2f}"
        )
    if output:
        write(output, [], experiments={"fusion": rounded(rows)})


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), required=False)
@click.option("--ops", **options.names(list(ROWS)), help="Operations.")
@click.option("--dtype", **options.names("sdcz", ["d"]), help="Precisions.")
@click.option("--sizes", type=options.Numbers(), default="2..32", show_default=True, help="Sizes n.")
@click.option("--layouts", **options.names(OURS[:4], ["st", "bi"]), help="Layouts.")
@options.repetitions()
@options.json_output()
def compare(
    folder: Path | None,
    ops: list[str],
    dtype: list[str],
    sizes: list[int],
    layouts: list[str],
    repetitions: int,
    output: Path | None,
) -> None:
    """Measure kernels against the sources in FOLDER, which another version emitted; without it, name the kernels.

    With the other version: bblas-gen emit -o PARCEL NAMES; FOLDER is PARCEL/src. What is the same but for comments is
    not timed.
    """
    problems = comparison.problems_of(ops, "".join(dtype), sizes, layouts)
    if folder is None:
        click.echo("\n".join(dict.fromkeys(comparison.symbol_of(*one) for one in problems)))
        return
    rows = comparison.run(problems, folder, repetitions)
    if output:
        write(output, [], experiments={"compare": rounded(rows)})


@click.command()
@click.option("--ops", **options.names(general_kernels.OPERATIONS, ["gemm"]), help="Operations.")
@click.option("--dtype", **options.names("sdcz", ["d"]), help="Precisions.")
@click.option(
    "--sizes",
    type=options.Numbers(),
    default=",".join(map(str, general_kernels.SIZES)),
    show_default=True,
    help="Sizes n.",
)
@click.option("--layouts", **options.names(general_kernels.LAYOUTS, ["bi"]), help="Layouts.")
@click.option("--beta", type=click.Choice(["0", "1"]), default="1", show_default=True, help="beta C is added.")
@options.repetitions()
@options.json_output()
def general(
    ops: list[str],
    dtype: list[str],
    sizes: list[int],
    layouts: list[str],
    beta: str,
    repetitions: int,
    output: Path | None,
) -> None:
    """Measure kernels whose sizes are parameters against those made for the size, in cache, on one thread."""
    problems = general_kernels.problems_of(ops, "".join(dtype), sizes, int(beta))
    with measuring(1):
        rows = list(general_kernels.measure(problems, layouts, repetitions))
    general_kernels.print_rows(rows)
    if output:
        write(output, [], experiments={"general": rounded(rows)})


@click.command()
@click.option(
    "--sizes", type=options.Numbers(), default=",".join(map(str, unlike.TOPS)), show_default=True, help="Sizes 1 to n."
)
@click.option("--batch", type=click.IntRange(1), default=100_000, show_default=True, help="Matrices.")
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True, help="Threads of ours.")
@options.repetitions()
@options.json_output()
def variable(sizes: list[int], batch: int, threads: int, repetitions: int, output: Path | None) -> None:
    """Measure batches of matrices of different sizes against a loop of NumPy calls and against fixed batches."""
    with measuring(threads):
        rows = list(unlike.measure(sizes, batch, repetitions, threads))
    unlike.print_rows(rows)
    if output:
        write(output, [], experiments={"variable": rounded(rows)})


@click.command()
@click.option("--busy", type=click.IntRange(0), default=4, show_default=True, help="Busy processes, once besides.")
@click.option("--calls", type=click.IntRange(2), default=100, show_default=True, help="Calls in a series.")
@options.repetitions()
@options.json_output()
def threads(busy: int, calls: int, repetitions: int, output: Path | None) -> None:
    """Measure the default number of threads against one, at rest and beside busy processes."""
    with measuring():
        rows = list(team.measure(team.PROBLEMS, sorted({0, busy}), calls, repetitions))
    team.print_rows(rows)
    if output:
        write(output, [], experiments={"threads": rounded(rows)})


@click.command("library")
@click.option(
    "--sizes", type=options.Numbers(), default=",".join(map(str, linked.TOPS)), show_default=True, help="Sizes 1 to n."
)
@click.option("--batch", type=click.IntRange(1), default=100_000, show_default=True, help="Matrices.")
@options.repetitions()
@options.json_output()
def c_library(sizes: list[int], batch: int, repetitions: int, output: Path | None) -> None:
    """Measure a C library: variable batches, groups of one, what a call costs; on one thread."""
    with measuring(1):
        rows = list(linked.measure(sizes, batch, repetitions))
    linked.print_rows(rows)
    if output:
        write(output, [], experiments={"library": rounded(rows)})


@click.command("peers")
def list_peers() -> None:
    """Show which peers are here, and how to get the others."""
    for peer in PEERS.values():
        problem = Problem("gemm", "d", (2, 2, 2), 1, 4)
        try:
            peer.prepare(problem, problem.operands())
            click.echo(f"{peer.name:<16} {peer.title}")
        except Missing as error:
            click.echo(f"{peer.name:<16} missing: {error}")


_COMMANDS = [overhead, experiments, sequences, compare, general, variable, c_library, cuda, threads, single]
_COMMANDS += [linalg, hand_over, make_report, figure, list_peers]


@click.group(
    cls=ByTarget,
    commands={op: _operation(op) for op in ROWS} | {command.name or "": command for command in _COMMANDS},
)
@target
def bench() -> None:
    """Measure kernels, peers and limits side by side."""
