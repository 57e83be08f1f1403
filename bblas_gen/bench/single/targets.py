"""What is asked of single operands, and what was measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import geometric_mean
from typing import Any

from ..asked import Line, least, told
from .rows import SHORT, Row, best, is_clean, is_noise, place, share, square

LARGE = 512
MEMORY_BOUND = ("dot", "nrm2", "axpy", "scal", "ger", "gemv")


@dataclass(frozen=True)
class Target:
    """At least ``asked`` of the ``value`` of each row that ``counts``; of ratios to peers where ``peers``."""

    what: str
    asked: float
    counts: Callable[[Row], bool]
    value: Callable[[Row], float] = best
    peers: bool = True


def _gemm(row: Row) -> bool:
    return bool(row["op"] == "gemm")


def _few(row: Row) -> bool:
    return row["op"] in ("trsm", "trmm") and row["sizes"][1] <= SHORT < row["sizes"][0]


TARGETS = (
    Target("gemm over the best peer, n >= 512", 0.95, lambda r: _gemm(r) and square(r) and r["sizes"][0] >= LARGE),
    Target(
        "gemm over the best peer, n = 64 to 512", 1.0, lambda r: _gemm(r) and square(r) and 64 <= r["sizes"][0] < LARGE
    ),
    Target("gemm over the best peer, a side of 32 or less", 1.0, lambda r: _gemm(r) and not square(r)),
    Target(
        "gemm, two threads over one, n >= 512",
        1.85,
        lambda r: _gemm(r) and min(r["sizes"]) >= LARGE and r["threads"] == 2 and "over_one" in r,
        lambda r: float(r["over_one"]["ours"]),
        peers=False,
    ),
    Target("trmm, trsm: part of our gemm", 0.90, lambda r: "of_gemm" in r, lambda r: float(r["of_gemm"]), peers=False),
    Target("trmm, trsm over the best peer, 32 right-hand sides or less", 1.2, _few),
    Target("potrf over the best peer", 0.95, lambda r: bool(r["op"] == "potrf")),
    Target("posv, potri over the best peer", 1.0, lambda r: r["op"] in ("posv", "potri")),
)
OF_LIMIT, ON_AVERAGE, OVER_OPENBLAS = 0.95, 1.0, 2.0


def lines(report: Mapping[str, Any]) -> list[Line]:
    """All that is asked; what is noise decides nothing."""
    rows = [row for row in report["rows"] if row["part"] != "memory"]
    against = [row for row in rows if row.get("ratios")]
    return [
        *(_target(x, against if x.peers else rows) for x in TARGETS),
        *(_of_limit(op, [row for row in rows if row["op"] == op]) for op in MEMORY_BOUND),
        *(told(partial(_average, op), [row for row in against if row["op"] == op], is_clean) for op in MEMORY_BOUND),
        *(_over_openblas(op, [row for row in against if row["op"] == op]) for op in MEMORY_BOUND),
        _memory(report),
    ]


def _target(x: Target, rows: Sequence[Row]) -> Line:
    make = partial(least, x.what, x.asked, value=x.value, form="{:.2f}", place=place)
    return told(make, filter(x.counts, rows), is_clean if x.peers else _is_ours_clean)


def _is_ours_clean(row: Row) -> bool:
    return not is_noise(row)


def _of_limit(op: str, rows: Sequence[Row]) -> Line:
    make = partial(least, f"{op}: part of the limit", OF_LIMIT, value=share, form="{:.2f}", place=place)
    return told(make, rows, _is_ours_clean)


def _average(op: str, rows: Sequence[Row]) -> Line:
    what = f"{op} over the best peer, geometric mean"
    if not rows:
        return Line(what, f"{ON_AVERAGE:.2f}", "", "", None)
    mean = geometric_mean(map(best, rows))
    return Line(what, f"{ON_AVERAGE:.2f}", f"{mean:.2f}", f"{len(rows)} sizes", mean >= ON_AVERAGE)


def _over_openblas(op: str, rows: Sequence[Row]) -> Line:
    """Somewhere in the range, as in the paper."""
    mine = [row for row in rows if row["threads"] > 1 and "OpenBLAS" in row["ratios"]]
    return told(partial(_most, op), mine, lambda row: not is_noise(row) and not is_noise(row, "OpenBLAS"))


def _most(op: str, rows: Sequence[Row]) -> Line:
    most = max(rows, key=lambda row: row["ratios"]["OpenBLAS"], default=None)
    what = f"{op} over OpenBLAS, threads, where it is most"
    if most is None:
        return Line(what, f"{OVER_OPENBLAS:.2f}", "", "", None)
    ratio = most["ratios"]["OpenBLAS"]
    return Line(what, f"{OVER_OPENBLAS:.2f}", f"{ratio:.2f}", place(most), ratio >= OVER_OPENBLAS)


def _memory(report: Mapping[str, Any]) -> Line:
    """Each thread's share of the last cache is the most that a call takes beyond its operands."""
    machine = report["machine"]
    last = next((machine["caches"][x] for x in ("l3", "l2") if machine["caches"].get(x)), 0)
    part = last / machine["cores"]
    mine = [row for row in report["rows"] if row["part"] == "memory" and "ours" in row["beyond"]]
    what, asked = "memory beyond the operands, a thread", f"at most {part / 1e6:.0f} MB"
    if not mine:
        return Line(what, asked, "", "", None)
    most = max(mine, key=lambda row: row["beyond"]["ours"] / row["threads"])
    took = most["beyond"]["ours"] / most["threads"]
    return Line(what, asked, f"{took / 1e6:.1f} MB", place(most), took <= part)
