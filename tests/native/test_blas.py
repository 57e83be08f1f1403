"""What users call beyond GEMM: kinds of operands, vectors, results in place or in `out`, and refusals."""

from __future__ import annotations

import inspect
from functools import partial

import numpy as np
import pytest
from support.extended import random, symmetric, triangle
from support.layouts import as_layout, values

import bblas_gen as bb
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.documentation import FUNCTIONS as DOCUMENTED
from bblas_gen.ir.terms import Kind
from bblas_gen.runtime.call import user_names

NAN, INF = float("nan"), float("inf")
DTYPES = ["float32", "float64", "complex64", "complex128"]


def kinds(x):
    """A batch of vectors (batch, n) in every form that is taken, by name."""
    wide = np.zeros((len(x), 2 * x.shape[1]), x.dtype)[:, ::-2]
    wide[...] = x
    return {
        "array": x.copy(),
        "steps": wide,
        "list": [v.copy() for v in x],
        "bi": bb.interleave(x[..., None]),
        "il": bb.interleave(x[..., None], nb="full"),
    }


def numbers(x):
    found = values(x) if isinstance(x, bb.Interleaved) else np.array(x)
    return found[..., 0] if found.ndim == 3 else found


def close(found, expected):
    tolerance = 1e-5 if np.dtype(found.dtype).itemsize // (1 + (found.dtype.kind == "c")) == 4 else 1e-13
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance * 10)


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_dots_and_norms(dtype, rng):
    x, y = random(rng, (11, 5), dtype), random(rng, (11, 5), dtype)
    close(bb.dot(x, y), (x * y).sum(1))
    close(bb.dotc(x, y), (x.conj() * y).sum(1))
    norms = bb.nrm2(x)
    close(norms, np.sqrt((abs(x) ** 2).sum(1)))
    assert norms.dtype == x.real.dtype
    assert bb.dot(x, y).dtype == x.dtype
    assert bb.dot(x, y).shape == norms.shape == (11,)


def test_vectors_of_every_kind(rng):
    x, y = random(rng, (11, 5), "float64"), random(rng, (11, 5), "float64")
    expected = (x * y).sum(1)
    for (name, a), b in zip(kinds(x).items(), kinds(y).values(), strict=True):
        close(bb.dot(a, b), expected)
        assert bb.axpy(a, b, alpha=0.5) is b, name
        close(numbers(b), 0.5 * x + y)
    for name in ("array", "list", "bi"):
        a = kinds(x)[name]
        close(bb.nrm2(a), np.linalg.norm(x, axis=1))
        assert bb.scal(a, alpha=3.0) is a, name
        close(numbers(a), 3 * x)
    for a in (x, list(x), bb.interleave(x[..., None])):  # one vector for all, on either side
        close(bb.dot(a, y[0]), x @ y[0])
        close(bb.dot(y[0], a), x @ y[0])
    close(bb.dot(np.broadcast_to(y[0], (11, 5)), x), x @ y[0])


@pytest.mark.parametrize("op", ["dot", "dotc", "nrm2"])
@pytest.mark.parametrize("bad", [3, None, [1.0, 2.0], []])
def test_what_is_no_vector_is_named(op, bad):
    with pytest.raises((TypeError, ValueError), match=r"^x"):
        getattr(bb, op)(*[bad] * (1 if op == "nrm2" else 2))


@pytest.mark.parametrize("dtype", DTYPES)
def test_norms_of_tiny_and_huge_vectors(dtype):
    real = np.finfo(dtype)
    turns = (1, 1j) if np.dtype(dtype).kind == "c" else (1,)
    for scale in map(float, (real.tiny, real.max / 16, real.smallest_subnormal * 64, 1.0)):
        for turn in turns:
            x = np.tile((np.array([3.0, 4.0, 0.0, 0.0, 0.0]) * scale * turn).astype(dtype), (9, 1))
            np.testing.assert_allclose(bb.nrm2(x).astype(float) / scale, 5, rtol=4 * real.eps)
    assert (bb.nrm2(np.zeros((9, 5), dtype)) == 0).all()
    assert (bb.nrm2(np.zeros((9, 0), dtype)) == 0).all()
    assert bb.nrm2(np.zeros((0, 5), dtype)).shape == (0,)


@pytest.mark.parametrize("dtype", ["float64", "complex64"])
@pytest.mark.parametrize("layout", ["st", "bi", "bi3"])
def test_norms_of_inf_and_nan(dtype, layout):
    x = np.ones((19, 5), dtype)
    x[3, 2], x[4, 0], x[5, 4], x[6, 1] = INF, NAN, -INF, 0
    x[7, [0, 3]] = NAN, INF
    x[8] = 0
    found = bb.nrm2(as_layout(x[..., None], layout) if layout != "st" else x)
    assert np.isposinf(found[[3, 5]]).all()
    assert np.isnan(found[4])
    assert np.isnan(found[7])  # as NumPy's; LAPACK's newer one says the same
    assert found[8] == 0
    close(found[[0, 1, 2, 6, *range(9, 19)]], np.sqrt([5, 5, 5, 4] + [5] * 10))


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("op", ["dot", "dotc"])
def test_dots_propagate(op, dtype):
    x, y = np.ones((9, 5), dtype), np.ones((9, 5), dtype)
    x[2, 1], y[3, 4], x[4, 0], y[4, 0] = NAN, INF, INF, 0
    x[5], y[5] = 1e-200, 1e-200
    x[6], y[6] = 1e200, 1e200
    found = getattr(bb, op)(x, y)
    assert np.isnan(found[2])
    assert np.isinf(found[3].real)
    assert np.isnan(found[4])
    assert found[5] == 0
    assert np.isinf(found[6].real)
    assert (found[[0, 1, 7, 8]] == 5).all()


def test_scal_and_axpy_by_special_numbers(rng):
    x = random(rng, (9, 5), "complex128")
    before = x.copy()
    assert bb.scal(x, alpha=1) is x
    assert np.array_equal(x, before)
    close(bb.scal(x, alpha=2 - 1j), (2 - 1j) * before)
    x[:, 2] = NAN
    assert (bb.scal(x, alpha=0) == 0).all()
    with pytest.raises(TypeError, match="alpha"):
        bb.scal(x)
    y = before.copy()
    close(bb.axpy(before, y, alpha=-1), np.zeros_like(y))
    bb.axpy(np.full_like(y, NAN), y, alpha=0)
    close(y, np.zeros_like(y))


@pytest.mark.parametrize(("trans", "kind"), [("N", "array"), ("T", "steps"), ("C", "list"), ("C", "bi")])
def test_gemv(trans, kind, rng):
    a = random(rng, (11, 4, 3), "complex128")
    op = {"N": a, "T": a.swapaxes(1, 2), "C": a.swapaxes(1, 2).conj()}[trans]
    x, y = (random(rng, (11, size), "complex128") for size in op.shape[:0:-1])
    expected = (2 + 1j) * (op @ x[..., None])[..., 0] - 0.5 * y
    given = [as_layout(a, "pp" if kind == "list" else "bi" if kind == "bi" else "st"), kinds(x)[kind], kinds(y)[kind]]
    assert bb.gemv(*given, alpha=2 + 1j, beta=-0.5, trans=trans) is given[2]
    close(numbers(given[2]), expected)


def test_ger_and_gerc(rng):
    x, y, a = (
        random(rng, (11, 4), "complex128"),
        random(rng, (11, 3), "complex128"),
        random(rng, (11, 4, 3), "complex128"),
    )
    for op, other in ((bb.ger, y), (bb.gerc, y.conj())):
        found = a.copy()
        assert op(x, y, found, alpha=1 - 2j) is found
        close(found, a + (1 - 2j) * x[..., None] * other[:, None, :])
    lists = [v.copy() for v in a]
    assert bb.ger(list(x), y[0], lists) is lists
    close(np.array(lists), a + x[..., None] * y[0])


@pytest.mark.parametrize(("uplo", "trans", "diag"), ["LNN", "LCU", "LTN", "UNU", "UCN"])
def test_trsv(uplo, trans, diag, rng):
    a = random(rng, (11, 4, 4), "complex128") / 4 + 2 * np.eye(4)
    full = triangle(a, uplo, diag).astype("complex128")
    op = {"N": full, "T": full.swapaxes(1, 2), "C": full.swapaxes(1, 2).conj()}[trans]
    x = random(rng, (11, 4), "complex128")
    found = x.copy()
    assert bb.trsv(a, found, uplo=uplo, trans=trans, diag=diag) is found
    close((op @ found[..., None])[..., 0], x)


def test_flags_in_small_letters_and_one_matrix_for_all(rng):
    a, b = random(rng, (4, 4), "float64"), random(rng, (11, 4, 3), "float64")
    c = np.zeros_like(b)
    assert bb.symm(a, b, c, uplo="u", side="l") is c
    close(c, symmetric(a, "U", False).astype(float) @ b)
    assert bb.trmm(a, b, uplo="u", transa="t", alpha=2.0) is b


PARAMETERS = {op: inspect.signature(getattr(bb, op)).parameters for op in OPS if hasattr(bb, op)}
"""Public functions and their arguments."""
NEEDED = {
    op: {name: 2.0 for name, x in given.items() if x.kind is x.KEYWORD_ONLY and x.default is x.empty}
    for op, given in PARAMETERS.items()
}
"""Scalars that have no default."""
OUTS = {  # functions whose result is their last operand, or ``out``: shapes of the operands
    op: [(4, 4 if x.rows == x.cols or x.triangle else 3) for x in OPS[op].parameters]
    for op, names in PARAMETERS.items()
    if "out" in names and not any(x.kind is Kind.INDEX or x.is_vector for x in OPS[op].parameters)  # see test_variants
}


@pytest.mark.parametrize("op", OUTS)
def test_out_has_the_result_and_what_it_replaces_is_kept(op, rng):
    a = random(rng, (11, 4, 4), "float64")
    given = [a @ a.swapaxes(1, 2) + 4 * np.eye(4), random(rng, (11, 4, 3), "float64")][: len(OUTS[op])]
    expected = getattr(bb, op)(*[x.copy() for x in given], **NEEDED[op])
    kept = given[-1].copy()
    others = [[x.copy() for x in kept], bb.Interleaved.empty(kept.shape)] if op in ("trsm", "potrf") else []
    for out in (np.full_like(kept, NAN), *others):
        assert getattr(bb, op)(*[x.copy() for x in given[:-1]], given[-1], out=out, **NEEDED[op]) is out
        assert np.array_equal(given[-1], kept)
        close(values(out), expected)


@pytest.mark.parametrize("op", OUTS)
def test_a_wrong_out_is_refused_by_its_name(op):
    given = [np.tile(np.eye(*shape), (5, 1, 1)) for shape in OUTS[op]]
    rows, cols = OUTS[op][-1]
    with pytest.raises(ValueError, match=rf"^out has {rows + 1} rows(:| but)"):
        getattr(bb, op)(*given, out=np.zeros((5, rows + 1, cols)), **NEEDED[op])
    with pytest.raises(TypeError, match=r"^out has dtype float32"):
        getattr(bb, op)(*given, out=np.zeros((5, rows, cols), "f4"), **NEEDED[op])
    with pytest.raises(ValueError, match=r"^out is read-only"):
        getattr(bb, op)(*given, out=np.broadcast_to(0.0, (5, rows, cols)), **NEEDED[op])


def test_what_a_wrong_out_does_not_fit_is_named():
    a, b = np.tile(np.eye(3), (5, 1, 1)), np.ones((5, 2, 3))
    with pytest.raises(ValueError, match="out has 4 rows but b has 2"):
        bb.trsm(a, b, side="R", out=np.ones((5, 4, 3)))
    with pytest.raises(ValueError, match="out overlaps b"):
        bb.trsm(a, b, side="R", out=b[::-1])
    assert bb.trsm(a, b, side="R", out=b) is b


@pytest.mark.parametrize("wrong", [{"side": "X"}, {"alpha": NAN}, {"num_threads": 0}, {"diag": 3}])
def test_out_is_not_written_by_a_call_that_is_refused(wrong):
    a, b, out = np.tile(np.eye(3), (5, 1, 1)), np.ones((5, 3, 2)), np.full((5, 3, 2), 7.0)
    with pytest.raises(ValueError, match=next(iter(wrong))):
        bb.trsm(a, b, out=out, **wrong)
    assert (out == 7).all()


OTHERWISE = {
    **dict.fromkeys((op for op in OPS if "ipiv" in PARAMETERS.get(op, ())), "is in test_lu"),
    **dict.fromkeys((op for op in OPS if "tau" in PARAMETERS.get(op, ())), "is in test_qr"),
    **dict.fromkeys((op for op in OPS if "s" in PARAMETERS.get(op, ())), "is in test_svd"),
    **dict.fromkeys((op for op in OPS if "w" in PARAMETERS.get(op, ())), "is in test_eigen"),
    "gemm": "makes its output itself; its refusals are in unit/test_errors",
    **dict.fromkeys((op for op in PARAMETERS if OPS[op].reduces), "gives back numbers; refusals are above"),
}
FUNCTIONS = {op: "".join(user_names(OPS[op]).values()) for op in PARAMETERS if op not in OTHERWISE}
"""Functions and the names of their operands, the last of which is changed."""


def operands(op, batch=5, dtype="float64"):
    return {n: np.ones((batch, 3, 3)[: 2 if n in "xy" else 3], dtype) for n in FUNCTIONS[op]}


def call(op, given, **named):
    return getattr(bb, op)(*given.values(), **dict.fromkeys(DOCUMENTED[op].required, 2.0) | named)


def overlapping(given, *names):
    """Two operands that share memory."""
    if "a" not in names or not {"x", "y"} & set(names):
        return dict.fromkeys(names, given[names[0]])
    return {name: given["a"] if name == "a" else given["a"][:, 1] for name in names}


@pytest.mark.parametrize("op", FUNCTIONS)
def test_refusals_name_the_argument(op):
    given = operands(op)
    changed = FUNCTIONS[op][-1]
    before = {name: x.copy() for name, x in given.items()}
    with pytest.raises(ValueError, match=f"^{changed} is read-only"):
        call(op, given | {changed: np.broadcast_to(1.0, given[changed].shape)})
    with pytest.raises(TypeError, match="expected one of float32, float64"):
        call(op, {name: x.astype(int) for name, x in given.items()})
    with pytest.raises(TypeError, match=rf"^{FUNCTIONS[op][0]} is a (str|int)"):
        call(op, given | {FUNCTIONS[op][0]: 3})
    for flag in OPS[op].flags:
        for bad in ("X", "", 3):
            with pytest.raises(ValueError, match=rf"^{flag} = {bad!r} is not"):
                call(op, given, **{flag: bad})
    for name in FUNCTIONS[op][:-1]:
        with pytest.raises(ValueError, match=f"^{changed} overlaps {name}|^{name} overlaps"):
            call(op, given | overlapping(given, name, changed))
        with pytest.raises(ValueError, match="is a batch of"):
            call(op, given | {name: given[name][:4]})
    assert all(np.array_equal(given[name], x) for name, x in before.items())


@pytest.mark.parametrize("op", ["syr2k", "trsm", "scal"])
def test_numbers_that_are_refused(op):
    given = operands(op)
    with pytest.raises(ValueError, match="num_threads = -1"):
        call(op, given, num_threads=-1)
    for name in OPS[op].scalars:
        with pytest.raises(ValueError, match=f"^{name} = nan"):
            call(op, given, **{name: NAN})
        with pytest.raises(TypeError, match=f"^{name} = 1j: expected a real number"):
            call(op, given, **{name: 1j})
    assert all((x == 1).all() for x in given.values())


@pytest.mark.parametrize("op", ["herk", "her2k"])
def test_real_scalars_are_real_for_complex_operands_too(op):
    given = operands(op, dtype="complex128")
    for name in OPS[op].real_scalars:
        with pytest.raises(TypeError, match=f"{name} = 1j: expected a real number"):
            call(op, given, **{name: 1j})


def test_lists_of_flags_have_one_for_each_matrix():
    for op in (bb.potrf, partial(bb.plan, "potrf")):
        with pytest.raises(ValueError, match="uplo has 1 values but a is a batch of 5: expected one, or one for each"):
            op(np.ones((5, 3, 3)), uplo=["L"])
        with pytest.raises(ValueError, match=r"uplo = \[\] is not a letter of uplo"):
            op(np.ones((5, 3, 3)), uplo=[])


def test_shapes_that_do_not_fit():
    a, b = np.ones((5, 3, 3)), np.ones((5, 4, 2))
    for op in (bb.trsm, bb.trmm, bb.posv, bb.potrs):
        with pytest.raises(ValueError, match="b has 4 rows but a has 3"):
            op(a, b)
    with pytest.raises(ValueError, match="a has 2 columns but a has 4 rows"):
        bb.potrf(b)
    with pytest.raises(ValueError, match=r"x has shape \(5, 3, 3\): expected vectors"):
        bb.gemv(a, a, np.ones((5, 3)))
    with pytest.raises(ValueError, match="y has 2 rows"):
        bb.gemv(a, np.ones((5, 3)), np.ones((5, 2)))
    with pytest.raises(ValueError, match="expected one block size"):
        bb.trsm(bb.interleave(a), bb.interleave(a, nb=4))


def test_what_is_no_vector_is_told_of_vectors():
    a, x = np.eye(3), np.ones(3)
    wanted = r"expected vectors, an array \(batch, n\), or \(n,\) for one"
    for dot, nrm2 in ((bb.dot, bb.nrm2), (partial(bb.plan, "dot"), partial(bb.plan, "nrm2"))):
        with pytest.raises(TypeError, match=f"^x is a float: {wanted}"):
            dot(3.0, x)
        with pytest.raises(ValueError, match=rf"^y has shape \(\): {wanted}"):
            dot(x, np.array(3.0))
        with pytest.raises(TypeError, match=r"^x\[0\] is a float: expected a 1-D array$"):
            nrm2([1.0, 2.0])
    with pytest.raises(ValueError, match=r"^b has shape \(3,\): .* all of one problem, such as b\[:, None\]$"):
        bb.trsm(a, x)


@pytest.mark.parametrize("transa", ["C", "R"])
@pytest.mark.parametrize("side", ["L", "R"])
def test_products_with_a_conjugate_unit_triangle(side, transa, rng):
    """Four choices at once, which pairs of choices may miss: complex, conjugate, a unit diagonal, no lanes."""
    a, b = random(rng, (3, 9, 9), "complex128"), random(rng, (3, 9, 9), "complex128")
    full = np.tril(a, -1) + np.eye(9)
    op = full.conj() if transa == "R" else full.conj().swapaxes(1, 2)
    expected = op @ b if side == "L" else b @ op
    found = bb.trmm(a, b.copy(), side=side, uplo="L", transa=transa, diag="U")
    np.testing.assert_allclose(found.astype("complex128"), expected.astype("complex128"), rtol=1e-13, atol=1e-13)
