"""What is asked of functions of stacks, on one thread and in double precision, and what was measured.

Ratios are asked of vectors of 64 bytes; of kernels with others, as AVX2 has them, a part of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..asked import Line, least
from .rows import Row, is_noise, place, steady


@dataclass(frozen=True)
class Target:
    """How often as fast as ``peer`` a ``call`` is to be: by the largest order that it is asked of."""

    call: str
    peer: str
    asked: Mapping[int, float]


TARGETS = (
    Target("solve", "numpy", {4: 15, 8: 12, 16: 8, 32: 5}),
    Target("inv", "numpy", {4: 20, 8: 10, 16: 6}),
    Target("det", "numpy", {4: 20, 8: 12}),
    Target("slogdet", "numpy", {4: 20, 8: 12}),
    Target("cholesky", "numpy", {16: 8}),
    Target("qr", "numpy", {16: 6}),
    Target("lstsq", "numpy", {8: 15}),
    Target("lstsq", "numpy_loop", {8: 60}),
    Target("eigh", "numpy", {3: 30, 4: 15, 8: 9, 16: 8, 32: 5}),
    Target("svd", "numpy", {2: 40, 4: 25, 8: 10, 16: 8}),
    Target("expm", "scipy", {4: 300, 8: 50}),
)
OF_BANDWIDTH = 0.6
OF_RATIOS = 0.6


def lines(report: Mapping[str, Any]) -> list[Line]:
    """All that is asked; what is noise does not count."""
    mine = [row for row in report["rows"] if (row["dtype"], row["threads"]) == ("d", 1) and not is_noise(row)]
    part = 1 if report["machine"]["simd_bytes"] == 64 else OF_RATIOS
    return [*(line for target in TARGETS for line in _ratios(target, steady(mine), part)), *_bandwidth(mine)]


def _ratios(target: Target, rows: Sequence[Row], part: float) -> Iterator[Line]:
    known = [row for row in rows if row["call"] == target.call and target.peer in row["ratios"]]
    clean = [row for row in known if not is_noise(row, target.peer)]
    below = 0
    for order, asked in target.asked.items():
        some = [row for row in clean if below < row["n"] <= order]
        what = f"{target.call} over {target.peer}, n = {below + 1} to {order}"
        yield least(what, part * asked, some, lambda row: float(row["ratios"][target.peer]), "{:.1f}", place)
        below = order


def _bandwidth(rows: Sequence[Row]) -> Iterator[Line]:
    """Of the plain call, beside copies that make new memory, too, and that do not; and of the kernel."""
    cold = [row for row in rows if row["state"] == "cold"]
    for name in ("copy", "copy_new"):
        clean, what = [row for row in cold if not is_noise(row, name)], f"inv, cold, part of {name}"
        yield least(what, OF_BANDWIDTH, clean, lambda row: float(row["ratios"][name]), "{:.2f}", place)  # noqa: B023
    clean, what = [row for row in cold if not is_noise(row, "planned")], "inv planned, cold, part of copy"
    yield least(what, OF_BANDWIDTH, clean, lambda row: float(row["planned"]), "{:.2f}", place)
