"""Variable batches: lists and ragged arrays whose matrices are not all of one shape."""

from __future__ import annotations

import gc
from collections import Counter
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from support.cases import Case, dtypes, letters, tried

import bblas_gen as bb
from bblas_gen.arrays import headers
from bblas_gen.arrays.ragged import Ragged
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.kernel_set import specs_in
from bblas_gen.ir.terms import Kind
from bblas_gen.runtime import bins, calls, kernels
from bblas_gen.runtime.call import by_user_names
from bblas_gen.toolchain import compilers


def cut(rng, sizes, cols, dtype=float):
    """Ragged values and the matrices that they are."""
    offsets = np.concatenate([[0], np.cumsum(np.array(sizes, int))])
    values = rng.standard_normal((offsets[-1], cols)).astype(dtype)
    return bb.ragged(values, offsets), [values[i:j] for i, j in pairwise(offsets)]


def close(found, expected):
    return all(np.allclose(x, y, rtol=1e-12, atol=1e-12) for x, y in zip(found, expected, strict=True))


@pytest.mark.parametrize("op", tried(0, 2))
def test_each_matrix_has_the_bits_of_a_batch_of_its_kind(op):
    """Whatever stands between them: every operation on three shapes at once, each with scalars of its own; as a list
    of matrices in any order, and as groups."""
    row = OPS[op]
    dtype = dtypes(row)[len(op) % len(dtypes(row))]
    flags = {flag: letters(row, flag)[len(op) % len(letters(row, flag))] for flag in row.flags}
    cases = []
    for n, batch, values in ((2, 5, (0.75, -1.5)), (1, 1, (0, 1)), (3, 2, (1, 0))):
        scalars = dict(zip(row.scalars, values, strict=False))
        sizes = {size: n + (i if i < 2 and n > 1 else 0) * (size != "n") for i, size in enumerate(row.sizes)}
        cases.append(Case(op, dtype, sizes, batch, flags, scalars, ("pp",)))
    made = [case.make() for case in cases]
    order = np.random.default_rng(1).permutation(sum(case.batch for case in cases))
    together = {}
    for x in row.parameters:
        each = [matrix.copy() for operands in made for matrix in operands[x.name]]
        together[x.name] = [each[i] for i in order]
    check = {"check": "ignore"} if row.info else {}
    each = [case for case in cases for _ in range(case.batch)]
    scalars = {name: [each[i].scalars[name] for i in order] for name in row.scalars}
    named = by_user_names(row, together.values()) | {x: [y] * len(order) for x, y in flags.items()} | scalars | check
    plan = bb.plan(op, **named)
    plan()
    groups = {x.name: [np.array(operands[x.name], order="C") for operands in made] for x in row.parameters}
    by_group = {name: [case.scalars[name] for case in cases] for name in row.scalars}
    named = by_user_names(row, groups.values()) | {x: [y] * 3 for x, y in flags.items()} | by_group | check
    grouped = bb.plan(op, **named)
    grouped()
    alone, infos = {x.name: [] for x in row.parameters}, []
    for case, operands in zip(cases, made, strict=True):
        given = case.place(operands)
        one = case.plan(given)
        one()
        infos += [] if one.info is None else list(one.info)
        for name, x in given.items():
            alone[name] += list(x.values())
    for name, matrices in together.items():
        for i, matrix in zip(order, matrices, strict=True):
            assert matrix.tobytes() == np.ascontiguousarray(alone[name][i]).tobytes(), (name, i)
        for matrix, one in zip((x for group in groups[name] for x in group), alone[name], strict=True):
            assert matrix.tobytes() == np.ascontiguousarray(one).tobytes(), name
    assert plan.info is None or plan.info.tolist() == [infos[i] for i in order]
    assert plan.info is None or grouped.info.tolist() == infos


@pytest.mark.parametrize(
    "op", ["gemm", "posv", *(pytest.param(op, marks=pytest.mark.thorough) for op in ("getrf", "trsm"))]
)
def test_rare_shapes_share_a_kernel_for_any_size(op, rng, monkeypatch, tmp_path):
    """With the bits of their own kernels."""
    made = [[x @ x.T + np.eye(n) for n in (3, 1, 4, 2, 4) for x in [rng.standard_normal((n, n))]] for _ in range(3)]
    inputs = [x.name for x in OPS[op].parameters if x.kind is Kind.SCALAR]
    found = []
    for few in (0, 9):
        monkeypatch.setattr(calls, "FEW", few)
        kernels.reset()
        operands = [[x.copy() for x in matrices] for matrices in made[: len(inputs)]]
        with bb.record(tmp_path / f"{few}.toml"):
            bb.plan(op, *operands)()
        found.append([x.tobytes() for matrices in operands for x in matrices])
        used = specs_in((tmp_path / f"{few}.toml").read_text())
        assert {spec.general for spec in used} == {few == 0}
    assert found[0] == found[1]


def test_many_shapes_cost_little_each(rng, monkeypatch):
    """Bins are found once, also where a result is made, and the choice of a kernel is one for many shapes."""
    shapes = rng.integers(2, 9, (300, 3))
    a = [rng.standard_normal((m, k)) for m, _, k in shapes]
    b = [rng.standard_normal((k, n)) for _, n, k in shapes]
    counted = Counter()
    for place, name in ((calls, "matched"), (bins, "numbered")):
        own = getattr(place, name)
        monkeypatch.setattr(place, name, lambda *x, own=own, name=name: counted.update([name]) or own(*x))
    c = bb.gemm(a, b)
    assert counted["numbered"] == 1
    assert counted["matched"] < 60
    assert close(c, [x @ y for x, y in zip(a, b, strict=True)])
    with pytest.raises(ValueError, match="matrix 7: b has"):
        bb.gemm(a, [*b[:7], b[7][:-1] if len(b[7]) > 1 else np.ones((9, 1)), *b[8:]])


def test_strides_of_rare_shapes(rng):
    """Leading dimensions and strides of each shape reach the kernel for any size."""
    whole = [rng.standard_normal((9, 6 + i % 3)) for i in range(12)]
    before = [x.copy() for x in whole]
    parts = [x[: 2 + i % 4, : 2 + i % 5] for i, x in enumerate(whole)]
    bb.lascl(parts, alpha=2.0)
    bb.lascl([x[::-1, ::-1] for x in parts], alpha=2.0)
    for x, part in zip(before, parts, strict=True):
        x[: len(part), : part.shape[1]] *= 4
    assert close(whole, before)


@pytest.mark.parametrize("listed", [True, False])
def test_flags_and_scalars_of_each_matrix(rng, listed):
    """Of lists and of arrays, planned and not, beside a call that went before."""
    a, b, c = (rng.standard_normal((6, 3, 3)) for _ in range(3))
    given = (lambda x: list(x.copy())) if listed else np.copy
    letters, alpha, beta = "NTNtTN", np.array([1.0, 2, 0, 3, 2, 1]), [0.0, 1, 1, 0, 2, 1]
    products = [x * (y.T if f in "tT" else y) @ z for x, f, y, z in zip(alpha, letters, a, b, strict=True)]
    expected = [x + y * z for x, y, z in zip(products, beta, c, strict=True)]
    assert close(bb.gemm(given(a), given(b)), a @ b)
    assert close(bb.gemm(given(a), given(b), alpha=alpha), alpha[:, None, None] * (a @ b))
    made = bb.gemm(given(a), given(b), alpha=alpha, transa=letters)
    assert isinstance(made, list if listed else np.ndarray)
    assert close(made, products)
    assert close(bb.gemm(given(a), given(b), given(c), alpha=alpha, beta=beta, transa=list(letters)), expected)
    plan = bb.plan("gemm", given(a), given(b), given(c), alpha=tuple(alpha), beta=beta, transa=letters)
    assert close(plan(), expected)


def test_flags_of_each_matrix_decide_shapes_and_triangles(rng):
    wide = rng.standard_normal((3, 2, 4))
    found = bb.gemm(wide, wide, transa=["N", "T", "N"], transb="TNT")
    assert [x.shape for x in found] == [(2, 2), (4, 4), (2, 2)]
    assert close(found, [wide[0] @ wide[0].T, wide[1].T @ wide[1], wide[2] @ wide[2].T])
    with pytest.raises(ValueError, match=r"matrix 1: b has 2 rows but a has 4 columns"):
        bb.gemm(wide, wide, transb="TNT")
    s = np.array([4 * np.eye(2) + 1, 4 * np.eye(2) + 1, -np.eye(2)])
    found, info = bb.potrf(s.copy(), uplo=["L", "U", "U"], check="nan", return_info=True)
    root = np.linalg.cholesky(s[0])
    assert close([np.tril(found[0]), np.triu(found[1])], [root, root.T])
    assert info.tolist() == [0, 0, 1]
    assert np.isnan(found[2]).tolist() == [[True, True], [False, True]]
    given = list(rng.standard_normal((2, 2, 2)) + 3 * np.eye(2))
    for i, x in enumerate(bb.trsm(given, [g.copy() for g in given], side="LR", uplo="LU", diag="NU")):
        one = bb.trsm(given[i : i + 1], [given[i].copy()], side="LR"[i], uplo="LU"[i], diag="NU"[i])
        assert x.tobytes() == one[0].tobytes()


@pytest.mark.parametrize(
    ("named", "error", "text"),
    [
        ({"alpha": [1.0, 2]}, ValueError, "alpha has 2 values but a is a batch of 3: expected one, or one for each"),
        ({"alpha": [1.0, 2, "x"]}, TypeError, r"alpha\[2\] = 'x': expected a real number"),
        ({"alpha": [1.0, [2], 3]}, TypeError, r"alpha\[1\] = \[2\]: expected a real number"),
        ({"alpha": [1.0, np.nan, 3]}, ValueError, r"alpha\[1\] = .*nan.* is not a number"),
        ({"alpha": np.ones((3, 1))}, TypeError, "alpha = array"),
        ({"alpha": []}, TypeError, r"alpha = \[\]: expected a real number"),
        ({"alpha": np.array([1, 1j, 1])}, TypeError, r"alpha\[0\] = .*: expected a real number"),
        ({"beta": [0, 0.5, 0]}, ValueError, r"beta = \[0, 0.5, 0\] without c: expected 0"),
        ({"transa": "NX"}, ValueError, r"transa\[1\] = 'X' is not a transposition"),
        ({"transa": ["N", 1, "N"]}, ValueError, r"transa\[1\] = 1 is not a transposition"),
        ({"transa": ["N", "T"]}, ValueError, "transa has 2 values but a is a batch of 3"),
    ],
)
def test_refusals_of_flags_and_scalars(named, error, text):
    a = np.ones((3, 2, 2))
    for call in (bb.gemm, partial(bb.plan, "gemm")):
        with pytest.raises(error, match=text):
            call(a, a, **named)
    with pytest.raises(ValueError, match="alpha has 3 values but a is a batch of 1: expected one, or one for each"):
        bb.gemm(a[0], a[0], alpha=[1.0, 2, 3])
    with pytest.raises(TypeError, match="alpha has 3 values but a is an Interleaved, whose matrices share one"):
        bb.gemm(bb.interleave(a), bb.interleave(a), alpha=[1.0, 2, 3])


def test_results_are_as_what_was_given(rng):
    sizes = [3, 0, 2, 3]
    tall, parts = cut(rng, sizes, 2)
    assert isinstance(tall, Ragged)
    product = bb.gemm(tall, np.eye(2))
    assert isinstance(product, Ragged)
    assert product.offsets.tolist() == [0, 3, 3, 5, 8]
    assert np.array_equal(product.values, tall.values)
    gram = bb.gemm(tall, tall, transa="T")
    assert gram.shape == (4, 2, 2)
    assert close(gram, [x.T @ x for x in parts])
    outer = bb.gemm(tall, tall, transb="T")
    assert isinstance(outer, Ragged)
    assert [x.shape for x in outer] == [(n, n) for n in sizes]
    listed = bb.gemm(parts, np.eye(2))
    assert isinstance(listed, list)
    assert close(listed, parts)
    vectors = bb.gemv(tall, np.ones(2))
    assert vectors.values.shape == (8,)
    assert close([vectors[2]], [parts[2].sum(axis=1)])
    assert bb.dot(vectors, vectors).shape == (4,)
    c = bb.ragged(np.zeros((8, 2)), tall.offsets)
    assert bb.gemm(tall, np.eye(2), c) is c
    assert np.array_equal(c.values, tall.values)


def test_one_shape_may_be_ragged_too(rng):
    same, parts = cut(rng, [2, 2, 2], 2)
    assert close(bb.gemm(same, same), [x @ x for x in parts])
    none = cut(rng, [], 2)[0]
    assert len(bb.gemm(none, none, transa="T")) == 0
    assert bb.nrm2(bb.ragged(np.zeros(0), [0])).shape == (0,)


def test_matrices_of_any_shape_one_after_another(rng):
    shapes = np.array([[2, 3], [1, 4], [3, 0], [2, 3]])
    offsets = np.concatenate([[0], np.cumsum(shapes.prod(axis=1))])
    a = bb.ragged(rng.standard_normal(16), offsets, shapes)
    assert [x.shape for x in a] == [(2, 3), (1, 4), (3, 0), (2, 3)]
    assert close(bb.gemm(a, a, transb="T"), [x @ x.T for x in a])
    columns = bb.ragged(np.arange(3.0), [0, 2, 3], [[2, 1], [1, 1]])
    assert [x.shape for x in columns] == [(2, 1), (1, 1)]
    assert bb.nrm2(columns).tolist() == [1, 2]


def test_beside_arrays_pointers_and_one_matrix_for_all(rng):
    tall, parts = cut(rng, [3, 1, 2], 2)
    b = rng.standard_normal((3, 2, 2))
    for right in (b, b[::-1][::-1], list(b), bb.pointers(b.ctypes.data + 32 * np.arange(3), (2, 2), float, owner=b)):
        assert close(bb.gemm(tall, right), [x @ y for x, y in zip(parts, b, strict=True)])
    assert close(bb.gemm(tall, b[0]), [x @ b[0] for x in parts])
    with pytest.raises(TypeError, match="b is an Interleaved, beside matrices that are not alike"):
        bb.gemm(tall, bb.interleave(b))


def test_strides_may_differ_too(rng):
    whole = rng.standard_normal((4, 5))
    parts = [whole[:2, :2], whole[1:3, ::2][:, :2], np.asfortranarray(whole)[:3, :2], whole[::-1][:2, 1:3].copy()]
    assert close(bb.gemm(parts, rng.standard_normal((2, 2)) * 0 + np.eye(2)), parts)


def test_arrays_that_are_not_aligned_are_copied_and_written_back(rng):
    raw = np.zeros(9 * 8 + 1, np.uint8)
    odd = raw[1:].view(float).reshape(3, 3)
    odd[...] = rng.standard_normal((3, 3))
    before, even = odd.copy(), rng.standard_normal((2, 2))
    bb.lascl([odd, even], alpha=2.0)
    assert np.array_equal(odd, 2 * before)


def test_pieces_change_no_bits(rng, monkeypatch):
    """Windows done by the pool, on any number of threads, and piece by piece where kernels do not find it."""
    sizes = rng.integers(1, 4, 200)
    a, c = (cut(rng, sizes, 3)[0] for _ in range(2))
    start = c.values.copy()

    def run(threads=None):
        c.values[...] = start
        plan = bb.plan("gemm", a, np.eye(3), c, beta=1.0, alpha=0.5, num_threads=threads)
        assert np.array_equal(c.values, start)  # calls that are kept do nothing yet
        plan()
        return c.values.copy(), len(plan._run.args[0])

    whole, calls = run()
    assert calls == (1 if compilers.POOLED else 3)
    monkeypatch.setattr(bins, "LEAST", 1)
    monkeypatch.setattr(bins, "WINDOW_BYTES", 700)
    for threads in (None, 1, 2, 3):
        assert np.array_equal(run(threads)[0], whole)
    monkeypatch.setattr("bblas_gen.runtime.threads.start_pool", lambda: None)
    alone, calls = run()
    assert calls > 9
    assert np.array_equal(alone, whole)


@pytest.mark.skipif(not compilers.POOLED, reason="kernels have OpenMP here")
def test_what_a_kept_call_needs_lives_as_long_as_its_plan(rng):
    a = [rng.standard_normal((n, n)) + 1j for n in (2, 1, 2)]
    plan = bb.plan("gemm", a, a, alpha=0.5 + 2j)
    kernels.reset()
    gc.collect()
    assert close(plan(), [(0.5 + 2j) * x @ x for x in a])


def test_a_plan_sees_what_is_there_when_it_runs(rng):
    a = cut(rng, [1, 2, 1], 2)[0]
    plan = bb.plan("gemm", a, np.eye(2))
    plan()
    a.values[...] += 1
    assert np.array_equal(plan().values, a.values)


def test_each_matrix_reports(rng):
    good = [np.eye(n) for n in (2, 3, 2, 3)]
    good[1][2, 2] = good[2][0, 0] = -1
    text = r"potrf: 2 of 4 matrices are not positive definite: 1 \(info = 3\), 2 \(info = 1\)"
    with pytest.raises(np.linalg.LinAlgError, match=text):
        bb.potrf([x.copy() for x in good])
    found, info = bb.potrf([x.copy() for x in good], return_info=True, check="nan")
    assert info.tolist() == [0, 3, 1, 0]
    assert [bool(np.isnan(x).any()) for x in found] == [False, True, True, False]


def test_pivots_of_each_matrix(rng):
    a = [rng.standard_normal((n, n)) for n in (4, 2, 3, 2)]
    b = [rng.standard_normal((len(x), 2)) for x in a]
    factors, pivots = bb.getrf(a, overwrite=False)
    assert [p.shape for p in pivots] == [(4,), (2,), (3,), (2,)]
    expected = [np.linalg.solve(x, y) for x, y in zip(a, b, strict=True)]
    assert close(bb.getrs(factors, pivots, [y.copy() for y in b]), expected)
    own = [np.zeros(len(x), np.int32) for x in a]
    bb.getrf([x.copy() for x in a], own)
    assert all(np.array_equal(x, y) for x, y in zip(own, pivots, strict=True))
    assert close(bb.gesv(a, b, overwrite=False), expected)
    shapes = np.array([x.shape for x in a])
    ends = np.concatenate([[0], np.cumsum(shapes.prod(axis=1))])
    whole = bb.ragged(np.concatenate([x.ravel() for x in a]), ends, shapes)
    factors, pivots = bb.getrf(whole, overwrite=False)
    assert isinstance(pivots, Ragged)
    assert all(np.array_equal(x, y) for x, y in zip(own, pivots, strict=True))
    assert close(bb.getrs(factors, pivots, [y.copy() for y in b]), expected)
    with pytest.raises(TypeError, match="a is one batch but ipiv is a list of batches"):
        bb.getrs(factors, [p[None] for p in own], b)


def test_a_step_of_alternating_least_squares(rng):
    """Users with different numbers of ratings: one call of a sequence."""
    step = bb.sequence(
        [
            bb.step("syrk", "R", "G", trans="T"),
            bb.step("adddiag", "G", alpha="reg"),
            bb.step("gemm", "R", "Y", "X", transa="T"),
            bb.step("posv", "G", "X"),
        ],
        scratch="G",
    )
    ratings, parts = cut(rng, [5, 0, 2, 5, 9], 2)
    y = bb.ragged(rng.standard_normal((21, 1)), ratings.offsets)
    x = step(R=ratings, Y=y, reg=0.5)
    assert x.shape == (5, 2, 1)
    assert close(x, [np.linalg.solve(r.T @ r + 0.5 * np.eye(2), r.T @ y[i]) for i, r in enumerate(parts)])
    again = bb.plan(step, R=ratings, Y=y, reg=0.5)  # the result may be left out, as in a call
    assert again().tobytes() == x.tobytes()
    with pytest.raises(ValueError, match="reg has 2 values but R is a batch of 5"):
        step(R=ratings, Y=y, reg=[1.0, 2.0])
    regs = [0.5, 1, 2, 0.5, 3]
    x = step(R=ratings, Y=y, reg=regs)
    assert close(x, [np.linalg.solve(r.T @ r + regs[i] * np.eye(2), r.T @ y[i]) for i, r in enumerate(parts)])


@pytest.mark.parametrize("known", [True, False])
def test_headers_of_unlike_arrays_are_read_as_arrays_tell(rng, monkeypatch, known):
    monkeypatch.setattr(headers, "_headers_are_known", lambda: known)
    for items in (
        tuple(rng.standard_normal((n, 3))[::2, ::-1] for n in range(7)),
        tuple(rng.standard_normal(n)[::3] for n in range(5)),
    ):
        (dtype, sides, flags), addresses = headers.apart(items)
        assert dtype.name == "float64"
        assert sides.tolist() == [[*x.shape, *x.strides] for x in items]
        assert addresses.tolist() == [x.ctypes.data for x in items]
        assert flags & headers.ALIGNED
        assert headers.apart((*items, items[0].astype("f4"))) is None
        assert headers.apart((*items, items[0][None])) is None
    assert headers.apart(()) is None


@pytest.mark.parametrize(
    ("operands", "error", "text"),
    [
        (([np.eye(2), np.eye(3)], [np.eye(2), np.ones((2, 2))]), ValueError, "matrix 1: b has 2 rows but a has 3 col"),
        (([np.eye(2), np.eye(3)], [np.eye(2)]), ValueError, "b is a batch of 1 but a is one of 2"),
        (
            ([np.eye(2), np.eye(3, dtype="f4")], np.eye(2)),
            TypeError,
            r"a\[1\] has dtype float32 but a\[0\] has float64",
        ),
        (([np.eye(2), np.eye(3)[None]], np.eye(2)), ValueError, r"a\[1\] has shape \(1, 3, 3\): expected a 2-D array"),
        (([np.eye(2), np.eye(3)],) * 3, ValueError, "c overlaps a"),
        (([np.eye(1), np.eye(3)], np.eye(1)), ValueError, "matrix 1: b has 1 rows but a has 3 columns"),
    ],
)
def test_refusals(operands, error, text):
    with pytest.raises(error, match=text):
        bb.gemm(*operands)


def test_outputs_lie_apart_and_can_be_written(rng):
    a, one = [np.eye(2), np.eye(3)], np.zeros((3, 3))
    with pytest.raises(ValueError, match="c overlaps itself"):
        bb.gemm(a, a, [one[:2, :2], one])
    one.flags.writeable = False
    with pytest.raises(ValueError, match="c has matrices that are read-only"):
        bb.gemm(a, a, [np.zeros((2, 2)), one])
    values = np.zeros((5, 3))
    with pytest.raises(ValueError, match="c overlaps itself"):
        bb.gemm(a, a, [values[:2, :2], values[1:4]])
    with pytest.raises(ValueError, match="a has matrices of different shapes: expected one shape"):
        bb.interleave(a)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        (([1.0, 2.0], [0, 2]), TypeError, "values is a list: expected an array"),
        ((np.ones((2, 2, 2)), [0, 2]), TypeError, "values is 3-D"),
        ((np.ones(3, "f2"), [0, 3]), TypeError, "values has dtype float16"),
        ((np.ones(3), [0.0, 3]), TypeError, "offsets is float64"),
        ((np.ones(3), [[0, 3]]), TypeError, r"offsets is int64 of shape \(1, 2\)"),
        ((np.ones(3), []), ValueError, "expected to rise from 0 to 3 at most"),
        ((np.ones(3), [0, 4]), ValueError, "expected to rise from 0 to 3 at most"),
        ((np.ones(3), [-1, 3]), ValueError, "expected to rise"),
        ((np.ones(3), [0, 2, 1, 3]), ValueError, "expected to rise"),
        ((np.ones((3, 2)), [0, 3], [[3, 2]]), ValueError, "expected a 1-D array without gaps"),
        ((np.ones(6), [0, 6], [[3, 2], [1, 1]]), ValueError, "expected rows and columns of 1 matrices"),
        ((np.ones(6), [0, 6], [[3, 3]]), ValueError, r"shapes\[0\] = \[3, 3\] but offsets leave it 6 elements"),
        ((np.ones(9, "u1")[1:].view("f8"), [0, 1]), ValueError, "or is not aligned: expected whole float64"),
    ],
)
def test_ragged_refuses(arguments, error, text):
    with pytest.raises(error, match=text):
        bb.ragged(*arguments)


def test_ragged_shows_what_is_for_users(rng):
    a = cut(rng, [1, 2], 2)[0]
    assert {"batch", "dtype", "offsets", "shapes", "values"} <= set(dir(a))
    assert "addresses" not in dir(a)
    assert repr(a) == "Ragged(batch=2, dtype=float64)"
    assert len(a) == a.batch == 2
    assert a[-1].shape == (2, 2)
    with pytest.raises(IndexError):
        a[2]
