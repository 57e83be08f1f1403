"""What threads share of one matrix: which pieces, and how many, by the shape alone."""

from __future__ import annotations

import re

import pytest

from bblas_gen.codegen.render import source_of
from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import Isa
from bblas_gen.schedule import blocked
from bblas_gen.schedule.choose import choose

PIECES = re.compile(r"by its (\w+)s\. \*/\n *const int64_t slices = .* \? (\d+) : 1;")
TAKEN = re.compile(r"const int64_t grain = slices > 1 \? (\d+) :")


@pytest.mark.parametrize(
    ("symbol", "kind", "count", "grain"),
    [
        ("bb_dgemm_nn_st_m48n50k48", "tile", 17, 3),
        ("bb_dgemm_tn_st_m48n50k48", "tile", 17, 3),
        ("bb_dgemm_nn_st_m40n40k40", "tile", 10, 2),  # the smallest
        ("bb_dsymm_ll_st_m100n64", "row", 3, 1),
        ("bb_dtrmm_llnn_st_m96n60", "column", 9, 1),
        ("bb_dtrmm_lltn_st_m96n60", "column", 9, 2),  # each packs A anew, so there are 8 parts at most
        ("bb_dtrmm_rlnn_st_m96n60", "row", 3, 1),
        ("bb_dtrsm_llnn_st_m60n80", "group", 5, 1),
    ],
)
def test_pieces(symbol, kind, count, grain):
    text = source_of(KernelSpec.parse(symbol), Isa(64)).text
    assert PIECES.search(text).groups() == (kind, str(count))
    assert set(TAKEN.findall(text)) == {str(grain)}


@pytest.mark.parametrize("symbol", ["bb_dgemm_nn_st_m40n40k39", "bb_dtrsm_llnn_st_m50n50", "bb_dpotrs_l_st_n64nrhs64"])
def test_small_matrices_and_sequences_have_none(symbol):
    assert not PIECES.search(source_of(KernelSpec.parse(symbol), Isa(64)).text)


@pytest.mark.parametrize(
    ("m", "k", "rows"),
    [(4096, 500, 24), (1 << 11, 1 << 10, 264), (1 << 14, 1 << 8, 2064), (1 << 20, 1 << 11, 264), (40, 1 << 20, 24)],
)
def test_rows_that_come_from_memory_are_shared_in_slices_of_many(m, k, rows):
    program = Program.of(KernelSpec.parse("bb_dgemm_nn_st_mnk_ld"))
    text = blocked.sliced(program, choose(program, Isa(64), form="direct")).rows
    found = re.sub(r"\(double\)", "", text).replace("/", "//")
    condition, few, many = re.fullmatch(r"\((.*) \? (.*) : (.*)\)", found).groups()
    names = {"m": m, "k": k, "bb_whole_step": min}
    assert eval(few if eval(condition, names) else many, names) == rows
