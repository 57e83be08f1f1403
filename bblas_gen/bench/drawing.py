"""How every figure looks: panels of one size, a colour and a mark for each contender, on light and dark pages alike."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from .noise import is_noise

mpl.use("Agg")
INK = "#010203"
"""What is drawn in the colour of the page's text."""
mpl.rcParams |= {
    **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), INK),
    **{"svg.hashsalt": "bblas_gen", "svg.fonttype": "none", "font.size": 9, "axes.titlesize": 9},
    **{"axes.grid": True, "grid.alpha": 0.15, "grid.color": INK, "axes.axisbelow": True, "lines.markersize": 4},
    **{"axes.spines.top": False, "axes.spines.right": False, "axes.facecolor": "none", "figure.facecolor": "none"},
}

SIZE = (4.4, 2.9)
"""Of a panel, in inches: legible in a column of 480 pixels."""
DECADES = 500
"""From the least to the largest number on a logarithmic scale, beyond which it names powers of ten alone."""
EDGES = {"left": 0.13, "right": 0.985, "top": 0.9, "bottom": 0.165}


@dataclass(frozen=True)
class Style:
    """How one contender is drawn in all figures."""

    label: str
    colour: str
    marker: str = "."
    width: float = 1.1
    dash: str = "-"

    @property
    def html_colour(self) -> str:
        return self.colour.replace(INK, "currentColor")

    @property
    def html_dash(self) -> str:
        return {"-": "solid", ":": "dotted"}.get(self.dash, "dashed")


def _ours(label: str, colour: str, dash: str = "-") -> Style:
    return Style(label, colour, "o", 2.0, dash)


STYLES = {
    "bi": _ours("bi (interleaved)", "#1b9e77"),
    "bl": _ours("bi, triangles packed", "#8fae1b"),
    "st": _ours("st (NumPy arrays)", "#3b82e0"),
    "pp": _ours("pp (lists)", "#9b6bd3"),
    "il": _ours("il", "#5fc3a0"),
    "call": _ours("st, not planned", "#7f9fc9"),
    "gemm_bi": _ours("our GEMM, bi", "#1b9e77", ":"),
    "gemm_st": _ours("our GEMM, st", "#3b82e0", ":"),
    "libxsmm": Style("LIBXSMM", "#e0245e", "s", 1.5),
    "mkl_strided": Style("MKL batch_strided", "#e8720c", "^"),
    "mkl_batch": Style("MKL batch", "#f09a3e", "v"),
    "mkl_groups": Style("MKL groups of one", "#d9b382", "<"),
    "mkl_compact": Style("MKL compact", "#b8860b", "D"),
    "mkl_compact_st": Style("MKL compact + pack", "#cfae52", "d"),
    "mkl_loop": Style("MKL loop", "#a65628", ">"),
    "numpy": Style("NumPy", "#d64fc0", "x"),
    "numpy_loop": Style("NumPy loop", "#93407f", "|"),
    "scipy": Style("SciPy", "#b08fb8", "+"),
    "torch": Style("PyTorch", "#f0573d", "*"),
    "jax": Style("JAX", "#00875a", "X"),
    "torch_magma": Style("PyTorch, MAGMA", "#b23a5e", "P"),
    "triton": Style("Triton", "#7a5cd6", "h"),
    "cupy": Style("CuPy", "#00875a", "X"),
    "cublas_strided": Style("cuBLAS strided", "#6a8f00", "^"),
    "cublas": Style("cuBLAS batched", "#93b84a", "v"),
    "cusolver": Style("cuSOLVER batched", "#4f7d3b", "D"),
    "eigen": Style("Eigen, fixed size", "#00a2b8", "p"),
    "openblas": Style("OpenBLAS loop", "#8c9a2f", "h"),
    "plain": Style("plain C", "#8a8a8a", "1"),
    "roofline": Style("roofline", INK, "", 1.0, "--"),
    "ours": _ours("ours", "#3b82e0"),
    "planned": _ours("ours, planned", "#1b9e77"),
    "copy": Style("copy", "#8a8a8a", "1"),
    "copy_new": Style("copy to new memory", "#b0b0b0", "2"),
    "our gemm": _ours("our GEMM", "#3b82e0", ":"),
    "OpenBLAS": Style("OpenBLAS", "#8c9a2f", "h"),
    "MKL": Style("oneMKL", "#e8720c", "^"),
    "BLIS": Style("BLIS", "#e0245e", "s"),
    "AOCL": Style("AOCL", "#f0573d", "*"),
    "Eigen": Style("Eigen", "#00a2b8", "p"),
    "NumPy": Style("NumPy", "#d64fc0", "x"),
    "ours, one group": _ours("ours, one group", "#3b82e0"),
    "ours, groups of one": _ours("ours, groups of one", "#3b82e0", ":"),
    "MKL, one group": Style("MKL, one group", "#f09a3e", "v"),
    "MKL, groups of one": Style("MKL, groups of one", "#f09a3e", "v", dash=":"),
    "allocate and convert": Style("allocate and convert", "#e8720c"),
    "compute": Style("compute", "#1b9e77"),
    "convert back": Style("convert back", "#c44e6a"),
}
STATES = {"hot": "in cache", "steady": "again and again", "cold": "caches flushed"}
DASHES = {"hot": "-", "steady": ":", "cold": "--"}
TYPES = {"s": "float32", "d": "float64", "c": "complex64", "z": "complex128"}
TYPE_DASHES = {"s": ":", "d": "-", "c": "-.", "z": "--"}
SHADES = ("#3b82e0", "#1b9e77", "#e8720c", "#d64fc0", "#8c9a2f", "#00a2b8", "#c44e6a", "#9b6bd3", "#a65628", "#8a8a8a")
"""For lines that are no contenders, in turn."""


class NothingToDraw(ValueError):
    """The rows have nothing that the figure shows."""


@dataclass(frozen=True)
class Figure:
    """Panels as SVG, what their lines are, and what they show, in sentences."""

    says: str
    panels: tuple[str, ...]
    legend: tuple[Style, ...]


@dataclass
class Panel:
    """One pair of axes. What is measured is drawn with its quartiles; noise is a faint cross, and no part of a line."""

    title: str
    x: str
    y: str
    log: tuple[bool, bool] = (False, False)
    used: dict[Style, None] = field(default_factory=dict)
    top: float = 0.0
    names: bool = False

    def __post_init__(self) -> None:
        self.figure, self.axis = plt.subplots(figsize=SIZE)
        self.figure.subplots_adjust(**EDGES)

    def curve(self, style: Style, rows: Sequence[dict[str, Any]], x: str, y: str, *, join: bool = False) -> None:
        """A line through ``rows``; between sizes that are no neighbours it is faint, unless ``join``."""
        good = [row for row in rows if not is_noise(row)]
        look: dict[str, Any] = {"color": style.colour, "lw": style.width}
        for run in _runs(good, x, join):
            self.axis.plot(*_points(run, x, y), ls=style.dash, marker=style.marker, **look)
        self.axis.plot(*_points(good, x, y), ls=style.dash, color=style.colour, lw=0.8, alpha=0.3)
        low, high = ([row[y] * (1 + side * row.get("spread", 0) / 2) for row in good] for side in (-1, 1))
        self.axis.vlines([row[x] for row in good], low, high, **look | {"lw": 1.0}, alpha=0.7)
        self.axis.plot(*_points([r for r in rows if is_noise(r)], x, y), "x", color=style.colour, alpha=0.4)
        self.top = max([self.top, *(row[y] for row in good)])
        self.used[style] = None

    def named(self, places: Sequence[float], names: Sequence[str]) -> None:
        """Names in place of numbers along x."""
        self.axis.set_xticks(places, names)
        self.names = True

    def level(self, y: float = 1.0) -> None:
        """A line across at ``y``, where one contender is as good as the other."""
        self.top = max(self.top, y)
        self.axis.axhline(y, color=INK, lw=1, alpha=0.6)

    def svg(self, alt: str) -> str:
        """The panel as an <svg> element that takes the colour of the text around it."""
        self._scale()
        buffer = io.StringIO()
        self.figure.savefig(buffer, format="svg", metadata={"Date": None})
        plt.close(self.figure)
        text = re.sub(r"^.*?<svg", "<svg", buffer.getvalue(), flags=re.DOTALL)
        text = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text).replace(INK, "currentColor")
        text = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", text)
        return text.replace("<svg", f'<svg role="img" aria-label="{escape(f"{self.title}: {alt}")}"', 1)

    def _scale(self) -> None:
        self.axis.set(title=self.title, xlabel=self.x, ylabel=self.y)
        for name, log in zip("xy", self.log, strict=True):
            axis = getattr(self.axis, f"{name}axis")
            if log:
                self.axis.set(**{f"{name}scale": "log"})
                low, high = axis.get_view_interval()
                axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < DECADES * low else (1,)))
                axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
                axis.set_minor_formatter(NullFormatter())
            elif name == "x" and not self.names:
                axis.set_major_locator(MaxNLocator("auto", integer=True))
        if not self.log[1] and self.top:
            self.axis.set_ylim(0, 1.08 * self.top)


def figure(says: str, panels: Sequence[Panel]) -> Figure:
    """The panels as one figure; their scales are the same where they are of one kind."""
    used = dict.fromkeys(style for panel in panels for style in panel.used)
    known = list(STYLES.values())
    legend = sorted(used, key=lambda style: known.index(style) if style in known else 0)
    return Figure(says, tuple(panel.svg(says) for panel in panels), tuple(legend))


def bars(axis: Any, groups: Sequence[Mapping[str, float]], everyone: Sequence[str]) -> list[str]:
    """Bars of ``everyone`` whom the groups have, side by side, their numbers above; returns who that is."""
    shown = [name for name in everyone if any(name in group for group in groups)]
    width = 0.84 / max(1, len(shown))
    for side, name in enumerate(shown):
        mine = [(i, group[name]) for i, group in enumerate(groups) if name in group]
        places = [i + width * (side - (len(shown) - 1) / 2) for i, _ in mine]
        style = STYLES[name]
        found = axis.bar(places, [value for _, value in mine], 0.95 * width, color=style.colour, label=style.label)
        axis.bar_label(found, fmt=lambda x: f"{x:.2g}" if x < 99.5 else f"{x:.0f}", fontsize=6, padding=2, rotation=90)
    return shown


def _points(rows: Sequence[dict[str, Any]], x: str, y: str) -> tuple[list[Any], list[Any]]:
    return [row[x] for row in rows], [row[y] for row in rows]


def _runs(rows: Sequence[dict[str, Any]], x: str, join: bool) -> Iterator[list[dict[str, Any]]]:
    """Rows of neighbouring sizes."""
    run: list[dict[str, Any]] = []
    for row in rows:
        if run and not join and row[x] != run[-1][x] + 1:
            yield run
            run = []
        run.append(row)
    if run:
        yield run
