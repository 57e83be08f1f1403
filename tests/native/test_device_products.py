"""Large products on a GPU: tiles of C in registers, factors through shared memory, sizes that only run time knows."""

from __future__ import annotations

import numpy as np
import pytest
from support import emulator
from support.emulator import Device

from bblas_gen.errors import SpecError
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime.cubins import device_source

TRACED = Device(first_level=32 << 10)


def launched(spec, a, b, c, alpha, beta, **how):
    """The kernel on matrices by themselves, those of a batch one behind the other, columns contiguous as stored."""
    source = device_source(KernelSpec.parse(spec, target="cuda"))
    (function,) = source.functions
    batch, m, n = c.shape[0], c.shape[2], c.shape[1]
    k = a.shape[2 if next(x for name, x in source.spec.flag.items() if "trans" in name).transposes else 1]
    values = {"m": m, "n": n, "k": k, "A": a, "B": b, "C": c, "batch_count": batch}
    for name, x in (("a", a), ("b", b), ("c", c)):
        values |= {f"ld{name}": x.shape[2], f"stride_{name}": x.shape[1] * x.shape[2]}
        values |= {f"rs{name}": 1, f"cs{name}": x.shape[2]}
    for name, x in (("alpha", alpha), ("beta", beta)):
        values |= {name: x.real, f"{name}_re": complex(x).real, f"{name}_im": complex(x).imag}
    flat = [values[x.name] for x in function.arguments]
    module = emulator.compile(source.text, [function.name], sanitize="checks")
    return module.launch(function.name, function.grid(batch, flat), function.threads, 0, *flat, **how)


def random(rng, dtype, *shape):
    found = rng.standard_normal(shape)
    return (found + 1j * rng.standard_normal(shape) if np.dtype(dtype).kind == "c" else found).astype(dtype)


OP = {"n": lambda x: x, "t": lambda x: x.swapaxes(1, 2), "c": lambda x: x.swapaxes(1, 2).conj(), "r": np.conj}


FEW = 2
"""Kernels that are tried without --full-grid."""
PRODUCTS = [
    ("bb_dgemm_nn_st_mnk_ld", "f8", (129, 65, 197)),
    ("bb_cgemm_rc_st_mnk_rs", "c8", (129, 1, 8)),
    ("bb_sgemm_tn_st_mnk", "f4", (5, 129, 17)),
    *((f"bb_zgemm_{a}{b}_st_mnk_ld", "c16", (65, 66, 9)) for a in "ntcr" for b in "ntcr"),
    *(
        (f"bb_{p}gemm_{a}{b}_st_mnk_ld", t, (129, 66, 17))
        for p, t in (("s", "f4"), ("d", "f8"))
        for a in "nt"
        for b in "nt"
    ),
]
UPDATES = [
    ("bb_zherk_un_st_nk_ld", "c16"),
    ("bb_dsyrk_lt_st_nk", "f8"),
    *(
        (f"bb_{p}_{u}{t}_st_nk_ld", kind)
        for p, kind in (("cherk", "c8"), ("csyrk", "c8"))
        for u in "lu"
        for t in "ntcr"
    ),
]


def pytest_generate_tests(metafunc):
    few = None if metafunc.config.getoption("--full-grid") else FEW
    if "shape" in metafunc.fixturenames:
        metafunc.parametrize(("spec", "dtype", "shape"), PRODUCTS[:few])
    elif "spec" in metafunc.fixturenames:
        metafunc.parametrize(("spec", "dtype"), UPDATES[:few])


def test_products_of_any_size(spec, dtype, shape, rng):
    """Past a tile, with more than one panel of k and steps that are left over; nobody reads what others still write."""
    (m, n, k), (ta, tb) = shape, spec[9:11]
    a = random(rng, dtype, 2, *((k, m) if ta in "nr" else (m, k)))
    b = random(rng, dtype, 2, *((n, k) if tb in "nr" else (k, n)))
    c = random(rng, dtype, 2, n, m)
    alpha, beta = (1.5 - 2j, 0.5j) if np.dtype(dtype).kind == "c" else (1.5, -0.5)
    right = alpha * OP[ta](a.swapaxes(1, 2)) @ OP[tb](b.swapaxes(1, 2)) + beta * c.swapaxes(1, 2)
    launched(spec, a, b, c, alpha, beta)
    assert np.abs(c.swapaxes(1, 2) - right).max() < 100 * np.finfo(dtype).eps * k


def test_updates_of_any_rank(spec, dtype, rng):
    """One triangle alone is written, with a real diagonal of the Hermitian ones, whatever was there."""
    n, k, (uplo, trans) = 70, 11, spec[9:11]
    a, c = random(rng, dtype, 1, *((k, n) if trans in "nr" else (n, k))), random(rng, dtype, 1, n, n)
    matrix = c[0].T
    before, real = matrix.copy(), matrix.real if "herk" in spec else matrix
    if "herk" in spec:
        matrix.imag[np.diag_indices(n)] = np.nan
    op = OP[trans](a.swapaxes(1, 2))[0]
    right = 1.5 * op @ (op.conj() if "herk" in spec else op).T - 0.5 * before
    right[np.diag_indices(n)] = np.diag(1.5 * op @ (op.conj() if "herk" in spec else op).T - 0.5 * real)
    launched(spec, a, a, c, 1.5, -0.5)
    inside = np.tri(n, dtype=bool) if uplo == "l" else np.tri(n, dtype=bool).T
    assert np.abs(matrix - right)[inside].max() < 100 * np.finfo(dtype).eps * k
    np.testing.assert_array_equal(matrix[~inside], before[~inside])


def test_scalars_decide_what_is_read(rng):
    a, b = np.full((2, 1, 3, 3), np.nan)
    c = np.full((1, 3, 3), np.nan)
    launched("bb_dgemm_nn_st_mnk_ld", a, b, c, 0.0, 0.0)
    assert not c.any()
    launched("bb_dgemm_nn_st_mnk_ld", np.ones((1, 3, 3)), a, c, 1.0, 0.0)
    assert np.isnan(c).all()
    one = np.zeros((1, 3, 3))
    one[0, 1, 2] = np.inf
    launched("bb_dgemm_nn_st_mnk_ld", one, np.zeros((1, 3, 3)), c, 1.0, 0.0)
    assert np.isnan(c[0, :, 2]).all()  # infinity times zero
    assert not c[0, :, :2].any()


def test_blocks_read_each_factor_once_for_every_tile(rng):
    """Counted by the instructions; neighbours that come together share the rest in caches."""
    m, n, k = 256, 128, 64
    a, b, c = rng.standard_normal((1, k, m)), rng.standard_normal((1, n, k)), np.zeros((1, n, m))
    found = launched("bb_dgemm_nn_st_mnk_ld", a, b, c, 1.0, 0.0, trace=TRACED)
    across, down = n // 64, m // 128
    assert found.asked_bytes == 8 * (m * k * across + k * n * down + m * n)
    assert found.moved_bytes <= 1.05 * found.asked_bytes
    assert found.least_bytes == 8 * (m * k + k * n + m * n)


def test_other_operations_have_no_sizes_at_run_time():
    with pytest.raises(SpecError, match=r"target = 'cuda' has no kernels for sizes that only run time knows \(n\)"):
        KernelSpec.parse("bb_dpotrf_l_st_n", target="cuda")
    with pytest.raises(SpecError, match=r"only run time knows \(k\)"):
        KernelSpec.parse("bb_dgemm_nn_st_m2n2k", target="cuda")
