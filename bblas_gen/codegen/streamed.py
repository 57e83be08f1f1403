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
ALIGNED = (16, 128)
"""Vectors from which it pays that all but the first and the last lie in one cache line each: where the first overlaps
others, and where it is a part of one, which goes element by element."""
SIDE = 64
"""Rows or columns of a matrix that a thread takes as a unit, where these are no lines of memory."""
SAFE = {8: ("0x1p-960", "0x1p600", "0x1p-600"), 4: ("0x1p-90f", "0x1p100f", "0x1p-90f")}
"""By bytes of a real: sums of squares from which none that counts vanished, and what to multiply by where they are
less, or overflow."""


@dataclass(frozen=True)
class Pass:
    """Columns of a matrix that two sums take together, ``deep`` each; ``apart``: those that have sums of their own."""

    deep: range
    parts: int
    apart: int

    @property
    def columns(self) -> int:
        return len(self.deep) * 2 // self.parts

    @property
    def together(self) -> int:
        """The columns that all sums take."""
        return len(self.deep) * self.apart

    @property
    def reals(self) -> int:
        """Of X, those of these columns."""
        return self.together * self.parts

    @property
    def starts(self) -> list[tuple[int, str]]:
        """The columns, by number, and where they begin."""
        own = 2 // self.parts
        return [(d * own + c, f"at + {d * self.apart + c} * cs") for d in self.deep for c in range(own)]

    @property
    def factors(self) -> list[tuple[int, str]]:
        """The reals of X, by number, and where they are."""
        return [(2 * d + c, f"x[{d * self.apart * self.parts + c}]") for d in self.deep for c in range(2)]

    @property
    def terms(self) -> list[tuple[int, int, int, int]]:
        """The columns that two sums take at once, and their factors."""
        own = 2 // self.parts
        return [(d * own, d * own + own - 1, 2 * d, 2 * d + 1) for d in self.deep]


@dataclass(frozen=True)
class StreamText:
    """``width`` and ``line``: reals of a vector and of a cache line."""

    body: BodyText
    schedule: StreamedSchedule
    parts: int
    width: int
    line: int
    safe: tuple[str, str, str]

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

    def given(self, squares: bool) -> str:
        """The parameters of a sum: of squares, or of products."""
        return "const bb_real *x, const int64_t incx, " + (
            "const bb_real scale, " if squares else "const bb_real *y, const int64_t incy, "
        )

    def sums(self, pairs: bool) -> int:
        """All vectors of sums; ``pairs``: of products of pairs, which have two."""
        return len(self.group) * (2 if pairs else 1)

    def sum_of_lines(self, vector: int, kind: int) -> str:
        """The C text of a vector of the sum of all lines of sums, pairwise."""
        first = kind * len(self.group) + vector
        terms = [f"sum[{first + q * len(self.line_vectors)}]" for q in range(LINES)]
        return f"({terms[0]} + {terms[1]}) + ({terms[2]} + {terms[3]})"

    @property
    def added(self) -> list[tuple[int, int]]:
        """The vectors of a line that are added to others, until one is left."""
        halves = [1 << bit for bit in reversed(range(len(self.line_vectors).bit_length() - 1))]
        return [(low, low + half) for half in halves for low in range(half)]

    @property
    def folds(self) -> list[list[int]]:
        """The lanes that are added to those of a vector, until those of one element are left."""
        halves = [1 << bit for bit in reversed(range(self.width.bit_length() - 1)) if 1 << bit >= self.parts]
        return [[lane ^ half for lane in range(self.width)] for half in halves]

    @property
    def twice(self) -> int:
        return 2 * self.width

    @property
    def aligned(self) -> tuple[int, int]:
        """Reals from which it pays to align vectors to cache lines: by one that overlaps others, by a part of one."""
        return ALIGNED[0] * self.width, ALIGNED[1] * self.width

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
    def less(self) -> int:
        """Rows of a chunk where columns are few."""
        return self.schedule.chunk // 4

    @property
    def few_columns(self) -> int:
        return 16 * self.apart

    @property
    def apart(self) -> int:
        """Columns that have sums of their own: every so-many-th shares them."""
        return self.line // self.parts

    @property
    def held(self) -> list[tuple[int, int]]:
        """Vectors of rows whose sums stay in registers, with their reals: as many as there is room for, then one."""
        return [(vectors, vectors * self.width) for vectors in range(self.schedule.held, 0, -1)]

    @property
    def passes(self) -> list[Pass]:
        """How columns go by: several for each of two sums, then one."""
        return [Pass(range(deep), self.parts, self.apart) for deep in (self.schedule.cols, 1)]

    @property
    def slots(self) -> range:
        """The sums of a row, by the reals of so many elements of X."""
        return range(self.line)

    @property
    def added_slots(self) -> list[tuple[int, int]]:
        """The sums that are added to others, until those of one element are left."""
        halves = [1 << bit for bit in reversed(range(self.line.bit_length() - 1)) if 1 << bit >= self.parts]
        return [(low, low + half) for half in halves for low in range(half)]


def streamed_context(body: BodyText, schedule: Schedule, parts: int, real: Real, *, reduces: bool) -> dict[str, Any]:
    """What the templates of streamed bodies see beside those of others."""
    assert isinstance(schedule, StreamedSchedule)
    return {
        "stream": StreamText(body, schedule, parts, schedule.width, LINE // real.bytes, SAFE[real.bytes]),
        "sections": SECTIONS if reduces else 0,
        "few": FEW,
        "shuffles": True,
    }
