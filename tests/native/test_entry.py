"""C entry points: the arguments that they refuse, by position, and null pointers that they do not need."""

from __future__ import annotations

import numpy as np
import pytest

import bblas_gen as bb
from bblas_gen.codegen.ahead import FAR
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime import kernels
from bblas_gen.runtime.marshal import ffi


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


def test_factors_to_come_are_not_prefetched_where_alpha_is_zero():
    """A batch from beyond a level-2 cache: where they lie is in an array that may be missing."""
    kernel = kernels.kernel(KernelSpec.parse("bb_dtrmm_llnn_pp_m12n12"))
    b = np.full((4 * FAR // 1152, 12, 12), 2.0)
    pointers = ffi().new("double *[]", [ffi().from_buffer("double[]", x) for x in b])
    assert kernel(0.0, ffi().NULL, pointers, len(b), 1) == 0
    assert (b == 0).all()


@pytest.mark.parametrize("batch", [1, 2])
def test_one_vector_is_checked_as_several_are(batch):
    """One that nobody shares goes straight to its body: where nothing is wrong, or missing and not needed."""
    x, r = np.full((batch, 40), 3.0), np.full(batch, 7.0)
    null = ffi().NULL
    p, q = (ffi().from_buffer(a) for a in (x, r))
    specs = (KernelSpec.parse(name) for name in ("bb_ddot_st_n", "bb_daxpy_st_n"))
    dot, axpy = (kernels.kernel(spec, form="streamed") for spec in specs)
    good = [40, p, 40, p, 40, q, 1, batch, 1]
    wrong = {0: (-1, 1), 1: (null, 2), 3: (null, 4), 5: (null, 6), 7: (-1, 8), 8: (-1, 9)}
    for place, (value, info) in wrong.items():
        assert dot(*(value if i == place else old for i, old in enumerate(good))) == -info
    assert (r == 7).all()
    assert dot(0, null, 0, null, 0, q, 1, batch, 1) == 0
    assert (r == 0).all()
    assert dot(*good) == 0
    assert (r == 360).all()
    assert axpy(0, 1.0, null, 0, null, 0, batch, 1) == 0
    assert axpy(40, 1.0, null, 0, p, 40, batch, 1) == -3
    assert (x == 3).all()
