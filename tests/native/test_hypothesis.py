"""Shapes, strides, flags and numbers that nobody thought of."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.extended import apply, random, symmetric, triangle
from support.layouts import as_layout
from support.table import ORACLES

import bblas_gen as bb
from bblas_gen.ir.terms import Trans

SIZES = st.sampled_from([(1, 2, 3), (3, 3, 3), (6, 1, 2), (2, 6, 6)])
KINDS = st.sampled_from(
    [("NN", "float64"), ("TN", "float32"), ("NT", "complex128"), ("CC", "complex128"), ("RN", "float64")]
)
"""Few shapes and letters, so that few kernels are compiled; strides, orders, batches and numbers vary."""
SCALARS = st.sampled_from([0.0, 1.0, -1.5, 2.0])


@st.composite
def views(draw, shape, dtype, rng, shareable):
    """An array of ``shape`` cut out of a larger one by random steps, orders and directions."""
    order = draw(st.permutations([0, 1, 2]))
    steps = [draw(st.sampled_from([1, 1, 2, -1])) for _ in range(3)]
    margins = [draw(st.integers(0, 2)) for _ in range(3)]
    sizes = [abs(step) * n + margin for step, n, margin in zip(steps, shape, margins, strict=True)]
    parent = random(rng, tuple(sizes[axis] for axis in order), dtype)
    whole = parent.transpose(np.argsort(order))
    cut = tuple(slice(None, abs(step) * n, abs(step)) for step, n in zip(steps, shape, strict=True))
    turned = tuple(slice(None, None, -1 if step < 0 else 1) for step in steps)
    view = whole[cut][turned]
    if shareable and draw(st.booleans()) and draw(st.booleans()):
        return np.broadcast_to(view[:1], shape)
    return view


@st.composite
def problems(draw):
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    flags, dtype = draw(KINDS)
    m, n, k = draw(SIZES)
    batch = draw(st.integers(1, 20))
    shapes = [(m, k), (k, n), (m, n)]
    shapes[0] = shapes[0][::-1] if Trans(flags[0]).transposes else shapes[0]
    shapes[1] = shapes[1][::-1] if Trans(flags[1]).transposes else shapes[1]
    arrays = [draw(views((batch, *shape), dtype, rng, i < 2)) for i, shape in enumerate(shapes)]
    return arrays, flags, draw(SCALARS), draw(SCALARS)


@given(problems())
@settings(max_examples=60, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_problem(problem):
    (a, b, c), flags, alpha, beta = problem
    before = c.copy()
    assert bb.gemm(a, b, c, alpha=alpha, beta=beta, transa=flags[0], transb=flags[1]) is c
    letters, scalars = {"transa": flags[0], "transb": flags[1]}, {"alpha": alpha, "beta": beta}
    error = ORACLES["gemm"].error({"A": a, "B": b, "C": before}, {"C": c}, letters, scalars)
    assert error <= ORACLES["gemm"].bound


# One shape for each operation, so that few kernels are compiled; the numbers, batches and flags vary.
FEW = settings(max_examples=30, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
LIES = st.sampled_from([("float64", "st"), ("float64", "bi"), ("complex128", "bi")])


@st.composite
def inputs(draw, *shapes, lies=LIES):
    """Arrays of reals in [-1, 1] of a common batch, some elements 0, one matrix perhaps much larger than the others."""
    dtype, layout = draw(lies)
    rng, batch = np.random.default_rng(draw(st.integers(0, 10**6))), draw(st.integers(1, 21))
    arrays = []
    for shape in shapes:
        x = random(rng, (batch, *shape), dtype) / 4
        x[rng.random(x.shape) < draw(st.sampled_from([0, 0.2]))] = 0
        x[draw(st.integers(0, batch - 1))] *= draw(st.sampled_from([1, 2.0**40, 2.0**-40]))
        arrays.append(x)
    return layout, arrays


def near(found, expected, size):
    """Equal up to rounding, relative to the largest element of each matrix, or to ``size`` of each."""
    error = abs(np.array(found) - expected).max(axis=(1, 2))
    assert (error <= 1e-12 * size).all(), error / size


def run(op, layout, arrays, **named):
    given = [as_layout(x, layout) for x in arrays]
    found = getattr(bb, op)(*given, **named)
    return found if layout == "st" else found.deinterleave()


def largest(x):
    return abs(x).max(axis=(1, 2))


@given(inputs((4, 4), (4, 3)), st.sampled_from([("L", "N", "N"), ("U", "C", "N"), ("L", "T", "U")]))
@FEW
def test_any_triangular_system(problem, flags):
    scipy = pytest.importorskip("scipy.linalg")
    layout, (a, b) = problem
    uplo, transa, diag = flags
    a = a / largest(a)[:, None, None].clip(1e-30)  # conditions stay small, scales of B do not
    a[:, range(4), range(4)] += 2
    found = run("trsm", layout, (a, b), uplo=uplo, transa=transa, diag=diag, alpha=2.0)
    for x, matrix, right in zip(found, a, 2 * b, strict=True):
        expected = scipy.solve_triangular(matrix, right, trans=transa, lower=uplo == "L", unit_diagonal=diag == "U")
        near(x[None], expected[None], largest(right[None]) * 100)


@given(inputs((4, 6), (4, 2)), st.sampled_from("LU"), st.integers(-200, 200))
@FEW
def test_any_positive_definite_system(problem, uplo, exponent):
    layout, (x, b) = problem
    scale = largest(x)[:, None, None].clip(1e-30) ** 2
    a = (x @ x.conj().swapaxes(1, 2) / scale + np.eye(4)) * 2.0**exponent
    root = run("potrf", layout, (a,), uplo=uplo)
    lower = np.tril(root) if uplo == "L" else np.triu(root).conj().swapaxes(1, 2)
    near(lower, np.linalg.cholesky(a), largest(a) ** 0.5)
    solution = run("posv", layout, (a, b), uplo=uplo)
    near(solution, np.linalg.solve(a, b), largest(b) / 2.0**exponent * 100)


@given(
    inputs((4, 4), (4, 4), (4, 4), lies=st.sampled_from([("float64", "bi"), ("complex128", "bi")])),
    st.sampled_from("LU"),
    SCALARS,
    SCALARS,
)
@FEW
def test_any_product(problem, uplo, alpha, beta):
    layout, (a, b, c) = problem
    star = b.conj().swapaxes(1, 2)
    size = 8 * (abs(alpha) * largest(a) * largest(b) + abs(beta) * largest(c)) + 1e-290
    full = symmetric(a, uplo, True).astype(a.dtype)
    found = run("hemm", layout, (a, b, c), side="R", uplo=uplo, alpha=alpha, beta=beta)
    near(found, alpha * b @ full + beta * c, size)
    full = triangle(a, uplo).astype(a.dtype)
    near(run("trmm", layout, (a, b), uplo=uplo, transa="C", alpha=alpha), alpha * apply("C", full) @ b, size)
    mask, size = np.tri(4) if uplo == "L" else np.tri(4).T, size + 8 * abs(alpha) * largest(b) ** 2
    found = run("syrk", layout, (b, c), uplo=uplo, alpha=alpha, beta=beta)
    near(found * mask, (alpha * b @ b.swapaxes(1, 2) + beta * c) * mask, size)
    c[:, range(4), range(4)] = c[:, range(4), range(4)].real
    found = run("herk", layout, (b, c), uplo=uplo, alpha=alpha, beta=beta)
    near(found * mask, (alpha * b @ star + beta * c) * mask, size)
