"""Groups: several batches in one call, lists of 3-D arrays."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import bblas_gen as bb

SHAPES = ((2, 2, 3, 2), (1, 3, 2, 3), (0, 2, 4, 1), (3, 2, 3, 2))


def batches(rng, *axes):
    return [rng.standard_normal(tuple(sides[i] for i in axes)) for sides in SHAPES]


def alike(found, expected):
    assert [x.shape for x in found] == [x.shape for x in expected]
    return all(np.allclose(x, y, rtol=1e-12, atol=1e-12) for x, y in zip(found, expected, strict=True))


def test_results_are_groups_too(rng):
    a, b, c = batches(rng, 0, 1, 3), batches(rng, 0, 3, 2), batches(rng, 0, 1, 2)
    products = [x @ y for x, y in zip(a, b, strict=True)]
    assert alike(bb.gemm(a, b), products)
    alpha, beta = [1.0, 2.0, 3.0, 0.5], (0, 1, 1, 2)
    expected = [x * y + z * w for x, y, z, w in zip(alpha, products, beta, c, strict=True)]
    into = [x.copy() for x in c]
    assert bb.gemm(a, b, into, alpha=alpha, beta=beta) is into
    assert alike(into, expected)
    plan = bb.plan("gemm", a, b, [x.copy() for x in c], alpha=np.array(alpha), beta=beta)
    assert alike(plan(), expected)
    turned = [x.swapaxes(1, 2).copy() if i % 2 else x for i, x in enumerate(a)]
    assert alike(bb.gemm(turned, b, transa="NTNT"), products)
    assert alike(bb.gemm(a[::3], np.eye(2)), a[::3])
    assert alike(bb.gemm([x[::2, ::-1] for x in a], [y[::2] for y in b]), [x[::2, ::-1] for x in products])
    assert alike(bb.gemm([x[:0] for x in a], [y[:0] for y in b]), [x[:0] for x in products])


def test_vectors_numbers_pivots_and_reports(rng):
    a, x = batches(rng, 0, 1, 3), batches(rng, 0, 3)
    assert alike(bb.gemv(a, x), [np.einsum("gij,gj->gi", y, z) for y, z in zip(a, x, strict=True)])
    assert alike(bb.plan("gemv", a, x)(), bb.gemv(a, x))
    assert alike(bb.nrm2(x), [np.linalg.norm(y, axis=1) for y in x])
    s = [rng.standard_normal((g, n, n)) for g, n in ((2, 3), (1, 2))]
    y = [rng.standard_normal((g, n, 1)) for g, n in ((2, 3), (1, 2))]
    factors, pivots = bb.getrf(s, overwrite=False)
    assert [p.shape for p in pivots] == [(2, 3), (1, 2)]
    solved = [np.linalg.solve(*pair) for pair in zip(s, y, strict=True)]
    assert alike(bb.getrs(factors, pivots, [z.copy() for z in y]), solved)
    good = [np.eye(3)[None].repeat(2, axis=0), np.eye(2)[None].copy()]
    good[0][1, 2, 2] = -1
    with pytest.raises(np.linalg.LinAlgError, match=r"potrf: 1 of 3 matrices .*: 1 of group 0 \(info = 3\)"):
        bb.potrf([x.copy() for x in good])
    found, info = bb.potrf(good, uplo="LU", check="nan", return_info=True)
    assert info.tolist() == [0, 3, 0]
    assert [int(np.isnan(x).sum()) for x in found] == [6, 0]


def test_groups_that_are_alike_are_one_bin(rng):
    """However many: a plan of groups of one makes the calls of one group."""
    a = rng.standard_normal((40, 2, 2))
    each = [a[i : i + 1] for i in range(40)]
    plans = [bb.plan("gemm", x, x, num_threads=1) for x in ([a], each)]
    assert alike([np.concatenate(plans[1]())], plans[0]())
    one, many = (plan._run.args[0] for plan in plans)
    assert len(one) == len(many) == 1


def test_arrays_that_are_not_aligned_are_copied_and_written_back(rng):
    odd = np.zeros(2 * 4 * 8 + 1, np.uint8)[1:].view(float).reshape(2, 2, 2)
    odd[...] = rng.standard_normal((2, 2, 2))
    before = odd.copy()
    bb.lascl([odd, np.ones((1, 2, 2))], alpha=2.0)
    assert np.array_equal(odd, 2 * before)
    with pytest.raises(ValueError, match="c overlaps a"):
        bb.gemm([odd], np.eye(2), [odd])


ONE, TWO = np.ones((1, 2, 2)), np.ones((2, 2, 2))


@pytest.mark.parametrize(
    ("operands", "named", "error", "text"),
    [
        (
            ([ONE, TWO], ONE),
            {},
            TypeError,
            "b is one batch but a is a list of batches: expected a li",
        ),
        (([ONE, TWO], [ONE]), {}, ValueError, "b has 1 batches but a has 2: expected as many"),
        (([ONE, TWO], [ONE, ONE]), {}, ValueError, r"b\[1\] is a batch of 1 but a\[1\] is one of 2"),
        (([ONE, TWO], [ONE, TWO[:, :1]]), {}, ValueError, "group 1: b has 1 rows but a has 2 columns"),
        (([ONE, TWO[:0]], [ONE, TWO[:0, :1]]), {}, ValueError, "group 1: b has 1 rows but a has 2 columns"),
        (([ONE, TWO[0]], [ONE, TWO]), {}, ValueError, r"a\[1\] has shape \(2, 2\): expected 3 axes, as a\[0\] is a"),
        (([ONE, TWO.astype("f4")], [ONE, TWO]), {}, TypeError, r"a\[1\] has dtype float32 but a\[0\] has float64"),
        (([ONE, 3], [ONE, TWO]), {}, TypeError, r"a\[1\] is a int: expected an array, as a\[0\] is a batch"),
        (([ONE.astype(int)],) * 2, {}, TypeError, r"a\[0\] has dtype int64: expected one of"),
        (([ONE, TWO],) * 2, {"alpha": [1.0, 2.0, 3.0]}, ValueError, "alpha has 3 values for 2 batches"),
        (([ONE, TWO],) * 2, {"transa": "NTN"}, ValueError, "transa has 3 values for 2 batches"),
        (([ONE, TWO],) * 2, {"alpha": [1.0, "x"]}, TypeError, r"alpha\[1\] = 'x': expected a real number"),
        (([ONE, TWO],) * 3, {}, ValueError, "c overlaps a"),
        (
            (([bb.interleave(TWO)] * 2),) * 2,
            {},
            TypeError,
            "expected a 2-D array",
        ),
    ],
)
def test_refusals(operands, named, error, text):
    for call in (bb.gemm, partial(bb.plan, "gemm")):
        with pytest.raises(error, match=text):
            call(*operands, **named)
