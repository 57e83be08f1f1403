"""What direct bodies do, as data that their templates print: loops, tiles, loads, masks, steps of k, stores.

A tile of the output is some of the vectors that cover its columns by some columns. Its sums are re<vector>_<column>
and, of complex types, im. Addresses and masks are C text.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.views import Index, View, before
from ..schedule.lane import LINE
from .ahead import Ahead


@dataclass(frozen=True)
class Product:
    """``sum`` plus or minus (``sign``) vector ``a`` times the factor; in the lanes that ``blend`` takes, if not all."""

    sum: str
    sign: str
    a: str
    blend: str


@dataclass(frozen=True)
class Factor:
    """A real of the right factor, and the products with it."""

    name: str
    address: str
    products: tuple[Product, ...]


@dataclass(frozen=True)
class Step:
    """One step of k: the vectors of the left factor (name, address), then one factor after another."""

    loads: tuple[tuple[str, str], ...]
    factors: tuple[Factor, ...]


@dataclass(frozen=True)
class Steps:
    """Such a step for each l from ``first`` to ``last``, or ``backwards``. ``fetched``: addresses that are prefetched
    in each."""

    first: Index
    last: Index
    step: Step
    backwards: bool = False
    fetched: tuple[str, ...] = ()


@dataclass(frozen=True)
class Output:
    """A vector of the output: its number and sums, where it lies, the blend that keeps what lies in other lanes, and
    the one that makes imaginary parts zero; empty where all lanes are alike."""

    vector: int
    address: str
    sums: tuple[str, ...]
    inside: str
    real: str


@dataclass(frozen=True)
class Turned:
    """Steps of k of one of ``groups`` of vectors of the output, by ``number``: as many as a block has columns, again
    and again where they are ``repeated``; else the ``last`` ones of blocks that overlap their predecessors. Of each
    vector where the rows of the block begin, ``stride`` reals apart, and its ``steps``."""

    number: int
    groups: int
    repeated: bool
    last: int
    stride: str
    vectors: tuple[tuple[str, tuple[Step, ...]], ...]

    @property
    def again(self) -> str:
        """The C text of for which steps l it is done."""
        return f"for (int64_t l = 0; l + {self.last} <= steps; l += {self.last})" if self.repeated else "if (steps)"

    def bytes(self, x: Ahead) -> int:
        """What is prefetched of an operand beside the blocks: their share, or all beside the first ones."""
        whole = x.step * self.last
        if whole < LINE * self.groups:
            return 0 if self.number else whole
        return -(-whole // self.groups)

    def lines(self, x: Ahead) -> range:
        """The cache lines of that, by their first bytes."""
        return range(0, self.bytes(x), LINE)


@dataclass(frozen=True)
class Tile:
    """``sums`` by columns; ``starts`` are sums that begin with what lies somewhere (name, address); the steps of k in
    loops ``before`` and ``after`` those of the diagonal, each by itself, or all of them in ``turned`` blocks; the
    ``outputs`` by columns. ``names`` are those of numbers, with their C text."""

    sums: tuple[tuple[str, ...], ...]
    starts: tuple[tuple[str, str], ...]
    before: Steps | None
    diagonal: tuple[Step, ...]
    after: Steps | None
    outputs: tuple[tuple[Output, ...], ...]
    names: tuple[tuple[str, str], ...] = ()
    turned: tuple[Turned, ...] = ()


@dataclass(frozen=True)
class Loop:
    """The loop of ``variable`` from ``first`` to ``last``; in one step it is a block, or, ``alone``, nothing. Where
    only run time knows the ``end``, this is one of the steps that may be."""

    variable: str
    first: Index
    last: Index
    step: int
    backwards: bool = False
    alone: bool = False
    end: str = ""

    @property
    def repeats(self) -> bool:
        return bool(self.end) or before((self.first, self.step), self.last)

    @property
    def index(self) -> Index:
        return self.variable if self.repeats else self.first

    @property
    def turn(self) -> Index:
        """Where its last step begins, if both its ends are multiples of the step apart."""
        return (self.last, -self.step)


@dataclass(frozen=True)
class Looped:
    """What a loop goes through, as templates see steps."""

    loop: Loop

    @property
    def size(self) -> int:
        return self.loop.step

    @property
    def end(self) -> str:
        return self.loop.end


@dataclass(frozen=True)
class Columns(Looped):
    """Tiles beside one another."""

    tile: Tile


@dataclass(frozen=True)
class Pack:
    """Columns ``first`` to ``last`` of one vector of rows to real ``at`` of each column of the panel: ``block`` is
    where some rows begin that are contiguous, ``stride`` apart, empty where none are; blocks begin before column
    ``end``, the ``latest`` overlaps another. ``real`` is real q of a vector."""

    at: int
    first: Index
    last: Index
    end: str
    latest: Index
    block: str
    stride: str
    real: str


@dataclass(frozen=True)
class MirrorPack:
    """Of a symmetric factor, for one vector of rows: columns ``first`` to ``last`` as they are ``stored``, ``block`` of
    the others, and the ``corner`` on the diagonal, which begins in row ``diagonal``."""

    at: int
    first: Index
    last: Index
    stored: str
    block: str
    corner: str
    diagonal: Index
    stride: str


@dataclass(frozen=True)
class Rows(Looped):
    """A row of tiles, and what is packed for it. ``names`` are those of numbers, with their C text."""

    packs: tuple[Pack, ...]
    mirrors: tuple[MirrorPack, ...]
    columns: tuple[Columns, ...]
    names: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Left:
    """The left factor: columns of vectors in memory, or in a panel as high as a tile."""

    name: str
    view: View
    packed: bool


@dataclass(frozen=True)
class Panel:
    """The panel of a kernel: ``height`` reals in a column, ``reals`` in all; ``across`` columns are brought to it at a
    time, by ``half`` vectors where these are joined of two halves."""

    height: int
    reals: int
    across: int
    half: int
    joined: bool


@dataclass(frozen=True)
class Mirror:
    """A column of a block on the diagonal: ``column`` of the panel, the blend that takes what is stored, and the one
    that makes an imaginary part zero; empty where none is needed."""

    number: int
    column: int
    stored: str
    real: str


@dataclass(frozen=True)
class Pass:
    """A function that goes once through a product: its left factor, which factors are conjugated, and
    its rows of tiles, with vectors of ``width`` reals and a ``panel`` of theirs. ``suffix``: that of the names of what
    is made for these, where a kernel has wider ones. ``turned``: whether blocks take the place of the panel."""

    name: str
    left: Left
    conj: tuple[bool, bool]
    rows: tuple[Rows, ...]
    width: int
    panel: Panel
    suffix: str = ""
    turned: bool = False
