"""Groups and variable batches of a C library: each matrix its own problem, sorted, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from support.library import loaded
from support.walls import before_a_wall


def each(ctype, numbers):
    return loaded()[0].new(f"{ctype}[]", [int(x) if "int" in ctype else float(x) for x in numbers])


def pointers_to(arrays):
    ffi = loaded()[0]
    return ffi.new("double *[]", [ffi.cast("double *", x.ctypes.data) for x in arrays])


def products(rng, count, top):
    """Operands of products of different sizes, in C order, that is, of the transposed product by columns."""
    sizes = rng.integers(1, top + 1, (count, 3))
    a = [rng.standard_normal((k, m)) for m, n, k in sizes]
    b = [rng.standard_normal((n, k)) for m, n, k in sizes]
    c = [rng.standard_normal((n, m)) for m, n, k in sizes]
    return sizes, a, b, c


@pytest.mark.parametrize("count", [1, 50, 3000])
@pytest.mark.parametrize("threads", [1, 3])
def test_each_matrix_its_own_sizes_and_scalars(count, threads):
    """Also where some do not change for a while, and then are others."""
    rng = np.random.default_rng(count)
    sizes, a, b, c = products(rng, count, 3)
    alpha, beta = rng.integers(0, 3, count) * 0.5, rng.integers(0, 3, count) * 0.5
    alpha[: count // 2] = 1
    alpha[count // 4 : count // 2], beta[: count // 3] = 0.5, 2
    expected = [alpha[i] * b[i] @ a[i] + beta[i] * c[i] for i in range(count)]
    m, n, k = (each("int64_t", sizes[:, i]) for i in range(3))
    plain = each("int", [111] * count)
    lists = (each("double", alpha), pointers_to(a), m, pointers_to(b), k, each("double", beta), pointers_to(c), m)
    assert loaded()[1].tt_dgemm_variable(102, plain, plain, m, n, k, *lists, count, threads) == 0
    assert all(np.allclose(x, y, rtol=1e-13, atol=1e-13) for x, y in zip(c, expected, strict=True))


@pytest.mark.parametrize("step", [1, -1])
def test_matrices_in_order_of_memory_and_against_it(step):
    """One after the other where they follow one another and a kernel has their shape, else sorted: the same bits."""
    rng, (ffi, lib) = np.random.default_rng(5), loaded()
    count, shapes = 300, np.array([(2, 3, 4), (3, 1, 2), (2, 3, 4), (2, 2, 2)])
    shapes = shapes[rng.integers(0, 4, count)]
    sizes = shapes[:, [0, 2, 0]] * shapes[:, [2, 1, 1]]
    values = [rng.standard_normal(sizes[:, i].sum()) for i in range(3)]
    starts = np.vstack([np.zeros(3, int), np.cumsum(sizes, 0)[:-1]])
    expected = values[2].copy()
    for (m, n, k), (a, b, c) in zip(shapes, starts, strict=True):
        product = values[0][a : a + m * k].reshape(m, k) @ values[1][b : b + k * n].reshape(n, k).T
        expected[c : c + m * n] += product.T.ravel()
    m, n, k = (each("int64_t", shapes[::step, i]) for i in range(3))
    a, b, c = (
        ffi.new("double *[]", [ffi.cast("double *", v.ctypes.data + 8 * i) for i in s[::step]])
        for v, s in zip(values, starts.T, strict=True)
    )
    yes, no, ones = each("int", [112] * count), each("int", [111] * count), each("double", np.ones(count))
    assert lib.tt_dgemm_variable(102, yes, no, m, n, k, ones, a, k, b, k, ones, c, m, count, 1) == 0
    assert np.allclose(values[2], expected, rtol=1e-13, atol=1e-13)


def test_groups_of_any_size():
    """Empty ones, single ones, runs of equal ones, large ones; one thread and several; the same bits."""
    rng = np.random.default_rng(0)
    group_sizes = np.array([0, 1, 1, 1, 70, 5, 0, 200, 3, 1, 64, 63, 2])
    m = rng.integers(1, 4, len(group_sizes)) * 0 + [2, 2, 2, 2, 3, 3, 1, 2, 2, 3, 3, 2, 1]
    total = group_sizes.sum()
    rows = np.repeat(m, group_sizes)
    a, b, c = ([rng.standard_normal((x, x)) for x in rows] for _ in range(3))
    found = []
    for threads in (1, 4):
        out = [x.copy() for x in c]
        sizes, ones = each("int64_t", m), each("double", np.ones(len(m)))
        plain = each("int", [111] * len(m))
        lists = (ones, pointers_to(a), sizes, pointers_to(b), sizes, ones, pointers_to(out), sizes)
        counts = each("int64_t", group_sizes)
        lib = loaded()[1]
        assert lib.tt_dgemm_group(102, plain, plain, sizes, sizes, sizes, *lists, len(m), counts, threads) == 0
        found.append(b"".join(x.tobytes() for x in out))
        assert all(np.allclose(out[i], b[i] @ a[i] + c[i]) for i in range(total))
    assert found[0] == found[1]
    counts[3] = -1
    assert lib.tt_dgemm_group(102, plain, plain, sizes, sizes, sizes, *lists, len(m), counts, 1) == -16


GIVEN = {"transa": 111, "transb": 111, "m": 2, "n": 2, "k": 2, "alpha": 1.5, "lda": 3, "ldb": 3, "beta": 0.5, "ldc": 3}
OTHERS = {"transa": 112, "transb": 112, "m": 1, "n": 1, "k": 1, "alpha": -2, "lda": 2, "ldb": 2, "beta": 3, "ldc": 2}
TYPES = {"transa": "int", "transb": "int", "alpha": "double", "beta": "double"}
"""Of a product, in C; other numbers are int64_t."""


def expected_product(memory, v):
    """The memory of C, of which matrices begin with the first element, after a product by columns."""

    def at(name, rows, cols, transposed=False):
        places = [[j * v[f"ld{name}"] + i for j in range(cols)] for i in range(rows)]
        return np.array(places).T if transposed else np.array(places)

    a, b, c = memory
    sides = {111: ("m", "k", "k", "n"), 112: ("k", "m", "n", "k")}
    rows, cols = (v[x] for x in sides[v["transa"]][:2])
    left = a[at("a", rows, cols, v["transa"] == 112)]
    rows, cols = (v[x] for x in sides[v["transb"]][2:])
    right = b[at("b", rows, cols, v["transb"] == 112)]
    found, where = c.copy(), at("c", v["m"], v["n"])
    found[where] = v["alpha"] * left @ right + v["beta"] * c[where]
    return found


@pytest.mark.parametrize("position", [0, 1, 2, 7])
def test_matrices_that_differ_in_one_number_alone(position):
    """Each argument of one matrix among equal ones is looked at."""
    rng = np.random.default_rng(position)
    for name, other in OTHERS.items():
        memory = rng.standard_normal((8, 3, 9))
        lists = [GIVEN | ({name: other} if i == position else {}) for i in range(8)]
        expected = [expected_product(x, v) for x, v in zip(memory, lists, strict=True)]
        x = {key: each(TYPES.get(key, "int64_t"), [v[key] for v in lists]) for key in GIVEN}
        a, b, c = (pointers_to(memory[:, i]) for i in range(3))
        first = [x[key] for key in ("transa", "transb", "m", "n", "k", "alpha")]
        rest = [a, x["lda"], b, x["ldb"], x["beta"], c, x["ldc"], 8, 1]
        assert loaded()[1].tt_dgemm_variable(102, *first, *rest) == 0
        assert np.allclose(memory[:, 2], expected, rtol=1e-13, atol=1e-13), name


@pytest.mark.parametrize("count", [2, 3, 16, 17, 200])
@pytest.mark.parametrize("name", ["alpha", "beta"])
def test_as_many_kinds_as_matrices(name, count):
    """Products of numbers, each with another scalar: kinds that meet in the table in which they are looked up."""
    one, plain, ones = each("int64_t", [1] * count), each("int", [111] * count), each("double", [1] * count)
    a, b, c = (np.full((count, 1), x) for x in (3.0, 1.0, 5.0))
    x = {"alpha": ones, "beta": ones, name: each("double", range(2, count + 2))}
    rest = [pointers_to(a), one, pointers_to(b), one, x["beta"], pointers_to(c), one, count, 1]
    assert loaded()[1].tt_dgemm_variable(102, plain, plain, one, one, one, x["alpha"], *rest) == 0
    factor = np.arange(2, count + 2)
    assert (c[:, 0] == (3 * factor + 5 if name == "alpha" else 3 + 5 * factor)).all()


@pytest.mark.parametrize("count", [2, 9, 30])
def test_lists_are_read_to_their_ends_and_no_further(count):
    """No page follows the last element of each."""
    ffi, lib = loaded()
    a, b, c = (np.full((count, 1), x) for x in (3.0, 2.0, 0.0))
    kept = [before_a_wall(x) for x in (np.full(count, 111, np.int32), np.ones(count, np.int64), np.ones(count))]
    kept += [before_a_wall(np.array([row.ctypes.data for row in x], np.uintp)) for x in (a, b, c)]
    kinds = ("int *", "int64_t *", "double *", "double **", "double **", "double **")
    found = [ffi.cast(kind, x.ctypes.data) for kind, (x, _) in zip(kinds, kept, strict=True)]
    plain, one, ones, *operands = found
    first = [102, plain, plain, one, one, one, ones]
    assert lib.tt_dgemm_variable(*first, operands[0], one, operands[1], one, ones, operands[2], one, count, 1) == 0
    assert (c == 6).all()


def test_each_matrix_reports():
    """A matrix that is not positive definite is named in its place, and its neighbours are factored."""
    rng = np.random.default_rng(1)
    count = 300
    sizes = rng.integers(1, 5, count)
    a = [np.eye(n) * 4 for n in sizes]
    bad = rng.choice(count, 20, replace=False)
    for i in bad:
        a[i][-1, -1] = -1
    info = np.full(count, -7, np.int32)
    n, (ffi, lib) = each("int64_t", sizes), loaded()
    lists = (pointers_to(a), n, ffi.cast("int32_t *", info.ctypes.data))
    assert lib.tt_dpotrf_variable(102, each("int", [122] * count), n, *lists, count, 1) == 0
    assert np.array_equal(info, np.where(np.isin(np.arange(count), bad), sizes, 0))
    assert all((a[i] == 2 * np.eye(sizes[i])).all() for i in set(range(count)) - set(bad))


def test_groups_at_fault_are_refused_before_anything_is_done():
    lib = loaded()[1]
    a, b, c = [np.ones((2, 2))] * 2, [np.ones((2, 2))] * 2, [np.zeros((2, 2)), np.zeros((2, 2))]
    ones, plain = each("double", [1, 1]), each("int", [111, 111])
    two, lists = each("int64_t", [2, 2]), (pointers_to(a), pointers_to(b), pointers_to(c))

    def call(layout=102, transb=plain, k=two, ldb=two, count=2, threads=1):
        given = (ones, lists[0], two, lists[1], ldb, ones, lists[2], two)
        return lib.tt_dgemm_variable(layout, plain, transb, two, two, k, *given, count, threads)

    assert call(layout=7) == -1
    assert call(transb=each("int", [111, 114])) == -3
    assert call(k=each("int64_t", [2, -2])) == -6
    assert call(ldb=each("int64_t", [2, 1])) == -11
    assert call(count=-1) == -15
    assert call(threads=-1) == -16
    assert not np.any(c)
    assert call() == 0
