"""What becomes of matrices that failed: the policy, and what counts as written."""

from __future__ import annotations

import numpy as np
import pytest

import bblas_gen as bb
from bblas_gen.runtime.failures import FailurePolicy


def indefinite(dtype=float):
    """Five matrices 2 I, of which number 2 fails at its second pivot."""
    a = np.broadcast_to(2 * np.eye(3, dtype=dtype), (5, 3, 3)).copy()
    a[2, 1, 1] = -1
    return a


LOWER = np.tril(np.ones((3, 3), bool))


def test_nan_fills_the_triangle_of_the_step_that_writes():
    read_first = bb.sequence([bb.step("trmm", "A", "B", uplo="U", diag="U"), bb.step("potrf", "A", uplo="L")])
    a = indefinite()
    read_first(A=a, B=np.ones((5, 3, 2)), check="nan")
    np.testing.assert_array_equal(np.isnan(a[2]), LOWER)
    read_later = bb.sequence([bb.step("potrf", "A"), bb.step("trmm", "A", "B", diag="U")])
    a = indefinite()
    read_later(A=a, B=np.ones((5, 3, 2)), check="nan")
    np.testing.assert_array_equal(np.isnan(a[2]), LOWER)
    assert not np.isnan(a[[0, 1, 3, 4]]).any()


def test_nan_fills_all_that_several_steps_write():
    both = bb.sequence([bb.step("potrf", "A", uplo="L"), bb.step("trmm", "X", "A")])
    a = indefinite()
    both(A=a, X=np.broadcast_to(np.eye(3), a.shape), check="nan")
    assert np.isnan(a[2]).all()


@pytest.mark.parametrize("diag", ["N", "U"])
def test_nan_leaves_a_diagonal_of_ones(diag):
    a = np.broadcast_to(2 * np.eye(3), (5, 3, 3)).copy()
    a[2, 1, 1] = 0
    before = a.copy()
    bb.trtri(a, diag=diag, check="nan")
    expected = LOWER if diag == "N" else np.zeros_like(LOWER)
    np.testing.assert_array_equal(np.isnan(a[2]), expected)
    assert diag == "N" or np.array_equal(a, before)


def test_infinite_parts_of_complex_interleaved_matrices():
    a = indefinite(complex)
    a[2, 0, 1] = complex(7, np.inf)
    a[2, 0, 2] = complex(-0.0, 1)
    x = bb.interleave(a)
    np.testing.assert_array_equal(x[2].view(float), a[2].view(float))
    assert np.signbit(x[2][0, 2].real)
    bb.potrf(x, check="nan")
    assert x.deinterleave()[2, 0, 1] == complex(7, np.inf)


def test_one_policy_for_calls_and_plans():
    for run in (lambda a, **more: bb.potrf(a, **more), lambda a, **more: bb.plan("potrf", a, **more)()):
        with pytest.raises(np.linalg.LinAlgError, match=r"potrf: 1 of 5 matrices are not positive definite: 2 \(info"):
            run(indefinite())
        with pytest.raises(ValueError, match="check = 'never': expected one of 'raise', 'nan', 'ignore'"):
            run(indefinite(), check="never")
        assert np.isnan(run(indefinite(), check="nan")[2]).any()
        assert not np.isnan(run(indefinite(), check="ignore")[[0, 1, 3, 4]]).any()


def test_plans_and_streams_fill_vectors_too(monkeypatch):
    a = np.array([1.0, np.nan])[:, None, None]
    found = [np.ones((2, 1)), bb.plan("gesvdvals", a, check="nan")()]
    given = {"A": a, "S": found[0][..., None]}
    monkeypatch.setattr("bblas_gen.runtime.streaming.streamed", lambda *_, **more: (given, np.array([0, 1], np.int32)))
    bb.stream("gesvdvals", a, found[0], check="nan")
    for s in found:
        np.testing.assert_array_equal(s, [[1], [np.nan]])


def test_info_returned_raises_nothing_but_fills():
    assert bb.potrf(indefinite(), return_info=True)[1].tolist() == [0, 0, 2, 0, 0]
    factor, info = bb.potrf(indefinite(), check="nan", return_info=True)
    assert np.isnan(factor[2][LOWER]).all()
    assert info[2] == 2
    with pytest.raises(ValueError, match="check = 1"):
        FailurePolicy(1)
