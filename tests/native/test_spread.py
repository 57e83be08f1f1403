"""Direct forms beside lane forms: what is NaN in one is NaN in the other."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from support.cases import TRIED, TWINS, Case, complexes, dtypes, letters, prepared, run
from support.covering import covering
from support.kernels import lanes

from bblas_gen.ir.terms import BY_DTYPE

DIRECT = [row for row in TRIED if "direct" in row.algorithms and row.canonical_form]


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(
            row, id=row.name, marks=[pytest.mark.thorough] if row.name in {*TWINS, "symm", "syrk", "syr2k"} else []
        )
        for row in DIRECT
    ],
)
def test_nan_spreads_alike(row):
    """A NaN in an operand makes the same elements NaN in both forms; what is not read makes none."""
    flags = [letters(row, flag) for flag in row.flags]
    cases = []
    some = [dtype for dtype in ("float64", "complex128") if dtype in dtypes(row)]
    for dtype, order, *chosen in covering(5, some, "CF", *flags):
        n = lanes(dtype) // BY_DTYPE[dtype].parts + 2  # the second vector of a column overlaps the first
        sizes, named = dict.fromkeys(row.sizes, n), dict(zip(row.flags, chosen, strict=True))
        cases.append(Case(row.name, dtype, sizes, 2, named, {}, ("st",), (order,), {"form": "direct"}))
    lane = [replace(case, schedule={"form": "lane"}) for case in cases]
    prepared(cases + lane)
    scalars = [(1, 0), (0, 1), (1, 1), (0, 0), (-0.5, 1.5)]
    for (case, other), some in itertools.product(zip(cases, lane, strict=True), scalars):
        numbers = complexes(row, case.dtype, some[: len(row.scalars)])
        check(replace(case, scalars=numbers), replace(other, scalars=numbers))


def check(case, other):
    n = max(case.sizes.values())
    before = case.make()
    for name, x in before.items():
        if name in case.unread():
            x[...] = np.nan
        elif name != "C":
            x[1, n // 2, n // 3] = x[0, n // 3, n - 2] = np.nan
    direct, expected = run(case, before).after, run(other, before).after
    for name in before:
        assert np.array_equal(np.isnan(direct[name]), np.isnan(expected[name])), (case, name)
