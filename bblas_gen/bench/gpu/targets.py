"""What is asked of kernels on a GPU, and what was measured."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import geometric_mean
from typing import Any

from ..asked import Line, Row, least

LARGE = 10_000
"""Matrices in a batch from which on nobody is to be faster."""


@dataclass(frozen=True)
class Part:
    """The least part of the bandwidth of a copy, for kernels of a family in a layout and precisions; "" and () are
    all."""

    family: str
    layout: str
    ops: tuple[str, ...]
    sizes: tuple[int, ...]
    asked: float
    dtypes: str = ""

    def has(self, row: Row) -> bool:
        wanted = (self.family, row["family"]), (self.layout or row["contender"], row["contender"])
        known = (self.ops, row["op"]), (self.sizes, row["n"]), (self.dtypes, row["dtype"])
        return all(one == other for one, other in wanted) and all(not some or one in some for some, one in known)

    def __str__(self) -> str:
        sizes = f"n = {', '.join(map(str, self.sizes))}" if self.sizes else ""
        precisions = " ".join(self.dtypes)
        return ", ".join(filter(None, [f"{self.family} {self.layout}".strip(), " ".join(self.ops), precisions, sizes]))


PARTS = (
    Part("T", "bi", (), (), 0.85),
    Part("T", "il", (), (), 0.75),
    Part("T-sm", "", (), (), 0.75),
    Part("W", "st", (), (5, 6, 7, 8), 0.75),
    Part("W", "st", (), (9, 10, 11, 12), 0.75, "s"),
    Part("W", "", ("gemm",), (16, 32), 0.75),
    Part("W", "", ("potrf", "posv", "trsm"), (16, 32), 0.60),
    Part("W", "", ("getrf",), (16, 32), 0.45),
)
RATES = {"H100": {("gemm", 8): 1.66e9, ("posv", 8): 3.6e9}, "H200": {("gemm", 8): 2.24e9, ("posv", 8): 4.9e9}}
"""Matrices per second in ``bi`` and double precision, of whole devices whose memory is as fast as those were asked of:
others of this name are slower, or a part of one."""
CALLS = {"host time of a planned call": 2e-6, "stream time, graph": 10e-6}
"""Seconds at most."""
PEERS = {"slowest": 1.0, "geometric mean": 3.0}
"""How often as fast as the best peer."""


FASTER = (
    ("trmm in place over cuBLAS", "trmm", "ours", "trmm", "cublas", 1.2),
    ("trmm over products", "trmm", "ours", "gemm", "ours", 0.85),
    ("trsm, few right-hand sides, over cuBLAS", "trsm", "ours", "trsm", "cublas", 1.2),
    (
        "trsm from host memory, start over copies",
        *("trsm from host memory", "start"),
        *("trsm from host memory", "copies"),
        1.3,
    ),
)
"""Of one large matrix: whose rate, over whose, and how much of it at least."""


def large(rows: Sequence[Row]) -> list[Row]:
    """Of each problem the rows with its largest batch."""
    most: dict[Any, int] = {}
    for row in rows:
        most[_problem(row)] = max(most.get(_problem(row), 0), row["batch"])
    return [row for row in rows if row["batch"] == most[_problem(row)]]


def _problem(row: Row) -> tuple[Any, ...]:
    return row["op"], row["dtype"], row["n"]


def asked(row: Row) -> float | None:
    """The part of the bandwidth that is asked of a row."""
    return next((part.asked for part in PARTS if part.has(row)), None)


def lines(report: Mapping[str, Any]) -> list[Line]:
    """All that is asked, of operands that lie in memory and in no cache."""
    rows, device = [row for row in report["rows"] if not row.get("cached")], report["machine"]["gpu"]
    return [
        *_parts(rows),
        *_rates(rows, device),
        *_calls(report["gpu"]["calls"]),
        *_peers(rows),
        *_large(report["gpu"]["large"]),
    ]


def _parts(rows: Sequence[Row]) -> Iterator[Line]:
    for part in PARTS:
        mine = [row for row in large(rows) if part.has(row)]
        yield _least(f"part of a copy: {part}", part.asked, mine, lambda row: row["fraction"], "{:.0%}")


def _rates(rows: Sequence[Row], device: str) -> Iterator[Line]:
    known = next((x for name, x in RATES.items() if re.fullmatch(rf"NVIDIA {name}( \d+GB HBM3)?", device)), {})
    for (op, n), rate in known.items():
        mine = [r for r in large(rows) if (r["op"], r["dtype"], r["n"], r["contender"]) == (op, "d", n, "bi")]
        told = f"matrices per second: d{op}, n = {n}, bi"
        yield _least(told, rate, mine, lambda row: row["matrices"], "{:.3g}")


def _calls(rows: Sequence[Row]) -> Iterator[Line]:
    for what, seconds in CALLS.items():
        mine = [row for row in rows if row["what"] == what]
        worst = max(mine, key=lambda row: row["seconds"], default=None)
        told = f"at most {seconds * 1e6:g} us"
        if worst is None:
            yield Line(what, told, "", "", None)
            continue
        name = f"{worst['batch']:,} d{worst['op']} n = {worst['n']}, {worst['layout']}"
        yield Line(what, told, f"{worst['seconds'] * 1e6:.3g} us", name, worst["seconds"] <= seconds)


def _peers(rows: Sequence[Row]) -> Iterator[Line]:
    for layout in ("bi", "st"):
        mine = [row for row in rows if row["contender"] == layout and row["ratios"] and row["batch"] >= LARGE]
        what = f"speed over the best peer: {layout}, {LARGE:,} matrices and more"
        yield _least(f"{what}, slowest", PEERS["slowest"], mine, _best_ratio, "{:.3g}")
        if mine:
            mean, wanted = geometric_mean(map(_best_ratio, mine)), PEERS["geometric mean"]
            yield Line(f"{what}, geometric mean", f"{wanted:g}", f"{mean:.3g}", f"{len(mine)} cases", mean >= wanted)


def _large(rows: Sequence[Row]) -> Iterator[Line]:
    for what, op, own, other, peer, wanted in FASTER:
        rates = {(row["what"], row["contender"], row["cols"]): row["gflops"] for row in rows}
        mine = [
            (rate / rates[other, peer, cols], cols)
            for (name, who, cols), rate in rates.items()
            if (name, who) == (op, own) and (other, peer, cols) in rates
        ]
        if not mine:
            yield Line(f"one large matrix: {what}", f"{wanted:g}", "", "", None)
            continue
        least, cols = min(mine)
        where = f"n = {rows[0]['n']}, {cols} columns"
        yield Line(f"one large matrix: {what}", f"{wanted:g}", f"{least:.3g}", where, least >= wanted)


def _best_ratio(row: Row) -> float:
    return float(min(row["ratios"].values()))


def _least(what: str, wanted: float, rows: Sequence[Row], value: Callable[[Row], float], form: str) -> Line:
    return least(what, wanted, rows, value, form, place)


def place(row: Row) -> str:
    return f"{row['dtype']}{row['op']} n = {row['n']}, {row['contender']}"
