"""Panels of columns that a team has in registers, rows going round among its lanes."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from ..schedule.team import VECTOR, panel_columns

VECTOR_WORDS = VECTOR // 4
"""Words of the widest load and store."""


@dataclass(frozen=True)
class TeamPanel:
    """A panel of an ``m`` x ``n`` matrix, of elements of so many ``words``, that ``lanes`` share: each has ``rows`` of
    its rows, and ``cols`` columns of these."""

    words: int
    m: int
    n: int
    lanes: int

    @property
    def rows(self) -> int:
        return ceil(self.m / self.lanes)

    @property
    def cols(self) -> int:
        return panel_columns(self.words, self.rows, self.n)

    @property
    def padded(self) -> int:
        """The columns in whole vectors."""
        return self.vector(self.cols + self._elements - 1)

    def vector(self, col: int) -> int:
        """Where the vector begins that a column is in."""
        return col // self._elements * self._elements

    @property
    def _elements(self) -> int:
        return max(1, VECTOR_WORDS // self.words)
