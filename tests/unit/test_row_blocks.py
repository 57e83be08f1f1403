"""How many columns the blocks have by which LU goes where nobody reads the factors."""

from __future__ import annotations

import re

import pytest

import bblas_gen as bb
from bblas_gen.codegen.render import source_of
from bblas_gen.codegen.row_blocks import LARGEST, LAST, RowBlocks, widths
from bblas_gen.ir.targets import Isa

KINDS = [(8, 64), (16, 64), (4, 32), (8, 32), (4, 16)]
"""Lanes and bytes of vectors."""


@pytest.mark.parametrize(
    ("order", "lanes", "vector", "found"),
    [
        (9, 8, 64, (1, 8, 8)),
        (12, 8, 64, (4, 8, 8)),
        (13, 8, 64, (5, 4, 4)),  # no block of one column before another
        (16, 8, 64, (4, 4, 4)),
        (20, 8, 64, (4, 4, 4)),
        (21, 8, 64, (5, 8, 8)),  # beyond a level-1 cache
        (25, 8, 64, (9, 8, 8)),
        (16, 16, 64, (8, 8, 8)),
        (17, 16, 64, (9, 8, 8)),
        (10, 4, 32, (2, 4, 8)),
        (48, 4, 32, (4, 4, 4)),
        (24, 8, 32, (4, 4, 4)),
        (31, 8, 32, (7, 8, 8)),
    ],
)
def test_widths_follow_from_lanes_and_a_level_1_cache(order, lanes, vector, found):
    assert widths(order, lanes, vector) == found


@pytest.mark.parametrize(("lanes", "vector"), KINDS)
@pytest.mark.parametrize("order", range(LAST + 1, LARGEST + 1))
def test_blocks_cover_a_matrix_by_whole_vectors(order, lanes, vector):
    by = RowBlocks(order, *widths(order, lanes, vector), lanes, 1, diagonal=False, registers=Isa.of(vector).registers)
    ends = [0]
    for x in by.segments:
        assert x.start == ends[-1]
        ends += range(x.start + x.size, x.stop + 1, x.size)
    assert ends[-1] == order
    assert all((order - end) % by.columns == 0 for end in ends[1:])  # vectors of a row right of a block
    assert all((order - end) % by.group == 0 for end in ends[1:])  # rows below it
    assert all(by.columns <= lanes and x.size % by.columns == 0 for x in by.segments[1:])
    assert by.padded(by.first) <= order  # what is read of a row is there
    assert by.first > 1 or len(by.segments) == 2


@pytest.mark.parametrize(("lanes", "vector"), KINDS)
def test_what_is_reduced_together_is_in_registers(lanes, vector):
    registers = Isa.of(vector).registers
    by = RowBlocks(24, *widths(24, lanes, vector), lanes, 1, diagonal=False, registers=registers)
    for columns in (by.columns, by.last):
        most = by.side_by_side(columns)[0]
        assert most == 1 or (columns + by.group) * most < registers
        assert by.side_by_side(columns) == tuple(range(most, 0, -1))
        assert by.side_by_side(20) == (1,)


@pytest.mark.parametrize("symbol", ["bb_dgesvk_st_n16nrhs1_rm", "bb_sgesvk_st_n9nrhs3_rm"])
def test_only_one_function_decides_where_a_search_is_in_doubt(symbol):
    """It is not inlined: addresses of what it reads would be in registers that loops want."""
    text = source_of(bb.KernelSpec.parse(symbol), Isa(64)).text
    assert len(re.findall(r"static BB_NOINLINE void \w+_in_order\(", text)) == 1
    pivots = sum(x.size * x.repeats for x in _blocks(symbol).before_last if x.repeats == 1)
    between = sum(x.size for x in _blocks(symbol).before_last if x.repeats > 1)
    assert text.count("_in_order(chosen, moved,") == pivots + between


def _blocks(symbol):
    order, lanes = (16, 8) if symbol.startswith("bb_d") else (9, 16)
    return RowBlocks(order, *widths(order, lanes, 64), lanes, 1, diagonal=False, registers=32)
