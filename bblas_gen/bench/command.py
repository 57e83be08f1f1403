"""`bblas-gen bench`: the commands."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import numpy as np

from .. import machine
from ..terms import PRECISIONS
from ..toolchain import find_cc
from ..version import __version__
from . import gemm as gemm_rows
from . import overhead as overhead_rows

FORMAT = 1


class Sizes(click.ParamType):  # type: ignore[type-arg]  # generic only in newer releases
    """Sizes such as 2..32 or 4,8,16 or 2..8,16."""

    name = "sizes"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[int]:
        found: list[int] = []
        try:
            for piece in str(value).split(","):
                first, dots, last = piece.partition("..")
                found += range(int(first), int(last) + 1) if dots else [int(first)]
        except ValueError:
            found = []
        if not found or min(found) < 1:
            self.fail(f"{value!r} is not a list of sizes such as 2..32 or 4,8,16", param, ctx)
        return found


class Names(click.ParamType):  # type: ignore[type-arg]
    """A comma-separated choice of some names."""

    name = "names"

    def __init__(self, choices: Sequence[str]) -> None:
        self.choices = choices

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[str]:
        found = [name.strip() for name in str(value).split(",")]
        unknown = [name for name in found if name not in self.choices]
        if unknown:
            self.fail(f"{unknown[0]!r} is unknown: expected some of {', '.join(self.choices)}", param, ctx)
        return found


@click.command()
@click.option("--dtype", type=Names(list(PRECISIONS)), default="d", show_default=True, help="Precisions: s, d, c, z.")
@click.option("--sizes", type=Sizes(), default="2..32", show_default=True, help="Sizes n of square matrices.")
@click.option("--batch", type=click.IntRange(1), default=10_000, show_default=True, help="Matrices in a batch.")
@click.option("--layouts", type=Names(gemm_rows.LAYOUTS), default=",".join(gemm_rows.LAYOUTS), show_default=True)
@click.option("--states", type=Names(gemm_rows.STATES), default=",".join(gemm_rows.STATES), show_default=True)
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True, help="Threads of all contenders.")
@click.option("--repetitions", type=click.IntRange(2), default=9, show_default=True, help="Rounds; medians count.")
@click.option("--json", "output", type=click.Path(dir_okay=False, path_type=Path), help="Write all rows here.")
def gemm(
    dtype: list[str],
    sizes: list[int],
    batch: int,
    layouts: list[str],
    states: list[str],
    threads: int,
    repetitions: int,
    output: Path | None,
) -> None:
    """Measure C := A B on batches of n x n matrices.

    Every row compares one layout with NumPy and with the roofline, measured in the same run: `hot` with the data in
    half of the level-2 cache, `steady` with the whole batch again and again, `cold` with the caches flushed before
    every call.
    """
    rows: list[gemm_rows.Row] = []
    steps = len(dtype) * len(sizes) * len(states)
    with click.progressbar(length=steps, label="gemm", file=sys.stderr) as bar:
        for letter in dtype:
            rows += gemm_rows.measure(
                letter,
                sizes,
                batch,
                layouts=layouts,
                states=states,
                threads=threads,
                repetitions=repetitions,
                step=lambda: bar.update(1),
            )
    _print_table(rows)
    if output:
        _write(output, [row.record() for row in rows])


@click.command()
@click.option("--json", "output", type=click.Path(dir_okay=False, path_type=Path), help="Write all rows here.")
def overhead(output: Path | None) -> None:
    """Measure what a call costs beside its arithmetic, the first call of a shape, and the import."""
    rows = overhead_rows.measure()
    for row in rows:
        click.echo(f"{row['what']:<40} {row['value']:>8.3f} {row['unit']}")
    if output:
        _write(output, rows)


@click.command()
@click.argument("data", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True, help="An .svg or .png.")
def figure(data: Path, output: Path) -> None:
    """Draw the picture of a gemm benchmark from the JSON that it wrote (needs the extra [bench])."""
    try:
        from .figure import draw
    except ImportError as error:
        raise click.ClickException(f"{error}; pip install 'bblas_gen[bench]'") from error
    draw(json.loads(data.read_text(encoding="utf-8")), output)


def _print_table(rows: Iterable[gemm_rows.Row]) -> None:
    head = ("", "n", "contender", "state", "batch", "GF/s", "GB/s", "% roofline", "x NumPy", "+- %")
    lines = [
        (
            row.dtype,
            str(row.n),
            row.contender,
            row.state,
            str(row.batch),
            f"{row.gflops:.1f}",
            f"{row.gbs:.1f}",
            f"{100 * row.fraction:.0f}",
            f"{row.speedup:.2f}",
            f"{100 * row.spread:.0f}",
        )
        for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(head, *lines, strict=True)]
    for line in (head, *lines):
        click.echo("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)))


def _write(output: Path, rows: list[dict[str, Any]]) -> None:
    cc = find_cc()
    report = {
        "format": FORMAT,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": " ".join(["bblas-gen", *sys.argv[1:]]),
        "machine": {
            "cpu": machine.cpu_name(),
            "cores": machine.cores(),
            "caches": machine.caches(),
            "simd_bytes": cc.simd_bytes,
        },
        "versions": {
            "bblas_gen": __version__,
            "compiler": cc.version,
            "numpy": np.__version__,
            "python": platform.python_version(),
        },
        "rows": rows,
    }
    text = json.dumps(report, indent=1).replace("\n   ", " ").replace("\n  }", " }")
    output.write_text(text + "\n", encoding="utf-8")
    click.echo(f"wrote {output}", err=True)


@click.group(commands={"gemm": gemm, "overhead": overhead, "figure": figure})
def bench() -> None:
    """Measure kernels, peers and limits side by side."""
