"""Calls of every family of kernels on a GPU, for tools that look on; ends with an error where a result is wrong."""

import os
import sys

import numpy as np

import bblas_gen as bb
from bblas_gen.arrays.device import header
from bblas_gen.runtime.device_storage import DeviceStorage, fetched
from bblas_gen.runtime.gpu import gpu

BATCH = 37
LARGE = 200
"""The order of matrices that are done in parts."""
rng = np.random.default_rng(1)


def strided(x):
    return DeviceStorage.of(gpu(0), np.ascontiguousarray(x))


def back(x):
    return fetched(header("x", x), gpu(0).stream(None)) if isinstance(x, DeviceStorage) else x.to("cpu").deinterleave()


LAYOUTS = {
    "st": strided,
    "bi": lambda x: bb.interleave(x).to("cuda"),
    "il": lambda x: bb.interleave(x, nb="full").to("cuda"),
}


def same(found, right, what):
    np.testing.assert_allclose(found, right, rtol=1e-8, atol=1e-8 * abs(right).max(), err_msg=what)


def random(*shape, dtype="f8"):
    found = rng.standard_normal(shape)
    return found + 1j * rng.standard_normal(shape) if dtype == "c16" else found


def solvers(n, name, dtype):
    """Products, and systems by Cholesky and by LU."""
    laid, what = LAYOUTS[name], f"{dtype} {name} {n}"
    a, b = random(BATCH, n, n, dtype=dtype) + n * np.eye(n), random(BATCH, n, 2, dtype=dtype)
    spd = a @ a.mT.conj()
    product, posv, gesv = laid(np.zeros_like(a)), laid(b), laid(b)
    bb.gemm(laid(a), laid(spd), product, transa="C")
    bb.posv(laid(spd), posv)
    pivots = DeviceStorage.of(gpu(0), np.zeros((BATCH, n), np.int32)) if name == "st" else None
    bb.plan("gesv", laid(a), gesv, ipiv=pivots)()
    same(back(product), a.mT.conj() @ spd, f"gemm {what}")
    same(back(posv), np.linalg.solve(spd, b), f"posv {what}")
    same(back(gesv), np.linalg.solve(a, b), f"gesv {what}")


def product_of_factors(lu, pivots):
    """P L U, of each."""
    found, each = (np.tril(lu, -1) + np.eye(lu.shape[1])) @ np.triu(lu), np.arange(len(lu))
    for k in reversed(range(lu.shape[1])):
        other = pivots.reshape(len(lu), -1)[:, k] - 1
        found[each, k], found[each, other] = found[each, other], found[each, k].copy()
    return found


def factors(n, name, dtype):
    """LU and QR, eigenvalues and singular values."""
    laid, what = LAYOUTS[name], f"{dtype} {name} {n}"
    a = random(BATCH, n, n, dtype=dtype)
    hermitian = a + a.mT.conj()
    same(product_of_factors(*map(back, bb.getrf(laid(a)))), a, f"getrf {what}")
    reflected, tau = bb.geqrf(laid(a))
    upper = np.triu(back(reflected))
    same(back(bb.orgqr(reflected, tau)) @ upper, a, f"geqrf {what}")
    vectors, values = (back(x) for x in bb.syev(laid(hermitian), jobz="V"))
    same(hermitian @ vectors, vectors * values.reshape(BATCH, 1, n), f"syev {what}")
    u, s, vt = map(back, bb.gesvd(laid(a)))
    same(u * s.reshape(BATCH, 1, n) @ vt, a, f"gesvd {what}")


def large(n):
    """A product by a kernel of ours, and LU in parts."""
    a, b = random(2, n, n), random(2, n, n - 3)
    same(back(bb.gemm(strided(a), strided(b))), a @ b, "a large gemm")
    same(product_of_factors(*map(back, bb.getrf(strided(a)))), a, "a large getrf")


def main(sizes):
    for n in sizes:
        for name in LAYOUTS:
            solvers(n, name, "f8")
        factors(n, "st", "f8")  # in one layout, as compilers take their time for them
    for calls in (solvers, factors):
        calls(sizes[0], "st", "c16")
    large(LARGE)


os.environ["BBLAS_GEN_CUBLAS"] = "none"
main([int(x) for x in sys.argv[1:]])
print("right")
