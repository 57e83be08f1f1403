"""Sequences that cannot be, and calls of them that cannot be: every refusal names what is at fault."""

from __future__ import annotations

import numpy as np
import pytest
from support.extended import random

import bblas_gen as bb

pytestmark = pytest.mark.usefixtures("fake_kernels")
NAN = float("nan")
STEPS = [
    (("gem", "A", "B", "C"), {}, "op = 'gem' is not an operation"),
    ((3, "A"), {}, "op = 3 is not an operation"),
    (("gemm", "A", "B"), {}, "gemm on .*: expected 3 operands (A, B, C)"),
    (("potrf", "A", "B"), {}, "expected 1 operands (A)"),
    (("potrf", "a"), {}, "operand 'a' is not a name"),
    (("potrf", "A_b"), {}, "operand 'A_b' is not a name"),
    (("potrf", "BBx"), {}, "operand 'BBx' is not a name"),
    (("potrf", "A" * 17), {}, "operand 'A+' is not a name"),
    (("potrf", 3), {}, "operand 3 is not a name"),
    (("trsm", "A", "B"), {"uplo": "X"}, "uplo = 'X' is not a letter of uplo: expected one of L, U"),
    (("trsm", "A", "B"), {"trans": "T"}, "unknown argument 'trans' for trsm: expected side, uplo, transa, diag, alpha"),
    (("potrf", "A"), {"alpha": 1}, "unknown argument 'alpha' for potrf: expected uplo"),
    (("trsm", "A", "B"), {"alpha": "Big"}, "alpha = 'Big' is not a name"),
    (("trsm", "A", "B"), {"alpha": "check"}, "alpha = 'check' is not a name"),
    (("trsm", "A", "B"), {"alpha": "a_b"}, "alpha = 'a_b' is not a name"),
    (("trsm", "A", "B"), {"alpha": NAN}, "alpha = nan: expected a finite number"),
    (("trsm", "A", "B"), {"alpha": 10**400}, "alpha = 10+...0+: expected a finite number"),
    (("trsm", "A", "B"), {"alpha": [1]}, "alpha = [1]: expected a number"),
]


@pytest.mark.parametrize(("arguments", "settings", "text"), STEPS, ids=[text for _, _, text in STEPS])
def test_bad_steps(arguments, settings, text):
    pattern = "".join(f"\\{x}" if x in "()[]" else x for x in text)
    with pytest.raises(bb.SpecError, match=pattern):
        bb.step(*arguments, **settings)


STEP, LAST = bb.step("gemm", "A", "B", "C"), bb.step("gemm", "C", "B", "D")
TRIANGLE, UPPER = bb.step("syrk", "A", "T"), bb.step("symm", "T", "B", "C", uplo="U")
WHOLE = bb.step("gemm", "T", "B", "C")
SEQUENCES = [
    ([], {}, "expected one or more of bblas_gen.step"),
    ([("gemm", "A", "B", "C")], {}, "expected one or more of bblas_gen.step"),
    ([STEP], {"name": "gemm"}, "name = 'gemm'"),
    ([STEP], {"name": "Big"}, "name = 'Big'"),
    ([STEP], {"name": ""}, "name = ''"),
    ([STEP], {"scratch": "D"}, "scratch names 'D': expected operands of the steps, "),
    ([STEP], {"scratch": ["A"]}, "scratch operand A is read before it is written"),
    (
        [bb.step("gemm", "A", "B", "C", beta=1), LAST],
        {"scratch": "C"},
        "scratch operand C is read before it is written",
    ),
    ([bb.step("gemm", "A", "B", "C", beta="decay"), LAST], {"scratch": "C"}, "C is read before it is written"),
    ([TRIANGLE, bb.step("gemm", "T", "A", "C")], {"scratch": "T"}, "T is read before its upper triangle is written"),
    ([TRIANGLE, UPPER], {"scratch": "T"}, "T is read before its upper triangle is written"),
    ([TRIANGLE, bb.step("posv", "T", "B", uplo="U")], {"scratch": "T"}, "T is read before its upper triangle"),
    ([TRIANGLE, bb.step("syrk", "B", "T", uplo="U", beta=1), UPPER], {"scratch": "T"}, "T is read before its upper"),
    ([bb.step("adddiag", "T"), bb.step("syrk", "T", "C")], {"scratch": "T"}, "T is read before it is written"),
    ([bb.step("trtri", "T", diag="U"), UPPER], {"scratch": "T"}, "T is read before it is written"),
    ([STEP], {"scratch": "C"}, "scratch names C, the result of the sequence"),
    ([STEP, bb.step("checkdiag", "A")], {}, "the last step is checkdiag, which only reports"),
    ([STEP, bb.step("gemm", "a".upper(), "Ab", "AB")], {}, "names .* collide"),
]


@pytest.mark.parametrize(("steps", "settings", "text"), SEQUENCES, ids=[text for _, _, text in SEQUENCES])
def test_bad_sequences(steps, settings, text):
    with pytest.raises(bb.SpecError, match=text):
        bb.sequence(steps, **settings)


def test_triangles_of_intermediates_that_have_been_written():
    """In parts or at once, by one step or by two."""
    for more in ([], [bb.step("syrk", "A", "T", uplo="U"), UPPER], [bb.step("syrk", "A", "T", uplo="U"), WHOLE]):
        bb.sequence([TRIANGLE, bb.step("symm", "T", "B", "C"), *more], scratch="T")
    bb.sequence([TRIANGLE, bb.step("adddiag", "T"), bb.step("symm", "T", "B", "C")], scratch="T")
    bb.sequence([bb.step("lacpy", "A", "T"), bb.step("trtri", "T", diag="U"), UPPER, WHOLE], scratch="T")


def test_an_output_that_the_same_step_reads():
    for step in (("gemm", "A", "B", "A"), ("trsm", "A", "A"), ("syrk", "A", "A"), ("symm", "A", "A", "A")):
        with pytest.raises(bb.SpecError, match="A"):
            bb.sequence([bb.step(*step)])


@pytest.mark.parametrize(
    ("step", "scalars", "dtype"),
    [
        (("gemm", "A", "A", "C"), {"alpha": 1j}, "float64"),
        (("herk", "A", "C"), {"alpha": 1j}, "complex128"),
        (("her2k", "A", "A", "C"), {"beta": 1j}, "complex128"),
        (("herk", "A", "C"), {"alpha": "weight"}, "complex128"),
    ],
    ids=["real dtype", "real alpha", "real beta", "real by name"],
)
def test_complex_numbers_where_only_real_ones_are_possible(step, scalars, dtype):
    a = np.ones((4, 2, 2), dtype)
    named = {"weight": 1j} if "weight" in scalars.values() else {}
    with pytest.raises((TypeError, ValueError), match="real"):
        bb.sequence([bb.step(*step, **scalars)])(A=a, C=np.zeros_like(a), **named)


def test_bad_calls(rng):
    product = bb.sequence([bb.step("gemm", "A", "B", "C", alpha="weight")], name="product")
    a, b = random(rng, (5, 3, 4), "float64"), random(rng, (5, 4, 2), "float64")
    for named, error, text in (
        ({"A": a, "B": b, "weight": 1, "D": a}, TypeError, "product: D is not known: expected A, B, C, weight"),
        ({"A": a, "B": b}, TypeError, "product: weight is missing"),
        ({"A": a, "B": a, "weight": 1}, ValueError, "B has 3 rows but A has 4 columns"),
        ({"A": a, "B": b[:4], "weight": 1}, ValueError, "B is a batch of 4 but A is one of 5"),
        ({"A": a, "B": b.astype("f4"), "weight": 1}, TypeError, "B has dtype float32 but A has float64"),
        ({"A": a, "B": b, "C": np.zeros((5, 2, 3)), "weight": 1}, ValueError, "C has 2 rows but A has 3"),
        ({"A": a[0], "B": a[0], "weight": 1}, ValueError, "B has 3 rows but A has 4 columns"),
        ({"A": a, "B": b, "weight": "x"}, TypeError, "weight = 'x'"),
        ({"A": a, "B": b, "weight": 1j}, TypeError, "weight = 1j: expected a real number"),
        ({"A": a, "B": b, "weight": NAN}, ValueError, "weight = nan"),
        ({"A": a, "B": b, "weight": 1, "num_threads": 0}, ValueError, "num_threads = 0"),
        ({"A": a, "B": 3, "weight": 1}, TypeError, "B is a int"),
        ({"A": a, "B": b, "C": a[:, :, :2], "weight": 1}, ValueError, "C overlaps A"),
    ):
        with pytest.raises(error, match=text):
            product(**named)


def test_one_matrix_alone():
    square = bb.sequence([bb.step("gemm", "A", "A", "C")])
    assert square(A=np.eye(3)).shape == (3, 3)


def test_constants_that_a_precision_does_not_have():
    scaled = bb.sequence([bb.step("gemm", "A", "A", "C", alpha=1e300)])
    with pytest.raises(bb.SpecError, match=r"alpha = 1e\+300 of gemm is too large: the operands are float32"):
        scaled(A=np.ones((5, 3, 3), "f4"))
    scaled(A=np.ones((5, 3, 3)))


@pytest.mark.parametrize("missing", ["A", "B", "AB"])
def test_operands_that_are_missing_are_named(missing):
    product = bb.sequence([bb.step("gemm", "A", "B", "C")], name="product")
    with pytest.raises(TypeError, match=f"product: {missing[0]} is missing"):
        product(**{name: np.ones((5, 3, 3)) for name in "AB" if name not in missing})
