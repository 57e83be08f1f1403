"""Rows of measurements on single operands: what follows from them, and as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..noise import SPREAD
from .operations import ROWS

SHORT = 32
"""The longest side of which a matrix has few."""
Row = Mapping[str, Any]


def name(row: Row) -> str:
    flags = f" {row['flags'].lower()}" if row.get("flags") else ""
    return f"{row['dtype']}{row['op']}{flags}"


def place(row: Row) -> str:
    """The problem and the number of threads."""
    return f"{name(row)} {row['shape']}, {row['threads']} thread{'s' if row['threads'] > 1 else ''}"


def streams(row: Row) -> bool:
    """Whether memory is what takes the time."""
    return ROWS[row["op"]].stream is not None


def rate(row: Row, contender: str = "ours") -> float:
    """GB/s of what goes through memory, GF/s of everything else."""
    return float(row["bytes" if streams(row) else "flops"] / row["seconds"][contender] / 1e9)


def share(row: Row) -> float:
    """What we reach of the limit."""
    return rate(row) / float(row["limit"])


def best(row: Row) -> float:
    """How often as fast as the best peer we are."""
    return float(min(row["ratios"].values()))


def is_noise(row: Row, contender: str = "ours") -> bool:
    return bool(row["spread"][contender] > SPREAD)


def compared(rows: Iterable[Row]) -> list[Row]:
    """The rows that say how fast we are beside the best peer: neither of the two is noise."""
    return [row for row in rows if row.get("ratios") and is_clean(row)]


def is_clean(row: Row) -> bool:
    """Whether neither we nor the best peer are noise."""
    return not is_noise(row) and not is_noise(row, min(row["ratios"], key=row["ratios"].__getitem__))


def square(row: Row) -> bool:
    return len(set(row["sizes"])) == 1


def form(row: Row) -> str:
    """What shapes that differ in n alone have in common: sides are n, or a small number."""
    if square(row):
        return ""
    return " x ".join(str(side) if side <= SHORT else "n" for side in row["sizes"])


def curve(rows: Sequence[Row], contender: str) -> list[dict[str, Any]]:
    """The points of a contender, in increasing n."""
    points = [
        {"n": max(row["sizes"]), "rate": rate(row, contender), "spread": row["spread"][contender]}
        for row in rows
        if contender in row["seconds"]
    ]
    return sorted(points, key=lambda point: point["n"])


def table(rows: Sequence[Row]) -> list[list[str]]:
    """A line for each row, a column for each contender."""
    everyone = list(dict.fromkeys(contender for row in rows for contender in row["seconds"]))
    head = ["", "n", "threads", *everyone, "limit", "unit", "% of it", "x best peer", "x one thread", "% of our gemm"]
    return [head, *(_cells(row, everyone) for row in rows)]


def _cells(row: Row, everyone: Sequence[str]) -> list[str]:
    rates = [f"{rate(row, x):.3g}{' !' * is_noise(row, x)}" if x in row["seconds"] else "" for x in everyone]
    peer, ratio = min(row["ratios"].items(), key=lambda pair: pair[1], default=("", 0.0))
    return [
        name(row),
        row["shape"],
        str(row["threads"]),
        *rates,
        f"{row['limit']:.3g}",
        "GB/s" if streams(row) else "GF/s",
        f"{100 * share(row):.0f}",
        f"{ratio:.2f} {peer}" if peer else "",
        f"{row['over_one']['ours']:.2f}" if "over_one" in row else "",
        f"{100 * row['of_gemm']:.0f}" if "of_gemm" in row else "",
    ]


def brief(rows: Sequence[Row]) -> list[list[str]]:
    """A line for each row, with the best peer alone."""
    head = ["", "n", "threads", "ours", "unit", "% of limit", "x best peer", "x one thread", "% of our gemm"]
    places = [(line[:3], line[-5:]) for line in table(rows)[1:]]
    ours = [f"{rate(row):.3g}{' !' * is_noise(row)}" for row in rows]
    return [head, *([*start, mine, *end] for mine, (start, end) in zip(ours, places, strict=True))]


def memory_table(rows: Sequence[Row]) -> list[list[str]]:
    """Megabytes beyond the operands."""
    everyone = list(dict.fromkeys(contender for row in rows for contender in row["beyond"]))
    lines = [
        [
            f"{row['dtype']}{row['op']}",
            row["shape"],
            str(row["threads"]),
            f"{row['operands'] / 1e6:.0f}",
            *(f"{row['beyond'][x] / 1e6:.2f}" if x in row["beyond"] else "" for x in everyone),
        ]
        for row in rows
    ]
    return [["", "n", "threads", "operands MB", *(f"{x} MB" for x in everyone)], *lines]
