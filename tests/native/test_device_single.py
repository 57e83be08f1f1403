"""Single matrices and vectors on a GPU are one problem: what a batch of one gives there, without its axis."""

from __future__ import annotations

import numpy as np
import pytest
from support.emulated_gpu import GpuArray

import bblas_gen as bb
from bblas_gen.runtime import gpu

pytest.importorskip("cuda.core", reason="cuda-core is not installed")


pytestmark = pytest.mark.usefixtures("emulated")


def read(x):
    gpu.gpu(0).stream(None).sync()
    return x.array


def test_matrices_are_one_problem(rng):
    """With an array that knows no new axis, too."""
    a, b = rng.standard_normal((2, 3, 3))
    c = GpuArray(np.zeros((3, 3)))
    assert bb.gemm(GpuArray(a), Plain(b), c, transb="T") is c
    np.testing.assert_allclose(read(c), a @ b.T, rtol=1e-12)
    made = bb.gemm(GpuArray(a), GpuArray(b[:, ::2]))
    assert isinstance(made, GpuArray)
    np.testing.assert_allclose(read(made), a @ b[:, ::2], rtol=1e-12)
    out = GpuArray(np.full((3, 3), np.nan))
    assert bb.potrf(GpuArray(4 * np.eye(3)), out=out) is out
    np.testing.assert_array_equal(np.tril(read(out)), 2 * np.eye(3))


class Plain:
    """It tells where it lies, and no more."""

    def __init__(self, array):
        self.own = GpuArray(array)

    @property
    def __cuda_array_interface__(self):
        return self.own.__cuda_array_interface__


def test_vectors_pivots_and_reports_are_one_problem(rng):
    x, y = rng.standard_normal((2, 5))
    found = bb.dot(GpuArray(x), GpuArray(y))
    assert abs(read(found) - x @ y) < 1e-14
    assert read(found).shape == ()
    a = rng.standard_normal((4, 4))
    lu, ipiv, info = bb.getrf(GpuArray(a.copy()), return_info=True)
    right, pivots = bb.getrf(a.copy())
    assert ipiv.shape == (4,)
    assert read(info).shape == ()
    assert not read(info)
    np.testing.assert_array_equal(read(ipiv), pivots)
    np.testing.assert_allclose(read(lu), right, rtol=1e-12)
    b = GpuArray(np.ones((4, 1)))
    assert bb.getrs(lu, ipiv, b) is b
    np.testing.assert_allclose(a @ read(b), np.ones((4, 1)), rtol=1e-12)


@pytest.mark.parametrize("kind", [GpuArray, Plain])
def test_a_right_hand_side_may_be_a_vector(kind):
    """As in host memory: it becomes the solution, or another one does."""
    spd, given = 4 * np.eye(3), np.ones(3)
    b = kind(given)
    assert bb.posv(GpuArray(spd.copy()), b) is b
    out = kind(np.zeros(3))
    assert bb.posv(GpuArray(spd.copy()), kind(np.ones(3)), out=out) is out
    bb.plan("posv", GpuArray(spd.copy()), other := kind(np.ones(3)))()
    gpu.gpu(0).stream(None).sync()
    for x in (b, out, other):
        np.testing.assert_array_equal(getattr(x, "own", x).array, np.full(3, 0.25))


def test_errors_and_plans_are_those_of_one_problem():
    a = GpuArray(np.diag([1.0, -1.0, 1.0]))
    with pytest.raises(TypeError, match="b is a ndarray in host memory and a is on a GPU"):
        bb.gemm(a, np.eye(3))
    with pytest.raises(ValueError, match="c is 2-D, one matrix for the whole batch: expected 3-D"):
        bb.gemm(GpuArray(np.ones((2, 2, 2))), GpuArray(np.ones((2, 2))), GpuArray(np.zeros((2, 2))))
    spd, x = GpuArray(2 * np.eye(3)), GpuArray(np.ones((3, 1)))
    plan = bb.plan("posv", spd, x)
    assert plan() is x
    np.testing.assert_allclose(read(x), np.full((3, 1), 0.5), rtol=1e-12)
