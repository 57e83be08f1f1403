"""Where kernels of separate matrices prefetch those to come: a line as one is moved, not all at once."""

from __future__ import annotations

import re

import pytest

import bblas_gen as bb
from bblas_gen.codegen.render import source_of
from bblas_gen.ir.targets import Isa


def text(symbol):
    return source_of(bb.KernelSpec.parse(symbol), Isa(64)).text


def moves(symbol):
    """What is prefetched, by the function that moves it next."""
    return re.findall(r"bb_coming\((?:\(const bb_real \*const \*\))?(.*?),.*\);\s+bb_(\w+?)\d+\(", text(symbol))


@pytest.mark.parametrize(
    ("symbol", "found"),
    [
        ("bb_dpotrfkc_l_st_n9_rm", {("qA", "pack"), ("qOUT", "unpack")}),
        ("bb_dgetrf_st_m9n9", {("qA", "pack")}),
        ("bb_dgetrf_st_m9n9_rm", {("qA", "unpack")}),
        ("bb_dgesvk_st_n9nrhs2_rm", {("A_rows", "pack"), ("qB", "pack"), ("qOUT", "unpack")}),
        ("bb_dposv_l_pp_n9nrhs2", {("g->A + p + coming", "pack"), ("g->B + p + coming", "pack")}),
    ],
)
def test_lines_to_come_are_prefetched_as_others_are_moved(symbol, found):
    assert set(moves(symbol)) == found
    one_by_one = symbol == "bb_dgesvk_st_n9nrhs2_rm"  # rows that are reduced where they lie
    assert text(symbol).count("BB_PREFETCH(") == 2 + one_by_one  # its definition, and one for all


def test_nothing_is_prefetched_a_matrix_at_a_time():
    assert "line + b" not in text("bb_dgesvk_st_n9nrhs2_rm")
    assert "line + b" in text("bb_dpotrf_l_st_n32")  # a form that moves blocks alone


def test_what_is_fetched_row_by_row_is_prefetched_once_a_line():
    assert "A_ahead && j % 8 == 0" in text("bb_dgesvk_st_n9nrhs5_rm")
    assert "A_ahead && j % 16 == 0" in text("bb_sgesvk_st_n12nrhs5_rm")
    assert "A_ahead && t % 16 < 8" in text("bb_sgesvk_st_n12nrhs2_rm")


def test_leading_dimensions_do_not_hinder_it():
    assert set(moves("bb_dgesvk_st_n9nrhs2_rmld")) == set(moves("bb_dgesvk_st_n9nrhs2_rm"))
    assert "BB_PREFETCH" not in text("bb_dpotrf_l_st_n32_ld")  # what is prefetched at once has no gaps
