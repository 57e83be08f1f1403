"""LU in groups and variable batches of a C library: pivots by pointers, wherever they lie."""

from __future__ import annotations

import numpy as np
import pytest
from support.library import loaded

from bblas_gen.ir.terms import Trans

ORDERS = {"C": 101, "F": 102}
TRANS = {Trans.N: 111, Trans.T: 112}


def each(ctype, numbers):
    return loaded()[0].new(f"{ctype}[]", [int(x) for x in numbers])


def at(arrays, ctype="double"):
    ffi = loaded()[0]
    return ffi.new(f"{ctype} *[]", [ffi.cast(f"{ctype} *", x.ctypes.data) for x in arrays])


def pivots_of(lengths, where):
    """Room for the pivots of each matrix: one after another, from the last on, or each for itself."""
    if where == "apart":
        return [np.full(n + 1, -7, np.int32)[:n] for n in lengths]
    order = range(len(lengths)) if where == "together" else reversed(range(len(lengths)))
    memory, begin, found = np.full(sum(lengths), -7, np.int32), 0, {}
    for i in order:
        found[i] = memory[begin : begin + lengths[i]]
        begin += lengths[i]
    return [found[i] for i in range(len(lengths))]


def swapped(a, pivots):
    """P' A of the exchanges of getrf."""
    a = a.copy()
    for i, other in enumerate(pivots):
        a[[i, other - 1]] = a[[other - 1, i]]
    return a


def check_factors(a, lu, pivots):
    k = min(a.shape)
    lower, upper = np.tril(lu[:, :k], -1) + np.eye(len(a), k), np.triu(lu[:k])
    assert np.allclose(lower @ upper, swapped(a, pivots), rtol=1e-12, atol=1e-12)


def matrices(rng, shapes, order):
    return [np.asarray(rng.standard_normal(shape), order=order) for shape in shapes]


def ld(x, order):
    return max(1, x.shape[1 if order == "C" else 0])


@pytest.mark.parametrize("where", ["together", "backwards", "apart"])
@pytest.mark.parametrize("order", ORDERS)
def test_each_matrix_its_own_size(order, where):
    """Factored and solved; every seventh is singular, which is said of it alone."""
    rng, lib, count = np.random.default_rng(7), loaded()[1], 150
    shapes = rng.integers(0, 4, count)
    a = matrices(rng, [(n, n) for n in shapes], order)
    for x in a[::7]:
        x[:, -1:] = 0
    lu, pivots, info = [x.copy(order) for x in a], pivots_of([*shapes], where), np.full(count, -7, np.int32)
    n, lda = each("int64_t", shapes), each("int64_t", [ld(x, order) for x in a])
    told = loaded()[0].cast("int32_t *", info.ctypes.data)
    assert lib.tt_dgetrf_variable(ORDERS[order], n, n, at(lu), lda, at(pivots, "int32_t"), told, count, 1) == 0
    assert info.tolist() == [m if i % 7 == 0 else 0 for i, m in enumerate(shapes)]
    for given, x, p in zip(a, lu, pivots, strict=True):
        check_factors(given, x, p)
    good, trans = np.flatnonzero(info == 0), rng.choice([*TRANS], count)
    x = matrices(rng, [(shapes[i], 2) for i in good], order)
    b = [np.asarray((a[i].T if trans[i] == "T" else a[i]) @ y, order=order) for i, y in zip(good, x, strict=True)]
    sizes = [each("int64_t", numbers) for numbers in (shapes[good], [2] * len(good))]
    letters, ldb = each("int", [TRANS[trans[i]] for i in good]), each("int64_t", [ld(y, order) for y in b])
    factors = [at([lu[i] for i in good]), each("int64_t", [ld(a[i], order) for i in good])]
    rest = [at([pivots[i] for i in good], "int32_t"), at(b), ldb, len(good), 1]
    assert lib.tt_dgetrs_variable(ORDERS[order], letters, *sizes, *factors, *rest) == 0
    assert all(np.allclose(y, z, rtol=1e-9, atol=1e-9) for y, z in zip(x, b, strict=True))


@pytest.mark.parametrize("group_sizes", [[2100], [2100, 0, 3]])
def test_groups_have_the_same_bits_wherever_pivots_lie(group_sizes):
    """More pivots than are copied at a time, in one group and beside others; two threads."""
    rng, lib, total = np.random.default_rng(3), loaded()[1], sum(group_sizes)
    found = []
    a = matrices(rng, [(3, 2)] * total, "F")
    for where in ("together", "backwards", "apart"):
        lu, pivots, info = [x.copy("F") for x in a], pivots_of([2] * total, where), np.full(total, -7, np.int32)
        m, n = (each("int64_t", [x] * len(group_sizes)) for x in (3, 2))
        told = loaded()[0].cast("int32_t *", info.ctypes.data)
        counts = [len(group_sizes), each("int64_t", group_sizes), 2]
        assert lib.tt_dgetrf_group(102, m, n, at(lu), m, at(pivots, "int32_t"), told, *counts) == 0
        assert not info.any()
        found.append(b"".join(x.tobytes() for x in (*lu, *pivots)))
    check_factors(a[-1], lu[-1], pivots[-1])
    check_factors(a[2070], lu[2070], pivots[2070])
    assert found[0] == found[1] == found[2]
