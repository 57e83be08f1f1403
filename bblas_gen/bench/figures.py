"""Pictures of measurements, as matplotlib figures: each takes rows as the JSON has them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt

mpl.use("Agg")
mpl.rcParams["svg.hashsalt"] = "bblas_gen"
mpl.rcParams |= {"font.size": 8, "axes.grid": True, "grid.alpha": 0.2, "lines.markersize": 3}

Rows = Sequence[dict[str, Any]]
OURS = {"bi": "#0b6e4f", "bl": "#d98c00", "st": "#1f5fa8", "pp": "#6a3d9a", "il": "#7fb069", "call": "#7f7f7f"}
BESIDE = {"gemm_bi": OURS["bi"], "gemm_st": OURS["st"]}
"""Ours at another operation, dotted in the colour of the layout."""
LABELS = {
    "bi": "bi (interleaved)",
    "bl": "bi, triangles packed",
    "st": "st (NumPy arrays)",
    "pp": "pp (lists)",
    "il": "il",
    "call": "st, not planned",
    "numpy": "NumPy",
    "torch": "PyTorch",
    "scipy": "SciPy loop",
    "mkl_strided": "MKL batch_strided",
    "mkl_batch": "MKL batch",
    "mkl_groups": "MKL groups of one",
    "mkl_compact": "MKL compact",
    "mkl_compact_st": "MKL compact + pack",
    "mkl_loop": "MKL loop",
    "libxsmm": "LIBXSMM",
    "eigen": "Eigen, fixed size",
    "openblas": "OpenBLAS loop",
    "plain": "plain C",
    "gemm_bi": "our GEMM, bi",
    "gemm_st": "our GEMM, st",
}
STATES = {"hot": "in cache", "steady": "again and again", "cold": "caches flushed"}
TYPES = {"s": "float32", "d": "float64", "c": "complex64", "z": "complex128"}


class NothingToDraw(ValueError):
    """The rows have nothing that the picture shows."""


def series(rows: Rows) -> list[dict[str, Any]]:
    """The rows of cases that are told by one number n."""
    return [row for row in rows if "x" not in row["shape"] or row.get("rhs")]


def n_of(row: dict[str, Any]) -> int:
    return int(row["shape"].partition("x")[0])


def rates(rows: Rows) -> Any:
    """GF/s by n: a row of panels for each precision, a panel for each state; everyone, and the roofline."""
    square = series(rows)
    kinds = [kind for kind in TYPES if any(row["dtype"] == kind for row in square)]
    states = _states(square)
    size = (4.2 * len(states) + 1.4, 3.2 * len(kinds))
    figure, axes = plt.subplots(len(kinds), len(states), figsize=size, squeeze=False)
    for line, kind in zip(axes, kinds, strict=True):
        for axis, state in zip(line, states, strict=True):
            mine = [row for row in square if row["dtype"] == kind and row["state"] == state]
            _rates_panel(axis, mine, "gflops", "roofline")
            axis.set_title(f"{TYPES[kind]}, {STATES[state]}")
        line[0].set_ylabel("GF/s")
    axes[0][-1].legend(fontsize=6.5, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return _finished(figure)


def fractions(rows: Rows) -> Any:
    """What our layouts reach of the roofline, by n."""
    square = [row for row in series(rows) if row["contender"] in ("st", "bi", "pp", "il")]
    states = _states(square)
    top = 1.05 * max(1.0, *(row["fraction"] for row in square))
    figure, axes = plt.subplots(1, len(states), figsize=(4.2 * len(states), 3.2), squeeze=False, sharey=True)
    for axis, state in zip(axes[0], states, strict=True):
        for kind in TYPES:
            for name in ("st", "bi"):
                mine = [r for r in square if (r["dtype"], r["state"], r["contender"]) == (kind, state, name)]
                style = {"s": ":", "d": "-", "c": "-.", "z": "--"}[kind]
                if mine:
                    _line(axis, mine, "fraction", label=f"{name}, {TYPES[kind]}", color=OURS[name], ls=style)
        axis.axhline(1, color="0.6", lw=1, ls="--")
        axis.set_title(STATES[state])
        axis.set_xlabel("n")
        axis.set_ylim(0, top)
    axes[0][0].set_ylabel("fraction of min(peak, bandwidth)")
    axes[0][0].legend(fontsize=6.5, frameon=False)
    return _finished(figure)


def ratios(rows: Rows) -> Any:
    """How often as fast as each peer layout st is, by n."""
    mine = [r for r in series(rows) if r["contender"] == "st" and r["ratios"] and r["dtype"] == rows[0]["dtype"]]
    states = _states(mine)
    figure, axes = plt.subplots(1, len(states), figsize=(4.2 * len(states) + 1.4, 3.2), squeeze=False)
    for axis, state in zip(axes[0], states, strict=True):
        here = [row for row in mine if row["state"] == state]
        for name in dict.fromkeys(name for row in here for name in row["ratios"]):
            points = [(n_of(row), row["ratios"][name]) for row in here if name in row["ratios"]]
            colour = plt.get_cmap("tab20")(list(LABELS).index(name) % 20)
            axis.plot(*zip(*points, strict=True), marker=".", lw=1, label=LABELS[name], color=colour)
        axis.axhline(1, color="0.3", lw=1)
        axis.set_yscale("log")
        axis.set_title(STATES[state])
        axis.set_xlabel("n")
    axes[0][0].set_ylabel("times as fast as the peer")
    axes[0][-1].legend(fontsize=6.5, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return _finished(figure)


def front(rows: Rows) -> Any:
    """The README's picture: few lines, two states."""
    kept = ("bi", "st", "libxsmm", "mkl_strided", "torch", "numpy")
    mine = [r for r in rows if r["dtype"] == "d" and r["state"] in ("hot", "cold") and r["contender"] in kept]
    return rates(mine)


def _rates_panel(axis: Any, rows: Rows, value: str, limit: str) -> None:
    names = list(dict.fromkeys(row["contender"] for row in rows))
    if names:
        _line(axis, [r for r in rows if r["contender"] == names[0]], limit, label="roofline", color="0.6", ls="--")
    for name in sorted(names, key=lambda n: n not in OURS):
        mine = [row for row in rows if row["contender"] == name]
        style = {"color": plt.get_cmap("tab20")(list(LABELS).index(name) % 20), "lw": 0.9, "marker": "."}
        if name in OURS:
            style |= {"color": OURS[name], "lw": 1.6}
        elif name in BESIDE:
            style |= {"color": BESIDE[name], "ls": ":"}
        _line(axis, mine, value, label=LABELS.get(name, name), **style)
    axis.set_xlabel("n")
    axis.set_ylim(bottom=0)


def _line(axis: Any, rows: Rows, value: str, **style: Any) -> None:
    axis.plot([n_of(row) for row in rows], [row[value] for row in rows], **{"lw": 1, **style})


def block_size(rows: Rows) -> Any:
    """GF/s by block size."""
    states = _states(rows)
    return _curves(rows, "nb", "block size nb", [(f"state = {s}", {"state": s}) for s in states], "n", "n = {}")


def batch_size(rows: Rows) -> Any:
    """GF/s by batch size."""
    sizes = sorted({row["n"] for row in rows})
    return _curves(rows, "batch", "matrices", [(f"n = {n}", {"n": n}) for n in sizes], "contender", "{}")


def groups(rows: Rows) -> Any:
    """GF/s of one group and of groups of one, by n."""
    return _curves(rows, "n", "n", [("", {})], "contender", "{}", log=("log", "log"))


def _curves(
    rows: Rows,
    x: str,
    title: str,
    panels: Sequence[tuple[str, dict[str, Any]]],
    line: str,
    label: str,
    log: tuple[str, str] = ("log", "linear"),
) -> Any:
    figure, axes = plt.subplots(1, len(panels), figsize=(3.4 * len(panels) + 0.6, 3.0), squeeze=False)
    for axis, (name, wanted) in zip(axes[0], panels, strict=True):
        mine = [row for row in rows if all(row[key] == value for key, value in wanted.items())]
        for value in dict.fromkeys(row[line] for row in mine):
            points = [(row[x], row["gflops"]) for row in mine if row[line] == value]
            axis.plot(*zip(*points, strict=True), marker=".", label=label.format(value))
        axis.set_xscale(log[0])
        axis.set_yscale(log[1])
        axis.set_title(name)
        axis.set_xlabel(title)
        axis.legend(fontsize=7, frameon=False)
    axes[0][0].set_ylabel("GF/s")
    return _finished(figure)


def conversion(rows: Rows) -> Any:
    """Seconds of a product by layout, stacked by parts."""
    sizes = sorted({row["n"] for row in rows})
    figure, axes = plt.subplots(1, len(sizes), figsize=(2.6 * len(sizes) + 0.6, 3.0), squeeze=False)
    colours = {"allocate and convert": "#d98324", "compute": "#0b6e4f", "convert back": "#a23e48"}
    for axis, n in zip(axes[0], sizes, strict=True):
        for column, layout in enumerate(("st", "bi", "il")):
            bottom = 0.0
            for part, colour in colours.items():
                found = [r["seconds"] for r in rows if (r["n"], r["layout"], r["part"]) == (n, layout, part)]
                if found:
                    axis.bar(column, found[0] * 1e3, bottom=bottom, color=colour, label=part if column == 1 else None)
                    bottom += found[0] * 1e3
        axis.set_xticks(range(3), ("st", "bi", "il"))
        axis.set_title(f"n = {n}")
    axes[0][0].set_ylabel("ms, caches flushed")
    axes[0][0].legend(fontsize=7, frameon=False)
    return _finished(figure)


def fusion(rows: Rows) -> Any:
    """How often as fast a sequence is in one kernel, by n."""
    names = list(dict.fromkeys(row["sequence"] for row in rows))
    figure, axes = plt.subplots(1, len(names), figsize=(3.4 * len(names) + 0.6, 3.0), squeeze=False)
    for axis, name in zip(axes[0], names, strict=True):
        mine = [row for row in rows if row["sequence"] == name]
        for layout, state in dict.fromkeys((row["layout"], row["state"]) for row in mine):
            points = [(r["n"], r["gain"]) for r in mine if (r["layout"], r["state"]) == (layout, state)]
            style = {"color": OURS[layout], "ls": {"hot": "-", "steady": ":", "cold": "--"}[state], "marker": "."}
            axis.plot(*zip(*points, strict=True), label=f"{layout}, {STATES[state]}", **style)
        axis.axhline(1, color="0.3", lw=1)
        axis.set_ylim(bottom=0)
        axis.set_title(name)
        axis.set_xlabel("n")
    axes[0][0].set_ylabel("times as fast as step by step")
    axes[0][0].legend(fontsize=7, frameon=False)
    return _finished(figure)


def _states(rows: Rows) -> list[str]:
    """The states that occur. Raises NothingToDraw where none does."""
    found = [state for state in STATES if any(row["state"] == state for row in rows)]
    if not found:
        raise NothingToDraw("these rows have nothing that this picture shows")
    return found


def _finished(figure: Any) -> Any:
    figure.tight_layout()
    return figure


DRAW: dict[str, Callable[[Rows], Any]] = {
    "block_size": block_size,
    "groups": groups,
    "conversion": conversion,
    "batch_size": batch_size,
    "fusion": fusion,
}
