"""Vectors in a C library: increments where matrices have leading dimensions, and no memory order."""

from __future__ import annotations

import re

import pytest

from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.terms import PRECISIONS, Layout
from bblas_gen.library.contents import LEVELS, Family
from bblas_gen.library.family import FamilyText
from bblas_gen.library.groups import group_functions
from bblas_gen.library.own import own_functions


@pytest.mark.parametrize(("op", "letter"), [("axpy", "d"), ("dot", "z"), ("gemv", "s")])
def test_vectors_have_increments_and_no_memory_order(op, letter):
    text = FamilyText(Family(OPS[op], PRECISIONS[letter], (Layout.PP, Layout.ST, Layout.BI), ()), LEVELS[:1], "x_")
    for f in (*own_functions(text), *group_functions(text)):
        interleaved = "_bi(" in f.declaration
        assert ("incx" in f.parameters) is not interleaved
        assert not re.search(r"\bld[xyr]\b", f.parameters)
        assert ("layout" in f.parameters) is (op == "gemv" and not interleaved)
