"""The numerical contract: what is never read, what propagates, and that results are the same bit by bit."""

from __future__ import annotations

import numpy as np
import pytest
from reference import random, values

import bblas_gen as bb
from bblas_gen.codegen.context import FAR
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.terms import PRECISIONS
from bblas_gen.runtime import kernels
from bblas_gen.runtime.call import bind
from bblas_gen.runtime.marshal import ffi, scalar

DTYPES = [row.dtype for row in PRECISIONS.values()]
LAYOUTS = ["st", "pp", "bi", "il"]
NAN = float("nan")


def make(array, layout):
    if layout == "st":
        return array.copy()
    if layout == "pp":
        return [x.copy() for x in array]
    return bb.interleave(array, nb="full" if layout == "il" else None)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_beta_of_zero_does_not_read_c(layout, dtype, rng):
    a, b = (random(rng, (11, 5, 5), dtype) for _ in range(2))
    for alpha in (1, 0.5, 0):
        c = make(np.full((11, 5, 5), NAN, dtype), layout)
        bb.gemm(make(a, layout), make(b, layout), c, alpha=alpha)
        assert np.isfinite(values(c)).all(), alpha


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_alpha_of_zero_reads_neither_a_nor_b(layout, dtype):
    bad = np.full((11, 5, 5), NAN, dtype)
    for beta, expected in ((0, 0), (1, 2), (0.5, 1)):
        c = make(np.full((11, 5, 5), 2, dtype), layout)
        bb.gemm(make(bad, layout), make(bad, layout), c, alpha=0, beta=beta)
        assert (values(c) == expected).all()


def test_alpha_of_zero_takes_null_pointers():
    kernel = bb.compile("gemm", m=5, n=5, k=5)
    c = np.full((3, 5, 5), 2.0)
    assert kernel(0.0, ffi().NULL, 25, ffi().NULL, 25, 0.5, ffi().from_buffer(c), 25, 3, 1) == 0
    assert (c == 1).all()
    for n in (3, 12, 40):  # flat, direct with prefetch, direct
        c = np.full((3, n, n), 2.0)
        pointers = ffi().new("double *[]", [ffi().from_buffer("double[]", x) for x in c])
        kernel = bb.compile("gemm", layout="pp", m=n, n=n, k=n)
        assert kernel(0.0, ffi().NULL, ffi().NULL, 0.5, pointers, 3, 1) == 0
        assert (c == 1).all()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("bad", [NAN, float("inf")])
def test_nan_and_inf_stay_in_their_matrix_and_are_never_skipped(layout, bad, rng):
    a, b = (random(rng, (19, 5, 5), "float64") for _ in range(2))
    clean = values(bb.gemm(make(a, layout), make(b, layout)))
    zeros = np.zeros_like(b)
    for lane in range(19):
        spoiled = a.copy()
        spoiled[lane, 2, 3] = bad
        found = values(bb.gemm(make(spoiled, layout), make(b, layout)))
        others = np.arange(19) != lane
        assert np.array_equal(found[others], clean[others])
        assert not np.isfinite(found[lane, 2]).any()
        assert np.array_equal(found[lane, [0, 1, 3, 4]], clean[lane, [0, 1, 3, 4]])
        times_zero = values(bb.gemm(make(spoiled, layout), make(zeros, layout)))
        assert np.isnan(times_zero[lane, 2]).all()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("alpha", "beta"), [(1, 0), (1, 1), (1.25, 0), (0.75, -1.5)])
def test_bitwise_independence(layout, dtype, alpha, beta, rng):
    """Of the place in the batch, its size, the neighbours and the number of threads."""
    for n in (2, 4, 7) if layout == "st" else (7,):
        check_bitwise_independence(layout, n, dtype, alpha, beta, rng)


def check_bitwise_independence(layout, n, dtype, alpha, beta, rng):
    a, b, c = (random(rng, (70, n, n), dtype) for _ in range(3))
    if dtype.startswith("complex") and alpha != 1:
        alpha, beta = alpha - 0.5j, beta * (1 + 0.3j)

    def run(index, **named):
        out = make(c[index], layout)
        bb.gemm(make(a[index], layout), make(b[index], layout), out, alpha=alpha, beta=beta, **named)
        return values(out)

    whole = run(np.arange(70), num_threads=1)
    for team in (2, 3, None):
        assert np.array_equal(run(np.arange(70), num_threads=team), whole)
    for start, stop in ((0, 1), (3, 4), (5, 22), (33, 70), (62, 69)):
        assert np.array_equal(run(np.arange(start, stop)), whole[start:stop]), (start, stop)
    order = np.random.default_rng(1).permutation(70)
    assert np.array_equal(run(order), whole[order])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("nb", "layout"), [(None, "bi"), (24, "bi"), (3, "bi"), ("full", "il")])
def test_padding_is_never_written(dtype, nb, layout, rng):
    for batch in (1, 5, 17, 31):
        a, b, c = (bb.interleave(random(rng, (batch, 5, 5), dtype), nb=nb) for _ in range(3))
        for x in (a, b, c):
            padding = x.lanes.reshape(-1, *x.lanes.shape[2:])[batch:]
            assert (padding == 0).all()
            if x.padding:
                x.data[-1, ..., x.nb - x.padding :] = NAN
        bb.gemm(a, b, c, beta=0.5)
        bb.gemm(a, b, c)
        bb.interleave(random(rng, (batch, 5, 5), dtype), c)
        if c.padding:
            assert np.isnan(c.data[-1, ..., c.nb - c.padding :]).all()
        assert np.isfinite(c.deinterleave()).all()


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_interleaved_storage_without_padding_is_not_overrun(dtype, rng):
    """Layout il with as many lanes as matrices, guarded in front and behind."""
    parts = 2 if dtype.startswith("complex") else 1
    real = "f4" if dtype == "float32" else "f8"
    for batch in (1, 3, 9, 21):
        operands, guarded = [], []
        for _ in range(3):
            shape = (1, 5, 5, 2, batch) if parts == 2 else (1, 5, 5, batch)
            around = np.full(int(np.prod(shape)) + 64, NAN, real)
            data = around[32:-32].reshape(shape)
            data[...] = rng.standard_normal(shape)
            operands.append(bb.Interleaved(data, batch, layout="il"))
            guarded.append(around)
        a, b, c = operands
        assert c.padding == 0
        expected = a.deinterleave() @ b.deinterleave()
        bb.gemm(a, b, c)
        np.testing.assert_allclose(c.deinterleave(), expected, rtol=2e-5)
        for around in guarded:
            assert np.isnan(around[:32]).all()
            assert np.isnan(around[-32:]).all()


@pytest.mark.parametrize(
    ("symbol", "arguments", "info"),
    [
        ("bb_dgemm_nn_st_m4n4k4", {8: -1}, 9),
        ("bb_dgemm_nn_st_m4n4k4", {9: -1}, 10),
        ("bb_dgemm_nn_st_m4n4k4", {1: None}, 2),
        ("bb_dgemm_nn_st_m4n4k4", {3: None}, 4),
        ("bb_dgemm_nn_st_m4n4k4", {6: None}, 7),
        ("bb_dgemm_nn_st_m4n4k4", {7: 0}, 8),
    ],
)
def test_info_codes(symbol, arguments, info):
    a, b, c = (np.full((2, 4, 4), 3.0) for _ in range(3))
    address = [ffi().from_buffer(x) for x in (a, b, c)]
    given = [1.0, address[0], 16, address[1], 16, 0.0, address[2], 16, 2, 1]
    for place, value in arguments.items():
        given[place] = ffi().NULL if value is None else value
    assert kernels.kernel(KernelSpec.parse(symbol))(*given) == -info
    assert (c == 3).all()


def test_info_codes_of_leading_dimensions_and_lanes():
    x = np.full((2, 8, 8), 3.0)
    p = ffi().from_buffer(x)
    kernel = kernels.kernel(KernelSpec.parse("bb_dgemm_tn_st_m4n3k2_ld"))
    good = [1.0, p, 2, 64, p, 2, 64, 0.0, p, 4, 64, 2, 1]
    for place, value, info in ((2, 1, 3), (5, 1, 6), (9, 3, 10)):
        given = list(good)
        given[place] = value
        assert kernel(*given) == -info
    interleaved = kernels.kernel(KernelSpec.parse("bb_dgemm_nn_il_m1n1k1"))
    assert interleaved(1.0, p, 5, p, 9, 0.0, p, 9, 6, 1) == -3
    assert interleaved(1.0, p, 6, p, 9, 0.0, p, 5, 6, 1) == -8
    assert (x == 3).all()


def test_inf_as_a_scalar_is_a_number():
    a = np.ones((3, 2, 2))
    assert np.isposinf(bb.gemm(a, a, alpha=float("inf"))).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("beta", [0.0, 1.0, 0.5])
def test_where_the_operands_come_from_changes_no_bit(dtype, beta, rng):
    """Interleaved batches beyond a level-2 cache are prefetched, and beyond all caches stored past them."""
    n, count = 16, 800
    a, b, c = (random(rng, (count, n, n), dtype) for _ in range(3))
    x, y = bb.interleave(a), bb.interleave(b)
    far, near = bb.interleave(c), bb.interleave(c[-37:])
    bb.gemm(x, y, far, beta=beta, num_threads=1)
    bb.gemm(bb.interleave(a[-37:]), bb.interleave(b[-37:]), near, beta=beta, num_threads=1)
    assert x.nbytes * 3 > FAR > near.nbytes * 3
    assert np.array_equal(values(far)[-37:], values(near))
    past = bb.interleave(c)
    call = bind(OPS["gemm"], {"A": x, "B": y, "C": past}, {"transa": "N", "transb": "N"})
    kernel = kernels.kernel(call.kernel.spec, past=1)
    assert "BB_PAST" in kernel.source.text
    assert kernel(*call.arguments([scalar("alpha", 1.0, a), scalar("beta", beta, a)], 1)) == 0
    assert np.array_equal(values(past), values(far))


@pytest.mark.parametrize("nb", [8, 9, 12, 16])
def test_blocks_of_any_size_are_prefetched_right(nb, rng):
    a, b = random(rng, (300, 12, 12), "float64"), random(rng, (300, 12, 12), "float64")
    found = bb.gemm(bb.interleave(a, nb=nb), bb.interleave(b, nb=nb), num_threads=1)
    np.testing.assert_allclose(values(found), a @ b, rtol=1e-12, atol=1e-12)
