"""What is asked of measurements, and what was measured, as lines of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]
HEAD = ["", "asked", "measured", "where", "reached"]


@dataclass(frozen=True)
class Line:
    """What is asked, what was measured (None: nothing), and where that was."""

    what: str
    asked: str
    measured: str
    where: str
    reached: bool | None

    @property
    def cells(self) -> list[str]:
        verdict = {None: "not measured", True: "yes", False: "no"}[self.reached]
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


def table(lines: Iterable[Line]) -> list[list[str]]:
    return [HEAD, *(line.cells for line in lines)]


def reached(lines: Iterable[Line]) -> str:
    """How many targets are reached, of those that something was measured for."""
    known = [line for line in lines if line.reached is not None]
    return f"{sum(bool(line.reached) for line in known)} of {len(known)} targets are reached."
