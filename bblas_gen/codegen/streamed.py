"""What bodies of long vectors see: how many sums there are, and which vectors hold them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..ir.terms import Real
from ..schedule.lane import LINE
from ..schedule.schedule import Schedule
from ..schedule.streamed import StreamedSchedule
from .functions import BodyText

LINES = 4
"""Cache lines of sums of a vector: as many as hide the latency of a multiplication."""
SECTIONS = 64
"""Parts of a vector, at most, that threads share."""
FEW = 4
"""Vectors of a batch, at most, that are shared so; of more, each is done by one thread."""
PIECE = 16
"""Cache lines of elements that lie apart which are brought together at a time; of rows of a matrix half."""
SIDE = 64
"""Rows or columns of a matrix that a thread takes as a unit, where these are no lines of memory."""
SAFE = {8: ("0x1p-960", "0x1p600", "0x1p-600"), 4: ("0x1p-90f", "0x1p100f", "0x1p-90f")}
"""By bytes of a real: sums of squares from which none that counts vanished, and what to multiply by where they are
less, or overflow."""


@dataclass(frozen=True)
class StreamText:
    """``width`` and ``line``: reals of a vector and of a cache line."""

    body: BodyText
    schedule: StreamedSchedule
    parts: int
    width: int
    line: int
    safe: tuple[str, str, str]
    sections: int

    @property
    def line_vectors(self) -> range:
        """The vectors of a cache line."""
        return range(self.line // self.width)

    @property
    def group(self) -> range:
        """The vectors that are added to sums of their own."""
        return range(LINES * len(self.line_vectors))

    @property
    def group_reals(self) -> int:
        return LINES * self.line

    def sums(self, pairs: bool) -> int:  # noqa: FBT001
        """All vectors of sums; ``pairs``: of products of pairs, which have two."""
        return len(self.group) * (2 if pairs else 1)

    def lines(self, pairs: bool) -> list[tuple[int, list[int]]]:  # noqa: FBT001
        """Where each vector of a line of lanes begins, and the sums that make it."""
        per_line, kinds = len(self.line_vectors), range(2 if pairs else 1)
        return [
            (kind * self.line + u * self.width, [kind * len(self.group) + q * per_line + u for q in range(LINES)])
            for kind in kinds
            for u in self.line_vectors
        ]

    @property
    def piece(self) -> int:
        """Reals that are brought together."""
        return PIECE * self.line

    @property
    def row_piece(self) -> int:
        return self.piece // 2

    @property
    def side(self) -> int:
        return SIDE

    @property
    def rows(self) -> range:
        """The rows of a matrix that are gone through together."""
        return range(self.schedule.rows)

    def of_row(self, row: int, vector: int, part: int) -> int:
        """The number of a vector of sums."""
        return (row * len(self.line_vectors) + vector) * self.parts + part

    @property
    def row_sums(self) -> int:
        return len(self.rows) * len(self.line_vectors) * self.parts

    @property
    def chunk_reals(self) -> int:
        return self.schedule.chunk * self.parts

    @property
    def deep(self) -> range:
        """The columns that each of two sums takes at a time."""
        return range(self.schedule.cols)

    @property
    def pass_columns(self) -> int:
        """Columns that come by together: each has sums of its own, and so many share them."""
        return len(self.deep) * self._apart

    @property
    def _apart(self) -> int:
        return self.line // self.parts

    @property
    def columns(self) -> range:
        return range(len(self.column_texts))

    @property
    def factors(self) -> range:
        return range(len(self.factor_texts))

    @property
    def column_texts(self) -> list[str]:
        """Where the columns of two sums begin, from ``at``."""
        own = range(2 // self.parts)
        return [f"at + {d * self._apart + c} * cs" for d in self.deep for c in own]

    @property
    def factor_texts(self) -> list[str]:
        return [f"from_x[s + {d * self.line + c}]" for d in self.deep for c in range(2)]


def streamed_context(body: BodyText, schedule: Schedule, parts: int, real: Real, *, reduces: bool) -> dict[str, Any]:
    """What the templates of streamed bodies see beside those of others."""
    assert isinstance(schedule, StreamedSchedule)
    sections = SECTIONS if reduces else 0
    return {
        "stream": StreamText(body, schedule, parts, schedule.width, LINE // real.bytes, SAFE[real.bytes], sections),
        "few": FEW,
        "shuffles": parts == 2,
    }
