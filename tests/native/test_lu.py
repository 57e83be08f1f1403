"""LU with partial pivoting: residuals, pivots, reports, singular and wild matrices, all layouts and orders."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from support.cases import half
from support.extended import DTYPES, random, wide
from support.kernels import lanes
from support.layouts import as_layout, placed, values
from support.lu_oracles import ORACLES, factored, permuted
from support.oracles import norm

import bblas_gen as bb
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.terms import Kind
from bblas_gen.runtime.call import by_user_names

BOUND = 30
LAYOUTS = ["st", "pp", "bi", "il", "bi3"]
NAN = float("nan")
N = 7


def given_as(x, layout, order="C"):
    """An operand as a user has it; pivots as their matrix, or in an array where that lies by itself."""
    if x.dtype != np.int32:
        return as_layout(x, layout, order)
    if layout in ("st", "pp"):
        return x.copy()
    nb = "full" if layout == "il" else 16 if layout == "bi" else int(layout[2:])
    found = bb.Interleaved.empty((*x.shape, 1), np.int32, nb=nb)
    for i, pivots in enumerate(x):
        found[i] = pivots[:, None]
    return found


def array(x):
    """The values of an operand, pivots as (batch, n)."""
    if isinstance(x, bb.Interleaved) and x.dtype == np.int32:
        return x.deinterleave()[..., 0]
    return values(x)


def block(dtype, layout):
    """Pivots share the block size of their matrices."""
    return "bi" + str(64 // np.empty(0, dtype).real.itemsize) if layout == "bi" else layout


def check(op, dtype, sizes, batch, layouts, flags, orders):
    rng = np.random.default_rng([*sizes.values(), batch])
    before = ORACLES[op].make(rng, batch, sizes, flags, dtype)
    layouts = [block(dtype, x) for x in layouts]
    given = [given_as(x, lay, o) for x, lay, o in zip(before.values(), layouts, orders, strict=False)]
    plan = bb.plan(op, **by_user_names(OPS[op], given), **flags)
    plan()
    after = {name: array(x) for name, x in zip(before, given, strict=True)}
    error = ORACLES[op].error(before, after, flags, {})
    assert error < BOUND, (op, dtype, sizes, batch, layouts, flags, orders, error)
    outputs = [x.name for x in OPS[op].outputs]
    assert all(np.array_equal(after[name], x) for name, x in before.items() if name not in outputs)


@pytest.mark.parametrize(("dtype", "layout"), [("float64", "bi"), ("float32", "st"), ("complex128", "st")])
@pytest.mark.parametrize("n", [2, 4, 8, 12, 16, 24])
def test_pivots_and_factors_are_those_of_lapack(n, dtype, layout, rng):
    scipy_linalg = pytest.importorskip("scipy.linalg")
    a = random(rng, (2 * lanes(dtype) + 1, n, n), dtype)
    f, ipiv = bb.getrf(given_as(a, block(dtype, layout)))
    getrf = scipy_linalg.get_lapack_funcs("getrf", (a,))
    for found, pivots, one in zip(array(f), array(ipiv), a, strict=True):
        lu, expected, info = getrf(one)
        assert info == 0
        assert np.array_equal(pivots, expected + 1)
        np.testing.assert_allclose(found, lu, rtol=0, atol=200 * n * np.finfo(dtype).eps * np.abs(lu).max())


@pytest.mark.parametrize(("m", "n"), [(6, 3), (3, 6), (17, 6), (6, 17), (1, 9), (9, 1), (20, 11)])
def test_rectangles(m, n):
    for dtype, layout in (("float64", "st"), ("complex64", "bi"), ("float32", "il")):
        check("getrf", dtype, {"m": m, "n": n}, 2 * lanes(dtype) + 3, (layout,) * 2, {}, "CC")


@pytest.mark.parametrize("n", [32, pytest.param(37, marks=pytest.mark.thorough)])
def test_larger_ones(n):
    sizes = {"n": n, "nrhs": 3}
    for layout in ("st", "bi"):
        check("gesv", "float64", sizes, 11, (layout,) * 3, {}, "CCC")
        check("getri", "float64", {"n": n}, 11, (layout,) * 2, {}, "CC")
        for trans in "NT":
            check("getrs", "float64", sizes, 11, (layout,) * 3, {"trans": trans}, "CCC")


def same(x, y):
    return np.ascontiguousarray(x).tobytes() == np.ascontiguousarray(y).tobytes()


@functools.cache
def singular(n, dtype="float64"):
    """Matrices of which number i has a column i % n of zeros, where i is odd, and their info."""
    a = random(np.random.default_rng(4), (2 * n + 5, n, n), dtype)
    info = np.zeros(len(a), np.int32)
    for i in range(1, len(a), 2):
        a[i, :, i % n] = 0
        info[i] = i % n + 1
    return a, info


@pytest.mark.parametrize(("n", "layout"), half([5, 7, 13], LAYOUTS))
def test_a_zero_pivot_is_reported_and_disturbs_no_other(n, layout):
    a, expected = singular(n)
    layout = block("float64", layout)
    b = random(np.random.default_rng(6), (len(a), n, 2), "float64")
    x, y = given_as(a, layout), given_as(b, layout)
    _, info = bb.gesv(x, y, return_info=True)
    assert np.array_equal(info, expected)
    bad = expected != 0
    assert same(values(y)[bad], b[bad])
    good = a.copy()
    good[bad] = np.eye(n)
    clean, rhs = given_as(good, layout), given_as(b, layout)
    bb.gesv(clean, rhs)
    assert same(values(x)[~bad], values(clean)[~bad])
    assert same(values(y)[~bad], values(rhs)[~bad])
    f, ipiv = given_as(a, layout), None
    f, ipiv, info = bb.getrf(f, return_info=True)
    error = norm(factored(array(f), array(ipiv)) - wide(a)) / norm(a)
    assert error.max() < BOUND * n * np.finfo(float).eps  # singular ones are factored too
    kept = values(f)
    _, info = bb.getri(f, ipiv, return_info=True)
    assert np.array_equal(info, expected)
    assert same(values(f)[bad], kept[bad])


def test_zero_matrices_and_the_last_column():
    a = np.zeros((3, 4, 4))
    a[1] = np.triu(np.ones((4, 4)))
    a[1, 3, 3] = 0
    a[2] = np.eye(4)
    _, ipiv, info = bb.getrf(a, return_info=True)
    assert info.tolist() == [1, 4, 0]
    assert (ipiv == np.arange(1, 5)).all()


@pytest.mark.parametrize("n", [4, 8, 13])
@pytest.mark.parametrize("bad", [NAN, np.inf])
def test_what_is_no_number_stays_in_its_matrix(n, bad, rng):
    a = random(rng, (19, n, n), "float64")
    for layout in ("st", "bi8"):
        clean, pivots = bb.getrf(given_as(a, layout))
        for lane, (i, j) in ((0, (0, 0)), (9, (n - 1, 1)), (18, (2, n - 1))):
            spoiled = a.copy()
            spoiled[lane, i, j] = bad
            f, ipiv, _ = bb.getrf(given_as(spoiled, layout), return_info=True)
            others = np.arange(19) != lane
            assert same(array(f)[others], array(clean)[others])
            assert np.array_equal(array(ipiv)[others], array(pivots)[others])


@pytest.mark.parametrize("n", [4, 9])
def test_nan_is_no_pivot_unless_it_stands_first(n):
    a = np.tile(np.eye(n) + np.tri(n) / 2, (3, 1, 1))
    a[0, 2, 0] = NAN
    a[1, 0, 0] = NAN
    _, ipiv, info = bb.getrf(a, return_info=True)
    assert info.tolist() == [0, 0, 0]
    assert (ipiv[:, 0] == 1).all()


@pytest.mark.parametrize("n", [8, 24])
def test_growth_of_wilkinsons_matrix(n):
    """Every step doubles the last column, and no row is exchanged."""
    a = np.tile(np.eye(n) - np.tri(n, k=-1), (9, 1, 1))
    a[:, :, -1] = 1
    f, ipiv = bb.getrf(bb.interleave(a))
    found = f.deinterleave()
    assert (array(ipiv) == np.arange(1, n + 1)).all()
    assert (found[:, :, -1] == 2.0 ** np.arange(n)).all()
    assert norm(factored(found, array(ipiv)) - wide(a)).max() == 0


@pytest.mark.parametrize("n", [4, 12])
@pytest.mark.parametrize("dtype", DTYPES)
def test_pivots_at_the_ends_of_the_range(n, dtype, rng):
    real = np.empty(0, dtype).real.dtype
    tiny, huge = np.finfo(real).smallest_subnormal * 2.0**12, np.finfo(real).max / 2.0**12
    a = random(rng, (lanes(dtype) + 1, n, n), dtype)
    for scale, exact in ((tiny, 2.0**-9), (huge, 0)):
        x = a * np.array(scale, real)
        f, ipiv, info = bb.getrf(x.copy(), return_info=True)
        assert not info.any()
        error = norm(factored(f, ipiv) - wide(x)) / norm(wide(x))
        assert error.max() < BOUND * n * (np.finfo(real).eps + exact), (scale, error.max())


def test_ties_take_the_first_row():
    a = np.ones((3, 5, 5)) + np.eye(5) * 3
    a[:, 0, 0] = 1
    a[:, 2, 0] = a[:, 4, 0] = -4
    _, ipiv = bb.getrf(a)
    assert (ipiv[:, 0] == 3).all()


def test_bits_depend_on_neither_place_nor_threads(rng):
    for n in (6, 13):
        a, b = random(rng, (70, n, n), "float64"), random(rng, (70, n, 1), "float64")

        def run(index, layout, team, a=a, b=b):
            x, y = given_as(a[index], layout), given_as(b[index], layout)
            return values(bb.gesv(x, y, num_threads=team))

        whole = run(np.arange(70), "bi8", 1)
        for layout in ("st", "il", "bi8"):
            for team in (1, 2):
                assert same(run(np.arange(70), layout, team), whole)
        order = np.random.default_rng(1).permutation(70)
        assert same(run(order[:33], "bi8", None), whole[order[:33]])


def test_padding_is_never_written(rng):
    for n in (5, 13):
        for layout in ("bi8", "il"):
            a = given_as(random(rng, (11, n, n), "float64"), layout)
            ipiv = given_as(np.zeros((11, n), np.int32), layout)
            for x, mark in ((a, NAN), (ipiv, -7)):
                x.data[-1, ..., x.nb - x.padding :] = mark
            bb.getrf(a, ipiv)
            assert a.padding
            assert np.isnan(a.data[-1, ..., a.nb - a.padding :]).all()
            assert (ipiv.data[-1, ..., ipiv.nb - ipiv.padding :] == -7).all()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_results_are_made_as_the_matrices_lie(layout, rng):
    a = random(rng, (11, 6, 4), "float64")
    x = given_as(a, layout)
    f, ipiv = bb.getrf(x)
    assert f is x
    if layout in ("st", "pp"):
        assert ipiv.shape == (11, 4)
    else:
        assert isinstance(ipiv, bb.Interleaved)
        assert ipiv.nb == x.nb
        assert ipiv.shape == (11, 4, 1)
    assert ipiv.dtype == np.int32


def test_out_keeps_what_it_replaces(rng):
    a, b = random(rng, (11, 4, 4), "float64"), random(rng, (11, 4, 2), "float64")
    kept, out = a.copy(), np.full_like(a, NAN)
    f, ipiv = bb.getrf(a, out=out)
    assert f is out
    assert same(a, kept)
    x, inverse = np.full_like(b, NAN), np.full_like(a, NAN)
    assert bb.getrs(f, ipiv, b, out=x) is x
    assert bb.getri(f, ipiv, out=inverse) is inverse
    np.testing.assert_allclose(a @ x, b, atol=1e-11)
    np.testing.assert_allclose(a @ inverse, np.tile(np.eye(4), (11, 1, 1)), atol=1e-11)
    y = np.full_like(b, NAN)
    assert bb.gesv(a.copy(), b, out=y) is y
    assert same(x, y)


def test_what_fails_is_raised_or_becomes_nan():
    a, info = singular(5)
    bad = info != 0
    b = np.ones((len(a), 5, 1))
    for op, given in (("getrf", (a.copy(),)), ("gesv", (a.copy(), b.copy()))):
        with pytest.raises(np.linalg.LinAlgError, match=rf"{op}: 7 of 15 matrices are singular: 1 \(info = 2\), "):
            getattr(bb, op)(*given)
    f, ipiv = bb.getrf(a.copy(), check="ignore")
    with pytest.raises(np.linalg.LinAlgError, match="getri: 7 of 15 matrices are singular"):
        bb.getri(f.copy(), ipiv)
    x, y = a.copy(), b.copy()
    bb.gesv(x, y, check="nan")
    assert np.isnan(x[bad]).all()
    assert np.isnan(y[bad]).all()
    assert np.isfinite(y[~bad]).all()
    assert np.isnan(bb.getri(f, ipiv, check="nan")[bad]).all()


def test_plans(rng):
    a, b = random(rng, (11, 4, 4), "float64"), random(rng, (11, 4, 1), "float64")
    x = a.copy()
    k = bb.plan("getrf", x)
    f, ipiv = k()
    assert f is x
    expected = bb.getrf(a.copy())
    assert same(f, expected[0])
    assert same(ipiv, expected[1])
    assert not k.info.any()
    y = b.copy()
    assert bb.plan("gesv", a=a.copy(), b=y)() is y
    assert same(y, bb.gesv(a.copy(), b.copy()))


def test_one_factor_for_all(rng):
    a, b = random(rng, (1, 6, 6), "float64"), random(rng, (11, 6, 2), "float64")
    f, ipiv = bb.getrf(a.copy())
    x = bb.getrs(f[0], ipiv[0], b.copy())
    np.testing.assert_allclose(a @ x, b, atol=1e-10)
    apart = np.zeros((6, 2), np.int32)[:, 0]
    apart[:] = ipiv[0]
    assert same(bb.getrs(f[0], apart, b.copy()), x)


@pytest.mark.parametrize(
    ("ipiv", "error", "text"),
    [
        (np.zeros((5, 3)), TypeError, "ipiv has dtype float64: expected int32"),
        (np.zeros((5, 3), np.int64), TypeError, "ipiv has dtype int64"),
        (np.zeros((5, 4), np.int32), ValueError, r"ipiv has 4 rows: expected min\(m, n\) = 3"),
        (np.zeros((4, 3), np.int32), ValueError, "ipiv is a batch of 4 but a is one of 5"),
        (np.zeros((5, 3, 1), np.int32), ValueError, "ipiv has shape"),
        ([1, 2, 3], TypeError, r"ipiv\[0\] is a int"),
        (bb.Interleaved.empty((5, 3, 1), float), TypeError, "ipiv has dtype float64"),
    ],
)
def test_pivots_that_are_none_are_refused(ipiv, error, text):
    with pytest.raises(error, match=text):
        bb.getrf(np.ones((5, 3, 3)), ipiv)
    with pytest.raises(TypeError, match="a has dtype int32"):
        bb.getrf(bb.Interleaved.empty((5, 3, 3), np.int32))


@pytest.mark.parametrize("layout", ["bi", "il", "st", "bi3"])
@pytest.mark.parametrize("n", [3, 12, 20])
def test_pivots_that_name_no_row_touch_no_other_memory(n, layout):
    rng = np.random.default_rng(2)
    a, b = (random(rng, (11, n, size), "float64") for size in (n, 1))
    wild = rng.choice(np.array([0, -1, -(2**31), 2**31 - 1, n + 1, 1 << 20], np.int32), (11, n))
    given = [placed(x, layout, line=8) for x in (a, wild, b)]
    bb.getrs(*(x.operand for x in given))
    assert all(x.untouched_around() for x in given)


def test_symbols_and_layouts_of_pivots():
    make = bb.KernelSpec.make
    assert make("getrf", "d", "pp", m=4, n=4).symbol() == "bb_dgetrf_ppst_m4n4"
    assert bb.KernelSpec.parse("bb_dgetrf_pp_m4n4") == make("getrf", "d", "pp", m=4, n=4)
    with pytest.raises(bb.SpecError, match="as it holds indices"):
        make("getrf", "d", ("pp", "pp"), m=4, n=4)
    declaration = bb.compile("getrs", "z", "bi", n=2, nrhs=1).source.declaration
    assert "const int32_t *IPIV, double *B" in declaration
    assert OPS["getrf"].operand("IPIV").kind is Kind.INDEX


@pytest.mark.parametrize("layout", ["st", "bi8", "il"])
def test_sequences_factor_and_solve(layout, rng):
    a, b = random(rng, (11, 5, 5), "float64"), random(rng, (11, 5, 2), "float64")
    solve = bb.sequence([bb.step("getrf", "A", "P"), bb.step("getrs", "A", "P", "B")], name="solve", scratch=["P"])
    expected = values(bb.gesv(given_as(a, layout), given_as(b, layout)))
    assert same(values(solve(A=given_as(a, layout), B=given_as(b, layout))), expected)
    factor = bb.sequence([bb.step("getrf", "A", "P"), bb.step("getri", "A", "P")], name="inverse")
    assert factor.operands == {"P": "out", "A": "inout"}
    inverse = values(factor(A=given_as(a, layout)))
    np.testing.assert_allclose(a @ inverse, np.tile(np.eye(5), (11, 1, 1)), atol=1e-10)
    with pytest.raises(bb.SpecError, match="operand P is a index and a scalar"):
        bb.sequence([bb.step("getrf", "A", "P"), bb.step("trsm", "A", "P")])


STAYING = [("st", "C"), ("st", "F"), ("pp", "C"), ("bi8", "C"), ("il", "C")]


@pytest.mark.parametrize(("n", "layout", "order"), [(n, *how) for n in (5, 13) for how in STAYING] + [(32, "st", "C")])
def test_solving_from_what_stays_gives_the_same_bits(n, layout, order, rng):
    a, b = random(rng, (11, n, n), "float64"), random(rng, (11, n, 2), "float64")
    a[4, :, 1] = 0  # singular: what would be its solution stays as it was copied
    steps = [bb.step("lacpy", "A", "F"), bb.step("lacpy", "B", "X"), bb.step("gesv", "F", "P", "X")]
    solve = bb.sequence(steps, name="solved", scratch=["F", "P"])
    given, rhs = given_as(a, layout, order), given_as(b, layout, order)
    x, info = solve(A=given, B=rhs, return_info=True)
    expected, reported = bb.gesv(given_as(a, layout, order), given_as(b, layout, order), return_info=True)
    assert same(values(x), values(expected))
    assert same(values(x)[4], b[4])
    assert info.tolist() == reported.tolist() == [0] * 4 + [2] + [0] * 6
    assert same(values(given), a)
    assert same(values(rhs), b)


def hard(rng, n, dtype):
    """Matrices with equal pivots, with pivots that are none, and numbers of all sizes."""
    a = random(rng, (19, n, n), dtype)
    least = np.finfo(dtype).smallest_normal
    a[0] = np.round(2 * a[0])
    a[1] = np.sign(a[1])
    a[2, :, n - 1] = a[2, :, 0]
    a[3, :, n // 2] = 0
    a[4, n // 3, n // 2] = NAN
    a[5, 0] = np.inf
    a[6] *= least / 2
    a[7] = np.tril(a[7])
    a[7, n - 2, n - 2] = least / 2
    return a


MANY = pytest.mark.thorough


@pytest.mark.parametrize(
    ("n", "nrhs", "dtype", "layout"),
    [
        (18, 2, "float64", "st"),
        *(
            pytest.param(n, nrhs, dtype, layout, marks=MANY)
            for n, nrhs in ((9, 1), (15, 3), (16, 4), (17, 1), (24, 1), (33, 2))
            for dtype in ("float64", "float32")
            for layout in ("st", "pp")
        ),
    ],
)
def test_blocks_of_rows_have_the_bits_of_panels(n, nrhs, dtype, layout, rng):
    a, b = hard(rng, n, dtype), random(rng, (19, n, nrhs), dtype)
    x, info = bb.gesv(given_as(a, layout), given_as(b, layout), overwrite=False, return_info=True, check="ignore")[-2:]
    y, z = given_as(a, layout), given_as(b, layout)
    *_, reported = bb.gesv(y, z, return_info=True, check="ignore")
    assert info.tolist() == reported.tolist()
    assert same(values(x), values(z))


@pytest.mark.parametrize(
    ("n", "dtype"),
    [(18, "float64"), *(pytest.param(n, t, marks=MANY) for n in (9, 13, 16, 25) for t in ("float64", "float32"))],
)
def test_a_search_in_doubt_is_decided_in_the_order_of_lapack(n, dtype, rng):
    """Nothing else is in doubt in the matrices of a vector: equal pivots, or one lane with a pivot that is no number.
    That this was taken is seen by its zero column, which then becomes no number either."""
    a, b = random(rng, (192, n, n), dtype), random(rng, (192, n, 1), dtype)
    a[:64] = np.sign(a[:64])
    for lane, q in zip(range(64, 192, 16), (0, 1, 2, 3, 4, 5, 1, 2), strict=True):
        a[lane, q, q] = NAN
        a[lane, :, n - 2] = 0
    x, info = bb.gesv(a, b, overwrite=False, return_info=True, check="ignore")[-2:]
    y, z = a.copy(), b.copy()
    *_, reported = bb.gesv(y, z, return_info=True, check="ignore")
    assert info.tolist() == reported.tolist()
    assert same(x, z)


@pytest.mark.parametrize(
    ("n", "dtype", "layout"),
    [
        (17, "float64", "st"),
        *(pytest.param(n, t, "pp", marks=MANY) for n in (9, 16, 24, 33) for t in ("float64", "float32")),
    ],
)
def test_determinants_have_the_bits_of_factors_that_are_kept(n, dtype, layout, rng):
    """By blocks where nobody reads the factors, by panels where they are a result."""
    a = hard(rng, n, dtype)
    steps = [bb.step("lacpy", "A", "W"), bb.step("getrf", "W", "P"), bb.step("gedet", "W", "P", "R")]
    found = []
    for scratch, kept in ((["W", "P"], {}), (["P"], {"W": given_as(a, layout)})):
        det = bb.sequence(steps, name="det", scratch=scratch)
        *results, info = det(A=given_as(a, layout), **kept, check="ignore", return_info=True)
        found.append((np.asarray(results[-1]), info))
    assert same(found[0][0], found[1][0])
    assert found[0][1].tolist() == found[1][1].tolist()


def test_a_sequence_factors_after_one_that_failed(rng):
    a, b = np.zeros((9, 3, 3)), random(rng, (9, 3, 3), "float64")
    a[1:] = np.eye(3)
    both = bb.sequence([bb.step("getrf", "A", "P"), bb.step("getrf", "B", "Q")], name="both")
    found = b.copy()
    _, info = both(A=a, B=found, return_info=True)
    assert info.tolist() == [1] + [0] * 8
    assert same(found[0], b[0])
    assert same(found[1:], bb.getrf(b.copy())[0][1:])


def test_exchanges_of_rows(rng):
    b = random(rng, (3, 4, 2), "float64")
    ipiv = np.array([[3, 2, 4, 4]] * 3, np.int32)
    assert np.array_equal(permuted(permuted(b, ipiv), ipiv, backwards=True), b)
    assert np.array_equal(permuted(b, ipiv)[0], b[0][[2, 1, 3, 0]])


def test_a_sequence_may_be_exchanges_alone(rng):
    """Whose sizes no other step tells."""
    a = random(rng, (9, 5, 3), "float64")
    _, ipiv = bb.getrf(a, overwrite=False)
    exchanges = bb.sequence([bb.step("laswp", "A", "P")], name="exchanges")
    expected = permuted(a, ipiv)
    assert same(exchanges(A=a.copy(), P=ipiv), expected)
    assert same(exchanges(A=a[4].copy(), P=ipiv[4]), expected[4])


@pytest.mark.parametrize(
    ("side", "trans", "count"),
    [("R", "T", 13), ("L", "N", 9), *(pytest.param(*case, 16, marks=MANY) for case in ("RN", "LT", "RT", "LN"))],
)
def test_exchanges_done_at_once(side, trans, count):
    """Of 9 to 16 rows or columns, all of one matrix as one permutation where vectors are that wide."""
    sizes = {"m": count, "n": 10, "k": count} if side == "L" else {"m": 10, "n": count, "k": count}
    check("laswp", "float64", sizes, 19, ["st", "st"], {"side": side, "trans": trans}, "CC")
