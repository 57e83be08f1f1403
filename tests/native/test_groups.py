"""Groups: several batches in one call, lists of 3-D arrays."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from support.cases import prepared, tried, typical
from support.layouts import bits, is_interleaved

import bblas_gen as bb
from bblas_gen.ir.catalog import OPS
from bblas_gen.runtime.call import by_user_names

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
        (([ONE, 3], [ONE, TWO]), {}, TypeError, r"a\[1\] is a int but a\[0\] is a ndarray: expected batches of one k"),
        (([ONE, np.ma.array(TWO)],) * 2, {}, TypeError, r"a\[1\] is a masked array, whose mask would be ignored"),
        (([ONE.astype(int)],) * 2, {}, TypeError, r"a\[0\] has dtype int64: expected one of"),
        (([ONE, TWO],) * 2, {"alpha": [1.0, 2.0, 3.0]}, ValueError, "alpha has 3 values for 2 batches"),
        (([ONE, TWO],) * 2, {"transa": "NTN"}, ValueError, "transa has 3 values for 2 batches"),
        (([ONE, TWO],) * 2, {"alpha": [1.0, "x"]}, TypeError, r"alpha\[1\] = 'x': expected a real number"),
        (([ONE, TWO],) * 3, {}, ValueError, "c overlaps a"),
    ],
)
def test_refusals(operands, named, error, text):
    for call in (bb.gemm, partial(bb.plan, "gemm")):
        with pytest.raises(error, match=text):
            call(*operands, **named)


@pytest.mark.parametrize("op", tried(1, 2))
def test_interleaved_groups_have_the_bits_of_their_batches(op):
    """Every operation, in blocks of any size; each group has flags and scalars of its own, and reports."""
    cases = typical(OPS[op], list(OPS).index(op))
    for case in prepared([case for case in cases if is_interleaved(case.layouts[0])]):
        operands = case.make()
        given = [case.place({name: x[:batch] for name, x in operands.items()}) for batch in (17, 0, 3)]
        lists = [[group[name].operand for group in given] for name in operands]
        named = {name: [value] * 3 for name, value in {**case.flags, **case.scalars}.items()}
        plan = bb.plan(op, **by_user_names(OPS[op], lists), **named, **({"check": "ignore"} if case.row.info else {}))
        plan()
        whole = case.place({name: x[:17] for name, x in operands.items()})
        case.plan(whole)()
        for name, x in whole.items():
            for group, batch in zip(given, (17, 0, 3), strict=True):
                assert bits(group[name].values()) == bits(x.values()[:batch]), (case, name)
                assert group[name].untouched_around(), (case, name)
        assert plan.info is None or plan.info.shape == (20,)


def interleaved(arrays):
    return [bb.interleave(x) for x in arrays]


def outside(found):
    return [x.deinterleave() if isinstance(x, bb.Interleaved) else x for x in found]


def test_interleaved_groups_of_any_shape_and_blocks(rng):
    """Also beside arrays and one matrix for all; results are of the form given."""
    a, b, c = batches(rng, 0, 1, 3), batches(rng, 0, 3, 2), batches(rng, 0, 1, 2)
    one = [bb.interleave(x, nb=nb) for x, nb in zip(a, (None, 4, None, "full"), strict=True)]
    other = [bb.interleave(x, nb=nb) for x, nb in zip(b, (None, 4, None, None), strict=True)]
    products = [x @ y for x, y in zip(a, b, strict=True)]
    found = bb.gemm(one, other)
    assert [(str(x.layout), x.nb) for x in found] == [("bi", 8), ("bi", 4), ("bi", 8), ("il", 8)]
    assert alike(outside(found), products)
    alpha, beta = [1.0, 2.0, 3.0, 0.5], (0, 1, 1, 2)
    expected = [x * y + z * w for x, y, z, w in zip(alpha, products, beta, c, strict=True)]
    into = [x.copy() for x in c]
    for _ in range(2):  # the second one like the first
        into[:] = [x.copy() for x in c]
        assert bb.gemm(one, b, into, alpha=alpha, beta=beta) is into
        assert alike(into, expected)
    plan = bb.plan("gemm", a, b, interleaved(c), alpha=np.array(alpha), beta=beta)
    assert alike(outside(plan()), expected)
    assert alike(outside(bb.gemm(interleaved(a[::3]), np.eye(2))), a[::3])
    assert alike(bb.gemm([bb.indexed(x, np.arange(len(x))) for x in a[::3]], np.eye(2)), a[::3])
    many = bb.interleave(rng.standard_normal((20, 2, 2)))
    halves = [many[:8], many[8:]]
    expected = many.deinterleave() * np.repeat([2.0, 3.0], [8, 12])[:, None, None]
    bb.lascl(halves, alpha=[2.0, 3.0])
    assert np.array_equal(many.deinterleave(), expected)


def test_interleaved_groups_of_vectors_pivots_and_reports(rng):
    s = [rng.standard_normal((g, n, n)) for g, n in ((2, 3), (1, 2))]
    y = [rng.standard_normal((g, n)) for g, n in ((2, 3), (1, 2))]
    solved = [np.linalg.solve(a, b[..., None]) for a, b in zip(s, y, strict=True)]
    factors, pivots = bb.getrf(interleaved(s), overwrite=False)
    assert [(p.shape, p.dtype) for p in pivots] == [((2, 3, 1), np.int32), ((1, 2, 1), np.int32)]
    assert alike(outside(bb.getrs(factors, pivots, [b[..., None].copy() for b in y])), solved)
    columns = interleaved([b[..., None] for b in y])
    for x in (columns, y):
        found = [np.einsum("gij,gj->gi", *pair) for pair in zip(s, y, strict=True)]
        assert alike([z.reshape(z.shape[:2]) for z in outside(bb.gemv(interleaved(s), x))], found)
    assert alike(bb.nrm2(columns), [np.linalg.norm(b, axis=1) for b in y])
    good = [np.eye(3)[None].repeat(2, axis=0), np.eye(2)[None].copy()]
    good[0][1, 2, 2] = -1
    with pytest.raises(np.linalg.LinAlgError, match=r"potrf: 1 of 3 matrices .*: 1 of group 0 \(info = 3\)"):
        bb.potrf(interleaved(good))
    found, info = bb.potrf(interleaved(good), uplo="LU", check="nan", return_info=True)
    assert info.tolist() == [0, 3, 0]
    assert [int(np.isnan(x).sum()) for x in outside(found)] == [6, 0]
    scaled = bb.sequence([bb.step("lacpy", "A", "B"), bb.step("lascl", "B", alpha="by")])
    for x in (interleaved(s), s):
        assert alike(outside(scaled(A=x, by=[2.0, 3.0])), [2 * s[0], 3 * s[1]])
        assert alike(outside(bb.plan(scaled, A=x, by=[2.0, 3.0])()), [2 * s[0], 3 * s[1]])


I1, I2, OTHER = bb.interleave(ONE), bb.interleave(TWO), ONE.copy()


@pytest.mark.parametrize(
    ("operands", "named", "error", "text"),
    [
        (([I1, TWO],) * 2, {}, TypeError, r"a\[1\] is a ndarray but a\[0\] is a Interleaved: expected batches of one"),
        (([ONE, I2],) * 2, {}, TypeError, r"a\[1\] is a Interleaved but a\[0\] is a ndarray: expected batches of one"),
        (([I1, I2], I2), {}, TypeError, "b is one batch but a is a list of batches: expected a li"),
        (([I1, I2], [I1]), {}, ValueError, "b has 1 batches but a has 2: expected as many"),
        (([I1, I2], [I1, I1]), {}, ValueError, r"b\[1\] is a batch of 1 but a\[1\] is one of 2"),
        (([I1, I2], [ONE, TWO[:, :1]]), {}, ValueError, r"b\[1\] has 1 rows but a\[1\] has 2 columns"),
        (([I1, bb.interleave(TWO.astype("f4"))],) * 2, {}, TypeError, r"a\[1\] has dtype float32 but a\[0\] has fl"),
        (([I1, I2],) * 2, {"alpha": [1.0, 2.0, 3.0]}, ValueError, "alpha has 3 values for 2 batches"),
        (([I1, I2],) * 2, {"alpha": [1.0, "x"]}, TypeError, r"alpha\[1\] = 'x': expected a real number"),
        (([I1, I2],) * 2, {"transa": "NTN"}, ValueError, "transa has 3 values for 2 batches"),
        (([I1, I2],) * 2, {"beta": [0, 1]}, ValueError, "beta = 1 without c: expected 0"),
        (([I1, I2],) * 3, {}, ValueError, "c overlaps a"),
        (([I1, I1], np.eye(2), [ONE.copy()] * 2), {}, ValueError, "c overlaps itself"),
        (([I1, I1], [ONE, OTHER], [OTHER, ONE.copy()]), {}, ValueError, "c overlaps b"),
        (
            (I2, I2),
            {"alpha": [1.0, 2.0]},
            TypeError,
            "alpha has 2 values but a is an Interleaved, whose matrices share",
        ),
        ((I2, [np.eye(2), np.ones((2, 1))]), {}, TypeError, "a is an Interleaved, beside matrices that are not alike"),
    ],
)
def test_refusals_of_interleaved_groups(operands, named, error, text):
    for call in (bb.gemm, partial(bb.plan, "gemm")):
        with pytest.raises(error, match=text):
            call(*operands, **named)
