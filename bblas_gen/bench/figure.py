"""The picture of a gemm benchmark: rates by size, one panel per state, with the roofline above them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt

STYLE = {
    "bi": ("interleaved (bi)", "#0b6e4f"),
    "st": ("NumPy arrays (st)", "#1f5fa8"),
    "numpy": ("numpy.matmul", "#c1440e"),
}
TITLES = {"hot": "in cache", "steady": "batch of {batch:,} again and again", "cold": "caches flushed"}


def draw(report: dict[str, Any], output: Path) -> None:
    """Draw ``report``, what the gemm benchmark wrote, to ``output``; its suffix chooses the format."""
    rows = [row for row in report["rows"] if row["dtype"] == report["rows"][0]["dtype"]]
    states = [state for state in TITLES if any(row["state"] == state for row in rows)]
    figure, axes = plt.subplots(1, len(states), figsize=(3.7 * len(states), 3.4), sharey=True, squeeze=False)
    for axis, state in zip(axes[0], states, strict=True):
        _panel(axis, [row for row in rows if row["state"] == state], state)
    axes[0][0].set_ylabel("GF/s")
    axes[0][0].legend(fontsize=8, frameon=False)
    threads = f"{rows[0]['threads']} thread" + "s" * (rows[0]["threads"] > 1)
    what = {"s": "float32", "d": "float64", "c": "complex64", "z": "complex128"}[rows[0]["dtype"]]
    figure.suptitle(f"batched GEMM, {what}, n x n, {threads}; {report['machine']['cpu']}", fontsize=9)
    figure.tight_layout()
    figure.savefig(output, metadata={"Date": None} if output.suffix == ".svg" else None)
    plt.close(figure)


def _panel(axis: Any, rows: list[dict[str, Any]], state: str) -> None:
    limit = [row for row in rows if row["contender"] == "numpy"]
    axis.plot([r["n"] for r in limit], [r["roofline"] for r in limit], color="0.6", ls="--", lw=1, label="roofline")
    for name, (label, colour) in STYLE.items():
        mine = [row for row in rows if row["contender"] == name]
        axis.plot(
            [r["n"] for r in mine], [r["gflops"] for r in mine], color=colour, marker=".", ms=4, lw=1.2, label=label
        )
    axis.set_title(TITLES[state].format(batch=max(row["batch"] for row in rows)), fontsize=9)
    axis.set_xlabel("n")
    axis.set_ylim(bottom=0)
    axis.grid(alpha=0.2)
