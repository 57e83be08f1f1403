"""One self-contained HTML page of measurements: figures, what they show, numbers, and all that they depend on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..codegen.render import render_file
from . import figures
from .experiments import EXPERIMENTS
from .gpu import report as gpu
from .noise import ABOVE, SPREAD, is_noise
from .problem import ROWS
from .section import Section, drawn
from .sentences import against_peers, label
from .single import report as single
from .stacks import report as stacks

OTHERS = {
    "general": "Kernels for any size against those made for a size",
    "variable": "Batches of matrices of different sizes",
    "threads": "The default number of threads against one",
    "compare": "Kernels against those of another version",
}
"""Titles of what is no figure of a paper."""
Report = Mapping[str, Any]
KINDS = {"gpu": gpu.sections, "traced": gpu.traced, "single": single.sections, "linalg": stacks.sections}
"""What makes the sections of reports that have a key of their own."""


def page(reports: Mapping[str, Report]) -> str:
    """The page for ``reports``, each as the JSON of a benchmark has it, by the names of files beside the page."""
    sections: list[Section] = []
    for source, report in reports.items():
        for name, rows in report.get("experiments", {}).items():
            sections += [_experiment(name, rows, report, source)] if rows else []
        if kind := next((kind for kind in KINDS if kind in report), None):
            sections += KINDS[kind](report, source)
        elif report["rows"] and "contender" in report["rows"][0]:
            sections += _contest(report, source)
        elif report["rows"]:
            sections.append(Section("Overhead", report["command"], source, [], _plain(report["rows"])))
    everyone = list(reports.values())
    return render_file(
        "bench/report.html",
        sections=sections,
        machines=list({_told(report["machine"]): None for report in everyone}),
        versions={name: version for report in everyone for name, version in report["versions"].items()},
        dates=sorted({report["date"][:10] for report in everyone}),
        spread=f"{SPREAD:.0%}",
        above=f"{ABOVE:.0%}",
    )


def _told(machine: Mapping[str, Any]) -> str:
    if "gpu" in machine:
        return gpu.told(machine)
    caches = ", ".join(f"{name} {size // 1024} KiB" for name, size in machine["caches"].items())
    return f"{machine['cpu']}, {machine['cores']} core(s), vectors of {machine['simd_bytes']} bytes, {caches}"


def _contest(report: Report, source: str) -> list[Section]:
    rows = report["rows"]
    found = []
    keys = ("op", "beta", "threads", "rhs")
    for key in dict.fromkeys(tuple(row.get(name, 0) for name in keys) for row in rows):
        mine = [row for row in rows if tuple(row.get(name, 0) for name in keys) == key]
        curve = figures.series(mine)
        wanted = [figures.rates, figures.ratios, figures.fractions] if len({r["shape"] for r in curve}) > 1 else []
        noise, about = sum(map(is_noise, mine)), report["command"]
        says = "" if wanted else against_peers(mine)
        found.append(Section(_title(*key), about, source, drawn(wanted, curve), _contest_table(mine), noise, says))
    return found


def _title(op: str, beta: int, threads: int, rhs: int) -> str:
    parts = [f"{op}: {ROWS[op].formula}{' + C' if beta else ''}"]
    if rhs:
        parts.append(f"{rhs} right-hand side{'s' if rhs > 1 else ''}")
    return ", ".join([*parts, f"{threads} thread{'s' if threads > 1 else ''}"])


def _experiment(name: str, rows: Sequence[dict[str, Any]], report: Report, source: str) -> Section:
    paper = EXPERIMENTS.get(name)
    title = paper.title if paper else OTHERS[name]
    about = f"After {paper.source}. {report['command']}" if paper else report["command"]
    noise = sum(map(is_noise, rows))
    return Section(title, about, source, drawn([figures.DRAW[name]], rows), _plain(rows), noise)


def _contest_table(rows: Sequence[dict[str, Any]]) -> list[list[str]]:
    names = list(dict.fromkeys(row["contender"] for row in rows))
    table = [["", "n", "state", *map(label, names), "roofline"]]
    for kind, shape, state in dict.fromkeys((row["dtype"], row["shape"], row["state"]) for row in rows):
        mine = {r["contender"]: r for r in rows if (r["dtype"], r["shape"], r["state"]) == (kind, shape, state)}
        rates = [_rate(mine[name]) if name in mine else "" for name in names]
        table.append([kind, shape, state, *rates, f"{next(iter(mine.values()))['roofline']:.1f}"])
    return table


def _rate(row: dict[str, Any]) -> str:
    return f"{row['gflops']:.1f}{' !' if is_noise(row) else ''}"


def _plain(rows: Sequence[dict[str, Any]]) -> list[list[str]]:
    head = list(rows[0])
    return [head, *([f"{v:.3g}" if isinstance(v, float) else str(v) for v in row.values()] for row in rows)]
