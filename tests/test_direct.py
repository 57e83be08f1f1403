"""The direct forms of the operations beyond GEMM: each against its oracle, and against the lane form."""

from __future__ import annotations

import numpy as np
import pytest
from oracles import ORACLES, stored
from reference import values
from test_gemm import DTYPES, covering, lanes
from test_operations import BOUND, SCALARS, letters

import bblas_gen as bb
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import Isa
from bblas_gen.runtime import call, kernels
from bblas_gen.schedule.choose import choose

DIRECT = [row.name for row in OPS.values() if "direct" in row.algorithms and row.canonical_form]
STORAGE = ["st", "pp", "ld"]
TILES = [{}, {"rows": 1, "cols": 2}, {"rows": 2, "cols": 4}, {"rows": 3, "cols": 1}]


@pytest.fixture
def use(monkeypatch):
    """Exchanges kernels for those of another form, with a tile where one of that shape can be had."""

    def chosen(form, **tile):
        def kernel(spec, **_):
            try:
                return kernels.kernel(spec, form=form, **tile)
            except ValueError:
                return kernels.kernel(spec, form=form)

        monkeypatch.setattr(call, "kernel", kernel)

    return chosen


def placed(array, storage, order):
    """``array`` in memory as ``storage``: "ld" is a part of larger matrices, whose other elements are NaN."""
    if order == "F":
        array = array.swapaxes(1, 2)
    found = array.copy()
    if storage == "ld":
        batch, rows, cols = array.shape
        big = np.full((batch, rows + 2, cols + 3), np.nan, array.dtype)
        found = big[:, 1:-1, 1:-2]
        found[...] = array
    if order == "F":
        found = found.swapaxes(1, 2)
    return list(found) if storage == "pp" else found


def done(row, before, storage, order, flags, scalars):
    """What every operand is after the operation."""
    given = [placed(x, storage, order) for x in before.values()]
    named = {n: x for n, x in zip(("alpha", "beta"), scalars, strict=True) if n in row.scalars}
    plan = bb.plan(row.name, *given, **flags, **named)
    plan()
    return {name: values(x) for name, x in zip(before, given, strict=True)}


def complexes(row, dtype, scalars):
    """``scalars``, of complex types with imaginary parts where they may have them."""
    return tuple(
        x + 0.25j if np.dtype(dtype).kind == "c" and x not in (0, 1) and n not in row.real_scalars else x
        for n, x in zip(("alpha", "beta"), scalars, strict=True)
    )


@pytest.mark.parametrize("op", DIRECT)
def test_every_pair_of_choices(op, use):
    row, oracle = OPS[op], ORACLES[op]
    flags = [letters(row, flag) for flag in row.flags]
    sizes = [["1", "2", "v-1", "v", "v+1", "2*v+3"] for _ in row.sizes]
    for dtype, storage, order, tile, scalars, *rest in covering(
        3, DTYPES, STORAGE, "CF", TILES, SCALARS, *flags, *sizes
    ):
        chosen = dict(zip(row.flags, rest, strict=False))
        extents = [eval(x, {"v": lanes(dtype)}) for x in rest[len(flags) :]]
        named = dict(zip(row.sizes, extents, strict=True))
        before = oracle.make(np.random.default_rng(extents), 3, named, chosen, dtype)
        scale = complexes(row, dtype, scalars)
        use("direct", **tile)
        after = done(row, before, storage, order, chosen, scale)
        what = (dtype, storage, order, tile, scale, chosen, named)
        error = oracle.error(before, after, chosen, dict(zip(("alpha", "beta"), scale, strict=True)))
        assert error < BOUND, (what, error)
        for name, x in before.items():
            unwritten = np.full(x.shape[1:], name not in [o.name for o in row.outputs])
            if name in oracle.written(chosen):
                unwritten = ~stored(x.shape[1:], *oracle.written(chosen)[name])
            assert np.array_equal(after[name][:, unwritten], x[:, unwritten], equal_nan=True), (what, name)


@pytest.mark.parametrize("op", DIRECT)
@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_what_is_no_number_spreads_alike(op, order, dtype, use):
    """A NaN in an operand makes the same elements NaN in both forms; what is not read makes none."""
    row, n = OPS[op], lanes(dtype) + 3
    for chosen, scalars in zip(
        [dict(zip(row.flags, f, strict=True)) for f in covering(5, *[letters(row, flag) for flag in row.flags])],
        [(1, 0), (0, 1), (1, 1), (0, 0), (-0.5, 1.5)] * 9,
        strict=False,
    ):
        before = ORACLES[op].make(np.random.default_rng(n), 2, dict.fromkeys(row.sizes, n), chosen, dtype)
        for name, x in before.items():
            unread = {"alpha": 0, "beta": 1}.get(row.operand(name).scaled_by or "", -1)
            if unread >= 0 and scalars[unread] == 0:
                x[...] = np.nan
            elif name != "C":
                x[1, n // 2, n // 3] = x[0, n // 3, n - 2] = np.nan
        found = []
        for form in ("lane", "direct"):
            use(form)
            found.append(done(row, before, "st", order, chosen, complexes(row, dtype, scalars)))
        for name in before:
            lane, direct = (np.isnan(x[name]) for x in found)
            assert np.array_equal(lane, direct), (chosen, scalars, name)


@pytest.mark.parametrize("symbol", ["bb_zgemm_nn_st_m5n4k3", "bb_ztrmm_llnn_st_m5n4", "bb_zherk_ln_pp_n4k3"])
def test_a_machine_without_vectors_takes_one_lane(symbol):
    plan = choose(Program.of(KernelSpec.parse(symbol)), Isa.of(8))
    assert (plan.form, plan.width) == ("lane", 1)
