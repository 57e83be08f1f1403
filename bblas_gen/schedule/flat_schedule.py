"""The schedules of flat bodies: of which widths, of one matrix in a vector or several; and the bodies they have."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from math import gcd

from ..ir.operation import Operand
from ..ir.program import Program
from ..ir.targets import Isa
from ..ir.terms import Layout, Strides, Trans
from ..ir.views import View
from . import flat
from .prefetch import matrices_ahead
from .schedule import Schedule
from .work import break_even

MAX_FLAT = 256
"""Multiply-adds of a flat body, which has no loops."""


def vector_products(program: Program) -> int:
    """Multiply-adds of vectors in a flat body of one matrix."""
    return int(program.spec.size["n"] * program.spec.size["k"] * program.p.parts)


def alternatives(program: Program, isa: Isa, width: object) -> Iterator[tuple[float, Schedule]]:
    """Flat schedules with their cycles per matrix: of all widths, with one matrix in a vector, or several."""
    size, p = program.spec.size, program.p
    reals, products = size["m"] * size["n"] * p.parts, vector_products(program)
    if not 0 < reals * products <= reals * MAX_FLAT or program.spec.strides is not Strides.PACKED:
        return
    widths = [w for w in (2, 4, 8, 16) if max(2, p.parts) <= w <= isa.simd_bytes // p.compute.bytes]
    for w in widths if width is None else [w for w in widths if w == width]:
        several = w // gcd(reals, w)
        whole = all(layout is Layout.ST for layout in program.spec.layouts) and several * products <= MAX_FLAT
        for matrices in {1, several} if whole else {1}:
            k, ahead = size["k"], matrices_ahead(program)
            vectors = flat.Shape(**size, parts=p.parts, width=w, matrices=matrices).vectors
            cols = -(-vectors // -(-vectors * p.parts // (isa.registers * 9 // 32)))
            plan = Schedule("flat", w, 1, cols, k, k, ahead, p.default_nb, break_even(program), matrices)
            with suppress(ValueError):
                reals_in_vector, tiles = bodies(program, plan)[matrices]
                work = flat.work(reals_in_vector, tiles)
                if work.masks + p.parts * max(len(tile.outputs) for tile in tiles) <= isa.registers - 8:
                    yield flat.cycles(work, reals_in_vector, p.compute.bytes) / matrices, plan


def bodies(program: Program, schedule: Schedule) -> dict[int, tuple[int, tuple[flat.Tile, ...]]]:
    """The bodies of a flat kernel by the number of matrices they take at a time: their width and tiles.

    Where several matrices are taken there is one more body for the last few. Raises ValueError where there is none.
    """
    shape = {**program.spec.size, "parts": program.p.parts}
    flags = program.spec.flag.values()
    a, b = (_packed(program, x, letter) for x, letter in zip(program.row.matrices[:2], flags, strict=True))
    found = {}
    for matrices in sorted({1, schedule.matrices_per_vector}, reverse=True):
        width = schedule.width
        while matrices not in found:
            try:
                tile = schedule.cols if matrices == 1 else 1
                found[matrices] = width, flat.tiles(flat.Shape(**shape, width=width, matrices=matrices), a, b, tile)
            except flat.Impossible as error:
                width //= 2
                if matrices == schedule.matrices_per_vector or width < max(2, program.p.parts):
                    wanted = f"width = {schedule.width}, matrices_per_vector = {schedule.matrices_per_vector}"
                    symbol = program.spec.symbol()
                    raise ValueError(f"form = 'flat' with {wanted} is not available for {symbol}") from error
    return found


def _packed(program: Program, x: Operand, letter: Trans) -> View:
    """op(X) of a matrix without gaps."""
    rows, cols = program.spec.size[x.rows], program.spec.size[x.cols]
    return View(cols, 1, program.p.parts) if letter.transposes else View(1, rows, program.p.parts)
