"""Sequences: what they compute, what they leave alone where a matrix fails, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest
from support.extended import adjoint, positive, random, stored
from support.kernels import lanes
from support.layouts import as_layout, values

import bblas_gen as bb

NAN = float("nan")
LAYOUTS = ["st", "pp", "bi", "il", "bi3"]
BATCH = 19


def schur():
    """C - B* A^-1 B."""
    return bb.sequence(
        [
            bb.step("potrf", "A"),
            bb.step("trsm", "A", "B"),
            bb.step("herk", "B", "C", trans="C", alpha=-1, beta=1),
        ],
        name="schur",
    )


def given(layout, **arrays):
    return {name: as_layout(x, layout) for name, x in arrays.items()}


def bits(x):
    return np.ascontiguousarray(x).tobytes()


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-11)


def schur_operands(rng, dtype="float64", batch=BATCH):
    c = positive(rng, batch, 3, dtype)
    c = np.where(stored((3, 3), "L"), c, NAN)  # the other triangle is not read
    return {"A": positive(rng, batch, 4, dtype), "B": random(rng, (batch, 4, 3), dtype), "C": c}


@pytest.mark.parametrize(
    ("layout", "dtype"), [*[(x, "float64") for x in LAYOUTS], ("bi", "complex128"), ("st", "complex128")]
)
def test_schur_complements(layout, dtype, rng):
    before = schur_operands(rng, dtype)
    operands = given(layout, **before)
    assert schur()(**operands) is operands["C"]
    expected = before["C"] - adjoint(before["B"]) @ np.linalg.solve(before["A"], before["B"])
    mask = stored((3, 3), "L")
    found = values(operands["C"])
    close(found[:, mask], expected[:, mask])
    assert np.isnan(found[:, ~mask]).all()
    close(np.tril(values(operands["A"])), np.linalg.cholesky(before["A"]))


@pytest.mark.parametrize("layout", ["st", "bi"])
def test_fused_is_unfused_to_rounding(layout, rng):
    before = schur_operands(rng)
    fused, apart = given(layout, **before), given(layout, **before)
    schur()(**fused)
    bb.potrf(apart["A"])
    bb.trsm(apart["A"], apart["B"])
    bb.herk(apart["B"], apart["C"], trans="C", alpha=-1, beta=1)
    for name in before:
        np.testing.assert_allclose(values(fused[name]), values(apart[name]), rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_normal_equations_by_way_of_an_intermediate(layout, rng):
    a, b = random(rng, (BATCH, 6, 3), "float64"), random(rng, (BATCH, 6, 2), "float64")
    normal = bb.sequence(
        [
            bb.step("syrk", "A", "G", trans="T"),
            bb.step("gemm", "A", "B", "X", transa="T"),
            bb.step("posv", "G", "X"),
        ],
        name="normal",
        scratch="G",
    )
    assert normal.operands == {"A": "in", "B": "in", "X": "out"}
    operands = given(layout, A=a, B=b)
    x = normal(**operands)
    expected = np.linalg.pinv(a) @ b
    close(values(x), expected)
    assert type(x) is type(operands["A"])
    assert values(operands["A"]).tobytes() == a.tobytes()
    out = as_layout(np.full((BATCH, 3, 2), NAN), layout)
    assert normal(X=out, **operands) is out
    assert bits(values(out)) == bits(values(x))


@pytest.mark.parametrize("layout", ["st", "bi", "il"])
def test_kalman_updates(layout, rng):
    """K = P H' (H P H' + R)^-1, x + K y and P - K H P, all in one kernel: two results and four intermediates."""
    n, m = 4, 2
    p, r = positive(rng, BATCH, n, "float64"), positive(rng, BATCH, m, "float64")
    h, x, y = (random(rng, (BATCH, *shape), "float64") for shape in ((m, n), (n, 1), (m, 1)))
    update = bb.sequence(
        [
            bb.step("symm", "P", "H", "W", side="R"),  # W := H P
            bb.step("lacpy", "R", "S"),
            bb.step("gemm", "W", "H", "S", transb="T", beta=1),
            bb.step("potrf", "S"),
            bb.step("trsm", "S", "W"),  # W := L^-1 H P
            bb.step("trsm", "S", "Y"),
            bb.step("gemm", "W", "Y", "X", transa="T", beta=1),
            bb.step("syrk", "W", "P", trans="T", alpha=-1, beta=1),
        ],
        name="kalman",
        scratch=["W", "S"],
    )
    operands = given(layout, P=p, H=h, R=r, X=x, Y=y)
    assert update(**operands) is operands["P"]
    gain = p @ adjoint(h) @ np.linalg.inv(h @ p @ adjoint(h) + r)
    close(values(operands["X"]), x + gain @ y)
    close(np.tril(values(operands["P"])), np.tril(p - gain @ h @ p))


@pytest.mark.parametrize("layout", ["st", "bi"])
def test_steps_that_are_sequences_themselves(layout, rng):
    """The inverse of a Hermitian matrix, and a solution with it: steps within steps, with flags."""
    a, b = positive(rng, BATCH, 4, "complex128"), random(rng, (BATCH, 4, 2), "complex128")
    both = bb.sequence([bb.step("posv", "A", "B", uplo="U"), bb.step("potri", "A", uplo="U")], name="both")
    operands = given(layout, A=a, B=b)
    found, info = both(return_info=True, **operands)
    assert found is operands["A"]
    assert not info.any()
    close(np.triu(values(found)), np.triu(np.linalg.inv(a)))
    close(values(operands["B"]), np.linalg.solve(a, b))


@pytest.mark.parametrize("layout", ["st", "bi"])
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_scalars_by_name_and_constants(dtype, layout, rng):
    a, b, c = (random(rng, (BATCH, 3, 3), dtype) for _ in range(3))
    constant = -0.5 if dtype == "float64" else -0.5 + 0.1j
    mixed = bb.sequence(
        [
            bb.step("gemm", "A", "B", "C", alpha="weight", beta="decay"),
            bb.step("gemm", "B", "C", "D", alpha=constant),
            bb.step("trmm", "A", "D", alpha="weight"),
        ],
        name="mixed",
    )
    assert mixed.operands == {"A": "in", "B": "in", "C": "inout", "D": "out"}
    numbers = [(0, 0), (1, 0), (1, 1), (0.3, -1.7)] + ([(0.3 + 1j, 2j)] if dtype == "complex128" else [])
    for weight, decay in numbers:
        operands = given(layout, A=a, B=b, C=c)
        found = mixed(weight=weight, decay=decay, **operands)
        first = weight * a @ b + decay * c
        close(values(operands["C"]), first)
        close(values(found), weight * np.tril(a) @ (constant * b @ first))


@pytest.mark.parametrize(("layout", "dtype"), [("st", "float64"), ("bi", "complex128")])
def test_what_stands_between_products_and_factorizations(layout, dtype, rng):
    """A + shift I of a triangle alone, its determinant and a multiple of a sum solved with it."""
    ridge = bb.sequence(
        [
            bb.step("herk", "A", "G", trans="C"),
            bb.step("adddiag", "G", alpha="shift"),
            bb.step("potrf", "G"),
            bb.step("logdet", "G", "D"),
            bb.step("lacpy", "B", "X"),
            bb.step("geadd", "C", "X", transa="C", alpha=2, beta=-1),
            bb.step("lascl", "X", alpha="weight"),
            bb.step("potrs", "G", "X"),
        ],
        name="ridge",
        scratch="G",
    )
    a, b, c = (random(rng, (BATCH, *shape), dtype) for shape in ((6, 3), (3, 2), (2, 3)))
    for shift, weight in ((1, 1), (0, 0), (0.5, -3)):
        d = as_layout(np.full((BATCH, 1, 1), NAN, dtype), layout)
        x = values(ridge(D=d, shift=shift, weight=weight, **given(layout, A=a, B=b, C=c)))
        shifted = adjoint(a) @ a + shift * np.eye(3)
        close(x, np.linalg.solve(shifted, weight * (2 * adjoint(c) - b)))
        close(values(d)[:, 0, 0], np.linalg.slogdet(shifted)[1])
    d = as_layout(np.full((BATCH, 1, 1), 7, dtype), layout)
    ridge(D=d, shift=-1e9, weight=1, check="ignore", **given(layout, A=a, B=b, C=c))
    assert (values(d) == 7).all()


def test_exact_constants(rng):
    """A number arrives in the kernel as it is, not as its first digits."""
    x = random(rng, (BATCH, 3, 1), "float64")
    for value in (0.1, 1 / 3, 1e-300, 123456789.123456789):
        found = x.copy()
        bb.sequence([bb.step("scal", "X", alpha=value)], name="times")(X=found)
        assert bits(found) == bits(x * value)


def test_one_matrix_for_all_and_an_operand_in_two_places(rng):
    a, b = random(rng, (3, 3), "float64"), random(rng, (BATCH, 3, 3), "float64")
    square = bb.sequence([bb.step("gemm", "A", "A", "S"), bb.step("gemm", "S", "B", "C")], name="square", scratch="S")
    close(square(A=a, B=b), a @ a @ b)


def test_empty_sizes_and_batches():
    for batch, n, m in ((0, 4, 3), (5, 4, 0), (5, 0, 3)):
        c = np.ones((batch, m, m))
        a = np.zeros((batch, n, n)) + np.eye(n)
        _, info = schur()(A=a, B=np.zeros((batch, n, m)), C=c, return_info=True)
        assert info.shape == (batch,)
        assert not info.any()
        assert (c == 1).all()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_failing_matrix_keeps_what_later_steps_write_and_disturbs_no_other(layout, rng):
    before = schur_operands(rng)
    clean = given(layout, **before)
    schur()(**clean)
    for lane in range(BATCH):
        j = lane % 4
        bad = {name: x.copy() for name, x in before.items()}
        bad["A"][lane, j, j] = -1
        after = given(layout, **bad)
        _, info = schur()(return_info=True, **after)
        assert info[lane] == j + 1
        assert np.count_nonzero(info) == 1
        others = np.arange(BATCH) != lane
        for name in before:
            assert bits(values(after[name])[others]) == bits(values(clean[name])[others])
        for name in "BC":
            assert bits(values(after[name])[lane]) == bits(bad[name][lane])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_failing_matrix_keeps_a_result_that_is_only_written(layout, rng):
    a, b = positive(rng, BATCH, 4, "float64"), random(rng, (BATCH, 4, 4), "float64")
    a[[5, 18], 2, 2] = -1
    product = bb.sequence([bb.step("potrf", "A"), bb.step("gemm", "A", "B", "C")], name="product")
    operands = given(layout, A=a, B=b, C=np.full((BATCH, 4, 4), 7.0))
    _, info = product(return_info=True, **operands)
    assert np.flatnonzero(info).tolist() == [5, 18]
    found = values(operands["C"])
    assert (found[[5, 18]] == 7).all()
    assert (found[info == 0] != 7).all()


@pytest.mark.parametrize("layout", ["st", "bi", "bi3"])
def test_two_steps_that_report(layout, rng):
    """The first report stands; what the second finds keeps only what comes behind it."""
    a, d = positive(rng, BATCH, 3, "float64"), np.tril(random(rng, (BATCH, 4, 4), "float64")) + 3 * np.eye(4)
    b, c = random(rng, (BATCH, 3, 4), "float64"), random(rng, (BATCH, 3, 4), "float64")
    two = bb.sequence(
        [
            bb.step("potrf", "A"),
            bb.step("trsm", "A", "B"),
            bb.step("trtri", "D"),
            bb.step("gemm", "B", "D", "C", beta=1),
        ],
        name="two",
    )
    a[[2, 7], 1, 1], d[[7, 11], 3, 3], d[18, 0, 0] = -1, 0, 0
    before = {"A": a, "B": b, "D": d, "C": c}
    operands = given(layout, **before)
    _, info = two(return_info=True, **operands)
    assert {i: info[i] for i in np.flatnonzero(info)} == {2: 2, 7: 2, 11: 4, 18: 1}
    after = {name: values(x) for name, x in operands.items()}
    for name, kept in (("B", [2, 7]), ("D", [2, 7, 11, 18]), ("C", [2, 7, 11, 18])):
        assert bits(after[name][kept]) == bits(before[name][kept]), name
    fine = np.setdiff1d(np.arange(BATCH), [2, 7])
    solved = np.linalg.solve(np.linalg.cholesky(a[fine]), b[fine])
    close(after["B"][fine], solved)
    fine = info == 0
    close(after["C"][fine], c[fine] + np.linalg.solve(np.linalg.cholesky(a[fine]), b[fine]) @ np.linalg.inv(d[fine]))


def test_checks(rng):
    before = schur_operands(rng)
    before["A"][4, 0, 0] = NAN
    with pytest.raises(np.linalg.LinAlgError, match=r"schur: 1 of 19 matrices .*: 4 \(info = 1\)"):
        schur()(**given("st", **before))
    operands = given("st", **before)
    schur()(**operands, check="nan")
    assert np.isnan(operands["B"][4]).all()
    assert np.isnan(np.tril(operands["C"][4])[2]).all()
    assert np.isfinite(np.delete(operands["B"], 4, 0)).all()
    assert schur()(**given("st", **before), check="ignore") is not None
    with pytest.raises(ValueError, match="check = 'no'"):
        schur()(**given("st", **before), check="no")
    with pytest.raises(np.linalg.LinAlgError, match="singular"):
        bb.sequence([bb.step("trtri", "A")])(A=np.zeros((3, 2, 2)))


@pytest.mark.parametrize("layout", ["st", "bi"])
def test_plans(layout, rng):
    before = schur_operands(rng)
    operands = given(layout, **before)
    k = bb.plan(schur(), **operands)
    assert k() is operands["C"]
    assert not k.info.any()
    assert "schur" in repr(k)
    direct = given(layout, **before)
    schur()(**direct)
    assert bits(values(operands["C"])) == bits(values(direct["C"]))
    a = values(direct["A"])  # the factor is no input: A is not the matrix any more
    assert not np.allclose(np.tril(a), np.tril(before["A"]))
    with pytest.raises(TypeError, match="C is missing"):
        bb.plan(schur(), A=operands["A"], B=operands["B"])
    with pytest.raises(TypeError, match="'transa'"):
        bb.plan(schur(), **operands, transa="T")


def test_plans_with_scalars_by_name(rng):
    a, c = random(rng, (BATCH, 3, 3), "float64"), np.zeros((BATCH, 3, 3))
    k = bb.plan(bb.sequence([bb.step("gemm", "A", "A", "C", alpha="weight")]), A=a, C=c, weight=2.0)
    close(k(), 2 * a @ a)
    with pytest.raises(TypeError, match="weight"):
        bb.plan(bb.sequence([bb.step("gemm", "A", "A", "C", alpha="weight")]), A=a, C=c)


def test_sequences_are_shown():
    """As the calls that make them, without what is usual."""
    assert repr(schur()).startswith("sequence([step('potrf', 'A'), step('trsm', 'A', 'B'), step(")
    steps = [bb.step("symm", "A", "B", "T", side="R", alpha=0.5 + 1j), bb.step("gemm", "T", "B", "C", beta="weight")]
    text = repr(bb.sequence(steps, name="products", scratch=["T"]))
    assert text == (
        "sequence([step('symm', 'A', 'B', 'T', side='R', alpha=(0.5+1j)), step('gemm', 'T', 'B', 'C', beta='weight')], "
        "name='products', scratch=['T'])"
    )
    assert repr(eval(text, {"sequence": bb.sequence, "step": bb.step})) == text
    assert schur().operands == {"A": "inout", "B": "inout", "C": "inout"}
    assert bb.plan(schur(), *(np.tile(np.eye(3), (lanes("float64"), 1, 1)) for _ in "ABC")).kernel.spec.flops > 0
