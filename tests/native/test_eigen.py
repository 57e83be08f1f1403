"""Eigenvalues and vectors: matrices as hard as there are, as large and small as there are, and what users get."""

from __future__ import annotations

import numpy as np
import pytest
from support.eig_oracles import orthogonality, residual, values_error
from support.extended import DTYPES, adjoint, random

import bblas_gen as bb

NAN = float("nan")
ORDERS = [1, 2, 3, 4, 6, 9]
"""Of every algorithm, and beside where the next begins."""
MORE = ("float32", "complex128")
"""Precisions that are tried with --thorough."""


def matrices(n, dtype="float64", batch=11):
    a = random(np.random.default_rng(n), (batch, n, n), dtype)
    return ((a + adjoint(a)) / 2).astype(dtype)


def rotated(values, dtype, seed=3):
    """Q diag(values) Q* with random Q, of each row of values."""
    n = values.shape[-1]
    q = np.linalg.qr(random(np.random.default_rng(seed), (len(values), n, n), np.promote_types(dtype, "d").name))[0]
    a = (q * values[:, None]) @ adjoint(q)
    return ((a + adjoint(a)) / 2).astype(dtype)


def hard(n, dtype):
    """Matrices by kind: clustered, repeated, graded values, of rank 1, of small or huge range, sums of few ones."""
    rng, eps = np.random.default_rng(n), np.finfo(dtype).eps
    k = np.arange(n)
    values = {
        "clustered": 1 + eps * 10 * k,
        "repeated": np.where(k < n // 2, 1.0, -2.0),
        "one cluster": np.where(k < n - 1, eps * rng.standard_normal(n), 1),
        "rank 1": np.where(k == 0, 1.0, 0),
        "all one": np.ones(n),
        "geometric": eps ** (k / max(1, n - 1)),
    }
    found = {kind: rotated(np.tile(x, (3, 1)), dtype)[:3] for kind, x in values.items()}
    scales = eps ** (k / max(1, n - 1))
    found["graded"] = matrices(n, dtype)[:3] * scales[:, None] * scales
    found["graded upwards"] = found["graded"][:, ::-1, ::-1]
    hilbert = 1 / (k[:, None] + k + 1.0)
    wilkinson = np.diag(abs(k - (n - 1) / 2)) + np.eye(n, k=1) + np.eye(n, k=-1)
    found |= {"Hilbert": hilbert[None], "Wilkinson": wilkinson[None], "zero": np.zeros((1, n, n))}
    found |= {"ones": np.ones((1, n, n)), "diagonal": np.diag(-k * 1.0)[None], "swap": np.eye(n)[None, ::-1]}
    return {kind: x.astype(dtype) for kind, x in found.items()}


@pytest.mark.parametrize("dtype", [pytest.param(x, marks=[pytest.mark.thorough] * (x in MORE)) for x in DTYPES])
@pytest.mark.parametrize("n", ORDERS)
def test_hard_matrices(n, dtype):
    """All in one call, so that lanes that need many steps stand beside those that need none."""
    found = hard(n, dtype)
    a = np.concatenate(list(found.values()))
    v, w = bb.syev(a.copy(), jobz="V")
    assert max(residual(a, w, v), orthogonality(v), values_error(a, w)) < 30
    assert values_error(a, bb.syev(a.copy())[1]) < 30


def test_last_rows_may_be_done_first(rng):
    """Then the second of two steps, whose rotations go to the vectors together, has fewer rows than the first."""
    scales = 10.0 ** np.linspace(7, 0, 9)
    a = rng.standard_normal((100, 1, 9, 9))
    a = (a + a.swapaxes(-1, -2)) * scales[:, None] * scales
    for one in a:
        v, w = bb.syev(one.copy(), jobz="V")
        assert max(residual(one, w, v), orthogonality(v)) < 30


@pytest.mark.parametrize("n", [2, 4, 6])
def test_small_values_of_graded_matrices_are_accurate(n):
    """To their own size, where Jacobi's method is used."""
    scales = 10.0 ** -np.linspace(0, 8, n)
    core = np.eye(n) + 0.1 * matrices(n)
    a = core * scales[:, None] * scales
    _, w = bb.syev(a.copy(), jobz="V")
    wide = np.linalg.inv(a[0])
    assert abs(w[0, 0] * np.linalg.norm(wide, 2) - 1) < 1e-12


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
@pytest.mark.parametrize("n", [2, 5, 9])
def test_matrices_of_any_size_have_the_values_of_others(n, dtype):
    info = np.finfo(dtype)
    a = matrices(n, dtype) + 4 * np.eye(n, dtype=dtype)
    v, w = bb.syev(a.copy(), jobz="V")
    for power in (info.maxexp - 6, info.minexp // 2, info.minexp + info.nmant + 4):
        scale = np.ldexp(np.ones((), info.dtype), power)
        found, values = bb.syev(a * scale, jobz="V")
        assert found.tobytes() == v.tobytes()
        assert values.tobytes() == (w * scale).tobytes()
    small = np.ldexp(np.ones((), info.dtype), info.minexp - info.nmant)  # the smallest number, of integers
    whole = np.round(8 * a.real) * small
    _, values = bb.syev(whole.astype(dtype))
    expected = np.linalg.eigvalsh(np.round(8 * a.real).astype(float))
    assert abs(values / small - expected).max() <= 0.51


@pytest.mark.parametrize("n", [3, 9])
@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_nan_and_inf_end_and_stay_with_their_matrix(n, dtype):
    a = matrices(n, dtype)
    v, w, info = bb.syev(a.copy(), jobz="V", return_info=True)
    assert not info.any()
    a[3, n - 1, 0], a[5, 1, 1], a[9, 0, 0] = NAN, np.inf, -np.inf
    found, values, reported = bb.syev(a, jobz="V", return_info=True)
    bad = np.isin(np.arange(11), [3, 5, 9])
    assert (reported == bad).all()
    assert np.isnan(values[bad]).all()
    assert np.isnan(found[bad].real).all()
    assert found[~bad].tobytes() == v[~bad].tobytes()
    assert values[~bad].tobytes() == w[~bad].tobytes()
    with pytest.raises(np.linalg.LinAlgError, match="3 of 11 matrices are not finite"):
        bb.syev(np.where(bad[:, None, None], np.inf, v))


def test_vectors_may_be_left_out_and_operands_kept():
    a = matrices(6)
    v, w = bb.syev(a, jobz="V", overwrite=False)
    values = np.empty((11, 6))
    assert bb.syev(a, values)[1] is values
    np.testing.assert_allclose(values, w, rtol=1e-13, atol=1e-13)
    out = np.empty_like(a)
    assert bb.syev(a, jobz="V", out=out)[0] is out
    assert out.tobytes() == v.tobytes()
    one, of_one = bb.syev(a[0].copy(), jobz="V")
    assert one.tobytes() == v[0].tobytes()
    assert of_one.tobytes() == w[0].tobytes()
    blocks, found = bb.syev(bb.interleave(a), jobz="V")
    assert blocks.deinterleave().tobytes() == v.tobytes()
    assert found.deinterleave()[..., 0].tobytes() == w.tobytes()


def test_vectors_abreast_are_as_each_alone():
    """More matrices than a vector has, some of which are not finite, behind another step; blocks are done one vector
    after the other."""
    a = matrices(9, batch=19)
    a[[2, 17], 5, 1] = NAN
    add = bb.step("geadd", "A", "C", beta=1)
    c, w = np.zeros_like(a), np.empty((19, 9, 1))
    bb.sequence([add, bb.step("syev", "C", "W", jobz="V")], name="summed")(A=a, C=c, W=w, check="ignore")
    given = {"jobz": "V", "overwrite": False, "check": "ignore", "return_info": True}
    v, values, info = bb.syev(a, **given)
    assert np.flatnonzero(info).tolist() == [2, 17]
    assert c.tobytes() == v.tobytes()
    assert w.tobytes() == values.tobytes()
    for some in (slice(3, 4), slice(8, 11), slice(16, 19)):
        assert bb.syev(a[some], **given)[0].tobytes() == v[some].tobytes()
    blocks, found, _ = bb.syev(bb.interleave(a), jobz="V", check="ignore", return_info=True)
    assert blocks.deinterleave().tobytes() == v.tobytes()
    assert found.deinterleave().tobytes() == values.tobytes()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda a, w: bb.syev(a, w[:, :2]), "w has 2 rows"),
        (lambda a, w: bb.syev(a[:, :2], w), "a is 2 x 4|a has"),
        (lambda a, w: bb.syev(np.broadcast_to(1.0, a.shape)), "a is read-only"),
        (lambda a, w: bb.syev(a, a[:, 0]), "overlaps"),
        (lambda a, w: bb.syev(a, w, jobz="U"), "jobz = 'U' is not"),
    ],
)
def test_refusals_name_the_argument(call, message):
    with pytest.raises(ValueError, match=message):
        call(matrices(4), np.ones((11, 4)))
