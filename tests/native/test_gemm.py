"""GEMM beyond the contract of all operations: every form of kernel, any strides, panels, what is prefetched."""

from __future__ import annotations

import itertools
from dataclasses import asdict

import numpy as np
import pytest
from support.cases import Case, prepared, run
from support.covering import covering
from support.extended import DTYPES, apply, random
from support.kernels import exchanged, lanes
from support.layouts import as_layout, values, variants
from support.table import ORACLES

import bblas_gen as bb
from bblas_gen.codegen.ahead import FAR
from bblas_gen.ir.program import Program
from bblas_gen.ir.terms import Strides
from bblas_gen.runtime import kernels
from bblas_gen.runtime.library import host_isa
from bblas_gen.schedule.choose import alternatives

GEMM = ORACLES["gemm"]


def error_of(a, b, before, after, transa="N", transb="N", alpha=1.0, beta=0.0):
    flags, scalars = {"transa": transa, "transb": transb}, {"alpha": alpha, "beta": beta}
    return GEMM.error({"A": a, "B": b, "C": before}, {"C": after}, flags, scalars)


def case_of(dtype, sizes, batch, flags, scalars, layout, schedule, order="F"):
    """Column-major, as kernels are, so that the schedule is that of the sizes named."""
    named = dict(zip(("m", "n", "k"), sizes, strict=True))
    letters = dict(zip(("transa", "transb"), flags, strict=True))
    numbers = dict(zip(("alpha", "beta"), scalars, strict=True))
    return Case("gemm", dtype, named, batch, letters, numbers, (layout,), (order,), schedule)


def check(case):
    """The result is right, by the schedule that the case names and no other."""
    spec, overrides = case.wanted()
    assert overrides == dict(case.schedule), case
    clean = case.make()
    after = run(case).after
    assert GEMM.error(clean, after, dict(case.flags), dict(case.scalars)) <= GEMM.bound, case
    return spec


@pytest.mark.parametrize("layout", ["st", "pp", "bi", "il"])
def test_empty_batches_and_empty_outputs_compile_nothing(layout, monkeypatch):
    monkeypatch.setattr("bblas_gen.runtime.library.load_kernel", lambda *_: pytest.fail("a kernel was made"))
    kernels.reset()
    for batch, m, n in ((0, 3, 4), (5, 0, 4), (5, 3, 0)):
        a, b = np.ones((batch, m, 2)), np.ones((batch, 2, n))
        if layout in ("bi", "il"):
            nb = "full" if layout == "il" else None
            a, b = bb.Interleaved.empty(a.shape, nb=nb), bb.Interleaved.empty(b.shape, nb=nb)
        elif layout == "pp" and batch:
            a, b = list(a), list(b)
        c = bb.gemm(a, b)
        assert len(c) == batch
        assert np.shape(c) == (batch, m, n) if layout == "st" else True


@pytest.mark.parametrize("layout", ["st", "pp", "bi", "il"])
@pytest.mark.parametrize(("beta", "expected"), [(0, 0), (1, 7), (2, 14)])
def test_k_of_zero_scales_c(layout, beta, expected):
    a, b, c = np.ones((9, 3, 0)), np.ones((9, 0, 2)), np.full((9, 3, 2), 7.0)
    x, y, z = (as_layout(array, layout) for array in (a, b, c))
    bb.gemm(x, y, z, beta=beta)
    assert (values(z) == expected).all()


FORMS = [
    {"form": "lane"},
    {"form": "lane", "width": 2},
    {"form": "lane", "width": 1},
    {"form": "lane", "rows": 2, "cols": 3, "unroll": 1},
    {"form": "direct"},
    {"form": "direct", "width": 2, "rows": 3, "cols": 2},
    {"form": "direct", "width": 2, "rows": 4, "cols": 1, "prefetch": 0},
    {"form": "direct", "kc": 3, "prefetch": 0},
    {"form": "direct", "unroll": 1, "rows": 5, "cols": 3},
    {"form": "lane", "kc": 3},
]


@pytest.mark.parametrize("layout", ["st", "ld", "rs"])
def test_every_form_of_kernel(layout):
    """The kernel that dispatch would choose is exchanged for one of every other form."""
    flags = itertools.cycle(["NN", "TN", "CT", "NC", "RN"])
    shares = {"st": (0,), "ld": (1, 3), "rs": (2,)}
    cases = []
    for number, (form, dtype) in enumerate(itertools.product(FORMS, DTYPES)):
        letters = next(flags)
        if (number // 4 + number) % 4 not in shares[layout]:  # each form with each precision, and with each layout
            continue
        shapes = [(5, 7, 8), (9, 4, 7), (13, 3, 17), (10, 4, 7), (14, 3, 17)]
        tried = (case_of(dtype, shape, 11, letters, (1.5, 0.5), layout, form) for shape in shapes[number % 3 :])
        cases.append(next(case for case in tried if case.wanted()[1] == form))
    assert {case.schedule["form"] for case in cases} == {"lane", "direct"}
    for case in prepared(cases):
        spec = check(case)
        assert spec.strides == {"st": Strides.PACKED, "ld": Strides.LD, "rs": Strides.RS}[layout]


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_flat_kernel(dtype):
    """All widths and numbers of matrices at a time; a batch that leaves some over."""
    sizes = [(2, 2, 2), (3, 3, 3), (4, 4, 4), (5, 3, 7), (7, 4, 2), (3, 6, 9)]
    numbers = itertools.cycle([(1.5, 0.5), (1, 1), (1, 0), (0, 2)])
    cases = []
    for number, (flags, shape) in enumerate(itertools.product(["NN", "TN", "NC", "RT"], sizes)):
        if (number // 6 + number) % 2 != DTYPES.index(dtype) % 2:  # every other one of each letter and of each shape
            continue
        spec, _ = case_of(dtype, shape, 19, flags, (1, 0), "st", {}).wanted()
        found = [schedule for _, schedule in alternatives(Program.of(spec), host_isa()) if schedule.form == "flat"]
        cases += [case_of(dtype, shape, 19, flags, next(numbers), "st", asdict(schedule)) for schedule in found]
    assert cases or lanes(dtype) == spec.p.parts, "only a vector of one element has no flat kernels"
    for case in prepared(cases):
        check(case)


@pytest.mark.parametrize("dtype", ["float64", "complex64"])
@pytest.mark.parametrize("which", ["a", "b", "c"])
def test_any_strides_and_nothing_around_them_changes(dtype, which, rng):
    plain = {name: random(rng, (6, *shape), dtype) for name, shape in (("a", (5, 3)), ("b", (3, 4)), ("c", (5, 4)))}
    for name, view, around in variants(plain[which]):
        operands = {key: array.copy() for key, array in plain.items()} | {which: view}
        before = around.copy()
        result = bb.gemm(operands["a"], operands["b"], operands["c"], alpha=2, beta=0.5)
        error = error_of(plain["a"], plain["b"], plain["c"], result, alpha=2, beta=0.5)
        assert error <= GEMM.bound, name
        if which != "c":
            assert np.array_equal(around, before), name
        else:
            if name in ("guarded", "steps", "reversed rows", "batch last"):
                view[...] = 77
                assert (around == 77).all(), name
            elif name == "misaligned":
                assert around[0] == 77
                assert (around[plain["c"].nbytes + 1 :] == 77).all()
            elif name == "field of a structure":
                assert (around == 0).all()


def test_one_matrix_for_all(rng):
    a, b = random(rng, (9, 4, 5), "float64"), random(rng, (5, 3), "float64")
    expected = a @ b
    for shared in (b, b[None], np.broadcast_to(b, (9, 5, 3)), np.asfortranarray(b)):
        batch = a if shared.ndim == 2 or len(shared) == 9 else a[:1]
        np.testing.assert_allclose(bb.gemm(batch, shared), expected[: len(batch)], rtol=1e-13)
    np.testing.assert_allclose(bb.gemm(b.T, a.swapaxes(1, 2)), expected.swapaxes(1, 2), rtol=1e-13)
    windows = np.lib.stride_tricks.sliding_window_view(np.arange(40.0), 9)[:28].reshape(7, 4, 9)
    np.testing.assert_allclose(
        bb.gemm(windows, random(rng, (7, 9, 2), "float64")[:, :, :] * 0 + 1), windows.sum(2)[..., None] + np.zeros(2)
    )
    diagonal = np.broadcast_to(np.float64(3.0), (9, 4, 5))
    np.testing.assert_allclose(bb.gemm(diagonal, b), diagonal @ b)


def test_large_sizes_use_panels():
    for sizes, flags in (((40, 3, 700), "TN"), ((3, 40, 700), "NT"), ((200, 2, 90), "NN"), ((70, 65, 1), "CN")):
        check(case_of("float64", sizes, 2, flags, (0.5, 2), "st", {}, "C"))


def test_interleaved_panels_of_k():
    """Panels of k, with and without what is prefetched, in whole vectors and the last."""
    some = [(5, (6, 6, 17)), (4, (3, 2, 8)), (32, (4, 3, 33))]
    cases = [
        case_of(dtype, sizes, 21, "NN", (0.5, -1.0), layout, {"kc": kc})
        for dtype, layout, (kc, sizes) in covering(1, DTYPES, ["bi", "il"], some)
    ]
    for case in prepared(cases):
        check(case)


def test_the_oracle_knows_its_flags(rng):
    x = random(rng, (2, 3), "complex128")
    assert np.array_equal(apply("C", x), x.T.conj())
    assert np.array_equal(apply("R", x), x.conj())


def test_inf_as_a_scalar_is_a_number():
    a = np.ones((3, 2, 2))
    assert np.isposinf(bb.gemm(a, a, alpha=float("inf"))).all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_where_the_operands_come_from_changes_no_bit(dtype, rng):
    """Interleaved batches beyond a level-2 cache are prefetched, and beyond all caches stored past them."""
    n, count = 16, 800
    a, b, c = (random(rng, (count, n, n), dtype) for _ in range(3))
    x, y = bb.interleave(a), bb.interleave(b)
    for beta in (0.0, 1.0, 0.5):
        far, near, past = bb.interleave(c), bb.interleave(c[-37:]), bb.interleave(c)
        bb.gemm(x, y, far, beta=beta, num_threads=1)
        bb.gemm(bb.interleave(a[-37:]), bb.interleave(b[-37:]), near, beta=beta, num_threads=1)
        assert x.nbytes * 3 > FAR > near.nbytes * 3
        assert np.array_equal(values(far)[-37:], values(near))
        with exchanged(lambda spec: kernels.kernel(spec, nontemporal_bytes=1)):
            plan = bb.plan("gemm", x, y, past, beta=beta, num_threads=1)
        assert "BB_PAST" in plan.kernel.source.text
        plan()
        assert np.array_equal(values(past), values(far))


@pytest.mark.parametrize("nb", [8, 9, 12, 16])
def test_blocks_of_any_size_are_prefetched_right(nb, rng):
    a, b = random(rng, (300, 12, 12), "float64"), random(rng, (300, 12, 12), "float64")
    found = bb.gemm(bb.interleave(a, nb=nb), bb.interleave(b, nb=nb), num_threads=1)
    np.testing.assert_allclose(values(found), a @ b, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_numbers_smaller_than_any_of_the_precision_are_not_zero(dtype):
    """What they multiply is read: NaN comes through, of finite numbers nothing does."""
    a, c = np.ones((19, 3, 3), dtype), np.full((19, 3, 3), 2, dtype)
    assert abs(bb.gemm(a, a, alpha=-1e-300)).max() < 1e-43
    assert np.isnan(bb.gemm(a * np.nan, a, alpha=1e-300)).all()
    assert np.isnan(bb.gemm(a, a, c * np.nan, beta=1e-300)).all()
    scaled = bb.sequence([bb.step("gemm", "A", "A", "C", beta=1e-300)])
    np.testing.assert_array_equal(scaled(A=a, C=c.copy()), 3)
    assert np.isnan(scaled(A=a, C=c * np.nan)).all()


def test_the_largest_numbers_of_a_precision_are_taken():
    a, largest = np.ones((19, 3, 3), "float32"), np.finfo("float32").max
    for value in (float(largest), 3.4028235e38):
        assert (bb.gemm(a / 3, a, alpha=value) > 0.99 * largest).all()
    assert (bb.gemm(a, a, alpha=np.inf) == np.inf).all()


@pytest.mark.parametrize(
    ("dtype", "m", "n", "k"),
    [("float64", 16, 1, 16), ("float64", 20, 3, 21), ("float32", 33, 2, 35), ("complex64", 17, 1, 19)],
)
def test_rows_that_are_turned_in_registers_have_the_bits_of_columns(dtype, m, n, k, rng):
    a, b, c = random(rng, (19, m, k), dtype), random(rng, (19, k, n), dtype), random(rng, (19, n, m), dtype).mT
    b, by_columns = np.ascontiguousarray(b.mT).mT, np.ascontiguousarray(a.mT).mT
    for alpha, beta in ((1.0, 0.0), (1.5, 0.5), (0.0, 0.5)):
        from_rows, from_columns = (c.copy(order="K") for _ in range(2))
        bb.gemm(a if alpha else a * np.nan, b, from_rows, alpha=alpha, beta=beta)
        bb.gemm(by_columns, b, from_columns, alpha=alpha, beta=beta)
        assert np.array_equal(from_rows, from_columns)
        assert error_of(a, b, c, from_rows, alpha=alpha, beta=beta) <= GEMM.bound
