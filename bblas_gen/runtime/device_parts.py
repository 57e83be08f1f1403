"""What the parts of a large problem are as calls of kernels: where their blocks lie, and what becomes a batch.

Nothing here asks a GPU. Addresses are not known yet: each is a name, of an operand or of memory to work in, and bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any

from ..arrays.form import MatrixForm
from ..ir.catalog import OPS
from ..ir.operation import Operand, Operation
from ..ir.recursion import Problem, problems
from ..ir.sizes import evaluate
from ..ir.spec import KernelSpec
from ..ir.terms import INDEX_BYTES, Kind, Layout, Letter, Precision, Role, Side
from .orient import KernelCall, match
from .state import MAX_CALLS

TILED = frozenset(row.name for row in OPS.values() if row.tiled)
SLICE = 32
"""Right-hand sides, or rows and columns of a copy, that a matrix of a batch has."""
ALIGNED = 256
WORK, INFO = "memory to work in", "info"
"""What addresses may point into beside operands."""
Address = tuple[str, int]
"""What an address points into, and bytes beyond it."""
Scalars = Mapping[str, complex]


@dataclass(frozen=True)
class Wanted:
    """A launch: of a kernel of ``spec``, or else of ``function``, which is one of ours for lists. ``arguments``: each a
    number or a name; ``places`` has those of names that are addresses, ``scalars`` those that are numbers. ``count``:
    matrices, or elements."""

    spec: KernelSpec | None
    function: str
    arguments: tuple[Any, ...]
    places: Mapping[str, Address]
    scalars: Scalars
    count: int


@dataclass(frozen=True)
class Room:
    """Where operands of a call lie (``forms``), for a ``batch`` of so many: those of the user, and ``at`` so many bytes
    of memory to work in matrices on the way, copies of what matrices that fail get back, and reports, ``size`` bytes in
    all."""

    p: Precision
    batch: int
    forms: Mapping[str, MatrixForm]
    at: Mapping[str, int]
    size: int
    indices: frozenset[str]

    @classmethod
    def of(
        cls,
        op: Operation,
        p: Precision,
        batch: int,
        forms: Mapping[str, MatrixForm],
        sizes: Mapping[str, int],
        letters: Mapping[str, Letter],
        kept: tuple[str, ...],
        parts: int,
    ) -> Room:
        """That of ``op``, with copies of what is ``kept``, and reports of so many ``parts`` of each matrix."""
        found, at, end = dict(forms), dict[str, int](), 0
        sides = {x.name: stored(x, letters) for x in op.matrices if x.role is Role.SCRATCH}
        shapes = {x: tuple(evaluate(side, op.extents(sizes, letters)) for side in y) for x, y in sides.items()}
        shapes |= {_copy_of(x): (forms[x].rows, forms[x].cols) for x in kept}
        for name, (rows, cols) in shapes.items():
            turned = name not in sides and forms[_original(name)].transposed().column_major
            rs, cs = (max(1, cols), 1) if turned else (1, max(1, rows))
            found[name] = MatrixForm(Layout.ST, rows, cols, rs, cs, rows * cols)
            at[name] = end
            end += -(-batch * rows * cols * p.itemsize // ALIGNED) * ALIGNED
        indices = frozenset(x.name for x in op.matrices if x.kind is Kind.INDEX)
        return cls(p, batch, found, at | {INFO: end}, end + 4 * batch * parts, indices)

    def place(self, name: str, row: int = 0, col: int = 0) -> Address:
        form = self.forms[name]
        beyond = (row * form.rs + col * form.cs) * (INDEX_BYTES if name in self.indices else self.p.itemsize)
        return (WORK, self.at[name] + beyond) if name in self.at else (name, beyond)

    def copied(self, name: str, *, back: bool) -> Wanted:
        """A copy of an operand to memory to work in, or ``back``, of matrices that failed."""
        ends = [name, _copy_of(name)]
        source, target = (self.forms[x] for x in (ends[::-1] if back else ends))
        places = dict(zip(("to", "from") if back else ("from", "to"), map(self.place, ends), strict=True))
        down = abs(target.rs) <= abs(target.cs)
        source, target = (x if down else x.transposed() for x in (source, target))
        words = self.p.itemsize // 4
        given = [x for form in (source, target) for x in (form.rs, form.cs, form.sb)]
        numbers = [*given, source.rows, source.cols, words]
        failed = [INFO] if back else [0]
        count = words * self.batch * source.rows * source.cols
        places |= {INFO: (INFO, 0)}
        return Wanted(None, "bb_copy", ("from", *numbers[:3], "to", *numbers[3:], *failed, count), places, {}, count)

    def reported(self, parts: int, order: int) -> Wanted:
        """What parts of so many rows reported becomes what matrices do."""
        places = {"reports": (WORK, self.at[INFO]), INFO: (INFO, 0)}
        return Wanted(None, "bb_first_report", ("reports", parts, order, INFO, self.batch), places, {}, self.batch)


def _copy_of(name: str) -> str:
    return f"{name} as it was"


def _original(name: str) -> str:
    return name.removesuffix(" as it was")


def stored(x: Operand, letters: Mapping[str, Letter]) -> tuple[str, str]:
    """The sides of an operand as it is stored."""
    turned = x.flag is not None and letters[x.flag].transposes  # type: ignore[union-attr]
    return (x.cols, x.rows) if turned else (x.rows, x.cols)


def listed(op: Operation, sizes: Mapping[str, int], letters: Mapping[str, Letter], order: int) -> Iterator[Problem]:
    """The parts of a problem, small ones of up to ``order`` rows; of what only reports blocks on the diagonal."""
    for one in problems(op, sizes, letters, order, TILED):
        if one.op.outputs or not one.op.info:
            yield one
            continue
        (whole,) = one.blocks
        for first in range(0, whole.rows, order):
            count = min(order, whole.rows - first)
            block = replace(whole, row=whole.row + first, col=whole.col + first, rows=count, cols=count)
            yield replace(one, blocks=(block,))


def calls(one: Problem, room: Room, scalars: Scalars, order: int) -> Iterator[Wanted]:
    """The launches that a problem comes to, parts of ``order`` rows being small. What falls into independent parts is a
    batch of them, and so are the matrices of the call: the larger one is that of kernels, the other one a loop."""
    op, letters = one.op, one.letters
    if op.name in PIVOTED:
        yield PIVOTED[op.name](one, room, order)
        return
    sides = {x.name: [op.size_name(side, letters) for side in stored(x, letters)] for x in op.matrices}
    lengths = dict[str, int]()
    for x, block in zip(op.matrices, one.blocks, strict=True):
        lengths |= dict(zip(sides[x.name], (block.rows, block.cols), strict=True))
    free = [] if op.tiled else [name for name in free_sizes(op, letters) if lengths[name] > SLICE]
    for parts in product(*(_slices(lengths[name]) for name in free)):
        yield from _batches(one, room, scalars, order, sides, dict(zip(free, parts, strict=True)))


def free_sizes(op: Operation, letters: Mapping[str, Letter]) -> list[str]:
    """The sizes along which an operation falls into independent parts."""
    exchanged = {"m": "n", "n": "m"} if letters.get("side") is Side.R else {}
    return [exchanged.get(name, name) for name in op.sliced]


def _slices(length: int) -> list[tuple[int, int, int]]:
    """Where slices begin, how long they are and how many there are: all alike, and what is left."""
    whole = length // SLICE
    rest = [(whole * SLICE, length % SLICE, 1)] if length % SLICE else []
    return [(0, SLICE, whole), *rest]


def _batches(
    one: Problem,
    room: Room,
    scalars: Scalars,
    order: int,
    sides: Mapping[str, list[str]],
    slices: Mapping[str, tuple[int, int, int]],
) -> Iterator[Wanted]:
    """The launches of slices that are alike, each along sizes from the first on, so long, so many of them."""
    counts = {"": room.batch} | {name: count for name, (_, _, count) in slices.items()}
    along = max(counts, key=counts.__getitem__)
    forms, first, steps = {}, {}, {}
    for x, block in zip(one.op.matrices, one.blocks, strict=True):
        form, corner, shape = room.forms[block.name], [block.row, block.col], [block.rows, block.cols]
        step = {"": form.sb}
        for i, (side, stride) in enumerate(zip(sides[x.name], (form.rs, form.cs), strict=True)):
            if side in slices:
                begin, length, _ = slices[side]
                corner[i], shape[i], step[side] = corner[i] + begin, length, SLICE * stride
        forms[x.name] = replace(form, rows=shape[0], cols=shape[1], sb=step.get(along, 0))
        first[x.name], steps[x.name] = room.place(block.name, *corner), step
    found = _found(one.op, room.p.letter, tuple(forms.items()), tuple(one.letters.items()))
    arguments = (*found.spec.sizes, *found.arguments) if one.op.tiled else found.arguments
    spec = replace(found.spec.any_size if one.op.tiled else found.spec, target="cuda")
    values = {own: _number(x, scalars) for own, x in zip(one.op.scalars, one.scalars, strict=True)}
    others = [name for name in counts if name != along]
    report = room.at[INFO] + 4 * room.batch * (one.blocks[0].row // order)
    for numbers in product(*(range(counts[name]) for name in others)):
        places = {INFO: (WORK, report)}
        for name, (base, beyond) in first.items():
            far = sum(i * steps[name].get(other, 0) for i, other in zip(numbers, others, strict=True))
            places[name] = base, beyond + far * room.p.itemsize
        yield Wanted(spec, "", arguments, places, values, counts[along])


def _panel(one: Problem, room: Room, order: int) -> Wanted:
    """The factorization of some columns, of all rows that are left."""
    matrix, pivots = one.blocks
    form, letter = room.forms[matrix.name], room.p.letter
    places = {"A": room.place(matrix.name, matrix.row, matrix.col), "ipiv": room.place(pivots.name, pivots.row)}
    places[INFO] = WORK, room.at[INFO] + 4 * room.batch * (matrix.row // order)
    stride = room.forms[pivots.name].sb
    numbers = "A", form.rs, form.cs, form.sb, matrix.rows, matrix.cols, "ipiv", stride, matrix.row, INFO, room.batch
    return Wanted(None, f"bb_{letter}panel", numbers, places, {}, room.batch)


def _exchange(one: Problem, room: Room, order: int) -> Wanted:
    """Exchanges of rows, or of columns, that pivots tell."""
    matrix, pivots = one.blocks
    form, letter, across = room.forms[matrix.name], room.p.letter, one.letters["side"] is Side.R
    places = {"A": room.place(matrix.name, matrix.row, matrix.col), "ipiv": room.place(pivots.name, pivots.row)}
    steps = (form.cs, form.rs) if across else (form.rs, form.cs)
    lines, length = (matrix.rows, matrix.cols) if across else (matrix.cols, matrix.rows)
    first, back = matrix.col if across else matrix.row, int(one.letters["trans"].transposes)  # type: ignore[union-attr]
    told = room.forms[pivots.name].sb, pivots.rows, first, length, back, lines * room.batch
    numbers = ("A", *steps, form.sb, lines, "ipiv", *told)
    return Wanted(None, f"bb_{letter}exchange", numbers, places, {}, lines * room.batch)


PIVOTED = {"getrf": _panel, "laswp": _exchange}
"""What is done for any size by functions of ours, by operation."""


@lru_cache(MAX_CALLS)
def _found(
    op: Operation, precision: str, forms: tuple[tuple[str, MatrixForm], ...], letters: tuple[tuple[str, Letter], ...]
) -> KernelCall:
    return match(op, precision, dict(forms), dict(letters))


def _number(x: str | complex, scalars: Scalars) -> complex:
    """A scalar of a problem."""
    if not isinstance(x, str):
        return x
    return scalars[x[:-1]].conjugate() if x.endswith("*") else scalars[x]
