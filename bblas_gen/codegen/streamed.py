"""What bodies of long vectors see: how many sums there are, and which vectors hold them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ..ir.operation import Operation
from ..ir.terms import Real
from ..schedule.lane import LINE
from ..schedule.schedule import Schedule
from ..schedule.streamed import StreamedSchedule
from .functions import BodyText
from .operand_text import OperandText

LINES = 4
"""Cache lines of sums of a vector: as many as hide the latency of a multiplication."""
SECTIONS = 64
"""Parts of a vector, at most, that threads share."""
FEW = 4
"""Vectors of a batch, at most, that are shared so; of more, each is done by one thread."""
PIECE = 16
"""Cache lines of elements that lie apart which are brought together at a time; of rows of a matrix half."""
ALIGNED = (4, 128)
"""Vectors from which it pays that all but the first and the last lie in one cache line each: where the first overlaps
others, and where it is a part of one, which goes element by element."""
STEPS = 2
"""Cache lines of elements of X whose products with a row are added pairwise: a part of the numerical contract."""
SECTIONS_OF_ROWS = 16
"""Sections of columns, at most, in which rows are added up by themselves: a part of the numerical contract."""
WAYS = 4096, 8
"""Bytes in each way of a level-1 cache, and how many it has, at least."""
PASSES = {1: 4, 2: 2}
"""Passes, by parts of an element, in which the columns of a block go by: sums of each are added to those of all, one
after another, so that none wait in memory. A part of the numerical contract."""
SHORT = 2 << 10
"""Bytes of each of two vectors, at most, that go by in vectors as long as a cache line."""
AT_HAND = 8 << 10
"""Bytes of a vector that a level-1 cache keeps beside what goes by."""
SAFE = {8: ("0x1p-960", "0x1p600", "0x1p-600"), 4: ("0x1p-90f", "0x1p100f", "0x1p-90f")}
"""By bytes of a real: sums of squares from which none that counts vanished, and what to multiply by where they are
less, or overflow."""


def pairwise(count: int) -> list[tuple[int, list[tuple[int, int]]]]:
    """In which order so many terms, a power of two, are made and added in pairs of halves, so that few wait: terms, and
    the sums that are complete with each of them."""

    def part(first: int, apart: int) -> list[tuple[int, list[tuple[int, int]]]]:
        if apart == count:
            return [(first, [])]
        high = part(first + apart, 2 * apart)
        high[-1][1].append((first, first + apart))
        return part(first, 2 * apart) + high

    return part(0, 1)


def every(step: int, count: int, first: int) -> list[tuple[int, list[tuple[int, int]]]]:
    """The same of every ``step``-th of so many terms."""
    tree = pairwise(count // step)
    return [(first + step * t, [(first + step * a, first + step * b) for a, b in pairs]) for t, pairs in tree]


@dataclass(frozen=True)
class StreamText:
    """``width`` and ``line``: reals of a vector and of a cache line. What all kernels share is of the class."""

    side: ClassVar[int] = 64
    """Rows or columns of a matrix that a thread takes as a unit, where these are no lines of memory, or short ones."""
    part: ClassVar[int] = 1 << 12
    """Elements of lines of a matrix that a thread takes as a unit."""
    few_lines: ClassVar[int] = 16
    """Lines of a matrix below which threads share parts of these, if they are longer."""
    long_row: ClassVar[int] = 1024
    """Elements of a row beyond which fewer rows are a unit."""
    small: ClassVar[int] = 1 << 15
    """Elements of a matrix below which nobody shares it."""
    low: ClassVar[int] = 128
    """Rows of a matrix that a thread takes as a unit, where its columns are lines of memory, and few."""
    straight: ClassVar[int] = 4
    """Reals of a vector, at most, of which a part is read real by real: of longer ones it is turned."""
    section: ClassVar[int] = 256
    """Columns of a section of rows: a part of the numerical contract."""

    body: BodyText
    schedule: StreamedSchedule
    parts: int
    width: int
    line: int
    safe: tuple[str, str, str]

    @staticmethod
    def declared(origin: OperandText | None) -> str:
        """The parameters of a body for what it copies, and the reals between its rows and columns."""
        return ", const bb_real *from, const int64_t from_rs, const int64_t from_cs" if origin else ""

    @staticmethod
    def given_from(origin: OperandText | None) -> str:
        """And the arguments."""
        return f", {origin.name}, {origin.view.at(1, 0)}, {origin.view.at(0, 1)}" if origin else ""

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

    def sum_of_lines(self, name: str, vector: int) -> str:
        """The C text of a vector of the sum of all lines of sums, pairwise."""
        terms = [f"{name}{vector + q * len(self.line_vectors)}" for q in range(LINES)]
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
    def two_lines(self) -> int:
        return 2 * self.line

    @property
    def vectors(self) -> range:
        """The vectors of two cache lines."""
        return range(self.two_lines // self.width)

    @property
    def short(self) -> int:
        """Reals of a vector that is short."""
        return SHORT // LINE * self.line

    @property
    def whole_lines(self) -> list[tuple[str, int]]:
        """The lines of sums of a short vector, and where their elements are."""
        return [(f"w{q}", q * self.line) for q in range(LINES)]

    @property
    def halves_of_lines(self) -> list[tuple[int, str, int]]:
        """The vectors of all sums, each as a part of a line."""
        parts = len(self.line_vectors)
        return [(v, f"w{v // parts}", v % parts) for v in self.group]

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
    def at_hand(self) -> int:
        """Elements of a vector that stay in a level-1 cache."""
        return AT_HAND // LINE * self.apart

    @property
    def rows(self) -> range:
        """The rows of a matrix that are gone through together: each has a lane of a vector of sums."""
        return range(self.width // self.parts)

    @property
    def apart(self) -> int:
        """The elements of a cache line, whose products are in sums of their own."""
        return self.line // self.parts

    @property
    def block_reals(self) -> int:
        """Of X, what a block of columns is multiplied with."""
        return STEPS * self.line

    @property
    def block_columns(self) -> int:
        return STEPS * self.apart

    @property
    def block_vectors(self) -> list[tuple[int, int, int]]:
        """The vectors of a block, by number: those of a cache line that they are added to, and where they begin."""
        vectors = len(self.line_vectors)
        return [(v, v % vectors, v * self.width) for v in range(STEPS * vectors)]

    @property
    def row_vectors(self) -> range:
        """The vectors that have the sums of a row in all passes."""
        return range(max(1, self.passes * self.parts // self.width))

    @property
    def row_added(self) -> list[tuple[int, int]]:
        """The vectors of a line that are added to others, until those are left."""
        return [(low, high) for low, high in self.added if high - low >= len(self.row_vectors)]

    @property
    def row_tree(self) -> list[tuple[int, list[tuple[int, int, str, str]]]]:
        """In which order rows come, and which two vectors of sums are joined after each: the lanes of both that are
        added, so that halves of all remain, until a vector has all passes of a row side by side."""
        tree, least = pairwise(len(self.rows)), len(self.turned)
        return [(row, [self._joined(low, high) for low, high in pairs if high - low >= least]) for row, pairs in tree]

    @property
    def turned(self) -> range:
        """The vectors of rows that are transposed at the end: each has the sums of a pass then."""
        return range(min(self.passes, len(self.rows)))

    @property
    def turns(self) -> list[tuple[int, int, str, str]]:
        """By which steps: two vectors, and the lanes of both that make either anew."""
        apart = [1 << bit for bit in reversed(range(len(self.turned).bit_length() - 1))]
        return [self._turned(low, low + bit) for bit in apart for low in self.turned if not low & bit]

    def _turned(self, low: int, high: int) -> tuple[int, int, str, str]:
        half = (high - low) * self.parts
        first = [lane if not lane & half else self.width + lane - half for lane in range(self.width)]
        second = [lane + half if not lane & half else self.width + lane for lane in range(self.width)]
        return low, high, ", ".join(map(str, first)), ", ".join(map(str, second))

    def _joined(self, low: int, high: int) -> tuple[int, int, str, str]:
        """The first lanes are those that stay where they are: compilers make a blend of that, which any port does."""
        half = (high - low) * self.parts
        stay = [lane + self.width * (lane // half % 2) for lane in range(self.width)]
        first, second = (", ".join(map(str, lanes)) for lanes in (stay, [lane ^ half for lane in stay]))
        return low, high, first, second

    @property
    def crossed(self) -> str:
        """The even lanes of one vector and the odd ones of another."""
        return ", ".join(str(lane + lane % 2 * self.width) for lane in range(self.width))

    @property
    def passes(self) -> int:
        """In so many the columns of a block go by."""
        return PASSES[self.parts]

    def passing(self, together: int) -> list[list[list[tuple[int, list[tuple[int, int]]]]]]:
        """The columns of a block by pass, so many of these together: in which order they come and are added."""
        trees = [every(self.passes, self.apart, first) for first in range(self.passes)]
        return [trees[k : k + together] for k in range(0, self.passes, together)]

    @property
    def page(self) -> int:
        """Bytes: columns that lie multiples of them apart fill all ways of their sets, with those of a block."""
        size, ways = WAYS
        return size * ways // self.block_columns

    @property
    def crowded(self) -> bool:
        """Whether a block has more columns than a level-1 cache has ways."""
        return self.block_columns > WAYS[1]

    @property
    def results(self) -> list[tuple[str, str]]:
        """The sums of a column, and the arrays that they are added to."""
        return [("s", "found"), ("t", "other")][: self.parts]

    @property
    def tall(self) -> int:
        """Rows of which sums have room in an array."""
        return self.most(1)

    def most(self, arrays: int) -> int:
        """Rows of which an array has room for so many sums."""
        return self.schedule.chunk // arrays // self.apart * self.apart

    @property
    def most_sections(self) -> int:
        """The bits by which they are counted, at most."""
        return SECTIONS_OF_ROWS.bit_length() - 1

    def of_sum(self, column: int) -> list[tuple[int, int]]:
        """The columns of a block that are in a sum, and where their elements of X are."""
        places = [column + step * self.apart for step in range(STEPS)]
        return [(place, place * self.parts) for place in places]

    @property
    def together(self) -> list[int]:
        """Passes that go by together."""
        return sorted({1, 2, self.passes})

    def tiles(self, together: int) -> list[range]:
        """Vectors of rows that columns pass by at a time: two cache lines where few columns do, so that hardware sees
        them come, else as many as there are registers for, then fewer."""
        held = self.schedule.held
        most = min(held, len(self.vectors)) if together == 1 else held
        return [range(vectors) for vectors in sorted({most, min(2, held), 1}, reverse=True)]

    @property
    def barrier(self) -> tuple[str, str]:
        """The macro of compilers for machines that have registers for a vector, and what asm calls these."""
        found = {64: ("__AVX512F__", "v"), 32: ("__AVX__", "x")}
        return found.get(self.width * LINE // self.line, ("__SSE2__", "x"))

    @property
    def strips(self) -> list[range]:
        """Vectors of lines that go by at a time."""
        held = self.schedule.held
        return [range(vectors) for vectors in sorted({held, max(1, held // 4), 1}, reverse=True)]

    @property
    def near(self) -> int:
        """Reals of a matrix of which half of a level-2 cache is full."""
        return 2 * self.schedule.chunk * self.parts


def streamed_context(body: BodyText, schedule: Schedule, parts: int, real: Real, row: Operation) -> dict[str, Any]:
    """What the templates of streamed bodies see beside those of others."""
    assert isinstance(schedule, StreamedSchedule)
    return {
        "stream": StreamText(body, schedule, parts, schedule.width, LINE // real.bytes, SAFE[real.bytes]),
        "sections": SECTIONS if row.reduces else 0,
        "alone": body.size["n"] if row.reduces else "",
        "divided": row.summed and not row.reduces,
        "apart_sums": row.summed or row.reduces,
        "few": FEW,
        "widths": sorted({schedule.width, schedule.wide} - {0}),
        "shuffles": True,
    }
