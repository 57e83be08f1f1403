"""Products of large symmetric and Hermitian matrices, which are packed from both sides of the diagonal."""

from __future__ import annotations

from itertools import cycle

import numpy as np
import pytest
from support.any_size import DTYPES, call
from support.extended import symmetric
from support.layouts import bits
from support.table import ORACLES

from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime import kernels
from bblas_gen.runtime.library import source_here

KC, BATCH = 11, 2
CASES = [
    "bb_dsymm_ll_st_mn_ld",
    "bb_zhemm_ru_st_mn_ld",
    *(
        pytest.param(symbol, marks=pytest.mark.thorough)
        for symbol in (
            "bb_dsymm_rl_st_mn",
            "bb_ssymm_lu_st_mn_rmld",
            "bb_dsymm_ru_st_mn_rm",
            "bb_dsymm_rl_st_mn_rs",
            "bb_zsymm_rl_pp_mn_ld",
            "bb_csymm_lu_st_mn_rs",
            "bb_zhemm_ll_st_mn_rmld",
            "bb_chemm_lu_st_mn_ld",
            "bb_chemm_rl_st_mn_rs",
        )
    ),
]


def small(symbol):
    """The kernel with short panels, and blocks of two tiles."""
    spec = KernelSpec.parse(symbol)
    tile = source_here(spec, form="blocked").schedule
    return kernels.kernel(spec, form="blocked", kc=KC, mc=2 * tile.mr, mp=17 * tile.mr, nc=17 * tile.nr)


def shapes(kernel):
    """Orders around panels, tiles, blocks and slivers that are packed together."""
    found = kernel.source.schedule
    orders = [0, 1, KC - 1, KC, KC + 1]
    for size in (found.mr, found.mc, found.nr, found.nc, found.mp):
        orders += [size - 1, size + 1]
    others = cycle((1, found.nr + 1, 3, found.mr - 1))
    right = kernel.spec.flag["side"] == "R"
    found = [*zip(orders, others, strict=False), (2 * found.mc + 1, 16 * found.nr + 1)]
    return [dict(zip("nm" if right else "mn", both, strict=True)) for both in found]


@pytest.mark.parametrize("symbol", CASES)
def test_variants(symbol, rng):
    kernel = small(symbol)
    oracle, flags, is_complex = ORACLES[kernel.spec.op], kernel.spec.flag, kernel.spec.p.complex
    scalars = cycle([(1, 0), (0.5, -2), (-1.25 + 1j, 1.5 - 0.5j) if is_complex else (-1.25, 1)])
    for number, sizes in enumerate(shapes(kernel)):
        before = oracle.make(rng, BATCH, sizes, flags, DTYPES[kernel.spec.precision])
        values = dict(zip(("alpha", "beta"), next(scalars), strict=True))
        after, _ = call(kernel, sizes, before, values)
        assert oracle.error(before, after, flags, values) < oracle.bound, (sizes, values)
        threaded, _ = call(kernel, sizes, before, values, threads=2 + number % 4)
        assert bits(after["C"]) == bits(threaded["C"]), (sizes, values)


def test_nothing_that_is_not_asked_for_is_read(rng):
    """alpha = 0 reads neither factor, beta = 0 not C."""
    kernel, sizes = small("bb_zhemm_ru_st_mn_ld"), {"m": 9, "n": 13}
    before = ORACLES["hemm"].make(rng, BATCH, sizes, kernel.spec.flag, "complex128")
    empty = {name: np.full_like(before[name], np.nan) for name in "AB"}
    found, _ = call(kernel, sizes, before | empty, {"alpha": 0, "beta": 2})
    assert np.array_equal(found["C"], 2 * before["C"])
    found, _ = call(kernel, sizes, before | {"C": np.full_like(before["C"], np.nan)}, {"alpha": 1, "beta": 0})
    assert np.isfinite(found["C"]).all()


@pytest.mark.thorough
def test_the_bits_of_complex_products_are_those_of_lanes(rng):
    spec, sizes = KernelSpec.parse("bb_zhemm_lu_st_mn_ld"), {"m": 21, "n": 17}
    before = ORACLES["hemm"].make(rng, BATCH, sizes, spec.flag, "complex128")
    values = {"alpha": 1.3 - 0.7j, "beta": -0.25 + 2j}
    found = [call(kernels.kernel(spec, form=form), sizes, before, values)[0]["C"] for form in ("blocked", "lane")]
    assert bits(found[0]) == bits(found[1])


def test_the_bits_are_those_of_a_product_with_all_of_the_matrix(rng):
    """In both memory orders."""
    sizes, values = {"m": 61, "n": 9}, {"alpha": 0.75, "beta": -1.5}
    before = ORACLES["symm"].make(rng, BATCH, sizes, {"side": "L", "uplo": "L"}, "float64")
    full = symmetric(before["A"], "L", False).astype(float)
    product, _ = call(small("bb_dgemm_nn_st_mnk_ld"), sizes | {"k": 61}, before | {"A": full}, values)
    for symbol in ("bb_dsymm_ll_st_mn_ld", "bb_dsymm_ll_st_mn_rmld"):
        found, _ = call(small(symbol), sizes, before, values)
        assert bits(found["C"]) == bits(product["C"]), symbol
