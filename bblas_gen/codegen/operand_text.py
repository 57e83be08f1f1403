"""One operand as templates see it: where it lies, how it is named, what of it is moved and prefetched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..ir import partition
from ..ir.sizes import Size, evaluate, product
from ..ir.terms import Kind, Layout, Role, Strides
from ..ir.views import View


@dataclass(frozen=True)
class OperandText:
    """One operand as the templates see it, as it is stored: ``view`` is without any op(). ``storage`` is None for an
    intermediate, which has no memory but scratch. ``lands``: the operand in whose lanes it is packed, which is a copy
    of it where that is not itself. ``by_rows``: bodies bring its rows to lanes themselves, by the ``row_chunks`` of so
    many columns. ``by_pointers``: bodies work on it where it lies, and bring blocks of it to lanes and back.
    ``coming``: what prefetches matrices to come: "pack" or "unpack", which move it, "rows" where bodies fetch it so;
    ``lines``: the cache lines of a vector of small matrices that follow one another, else 0.
    ``past``: the reals in a cache line where it may be stored past the caches, else 0.
    ``beyond``: the C condition under which nothing is done with element ``row``, ``col``; "" where all count.
    ``handed``: bodies work on it, it is not only copied before.
    ``apart``: the distance in scratch between neighbouring matrices; ``outside``: where elements lie in memory;
    ``address``: how its target writes one that is read from memory."""

    name: str
    kind: Kind
    role: Role
    storage: Layout | None
    strides: Strides
    stored_rows: Size
    stored_cols: Size
    parts: int
    nb: int
    view: View
    gathered: bool
    scratch: Size
    chunks: tuple[partition.Chunk, ...]
    wanted: str
    reads: bool
    reads_when: str
    lands: str
    by_rows: bool
    row_chunks: Mapping[int, tuple[partition.Chunk, ...]]
    by_pointers: bool
    coming: str
    lines: int
    past: int
    beyond: str
    handed: bool
    apart: Size
    outside: View
    address: str

    @property
    def letter(self) -> str:
        return self.name.lower()

    @property
    def const(self) -> str:
        return "const " if self.role is Role.IN else ""

    @property
    def ctype(self) -> str:
        """The C type of its numbers."""
        return "int32_t" if self.kind is Kind.INDEX else "bb_real"

    @property
    def has_lanes(self) -> bool:
        """Whether it has lanes in scratch."""
        brought = self.by_pointers or (self.by_rows and not self.writes)
        return self.gathered and self.lands == self.name and not brought

    @property
    def moved(self) -> bool:
        """Whether it is brought into scratch, or from there."""
        return self.gathered and self.storage is not None

    @property
    def writes(self) -> bool:
        return self.role is not Role.IN

    @property
    def argument(self) -> str:
        if self.by_pointers:
            return "q" + self.name
        return "s" + self.name if self.gathered else self.name

    @property
    def to_come(self) -> str:
        """The C text of pointers, and of a distance from them, at which matrices to come lie."""
        if self.storage is Layout.PP:
            return f"(const bb_real *const *)g->{self.name} + p + coming, 0"
        return f"{self.pointers}, {self.distance}"

    @property
    def distance(self) -> str:
        """The C text of the reals from a matrix to the one that is prefetched, of strided ones."""
        return f"coming * g->stride_{self.letter}{' * 2' if self.parts == 2 else ''}"

    @property
    def is_number(self) -> bool:
        """Whether each matrix has one real, strided, which vectors move: any strides have none."""
        alone = self.storage is Layout.ST and self.reals == 1 and self.kind is not Kind.INDEX
        return alone and self.strides is not Strides.RS

    @property
    def located(self) -> bool:
        """Whether each lane has a pointer to its matrix. Numbers that nobody reads are stored without."""
        return self.moved and self.handed and (self.reads or not self.is_number)

    @property
    def moves(self) -> list[tuple[int, bool, bool]]:
        """The vectors that bring it to lanes and back: their reals, whether they read it, whether they write it."""
        whole = [(chunk.width, self.reads, self.writes) for chunk in self.chunks] + [(2, False, True)] * (self.past > 0)
        return whole + [(chunk.width, True, False) for found in self.row_chunks.values() for chunk in found]

    @property
    def pointers(self) -> str:
        """The C text of the pointers to its matrices, one a lane."""
        return ("(const bb_real *const *)" if self.writes else "") + "q" + self.name

    @property
    def row(self) -> str:
        """The C text of the reals from one row to the next where rows are contiguous."""
        return str(product(f"ld{self.letter}" if self.strides.leading else self.stored_rows, self.parts))

    @property
    def reals(self) -> Any:
        """Real numbers of one matrix where it is stored."""
        packed = self.storage is not None and self.storage.triangle is not None
        elements = "rows * (rows + 1) // 2" if packed else "rows * cols"
        return product(evaluate(elements, {"rows": self.stored_rows, "cols": self.stored_cols}), self.parts)

    @property
    def columns(self) -> Size:
        """Contiguous runs of one matrix: its columns, or one run where they follow without gaps."""
        return self.stored_cols if self.strides.leading else 1

    @property
    def column_reals(self) -> Size:
        return product(self.stored_rows, self.parts, 1 if self.strides.leading else self.stored_cols)

    @property
    def runs(self) -> str:
        """The C text of the columns that vectors go through for a triangle: one where a ``whole`` run is moved."""
        return f"{self.stored_cols}" if self.strides.leading else f"(whole ? 1 : {self.stored_cols})"

    @property
    def spaced(self) -> bool:
        """Whether it is in blocks with a leading dimension."""
        return self.strides.leading and not self.gathered and self.nb > 0

    @property
    def column(self) -> str:
        """The C text of a run's distance from the matrix' first real, with a plus behind it."""
        if not self.strides.leading:
            return ""
        return f"c * ld{self.letter}{' * 2' if self.parts == 2 else ''} + "

    @property
    def run(self) -> str:
        """The C text of a pointer to a run."""
        return self.column + self.name

    @property
    def begins(self) -> str:
        """The C text of the reals in a run before those of a triangle in ``column``; a run is a column, or all."""
        return f"({self._above} + {'column' if self.wanted == 'L' else '0'}) * {self.parts}"

    @property
    def ends(self) -> str:
        """And up to their end."""
        return f"({self._above} + {self.stored_rows if self.wanted == 'L' else 'column + 1'}) * {self.parts}"

    @property
    def _above(self) -> str:
        return "0" if self.column else f"column * {self.stored_rows}"

    @property
    def numbers(self) -> Any:
        """The reals of the matrix that has it, of a triangle stored alone the other one too."""
        return product(self.stored_rows, self.stored_cols, self.parts)

    @property
    def column_numbers(self) -> Any:
        """And those of a column."""
        return product(self.stored_rows, self.parts)

    @property
    def row_numbers(self) -> Any:
        """And those of a row."""
        return product(self.stored_cols, self.parts)

    @property
    def diagonal(self) -> bool:
        """Whether its diagonal alone is in scratch, whose elements follow one another there."""
        return 0 in (self.view.rs, self.view.cs)

    @property
    def number(self) -> str:
        """The C text of where real ``r`` of a matrix, one of element ``row``, ``col``, lies from its first."""
        if not (self.strides.leading or self.strides is Strides.RS or self.outside.packed or self.diagonal):
            return "r" if self.outside.im == 1 else f"r * {self.outside.im}"
        return self._real(self.outside)

    @property
    def place(self) -> str:
        """The same in shared memory."""
        if self.apart == 1:
            return f"r * {self.view.im}"
        view = self.view.transposed() if self.strides.row_major else self.view
        flat = self.parts == 1 and view.cs == self.stored_rows and not self.by_rows_first
        return "r" if flat else self._real(view)

    def _real(self, view: View) -> str:
        part = f" + r % 2{f' * {view.im}' if view.im != 1 else ''}" if self.parts == 2 else ""
        return view.at("row", "col") + part

    @property
    def by_element(self) -> bool:
        """Whether what element a real is of tells where it lies."""
        return "row" in self.number + self.place or "col" in self.number + self.place

    @property
    def by_rows_first(self) -> str:
        """The C condition under which neighbours in a row are nearer than in a column, where only run time knows."""
        rs, cs = f"rs{self.letter}", f"cs{self.letter}"
        return f"{cs} * {cs} < {rs} * {rs}" if self.strides is Strides.RS else ""

    @property
    def row_of(self) -> str:
        """The C text of the row of real ``r``."""
        return f"r {'/ 2 ' if self.parts == 2 else ''}% {self.stored_rows}"

    @property
    def col_of(self) -> str:
        """And of its column."""
        return f"r / {self.column_numbers}"

    def own(self, matrix: str) -> str:
        """The C text of a pointer to a matrix in shared memory."""
        return f"block_{self.lands} + {matrix}{f' * {self.apart}' if self.apart != 1 else ''}"

    def matrix(self, index: str) -> str:
        """The C text of a pointer to matrix ``index``, or to its lane in an interleaved block."""
        if self.storage is Layout.PP:
            return self.address.format(f"g->{self.name}[{index}]")
        if self.storage is Layout.ST:
            return f"g->{self.name} + {index} * g->stride_{self.letter}{' * 2' if self.parts == 2 else ''}"
        if self.storage is Layout.IL:
            return f"g->{self.name} + {index}"
        block = product(self.stored_cols, self.row, self.nb) if self.strides.leading else product(self.reals, self.nb)
        block = block if isinstance(block, int) else f"({block})"
        return f"g->{self.name} + {index} / {self.nb} * {block} + {index} % {self.nb}"

    def pointer(self, index: str, none: str = "NULL") -> str:
        """The C text of a pointer to matrix ``index``, ``none`` where nothing of it is read or written: an array
        of pointers may be missing then. Without headers, as NVRTC reads it, CUDA has no NULL."""
        return f"({self.needed} ? {self.matrix(index)} : {none})" if self.needed else self.matrix(index)

    @property
    def needed(self) -> str:
        """The C condition under which elements of a matrix are read or written; "" where it always holds, and where
        neither sizes nor memory have to be looked at to know where a matrix lies."""
        sides = dict.fromkeys((self.stored_rows, self.stored_cols))
        unknown = [f"{side} > 0" for side in sides if isinstance(side, str)]
        if not (self.storage is Layout.PP or (self.storage is Layout.ST and unknown)):
            return ""
        scaled = [self.reads_when] * (self.role is Role.IN and self.reads_when != "1")
        return " && ".join(["0"] if 0 in sides else unknown + scaled)

    def several(self, count: int) -> list[str]:
        """Pointers to ``count`` matrices from number p."""
        return [self.pointer(f"(p + {q})" if q else "p") for q in range(count)]
