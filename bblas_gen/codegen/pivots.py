"""How a factorization with pivots exchanges rows: data that templates print."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.sizes import Size
from ..schedule.lane import PANEL_COLUMNS

FEW = 8
"""Most reals of a column whose rows are exchanged in registers."""
TURNED = (9, 16)
"""Rows that are exchanged at once where vectors are halves of four doubles: fewer by masks as soon, more are in more
vectors than one permutation takes."""


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


def turned(able: bool, m: Size, n: Size) -> int:
    """The places, in fours, of m rows that are exchanged at once in each of n columns, where vectors are ``able`` to be
    turned; 0 where they are exchanged one after another. The permutation is made once, so few columns do not pay."""
    least, most = TURNED
    if not able or isinstance(m, str) or isinstance(n, str) or not least <= m <= most or n < least:
        return 0
    return -(-m // 4) * 4
