"""Rows of measurements on stacks: what follows from them, and as people read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..noise import SPREAD
from .contest import OURS

Row = Mapping[str, Any]


def is_noise(row: Row, contender: str = OURS) -> bool:
    return bool(row["spread"][contender] > SPREAD)


def is_compared(row: Row, peer: str) -> bool:
    """Whether rounds agree how often as fast as a peer we are."""
    return peer in row["ratios"] and bool(row["ratio_spread"][peer] <= SPREAD)


def place(row: Row) -> str:
    return f"n = {row['n']}"


def steady(rows: Sequence[Row]) -> list[Row]:
    """All but those of flushed caches."""
    return [row for row in rows if row["state"] == "steady"]


def nearest(row: Row) -> tuple[float, str]:
    """How often as fast as the best peer we are, and who that is: infinity where there is none."""
    return min(((ratio, name) for name, ratio in row["ratios"].items()), default=(float("inf"), ""))


def table(rows: Sequence[Row]) -> list[list[str]]:
    """Nanoseconds of a matrix, a line for each row, a column for each contender."""
    everyone = list(dict.fromkeys(name for row in rows for name in row["ns"]))
    head = [*_HEAD, *(f"{name} ns" for name in everyone), "x best peer"]
    return [head, *([*_start(row), *(_time(row, x) for x in everyone), _best(row)] for row in rows)]


def brief(rows: Sequence[Row]) -> list[list[str]]:
    """A line for each row: ours, and how often as fast as the best peer and the others we are."""
    return [[*_HEAD, "ours ns", "x best peer", "x others"], *map(_line, rows)]


_HEAD = ["", "", "n", "threads"]


def _line(row: Row) -> list[str]:
    others = {name: ratio for name, ratio in row["ratios"].items() if name != nearest(row)[1]}
    told = ", ".join(f"{name} {ratio:.3g}{' !' * (not is_compared(row, name))}" for name, ratio in others.items())
    return [*_start(row), _time(row, OURS), _best(row), told]


def _start(row: Row) -> list[str]:
    return [row["dtype"], row["call"], str(row["n"]), str(row["threads"])]


def _time(row: Row, contender: str) -> str:
    return f"{row['ns'][contender]:.4g}{' !' * is_noise(row, contender)}" if contender in row["ns"] else ""


def _best(row: Row) -> str:
    ratio, peer = nearest(row)
    return f"{peer} {ratio:.3g}{' !' * (not is_compared(row, peer))}" if peer else ""
