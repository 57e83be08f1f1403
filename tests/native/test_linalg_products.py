"""Products of stacks of matrices and vectors."""

from __future__ import annotations

import numpy as np
import pytest

import bblas_gen.linalg as la
from bblas_gen.linalg import asked, kernels, products


def test_products(rng):
    a, b, x = rng.standard_normal((2, 3, 3, 3)), rng.standard_normal((3, 3, 3)), rng.standard_normal((3, 3))
    with la.accelerate(always=True):
        np.testing.assert_allclose(la.matmul(a, b), np.matmul(a, b), rtol=1e-13)
        np.testing.assert_allclose(la.matmul(a, b[0]), np.matmul(a, b[0]), rtol=1e-13)
        with pytest.raises(ValueError, match="does not have enough dimensions"):
            la.matvec(x[0], x)
        out = np.empty_like(a[..., 0])
        assert la.matvec(a, x, out) is out
        assert np.array_equal(out, np.matvec(a, x))
        np.testing.assert_allclose(la.matvec(a, x), np.einsum("...ij,...j", a, x), rtol=1e-13)
        assert la.matvec(a, x, num_threads=2).tobytes() == la.matvec(a, x).tobytes()
        assert np.array_equal(la.matvec(a, x, num_threads=2), la.matvec(a, x))
        for some in ((a, x), (a.astype(int), x.astype(int)), (a[0, 0], x[0])):  # by kernels, and by NumPy
            found, expected = la.matvec(*some, dtype="f"), np.matvec(*some, dtype="f")
            assert found.dtype == expected.dtype == la.vecmat(some[1], some[0], dtype="f").dtype == np.float32
            np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
        with pytest.raises(TypeError):
            la.matvec(a + 0j, x, dtype="f")
        assert la.matmul(a, b, dtype="f").dtype == np.float64  # NumPy's has no such argument
        np.testing.assert_allclose(la.vecmat(x, a), np.einsum("...i,...ij->...j", x, a), rtol=1e-13)
        np.testing.assert_allclose(la.vecdot(x, a[:, :, 0]), (x * a[:, :, 0]).sum(-1), rtol=1e-13)


@pytest.mark.parametrize(("name", "dtype"), [("matmul", "d"), ("matvec", "f"), ("vecmat", "D"), ("vecdot", "D")])
def test_products_of_batches_go_a_short_way_to_the_same_bits(name, dtype, always, rng, monkeypatch):
    x, y = ((19, 3), (19, 3)) if name in ("vecdot", "vecmat") else ((19, 4, 3), (19, 3))
    y = {"matmul": (19, 3, 2), "vecmat": (19, 3, 2)}.get(name, y)
    x, y = ((rng.standard_normal(shape) + 1j * rng.standard_normal(shape)) for shape in (x, y))
    x, y = (z.astype(dtype) if dtype == "D" else z.real.astype(dtype) for z in (x, y))
    long = getattr(la, name)(x[None], y[None])[0]
    monkeypatch.setattr(products, "_product", None)
    found = getattr(la, name)(x, y, num_threads=1)
    assert found.dtype == dtype
    assert found.tobytes() == long.tobytes()
    sums = {"matmul": "nij,njk->nik", "matvec": "nij,nj->ni", "vecmat": "nj,njk->nk", "vecdot": "nj,nj->n"}[name]
    first = x.conj() if name.startswith("vec") else x
    np.testing.assert_allclose(found, np.einsum(sums, first, y), rtol=100 * np.finfo(dtype).eps, atol=1e-6)


def test_what_is_to_be_converted_goes_the_long_way(always, rng):
    a, x = rng.standard_normal((5, 3, 3)), rng.standard_normal((5, 3))
    assert products.MATVEC.at_once((a, x), None) is not None
    swapped = np.ones((5, 3, 4), ">f8")
    for other in [
        (a[0], x),
        (a, x[0]),
        (a, x[:1]),
        (a, x[:, :2]),
        (a.astype("f"), x),
        (swapped[..., :3], swapped[..., 3]),
        (a[:0], x[:0]),
        (a, x, x),
    ]:
        assert products.MATVEC.at_once(other, None) is None
    assert products.MATVEC.at_once((a.tolist(), x), None) is None
    with asked.asking(check="nan"):
        assert products.MATVEC.at_once((a, x), None) is None


def test_few_products_are_numpy_s(rng, monkeypatch):
    monkeypatch.setattr(kernels, "prepare", None)
    few, large = rng.standard_normal((2, 20, 3)), rng.standard_normal((2, 9, 70, 70))
    assert la.vecdot(*few, num_threads=2).tobytes() == np.vecdot(*few).tobytes()
    assert la.matmul(*large).tobytes() == np.matmul(*large).tobytes()
    for x, y in (few, large):
        with pytest.raises(ValueError, match="num_threads = 0"):
            la.matmul(x, y, num_threads=0)


@pytest.mark.parametrize(
    ("name", "left", "right"),
    [
        ("matvec", (32, 32), (32,)),
        ("matvec", (2, 3, 32, 32), (3, 32)),
        ("matvec", (10, 8, 8), (8,)),
        ("vecmat", (400,), (400, 2)),
        ("vecdot", (5000,), (5000,)),
        ("vecdot", (4, 1, 100), (5, 100)),
        ("matmul", (40, 40), (4, 40, 40)),
        ("matmul", (7, 3), (3,)),
        ("matmul", (0, 40, 0), (0, 40)),
    ],
)
def test_few_products_of_any_axes_are_numpy_s_at_once(name, left, right, rng, monkeypatch):
    monkeypatch.setattr(products, "Stacks", None)
    x, y = rng.standard_normal(left), rng.standard_normal(right)
    assert getattr(la, name)(x, y).tobytes() == getattr(np, name)(x, y).tobytes()
    with pytest.raises(ValueError, match=r"mismatch|dimensions"):
        getattr(la, name)(x, np.ones(13))
