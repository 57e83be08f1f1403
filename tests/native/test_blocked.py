"""Products of large matrices: packed blocks and tiles of them, of all sizes, with the bits of small ones."""

from __future__ import annotations

import numpy as np
import pytest
from support.extended import random
from support.layouts import bits
from support.table import ORACLES
from support.walls import before_a_wall

from bblas_gen.errors import SpecError
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime import kernels
from bblas_gen.runtime.library import source_here
from bblas_gen.runtime.marshal import ffi, scalar

DTYPES = {"s": "float32", "d": "float64", "c": "complex64", "z": "complex128"}
SCALARS = ((1, 0), (1, 1), (0.5, -2), (0, 0.5), (-1.25 + 1j, 1.5 - 0.5j))
BATCH = 2


def shapes(schedule):
    """Around tiles, blocks and panels of k."""
    mr, nr, mc, nc, kc = schedule.mr, schedule.nr, schedule.mc, schedule.nc, schedule.kc
    return [
        (1, 1, 1),
        (mr, nr, 5),
        (mr - 1, nr + 1, kc),
        (mr + 1, nr - 1, kc + 1),
        (mc + 1, 3, 2),
        (3, nc + 1, 2),
        (7, 5, 0),
        (2 * mc - 1, nc, 2 * kc + 3),
    ]


def operands(rng, shape, flags, dtype):
    m, n, k = shape
    sides = (m, k) if flags[0] in "nr" else (k, m), (k, n) if flags[1] in "nr" else (n, k), (m, n)
    return [random(rng, (BATCH, *side), dtype) for side in sides]


def call(kernel, shape, matrices, alpha, beta, threads=1):
    """C, written before a wall; of matrices with gaps between columns, or of any strides."""
    given, gap = [], 3 if kernel.spec.strides == "ld" else 0
    for x in matrices:
        if kernel.spec.strides != "rs":
            whole = np.full((x.shape[0], x.shape[2], x.shape[1] + gap), np.nan, x.dtype)
            view = whole[:, :, : x.shape[1]].swapaxes(1, 2)
        else:
            whole = np.full((x.shape[0], 2 * x.shape[1], x.shape[2]), np.nan, x.dtype)
            view = whole[:, ::2]
        view[...] = x
        given.append((whole, view))
    a, b, c = given
    walled, keep = before_a_wall(c[0])
    where = walled[:, :, : shape[0]].swapaxes(1, 2) if kernel.spec.strides != "rs" else walled[:, ::2]

    def matrix(memory):
        _, outer, inner = memory.shape
        inside = {"": [], "ld": [max(1, inner)], "rs": [2 * inner, 1]}[kernel.spec.strides]
        return [ffi().cast("void *", memory.ctypes.data), *inside, outer * inner]

    if not beta:
        where[...] = np.nan
    first, second = (scalar(name, value, walled.dtype) for name, value in (("alpha", alpha), ("beta", beta)))
    arguments = [
        *shape,
        first,
        *matrix(a[0]),
        *matrix(b[0]),
        second,
        *matrix(walled),
        BATCH,
        threads,
    ]
    assert kernel(*arguments) == 0
    found = where.copy()
    where[...] = 0
    c[1][...] = 0
    assert np.array_equal(walled, c[0], equal_nan=True), "written beyond C"
    del keep
    return found


def error(found, matrices, flags, alpha, beta):
    letters = dict(zip(("transa", "transb"), flags.upper(), strict=True))
    before = dict(zip("ABC", matrices, strict=True))
    return ORACLES["gemm"].error(before, {"C": found}, letters, {"alpha": alpha, "beta": beta})


def small(symbol):
    """The kernel with blocks of two tiles."""
    spec = KernelSpec.parse(symbol)
    tile = source_here(spec, form="blocked").schedule
    return kernels.kernel(spec, form="blocked", kc=7, mc=2 * tile.mr, mp=3 * tile.mr, nc=2 * tile.nr)


CASES = [
    ("d", "nn", "ld"),
    ("d", "tt", "ld"),
    ("d", "nn", "rs"),
    ("s", "nt", "ld"),
    ("z", "nn", "ld"),
    ("z", "ct", "ld"),
    ("c", "rc", "ld"),
    ("c", "rc", "rs"),
]


@pytest.mark.parametrize(("precision", "flags", "strides"), CASES)
def test_products(precision, flags, strides, rng):
    kernel = small(f"bb_{precision}gemm_{flags}_st_mnk_{strides}")
    for number, shape in enumerate(shapes(kernel.source.schedule)):
        matrices = operands(rng, shape, flags, DTYPES[precision])
        for alpha, beta in SCALARS[: 5 if precision in "cz" else 4]:
            found = call(kernel, shape, matrices, alpha, beta)
            assert error(found, matrices, flags, alpha, beta) < 3, (shape, alpha, beta)
            threaded = call(kernel, shape, matrices, alpha, beta, threads=2 + number)
            assert bits(found) == bits(threaded), (shape, alpha, beta)


DIRECT = ["bb_dgemm_nn_st_mnk_ld", "bb_sgemm_tt_st_mnk_ld"]


@pytest.mark.parametrize("symbol", DIRECT)
def test_the_bits_are_those_of_small_products(symbol, rng):
    spec = KernelSpec.parse(symbol)
    blocked, other = kernels.kernel(spec, form="blocked"), kernels.kernel(spec)
    for shape in ((50, 9, 3), (25, 30, 400)):
        matrices = operands(rng, shape, symbol[9:11], DTYPES[spec.precision])
        for alpha, beta in ((1, 0), (0.75, -1.5)):
            assert bits(call(blocked, shape, matrices, alpha, beta)) == bits(call(other, shape, matrices, alpha, beta))


def test_the_bits_of_complex_products_are_those_of_lanes(rng):
    """Through several panels of k, too: parts that threads share are small where the whole is not."""
    spec = KernelSpec.parse("bb_zgemm_nc_st_mnk_ld")
    packed, lanes = (kernels.kernel(spec, form=form) for form in ("blocked", "lane"))
    for shape in ((17, 6, 50), (5, 3, 400)):
        matrices = operands(rng, shape, "nc", "complex128")
        for alpha, beta in ((1, 0.3 + 0.9j), (1.3 - 0.7j, 0), (1.3 - 0.7j, -0.25 + 2j)):
            found = [bits(call(kernel, shape, matrices, alpha, beta)) for kernel in (packed, lanes)]
            assert found[0] == found[1], (shape, alpha, beta)


@pytest.mark.parametrize("symbol", DIRECT)
def test_threads_share_products_with_a_short_side(symbol, rng):
    kernel = kernels.kernel(KernelSpec.parse(symbol))
    for shape in ((3, 400, 250), (401, 5, 193), (110, 70, 40)):
        matrices = operands(rng, shape, symbol[9:11], DTYPES[kernel.spec.precision])
        alone, *others = (call(kernel, shape, matrices, 0.75, -1.5, threads=threads) for threads in (1, 2, 5))
        assert error(alone, matrices, symbol[9:11], 0.75, -1.5) < 3, shape
        assert {bits(x) for x in others} == {bits(alone)}, shape


def test_threads_share_rows_that_come_from_memory(rng):
    shape = 1029, 2, 2060
    kernel = kernels.kernel(KernelSpec.parse(DIRECT[0]))
    matrices = operands(rng, shape, "nn", "float64")
    alone, *others = (call(kernel, shape, matrices, 1, 0, threads=threads) for threads in (1, 2, 5))
    assert error(alone, matrices, "nn", 1, 0) < 3
    assert {bits(x) for x in others} == {bits(alone)}


def test_nothing_that_is_not_asked_for_is_read(rng):
    """alpha = 0 reads neither factor, beta = 0 not C."""
    kernel = small("bb_dgemm_nn_st_mnk_ld")
    a, b, c = operands(rng, (9, 6, 4), "nn", "float64")
    assert np.array_equal(call(kernel, (9, 6, 4), [a * np.nan, b * np.nan, c], 0, 2), 2 * c)
    assert np.array_equal(call(kernel, (9, 6, 4), [a * np.nan, b, c], 0, 0), 0 * c)
    assert np.isnan(call(kernel, (9, 6, 4), [a * np.nan, b, c], 1, 0)).all()


def test_where_there_are_no_steps_none_is_done(rng):
    """As alpha or k is zero; of many columns, which threads do not share by rows, too."""
    kernel = kernels.kernel(KernelSpec.parse("bb_dgemm_nn_st_mnk_ld"), form="blocked")
    for shape, alpha in (((9, 200, 3), 0), ((9, 200, 0), 1), ((2, 3, 5), 0)):
        a, b, c = operands(rng, shape, "nn", "float64")
        assert np.array_equal(call(kernel, shape, [a * np.nan, b, c], alpha, 2), 2 * c)


def test_what_is_not_finite_stays_in_its_part(rng):
    """An imaginary part that is infinite is not multiplied by the zero of a beta that is one."""
    kernel = small("bb_zgemm_nn_st_mnk_ld")
    tile = kernel.source.schedule
    shape = (2 * tile.mr, tile.nr + 1, 2)
    a, b, c = operands(rng, shape, "nn", "complex128")
    c.imag[:] = np.inf
    found = call(kernel, shape, [a, b, c], 1, 1)
    assert np.isfinite(found.real).all()
    assert np.isinf(found.imag).all()


@pytest.mark.parametrize("name", ["mc", "mp", "nc", "kc", "width", "prefetch"])
def test_blocks_are_whole_tiles(name):
    spec = KernelSpec.parse("bb_dgemm_nn_st_mnk")
    with pytest.raises(ValueError, match=f"^{name} = -3 is not available for bb_dgemm_nn_st_mnk: form blocked"):
        source_here(spec, form="blocked", **{name: -3})


def test_sizes_are_those_of_run_time():
    with pytest.raises((ValueError, SpecError), match="form = 'blocked' is not available"):
        source_here(KernelSpec.parse("bb_dgemm_nn_st_m8n8k8"), form="blocked")
    with pytest.raises((ValueError, SpecError), match="form = 'blocked' is not available"):
        source_here(KernelSpec.parse("bb_dgemm_nn_bi_mnk"), form="blocked")
