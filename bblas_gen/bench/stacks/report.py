"""The sections of the page for measurements of functions on stacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..asked import reached
from ..asked import table as asked_table
from ..section import Section, drawn
from . import figures, targets
from .calls import CALLS
from .rows import is_noise, steady, table


def sections(report: Mapping[str, Any], source: str) -> list[Section]:
    """What was asked, each function, and memory."""
    about, rows = report["command"], report["rows"]
    lines, absent = targets.lines(report), "; ".join(report["linalg"]["skipped"])
    says = reached(lines) + (f" Not here: {absent}." if absent else "")
    pictures = drawn([figures.bars], rows)
    page = [
        Section("Stacks: asked and measured", about, source, [], asked_table(lines), says=says, shown=True),
        Section("Stacks: the time of a matrix", about, source, pictures, table(rows), sum(map(is_noise, rows))),
    ]
    for name in dict.fromkeys(row["call"] for row in steady(rows)):
        mine = [row for row in steady(rows) if row["call"] == name]
        wanted = drawn([figures.speedups], mine)
        title = f"Stacks: {name}, {CALLS[name].signature}"
        page.append(Section(title, about, source, wanted, table(mine), sum(map(is_noise, mine))))
    if cold := [row for row in rows if row["state"] == "cold"]:
        told = "Bytes of matrices and inverses, all caches flushed, over the time of copies of as many."
        page.append(Section("Stacks: inv from memory", about, source, [], table(cold), says=told))
    return page
