"""Planning takes no more for a large matrix: whatever a size is, it is not enumerated."""

from __future__ import annotations

import sys
from itertools import product

import pytest

from bblas_gen.codegen.render import render
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import MAX_SIZE, KernelSpec
from bblas_gen.ir.targets import Isa
from bblas_gen.ir.terms import FLAGS
from bblas_gen.schedule.choose import choose

STEPS = 4_000_000
"""Calls, and values of generators, to plan a kernel. The most that any takes is a tenth of them; where templates
are read first, half."""


class TooMany(Exception):
    pass


def planned(spec):
    """Choose and render, a bounded number of steps."""
    steps = 0

    def count(_frame, event, _argument):
        nonlocal steps
        steps += 1
        if steps > STEPS and "call" in event:
            sys.setprofile(None)
            raise TooMany(spec.symbol())

    sys.setprofile(count)
    try:
        program = Program.of(spec)
        return render(program, choose(program, Isa.of(64)))
    finally:
        sys.setprofile(None)


@pytest.mark.parametrize("op", OPS)
def test_the_largest_matrices_are_planned(op):
    row = OPS[op]
    last = {flag: list(FLAGS[flag])[1] for flag in row.flags}
    whole, long = dict.fromkeys(row.sizes, MAX_SIZE), dict.fromkeys(row.sizes, 3) | {row.sizes[0]: MAX_SIZE}
    for layout, (flags, sizes) in [*product(("st",), (({}, whole), (last, long))), ("bi", (last, whole))]:
        assert len(planned(KernelSpec.make(op, "d", layout, **sizes, **flags)).text) < 1 << 18


@pytest.mark.parametrize(
    "symbol", ["bb_dsyrk_ln_st_n5000k3", "bb_dsymm_ll_st_m5000n5000", "bb_dtrmm_rutn_pp_m5000n5000"]
)
def test_large_matrices_are_planned(symbol):
    assert planned(KernelSpec.parse(symbol)).text
