"""How many registers of a GPU, words of 32 bits, tiles and whole matrices take, and how many they may."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from ..ir.canonical import Body
from ..ir.program import Program
from ..ir.terms import Diag, Kind, Layout, Role, Side
from .lane import brought_along, sides
from .registers import BLOCKS, WORDS

PART = {"bi": 96, "il": 64}
"""By addressing the words of a tile where it is a part of a matrix, and loops go over tiles; and of what a sequence of
which nothing is known keeps from body to body."""
OWN = {"bi": (288, 288), "il": (128, 100)}
"""By addressing the words, and the numbers, of all operands of a sequence up to which its own matrices were in
registers: compilers keep addresses, too, where each number has one."""
COPIED = 190
"""Words of a tile that was copied before, and of the addresses of its numbers, up to which both were in registers."""
CACHED = 768
"""Bytes of a matrix that a first-level cache of 192 KB has for each of 256 threads."""


class Shape(NamedTuple):
    """Rows and columns of what a body has in registers of what it writes, and whether it holds its factor there."""

    rows: int
    cols: int
    held: bool = False


def tile_shape(body: Body) -> Shape:
    """All of what a body writes, in its canonical case."""
    if body.row.fetched:
        rows, cols = sides(body, body.row.fetched[0])
        return Shape(max(1, rows), max(1, cols))
    if not body.row.tile_shape:
        return Shape(1, 1)
    rows, cols = (max(1, body.size[name]) for name in body.row.tile_shape)
    return Shape(cols, rows) if body.flag.get("side") is Side.R else Shape(rows, cols)


def held_shape(body: Body) -> Shape:
    """A column beside the factor."""
    return Shape(tile_shape(body).rows, 1, held=True)


def tile_words(program: Program, body: Body, tile: Shape) -> int:
    """The registers of 32 bits that a tile takes, with a column beside it: of a triangle its half, if it is whole. One
    of which rows are exchanged has one more beside it, and what is brought along."""
    rows, cols, held = tile
    beside = 1 + (brought_along(body, program.p.parts) + 1 if body.row.fetched else 0)
    triangle = held or (tile == tile_shape(body) and any(x.triangle for x in body.row.outputs))
    elements = rows * (rows + 1) // 2 if triangle else rows * cols
    return (elements + beside * rows) * element_words(program)


def beyond(program: Program, tile: Shape) -> int:
    """What is known is known of square tiles: of longer ones compilers load more ahead, so they count as more, most
    where each element of a long triangle has an address of its own."""
    times = 3 if addressing(program) == "il" else 1
    longer = max(tile.rows, tile.cols) - 2 * min(tile.rows, tile.cols)
    return 0 if tile.held else max(0, longer) * element_words(program) * times


def sequence_words(program: Program) -> int:
    """The registers that all operands of a sequence take."""
    spec, matrices = program.spec, [x for x in program.row.matrices if x.kind is not Kind.INDEX]
    return sum(x.elements(spec.extents) for x in matrices) * element_words(program)


def in_registers(program: Program) -> bool:
    """Whether all operands of a sequence are in registers together."""
    return sequence_words(program) <= most_words(program)


def intermediates(program: Program) -> bool:
    """Whether a sequence has matrices of its own, which are arrays of a thread: in registers, or in local memory."""
    return any(x.role is Role.SCRATCH and x.kind is not Kind.INDEX for x in program.row.matrices)


def keeps_intermediates(program: Program) -> bool:
    """Whether registers suffice for matrices of a sequence's own, if it has any."""
    words, parts = sequence_words(program), program.p.parts
    most, numbers = OWN[addressing(program)]
    return not intermediates(program) or (words <= most and words // element_words(program) * parts <= numbers)


def passed_on(program: Program) -> bool:
    """Whether bodies still find in registers, or in a cache, what others had before them."""
    sizes = {x.name: x.elements(program.spec.extents) * program.p.bytes_of(x.kind) for x in program.row.matrices}
    each = sum(sizes[name] for name, count in _users(program).items() if count > 1)
    if copied(program):  # which are written again when all else has come
        each = sum(sizes[x.name] for x in program.row.parameters)
    return in_registers(program) or each <= CACHED


def copied(program: Program) -> set[str]:
    """The results that are copies before they are worked on."""
    users = _users(program)
    copies = {body.operands[1] for body in program.bodies if body.row.copies and users[body.operands[1]] > 1}
    return copies & {x.name for x in program.row.outputs}


def _users(program: Program) -> Counter[str]:
    """How many bodies have an operand."""
    return Counter(name for body in program.bodies for name in {*body.operands})


def whole_words(program: Program, body: Body) -> int:
    """The most registers that all of what a body writes may take."""
    most = most_words(program, body)
    if addressing(program) == "bi" or not copied(program) & body.writes:
        return most
    numbers = sum(x.elements(body.size) for x in body.row.outputs) * program.p.parts
    return min(most, COPIED - 2 * numbers)


def most_words(program: Program, body: Body | None = None, blocks: int = 1) -> int:
    """The most registers that a whole matrix may take in a body, or all may take in the sequence, where so many blocks
    are on a multiprocessor."""
    known = limits(program, body)
    return known[BLOCKS.index(blocks)] if known else PART[addressing(program)]


def holds(program: Program, body: Body) -> bool:
    """Whether registers suffice for the factor."""
    known = limits(program, body, held=True) if body.row.holds else []
    return bool(known) and tile_words(program, body, held_shape(body)) <= known[0]


def limits(program: Program, body: Body | None = None, *, held: bool = False) -> list[int]:
    """The same for each number of BLOCKS, or of what is held; none where nothing is known of it."""
    row, diag = (body.row, body.flag.get("diag")) if body else (program.row, program.spec.flag.get("diag"))
    return WORDS[addressing(program)].get(limit_name(row.name, diag, held), {}).get(program.p.letter, [])


def limit_name(name: str, diag: object, held: bool = False) -> str:
    """The name of what is known of an operation: apart for unit diagonals, and where the factor is held, of which
    bodies are others."""
    return name + " unit" * (diag is Diag.U) + " held" * held


def addressing(program: Program) -> str:
    """How elements are addressed: in blocks by constants, else each by an address of its own, in registers too."""
    return "il" if Layout.IL in program.spec.layouts else "bi"


def element_words(program: Program) -> int:
    return program.p.parts * program.p.compute.bytes // 4
