"""How a team goes through a matrix: its lines, rows or columns, go round among the lanes.

Lane q has lines q, q + lanes and so on: ``own0``, ``own1`` and so on in C, one of each slot. A panel is a few lines
that follow one another, all of one slot: so only there must a lane ask whether its line is before or behind them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..ir.views import Index, index_text


@dataclass(frozen=True)
class Slot:
    """One line of each lane, the first one line ``start``; some lanes have none where ``end`` lines are all."""

    number: int
    start: int
    end: int | None

    @property
    def own(self) -> str:
        """The C text of a lane's line."""
        return f"own{self.number}"

    @property
    def existing(self) -> str:
        """What a lane without a line does not do: the head of a C statement, or none where each has one."""
        return _if([] if self.end is None else [f"{self.own} < {self.end}"])


@dataclass(frozen=True)
class Panel:
    """``size`` lines from ``start`` on, in the ``slot`` of that number. They are those of one panel, or of all that a
    loop goes through, from ``first`` up to ``last``."""

    round: Round
    slot: int
    size: int
    first: int
    last: int
    start: Index

    def at(self, variable: Index) -> Panel:
        """The panel where the loop's variable is this."""
        return replace(self, start=variable)

    @property
    def own(self) -> str:
        """The C text of a lane's line in its slot."""
        return self.slots[0].own

    @property
    def slots(self) -> list[Slot]:
        """Its slot and those behind it."""
        return self.round.slots[self.slot :]

    @property
    def past(self) -> list[Slot]:
        """Those up to its slot."""
        return self.round.slots[: self.slot + 1]

    @property
    def begins(self) -> bool:
        """Whether it is known that there are no lines before it."""
        return self.start == 0

    @property
    def ends(self) -> bool:
        """Whether it is known that there are no lines behind it."""
        return self.first + self.size >= self.round.size

    def line(self, number: int) -> Index:
        return (self.start, number)

    def text(self, number: int = 0) -> str:
        """The C text of the index of one of its lines."""
        return index_text(self.line(number))

    def from_line(self, number: int, slot: Slot) -> str:
        """The head of a C statement for lanes whose line in a slot not before its own is this one, or is behind it."""
        low = [f"{slot.own} >= {self.text(number)}"] if slot.number == self.slot else []
        return _if(low + ([] if slot.end is None else [f"{slot.own} < {slot.end}"]))

    def before_line(self, number: int, slot: Slot) -> str:
        """The head of a C statement for lanes whose line in a slot not behind its own is before this one."""
        return _if([f"{slot.own} < {self.text(number)}"] if slot.number == self.slot else [])

    def nearest(self, slot: Slot) -> str:
        """The C text of the line of a slot that a lane goes along with: its own, or the nearest that is neither before
        the panel nor beyond the end."""
        own = slot.own if slot.end is None else f"{slot.own} < {slot.end} ? {slot.own} : {slot.end - 1}"
        return f"{slot.own} < {self.text()} ? {self.text()} : {own}" if slot.number == self.slot else own

    def latest(self, slot: Slot) -> str:
        """The C text of the line of a slot that a lane goes along with: its own, or the last of the panel's if that is
        behind them."""
        last = self.text(self.size - 1)
        return f"{slot.own} < {last} ? {slot.own} : {last}" if slot.number == self.slot else slot.own


@dataclass(frozen=True)
class Round:
    """``size`` lines go round among ``lanes``, in panels of ``step`` of them."""

    size: int
    lanes: int
    step: int

    @property
    def slots(self) -> list[Slot]:
        starts = range(0, self.size, self.lanes)
        return [
            Slot(number, start, None if start + self.lanes <= self.size else self.size)
            for number, start in enumerate(starts)
        ]

    @property
    def panels(self) -> Iterator[Panel]:
        """Whole panels of each slot, then what is left."""
        whole = self.size - self.size % self.step
        for slot in self.slots:
            last = min(whole, slot.start + self.lanes)
            if slot.start < last:
                yield Panel(self, slot.number, self.step, slot.start, last, slot.start)
        if whole < self.size:
            yield Panel(self, whole // self.lanes, self.size - whole, whole, self.size, whole)


def _if(conditions: list[str]) -> str:
    return f"if ({' && '.join(conditions)})" if conditions else ""
