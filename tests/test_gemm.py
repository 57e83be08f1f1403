"""GEMM against the oracle: flags, layouts, precisions, sizes, batches, strides, every form of kernel."""

from __future__ import annotations

import itertools
import random as stdlib_random
from dataclasses import asdict

import lu_oracles
import numpy as np
import oracles
import pytest
from reference import ORACLES, apply, gemm_error, random, values

import bblas_gen as bb
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.terms import PRECISIONS, Strides, Trans
from bblas_gen.runtime import kernels
from bblas_gen.runtime.call import bind
from bblas_gen.runtime.library import host_isa
from bblas_gen.runtime.marshal import ffi, scalar
from bblas_gen.schedule.choose import alternatives
from bblas_gen.toolchain.compilers import find_cc

BOUND = 3.0
DTYPES = [row.dtype for row in PRECISIONS.values()]
SCALARS = [(1, 0), (1, 1), (2.5, 0), (-0.5, 1), (1, -2), (0, 1), (0, 0), (0, 0.5), (3, 0.25)]


def lanes(dtype: str) -> int:
    return find_cc().simd_bytes // PRECISIONS[KernelSpec.make("gemm", dtype, m=1, n=1, k=1).precision].compute.bytes


def covering(seed: int, *choices: list) -> list[tuple]:
    """Combinations in which every pair of choices occurs."""
    shuffled = stdlib_random.Random(seed)
    missing = {
        (i, x, j, y)
        for (i, some), (j, others) in itertools.combinations(enumerate(choices), 2)
        for x in range(len(some))
        for y in range(len(others))
    }
    found = []
    while missing:
        forced = min(missing)
        tries = [[shuffled.randrange(len(c)) for c in choices] for _ in range(30)]
        for t in tries:
            t[forced[0]], t[forced[2]] = forced[1], forced[3]
        best = max(tries, key=lambda t: len(missing & {(i, t[i], j, t[j]) for j in range(len(t)) for i in range(j)}))
        missing -= {(i, best[i], j, best[j]) for j in range(len(best)) for i in range(j)}
        found.append(tuple(c[i] for c, i in zip(choices, best, strict=True)))
    return found


def as_layout(array, layout, order="C"):
    if layout == "st":
        return array.copy() if order == "C" else array.swapaxes(1, 2).copy().swapaxes(1, 2)
    if layout == "pp":
        return [np.array(x, order=order) for x in array] if len(array) else np.array(array)
    return bb.interleave(array, nb="full" if layout == "il" else None if layout == "bi" else int(layout[2:]))


def sizes_for(dtype):
    v = lanes(dtype)
    return [0, 1, 2, v - 1, v, v + 1, 17]


def check(dtype, sizes, batch, layouts, flags, orders, scalars):
    rng = np.random.default_rng([*sizes, batch])
    m, n, k = sizes
    a, b, c = (random(rng, (batch, *s), dtype) for s in ((m, k), (k, n), (m, n)))
    a, b = (np.swapaxes(x, 1, 2) if Trans(f).transposes else x for x, f in zip((a, b), flags, strict=True))
    alpha, beta = scalars
    if np.dtype(dtype).kind == "c" and alpha not in (0, 1):
        alpha, beta = alpha + 0.5j, beta - 0.25j if beta else 0
    x, y, z = (as_layout(array, lay, order) for array, lay, order in zip((a, b, c), layouts, orders, strict=True))
    result = bb.gemm(x, y, z, alpha=alpha, beta=beta, transa=flags[0], transb=flags[1])
    assert result is z
    error = gemm_error(values(z), a, b, c, flags, alpha, beta)
    assert error <= BOUND, (dtype, sizes, batch, layouts, flags, orders, scalars, error)


@pytest.mark.parametrize("dtypes", [["float32", "float64"], ["complex64", "complex128"]], ids=["real", "complex"])
@pytest.mark.parametrize("share", range(4))
def test_every_pair_of_choices(dtypes, share):
    same = [("st",) * 3, ("pp",) * 3, ("bi",) * 3, ("il",) * 3, ("bi3",) * 3, ("bi24",) * 3]
    mixed = [("st", "pp", "st"), ("pp", "st", "pp"), ("bi", "st", "st"), ("st", "il", "bi"), ("bi", "bi", "pp")]
    flags = list(itertools.product("NTC", repeat=2))
    orders = list(itertools.product("CF", repeat=3))
    sizes, batches = list(range(len(sizes_for(dtypes[0])))), list(range(4))
    cases = covering(7, dtypes, sizes, sizes, sizes, batches, same + mixed, flags, orders, SCALARS)
    for dtype, m, n, k, batch, layouts, letters, order, scalars in cases[share::4]:
        v, size = lanes(dtype), sizes_for(dtype)
        count = [1, v - 1, v + 1, 2 * v + 3][batch]
        check(dtype, (size[m], size[n], size[k]), count, layouts, letters, order, scalars)


@pytest.mark.parametrize("layout", ["st", "pp", "bi", "il"])
def test_empty_batches_and_empty_outputs_compile_nothing(layout, monkeypatch):
    monkeypatch.setattr(kernels, "load", lambda text: pytest.fail("a kernel was made"))
    kernels.reset()
    for batch, m, n in ((0, 3, 4), (5, 0, 4), (5, 3, 0)):
        a, b = np.ones((batch, m, 2)), np.ones((batch, 2, n))
        if layout in ("bi", "il"):
            nb = "full" if layout == "il" else None
            a, b = bb.Interleaved.empty(a.shape, nb=nb), bb.Interleaved.empty(b.shape, nb=nb)
        elif layout == "pp" and batch:
            a, b = list(a), list(b)
        c = bb.gemm(a, b)
        assert len(c) == batch
        assert np.shape(c) == (batch, m, n) if layout == "st" else True


@pytest.mark.parametrize("layout", ["st", "pp", "bi", "il"])
@pytest.mark.parametrize(("beta", "expected"), [(0, 0), (1, 7), (2, 14)])
def test_k_of_zero_scales_c(layout, beta, expected):
    a, b, c = np.ones((9, 3, 0)), np.ones((9, 0, 2)), np.full((9, 3, 2), 7.0)
    x, y, z = (as_layout(array, layout) for array in (a, b, c))
    bb.gemm(x, y, z, beta=beta)
    assert (values(z) == expected).all()


FORMS = [
    {"form": "lane"},
    {"form": "lane", "width": 2},
    {"form": "lane", "width": 1},
    {"form": "lane", "rows": 2, "cols": 3, "unroll": 1},
    {"form": "direct"},
    {"form": "direct", "width": 2, "rows": 3, "cols": 2},
    {"form": "direct", "width": 2, "rows": 4, "cols": 1, "prefetch": 0},
    {"form": "direct", "kc": 3, "prefetch": 0},
    {"form": "direct", "unroll": 1, "rows": 5, "cols": 3},
    {"form": "lane", "kc": 3},
]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("strides", [x for x in Strides if not x.row_major])
def test_every_form_of_kernel(dtype, strides, rng):
    """The kernel that dispatch would choose is exchanged for one of every other form."""
    for number, (form, flags) in enumerate(zip(FORMS, itertools.cycle(["NN", "TN", "CT", "NC", "RN"]))):
        m, n, k = ((5, 7, 8), (9, 4, 7), (13, 3, 17))[number % 3]
        if form.get("width") == 2 and form["form"] == "direct" and (m * (2 if dtype[0] == "c" else 1)) % 2:
            m += 1
        a, b, c = (random(rng, (11, *shape), dtype) for shape in ((m, k), (k, n), (m, n)))
        a, b = (np.swapaxes(x, 1, 2) if Trans(f).transposes else x for x, f in zip((a, b), flags, strict=True))
        x, y, z = (strided(array, strides) for array in (a, b, c))
        call = bind(OPS["gemm"], "abc", (x, y, z), tuple(flags))
        kernel = kernels.kernel(call.kernel.spec, **form)
        assert kernel.spec.strides == strides
        scale = [1.5, 0.5] if dtype[0] == "f" else [number_pair(dtype, 1.5), number_pair(dtype, 0.5)]
        assert kernel(*call.arguments(scale, 1)) == 0
        assert gemm_error(z, a, b, c, tuple(flags), 1.5, 0.5) <= BOUND, (form, flags)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("flags", ["NN", "TN", "NC", "RT"])
def test_every_flat_kernel(dtype, flags, rng):
    """All widths and numbers of matrices at a time; a batch that leaves some over."""
    p = KernelSpec.make("gemm", dtype, m=1, n=1, k=1).p
    for m, n, k in ((2, 2, 2), (3, 3, 3), (4, 4, 4), (5, 3, 7), (7, 4, 2), (3, 6, 9)):
        batch = 19
        a, b, c = (random(rng, (batch, *shape), dtype) for shape in ((m, k), (k, n), (m, n)))
        a, b = (np.swapaxes(x, 1, 2) if Trans(f).transposes else x for x, f in zip((a, b), flags, strict=True))
        for number, (_, plan) in enumerate(
            alternatives(Program.of(bind_packed(a, b, c, flags).kernel.spec), host_isa())
        ):
            x, y, z = (strided(array, Strides.PACKED) for array in (a, b, c))
            call = bind(OPS["gemm"], "abc", (x, y, z), tuple(flags))
            alpha, beta = ((1.5, 0.5), (1, 1), (1, 0), (0, 2))[number % 4]
            kernel = kernels.kernel(call.kernel.spec, **asdict(plan))
            scale = [number_pair(dtype, s) if p.complex else s for s in (alpha, beta)]
            assert kernel(*call.arguments(scale, 1)) == 0
            assert gemm_error(z, a, b, c, tuple(flags), alpha, beta) <= BOUND, plan


def bind_packed(a, b, c, flags):
    return bind(OPS["gemm"], "abc", tuple(strided(x, Strides.PACKED) for x in (a, b, c)), tuple(flags))


def number_pair(dtype, value):
    return ffi().new("float[2]" if dtype == "complex64" else "double[2]", [value, 0])


def strided(array, strides):
    """``array`` column-major in the way that asks for a kernel with these strides."""
    batch, rows, cols = array.shape
    if strides == Strides.PACKED:
        return np.swapaxes(np.swapaxes(array, 1, 2).copy(), 1, 2)
    if strides == Strides.LD:
        big = np.zeros((batch, cols, rows + 3), array.dtype)
        view = np.swapaxes(big[:, :, 1 : rows + 1], 1, 2)
    else:
        view = np.zeros((batch, 2 * rows, 3 * cols), array.dtype)[:, ::2, ::3]
    view[...] = array
    return view


def variants(array):
    """The same matrices under every kind of stride that NumPy has: name, array, the memory around it."""
    batch, rows, cols = array.shape
    for name, shape, index in (
        ("guarded", (batch + 2, rows + 2, cols + 2), np.s_[1:-1, 1:-1, 1:-1]),
        ("steps", (2 * batch, 2 * rows, 3 * cols), np.s_[::2, ::2, ::3]),
        ("reversed", (batch, rows, cols), np.s_[::-1, ::-1, ::-1]),
        ("reversed rows", (batch, rows, cols + 1), np.s_[:, ::-1, :-1]),
    ):
        around = np.full(shape, 77, array.dtype)
        around[index] = array
        yield name, around[index], around
    batch_last = np.full((rows, cols, batch + 1), 77, array.dtype)
    batch_last[..., :-1] = array.transpose(1, 2, 0)
    yield "batch last", batch_last[..., :-1].transpose(2, 0, 1), batch_last
    raw = np.full(array.nbytes + 16, 77, np.uint8)
    odd = raw[1 : array.nbytes + 1].view(array.dtype).reshape(array.shape)
    odd[...] = array
    yield "misaligned", odd, raw
    record = np.full(array.shape, 0, [("tag", "u1"), ("value", array.dtype)])
    record["value"] = array
    yield "field of a structure", record["value"], record["tag"]


@pytest.mark.parametrize("dtype", ["float64", "complex64"])
@pytest.mark.parametrize("which", ["a", "b", "c"])
def test_any_strides_and_nothing_around_them_changes(dtype, which, rng):
    plain = {name: random(rng, (6, *shape), dtype) for name, shape in (("a", (5, 3)), ("b", (3, 4)), ("c", (5, 4)))}
    for name, view, around in variants(plain[which]):
        operands = {key: array.copy() for key, array in plain.items()} | {which: view}
        before = around.copy()
        result = bb.gemm(operands["a"], operands["b"], operands["c"], alpha=2, beta=0.5)
        error = gemm_error(result, plain["a"], plain["b"], plain["c"], ("N", "N"), 2, 0.5)
        assert error <= BOUND, name
        if which != "c":
            assert np.array_equal(around, before), name
        else:
            if name in ("guarded", "steps", "reversed rows", "batch last"):
                view[...] = 77
                assert (around == 77).all(), name
            elif name == "misaligned":
                assert around[0] == 77
                assert (around[plain["c"].nbytes + 1 :] == 77).all()
            elif name == "field of a structure":
                assert (around == 0).all()


def test_one_matrix_for_all(rng):
    a, b = random(rng, (9, 4, 5), "float64"), random(rng, (5, 3), "float64")
    expected = a @ b
    for shared in (b, b[None], np.broadcast_to(b, (9, 5, 3)), np.asfortranarray(b)):
        batch = a if shared.ndim == 2 or len(shared) == 9 else a[:1]
        np.testing.assert_allclose(bb.gemm(batch, shared), expected[: len(batch)], rtol=1e-13)
    np.testing.assert_allclose(bb.gemm(b.T, a.swapaxes(1, 2)), expected.swapaxes(1, 2), rtol=1e-13)
    windows = np.lib.stride_tricks.sliding_window_view(np.arange(40.0), 9)[:28].reshape(7, 4, 9)
    np.testing.assert_allclose(
        bb.gemm(windows, random(rng, (7, 9, 2), "float64")[:, :, :] * 0 + 1), windows.sum(2)[..., None] + np.zeros(2)
    )
    diagonal = np.broadcast_to(np.float64(3.0), (9, 4, 5))
    np.testing.assert_allclose(bb.gemm(diagonal, b), diagonal @ b)


def test_large_sizes_use_panels(rng):
    for shape, flags in (((40, 3, 700), "TN"), ((3, 40, 700), "NT"), ((200, 2, 90), "NN"), ((70, 65, 1), "CN")):
        m, n, k = shape
        a, b, c = (random(rng, (2, *s), "float64") for s in ((m, k), (k, n), (m, n)))
        a, b = (np.swapaxes(x, 1, 2).copy() if Trans(f).transposes else x for x, f in zip((a, b), flags, strict=True))
        expected = c.copy()
        bb.gemm(a, b, c, alpha=0.5, beta=2, transa=flags[0], transb=flags[1])
        assert gemm_error(c, a, b, expected, tuple(flags), 0.5, 2) <= BOUND


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", ["bi", "il"])
def test_interleaved_panels_of_k(dtype, layout, rng):
    """Panels of k, with and without what is prefetched, in whole vectors and the last."""
    for kc, sizes in ((5, (10, 9, 17)), (4, (3, 2, 8)), (32, (7, 12, 33))):
        m, n, k = sizes
        a, b, c = (random(rng, (21, *s), dtype) for s in ((m, k), (k, n), (m, n)))
        x, y, z = (as_layout(array, layout) for array in (a, b, c))
        call = bind(OPS["gemm"], "abc", (x, y, z), "NN")
        kernel = kernels.kernel(call.kernel.spec, kc=kc)
        assert kernel(*call.arguments([scalar("alpha", 0.5, a), scalar("beta", -1.0, a)], 1)) == 0
        assert gemm_error(values(z), a, b, c, ("N", "N"), 0.5, -1.0) <= BOUND


def test_every_operation_has_an_oracle():
    parts = {"trinv", "nonsing", "trilu"}  # of trtri, potri and getri, tested as such
    assert ORACLES.keys() | oracles.ORACLES.keys() | lu_oracles.ORACLES.keys() | parts == OPS.keys()


def test_the_oracle_knows_its_flags(rng):
    x = random(rng, (2, 3), "complex128")
    assert np.array_equal(apply("C", x), x.T.conj())
    assert np.array_equal(apply("R", x), x.conj())
