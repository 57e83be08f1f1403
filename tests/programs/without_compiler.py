"""A program that runs where there is no compiler: test_without_compiler says which library it has."""

import numpy as np

import bblas_gen as bb
from bblas_gen.runtime import threads

rng = np.random.default_rng(1)  # batches are of more than one window
a, b = rng.random((1100, 5, 5)), rng.random((1100, 5, 5))
assert np.allclose(bb.gemm(a, b), a @ b)
assert np.allclose(bb.gemm(a, b, transa="T", alpha=2.0), 2 * a.swapaxes(1, 2) @ b)

triangle = np.tril(a) + 3 * np.eye(5)
for side in "LR":
    x = bb.trsm(triangle, b, side=side, transa="T", overwrite=False)
    assert np.allclose(triangle.swapaxes(1, 2) @ x if side == "L" else x @ triangle.swapaxes(1, 2), b)

s, y = a @ a.swapaxes(1, 2) + np.eye(5), rng.random((1100, 5, 2))
s[1050] = -s[1050]
x, info = bb.posv(s, y, overwrite=False, return_info=True)
good = np.arange(1100) != 1050
assert info[1050] == 1
assert not info[good].any()
assert np.allclose(s[good] @ x[good], y[good])
assert np.array_equal(x[1050], y[1050])
s[1050] = -s[1050]

solver = bb.sequence(
    [
        bb.step("gemm", "J", "J", "G", transa="T"),
        bb.step("gemm", "J", "Y", "X", transa="T"),
        bb.step("posv", "G", "X"),
    ],
    scratch="G",
)
j, y = rng.random((1100, 9, 4)), rng.random((1100, 9, 1))
assert np.allclose(solver(J=j, Y=y), np.linalg.pinv(j) @ y)

left = [rng.random((n, n + 1)) for n in range(1, 9)] * 3
right = [rng.random((n.shape[1], 2)) for n in left]
assert all(np.allclose(c, p @ q) for c, p, q in zip(bb.gemm(left, right), left, right, strict=True))

A, B = bb.interleave(s, triangle="L"), bb.interleave(b)
assert np.allclose((bb.interleave(a) @ B).deinterleave(), a @ b)
assert np.allclose(s @ bb.posv(A, B).deinterleave(), b)
assert threads.start_pool().path.name == "libbblas_gen.so.1"
try:
    bb.syrk(a)
except bb.NoCompilerError as error:
    print("refused:", error)
