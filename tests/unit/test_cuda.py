"""The text of the second target: the same bodies as CUDA."""

from __future__ import annotations

import pytest
from support.cuda import EMPTY, SYMBOLS, text

from bblas_gen.codegen.render import template_folder


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
