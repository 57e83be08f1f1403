"""What the operands of a kernel are to its templates, worked out from its program and schedule."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..ir import partition
from ..ir.operation import Operand
from ..ir.program import Program
from ..ir.sizes import Size, product
from ..ir.terms import Kind, Layout, Role, Strides
from ..schedule.lane import LINE, PANEL_COLUMNS, has_halves, prefetched_by_tile, stored_past
from ..schedule.schedule import Schedule
from .operand_text import OperandText
from .placement import in_scratch, outside
from .row_blocks import fetched_by_rows, row_blocks

_BEYOND = {"DL": "row < col", "DU": "row > col", "L": "row <= col", "U": "row >= col", "D": "row != col"}
"""By the parts of an operand, the C condition under which an element is of none of them."""


def operands_of(program: Program, schedule: Schedule) -> list[OperandText]:
    """The operands in table order, but for intermediates that no body uses."""
    used = {name for body in program.bodies for name in body.uses}
    rows = [row for row in program.row.matrices if row.role is not Role.SCRATCH or row.name in used]
    found = {row.name: _operand(program, schedule, row) for row in rows}
    for name, copy in landings(program, schedule).items():
        x = found[name]
        found[copy] = replace(found[copy], view=x.view, scratch=x.scratch, apart=x.apart, reads=False)
    return list(found.values())


def landings(program: Program, schedule: Schedule) -> dict[str, str]:
    """The copies that packing makes, by what is packed."""
    return program.landings if schedule.form == "lane" and schedule.gathers else {}


def _operand(program: Program, schedule: Schedule, row: Operand) -> OperandText:
    where, parts, letter = program.spec.where(row), program.p.parts_of(row.kind), row.name.lower()
    rows, cols = program.spec.stored(row)
    free = where is not None and not where.interleaved
    index = row.kind is Kind.INDEX  # vectors without gaps, whatever the matrices are
    spaced = not index and (free or program.spec.spaced)
    row_major = spaced and program.spec.strides.row_major
    if row_major:  # as columns: those of its transpose
        rows, cols = cols, rows
    gathered = where is None or (schedule.gathers and (free or schedule.gathers_all))  # else its own single lane
    strides = program.spec.strides if spaced else Strides.PACKED
    view, apart, scratch = in_scratch(program, schedule, row, rows, cols)
    by_pointers = schedule.form == "hybrid" and free and row.name in _where_they_lie(program)
    past = schedule.nontemporal_bytes and row.name in stored_past(program, schedule.width)
    found = outside(program, where, strides, letter, rows, parts)
    if by_pointers or not gathered:
        view = found
    wanted = program.triangle(row.name)
    by_vectors = gathered and free and not index and program.target.simd
    by_rows = by_vectors and row_major and row.name not in program.preserved and fetched_by_rows(program, row.name)
    return OperandText(
        name=row.name,
        kind=row.kind,
        role=row.role,
        storage=where,
        strides=strides,
        stored_rows=rows,
        stored_cols=cols,
        parts=parts,
        nb=program.spec.nb,
        view=view.transposed() if row_major else view,
        gathered=gathered,
        scratch=scratch,
        chunks=_chunks(program, schedule, product(rows, parts), cols, wanted, by_pointers) if by_vectors else (),
        wanted=wanted,
        reads=program.reads(row) and not by_rows,
        reads_when=_reads_when(program, row),
        lands=landings(program, schedule).get(row.name, row.name),
        by_rows=by_rows,
        row_chunks=_row_chunks(program, schedule, rows) if by_rows else {},
        by_pointers=by_pointers,
        coming=_coming(program, schedule, row, by_rows=by_rows) if by_vectors and not by_pointers else "",
        lines=_lines(program, schedule, row) if by_vectors else 0,
        past=LINE // program.p.storage.bytes if past else 0,
        beyond=_beyond(program, where, row.name),
        handed=_handed(program, schedule, row.name),
        apart=apart,
        outside=found,
        address=program.target.address,
    )


def _where_they_lie(program: Program) -> set[str]:
    """Operands of which bodies of a hybrid kernel bring blocks to lanes, or that are moved before."""
    pairs = (pair for body in program.bodies for pair in zip(body.row.matrices, body.operands, strict=True))
    return {name for x, name in pairs if x.triangle} | {name for move in program.moves for name in move.operands}


def _handed(program: Program, schedule: Schedule, name: str) -> bool:
    """Whether bodies get it, which copy parts of long vectors themselves."""
    own = not program.moves or schedule.form == "streamed"
    return own or any(name in body.operands for body in program.bodies)


def _coming(program: Program, schedule: Schedule, row: Operand, *, by_rows: bool) -> str:
    """What prefetches matrices to come of an operand that is moved by vectors."""
    where, strides = program.spec.where(row), program.spec.strides
    if not schedule.prefetch or program.by_step or strides is Strides.RS:
        return ""
    if row.name in prefetched_by_tile(program):
        return ""
    if by_rows:
        return "unpack" if row.role is not Role.IN else "rows" if where is Layout.ST else ""
    return "pack" if program.reads(row) else "unpack"


def _lines(program: Program, schedule: Schedule, row: Operand) -> int:
    """The cache lines of a vector of matrices of a line or two each, of operations that fetch such ahead always.
    Numbers have no pointers."""
    matrix: Any = product(*program.spec.stored(row), program.p.bytes_of(row.kind))
    wanted = any(body.row.prefetches == "lines" for body in program.bodies)
    fetches = schedule.prefetch and wanted and program.spec.where(row) is Layout.ST
    small = fetches and program.p.storage.bytes < matrix <= 2 * LINE
    return -(-matrix * schedule.width // LINE) if small else 0


def _beyond(program: Program, where: Layout | None, name: str) -> str:
    own = program.parts(name)
    if where is not None and where.triangle:
        own &= {where.triangle, "D"}
    return _BEYOND.get("".join(sorted(own)), "")


def _row_chunks(program: Program, schedule: Schedule, cols: int) -> dict[int, tuple[partition.Chunk, ...]]:
    """The vectors of a row of each panel of a matrix of ``cols`` columns."""
    halves = has_halves(schedule.width, program.p.storage.bytes)
    blocks = [found for body in program.bodies if (found := row_blocks(program, schedule, body))]
    panels = {x.size: x.size * program.p.parts for x in partition.segments(cols, PANEL_COLUMNS)}
    if blocks:
        panels = {n: blocks[0].padded(n) for n in (blocks[0].first, blocks[0].columns)}
    return {n: partition.chunks(reals, schedule.width, halves=halves) for n, reals in sorted(panels.items())}


def _chunks(
    program: Program, schedule: Schedule, column: Size, cols: Size, wanted: str, by_pointers: bool
) -> tuple[partition.Chunk, ...]:
    """The vectors that move a column, or a matrix without gaps, of ``column`` reals each: of a triangle those that hold
    something of it; or those of a column of a block, where bodies bring blocks to lanes ``by_pointers``. Of a run whose
    length only run time knows, those that there may be."""
    if by_pointers:
        return tuple(partition.Chunk(width, (0,)) for width in (schedule.width, schedule.width // 2))
    parts, halves = program.p.parts, has_halves(schedule.width, program.p.storage.bytes)
    if program.spec.strides is Strides.RS:
        return ()
    run = column if program.spec.strides.leading else product(column, cols)
    if isinstance(run, str):
        widths = (schedule.width >> step for step in range(schedule.width.bit_length()))
        return tuple(partition.Chunk(width, (0,)) for width in widths)
    if program.spec.strides.leading:
        return partition.chunks(run, schedule.width, halves=halves)
    assert isinstance(column, int)
    assert isinstance(cols, int)
    ranges = [
        (c * column + c * parts, (c + 1) * column) if wanted == "L" else (c * column, c * column + (c + 1) * parts)
        for c in range(cols if wanted else 0)
    ]
    return partition.chunks(run, schedule.width, halves=halves, wanted=ranges)


def _reads_when(program: Program, row: Operand) -> str:
    """The C condition under which a variant reads an operand: a zero alpha has one of its own, a zero beta has not.
    Vectors with an edge of an output's triangle in them must give the other triangle back as it was."""
    if row.scaled_by is None or (row.triangle and row.role is not Role.IN and program.target.simd):
        return "1"
    return f"{row.scaled_by}_is != 0" if row.role is Role.IN else f"BB_NONZERO({row.scaled_by}_is, {row.scaled_by})"
