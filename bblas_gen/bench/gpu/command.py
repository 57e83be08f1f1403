"""`bblas-gen bench cuda`, or `bench --target cuda`: everything about a GPU in one run."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Any

import click

from ...runtime.gpu import gpu
from ...toolchain.machine import cores
from .. import options
from ..listing import Listing
from ..noise import state
from ..result import as_json
from ..table import print_table
from . import cases as chosen
from . import targets
from .contest import LAYOUTS
from .large import N
from .peers import PEERS
from .problem import NAMES, ROWS
from .rows import HEAD, cells
from .run import Session

OPS = {NAMES.get(op, op): op for op in ROWS}
QUICK = {"ops": ["gemm", "posv"], "sizes": [2, 4], "gigabytes": 1e-4, "most": 1000, "repetitions": 3, "large": 128}
"""What a quick run has in place of the options."""
STUCK = 120.0
"""Seconds for one problem, after which the GPU is taken to wait for ever."""


@click.command("cuda")
@click.option("--ops", **options.names(list(OPS)), help="Operations.")
@click.option("--dtype", **options.names("sdcz", ["d", "s"]), help="Precisions, the first of them first.")
@click.option(
    "--sizes", type=options.Numbers(), default=",".join(map(str, chosen.SIZES)), show_default=True, help="Sizes n."
)
@click.option("--layouts", **options.names(LAYOUTS), help="Our layouts.")
@click.option("--peers", **options.names(list(PEERS)), help="Peers, or none; what is not found is skipped.")
@click.option("--gigabytes", type=float, default=1.0, show_default=True, help="What calls go round, to be in no cache.")
@click.option("--minutes", type=float, default=9.0, show_default=True, help="When it ends: what counts most is first.")
@click.option("--jobs", type=click.IntRange(1), help="Compilers at a time; by default one on each core.")
@click.option("--quick", is_flag=True, help="A few small cases: a rehearsal, whose numbers say little.")
@click.option("--repetitions", type=click.IntRange(2), default=7, show_default=True, help="Rounds; medians count.")
@click.option("--go-on", is_flag=True, help="Add to the file of --json, which another run has begun.")
@options.json_output()
def cuda(
    ops: list[str],
    dtype: list[str],
    sizes: list[int],
    gigabytes: float,
    minutes: float,
    jobs: int | None,
    quick: bool,
    repetitions: int,
    go_on: bool,
    layouts: list[str],
    peers: list[str],
    output: Path | None,
) -> None:
    """Measure a GPU: our layouts, NVIDIA's libraries, Python packages, and the limits of the memory and of arithmetic.

    Every result is checked before it is timed. What was found is written after each step, so that a run which is cut
    leaves data. Where the GPU fails, or does not answer, the run goes on in a new process with what comes next, as
    --go-on does. `bblas-gen bench report FILE.json -o DIR` makes a page of it.
    """
    named: dict[str, Any] = {"ops": ops, "sizes": sizes, "gigabytes": gigabytes, "repetitions": repetitions}
    named |= {"most": chosen.BATCHES[-1], "large": N, **(QUICK if quick else {})}
    until, nbytes = monotonic() + 60 * minutes, round(named["gigabytes"] * 1e9)
    click.echo(state(), err=True)
    wanted = [OPS[op] for op in named["ops"]]
    cases = chosen.cases(wanted, dtype, named["sizes"], nbytes, named["most"])
    session = Session(
        gpu(0), layouts, peers, nbytes, named["repetitions"], until, named["large"], lambda x: click.echo(x, err=True)
    )
    if go_on and output and output.exists():
        session.go_on(json.loads(output.read_text(encoding="utf-8")))
    over = _watched(session, output)
    try:
        for _ in session.measure(cases, jobs or cores()):
            if output:
                _write(output, session)
    except RuntimeError as error:  # of the driver: nothing works after it
        over.set()
        _again(session, str(error), output)
        raise click.ClickException(str(error)) from error
    finally:  # there is what was found before
        over.set()
        print_table(HEAD, [tuple(cells(row)) for row in session.rows])
        _tell(session)
        if output:
            _write(output, session)
            click.echo(f"wrote {output}", err=True)


def _watched(session: Session, output: Path | None) -> Event:
    """Look whether problems come to an end, until the event is set: kernels that wait for one another never do."""
    over = Event()

    def look() -> None:
        while not over.wait(1):
            what, since = session.at
            if what and monotonic() - since > STUCK:
                _again(session, f"no end after {STUCK:g} s", output)
                _ended()

    Thread(target=look, daemon=True).start()
    return over


def _again(session: Session, error: str, output: Path | None) -> None:
    """Go on behind what has failed in a new process, as one GPU's context ends with its first fault."""
    session.fault(error)
    click.echo(f"{session.at[0]}: {error}", err=True)
    if not output:
        return
    _write(output, session)
    if session.at[0] and not session.over:
        minutes = f"{(session.until - monotonic()) / 60:.3f}"
        others = [word for word in sys.argv[1:] if word != "--go-on"]
        _replaced([*others, "--minutes", minutes, "--go-on"])


def _ended() -> None:
    """Whoever waits for the GPU does nothing else any more."""
    os._exit(1)


def _replaced(arguments: list[str]) -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, [sys.executable, "-m", __package__.partition(".")[0], *arguments])


target = click.option(
    "--target",
    type=click.Choice(["cuda"]),
    expose_value=False,
    help="Measure a GPU: another name of the command cuda, before its options.",
)


class ByTarget(Listing):
    """A group in which ``--target cuda`` before all else is the command for GPUs."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        chosen = {("--target", "cuda"): 2, ("--target=cuda",): 1}
        taken = next((count for words, count in chosen.items() if tuple(args[:count]) == words), 0)
        return super().parse_args(ctx, [str(cuda.name), *args[taken:]] if taken else args)


def _tell(session: Session) -> None:
    """Limits, what is asked and measured, and who took no part."""
    for name, value in session.limits.items():
        click.echo(f"{name:<28} {value:.4g}")
    for line in targets.lines(session.report()):
        click.echo("; ".join(filter(None, line.cells)))
    for text in (*session.skipped, *session.failed):
        click.echo(text, err=True)
    if session.left:
        click.echo(f"no time was left for {len(session.left)} cases", err=True)


def _write(output: Path, session: Session) -> None:
    """All so far, in the place of what was there as a whole."""
    beside = output.with_name(f".{output.name}")
    beside.write_text(as_json(session.report()), encoding="utf-8")
    beside.replace(output)
