"""How a factorization with pivots exchanges rows: data that templates print."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.sizes import Size
from ..schedule.lane import PANEL_COLUMNS

FEW = 8
"""Most reals of a column whose rows are exchanged in registers."""


@dataclass(frozen=True)
class LastPanel:
    """The last panel, whose first pivot is number ``first``: rows from there on, and pivots that have rows below."""

    first: int
    rows: int
    pivots: int


def last_panel(width: int, parts: int, m: Size, k: Size) -> LastPanel | None:
    """That of k pivots in m rows of vectors of matrices; None where its rows are not few, or only run time knows."""
    if width == 1 or isinstance(m, str) or isinstance(k, str):
        return None
    first = (k - 1) // PANEL_COLUMNS * PANEL_COLUMNS
    few = (m - first) * parts <= FEW
    return LastPanel(first, m - first, min(k, m - 1) - first) if few else None
