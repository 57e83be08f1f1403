"""Large matrices on a GPU: lists of launches, whose parts are small here."""

from __future__ import annotations

import ctypes
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from support import emulator_build
from support.device_operands import back
from support.emulated_gpu import Captured, GpuArray, large_from
from support.table import ORACLES

import bblas_gen as bb
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.terms import FLAGS
from bblas_gen.runtime import cublas, gpu
from bblas_gen.runtime.call import by_user_names

pytest.importorskip("cuda.core", reason="cuda-core is not installed")


pytestmark = pytest.mark.usefixtures("device")
EMULATED = pytest.mark.usefixtures("emulated")
ORDER = 4


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    large_from(ORDER, monkeypatch)


def both(name, batch, sizes, flags, dtype="float64", order="C"):
    """The error of the call on a GPU, on arrays of another library, and what is allowed."""
    oracle, row = ORACLES[name], OPS[name]
    before = oracle.make(np.random.default_rng(2), batch, sizes, flags, dtype)
    given = {x.name: before[x.name].copy() for x in row.parameters}
    if order == "F":
        given = {x: np.ascontiguousarray(y.mT).mT if y.ndim > 2 else y for x, y in given.items()}
    scalars = {
        user: value if own in row.real_scalars or np.dtype(dtype).kind == "f" else value * (1 + 2j)
        for own, user, value in zip(row.scalars, row.user_scalars, (1.5, -0.5), strict=False)
    }
    bb.plan(name, **by_user_names(row, map(GpuArray, given.values())), **flags, **scalars)()
    gpu.gpu(0).stream(None).sync()
    numbers = {own: scalars[user] for own, user in zip(row.scalars, row.user_scalars, strict=True)}
    return oracle.error(before, given, flags, numbers), oracle.bound


def flags_of(name, dtype):
    """All combinations, each that means something else."""
    row = OPS[name]
    letters = [[str(x) for x in FLAGS[flag] if str(x) not in "CR" or np.dtype(dtype).kind == "c"] for flag in row.flags]
    return [dict(zip(row.flags, some, strict=True)) for some in product(*letters)]


NAMES = ["trsm", "trmm", "symm", "hemm", "syr2k", "her2k", "potrf", "potrs", "posv", "potri", "trtri", "lauum", "trsv"]
NAMES += ["getrf", "getrs", "gesv", "getri", "getrfnp", "getrinp"]


@EMULATED
@pytest.mark.parametrize("dtype", ["float64", "complex64"])
@pytest.mark.parametrize("name", NAMES)
def test_lists_are_what_operations_are(name, dtype, request):
    """All flags and memory orders; an order that is no power of two."""
    if not request.config.getoption("--full-grid"):
        pytest.skip("runs with --full-grid")
    row = OPS[name]
    sizes = dict.fromkeys(row.sizes, 7) | ({row.sizes[-1]: 6} if len(row.sizes) > 1 else {})
    for flags, order in product(flags_of(name, dtype), "CF"):
        error, bound = both(name, 2, sizes, flags, dtype, order)
        assert error < bound, (flags, order)


def test_a_solver_of_large_systems(copied, rng):
    """A matrix that fails says where in the whole of it, and keeps its right-hand sides; so it is when called again."""
    a = rng.standard_normal((3, 12, 12))
    a = a @ a.swapaxes(1, 2) + 12 * np.eye(12)
    a[1, 9, 9] = -1
    b = rng.standard_normal((3, 12, 8))
    good = [0, 2]
    for _ in range(2):
        x = copied(b)
        _, info = bb.posv(copied(a), x, return_info=True)
        x, info = back([x, info])
        assert info.tolist() == [0, 10, 0]
        np.testing.assert_array_equal(x[1], b[1])
        np.testing.assert_allclose(x[good], np.linalg.solve(a[good], b[good]), rtol=1e-12)


def test_a_solver_that_exchanges_rows(copied, rng):
    """Pivots and reports count from the whole matrix; one that is singular keeps its right-hand sides."""
    a, b = rng.standard_normal((2, 12, 12)), rng.standard_normal((2, 12, 8))
    a[1, :, 6] = 0
    given = [copied(x) for x in (a, b, np.zeros((2, 12), np.int32))]
    _, info = bb.gesv(given[0], given[1], ipiv=given[2], return_info=True)
    factors, x, pivots, info = back([*given, info])
    right, expected = bb.getrf(a.copy(), check="ignore")
    np.testing.assert_array_equal(pivots[0], expected[0])
    np.testing.assert_allclose(factors[0], right[0], rtol=1e-9)
    np.testing.assert_allclose(x[0], np.linalg.solve(a[0], b[0]), rtol=1e-9)
    assert info.tolist() == [0, 7]
    np.testing.assert_array_equal(x[1], b[1])


@pytest.mark.parametrize("name", ["gesv", "gesvnp", "posv"])
@pytest.mark.parametrize("n", [5, 12])
def test_solutions_are_refined(name, n, copied, rng):
    """By one kernel, and by those of the parts of large systems."""
    a, b = rng.standard_normal((3, n, n)), rng.standard_normal((3, n, 2))
    a = a @ a.swapaxes(1, 2) + np.eye(n)
    a[1] = 0
    there = copied([a, b])
    made, info = getattr(bb, name)(*there, overwrite=False, refine=True, return_info=True)
    _, reports = getattr(bb, name)(*there, refine=True, return_info=True)
    x, again, info, reports = back([made, there[1], info, reports])
    np.testing.assert_array_equal(again, x)
    assert info.tolist() == reports.tolist() == [0, 1, 0]
    np.testing.assert_array_equal(x[1], b[1])
    left, size = abs(b - a @ x)[::2], (abs(a) @ abs(x) + abs(b))[::2]
    assert (left < 2 * np.finfo(float).eps * size).all()


@pytest.mark.parametrize("name", ["gesv", "gesvnp", "posv"])
@pytest.mark.parametrize("nrhs", [1, 8])
def test_what_fails_returns_its_right_hand_sides_where_operands_are_kept(name, nrhs, copied, rng):
    """All of the result is written: in ``out``, and in a new one."""
    a, b = rng.standard_normal((3, 12, 12)), rng.standard_normal((3, 12, nrhs))
    a = a @ a.swapaxes(1, 2) + np.eye(12)
    a[1] = 0
    given, out = copied([a, b]), copied(np.full_like(b, np.nan))
    made, info = getattr(bb, name)(*given, overwrite=False, return_info=True)
    found, reports = getattr(bb, name)(*given, out=out, return_info=True)
    assert found is out
    info, reports, *results = back([info, reports, made, out])
    assert info.tolist() == reports.tolist() == [0, 1, 0]
    for x in results:
        np.testing.assert_array_equal(x[1], b[1])
        np.testing.assert_allclose(x[::2], np.linalg.solve(a[::2], b[::2]), rtol=1e-7)
    for x, before in zip(back(given), (a, b), strict=True):
        np.testing.assert_array_equal(x, before)


def test_a_pivot_that_is_no_row_exchanges_nothing(copied, rng):
    f, b = rng.standard_normal((2, 12, 12)) + 12 * np.eye(12), rng.standard_normal((2, 12, 8))
    own = np.tile(np.arange(1, 13, dtype=np.int32), (2, 1))
    none = own.copy()
    none[:, [2, 5, 8]] = 0, -1, 13
    found = back([bb.getrs(copied(f), copied(x), copied(b)) for x in (own, none)])
    np.testing.assert_array_equal(found[1], found[0])


def test_one_large_matrix_in_a_graph(copied, rng):
    """A plan has all that it needs: its runs are launches alone."""
    a = rng.standard_normal((12, 12))
    a = a @ a.T + 12 * np.eye(12)
    b = rng.standard_normal((12, 8))
    capture = Captured()
    factors, x = copied([a, b], int(capture.stream.handle))
    plan = bb.plan("posv", factors, x)
    with capture:
        plan()
        with pytest.raises(bb.CaptureError, match=r"works in [0-9]+ bytes more: expected, in a graph, a bb.plan"):
            bb.posv(factors, x)
    np.testing.assert_array_equal(back(x), b)
    capture.run()
    np.testing.assert_allclose(back(x), np.linalg.solve(a, b), rtol=1e-12)


@pytest.fixture
def stand_in(monkeypatch):
    """A library that stands in for cuBLAS."""
    path = emulator_build.cublas()
    monkeypatch.setenv("BBLAS_GEN_CUBLAS", str(path))
    monkeypatch.setattr(cublas, "_HANDLES", {})
    cublas.library.cache_clear()
    yield ctypes.CDLL(str(path)).stand_in_calls
    cublas.library.cache_clear()


@EMULATED
@pytest.mark.parametrize("dtype", ["float64", "complex64", "complex128", "float32"])
@pytest.mark.parametrize("order", ["CCC", "FCC", "CFF"])
def test_products_are_those_of_cublas(stand_in, dtype, order, rng):
    """Where it is found: in its terms, whatever the memory orders; what it has no letter for stays ours."""
    a, b, c = (np.asarray(rng.standard_normal((9, 9)) + 0j, order=x) for x in order)
    a, b, c = ((x * (1 + 0.5j) if dtype[0] == "c" else x.real).astype(dtype) for x in (a[:7, :6], b[:6, :5], c[:7, :5]))
    before, alpha = stand_in(), 2 - 1j if dtype[0] == "c" else 2
    found, right = GpuArray(np.array(c, order=order[2])), alpha * a @ b + 0.5 * c
    a, b = GpuArray(np.array(a, order=order[0])), GpuArray(np.array(b.T, order=order[1]))
    bb.gemm(a, b, found, alpha=alpha, beta=0.5, transb="T")
    gpu.gpu(0).stream(None).sync()
    assert stand_in() == before + 1
    assert np.abs(found.array - right).max() < 200 * np.finfo(dtype).eps


@EMULATED
def test_solvers_multiply_by_cublas(stand_in, rng):
    """In a graph, too."""
    a = np.eye(12) + np.tril(rng.standard_normal((12, 12)))
    b = rng.standard_normal((12, 8))
    capture = Captured()
    x = capture.array(b.copy())
    plan, before = bb.plan("trsm", capture.array(a), x), stand_in()
    with capture:
        plan()
    assert stand_in() == before + 2
    capture.run()
    np.testing.assert_allclose(x.array, np.linalg.solve(a, b), rtol=1e-9)


@EMULATED
def test_each_gpu_has_a_handle_of_its_own_before_a_capture(stand_in, monkeypatch):
    spec = KernelSpec.make("gemm", "d", "st", m=None, n=None, k=None, target="cuda")
    for captures, number in ((False, 0), (True, 0)):
        monkeypatch.setattr(cublas, "capturing", lambda stream, captures=captures: captures)
        assert cublas.product(spec, {"alpha": 1}, gpu.gpu(number), None)
    with pytest.raises(bb.CaptureError, match="cuBLAS is not loaded"):
        cublas.product(spec, {"alpha": 1}, gpu.gpu(1), None)


@EMULATED
def test_a_product_of_cublas_makes_its_gpu_current():
    seen = []
    own = SimpleNamespace(
        cublasSetStream_v2=lambda *_: 0, cublasDgemmStridedBatched=lambda *_: seen.append("done") or 0
    )
    spec = KernelSpec.make("gemm", "d", "st", m=None, n=None, k=None, target="cuda")
    cublas.Product(spec, cublas.Handle(own, None, lambda: seen.append("entered"))).queue(1)
    assert seen == ["entered", "done"]


def test_a_library_that_is_not_there_is_told(monkeypatch):
    monkeypatch.setenv("BBLAS_GEN_CUBLAS", "/nowhere/libcublas.so")
    cublas.library.cache_clear()
    with pytest.raises(bb.LibraryError, match=r"BBLAS_GEN_CUBLAS = '/nowhere/libcublas\.so' cannot be loaded"):
        cublas.library()
