"""Every operation beyond GEMM against its oracle: flags, layouts, precisions, sizes, orders, what is not read."""

from __future__ import annotations

import numpy as np
import pytest
from oracles import ORACLES, stored
from reference import values
from test_gemm import DTYPES, as_layout, covering, lanes

import bblas_gen as bb
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.terms import FLAGS

BOUND = 30
LAYOUTS = ["st", "pp", "bi", "il"]
SCALARS = [(1, 0), (1, 1), (-0.5, 1.5), (0, 1)]


def letters(row, flag):
    """The letters of BLAS: a Hermitian update has no T, a symmetric one no C."""
    without = {"herk": "T", "her2k": "T", "syrk": "C", "syr2k": "C"}.get(row.name, "") + "R" * (flag != "side")
    return [str(x) for x in FLAGS[flag] if x not in without]


def check(row, dtype, sizes, batch, layouts, flags, orders, scalars):
    rng = np.random.default_rng([*sizes.values(), batch])
    oracle = ORACLES[row.name]
    before = oracle.make(rng, batch, sizes, flags, dtype)
    given = [as_layout(x, lay, o) for x, lay, o in zip(before.values(), layouts, orders, strict=False)]
    named = dict(zip(("alpha", "beta"), scalars, strict=True))
    if np.dtype(dtype).kind == "c":
        named = {n: x + 0.25j if x not in (0, 1) and n not in row.real_scalars else x for n, x in named.items()}
    plan = bb.plan(row.name, *given, **flags, **{n: x for n, x in named.items() if n in row.scalars})
    plan()
    after = {name: values(x) for name, x in zip(before, given, strict=True)}
    what = (row.name, dtype, sizes, batch, layouts, flags, orders, scalars)
    error = oracle.error(before, after, flags, named)
    assert error < BOUND, (what, error)
    written = oracle.written(flags)
    outputs = [x.name for x in row.outputs]
    for name, x in before.items():
        mask = np.zeros(x.shape[1:], bool) if name not in outputs else np.ones(x.shape[1:], bool)
        if name in written:
            mask = stored(x.shape[1:], *written[name])
        same = (after[name] == x) | (np.isnan(after[name]) & np.isnan(x))
        assert (same | mask).all(), (what, "written beyond its triangle", name)


@pytest.mark.parametrize("op", list(ORACLES))
def test_every_pair_of_choices(op):
    row = OPS[op]
    layouts = [(x,) * 3 for x in LAYOUTS] + [("bi", "st", "pp")]
    orders = [("C",) * 3, ("F",) * 3, ("C", "F", "C")]
    flags = [letters(row, flag) for flag in row.flags]
    sizes = [[0, 1, 5, "v+1"] for _ in row.sizes]
    for dtype, layout, batch, order, scalars, *rest in covering(
        11, DTYPES, layouts, ["1", "v-1", "2*v+3"], orders, SCALARS, *flags, *sizes
    ):
        v = {"v": lanes(dtype)}
        chosen = dict(zip(row.flags, rest, strict=False))
        extents = (x if isinstance(x, int) else eval(x, v) for x in rest[len(flags) :])
        named = dict(zip(row.sizes, extents, strict=True))
        check(row, dtype, named, eval(batch, v), layout, chosen, order, scalars)
