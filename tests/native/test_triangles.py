"""Triangles stored alone in interleaved storage: conversions, results, what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from support.covering import covering
from support.extended import adjoint, positive, random

import bblas_gen as bb

TOLERANCE = {"float64": 1e-11, "complex128": 1e-11, "float32": 1e-3}


def half(a, triangle):
    return np.tril(a) if triangle == "L" else np.triu(a)


@pytest.mark.parametrize(("dtype", "triangle", "n"), covering(1, list(TOLERANCE), "LU", [1, 2, 5]))
def test_conversions_keep_one_triangle(dtype, triangle, n, rng):
    a = random(rng, (21, n, n), dtype)
    x = bb.interleave(a, triangle=triangle)
    expected = half(a, triangle)
    assert x.shape == a.shape
    assert x.triangle == triangle
    assert x.nbytes * 2 <= bb.interleave(a).nbytes * (n + 1) / n
    assert np.array_equal(x.deinterleave(), expected)
    assert np.array_equal(bb.interleave(bb.interleave(a), x).deinterleave(), expected)
    assert np.array_equal(x[3], expected[3])
    x[4] = 2 * a[4]
    expected[4] *= 2
    out = np.full(a.shape, np.nan, dtype)
    assert np.array_equal(x.deinterleave(out), expected)


@pytest.mark.parametrize(("dtype", "triangle", "n"), covering(1, list(TOLERANCE), "LU", [1, 5, 7]))
def test_operations_on_a_triangle_alone(dtype, triangle, n, rng):
    a = positive(rng, 21, n, dtype)
    b = random(rng, (21, n, 2), dtype)
    x, y = bb.interleave(a, triangle=triangle), bb.interleave(b)
    bb.posv(x, y, uplo=triangle)
    assert np.abs(y.deinterleave() - np.linalg.solve(a, b)).max() < TOLERANCE[dtype]
    factor = np.linalg.cholesky(a)
    factor = factor if triangle == "L" else adjoint(factor)
    assert np.abs(x.deinterleave() - factor).max() < TOLERANCE[dtype]
    product = bb.trmm(x, bb.interleave(adjoint(b)), side="R", uplo=triangle, transa="C").deinterleave()
    assert np.abs(product - adjoint(b) @ adjoint(factor)).max() < TOLERANCE[dtype]
    update = bb.interleave(np.zeros_like(a), triangle=triangle)
    bb.herk(bb.interleave(b), update, uplo=triangle)
    assert np.abs(update.deinterleave() - half(b @ adjoint(b), triangle)).max() < TOLERANCE[dtype]


def test_what_does_not_fit_a_triangle_is_refused(rng):
    a, b = random(rng, (9, 3, 3), "float64"), random(rng, (9, 3, 2), "float64")
    upper = bb.interleave(a, triangle="U")
    with pytest.raises(ValueError, match="layout = 'bu' of A: potrf works with the lower triangle of it"):
        bb.potrf(upper)
    with pytest.raises(ValueError, match="layout = 'bu' of A: gemm works with all of it"):
        bb.gemm(upper, bb.interleave(b))
    with pytest.raises(ValueError, match=r"triangle = 'L' of shape \(9, 3, 2\): expected square matrices in blocks"):
        bb.interleave(b, triangle="L")
    with pytest.raises(ValueError, match="triangle = 'X': expected 'L', 'U' or '' for all"):
        bb.interleave(a, triangle="X")
    with pytest.raises(ValueError, match="given with out: expected one of them"):
        bb.interleave(a, upper, triangle="U")
    with pytest.raises(ValueError, match="5 elements of a matrix: expected n"):
        bb.Interleaved(np.zeros((1, 5, 8)), 3, layout="bl")
