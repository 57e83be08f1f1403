"""Factorizations, solvers and inverses: what each matrix reports, what `check` does, and residuals at the extremes."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from support.extended import adjoint, positive, random, stored, well
from support.kernels import lanes
from support.layouts import as_layout, values
from support.table import ORACLES

import bblas_gen as bb
from bblas_gen.ir.catalog import OPS as ROWS
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime import kernels
from bblas_gen.runtime.marshal import ffi

NAN = float("nan")
N, NRHS = 7, 2
LAYOUTS = ["st", "bi", "il", "bi3", "pp"]
OPS = [name for name, oracle in ORACLES.items() if oracle.fail and "uplo" in ROWS[name].flags]
"""Cholesky and triangles: those with pivots are in test_lu."""
CASES = [
    *[("potrf", "float64", uplo, layout) for uplo in "LU" for layout in LAYOUTS],
    *[(op, "float64", "LU"[(i + j) % 2], x) for i, op in enumerate(OPS[1:]) for j, x in enumerate(LAYOUTS)],
    *[
        pytest.param(op, "complex128", "LU"[j % 2], x, marks=[] if (i + j) % 2 else [pytest.mark.thorough])
        for i, op in enumerate(OPS)
        for j, x in enumerate(LAYOUTS)
    ],
    ("posv", "float32", "L", "st"),
    ("posv", "complex64", "U", "bi"),
]


def batch_of(dtype):
    return 2 * lanes(dtype) + 3


def healthy(op, dtype, uplo, batch, n=N, nrhs=NRHS):
    """Operands without failures: A, and B where there is one; NaN in the triangle that is not read."""
    return ORACLES[op].make(np.random.default_rng(5), batch, {"n": n, "nrhs": nrhs}, {"uplo": uplo, "diag": "N"}, dtype)


def run(op, uplo, layout, operands, **named):
    """Operands and info after the call."""
    given = [as_layout(x, layout) for x in operands.values()]
    named = {"check": "ignore", "return_info": True} | named
    found = getattr(bb, op)(*given, uplo=uplo, **named)
    info = found[1] if named["return_info"] else None
    return {name: values(x) for name, x in zip(operands, given, strict=True)}, info


def same(x, y):
    """Bit by bit."""
    return np.ascontiguousarray(x).tobytes() == np.ascontiguousarray(y).tobytes()


def test_same_sees_a_bit():
    assert not same(np.array([0.0]), np.array([-0.0]))
    assert same(np.array([NAN, 1]), np.array([NAN, 1]))


@pytest.mark.parametrize(("op", "dtype", "uplo", "layout"), CASES)
def test_every_lane_and_position_reports_and_disturbs_no_other(op, dtype, uplo, layout):
    batch = batch_of(dtype)
    before = healthy(op, dtype, uplo, batch)
    clean, info = run(op, uplo, layout, before)
    assert not info.any()
    assert info.dtype == np.int32
    for j in range(N):
        for lane in range(batch):
            bad = {name: x.copy() for name, x in before.items()}
            ORACLES[op].fail(bad["A"][lane], j, lane % 3)
            after, info = run(op, uplo, layout, bad)
            assert info[lane] == j + 1
            assert np.count_nonzero(info) == 1
            others = np.arange(batch) != lane
            for name in before:
                assert same(after[name][others], clean[name][others]), (j, lane, name)
            if op in ("trtri", "potri"):
                assert same(after["A"][lane], bad["A"][lane]), (j, lane)
            else:  # the columns (rows of U) before the one at fault do not depend on it
                done = np.s_[:, :j] if uplo == "L" else np.s_[:j]
                assert same(after["A"][lane][done], clean["A"][lane][done]), (j, lane)
            if op == "posv":
                assert same(after["B"][lane], bad["B"][lane]), (j, lane)


@pytest.mark.parametrize("uplo", "LU")
def test_columns_before_the_failing_one_are_the_factor_of_the_leading_minor(uplo, rng):
    a = positive(rng, 3, N, "float64")
    a[:, 4, 4] = -1
    after, info = run("potrf", uplo, "st", {"A": a})
    assert (info == 5).all()
    expected = np.linalg.cholesky(a[:, :4, :4])
    found = after["A"][:, :4, :4] if uplo == "L" else adjoint(after["A"][:, :4, :4])
    np.testing.assert_allclose(np.tril(found), expected, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("layout", ["st", "bi", "bi3"])
def test_what_is_no_number_below_the_diagonal_is_reported_where_it_arrives(layout):
    """NaN in row i of column j spoils pivot i."""
    before = healthy("potrf", "float64", "L", 19)
    for i, j in ((1, 0), (6, 0), (6, 5), (4, 2)):
        bad = {"A": before["A"].copy()}
        bad["A"][11, i, j] = NAN
        _, info = run("potrf", "L", layout, bad)
        assert info[11] == i + 1
        assert np.count_nonzero(info) == 1


def test_many_failures_and_threads():
    before = healthy("posv", "float64", "L", 1001)
    positions = np.random.default_rng(3).integers(0, N, 1001)
    bad = {name: x.copy() for name, x in before.items()}
    failing = np.arange(1001) % 3 == 1
    bad["A"][failing, positions[failing], positions[failing]] = -2
    clean, _ = run("posv", "L", "bi", before, num_threads=1)
    for team in (1, 2, 3):
        after, info = run("posv", "L", "bi", bad, num_threads=team)
        assert np.array_equal(info, np.where(failing, positions + 1, 0))
        assert same(after["B"][failing], bad["B"][failing])
        assert same(after["B"][~failing], clean["B"][~failing])


def test_a_unit_diagonal_is_never_singular():
    a = np.zeros((5, 3, 3))
    a[:, 1, 0] = 2
    _, info = bb.trtri(a, diag="U", return_info=True)
    assert not info.any()
    assert (a[:, 1, 0] == -2).all()
    assert (a[:, 0, 0] == 0).all()


@pytest.mark.parametrize("layout", ["st", "bi", "il", "pp"])
def test_nothing_to_do_is_done(layout):
    for op in OPS:
        for batch, n, nrhs in ((0, 3, 2), (5, 0, 2)):
            if batch == 0 and layout == "pp":
                continue  # an empty list has no shape
            operands = {"A": np.ones((batch, n, n)), "B": np.ones((batch, n, nrhs))}
            _, info = run(op, "L", layout, operands if op == "posv" else {"A": operands["A"]})
            assert info.shape == (batch,)
            assert not info.any()
    before = healthy("posv", "float64", "L", 9, n=3, nrhs=0)
    factor, _ = run("potrf", "L", layout, {"A": before["A"]})
    after, info = run("posv", "L", layout, before)
    assert not info.any()
    assert same(after["A"], factor["A"])
    before["A"][4, 1, 1] = -1
    assert run("posv", "L", layout, before)[1][4] == 2


@functools.cache
def failing(op):
    """A batch in which 2, 9 and 18 fail, what becomes of the others, and info."""
    before = healthy(op, "float64", "L", 19)
    clean, _ = run(op, "L", "st", before)
    for lane, j in ((2, 0), (9, 3), (18, 6)):
        ORACLES[op].fail(before["A"][lane], j, 0)
    info = np.zeros(19, np.int32)
    info[[2, 9, 18]] = 1, 4, 7
    return before, clean, info


@pytest.mark.parametrize("op", OPS)
def test_raise_names_the_matrices_once_the_others_are_done(op):
    before, clean, expected = failing(op)
    given = [x.copy() for x in before.values()]
    reason = "not positive definite" if op in ("potrf", "posv") else "singular"
    text = rf"{op}: 3 of 19 matrices are {reason}: 2 \(info = 1\), 9 \(info = 4\), 18 \(info = 7\)$"
    with pytest.raises(np.linalg.LinAlgError, match=text):
        getattr(bb, op)(*given)
    for x, good in zip(given, clean.values(), strict=True):
        assert same(x[expected == 0], good[expected == 0])
    given = [x.copy() for x in before.values()]
    result, info = getattr(bb, op)(*given, return_info=True)  # asked for, so not raised
    assert result is given[-1]
    assert np.array_equal(info, expected)
    assert getattr(bb, op)(*[x.copy() for x in before.values()], check="ignore") is not None


def test_raise_names_the_first_few():
    with pytest.raises(np.linalg.LinAlgError, match=r"9 of 9 .*: 0 \(info = 1\), .*4 \(info = 1\), \.\.\.$"):
        bb.potrf(np.zeros((9, N, N)))


@pytest.mark.parametrize("layout", ["st", "bi", "il", "pp"])
@pytest.mark.parametrize("op", OPS)
def test_nan_fills_what_would_have_been_written(op, layout):
    before, clean, expected = failing(op)
    after, info = run(op, "L", layout, before, check="nan")
    assert np.array_equal(info, expected)
    bad, triangle = expected != 0, stored((N, N), "L")
    assert np.isnan(after["A"][bad][:, triangle]).all()
    assert same(after["A"][~bad], clean["A"][~bad])
    if op == "posv":
        assert np.isnan(after["B"][bad]).all()
        assert same(after["B"][~bad], clean["B"][~bad])


@pytest.mark.parametrize("layout", ["st", "bi"])
@pytest.mark.parametrize("uplo", "LU")
def test_nan_is_kept_out_of_the_triangle_that_is_not_written(uplo, layout):
    a = healthy("potrf", "float64", uplo, 19)["A"]
    a[[2, 9], 3, 3] = -1
    other = ~stored((N, N), uplo)
    a[:, other] = 77
    after, info = run("potrf", uplo, layout, {"A": a}, check="nan")
    assert np.flatnonzero(info).tolist() == [2, 9]
    assert np.isnan(after["A"][[2, 9]][:, ~other]).all()
    assert (after["A"][:, other] == 77).all()


def test_nan_in_complex_results_and_in_out():
    before = healthy("posv", "complex128", "U", 19)
    before["A"][7, 2, 2] = -1
    x = np.zeros_like(before["B"])
    b = before["B"].copy()
    assert bb.posv(before["A"], b, uplo="U", out=x, check="nan") is x
    assert np.isnan(x[7]).all()
    assert np.isfinite(np.delete(x, 7, 0)).all()
    assert same(b, before["B"])


@pytest.mark.parametrize("op", OPS)
def test_other_checks_are_refused(op):
    before, _, _ = failing(op)
    given = [x.copy() for x in before.values()]
    with pytest.raises(ValueError, match=r"check = 'warn': expected one of 'raise', 'nan', 'ignore'"):
        getattr(bb, op)(*given, check="warn")
    with pytest.raises(ValueError, match="check = 'warn'"):
        bb.plan(op, *given, check="warn")
    assert all(same(x, y) for x, y in zip(given, before.values(), strict=True))


def test_plans_report():
    before, clean, expected = failing("potrf")
    good = healthy("potrf", "float64", "L", 19)["A"]
    a = before["A"].copy()
    k = bb.plan("potrf", a)
    with pytest.raises(np.linalg.LinAlgError, match="3 of 19"):
        k()
    assert np.array_equal(k.info, expected)
    a[...] = good
    assert k() is a
    assert not k.info.any()
    assert same(a, clean["A"])
    a[...] = before["A"]
    quiet = bb.plan("potrf", a, check="ignore", num_threads=1)
    assert quiet() is a
    assert np.array_equal(quiet.info, expected)
    a[...] = before["A"]
    bb.plan("potrf", a, check="nan")()
    assert np.isnan(a[expected != 0, 6, 6]).all()


def test_arguments_of_a_plan_that_reports_are_those_of_its_kernel():
    k = bb.plan("potrf", healthy("potrf", "float64", "L", 19)["A"])
    assert len(k.arguments) == k.kernel.source.declaration.count(",") + 1


@pytest.mark.parametrize(
    ("symbol", "operands", "position"),
    [
        ("bb_dpotrf_l_st_n3", 1, 3),
        ("bb_dposv_l_st_n3nrhs0", 2, 5),
        ("bb_dpotri_l_bi_n3", 1, 2),
        ("bb_dpotrf_l_st_n0", 1, 3),
    ],
)
def test_info_is_needed_and_written(symbol, operands, position):
    kernel = kernels.kernel(KernelSpec.parse(symbol))
    a = np.ones((8, 3, 3))
    if "_st_" in symbol:
        a[:] = np.eye(3)
    given = [ffi().from_buffer(a), 9] * operands if "_st_" in symbol else [ffi().from_buffer(a)] * operands
    before = a.copy()
    assert kernel(*given, ffi().NULL, 8, 1) == -position
    assert same(a, before)
    assert kernel(*given, ffi().NULL, 0, 1) == 0
    info = np.full(10, 77, np.int32)
    assert kernel(*given, ffi().from_buffer(info), 8, 1) == 0
    assert (info[:8] == 0).all()
    assert (info[8:] == 77).all()


@pytest.mark.parametrize("layout", ["st", "bi", "il", "pp"])
def test_a_report_alone_is_written_too(layout):
    """An operation that writes no matrix, and is as such no part of another."""
    a = np.broadcast_to(np.eye(3), (19, 3, 3)).copy()
    a[4, 1, 1] = a[18, 2, 2] = 0
    plan = bb.plan("checkdiag", as_layout(a, layout), check="ignore")
    assert plan() is None
    assert plan.info.tolist() == [0] * 4 + [2] + [0] * 13 + [3]


def test_a_report_alone_of_nothing():
    plan = bb.plan("checkdiag", np.ones((5, 0, 0)))
    plan()
    assert plan.kernel is None
    assert plan.info.tolist() == [0] * 5


# Residuals, as LAPACK's test programs measure them. Scales are powers of two, so that dividing by them is exact and the
# test itself neither overflows nor rounds.

EXPONENTS = {8: (996, 498), 4: (119, 60)}
KINDS = [("float64", "bi"), ("float64", "bi3"), ("complex128", "bi"), ("float32", "bi"), ("complex64", "bi3")]


def scales(dtype):
    real = np.empty(0, dtype).real.itemsize
    return [2.0 ** (sign * e) for e in EXPONENTS[real] for sign in (1, -1)]


def conditions(dtype):
    return (1e2, 1e6, 1e10, 1e14) if np.dtype(dtype).name in ("float64", "complex128") else (1e2, 1e4, 1e6)


def conditioned(rng, dtype, condition, n=N, batch=9):
    """Positive definite matrices of a given condition."""
    q = np.linalg.qr(random(rng, (batch, n, n), "complex128" if np.dtype(dtype).kind == "c" else "float64"))[0]
    a = (q * np.logspace(0, -np.log10(condition), n)) @ adjoint(q)
    return ((a + adjoint(a)) / 2).astype(dtype)


def ratio(op, before, after, scale, **flags):
    """The oracle's, of operands divided by ``scale``: (before, after) by name."""
    x = {name: value / np.array(scale[name][0], value.real.dtype) for name, value in before.items()}
    y = {name: value / np.array(scale[name][1], value.real.dtype) for name, value in after.items()}
    return ORACLES[op].error(x, y, {"uplo": "L", "diag": "N"} | flags, {"alpha": 1})


@pytest.mark.parametrize(("dtype", "layout"), KINDS)
def test_ratios_of_cholesky_over_conditions_and_scales(dtype, layout, rng):
    for condition in conditions(dtype):
        a, b = conditioned(rng, dtype, condition), random(rng, (9, N, NRHS), dtype)
        for s in (1.0, *scales(dtype)) if condition == 1e2 else (1.0,):
            a_s, b_s = a * np.array(s, a.real.dtype), b * np.array(s, a.real.dtype)
            for op, before in (("potrf", {"A": a_s}), ("posv", {"A": a_s, "B": b_s})):
                after, info = run(op, "L", layout, before)
                assert not info.any(), (op, condition, s)
                found = ratio(op, before, after, {"A": (s, s**0.5), "B": (s, 1)})
                assert found < 30, (op, condition, s, found)


@pytest.mark.parametrize(("dtype", "layout"), KINDS)
def test_ratios_of_inverses_over_conditions_and_scales(dtype, layout, rng):
    for condition in conditions(dtype)[:-1]:
        a = np.linalg.cholesky(conditioned(rng, dtype, condition)).astype(dtype)
        for s in (1.0, *scales(dtype)) if condition == 1e2 else (1.0,):
            roots = {"trtri": (s, 1 / s), "potri": (s**0.5, 1 / s)}
            for op, (of_input, of_output) in roots.items():
                before = {"A": a * np.array(of_input, a.real.dtype)}
                after, info = run(op, "L", layout, before)
                assert not info.any(), (op, condition, s)
                found = ratio(op, before, after, {"A": (of_input, of_output)})
                assert found < 30, (op, condition, s, found)


def triangles(rng, dtype):
    """Lower triangles, harmless and ill-conditioned, and whether they may be scaled to the extremes."""
    yield well(random(rng, (9, N, N), dtype), "L", "N"), True
    steep = np.tril(random(rng, (9, N, N), dtype))
    steep[:, range(N), range(N)] = np.logspace(0, -14 if steep.real.dtype == np.float64 else -6, N)
    yield steep.astype(dtype), False
    yield np.tril(conditioned(rng, dtype, 1e6)) + np.eye(N, dtype=dtype) * np.array(1e-5, dtype), False


@pytest.mark.parametrize(("dtype", "layout"), KINDS)
def test_ratios_of_trsm_over_conditions_and_scales(dtype, layout, rng):
    flags = {"side": "L", "uplo": "L", "transa": "N", "diag": "N"}
    for a, scalable in triangles(rng, dtype):
        b = random(rng, (9, N, NRHS), dtype)
        pairs = [(1.0, 1.0)]
        if scalable:
            pairs += [pair for s in scales(dtype) for pair in ((s, s), (1.0, s), (s, 1.0))]
        for s, t in pairs:
            for turn in (1, 1 + 1j) if np.dtype(dtype).kind == "c" else (1,):  # diagonals such as 1e300 (1 + i)
                a_s = (a * turn).astype(dtype) * np.array(s, a.real.dtype)
                before = {"A": a_s, "B": b * np.array(t, a.real.dtype)}
                x, y = as_layout(before["A"], layout), as_layout(before["B"], layout)
                bb.trsm(x, y)
                after = {"A": before["A"], "B": values(y)}
                found = ratio("trsm", before, after, {"A": (s, s), "B": (t, t / s)}, **flags)
                assert found < 30, (s, t, turn, found)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("at", [0, 2])
def test_an_infinite_pivot_leaves_the_others_alone(dtype, at, rng):
    """As in LAPACK: its root is infinite, what stands beside it vanishes, and nothing is reported."""
    a = positive(rng, 9, 4, dtype)
    a[4, at, at] = np.inf
    rest = [i for i in range(4) if i != at]
    root, info = bb.potrf(bb.interleave(a), return_info=True)
    found = np.tril(root.deinterleave()[4])
    assert not info.any()
    assert found[at, at] == np.inf
    assert not found[at + 1 :, at].any()
    expected = np.linalg.cholesky(a[4][np.ix_(rest, rest)])
    np.testing.assert_allclose(found[np.ix_(rest, rest)], expected, atol=100 * np.finfo(dtype).eps)
