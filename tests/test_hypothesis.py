"""GEMM on shapes, strides and flags that nobody thought of."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reference import gemm_error, random

import bblas_gen as bb
from bblas_gen.terms import Trans

SIZES = st.sampled_from([1, 2, 3, 6])
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
    dtype = draw(st.sampled_from(["float64", "float32", "complex128"]))
    m, n, k = (draw(SIZES) for _ in range(3))
    batch = draw(st.integers(1, 20))
    flags = draw(st.sampled_from(["NN", "TN", "NT", "CC", "RN"]))
    shapes = [(m, k), (k, n), (m, n)]
    shapes[0] = shapes[0][::-1] if Trans(flags[0]).transposes else shapes[0]
    shapes[1] = shapes[1][::-1] if Trans(flags[1]).transposes else shapes[1]
    arrays = [draw(views((batch, *shape), dtype, rng, i < 2)) for i, shape in enumerate(shapes)]
    return arrays, flags, draw(SCALARS), draw(SCALARS)


@given(problems())
@settings(max_examples=120, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_problem(problem):
    (a, b, c), flags, alpha, beta = problem
    before = c.copy()
    assert bb.gemm(a, b, c, alpha=alpha, beta=beta, transa=flags[0], transb=flags[1]) is c
    assert gemm_error(c, a, b, before, tuple(flags), alpha, beta) <= 3
