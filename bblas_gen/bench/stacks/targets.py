"""What is asked of functions of stacks, on one thread and in double precision, and what was measured.

Ratios are asked of vectors of 64 bytes; of kernels with others, as AVX2 has them, a part of each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..asked import Line, least, told
from .rows import Row, is_compared, is_noise, place, steady


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
NEVER_SLOWER = 1.0
"""Over NumPy, whatever is called, of every order, on one thread and on several."""


def lines(report: Mapping[str, Any]) -> list[Line]:
    """All that is asked; what is noise decides nothing."""
    double = [row for row in report["rows"] if row["dtype"] == "d"]
    mine = [row for row in double if row["threads"] == 1]
    part = 1 if report["machine"]["simd_bytes"] == 64 else OF_RATIOS
    return [
        *(line for target in TARGETS for line in _ratios(target, steady(mine), part)),
        _over("every call over numpy", "numpy", NEVER_SLOWER, steady(double), "{:.2f}", _call),
        *_bandwidth(mine),
    ]


def _ratios(target: Target, rows: Sequence[Row], part: float) -> Iterator[Line]:
    below = 0
    for order, asked in target.asked.items():
        some = [row for row in rows if row["call"] == target.call and below < row["n"] <= order]
        what = f"{target.call} over {target.peer}, n = {below + 1} to {order}"
        yield _over(what, target.peer, part * asked, some, "{:.1f}", place)
        below = order


def _bandwidth(rows: Sequence[Row]) -> Iterator[Line]:
    """Of the plain call, beside copies that make new memory, too, and that do not; and of the kernel."""
    cold = [row for row in rows if row["state"] == "cold"]
    for name in ("copy", "copy_new"):
        yield _over(f"inv, cold, part of {name}", name, OF_BANDWIDTH, cold, "{:.2f}", place)
    what = "inv planned, cold, part of copy"
    make = partial(least, what, OF_BANDWIDTH, value=lambda row: float(row["planned"]), form="{:.2f}", place=place)
    yield told(make, cold, lambda row: not is_noise(row) and not is_noise(row, "planned"))


def _over(what: str, peer: str, wanted: float, rows: Sequence[Row], form: str, where: Callable[[Row], str]) -> Line:
    """At least ``wanted`` times the speed of a peer."""
    known = [row for row in rows if peer in row["ratios"]]
    make = partial(least, what, wanted, value=lambda row: float(row["ratios"][peer]), form=form, place=where)
    return told(make, known, lambda row: is_compared(row, peer))


def _call(row: Row) -> str:
    return f"{row['call']} n = {row['n']}, {row['threads']} thread{'s' * (row['threads'] > 1)}"
