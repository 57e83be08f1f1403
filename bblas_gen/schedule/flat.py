"""Matrices as flat runs of reals: which loads and shuffles bring the reals of a product to the lanes of a vector.

For matrices of a few rows a column fills no vector. A flat body puts as many columns of C into a vector as it holds,
or, where matrices follow one another without gaps, whole matrices; what op(A) and B must look like beside it is found
here, as windows on the matrices in memory and shuffles of them. Reals are numbered from the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..ir.views import View


@dataclass(frozen=True)
class Gather:
    """A vector: the loads from ``bases``, one or two, shuffled by ``mask``; no mask where the load is the vector."""

    bases: tuple[int, ...]
    mask: tuple[int, ...] = ()


@dataclass(frozen=True)
class Output:
    """One vector of C: how its old value is loaded, and how it is stored from real ``start``: whole, or in ``pieces``
    (offset, width) where more would be overwritten than is its own or will be written later."""

    old: Gather
    start: int
    pieces: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Step:
    """One step of k: the vectors of op(A), and for each vector of C which of them it takes and its factors from B, by
    parts (real, imaginary): a Gather, or the number of a real where all lanes share one."""

    a: tuple[Gather, ...]
    products: tuple[tuple[int, tuple[Gather | int, ...]], ...]


@dataclass(frozen=True)
class Tile:
    """Vectors of C that stay in registers together."""

    steps: tuple[Step, ...]
    outputs: tuple[Output, ...]


@dataclass(frozen=True)
class Shape:
    """A product of ``m`` x ``k`` and ``k`` x ``n`` elements of ``parts`` reals, in vectors of ``width`` reals, that
    hold columns of one matrix, or whatever reals follow one another in ``matrices`` of them."""

    m: int
    n: int
    k: int
    parts: int
    width: int
    matrices: int

    @property
    def height(self) -> int:
        """Reals in a column of C."""
        return self.m * self.parts

    @property
    def columns(self) -> int:
        """Columns of C in a vector; of one matrix."""
        return max(1, min(self.n, self.width // self.height))

    @property
    def reals(self) -> int:
        """Reals of C in all."""
        return self.matrices * self.n * self.height

    @property
    def step(self) -> int:
        """Reals from one vector of C to the next."""
        return self.width if self.matrices > 1 else self.columns * self.height

    @property
    def vectors(self) -> int:
        return -(-self.reals // self.step)

    def own(self, vector: int) -> range:
        """The reals of C that a vector computes."""
        return range(vector * self.step, min((vector + 1) * self.step, self.reals))


class Impossible(Exception):
    """Some vector takes more than one shuffle of two loads."""


def tiles(shape: Shape, a: View, b: View, vectors: int) -> tuple[Tile, ...]:
    """The body for ``shape`` with tiles of ``vectors`` vectors of C. Raises Impossible."""
    if shape.width < shape.height or (shape.matrices > 1 and shape.reals % shape.width):
        raise Impossible
    found = []
    for first in range(0, shape.vectors, vectors):
        group = range(first, min(first + vectors, shape.vectors))
        steps = tuple(_step(shape, a, b, group, step) for step in range(shape.k))
        found.append(Tile(steps, tuple(_output(shape, vector, group) for vector in group)))
    return tuple(found)


def _step(shape: Shape, a: View, b: View, group: range, step: int) -> Step:
    found: list[Gather] = []
    products = []
    for vector in group:
        left: list[int | None] = [None] * shape.width
        factors: list[list[int | None]] = [[None] * shape.width for _ in range(shape.parts)]
        for lane, real in enumerate(shape.own(vector)):
            matrix, rest = divmod(real, shape.n * shape.height)
            column, row = divmod(rest, shape.height)
            i, part = divmod(row, shape.parts)
            left[lane] = matrix * shape.m * shape.k * shape.parts + _real(a, i, step) + part
            for p in range(shape.parts):
                factors[p][lane] = matrix * shape.k * shape.n * shape.parts + _real(b, step, column) + p
        vector_a = gather(left, shape.matrices * shape.m * shape.k * shape.parts)
        if vector_a not in found:
            found.append(vector_a)
        total = shape.matrices * shape.k * shape.n * shape.parts
        products.append((found.index(vector_a), tuple(_factor(wanted, total) for wanted in factors)))
    return Step(tuple(found), tuple(products))


def _factor(wanted: Sequence[int | None], total: int) -> Gather | int:
    numbers = {p for p in wanted if p is not None}
    return numbers.pop() if len(numbers) == 1 else gather(wanted, total)


def _real(view: View, i: int, j: int) -> int:
    assert isinstance(view.rs, int)
    assert isinstance(view.cs, int)
    assert isinstance(view.factor, int)
    return view.factor * (i * view.rs + j * view.cs)


def _output(shape: Shape, vector: int, group: range) -> Output:
    own = shape.own(vector)
    old = gather([own[r] if r < len(own) else None for r in range(shape.width)], shape.reals)
    whole = own.start + shape.width <= shape.own(group[-1]).stop  # what else it overwrites, this tile writes later
    return Output(old, own.start, ((0, shape.width),) if whole else tuple(_pieces(len(own))))


def _pieces(reals: int) -> Iterator[tuple[int, int]]:
    """``reals`` cut into powers of two: (offset, width)."""
    offset = 0
    while offset < reals:
        width = 1 << (reals - offset).bit_length() - 1
        yield offset, width
        offset += width


def gather(positions: Sequence[int | None], total: int) -> Gather:
    """How lane r gets real number ``positions[r]`` (None: whatever) of ``total``, loading nothing else than these.
    Raises Impossible where one shuffle does not do it."""
    width = len(positions)
    wanted = sorted({p for p in positions if p is not None})
    if total < width:
        raise Impossible
    first = positions[0]
    if first is not None and first + width <= total and all(p in (None, first + r) for r, p in enumerate(positions)):
        return Gather((first,))
    bases = [_window(wanted, width, total)]
    rest = [p for p in wanted if p >= bases[0] + width]
    if rest:
        bases.append(_window(rest, width, total))
    if any(p >= bases[-1] + width for p in rest):
        raise Impossible
    found = Gather(tuple(bases), tuple(_lane(p, bases, width) for p in positions))
    if len(bases) == 1 and _is_misread(found.mask):
        others = range(max(0, wanted[-1] + 1 - width), min(wanted[0], total - width) + 1)
        bases = [next((x for x in others if x != bases[0]), -1)]
        if bases[0] < 0:
            raise Impossible
        found = Gather(tuple(bases), tuple(_lane(p, bases, width) for p in positions))
    return found


def _is_misread(mask: Sequence[int]) -> bool:
    """Whether gcc (12, at least) makes another shuffle of 8 doubles of it, with AVX-512: one by ``vpermilpd``, which
    stays in pairs. It asks of lanes 2 and 3 only that they are not of the first pair."""
    if len(mask) != 8 or max(mask[2:4]) < 4 or min(mask[2:4]) < 2:
        return False
    return max(mask[:2]) < 2 and {*mask[4:6]} <= {4, 5} and {*mask[6:]} <= {6, 7}


def _window(wanted: Sequence[int], width: int, total: int) -> int:
    """Where to load for as many of ``wanted`` as possible: at a multiple of the width if that loses none of them, so
    that several vectors share the load."""
    aligned = wanted[0] // width * width
    base = aligned if wanted[-1] < aligned + width else wanted[0]
    return min(base, total - width)


def _lane(position: int | None, bases: Sequence[int], width: int) -> int:
    if position is None:
        return 0
    source = next(i for i, base in enumerate(bases) if base <= position < base + width)
    return source * width + position - bases[source]


@dataclass(frozen=True)
class Work:
    """What a body issues: ``products`` (multiply-adds), loads of ``vectors`` and of ``scalars``, ``shuffles``,
    ``stores``; how many different ``masks`` shuffles have, which want registers; whether all vectors in memory are
    ``aligned`` to their width if the matrices are."""

    products: int
    vectors: int
    scalars: int
    shuffles: int
    stores: int
    masks: int
    aligned: bool


def work(width: int, found: Sequence[Tile]) -> Work:
    """Count what a body issues."""
    products = vectors = scalars = shuffles = stores = 0
    bases: set[int] = set()
    masks: set[tuple[int, ...]] = set()
    for tile in found:
        loaded: set[tuple[str, int]] = set()
        shared: set[int] = set()
        for step in tile.steps:
            loaded |= {("a", base) for a in step.a for base in a.bases}
            shuffles += sum(bool(a.mask) for a in step.a)
            masks |= {a.mask for a in step.a}
            for _, factors in step.products:
                products += len(factors)
                gathers = {f for f in factors if isinstance(f, Gather)}
                shuffles += sum(bool(f.mask) for f in gathers)
                masks |= {f.mask for f in gathers}
                loaded |= {("b", base) for f in gathers for base in f.bases}
                shared |= {f for f in factors if isinstance(f, int)}
        loaded |= {("c", base) for out in tile.outputs for base in out.old.bases}
        shuffles += sum(bool(out.old.mask) + len(out.pieces) - 1 for out in tile.outputs)
        stores += sum(len(out.pieces) for out in tile.outputs)
        vectors, scalars = vectors + len(loaded), scalars + len(shared)
        bases |= {base for _, base in loaded}
        masks |= {out.old.mask for out in tile.outputs}
    aligned = not any(base % width for base in bases)
    return Work(products, vectors, scalars, shuffles, stores, len(masks - {()}), aligned)


def cycles(work: Work, width: int, real_bytes: int) -> float:
    """Cycles of a flat body. Shuffles go to one port, which the widest vectors share with products, and those of single
    precision take longer; columns that are no whole vectors often straddle two cache lines, the widest always."""
    nbytes = width * real_bytes
    shuffles = work.shuffles * (1.2 if real_bytes == 4 else 1)
    arithmetic = (work.products + shuffles) / 2 if nbytes == 64 else work.products / 2
    straddling = 0 if work.aligned else nbytes / 64
    loads = (work.vectors * (1 + straddling) + work.scalars) / 2
    issued = work.products + work.shuffles + work.vectors + work.scalars + work.stores
    return (max(arithmetic, shuffles, loads, work.stores) + issued / 16) * (1.25 if straddling == 1 else 1)
