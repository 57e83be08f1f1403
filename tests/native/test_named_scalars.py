"""Scalars of a sequence that are given by name: 0 and 1 are what they are anywhere else, in every place of a batch."""

from __future__ import annotations

import numpy as np
import pytest
from support.extended import random
from support.layouts import as_layout, values

import bblas_gen as bb

NAN = float("nan")
BATCH = 19
N = 3
STEPS = {
    "C": ("gemm", "A", "B"),
    "D": ("symm", "A", "B"),
    "E": ("syr2k", "A", "B"),
    "F": ("trmm", "A"),
    "G": ("trsm", "A"),
    "H": ("ger", "X", "Y"),
    "U": ("gemv", "A", "X"),
    "V": ("axpy", "X"),
    "W": ("scal",),
}
"""The step that writes each result, and the operands that it only reads."""
SCALED = ("F", "G", "W")
"""Results of which nothing is left where alpha is zero."""
EACH = bb.sequence(
    [
        bb.step(op, *given, name, alpha="w", **({"beta": "v"} if op in ("gemm", "symm", "syr2k", "gemv") else {}))
        for name, (op, *given) in STEPS.items()
    ],
    name="each",
)
KINDS = [("st", "float64"), ("bi", "float64"), ("il", "float64"), ("st", "complex128"), ("bi", "complex128")]


def operands(make):
    vectors = {"X", "Y", "U", "V", "W"}
    return {name: make(name, (BATCH, N, 1) if name in vectors else (BATCH, N, N)) for name in EACH.operands}


def run(given, layout, **scalars):
    placed = {name: as_layout(x, layout) for name, x in given.items()}
    EACH(**placed, **scalars)
    return {name: values(placed[name]) for name in STEPS}


@pytest.mark.parametrize(("layout", "dtype"), KINDS)
def test_nothing_is_read_of_what_a_zero_multiplies(layout, dtype, rng):
    given = operands(lambda name, shape: np.full(shape, NAN, dtype) if name in "ABXY" else random(rng, shape, dtype))
    found = run(given, layout, w=0, v=1)
    for name in STEPS:
        expected = np.zeros_like(given[name]) if name in SCALED else given[name]
        np.testing.assert_array_equal(found[name], expected, err_msg=name)
    given = operands(lambda name, shape: np.full(shape, NAN if name in "CDEU" else 1, dtype))
    found = run(given, layout, w=1, v=0)
    for name in "CDU":
        assert np.isfinite(found[name]).all()


@pytest.mark.parametrize(("layout", "dtype"), KINDS)
@pytest.mark.parametrize("w", [0, 1, -0.75])
def test_bits_do_not_depend_on_the_place(layout, dtype, w, rng):
    """All matrices of a batch are one, with infinities, and zeros of both signs."""
    special = np.array([1.5, -0.0, 0.0, np.inf, -2.25])

    def one(name, shape):
        x = special[rng.integers(5, size=shape[1:])].astype(dtype)
        if x.dtype.kind == "c":
            x.imag = special[rng.integers(5, size=shape[1:])]
        return np.broadcast_to(x, shape)

    with np.errstate(invalid="ignore"):
        found = run(operands(one), layout, w=w, v=1)
    for name in STEPS:
        parts = found[name].view("float64")
        np.testing.assert_array_equal(parts, np.broadcast_to(parts[:1], parts.shape), err_msg=name)
        signs = np.signbit(parts) & ~np.isnan(parts)
        assert (signs == signs[0]).all(), name


@pytest.mark.parametrize("layout", ["st", "bi"])
def test_a_named_one_is_a_one(layout):
    """Infinite elements times a complex one that were multiplied would be NaN."""
    infinite = np.full((BATCH, N, 1), complex(np.inf, 1))
    given = operands(lambda name, shape: infinite if name in "VWX" else np.zeros(shape, complex))
    found = run(given, layout, w=1, v=1)
    np.testing.assert_array_equal(found["W"], infinite)
    assert not np.isnan(found["V"]).any()
