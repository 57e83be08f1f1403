"""Figures of measurements: each takes rows as the JSON has them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import matplotlib.pyplot as plt

from ..ir.spec import KernelSpec
from . import sentences
from .drawing import DASHES, SHADES, STATES, STYLES, TYPE_DASHES, TYPES, Figure, NothingToDraw, Panel, Style, figure
from .noise import is_noise

Rows = Sequence[dict[str, Any]]
FRONT = ("bi", "st", "libxsmm", "mkl_strided", "torch", "numpy")
"""Whom the README's figure shows."""


def series(rows: Rows) -> list[dict[str, Any]]:
    """The rows of cases that are told by one number n, which they have as a field."""
    found = [row for row in rows if "x" not in row["shape"] or row.get("rhs")]
    return [row | {"n": int(row["shape"].partition("x")[0])} for row in found]


def rates(rows: Rows) -> Figure:
    """GF/s by n, a panel for each precision and state: everyone, and the roofline."""
    panels = [
        _rates_panel([row for row in rows if (row["dtype"], row["state"]) == (kind, state)], kind, state)
        for kind in TYPES
        for state in _states(rows)
        if any((row["dtype"], row["state"]) == (kind, state) for row in rows)
    ]
    return figure(sentences.against_peers(rows), panels)


def _rates_panel(rows: Rows, kind: str, state: str) -> Panel:
    panel = Panel(f"{TYPES[kind]}, {STATES[state]}", "n", "GF/s")
    names = [name for name in STYLES if any(row["contender"] == name for row in rows)]
    first = [row for row in rows if row["contender"] == names[0]]
    limit = [{"n": row["n"], "roofline": row["roofline"]} for row in first]
    panel.curve(STYLES["roofline"], limit, "n", "roofline", join=True)
    for name in reversed(names):  # the first of all, ours, on top
        panel.curve(STYLES[name], [row for row in rows if row["contender"] == name], "n", "gflops")
    return panel


def ratios(rows: Rows) -> Figure:
    """How often as fast as each peer one of our layouts is, by n: the first precision, a panel for each state."""
    name = next((name for name in ("st", "bi") if any(r["contender"] == name and r["ratios"] for r in rows)), None)
    if name is None:
        raise NothingToDraw("no peers")
    mine = [row for row in rows if row["dtype"] == rows[0]["dtype"]]
    panels = []
    for state in _states(mine):
        here = [row for row in mine if row["state"] == state]
        noise = {(row["contender"], row["n"]) for row in here if is_noise(row)}
        panel = Panel(f"{name}, {STATES[state]}", "n", "times as fast as the peer", (False, True))
        ours = [row for row in here if row["contender"] == name and not is_noise(row)]
        for peer in (peer for peer in STYLES if any(peer in row["ratios"] for row in ours)):
            known = [r for r in ours if peer in r["ratios"] and (peer, r["n"]) not in noise]
            panel.curve(STYLES[peer], [{"n": r["n"], "ratio": r["ratios"][peer]} for r in known], "n", "ratio")
        panel.level()
        panels.append(panel)
    return figure(sentences.each_peer(mine, name), panels)


def fractions(rows: Rows) -> Figure:
    """What our layouts reach of the roofline, by n."""
    panels = []
    for state in _states(rows):
        panel = Panel(STATES[state], "n", "part of min(peak, bandwidth)")
        for kind in TYPES:
            for name in ("bi", "st"):
                mine = [r for r in rows if (r["dtype"], r["state"], r["contender"]) == (kind, state, name)]
                style = STYLES[name]
                if mine:
                    text = f"{style.label}, {TYPES[kind]}"
                    shown = Style(text, style.colour, style.marker, style.width, TYPE_DASHES[kind])
                    panel.curve(shown, mine, "n", "fraction")
        panel.level()
        panels.append(panel)
    return figure(sentences.of_the_roofline(rows), panels)


def front(rows: Rows) -> Any:
    """The README's picture, as one matplotlib figure: few lines, two states."""
    mine = [row for row in series(rows) if row["dtype"] == "d" and row["contender"] in FRONT and not is_noise(row)]
    drawn, axes = plt.subplots(1, 2, figsize=(9.8, 3.2), facecolor="white")
    for axis, state in zip(axes, ("hot", "cold"), strict=True):
        here = [row for row in mine if row["state"] == state]
        for name in (*reversed(FRONT), "roofline"):
            line = [row for row in here if row["contender"] == ("st" if name == "roofline" else name)]
            value = "roofline" if name == "roofline" else "gflops"
            style = STYLES[name]
            look: dict[str, Any] = {"color": style.colour, "lw": style.width, "ls": style.dash, "label": style.label}
            axis.plot([row["n"] for row in line], [row[value] for row in line], **look)
        axis.set(title=f"float64, {STATES[state]}", xlabel="n", ylim=(0, None))
    axes[0].set_ylabel("GF/s")
    axes[1].legend(fontsize=7, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), reverse=True)
    drawn.tight_layout()
    return drawn


def block_size(rows: Rows) -> Figure:
    """GF/s by block size."""
    panels = [
        _lines(
            Panel(STATES[state], "block size nb", "GF/s", (True, False)), _where(rows, state=state), "nb", "n", "n = {}"
        )
        for state in _states(rows)
    ]
    return figure(sentences.block_sizes(rows), panels)


def batch_size(rows: Rows) -> Figure:
    """GF/s by batch size."""
    sizes = sorted({row["n"] for row in rows})
    panels = [
        _lines(Panel(f"n = {n}", "matrices", "GF/s", (True, False)), _where(rows, n=n), "batch", "contender")
        for n in sizes
    ]
    return figure(sentences.batches(rows), panels)


def groups(rows: Rows) -> Figure:
    """GF/s of one group and of groups of one, by n."""
    panel = Panel("one group, groups of one", "n", "GF/s", (True, True))
    return figure(sentences.grouped(rows), [_lines(panel, rows, "n", "contender")])


def conversion(rows: Rows) -> Figure:
    """Milliseconds of a product by layout, stacked by parts."""
    panels = []
    for n in sorted({row["n"] for row in rows}):
        panel = Panel(f"n = {n}, caches flushed", "", "ms")
        for column, layout in enumerate(("st", "bi", "il")):
            bottom = 0.0
            for part in ("allocate and convert", "compute", "convert back"):
                for row in _where(rows, n=n, layout=layout, part=part):
                    panel.axis.bar(column, row["seconds"] * 1e3, bottom=bottom, color=STYLES[part].colour, width=0.6)
                    bottom += row["seconds"] * 1e3
                    panel.used[STYLES[part]] = None
        panel.named((0, 1, 2), ("st", "bi", "il"))
        panels.append(panel)
    return figure(sentences.conversions(rows), panels)


def fusion(rows: Rows) -> Figure:
    """How often as fast a sequence is in one kernel, by n."""
    panels = []
    for name in dict.fromkeys(row["sequence"] for row in rows):
        panel = Panel(name, "n", "times as fast as step by step")
        mine = _where(rows, sequence=name)
        for layout, state in dict.fromkeys((row["layout"], row["state"]) for row in mine):
            style = STYLES[layout]
            shown = Style(f"{layout}, {STATES[state]}", style.colour, style.marker, style.width, DASHES[state])
            panel.curve(shown, _where(mine, layout=layout, state=state), "n", "gain")
        panel.level()
        panels.append(panel)
    what = "One kernel is {} as fast as its steps one after another"
    return figure(sentences.gains(rows, "gain", what, ("sequence", "layout", "state", "n")), panels)


def general(rows: Rows) -> Figure:
    """The speed of kernels for any size over that of those made for the size, by n."""
    known, panels = [_of_symbol(row["symbol"]) | row for row in rows], []
    for name in dict.fromkeys(row["name"] for row in known):
        panel = Panel(f"{name} of any size", "n", "part of the speed of that for n")
        for layout in dict.fromkeys(row["layout"] for row in _where(known, name=name)):
            panel.curve(STYLES[layout], _where(known, name=name, layout=layout), "n", "ratio")
        panel.level()
        panels.append(panel)
    what = "A kernel for any size has {} the speed of that made for it"
    return figure(sentences.gains(known, "ratio", what, ("name", "layout", "n")), panels)


def variable(rows: Rows) -> Figure:
    """The speed of batches of different sizes over a loop of NumPy calls, by the largest size."""
    panels = []
    for op in dict.fromkeys(row["op"] for row in rows):
        panel = Panel(op, "sizes 1 to", "times as fast as a loop")
        for shade, form in zip(SHADES, dict.fromkeys(row["form"] for row in rows), strict=False):
            panel.curve(Style(form, shade, "o"), _where(rows, op=op, form=form), "sizes", "gain", join=True)
        panel.level()
        panels.append(panel)
    what = "Matrices of different sizes are done {} as fast as by a loop of NumPy calls"
    return figure(sentences.gains(rows, "gain", what, ("op", "form", "sizes")), panels)


def threads(rows: Rows) -> Figure:
    """The default number of threads over one, by the time that one takes."""
    panels = []
    for busy in sorted({row["busy"] for row in rows}):
        mine = [row | {"us": row["one_seconds"] * 1e6} for row in _where(rows, busy=busy)]
        panel = Panel(f"beside {busy} busy processes" if busy else "at rest", "us of one thread", "gain", (True, False))
        for shade, n in zip(SHADES, sorted({row["n"] for row in mine}), strict=False):
            line = sorted(_where(mine, n=n), key=lambda row: row["us"])
            panel.curve(Style(f"n = {n}", shade, "o"), line, "us", "gain", join=True)
        panel.level()
        panels.append(panel)
    what = "By default a call is {} as fast as on one thread"
    return figure(sentences.gains(rows, "gain", what, ("n", "batch", "busy")), panels)


def compare(rows: Rows) -> Figure:
    """The speed of kernels over that of another version's, by n; those whose text is the same are not drawn."""
    timed = [row | _of_symbol(row["symbol"]) for row in rows if not row["same"]]
    if not timed:
        raise NothingToDraw("all kernels are the same")
    panels = []
    for layout in dict.fromkeys(row["layout"] for row in timed):
        panel = Panel(layout, "n", "times as fast as the other version")
        names = dict.fromkeys(row["name"] for row in timed)
        for shade, name in zip(SHADES * len(names), names, strict=False):
            panel.curve(Style(name, shade, "o"), _where(timed, layout=layout, name=name), "n", "ratio")
        panel.level()
        panels.append(panel)
    return figure(sentences.gains(timed, "ratio", "Kernels are {} as fast as the other version's", ("symbol",)), panels)


def _of_symbol(symbol: str) -> dict[str, Any]:
    spec = KernelSpec.parse(symbol)
    return {"layout": _layout(symbol), "name": f"{spec.precision}{spec.op}", "n": spec.sizes[0]}


def _layout(symbol: str) -> str:
    return str(KernelSpec.parse(symbol).layouts[-1])


def _where(rows: Rows, **wanted: Any) -> list[dict[str, Any]]:
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def _lines(panel: Panel, rows: Rows, x: str, line: str, label: str = "{}") -> Panel:
    """A line for each value of a field: in a contender's style where it is one."""
    for shade, value in zip(SHADES, dict.fromkeys(row[line] for row in rows), strict=False):
        style = STYLES.get(value) or Style(label.format(value), shade, "o")
        panel.curve(style, _where(rows, **{line: value}), x, "gflops", join=True)
    return panel


def _states(rows: Rows) -> list[str]:
    """The states that occur. Raises NothingToDraw where none does."""
    found = [state for state in STATES if any(row["state"] == state for row in rows)]
    if not found:
        raise NothingToDraw("no state")
    return found


DRAW: dict[str, Callable[[Rows], Figure]] = {
    "block_size": block_size,
    "groups": groups,
    "conversion": conversion,
    "batch_size": batch_size,
    "fusion": fusion,
    "general": general,
    "variable": variable,
    "threads": threads,
    "compare": compare,
}
