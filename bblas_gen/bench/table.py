"""Results as a table for people, by rich where it is installed."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from .noise import is_noise, summary
from .result import Result

HEAD = ("", "n", "contender", "state", "batch", "GF/s", "GB/s", "% roofline", "best", "+- %", "x best peer")


def print_results(results: Sequence[Result]) -> None:
    """A line for each result; what is noise has a mark beside its spread."""
    print_table(HEAD, [_line(result) for result in results])
    if told := summary([vars(result) for result in results]):
        click.echo(told, err=True)


def print_table(head: Sequence[str], lines: Sequence[tuple[str, ...]]) -> None:
    """Lines below their head; bold where the last cell has something."""
    try:
        from rich import box
        from rich.console import Console
        from rich.table import Table
    except ImportError:
        widths = [max(map(len, column)) for column in zip(head, *lines, strict=True)]
        for line in (head, *lines):
            click.echo("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)))
        return
    table = Table(box=box.SIMPLE)
    for name in head:
        table.add_column(name, justify="right", no_wrap=True)
    for line in lines:
        table.add_row(*line, style="bold" if line[-1] else None)
    Console(width=None if sys.stdout.isatty() else 140).print(table)


def _line(row: Result) -> tuple[str, ...]:
    peer, ratio = min(row.ratios.items(), key=lambda item: item[1], default=("", 0.0))
    return (
        row.dtype,
        row.shape,
        row.contender,
        row.state,
        str(row.batch),
        f"{row.gflops:.1f}",
        f"{row.gbs:.1f}",
        f"{100 * row.fraction:.0f}",
        f"{row.gflops * row.seconds / row.best:.1f}",
        f"{100 * row.spread:.0f}{' !' if is_noise(vars(row)) else ''}",
        f"{ratio:.2f} {peer}" if peer else "",
    )
