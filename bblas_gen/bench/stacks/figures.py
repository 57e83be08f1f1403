"""Figures of functions on stacks: how often as fast as each peer we are, and the time of a matrix as bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt

from ..drawing import STYLES, TYPES, Figure, NothingToDraw, Panel, figure
from ..drawing import bars as beside
from ..sentences import gains
from .contest import OURS
from .rows import Row, is_compared, nearest, steady

FRONT = ("solve", "inv", "eigh", "svd")
"""Which functions are shown as bars, on matrices of which orders, and whose times."""
ORDERS = (3, 8)
BARS = (OURS, "eigen", "torch", "numpy", "jax")
Rows = Sequence[Row]


def speedups(rows: Rows) -> Figure:
    """How often as fast as each peer one function is, by n: a panel for each precision and number of threads."""
    panels = []
    for dtype, threads in dict.fromkeys((row["dtype"], row["threads"]) for row in rows):
        mine = [row for row in rows if (row["dtype"], row["threads"]) == (dtype, threads)]
        lines = {peer: _points(mine, peer) for peer in STYLES}
        panel = Panel(
            f"{TYPES[dtype]}, {threads} thread{'s' * (threads > 1)}", "n", "times as fast as the peer", (True, True)
        )
        for peer, points in lines.items():
            if points:
                panel.curve(STYLES[peer], points, "n", "ratio", join=True)
        panel.level()
        panels.append(panel)
    found = [
        {"ratio": nearest(row)[0], "n": row["n"], "threads": row["threads"]}
        for row in rows
        if is_compared(row, nearest(row)[1])
    ]
    return figure(gains(found, "ratio", "We are {} as fast as the best peer", ("n", "threads")), panels)


def _points(rows: Rows, peer: str) -> list[dict[str, Any]]:
    return [{"n": row["n"], "ratio": row["ratios"][peer]} for row in rows if is_compared(row, peer)]


def bars(rows: Rows) -> Figure:
    """The time of a matrix in some functions, a panel for each order."""
    panels = []
    for n in ORDERS:
        here = _shown(rows, n)
        if here:
            panel = Panel(f"float64, n = {n}, one thread", "", "us for each matrix")
            for name in _draw(panel.axis, here):
                panel.used[STYLES[name]] = None
            panel.named(range(len(here)), [row["call"] for row in here])
            panels.append(panel)
    if not panels:
        raise NothingToDraw("no such order")
    return figure("The time of a matrix, by plain calls on stacks.", panels)


def front(rows: Rows) -> Any:
    """The README's picture, as one matplotlib figure: bars from zero, their numbers above."""
    drawn, axes = plt.subplots(1, len(ORDERS), figsize=(9.8, 3.4), facecolor="white")
    for axis, n in zip(axes, ORDERS, strict=True):
        here = _shown(rows, n)
        _draw(axis, here)
        axis.set_xticks(range(len(here)), [row["call"] for row in here])
        axis.set(title=f"float64, n = {n}, one thread", ylim=(0, None))
    axes[0].set_ylabel("us for each matrix")
    axes[0].legend(fontsize=7, frameon=False)
    drawn.tight_layout()
    return drawn


def _shown(rows: Rows, n: int) -> list[Row]:
    """The rows of bars, in their order."""
    known = [row for row in steady(rows) if (row["n"], row["dtype"], row["threads"]) == (n, "d", 1)]
    return [row for name in FRONT for row in known if row["call"] == name]


def _draw(axis: Any, rows: Rows) -> list[str]:
    return beside(axis, [{name: ns / 1e3 for name, ns in row["ns"].items()} for row in rows], BARS)
