"""A part of the page of measurements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from .drawing import Figure, NothingToDraw


@dataclass(frozen=True)
class Section:
    """``source``: the name of the file that has the rows; ``noise``: how many of them are; ``says``: what there is to
    say where no figure does; ``shown``: whether the table is seen at once."""

    title: str
    about: str
    source: str
    figures: Sequence[Figure]
    table: list[list[str]]
    noise: int = 0
    says: str = ""
    shown: bool = False

    @property
    def brief(self) -> str:
        """The first sentence of all that is said."""
        text = self.figures[0].says if self.figures else self.says
        return text.split(". ")[0].rstrip(".") + "." if text else ""


def drawn(wanted: Sequence[Callable[[Any], Figure]], rows: Sequence[Mapping[str, Any]]) -> list[Figure]:
    """Those of the figures that the rows have something for."""
    found = []
    for draw in wanted:
        with suppress(NothingToDraw):
            found.append(draw(rows))
    return found
