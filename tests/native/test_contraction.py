"""Which products are fused with sums is decided by the source: see support/contraction."""

from __future__ import annotations

import itertools
import platform

import pytest
from support.cases import dtypes
from support.contraction import rounded
from support.machine_code import WIDTHS, known
from support.sources import source

from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.toolchain.compilers import find_cc

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="the instruction sets are those of x86-64")
EXACT = {
    "logdet": "one factor of the sum is 1, or what the sum then is",
    "geslogdet": "the other summand is 0, or what the sum then is",
}
"""Operations where it is the same whether products are fused."""
MULTIPLE = "BB_TIMES_REAL(x, scale);"
"""A product with a power of two, which is exact."""
OFTEN = [("geqrf", "float64", 5, "x86-64-v3"), ("gesvdvals", "float64", 5, "x86-64-v3")]


def tried():
    for op, row in OPS.items():
        for dtype, n, isa in itertools.product(("float64", "complex128"), (5, None), ("x86-64-v3", "x86-64-v4")):
            if dtype in dtypes(row) and op not in EXACT and not (n is None and row.steps):
                rare = (op, dtype, n, isa) not in OFTEN
                yield pytest.param(op, dtype, n, isa, marks=[pytest.mark.thorough] if rare else [])


def check(symbol, isa, folder):
    if find_cc().family != "gcc" or not known(isa):
        pytest.skip("needs a gcc that knows the instruction set")
    assert not [pair for pair in rounded(source(symbol, WIDTHS[isa]).text, isa, folder) if pair[0] != MULTIPLE]


@pytest.mark.parametrize(("op", "dtype", "n", "isa"), list(tried()))
def test_no_sum_takes_a_product_that_the_compiler_rounded(op, dtype, n, isa, tmp_path):
    check(KernelSpec.make(op, dtype, "st", **dict.fromkeys(OPS[op].sizes, n)).symbol(), isa, tmp_path)


def test_squares_of_a_norm_are_not_shared_with_those_of_a_reflection(tmp_path):
    """Which are in another branch: of a single column a compiler knows them from before."""
    check("bb_cgeqp3_bistbi_m11n1", "x86-64-v3", tmp_path)


@pytest.mark.parametrize("source_rounds", [False, True])
def test_the_scan_sees_one(source_rounds, tmp_path):
    if find_cc().family != "gcc" or not known("x86-64-v3"):
        pytest.skip("needs a gcc that knows the instruction set")
    text = f"""
typedef double bb_vec __attribute__((vector_size(32)));
bb_vec kernel(const bb_vec *x, long n)
{{
    const bb_vec product = {"(bb_vec){0} + " if source_rounds else ""}x[0] * x[1];
    bb_vec sum = x[2];
    for (long i = 0; i < n; i++)
        sum += product;
    return sum;
}}
"""
    seen = {("const bb_vec product = x[0] * x[1];", "sum += product;")}
    assert rounded(text, "x86-64-v3", tmp_path) == (set() if source_rounds else seen)
