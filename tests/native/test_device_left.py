"""What is left as it was where a matrix fails comes back from a GPU as it was."""

from __future__ import annotations

import numpy as np
import pytest
from support.emulated_gpu import large_from

import bblas_gen as bb

pytest.importorskip("cuda.core", reason="cuda-core is not installed")
pytestmark = pytest.mark.usefixtures("emulated")
STEPS = [bb.step("potrf", "A"), bb.step("gemm", "A", "B", "C")]


def given(count, n):
    """Every third matrix fails, at its last column but one."""
    a = np.tile(4 * np.eye(n), (count, 1, 1))
    a[::3, -2, -2] = -1
    return [a, np.ones((count, n, n)), np.full((count, n, n), 7.0)]


def test_of_batches_in_chunks():
    sequence = bb.sequence(STEPS)
    expected, found = given(40, 3), given(40, 3)
    bb.plan(sequence, *expected, check="ignore")()
    bb.stream(sequence, *found, check="ignore", chunk_bytes=1000)
    assert (expected[2][0] == 7).all()
    for x, y in zip(found, expected, strict=True):
        np.testing.assert_array_equal(x, y)


def test_of_one_large_problem(monkeypatch):
    large_from(8, monkeypatch)
    sequence = bb.sequence(STEPS)
    expected, found = ([x[0] for x in given(1, 20)] for _ in range(2))
    bb.plan(sequence, *expected, check="ignore")()
    bb.start(sequence, *found, check="ignore").wait()
    np.testing.assert_array_equal(found[2], expected[2])
