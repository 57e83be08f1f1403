"""Problems of operations measured, and what was found written down."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from .experiments import EXPERIMENTS
from .experiments import measure as measure_experiments
from .problem import ROWS, Problem
from .progress import Skipped, measuring, steps
from .result import Result, as_json, measure, report, rounded


def problem_sizes(op: str, shape: tuple[int, ...], rhs: int = 1) -> tuple[int, ...]:
    """The sizes of ``op`` for a shape as users write it: one number for the case n, or all of them."""
    names = ROWS[op].sizes(shape[0], rhs)
    if len(shape) == 1:
        return tuple(names.values())
    if len(shape) != len(names):
        raise click.UsageError(f"{'x'.join(map(str, shape))} is not a shape of {op}: expected {' x '.join(names)}")
    return shape


def run(problems: Sequence[Problem], skipped: Skipped, **named: Any) -> list[Result]:
    """Measure all problems; ``skipped`` is told of the peers that are missing."""
    results: list[Result] = []
    with measuring(max(problem.threads for problem in problems)):
        for problem in steps(problems):
            results += measure(problem, skipped=skipped, **named)
    return results


def write(output: Path, rows: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """Write rows, and all that they depend on, as JSON with a row to a line; returns what was written."""
    found = report(rows) | more
    output.write_text(as_json(found), encoding="utf-8")
    click.echo(f"wrote {output}", err=True)
    return found


def measured_experiments(batch: int, repetitions: int) -> dict[str, Any]:
    """What the papers show, see ``experiments``."""
    with measuring(1), click.progressbar(length=len(EXPERIMENTS), label="experiments", file=sys.stderr) as bar:
        found: dict[str, Any] = rounded(measure_experiments(batch, repetitions, lambda: bar.update(1)))
    return found
