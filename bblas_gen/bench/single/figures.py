"""Figures of measurements on single operands: rates by size, and speed-ups over the range and sorted, as in Singh and
Basoy, Implementing BLAS Operations using OpenMP, 2021."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import log
from typing import Any

import matplotlib.pyplot as plt

from ..drawing import STYLES, Figure, NothingToDraw, Panel, bars, figure
from ..sentences import gains, span
from .rows import Row, best, compared, curve, form, is_noise, name, rate, share, streams

FRONT = dict.fromkeys(("gemm", "symm", "syrk", "trmm", "trsm", "potrf", "potri", "getrf"), "") | {"posv": "n x 1"}
"""The operations that are shown as bars, with the form of their sizes, of whom, on matrices of about which order."""
BARS = ("ours", "MKL", "BLIS", "OpenBLAS", "Eigen")
ORDER = 1024
Rows = Sequence[Row]


def rates(rows: Rows) -> Figure:
    """The rate of everyone by n, and the limit, a panel for each precision and number of threads."""
    panels = []
    for title, mine in _panels(rows):
        panel = Panel(title, "n", "GB/s" if streams(mine[0]) else "GF/s", (True, False))
        limit = sorted(({"n": max(row["sizes"]), "limit": row["limit"]} for row in mine), key=lambda point: point["n"])
        panel.curve(STYLES["roofline"], limit, "n", "limit", join=True)
        for contender in (x for x in reversed(STYLES) if any(x in row["seconds"] for row in mine)):
            panel.curve(STYLES[contender], curve(mine, contender), "n", "rate", join=True)
        panels.append(panel)
    known = [row for row in rows if not is_noise(row)]
    told = (
        f"We reach {span([100 * share(row) for row in known], ' %')} of the limit." if known else "Nothing but noise."
    )
    return figure(told, panels)


def over_range(rows: Rows) -> Figure:
    """How often as fast as each peer we are, by n."""
    return _speedups(rows, "n", lambda points: points)


def in_order(rows: Rows) -> Figure:
    """The same, sorted: a line shows for which part of the sizes we are how much faster."""

    def ordered(points: list[dict[str, Any]]) -> list[dict[str, Any]]:
        found = sorted(points, key=lambda point: point["ratio"])
        return [point | {"n": 100 * (i + 1) / len(found)} for i, point in enumerate(found)]

    return _speedups(rows, "% of the sizes", ordered)


def front(rows: Rows) -> Any:
    """The picture of docs/single, as one matplotlib figure: rates on one thread and on all."""
    timed = [row for row in rows if "seconds" in row]
    threads = sorted({row["threads"] for row in timed})
    drawn, axes = plt.subplots(len(threads), 1, figsize=(9.8, 2.9 * len(threads)), facecolor="white", squeeze=False)
    for axis, number in zip(axes[:, 0], threads, strict=True):
        here = _shown([row for row in timed if row["threads"] == number])
        bars(axis, [{x: rate(row, x) for x in row["seconds"]} for row in here], BARS)
        axis.set_xticks(range(len(here)), [f"{row['op']} {max(row['sizes'])}" for row in here])
        axis.set(title=f"float64, {number} thread{'s' * (number > 1)}", ylabel="GF/s")
        axis.margins(y=0.15)
    axes[0, 0].legend(fontsize=7, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    drawn.tight_layout()
    return drawn


def _shown(rows: Rows) -> list[Row]:
    """Of each operation the row that is nearest to the order, in their order."""
    found = []
    for op, sides in FRONT.items():
        mine = [row for row in rows if (name(row), form(row)) == (f"d{op}", sides) and not is_noise(row)]
        found += sorted(mine, key=lambda row: abs(log(max(row["sizes"]) / ORDER)))[:1]
    return found


def _speedups(rows: Rows, x: str, order: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> Figure:
    panels = []
    for title, mine in _panels(rows):
        lines = {peer: _points(mine, peer) for peer in STYLES}
        if not any(lines.values()):
            continue
        panel = Panel(title, x, "times as fast as the peer", (x == "n", True))
        for peer in (peer for peer in lines if lines[peer]):
            panel.curve(STYLES[peer], order(lines[peer]), "n", "ratio", join=True)
        panel.level()
        panels.append(panel)
    if not panels:
        raise NothingToDraw("nothing but noise")
    found = [
        {"ratio": best(row), "threads": row["threads"], "case": f"{name(row)} {row['shape']}"} for row in compared(rows)
    ]
    return figure(gains(found, "ratio", "We are {} as fast as the best peer of each size", ("case", "threads")), panels)


def _points(rows: Rows, peer: str) -> list[dict[str, Any]]:
    """How often as fast as a peer we are, in increasing n, where neither is noise."""
    known = [row for row in rows if peer in row["ratios"] and not is_noise(row) and not is_noise(row, peer)]
    points = [{"n": max(row["sizes"]), "ratio": row["ratios"][peer]} for row in known]
    return sorted(points, key=lambda point: point["n"])


def _panels(rows: Rows) -> Iterator[tuple[str, list[Row]]]:
    """Rows that differ in n alone, with a title, where there are several."""
    drawn = False
    for key in dict.fromkeys(map(_kind, rows)):
        here = [row for row in rows if _kind(row) == key]
        if len(here) > 1:
            drawn = True
            called, shape, threads = key
            yield f"{called}{f', {shape}' if shape else ''}, {threads} thread{'s' if threads > 1 else ''}", here
    if not drawn:
        raise NothingToDraw("one size")


def _kind(row: Row) -> tuple[str, str, int]:
    return name(row), form(row), row["threads"]
