"""The sections of the page for measurements on a GPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..asked import reached, table
from ..noise import is_noise
from ..section import Section, drawn
from . import figures, targets
from .cases import PAPER
from .problem import NAMES, ROWS
from .rows import HEAD, cells

Rows = Sequence[dict[str, Any]]
FORMULAS = {NAMES.get(op, op): row.formula for op, row in ROWS.items()}


def sections(report: Mapping[str, Any], source: str) -> list[Section]:
    """What was asked, the paper's figure, each operation, calls, and what took no part."""
    found, about, lines = report["gpu"], report["command"], targets.lines(report)
    rows: Rows = report["rows"]
    limits = found["limits"]
    copy = f"A copy moves {limits['copy_gbs']:.4g} GB/s. " if limits else ""
    page = [
        Section("GPU: asked and measured", about, source, [], table(lines), says=copy + reached(lines), shown=True),
        Section(
            "GPU: the paper's figure",
            f"After Intl, BlkIntl and BlkIntlSM, ICCS 2017. {about}",
            source,
            drawn([figures.paper], rows),
            _table([row for row in rows if row["batch"] == PAPER]),
        ),
    ]
    for op in dict.fromkeys(row["op"] for row in rows):
        mine = [row for row in rows if row["op"] == op]
        shown = drawn([figures.parts, figures.batches], mine)
        page.append(Section(f"GPU: {op}, {FORMULAS[op]}", about, source, shown, _table(mine), sum(map(is_noise, mine))))
    calls = [["", "", "layout", "matrices", "us"], *(_call(row) for row in found["calls"])]
    page.append(Section("GPU: small batches", about, source, [], calls, says=_absent(found)))
    return page


def traced(report: Mapping[str, Any], source: str) -> list[Section]:
    """The paper's figure from bytes that were counted, without a GPU."""
    rows, gbs = report["rows"], report["traced"]["gbs"]
    table = [[*map(str, row.values())] for row in rows]
    title = f"GPU: the paper's figure, from bytes counted in an emulation, at {gbs:,} GB/s"
    about = f"After Intl, BlkIntl and BlkIntlSM, ICCS 2017. {report['command']}"
    return [Section(title, about, source, drawn([figures.traced], rows), [[*rows[0]], *table])]


def told(machine: Mapping[str, Any]) -> str:
    """The GPU, in a line."""
    return f"{machine['gpu']}, {machine['architecture']}, {machine['multiprocessors']} multiprocessors"


def _table(rows: Rows) -> list[list[str]]:
    return [HEAD, *(cells(row) for row in rows)]


def _call(row: Mapping[str, Any]) -> list[str]:
    name = f"{row['dtype']}{row['op']} n = {row['n']}"
    return [row["what"], name, row["layout"], f"{row['batch']:,}", f"{row['seconds'] * 1e6:.3g}"]


def _absent(found: Mapping[str, Any]) -> str:
    """Who took no part, what failed, and what there was no time for."""
    named = {"Not here": found["skipped"], "Failed": found["failed"], "No time was left for": found["left_out"]}
    return " ".join(f"{what}: {'; '.join(lines)}." for what, lines in named.items() if lines)
