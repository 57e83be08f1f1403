"""Variants of operations: operands that are kept, the other triangle of results."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from support.cases import half
from support.extended import random
from support.kernels import exchanged, optimized
from support.layouts import placed
from support.variants import BATCH, FORMS, N, call, formed, operands_of, same, values

import bblas_gen as bb
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.documentation import FUNCTIONS
from bblas_gen.ir.program import Program
from bblas_gen.ir.variants import VARIANTS, variant
from bblas_gen.runtime import kernels
from bblas_gen.runtime.library import host_isa
from bblas_gen.schedule.choose import alternatives

KEEPING = [name for name in FUNCTIONS if variant(OPS[name], keeps=True)]
WIDTH = 8  # lanes of the widest vectors of doubles


REST = {
    "columns": ["potrf", "trsm", "getrf"],
    "lists": ["potrf", "trsv", "gesv"],
    "gaps": ["potrf", "trsm"],
    "interleaved": ["posv"],
}
"""Forms that share so much with others that few operations show what is theirs."""
CASES = [(op, form) for form in FORMS for op in REST.get(form, KEEPING)]


@pytest.mark.parametrize(("op", "form"), CASES)
def test_kept_operands_keep_their_bits_and_the_result_has_those_of_the_one_in_place(op, form):
    given, before, overwritten = formed(op, form), values(tuple(formed(op, form))), formed(op, form)
    found, expected = call(op, given, overwrite=False), call(op, overwritten)
    assert same(values(found), values(expected))
    assert same(values(tuple(given)), before)
    first, wanted = (x[0] if isinstance(x, tuple) else x for x in (found, expected))
    assert type(first) is type(wanted)
    if form in ("rows", "columns"):
        assert first.strides == wanted.strides


@pytest.mark.parametrize("dtype", ["float32", "complex64", "complex128"])
@pytest.mark.parametrize("op", ["posv", "trsm", "gesv"])
def test_every_precision(op, dtype):
    given = operands_of(op, dtype)
    before = values(tuple(given))
    found, expected = call(op, given, overwrite=False), call(op, operands_of(op, dtype))
    assert same(values(found), values(expected))
    assert same(values(tuple(given)), before)


@pytest.mark.parametrize(("n", "batch"), [(1, 3), (N, 0), (N, 1), (N, WIDTH - 1), (N, WIDTH), (N, WIDTH + 1), (0, 3)])
def test_sizes_at_the_edges(n, batch):
    for op in ("potrf", "posv"):
        given = operands_of(op, n=n, batch=batch)
        before = values(tuple(given))
        found = call(op, given, overwrite=False)
        assert same(values(found), values(call(op, operands_of(op, n=n, batch=batch))))
        assert same(values(tuple(given)), before)


def test_what_is_too_large_for_the_scratch():
    """Beyond it what is worked on is made by the call. Complex, as real matrices are then factored in place without
    lanes. Their kernels are long texts: to optimize these takes as long as a hundred tests."""
    a, b = operands_of("posv", "complex64", n=170, batch=2, columns=1)
    kept = a.copy(), b.copy()
    with optimized(("-O0",)):
        assert same(values(bb.posv(a, b, overwrite=False)), values(bb.posv(a.copy(), b.copy())))
    assert same([a, b], kept)


@pytest.mark.parametrize("form", ["rows", "blocks"])
def test_failing_matrices_are_as_those_of_copies(form):
    def given():
        a, b = operands_of("posv")
        a[[2, 17], 1, 1] = -9
        a[:, 0, 3] = np.nan  # not read
        return FORMS[form](a), FORMS[form](b)

    for check in ("nan", "ignore"):
        for op, count in (("potrf", 1), ("posv", 2)):
            operands = given()[:count]
            before = values(tuple(operands))
            found = getattr(bb, op)(*operands, overwrite=False, check=check, return_info=True)
            expected = getattr(bb, op)(*given()[:count], check=check, return_info=True)
            assert np.flatnonzero(found[1]).tolist() == [2, 17]
            assert same(values(found), values(expected))
            assert same(values(tuple(operands)), before)
    with pytest.raises(
        np.linalg.LinAlgError, match=r"^posv: 2 of 19 matrices are not positive definite: 2 \(info = 2\)"
    ):
        bb.posv(*given(), overwrite=False)


def test_singular_matrices_keep_their_right_hand_sides_in_the_copy():
    a, b = operands_of("gesv")
    a[3] = 0
    kept = a.copy(), b.copy()
    x, info = bb.gesv(a, b, overwrite=False, return_info=True, check="ignore")
    assert np.flatnonzero(info).tolist() == [3]
    assert same([x[3]], [b[3]])
    assert same([a, b], kept)


@pytest.mark.parametrize(
    ("form", "dtype", "uplo"), [("rows", "float64", "L"), ("rows", "complex64", "U"), ("blocks", "complex64", "L")]
)
def test_the_other_triangle_of_a_result(form, dtype, uplo):
    inside, strict = (np.tril, -1) if uplo == "L" else (np.triu, 1)
    factor = inside(bb.potrf(*operands_of("potrf", dtype), uplo=uplo))
    (a,) = operands_of("potrf", dtype)
    a[:, *((0, 3) if uplo == "L" else (3, 0))] = np.nan
    for op, given, word in [
        ("potrf", a, "clean"),
        ("trtri", factor, "clean"),
        ("potri", factor, "symmetric"),
        ("lauum", factor, "symmetric"),
    ]:
        expected = inside(getattr(bb, op)(given.copy(), uplo=uplo))
        if word == "symmetric":
            expected = expected + inside(expected, strict).conj().swapaxes(1, 2)
        for overwrite in (True, False):
            operand = FORMS[form](given.copy())
            found = getattr(bb, op)(operand, uplo=uplo, overwrite=overwrite, **{word: True})
            assert same(values(found), [expected])
            assert (found is operand) == overwrite
            if not overwrite:
                assert same(values(operand), [given])


def test_of_matrices_that_fail_nothing_is_left_beside_nan():
    (a,) = operands_of("potrf")
    a[4, 2, 2] = -1
    found = bb.potrf(a, overwrite=False, clean=True, check="nan")
    assert np.isnan(found[4]).all()
    assert same([np.triu(np.delete(found, 4, 0), 1)], [np.zeros((BATCH - 1, N, N))])


def test_triangles_stored_alone():
    (a,) = operands_of("potrf")
    stored = bb.interleave(a, triangle="L")
    for more in ({}, {"clean": True}):
        found = bb.potrf(stored, overwrite=False, **more)
        assert found.triangle == "L"
        assert same(values(found), [np.tril(bb.potrf(a.copy()))])
        assert same(values(stored), [np.tril(a)])
    assert same(values(bb.potrf(bb.interleave(a, triangle="L"), clean=True)), values(found))
    with pytest.raises(ValueError, match="'bl' of A: potris works with all of it"):
        bb.potri(found, symmetric=True)


def scaled(op, dtype, n=12, batch=BATCH):
    """Systems whose rows differ much in scale: where rows are exchanged by scale, or not at all, some have large errors
    without refinement."""
    rng = np.random.default_rng(7)
    a, b = operands_of(op, dtype, n=n, batch=batch)
    scale = 10.0 ** rng.integers(-4, 5, (batch, n, 1))
    if op == "posv":
        return (scale * a * scale.swapaxes(1, 2)).astype(dtype), b
    return (scale * random(rng, a.shape, dtype)).astype(dtype), b


def backward_error(a, x, b):
    """The largest of all elements of B - A X beside |A| |X| + |B|, in units of eps."""
    wide = np.clongdouble if a.dtype.kind == "c" else np.longdouble
    left, size = abs(b - a.astype(wide) @ x.astype(wide)), abs(a).astype(np.longdouble) @ abs(x) + abs(b)
    return (left / size).max() / np.finfo(a.dtype).eps


REFINING = [op for op in KEEPING if OPS[op].halves]
OFTEN = [("gesv", "float32"), ("gesv", "complex128"), ("gesvnp", "float64"), ("posv", "complex64")]
"""What is refined without --thorough: it takes many kernels, of all halves."""


def refining():
    for op, dtype in itertools.product(REFINING, ("float32", "float64", "complex64", "complex128")):
        yield pytest.param(op, dtype, marks=[] if (op, dtype) in OFTEN else [pytest.mark.thorough])


@pytest.mark.parametrize(("op", "dtype"), list(refining()))
def test_refined_solutions(op, dtype):
    """They have small errors in each row, and the bits of what refinement is."""
    a, b = scaled(op, dtype)
    kept, factors, plain, x = (a.copy(), b.copy()), a.copy(), a.copy(), b.copy()
    expected = solve(op, a, b, overwrite=False, refine=True)
    assert backward_error(a, expected, b) < 2
    assert op == "posv" or backward_error(a, solve(op, a, b, overwrite=False), b) > 4
    for form in ("blocks", "lists"):
        assert same(values(solve(op, FORMS[form](a), FORMS[form](b), overwrite=False, refine=True)), [expected])
    assert same([a, b], kept)
    out = np.zeros_like(b)
    assert solve(op, a, b, refine=True, out=out) is out
    solve(op, factors, b, refine=True)
    more = {"uplo": "U"} if op == "posv" else {}
    pivots = {"ipiv": np.zeros((BATCH, 12), np.int32)} if op == "gesv" else {}
    solve(op, plain, x, **pivots)
    product = bb.step("hemm" if op == "posv" else "gemm", "A", "X", "R", alpha=-1, beta=1, **more)
    residual = bb.sequence([product])(A=kept[0], X=x, R=kept[1].copy())
    getattr(bb, OPS[op].halves[1])(plain, *pivots.values(), residual, **more)
    assert same([factors, b, out, x + residual], [plain, expected, expected, expected])


def solve(op, a, b, **more):
    return getattr(bb, op)(a, b, **({"uplo": "U"} if "uplo" in OPS[op].flags else {}), **more)


@pytest.mark.parametrize("op", [pytest.param(op, marks=[pytest.mark.thorough] * (op != "gesv")) for op in REFINING])
def test_refinement_of_one_system_and_of_large_ones(op):
    a, b = scaled(op, "complex64")
    expected = solve(op, a, b, overwrite=False, refine=True)
    one = solve(op, a[4], b[4, :, 0], overwrite=False, refine=True)
    assert one.shape == (12,)
    assert same([one], [solve(op, a[4:5], b[4:5, :, :1], overwrite=False, refine=True)])
    run = bb.plan(op, a=a, b=b, overwrite=False, refine=True, **({"uplo": "U"} if op == "posv" else {}))
    assert same([run()], [expected])
    assert backward_error(a, expected, b) < 2
    for n in (110, 170):  # the intermediates of one fit into the scratch, or are made by the call
        a, b = scaled(op, "complex64", n=n, batch=2)
        kept = a.copy(), b.copy()
        x = solve(op, a, b, overwrite=False, refine=True)
        assert same([a, b], kept)
        assert backward_error(a, x, b) < 4
        solve(op, a, b, refine=True)
        assert same([b], [x])


def test_of_what_fails_nothing_is_refined():
    for op in REFINING:
        a, b = scaled(op, "float64")
        a[3] = 0
        kept = a.copy(), b.copy()
        x, info = solve(op, a, b, overwrite=False, refine=True, return_info=True, check="ignore")
        assert np.flatnonzero(info).tolist() == [3]
        assert same([x[3], a, b], [b[3], *kept])
        assert backward_error(np.delete(a, 3, 0), np.delete(x, 3, 0), np.delete(b, 3, 0)) < 2
    with pytest.raises(TypeError, match="refine = 1: expected True or False"):
        bb.gesv(a, b, refine=1)
    assert variant(OPS["potrf"], refines=True) is None


def test_one_matrix_for_all():
    a, b = operands_of("posv")
    one = np.broadcast_to(a[0], a.shape)
    expected = bb.posv(one.copy(), b.copy())
    for shared in (a[0], one):
        assert same(values(bb.posv(shared, b, overwrite=False)), [expected])
    assert same(values(bb.potrf(a[:1], overwrite=False)), [bb.potrf(a[0], overwrite=False)[None]])


@pytest.mark.parametrize("op", ["potrf", "posv", "gesv", "trsv"])
def test_out(op):
    given = operands_of(op)
    before, expected = values(tuple(given)), call(op, operands_of(op))
    out = np.full_like(expected, np.nan)
    assert call(op, given, out=out) is out
    assert same([out], [expected])
    assert same(values(tuple(given)), before)
    again = operands_of(op)
    assert call(op, again, out=again[-1]) is again[-1]  # in place
    assert same([again[-1]], [expected])
    with pytest.raises(ValueError, match="out overlaps"):
        call(op, given, overwrite=False, out=given[-1][..., ::-1])


@pytest.mark.parametrize("op", ["potrf", "posv", "axpy", "getrf"])
def test_plans(op):
    given = operands_of(op)
    before, expected = values(tuple(given)), call(op, operands_of(op))
    words = {"alpha": 2.0} if OPS[op].scalars else {}
    k = bb.plan(op, *given, overwrite=False, **words)
    assert same(values(k()), values(expected))
    assert k() is k()
    given[-1][...] = given[-1][::-1].copy()
    k()
    assert same(values(tuple(given)), [x[::-1] if y is given[-1] else x for x, y in zip(before, given, strict=True)])
    out = np.zeros_like(given[-1])
    first = bb.plan(op, *given, out=out, **words)()
    assert out is (first[0] if isinstance(first, tuple) else first)
    with pytest.raises(TypeError, match="has no argument 'overwrit'"):
        bb.plan(op, *given, overwrit=False)
    if op == "potrf":
        assert same(values(bb.plan(op, *given, overwrite=False, clean=True)()), [np.tril(out)])


def test_what_is_refused():
    a, b = operands_of("gesv")
    with pytest.raises(TypeError, match="overwrite = 'no': expected True or False"):
        bb.posv(a, b, overwrite="no")
    with pytest.raises(TypeError, match="clean = 1: expected True or False"):
        bb.potrf(a, clean=1)
    with pytest.raises(ValueError, match="ipiv is given: expected None, as gesv leaves no factors"):
        bb.gesv(a, b, ipiv=np.zeros((BATCH, N), np.int32), overwrite=False)
    assert bb.gesv(a, b, overwrite=np.False_) is not b


def test_variants_have_kernels_of_their_own():
    assert bb.KernelSpec.parse("bb_dposvk_l_st_n3nrhs1").row is VARIANTS["posvk"]
    text = bb.compile("posvk", n=N, nrhs=2).source.text
    assert "bb_lacpy" not in text
    assert "sAW" in text
    assert "sA[" not in text
    assert variant(OPS["gemm"], keeps=True) is None


@pytest.mark.parametrize(("dtype", "n"), [("float64", 16), ("float32", 16), ("complex64", 12)])
def test_results_past_the_caches_are_the_same_wherever_they_lie(dtype, n):
    """Whole lines are, whatever multiple of their size a result begins at; what is beside it stays as it is."""
    (a,) = operands_of("potrf", dtype, n)
    expected = bb.potrf(a, overwrite=False, clean=True)
    for first in range(64 // a.real.itemsize):
        for gap in (0, 1, 32):
            whole = np.full(first + BATCH * (n * n + gap) + 8, 7, dtype)
            out = whole[first : first + BATCH * (n * n + gap)].reshape(BATCH, -1)[:, : n * n].reshape(a.shape)
            with exchanged(
                lambda spec: kernels.kernel(spec, form="lane", nontemporal_bytes=BATCH * spec.bytes * 2 // 3)
            ):
                plan = bb.plan("potrf", a, out=out, clean=True, num_threads=1)
            assert ("bb_past" in plan.kernel.source.text) == (host_isa().simd_bytes > 16)
            plan()
            assert np.array_equal(out, expected)
            out[:] = 7
            assert (whole == 7).all()


OTHERS = [
    # (operation, dtype, how matrices lie, order, flags, what is asked)
    ("potrf", "float64", "st", 24, {"uplo": "L"}, {}),
    ("potrf", "float64", "ld", 17, {"uplo": "U"}, {"clean": True}),
    ("potrf", "float32", "pp", 33, {"uplo": "L"}, {"clean": True}),
    ("trsm", "float64", "st", 9, {"uplo": "L"}, {"alpha": 0.5}),
    ("trsm", "float32", "pp", 17, {"uplo": "U", "side": "R"}, {"alpha": 2.0}),
    ("trsm", "float64", "ld", 12, {"uplo": "L", "transa": "T"}, {"alpha": 0.0}),
    ("trsv", "float64", "st", 9, {"uplo": "U"}, {}),
    ("potrs", "float64", "st", 10, {"uplo": "L"}, {}),
    ("trmm", "float64", "ld", 9, {"uplo": "L"}, {"alpha": 2.0}),
    ("trmm", "complex64", "pp", 6, {"uplo": "U", "transa": "C"}, {"alpha": 1.0}),
]
"""Copies of whole matrices and of columns, zeros above and below the diagonal, one matrix after another and a few."""


@pytest.mark.parametrize(
    ("case", "order"), half(OTHERS, "CF"), ids=lambda x: "-".join(map(str, x[:4])) if isinstance(x, tuple) else x
)
def test_copies_where_matrices_lie(case, order):
    """Kernels of all forms have the bits of a copy and the call in place; nothing beside the result is written, and
    what was in it does not count."""
    op, dtype, layout, n, flags, asked = case
    width = host_isa().simd_bytes // np.dtype(dtype).itemsize
    for batch in (1, width - 1, 2 * width + 1):
        given = [x[..., None] if x.ndim == 2 else x for x in operands_of(op, dtype, n=n, batch=batch, columns=19)]
        if flags.get("side") == "R":
            given[-1] = given[-1].swapaxes(1, 2).copy()
        expected = [(x[..., 0] if op == "trsv" and i else x).copy() for i, x in enumerate(given)]
        getattr(bb, op)(*expected, **flags, **asked, num_threads=1)
        spec = planned(op, given, layout, order, flags | asked)[0].kernel.spec
        forms = {plan.form for _, plan in alternatives(Program.of(spec), host_isa())}
        if host_isa().simd_bytes > 16:
            assert len(forms) > 1 or (op, order) == ("trsv", "C"), spec
        for form in forms if op != "trmm" else {"direct"} & forms:
            with exchanged(lambda spec, form=form: kernels.kernel(spec, form=form)):
                plan, lying, out = planned(op, given, layout, order, flags | asked)
            assert plan.kernel.source.schedule.form == form
            plan()
            assert same([np.array(x.values()) for x in (*lying, out)], [*given, expected[-1].reshape(given[-1].shape)])
            assert all(x.untouched_around() for x in (*lying, out))


@pytest.mark.parametrize("op", ["trsm", "trmm"])
def test_threads_that_share_one_matrix(op):
    a, b = operands_of(op, n=64, batch=2, columns=64)
    expected = call(op, [a[1], b[1].copy()], num_threads=1)
    for threads in (1, 2, 3):
        out = np.full_like(b[1], np.nan)
        assert call(op, [a[1], b[1]], out=out, num_threads=threads) is out
        assert same([out], [expected])
    assert "slices" in bb.plan(op, a[1], b[1], overwrite=False).kernel.source.text


def planned(op, given, layout, order, words):
    """The plan of a call whose result is apart; its operands and its result, which is NaN before."""
    *lying, out = (placed(x, layout, order) for x in (*given, np.full_like(given[-1], np.nan)))
    handed = [vectors(x) if op == "trsv" and i else x.operand for i, x in enumerate([*lying, out])]
    return bb.plan(op, *handed[:-1], out=handed[-1], **words, num_threads=1), lying, out


def vectors(x):
    return [one[:, 0] for one in x.operand] if isinstance(x.operand, list) else x.operand[..., 0]
