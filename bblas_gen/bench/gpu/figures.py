"""Figures of measurements on a GPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..drawing import STYLES, TYPES, Figure, NothingToDraw, Panel, figure
from ..sentences import span
from .cases import PAPER
from .targets import large, place

Rows = Sequence[Mapping[str, Any]]
PAPER_OPS = {"potrf": "DPOTRF", "posv": "DPOSV", "gemm": "DGEMM", "trsm": "DTRSM"}
PAPER_NAMES = {"il": "Intl", "bi": "BlkIntl", "st": "BlkIntlSM"}
"""What the paper calls our layouts: all interleaved, in blocks, and brought to shared memory."""


def paper(rows: Rows) -> Figure:
    """GF/s by n for batches of the papers' size, a panel for each operation."""
    mine = [row for row in rows if row["batch"] == PAPER and row["dtype"] == "d"]
    return _paper(mine, f"{PAPER:,} matrices", "here conversion of layouts is not counted")


def traced(rows: Rows) -> Figure:
    """The same where a memory moves what was counted at its rate, and nothing else takes time."""
    worst = max((row["bytes"] / row["least"] for row in rows), default=0)
    return _paper(rows, "at most", f"they move {worst:.3g} times the bytes of their elements at most")


def _paper(rows: Rows, what: str, says: str) -> Figure:
    panels = []
    for op, title in PAPER_OPS.items():
        here = [row for row in rows if row["op"] == op]
        if here:
            panels.append(_curves(Panel(f"{title}, {what}", "n", "GF/s"), here, "n", "gflops"))
    if not panels:
        raise NothingToDraw("none of the paper's operations")
    names = ", ".join(f"{layout} is {name}" for layout, name in PAPER_NAMES.items())
    return figure(f"Of the paper's variants {names}; {says}.", panels)


def parts(rows: Rows) -> Figure:
    """The part of a copy's bandwidth by n, in large batches, a panel for each precision."""
    panels = []
    for kind, title in TYPES.items():
        mine = [row for row in large(rows) if row["dtype"] == kind]
        if mine:
            panel = _curves(Panel(title, "n", "part of a copy's bandwidth"), mine, "n", "fraction")
            panel.level()
            panels.append(panel)
    own = [row for row in large(rows) if row["family"]]
    if not panels or not own:
        raise NothingToDraw("nothing of ours")
    least = min(own, key=lambda row: row["fraction"])
    told = f"Our layouts reach {span([100 * row['fraction'] for row in own], ' %')} of a copy's bandwidth"
    return figure(f"{told} (least: {place(least)}).", panels)


def batches(rows: Rows) -> Figure:
    """Matrices per second by the size of the batch, a panel for each operation and n that has several."""
    panels = []
    for op, n in dict.fromkeys((row["op"], row["n"]) for row in rows):
        mine = [row for row in rows if (row["op"], row["n"], row["dtype"]) == (op, n, "d")]
        if len({row["batch"] for row in mine}) > 2:
            panel = Panel(f"d{op}, n = {n}", "matrices in a batch", "matrices per second", (True, True))
            panels.append(_curves(panel, sorted(mine, key=lambda row: row["batch"]), "batch", "matrices", join=True))
    if not panels:
        raise NothingToDraw("one size of batch")
    return figure("Small batches cost what a launch does; large ones end at the memory's speed.", panels)


def _curves(panel: Panel, rows: Rows, x: str, y: str, *, join: bool = True) -> Panel:
    names = {row["contender"] for row in rows}
    for name in (name for name in reversed(STYLES) if name in names):  # the first of all, ours, on top
        line = sorted((dict(row) for row in rows if row["contender"] == name), key=lambda row: row[x])
        panel.curve(STYLES[name], line, x, y, join=join)
    return panel
