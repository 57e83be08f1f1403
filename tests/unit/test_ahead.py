"""Where kernels of separate matrices prefetch those to come: a line as one is moved, not all at once."""

from __future__ import annotations

import re

import pytest

import bblas_gen as bb
from bblas_gen.codegen.render import source_of
from bblas_gen.codegen.row_blocks import RowBlocks, widths
from bblas_gen.ir.targets import Isa


def text(symbol):
    return source_of(bb.KernelSpec.parse(symbol), Isa(64)).text


def moves(symbol):
    """What is prefetched, by the function that moves it next."""
    return re.findall(r"bb_coming\((?:\(const bb_real \*const \*\))?(.*?),.*\);\s+bb_(\w+?)\d+\(", text(symbol))


@pytest.mark.parametrize(
    ("symbol", "found"),
    [
        ("bb_dpotrfk_l_pp_n9", {("g->A + p + coming", "pack"), ("g->OUT + p + coming", "unpack")}),
        ("bb_dgetrf_st_m9n9", {("qA", "pack")}),
        ("bb_dgetrf_st_m9n9_rm", {("qA", "unpack")}),
        ("bb_dgesvk_st_n9nrhs2_rm", {("qB", "pack"), ("qOUT", "unpack")}),
        ("bb_dposv_l_pp_n9nrhs2", {("g->A + p + coming", "pack"), ("g->B + p + coming", "pack")}),
    ],
)
def test_lines_to_come_are_prefetched_as_others_are_moved(symbol, found):
    assert set(moves(symbol)) == found
    steps = 2 * (symbol == "bb_dgesvk_st_n9nrhs2_rm")  # that have something right of them: the pivot, and lanes
    assert text(symbol).count("BB_PREFETCH(") == 2 + 2 * steps  # its definition, one for all, the two lines of a row


@pytest.mark.parametrize(
    ("order", "lanes", "vector"),
    [(9, 8, 64), (16, 8, 64), (17, 16, 64), (24, 8, 64), (32, 8, 64), (47, 8, 64), (10, 4, 32), (16, 4, 32)],
)
def test_rows_to_come_are_shared_out_evenly_by_the_steps_of_blocks(order, lanes, vector):
    by, steps = RowBlocks(order, *widths(order, lanes, vector), lanes, 1, diagonal=False, registers=32), 0
    for segment in by.before_last:
        for j in range(segment.start, segment.stop, segment.size):
            steps += lanes + sum(order - j - q - 1 for q in range(0, segment.size, by.every))
    assert (by.asked - 1) * steps < order * lanes <= by.asked * steps
    assert by.asked == 1 or by.every == 1


@pytest.mark.parametrize(
    ("symbol", "order", "lanes", "asked", "steps"),
    [
        ("bb_dgesvk_st_n9nrhs2_rm", 9, 8, 5, 2),  # a column: its pivot and what is right of it
        ("bb_sgesvk_st_n17nrhs2_rm", 17, 16, 3, 10),
        ("bb_dgesvk_st_n16nrhs2_rm", 16, 8, 1, 10),
        ("bb_dgesvk_st_n24nrhs2_rm", 24, 8, 1, 18),
        ("bb_dgesvk_st_n32nrhs2_rm", 32, 8, 1, 10),  # every second pivot, so that they go on to the last block
    ],
)
def test_rows_to_come_are_counted_by_all_steps(symbol, order, lanes, asked, steps):
    by_blocks = text(symbol)
    loops = re.findall(r"for \(int asked = 0; (.*)\) \{", by_blocks)
    assert loops == [f"asked < {asked} && coming < A_rows + {lanes}; asked++"] * steps
    ends = re.findall(r"\(\+\+coming_row == (\d+)\) \{\s+coming_row = 0;\s+coming\+\+;", by_blocks)
    assert ends == [str(order)] * steps
    assert by_blocks.count("int64_t coming_row = 0;") == 1  # no step begins anew


def test_nothing_is_prefetched_a_matrix_at_a_time():
    assert "line + b" not in text("bb_dgesvk_st_n9nrhs2_rm")
    assert "line + b" in text("bb_dpotrf_l_st_n32")  # a form that moves blocks alone


def test_what_is_fetched_row_by_row_is_prefetched_once_a_line():
    assert "A_ahead && j % 8 == 0" in text("bb_dgesvk_st_n9nrhs5_rm")
    assert "A_ahead && j % 16 == 0" in text("bb_sgesvk_st_n12nrhs5_rm")
    by_blocks = text("bb_sgesvk_st_n17nrhs2_rm")  # the first has a column, and a row two lines
    assert re.findall(r"BB_PREFETCH\(row \+ (\d+), 0\)", by_blocks)[:2] == ["0", "16"]


def test_leading_dimensions_do_not_hinder_it():
    assert set(moves("bb_dgesvk_st_n9nrhs2_rmld")) == set(moves("bb_dgesvk_st_n9nrhs2_rm"))
    assert "BB_PREFETCH" not in text("bb_dpotrf_l_st_n32_ld")  # what is prefetched at once has no gaps


@pytest.mark.parametrize("n", [8, 11, 12])
def test_what_a_factor_is_a_copy_of_is_prefetched_by_its_tiles(n):
    """All lines of a vector of matrices, and no more than each tile has its share of."""
    symbol = f"bb_dpotrfkc_l_st_n{n}_rm"
    assert set(moves(symbol)) == {("qOUT", "unpack")}
    lines, down = len(set(re.findall(r"BB_PREFETCH\(ahead_A \+ (\d+)", text(symbol)))), -(-n // 4)
    assert 0 <= lines * down * (down + 1) // 2 - n * n < down * (down + 1) // 2


def test_results_that_are_stored_past_the_caches():
    """Whole ones of some lines, where each matrix is by itself."""
    past = {
        "bb_dpotrfkc_l_st_n8_rm": ["OUT"],
        "bb_sgesvk_st_n8nrhs16": ["OUT"],
        "bb_dpotrfkc_l_st_n7": [],  # 392 bytes
        "bb_dgetrf_st_m16n16": [],  # read, too
        "bb_dpotrfkc_l_pp_n16": [],
        "bb_dpotrfkc_l_st_n16_ld": [],
        "bb_dgesvk_st_n16nrhs1": [],
    }
    found = {x: re.findall(r"uintptr_t\)q(\w+)\[0\] % 64", text(x)) for x in past}
    assert found == past
    assert "bb_past" not in source_of(bb.KernelSpec.parse("bb_dpotrfkc_l_st_n16"), Isa(16)).text


@pytest.mark.parametrize(
    ("symbol", "times"),
    [
        ("bb_dgemm_tn_st_m16n1k16", 2),  # a loop for each vector of rows
        ("bb_dgemm_tn_st_m20n3k21", 6),  # and the last, overlapping blocks
        ("bb_zgemm_cn_st_m8n1k8", 1),  # two vectors of four rows together
        ("bb_dgemm_tn_st_m12n1k12", 0),  # few blocks, most of which would overlap
        ("bb_dgemm_tn_st_m16n16k16", 0),  # many columns share a panel
        ("bb_dgemm_nn_st_m16n1k16", 0),
    ],
)
def test_rows_are_prefetched_by_the_blocks_that_are_turned(symbol, times):
    """Each line of the next matrix once: the shares of all blocks are a matrix."""
    found = text(symbol)
    assert len(re.findall(r"l \+ \d+ <= steps|if \(steps\)", found)) == times
    assert ("bb_turn(" in found) is bool(times)
    if symbol == "bb_dgemm_tn_st_m16n1k16":
        assert [int(x) for x in re.findall(r"prefetch\(ahead_A \+ (\d+), 0, 2\)", found)] == [*range(0, 512, 64)] * 2
        assert found.count("ahead_A += 512;") == 2  # in two steps each: 2 KB
        assert found.count("ahead_B += 64;") == 1
