"""The sections of the page for measurements on single operands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..asked import reached
from ..asked import table as asked_table
from ..section import Section, drawn
from . import figures, targets
from .operations import ROWS
from .rows import compared, is_noise, memory_table, streams, table

NOT_DONE = "does not do"
"""Of peers that are here, and lack an operation."""
Rows = Sequence[dict[str, Any]]


def sections(report: Mapping[str, Any], source: str) -> list[Section]:
    """What was asked, each operation, and memory."""
    about, rows = report["command"], report["rows"]
    lines, absent = (
        targets.lines(report),
        "; ".join(line for line in report["single"]["skipped"] if NOT_DONE not in line),
    )
    libraries = "; ".join(report["single"]["libraries"])
    says = f"{reached(lines)} Libraries: {libraries}." + (f" Not here: {absent}." if absent else "")
    page = [
        Section("Single operands: asked and measured", about, source, [], asked_table(lines), says=says, shown=True)
    ]
    timed = [row for row in rows if row["part"] != "memory"]
    page += _operations(timed, about, source)
    if memory := [row for row in rows if row["part"] == "memory"]:
        told = "The most memory that a process had during a call, less what it had before."
        page.append(Section("Single operands: memory of a call", about, source, [], memory_table(memory), says=told))
    return page


def _operations(rows: Rows, about: str, source: str) -> Iterator[Section]:
    for op in dict.fromkeys(row["op"] for row in rows):
        mine = [row for row in rows if row["op"] == op]
        wanted = [figures.rates, figures.over_range, *([figures.in_order] if streams(mine[0]) else [])]
        noise = sum(is_noise(row) for row in mine)
        says = "" if compared(mine) else "No peer was measured without noise."
        title = f"Single operands: {op}, {ROWS[op].formula}"
        yield Section(title, about, source, drawn(wanted, mine), table(mine), noise, says)
