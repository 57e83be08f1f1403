"""Calls of every family of kernels on a GPU, for tools that look on; ends with an error where a result is wrong."""

import sys

import numpy as np

import bblas_gen as bb
from bblas_gen.arrays.device import header
from bblas_gen.runtime.device_storage import DeviceStorage, fetched
from bblas_gen.runtime.gpu import gpu

BATCH = 37
rng = np.random.default_rng(1)


def strided(x):
    return DeviceStorage.of(gpu(0), np.ascontiguousarray(x))


def back(x):
    return fetched(header("x", x), gpu(0).stream(None)) if isinstance(x, DeviceStorage) else x.to("cpu").deinterleave()


layouts = {
    "st": strided,
    "bi": lambda x: bb.interleave(x).to("cuda"),
    "il": lambda x: bb.interleave(x, nb="full").to("cuda"),
}
for n in map(int, sys.argv[1:]):
    a, b = rng.standard_normal((BATCH, n, n)) + n * np.eye(n), rng.standard_normal((BATCH, n, 2))
    spd = a @ a.mT
    for name, laid in layouts.items():
        found = {"gemm": laid(np.zeros_like(a)), "posv": laid(b), "gesv": laid(b)}
        bb.gemm(laid(a), laid(spd), found["gemm"])
        bb.posv(laid(spd), found["posv"])
        pivots = DeviceStorage.of(gpu(0), np.zeros((BATCH, n), np.int32)) if name == "st" else None
        bb.plan("gesv", laid(a), found["gesv"], ipiv=pivots)()
        right = {"gemm": a @ spd, "posv": np.linalg.solve(spd, b), "gesv": np.linalg.solve(a, b)}
        for op, x in right.items():
            np.testing.assert_allclose(
                back(found[op]), x, rtol=1e-8, atol=1e-8 * abs(x).max(), err_msg=f"{op} {name} {n}"
            )
print("right")
