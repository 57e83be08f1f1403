"""Names of users' own scalars in C."""

from __future__ import annotations

import numpy as np
import pytest
from support.layouts import as_layout, values

import bblas_gen as bb


@pytest.mark.parametrize("name", ["int", "double", "lda", "count", "full", "far", "info", "next", "a", "side"])
def test_names_that_mean_something_in_c_or_in_a_kernel_are_names_as_all_others(name):
    """`count` once was taken for the lanes of a vector."""
    a = np.ones((4, 2, 2))
    scaled = bb.sequence([bb.step("gemm", "A", "A", "C", alpha=name)], name="named")
    assert scaled.scalars == (name,)
    for layout in ("st", "bi"):
        assert (values(scaled(A=as_layout(a, layout), **{name: 3.0})) == 6).all()
