"""What is asked of measurements, and what was measured, as lines of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

Row = Mapping[str, Any]
HEAD = ["", "asked", "measured", "where", "reached"]


@dataclass(frozen=True)
class Line:
    """What is asked, what was measured, and where that was; ``reached`` is None of nothing, and of noise."""

    what: str
    asked: str
    measured: str
    where: str
    reached: bool | None

    @property
    def cells(self) -> list[str]:
        verdict = {None: "noise" if self.measured else "not measured", True: "yes", False: "no"}[self.reached]
        return [self.what, self.asked, self.measured, self.where, verdict]


def least(
    what: str,
    wanted: float,
    rows: Sequence[Row],
    value: Callable[[Row], float],
    form: str,
    place: Callable[[Row], str],
) -> Line:
    """At least ``wanted`` of each row; ``form`` writes numbers, ``place`` names the row that has the least."""
    if not rows:
        return Line(what, form.format(wanted), "", "", None)
    found = min(rows, key=value)
    enough = sum(value(row) >= wanted for row in rows)
    where = f"{place(found)}; {enough} of {len(rows)} reach it"
    return Line(what, form.format(wanted), form.format(value(found)), where, enough == len(rows))


def told(make: Callable[[Sequence[Row]], Line], rows: Iterable[Row], clean: Callable[[Row], bool]) -> Line:
    """The line of the rows that are ``clean``, which says how many are not; where there are no others that of these,
    marked, which decides nothing."""
    found = list(rows)
    mine = [row for row in found if clean(row)]
    noise = len(found) - len(mine)
    if not noise:
        return make(mine)
    if mine:
        line = make(mine)
        return replace(line, where=f"{line.where}; noise: {noise} more")
    line = make(found)
    return replace(line, measured=f"{line.measured} !", reached=None)


def table(lines: Iterable[Line]) -> list[list[str]]:
    return [HEAD, *(line.cells for line in lines)]


def reached(lines: Iterable[Line]) -> str:
    """How many targets are reached, of those that something was measured for."""
    every = list(lines)
    known = [line for line in every if line.reached is not None]
    noise = sum(line.reached is None and bool(line.measured) for line in every)
    beside = f" Of {noise} there is nothing but noise." if noise else ""
    return f"{sum(bool(line.reached) for line in known)} of {len(known)} targets are reached.{beside}"
