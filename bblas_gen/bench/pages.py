"""`bblas-gen bench report` and `figure`: a page and pictures of what benchmarks wrote."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from ..ir.catalog import OPS
from .peers import peers_of
from .problem import Problem
from .progress import Skipped
from .result import FORMAT
from .runs import measured_experiments, problem_sizes, run, write

QUICK = ((2, 4, 8, 16), 1000, 3)
THOROUGH = (tuple(range(2, 33)), 10_000, 9)
"""Sizes, matrices in a batch and repetitions of a report that measures first."""
REPORTED = {"gemm": (1,), "trsm": (1, 4), "potrf": (1,), "posv": (1, 4)}
"""What such a report measures, with the numbers of right-hand sides."""
QUICKLY = {"gemm": (1,), "posv": (1,)}
"""The same for a quick one."""


@click.command("report")
@click.argument("data", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path), required=True, help="The folder.")
@click.option("--quick", is_flag=True, help="Few sizes and repetitions: a minute instead of many.")
def make_report(data: tuple[Path, ...], output: Path, quick: bool) -> None:
    """Make one HTML page, DIR/index.html, from DATA that benchmarks wrote; without any, measure this machine first.

    Needs the extra [bench].
    """
    page = _drawing("report").page
    output.mkdir(parents=True, exist_ok=True)
    reports = {_beside(path, output): _read(path) for path in data} or _measure_all(output, quick)
    (output / "index.html").write_text(page(reports), encoding="utf-8")
    click.echo(f"wrote {output / 'index.html'}")


def _beside(path: Path, output: Path) -> str:
    """The name of a copy of the file in the folder of the page, which links to it."""
    copy = output / path.name
    if not (copy.exists() and copy.samefile(path)):
        copy.write_bytes(path.read_bytes())
    return path.name


def _measure_all(output: Path, quick: bool) -> dict[str, dict[str, Any]]:
    sizes, batch, repetitions = QUICK if quick else THOROUGH
    found, skipped = {}, Skipped()
    for op, columns in QUICKLY.items() if quick else REPORTED.items():
        beta = int("beta" in OPS[op].scalars)
        problems = [Problem(op, "d", problem_sizes(op, (n,), rhs), beta, batch) for rhs in columns for n in sizes]
        rows = run(problems, skipped, peers=peers_of(op), states=("hot", "cold"), repetitions=repetitions)
        found[f"{op}.json"] = write(output / f"{op}.json", [row.record() for row in rows])
    skipped.tell()
    papers = write(output / "experiments.json", [], experiments=measured_experiments(batch, repetitions))
    return found | {"experiments.json": papers}


@click.command()
@click.argument("data", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True, help="An .svg or .png.")
def figure(data: Path, output: Path) -> None:
    """Draw the pictures of README and docs, each from the JSON of a gemm, linalg or single benchmark.

    This needs the extra [bench].
    """
    report = _read(data)
    of = next((package for kind, package in {"linalg": "stacks.", "single": "single."}.items() if kind in report), "")
    drawn = _drawing(f"{of}figures").front(report["rows"])
    drawn.savefig(output, metadata={"Date": None} if output.suffix == ".svg" else None)


def _read(path: Path) -> dict[str, Any]:
    """What a benchmark wrote; refused where it is of another format, or has rows of older versions."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    known = isinstance(found, dict) and found.get("format") == FORMAT
    if not known or ("linalg" in found and not all("ratio_spread" in row for row in found["rows"])):
        raise click.ClickException(f"{path} is not what benchmarks of this version write: measure again")
    return found


def _drawing(module: str) -> Any:
    try:
        return import_module(f"bblas_gen.bench.{module}")
    except ImportError as error:
        raise click.ClickException(f"{error}; pip install 'bblas_gen[bench]'") from error
