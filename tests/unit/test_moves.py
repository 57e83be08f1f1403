"""What variants do before their operation, where matrices lie: the forms that they have, and the text."""

from __future__ import annotations

import re

import pytest

from bblas_gen.codegen.render import source_of
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import Isa
from bblas_gen.ir.variants import VARIANTS
from bblas_gen.schedule.choose import choose

OTHERS = {row.name: row for row in VARIANTS.values() if row.algorithms != ("lane",)}
SPECS = [
    ("trmm", "llnn_{}_m{n}n{n}{}"),
    ("trsm", "rutu_{}_m{n}n9{}"),
    ("trsv", "unn_{}_n{n}{}"),
    ("potrs", "l_{}_n{n}nrhs9{}"),
]


def test_variants_of_what_has_vectors_along_one_matrix_have_them_too():
    solvers = {"trsmk", "trsvk", "potrsk", "getrsnpk"}
    assert OTHERS.keys() == solvers | {"trmmk", "potrfk", "potrfc", "potrfkc", "axpyk", "scalk", "gerk", "gerck"}
    for row in OTHERS.values():
        own = OPS[row.variant_of]
        assert set(row.algorithms) == set(own.algorithms) or own.steps, row.name


@pytest.mark.parametrize("bytes", [16, 32, 64])
@pytest.mark.parametrize("precision", "sdcz")
def test_they_have_the_form_of_their_operation(precision, bytes):
    """So complex products, whose sums depend on the form, have the same bits."""
    for op, text in SPECS:
        for strides in ("", "_ld", "_rm"):
            for n in (1, 3, 8, 12, 17, 40):
                end = text.format("st", strides, n=n)
                plans = [
                    choose(Program.of(KernelSpec.parse(f"bb_{precision}{name}_{end}")), Isa.of(bytes))
                    for name in (op, f"{op}k")
                ]
                own, kept = ((x.form, x.width, x.rows, x.cols, x.kc) for x in plans)
                assert own[:2] == kept[:2], end
                assert own == kept or own[0] == "lane", end


def moves(symbol, form, isa=32):
    """The lines of a kernel that say what is moved."""
    text = source_of(KernelSpec.parse(symbol), Isa.of(isa), form=form).text
    return re.search(r"bb_moved\(.*?\n\}\n", text, re.S)[0]


def test_what_is_copied():
    assert "memcpy(OUT, A, 576 * sizeof(bb_real))" in moves("bb_dpotrfk_l_st_n24", "hybrid")
    by_columns = moves("bb_dtrsmk_llnn_st_m9n16_ld", "across")
    assert "c < 16" in by_columns
    assert "memcpy(c * ldout + OUT, c * ldb + B, 9 * sizeof(bb_real))" in by_columns
    assert "memcpy(c * ldout + OUT, c * ldb + B, 16 * sizeof(bb_real))" in moves(
        "bb_dtrsmk_llnn_st_m9n16_rmld", "across"
    )


def test_zeros_are_made_on_the_way():
    """By vectors whose elements are read where nothing was stored a moment before."""
    for uplo, strides, sign in (("l", "", ">="), ("u", "", "<="), ("l", "_rm", "<="), ("u", "_rm", ">=")):
        copied, own = (moves(f"bb_dpotrf{x}_{uplo}_st_n24{strides}", "hybrid") for x in ("kc", "c"))
        assert "memcpy" not in copied + own
        assert f"(rows {sign} (bb_int)c)" in copied
        assert f"(rows {sign} (bb_int)c)" in own
        assert "BB_LOAD(x, A + c * 24 + i)" in copied
        assert "BB_STORE(OUT + c * 24 + i, x)" in copied
        assert "BB_STORE(A + c * 24 + i, x)" in own


def test_who_shares_a_matrix_finds_it_copied():
    """Threads that share one matrix by pieces begin when all of it is copied."""
    text = source_of(KernelSpec.parse("bb_dtrsmk_llnn_st_m64n64"), Isa.of(32)).text
    assert re.search(r"if \(slices > 1\)\n +bb_moved\(&g, 0, batch_count\);", text)
    assert "if (slices == 1) bb_moved(g, p, p + 1);" in text
