"""Single matrices and vectors are one problem: what a batch of one gives, without its axis."""

from __future__ import annotations

import numpy as np
import pytest
from support.layouts import bits
from support.table import ORACLES

import bblas_gen as bb
from bblas_gen.ir.catalog import LISTED, OPS
from bblas_gen.ir.documentation import FUNCTIONS
from bblas_gen.ir.terms import Role
from bblas_gen.runtime import kernels
from bblas_gen.schedule import recursive

NAMES = [row.name for row in LISTED if row.name in FUNCTIONS and row.name in ORACLES]


def problem(name, flags):
    """A batch of one, as the public function takes it."""
    row = OPS[name]
    made = ORACLES[name].make(np.random.default_rng(5), 1, dict.fromkeys(row.sizes, 4), flags, "float64")
    given = [x for x in row.parameters if x.role is not Role.OUT]
    arrays = [np.nan_to_num(made[x.name]) for x in given]
    return [a[..., 0] if x.is_vector else a for x, a in zip(given, arrays, strict=True)], [x.name for x in given]


def results(found):
    return found if isinstance(found, tuple) else (found,)


@pytest.mark.parametrize("name", NAMES)
def test_results_are_those_of_a_batch_of_one(name):
    flags = {flag: {"side": "L", "uplo": "L", "diag": "N"}.get(flag, "N") for flag in OPS[name].flags}
    batch, names = problem(name, flags)
    single = [x[0].copy() for x in batch]
    scalars = dict.fromkeys(OPS[name].user_scalars, 0.5)
    expected = results(getattr(bb, name)(*batch, **scalars))
    found = results(getattr(bb, name)(*single, **scalars))
    assert len(found) == len(expected)
    for one, many in zip(found, expected, strict=True):
        assert np.shape(one) == many.shape[1:]
        assert bits(np.asarray(one)) == bits(many[0])
    written = [x.name for x in OPS[name].outputs if x.name in names]
    for x in written:
        i = names.index(x)
        assert bits(single[i]) == bits(batch[i][0]), x
        if x == OPS[name].returns[0]:
            assert found[0] is single[i] or found[0].base is single[i] or not OPS[name].operand(x).is_vector


def test_what_is_written_is_what_was_given():
    a, b, c = np.eye(3), np.ones((3, 2)), np.zeros((3, 2))
    assert bb.gemm(a, b, c) is c
    assert bb.gemm(a, b) is not c
    assert np.array_equal(c, b)
    out = np.full((3, 3), np.nan)
    assert bb.potrf(4 * a, out=out) is out
    assert np.array_equal(np.tril(out), 2 * a)
    kept = 4 * a
    assert bb.potrf(kept, overwrite=False) is not kept
    assert np.array_equal(kept, 4 * a)


def test_numbers_are_scalars():
    found = bb.dot(np.arange(4.0), np.ones(4))
    assert isinstance(found, np.float64)
    assert found == 6
    assert bb.nrm2(np.array([3.0, 4.0])) == 5


def test_failures_are_told_of_one_matrix():
    a = np.diag([1.0, -1.0, 1.0])
    with pytest.raises(np.linalg.LinAlgError, match=r"potrf: 1 of 1 .* definite: 0 \(info = 2\)"):
        bb.potrf(a.copy())
    _, info = bb.potrf(a.copy(), return_info=True)
    assert info == 2
    assert np.ndim(info) == 0
    assert np.isnan(np.tril(bb.potrf(a.copy(), check="nan"))[np.tril_indices(3)]).all()


def test_plans_of_one_problem():
    a, b = np.arange(6.0).reshape(2, 3), np.ones((3, 4))
    plan = bb.plan("gemm", a, b)
    assert plan().shape == (2, 4)
    a *= 2
    assert np.array_equal(plan(), a @ b)
    spd, x = 2 * np.eye(3), np.ones((3, 1))
    assert bb.plan("posv", spd, x)() is x
    assert np.abs(x - 0.5).max() < 1e-15


def test_a_plan_of_one_problem_takes_a_vector():
    spd, b, out = 4 * np.eye(3), np.ones(3), np.zeros(3)
    for plan in (bb.plan("posv", spd, b, overwrite=False), bb.plan("posv", spd, b, out=out)):
        assert plan().tolist() == [0.25] * 3
    assert out.tolist() == [0.25] * 3
    assert b.tolist() == [1] * 3
    bb.plan("posv", spd, b)()
    assert b.tolist() == [0.25] * 3
    with pytest.raises(ValueError, match=r"b has shape \(3,\): expected a 3-D array"):
        bb.plan("posv", spd[None], b)


@pytest.mark.parametrize("name", ["posv", "gesv"])
def test_a_right_hand_side_may_be_a_vector(name):
    a, b = 2 * np.eye(3) + 0.25, np.arange(3.0)
    solve, expected = getattr(bb, name), np.linalg.solve(a, b)
    kept = solve(a, b, overwrite=False)
    assert kept.shape == (3,)
    assert np.abs(kept - expected).max() < 1e-15
    assert np.array_equal(b, np.arange(3.0))
    out = np.empty(3)
    assert solve(a, b, out=out) is out
    x, info = solve(a.copy(), b, return_info=True)
    assert x is b
    assert info == 0
    assert bits(b) == bits(out) == bits(kept)
    with pytest.raises(ValueError, match="b has 3 rows but a has 4 rows"):
        solve(np.eye(4), b)


def test_an_output_decides():
    """One matrix is for the whole batch only where something else is a batch."""
    with pytest.raises(ValueError, match=r"c is 2-D, one matrix for the whole batch: expected 3-D"):
        bb.gemm(np.ones((2, 2, 2)), np.ones((2, 2)), np.zeros((2, 2)))
    assert bb.gemm(np.ones((2, 2, 2)), np.ones((2, 2))).shape == (2, 2, 2)


@pytest.mark.parametrize("shape", [(70, 90, 80), (64, 65, 64), (210, 203, 205)])
@pytest.mark.parametrize("order", ["CC", "FC", "CF"])
def test_large_products(shape, order, rng):
    """By a kernel for any size; in blocks from some size on, by one thread from a lesser one."""
    m, n, k = shape
    a = np.asarray(rng.standard_normal((m, k)), order=order[0])
    b = np.asarray(rng.standard_normal((k, n)), order=order[1])
    c = rng.standard_normal((m, n))
    expected, shared = 1.5 * a @ b - 0.5 * c, c.copy()
    plan = bb.plan("gemm", a, b, c, alpha=1.5, beta=-0.5)
    assert plan.kernel.spec.general
    plan()
    assert np.abs(c - expected).max() < 1e-12 * k
    for threads in (1, 2, 3):
        assert bits(bb.gemm(a, b, shared.copy(), alpha=1.5, beta=-0.5, num_threads=threads)) == bits(c)


def test_large_products_of_any_strides(rng):
    a, b = rng.standard_normal((140, 160))[::2, ::2], rng.standard_normal((80, 70))
    plan = bb.plan("gemm", a, b)
    assert plan.kernel.source.schedule.large.schedule.form == "blocked"
    assert np.abs(plan() - a @ b).max() < 1e-12 * 80
    c = np.empty((2, 70, 70), "complex128")
    bb.gemm(np.stack([a, b.T]).astype("complex128"), np.stack([b, b]).astype("complex128"), c)
    assert np.abs(c - np.stack([a @ b, b.T @ b])).max() < 1e-12 * 80


def test_large_matrices_in_lists_are_divided(rng, monkeypatch):
    """Each has the bits, the pivots and the report that it has alone; what fails disturbs no other."""
    monkeypatch.setattr(recursive, "LARGE", 40)
    kernels.reset()
    a = [np.asarray(rng.standard_normal((n, n)) + n * np.eye(n)) for n in (41, 3, 70, 5, 41, 60)]
    b = [rng.standard_normal((len(x), 2)) for x in a]
    a[4][:, 7] = 0
    for threads in (1, 2):
        lu, pivots, x = [y.copy() for y in a], [np.zeros(len(y), np.int32) for y in a], [y.copy() for y in b]
        _, info = bb.gesv(lu, x, ipiv=pivots, check="ignore", return_info=True, num_threads=threads)
        assert info.tolist() == [0, 0, 0, 0, 8, 0]
        for i, (one, other) in enumerate(zip(a, b, strict=True)):
            alone = one.copy(), other.copy(), np.zeros(len(one), np.int32)
            bb.gesv(*alone[:2], ipiv=alone[2], check="ignore")
            assert [bits(y[i]) for y in (lu, x, pivots)] == [*map(bits, alone)]
            assert info[i] or np.allclose(one @ x[i], other)
    made = [spec for spec, own in kernels.RUNTIME.kernels.everything() if ("form", "recursive") in own]
    assert any(spec.op == "gesv" for spec in made)
    kernels.reset()


def test_large_products_in_lists(rng):
    """Threads share each of them; the others go in windows."""
    shapes = [(65, 70, 64), (4, 5, 6), (210, 205, 220), (3, 4, 5), (65, 70, 64)]
    a, b = [rng.standard_normal((m, k)) for m, _, k in shapes], [rng.standard_normal((k, n)) for _, n, k in shapes]
    for threads in (1, 2):
        for x, y, z in zip(a, b, bb.gemm(a, b, num_threads=threads), strict=True):
            assert bits(z) == bits(bb.gemm(x, y))
            assert np.abs(z - x @ y).max() < 1e-12 * x.shape[1]
