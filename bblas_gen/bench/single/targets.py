"""What is asked of single operands, and what was measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import geometric_mean
from typing import Any

from ..asked import Line, least
from .rows import SHORT, Row, best, compared, is_noise, place, share, square

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
    """All that is asked."""
    rows = [row for row in report["rows"] if row["part"] != "memory"]
    known, against = [row for row in rows if not is_noise(row)], compared(rows)
    found = [
        least(x.what, x.asked, [r for r in (against if x.peers else known) if x.counts(r)], x.value, "{:.2f}", place)
        for x in TARGETS
    ]
    of_limit = [
        least(f"{op}: part of the limit", OF_LIMIT, [r for r in known if r["op"] == op], share, "{:.2f}", place)
        for op in MEMORY_BOUND
    ]
    return [*found, *of_limit, *_averages(against), *_over_openblas(against), _memory(report)]


def _averages(rows: Sequence[Row]) -> Iterator[Line]:
    for op in MEMORY_BOUND:
        mine = [row for row in rows if row["op"] == op]
        what = f"{op} over the best peer, geometric mean"
        if not mine:
            yield Line(what, f"{ON_AVERAGE:.2f}", "", "", None)
            continue
        mean = geometric_mean(map(best, mine))
        yield Line(what, f"{ON_AVERAGE:.2f}", f"{mean:.2f}", f"{len(mine)} sizes", mean >= ON_AVERAGE)


def _over_openblas(rows: Sequence[Row]) -> Iterator[Line]:
    """Somewhere in the range, as in the paper."""
    for op in MEMORY_BOUND:
        mine = [row for row in rows if row["op"] == op and row["threads"] > 1 and "OpenBLAS" in row["ratios"]]
        most = max(mine, key=lambda row: row["ratios"]["OpenBLAS"], default=None)
        what = f"{op} over OpenBLAS, threads, where it is most"
        if most is None:
            yield Line(what, f"{OVER_OPENBLAS:.2f}", "", "", None)
            continue
        ratio = most["ratios"]["OpenBLAS"]
        yield Line(what, f"{OVER_OPENBLAS:.2f}", f"{ratio:.2f}", place(most), ratio >= OVER_OPENBLAS)


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
