"""One self-contained HTML page of measurements: pictures, tables, and all that they depend on."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import matplotlib.pyplot as plt

from ..codegen.render import render_file
from . import figures
from .experiments import EXPERIMENTS
from .problem import ROWS


def page(reports: Sequence[Mapping[str, Any]]) -> str:
    """The page for ``reports``, each as the JSON of a benchmark has it; those of one kind come one after another."""
    sections: list[dict[str, Any]] = []
    for report in reports:
        if "experiments" in report:
            sections += [_experiment(name, rows, report) for name, rows in report["experiments"].items() if rows]
        elif report["rows"] and "contender" in report["rows"][0]:
            sections += _contest(report)
        elif report["rows"]:
            sections.append(_section("Overhead", _about(report), [], _plain(report["rows"])))
    machine, versions = reports[0]["machine"], _versions(reports)
    return render_file("bench/report.html", sections=sections, machine=machine, versions=versions)


def _section(title: str, about: str, pictures: list[str], table: list[list[str]]) -> dict[str, Any]:
    return {"title": title, "about": about, "figures": pictures, "table": table}


def _contest(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    rows = report["rows"]
    found = []
    keys = ("op", "beta", "threads", "rhs")
    for key in dict.fromkeys(tuple(row.get(name, 0) for name in keys) for row in rows):
        mine = [row for row in rows if tuple(row.get(name, 0) for name in keys) == key]
        curve = figures.series(mine)
        pictures = [figures.rates, figures.ratios, figures.fractions] if len({r["shape"] for r in curve}) > 1 else []
        found.append(_section(_title(*key), _about(report), _drawn(pictures, curve), _contest_table(mine)))
    return found


def _title(op: str, beta: int, threads: int, rhs: int) -> str:
    parts = [f"{op}: {ROWS[op].formula}{' + C' if beta else ''}"]
    if rhs:
        parts.append(f"{rhs} right-hand side{'s' if rhs > 1 else ''}")
    return ", ".join([*parts, f"{threads} thread{'s' if threads > 1 else ''}"])


def _drawn(pictures: Sequence[Callable[[Any], Any]], rows: Sequence[dict[str, Any]]) -> list[str]:
    """Those of the pictures that the rows have something for."""
    found = []
    for draw in pictures:
        with suppress(figures.NothingToDraw):
            found.append(svg(draw(rows)))
    return found


def _experiment(name: str, rows: Sequence[dict[str, Any]], report: Mapping[str, Any]) -> dict[str, Any]:
    row = EXPERIMENTS[name]
    pictures = [svg(figures.DRAW[name](rows))]
    return _section(row.title, f"After {row.source}. {_about(report)}", pictures, _plain(rows))


def _about(report: Mapping[str, Any]) -> str:
    return f"{report['machine']['cpu']}, {report['versions']['compiler']}, {report['date']}: {report['command']}"


def _versions(reports: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    return {name: version for report in reports for name, version in report["versions"].items()}


def _contest_table(rows: Sequence[dict[str, Any]]) -> list[list[str]]:
    names = list(dict.fromkeys(row["contender"] for row in rows))
    table = [["", "n", "state", *(figures.LABELS.get(name, name) for name in names), "roofline"]]
    for kind, shape, state in dict.fromkeys((row["dtype"], row["shape"], row["state"]) for row in rows):
        mine = {r["contender"]: r for r in rows if (r["dtype"], r["shape"], r["state"]) == (kind, shape, state)}
        rates = [f"{mine[name]['gflops']:.1f}" if name in mine else "" for name in names]
        table.append([kind, shape, state, *rates, f"{next(iter(mine.values()))['roofline']:.1f}"])
    return table


def _plain(rows: Sequence[dict[str, Any]]) -> list[list[str]]:
    head = list(rows[0])
    return [head, *([f"{v:.3g}" if isinstance(v, float) else str(v) for v in row.values()] for row in rows)]


def svg(figure: Any) -> str:
    """A figure as the text of an <svg> element."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None})
    plt.close(figure)
    text = buffer.getvalue()
    return text[text.index("<svg") :]
