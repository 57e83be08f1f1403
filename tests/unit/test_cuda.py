"""The text of the second target: the same bodies as CUDA."""

from __future__ import annotations

import pytest
from support.cuda import EMPTY, SYMBOLS, text

import bblas_gen as bb
from bblas_gen.codegen.render import source_of, template_folder
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import Isa


@pytest.mark.parametrize("symbol", [symbol for symbol in SYMBOLS if symbol not in EMPTY])
def test_the_launcher_is_plain_c_and_the_body_knows_no_cpu(symbol):
    made = text(symbol).text
    assert f'extern "C" int {symbol}(' in made
    assert "void *stream" in made
    for habit in ("vector_size", "_OPENMP", "__builtin", "num_threads"):
        assert habit not in made


def test_both_targets_use_one_body():
    bodies = {path.name for path in (template_folder() / "op").iterdir()}
    assert {"gemm.lane.c", "lacpy.lane.c"} <= bodies
    assert not any("cuda" in name or "cpu" in name for name in bodies)


def test_threads_ask_for_the_kinds_of_scalars_of_a_sequence():
    """There are no variants for those that a user names; a zero and a one are themselves all the same."""
    row = bb.sequence([bb.step("gemm", "A", "B", "C", alpha="w", beta="v")]).row
    spec = KernelSpec.parse(f"bb_d{row.symbol}_bi_m2n2k2", "cuda", row)
    made = source_of(spec, Isa.of(64)).text
    for name in ("w_", "v_"):
        assert f"const int {name}_is = g->{name}_is;" in made
    assert "template" not in made
    assert "bb_kernel<<<" in made
