"""Factorizations of which blocks on the diagonal alone go to lanes: the bits and reports of lane bodies, whatever is in
the other triangle, which keeps its bytes as all around does."""

from __future__ import annotations

import os
import sys

import numpy as np
import pytest
from support.extended import random
from support.layouts import placed
from support.walls import before_a_wall

import bblas_gen as bb
from bblas_gen.runtime import call, kernels
from bblas_gen.runtime.library import host_isa

WIDE = host_isa().simd_bytes
CASES = [
    # (dtype, layout, order, triangle, blocks in n, rows beyond)
    ("float64", "st", "F", "L", 1, 1),
    ("float64", "ld", "C", "L", 2, 0),
    ("float32", "pp", "C", "U", 1, 3),
    ("float64", "st", "F", "U", 2, 5),
]
"""Columns that are contiguous, and rows; a first block of one row, of less than half a vector, of more and whole."""
pytestmark = pytest.mark.skipif(WIDE < 32, reason="vectors are not joined of halves")


def matrices(case, batch):
    """Positive definite matrices, but for some that fail: at the first, at the last pivot, and for NaN. The other
    triangle is NaN."""
    dtype, _, _, triangle, blocks, beyond = case
    n = blocks * max(8, WIDE // np.dtype(dtype).itemsize) + beyond
    a = random(np.random.default_rng(n), (batch, n, n), dtype)
    a = a @ a.swapaxes(1, 2) / n + np.eye(n)
    if batch > 3:
        a[1, 0, 0], a[2, -1, -1], a[3, n // 2, n // 2] = 0, -1, np.nan
    own = np.tril(np.ones((n, n), bool))
    return np.where(own if triangle == "L" else own.T, a, np.nan).astype(dtype)


def factored(monkeypatch, form, a, triangle):
    """The plan of a factorization in a form."""
    monkeypatch.setattr(call, "kernel", lambda spec, **_: kernels.kernel(spec, form=form))
    plan = bb.plan("potrf", a, uplo=triangle, check="ignore", num_threads=1)
    assert plan.kernel.source.schedule.form == form
    return plan


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, case)))
def test_blocks_in_lanes_have_the_bits_of_lanes(case, monkeypatch):
    dtype, layout, order, triangle, *_ = case
    width = WIDE // np.dtype(dtype).itemsize
    for batch in (1, width - 1, 2 * width + 1):
        before = matrices(case, batch)
        found = []
        for form in ("lane", "hybrid"):
            a = placed(before, layout, order)
            plan = factored(monkeypatch, form, a.operand, triangle)
            plan()
            found.append((np.array(a.values()), np.array(plan.info)))
            assert a.untouched_around(), form
        (lane, expected), (hybrid, info) = found
        assert (info == expected).all()
        assert lane[info == 0].tobytes() == hybrid[info == 0].tobytes()
        assert (np.isnan(lane) == np.isnan(hybrid)).all()
        other = np.isnan(before[0])
        assert hybrid[:, other].tobytes() == before[:, other].tobytes()


@pytest.mark.skipif(sys.platform != "linux", reason="forks, and protects pages")
def test_nothing_behind_the_matrices_is_read(monkeypatch):
    """In a child, which dies of it; kernels are those of the test above."""
    case = CASES[0]
    a, _memory = before_a_wall(np.ascontiguousarray(matrices(case, 3).swapaxes(1, 2)))
    plan = factored(monkeypatch, "hybrid", a.swapaxes(1, 2), case[3])
    child = os.fork()
    if not child:
        plan()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
