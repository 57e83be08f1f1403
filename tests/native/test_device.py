"""Calls on arrays of a GPU, end to end: arrays, kernels, compiler, driver; emulated, or with ``--gpu`` on one."""

from __future__ import annotations

import re
from pathlib import Path
from threading import Thread
from unittest.mock import Mock

import numpy as np
import pytest
from support.devices import to_host
from support.emulated_gpu import Captured, GpuArray, driver_calls
from support.inverse import INVERSE

import bblas_gen as bb
from bblas_gen.arrays import device as device_arrays
from bblas_gen.arrays.device import ArrayLibrary
from bblas_gen.runtime import device_side, gpu
from bblas_gen.runtime.device_storage import DeviceStorage

pytest.importorskip("cuda.core", reason="cuda-core is not installed")


pytestmark = pytest.mark.usefixtures("device")


def random(*shape, dtype="f8", seed=0):
    rng = np.random.default_rng(seed)
    found = rng.standard_normal(shape)
    return (found + 1j * rng.standard_normal(shape) if np.dtype(dtype).kind == "c" else found).astype(dtype)


def positive(count, n, dtype="f8"):
    a = random(count, n, n, dtype=dtype)
    return a @ a.conj().swapaxes(1, 2) + n * np.eye(n, dtype=dtype)


def on_gpu(x, **more):
    return bb.interleave(x, **more).to("cuda")


def own(x):
    return DeviceStorage.of(gpu.gpu(0), x)


def back(x):
    return x.to("cpu").deinterleave()


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("count", [1, 127, 128, 301])
def test_a_product_of_interleaved_batches(dtype, count):
    a, b, c = random(3, count, 3, 3, dtype=dtype)
    alpha, beta = (0.5 - 2j, 1.5j) if np.dtype(dtype).kind == "c" else (0.5, -1.5)
    A, B, C = map(on_gpu, (a, b, c))
    assert bb.gemm(A, B, C, alpha=alpha, beta=beta) is C
    np.testing.assert_allclose(back(C), alpha * a @ b + beta * c, rtol=1e-4 if dtype in ("f4", "c8") else 1e-12)
    np.testing.assert_array_equal(back(A), a)


def test_matrices_that_take_more_shared_memory_than_can_be_declared():
    a, b = random(2, 60, 60), random(2, 60, 60)
    found = own(b)
    bb.geadd(own(a), found, beta=0)
    np.testing.assert_array_equal(to_host(found), a)


def test_a_result_that_is_left_out_is_made_on_the_gpu():
    a, b = random(2, 20, 3, 3)
    c = bb.gemm(on_gpu(a), on_gpu(b))
    assert "on a GPU" in repr(c)
    assert c.shape == (20, 3, 3)
    np.testing.assert_allclose(back(c), a @ b, rtol=1e-12)


@pytest.mark.usefixtures("emulated")
def test_arrays_of_any_library_are_worked_on_where_they_are():
    a, b, large = random(130, 3, 3), positive(130, 3), random(130, 5, 7)
    part = GpuArray(large)[:, 1:4, 2:4]
    product = bb.gemm(GpuArray(a), part)
    gpu.gpu(0).stream(None).sync()
    np.testing.assert_allclose(product.array, a @ large[:, 1:4, 2:4], rtol=1e-12)
    before = large.copy()
    factored = GpuArray(b.copy())  # what is in use must live
    bb.posv(factored, part)
    factors, pivots = bb.getrf(GpuArray(a.copy()))
    gpu.gpu(0).stream(None).sync()
    before[:, 1:4, 2:4] = np.linalg.solve(b, before[:, 1:4, 2:4])
    np.testing.assert_allclose(large, before, rtol=1e-12)
    _, right = bb.getrf(a.copy())
    np.testing.assert_array_equal(pivots.array, right)
    lower, upper = np.tril(factors.array, -1) + np.eye(3), np.triu(factors.array)
    np.testing.assert_allclose(np.sort(lower @ upper, axis=1), np.sort(a, axis=1), rtol=1e-12)


def test_matrices_report_and_nobody_waits_unless_asked():
    a = positive(200, 3)
    a[7, 1, 1] = -1
    factor, info = bb.potrf(on_gpu(a), return_info=True)
    assert info.__cuda_array_interface__["typestr"] == "<i4"
    assert to_host(info).tolist() == [2 if i == 7 else 0 for i in range(200)]
    good = np.arange(200) != 7
    np.testing.assert_allclose(np.tril(back(factor))[good], np.linalg.cholesky(a[good]), rtol=1e-12)
    bb.potrf(on_gpu(a))
    with pytest.raises(np.linalg.LinAlgError, match=r"1 of 200 matrices are not positive definite: 7 \(info = 2\)"):
        bb.potrf(on_gpu(a), check="raise")


@pytest.mark.usefixtures("emulated")
def test_a_driver_that_fails_is_not_passed_over():
    """It knows nothing of memory of the host."""
    with pytest.raises(RuntimeError, match="the GPU's driver refuses: CUDA_ERROR_INVALID_VALUE"):
        bb.potrf(GpuArray(positive(200, 3)), check="raise")


def test_a_plan_and_a_sequence():
    a, b = random(2, 40, 2, 2)
    A, B = on_gpu(a), on_gpu(b)
    plan = bb.plan("gemm", A, B)
    plan()
    np.testing.assert_allclose(back(plan.output), a @ b, rtol=1e-12)
    steps = [bb.step("gemm", "A", "B", "T"), bb.step("gemm", "T", "A", "R")]
    np.testing.assert_allclose(back(bb.sequence(steps, scratch="T")(A=A, B=B)), a @ b @ a, rtol=1e-12)


@pytest.mark.usefixtures("emulated")
def test_a_run_of_a_plan_is_a_launch():
    """The driver is asked for nothing else that a call needs."""
    a = on_gpu(random(40, 2, 2))
    plan = bb.plan("gemm", a, a, alpha=0.5)
    asked = {"cuCtxSetCurrent": 3, "cuLaunchKernel": 3, "cuCtxGetCurrent": 0, "cuStreamIsCapturing": 0}
    before = [driver_calls(name) for name in asked]
    for _ in range(3):
        plan()
    assert [driver_calls(x) - y for x, y in zip(asked, before, strict=True)] == [*asked.values()]


def test_a_call_like_an_earlier_one_takes_the_short_way(monkeypatch):
    a, b = random(2, 40, 2, 2)
    bb.gemm(on_gpu(a), on_gpu(b))
    monkeypatch.setattr("bblas_gen.runtime.device_call.looked_at", None)
    for count in (5, 40, 17):
        found = bb.gemm(on_gpu(a[:count]), on_gpu(b[:count]))
        np.testing.assert_allclose(back(found), a[:count] @ b[:count], rtol=1e-12)


def test_what_overlaps_is_refused_on_the_short_way_too():
    a = random(16, 2, 2)
    A, B, C = on_gpu(a), on_gpu(a), on_gpu(a)
    bb.gemm(A, B, C)
    with pytest.raises(ValueError, match="overlap"):
        bb.gemm(A, B, A)


@pytest.mark.parametrize("order", ["one first", "one second"])
def test_one_matrix_for_all_is_not_taken_for_a_batch(order):
    """Nor the other way round, in calls like an earlier one: the matrices of both are of one shape."""
    a, b = random(2, 17, 2, 2)
    A, B, one = map(own, (a, b, a[0]))
    calls = [(one, A, a[0] @ a), (A, one, a @ a[0]), (A, B, a @ b), (one, B, a[0] @ b)]
    for x, y, expected in calls if order == "one first" else calls[::-1]:
        np.testing.assert_allclose(bb.gemm(x, y, alpha=1.0).to("cpu"), expected, rtol=1e-12)


@pytest.mark.parametrize("dtype", ["f4", "c8"])
@pytest.mark.parametrize(("name", "more"), [("gesv", {}), ("gesv", {"nb": "full"}), ("posv", {})])
def test_what_solvers_that_refine_have_of_their_own(name, more, dtype):
    """Copies of operands, in registers: rows of theirs are exchanged there as pivots say, or nothing is refined."""
    a, b = positive(33, 3, dtype), random(33, 3, 2, dtype=dtype)
    scale = np.array([1e-3, 1.0, 1e3], dtype)
    a = (scale[:, None] * a[:, ::-1] if name == "gesv" else scale[:, None] * a * scale).astype(dtype)
    for overwrite in (True, False):
        x = getattr(bb, name)(on_gpu(a, **more), on_gpu(b, **more), refine=True, overwrite=overwrite)
        x = back(x[-1] if isinstance(x, tuple) else x).astype(np.complex128)
        residual, size = abs(b - a @ x), abs(a) @ abs(x) + abs(b)
        assert (residual <= 3 * np.finfo(dtype).eps * size).all()


def test_operands_of_host_and_gpu_do_not_mix():
    a = random(3, 2, 2)
    with pytest.raises(TypeError, match=r"b is a Interleaved in host memory and a is on a GPU"):
        bb.gemm(on_gpu(a), bb.interleave(a))
    with pytest.raises(TypeError, match=r"a is a ndarray in host memory and b is on a GPU"):
        bb.gemm(a, on_gpu(a))


def test_operands_are_on_one_gpu(monkeypatch):
    A, B = (on_gpu(random(3, 2, 2)) for _ in range(2))
    bb.gemm(A, B)
    own, other = (x.head.data.ctypes.data for x in (A, B))
    numbers = {own: 0, other: 1}
    for module in ("device_call", "device_side"):
        monkeypatch.setattr(f"bblas_gen.runtime.{module}.gpu_of", lambda at: gpu.gpu(numbers.get(at, 0)))
    with pytest.raises(ValueError, match="b is on GPU 1 and a on GPU 0: expected one GPU"):
        bb.gemm(A, B)


def test_memory_that_was_lent_is_freed_by_the_next_call():
    a, other = (on_gpu(random(3, 2, 2)) for _ in range(2))
    a.data.__dlpack__()
    del a
    assert len(gpu.gpu(0).left) == 1
    bb.gemm(other, other)
    assert not gpu.gpu(0).left


def test_threads_without_a_context_find_the_gpu_of_an_array(monkeypatch):
    driver = pytest.importorskip("cuda.bindings.driver")
    states = driver.CUresult
    answers = Mock(side_effect=[(states.CUDA_ERROR_INVALID_CONTEXT, None), (states.CUDA_SUCCESS, 1)])
    monkeypatch.setattr(driver, "cuPointerGetAttribute", answers)
    assert gpu.gpu_of(4096).number == 1


@pytest.mark.usefixtures("emulated")
def test_what_is_empty_is_on_no_gpu(monkeypatch):
    """A driver tells no GPU of it, as it has no address."""
    a, b, c = (GpuArray(np.ones(shape)) for shape in ((4, 2, 0), (4, 0, 2), (4, 2, 2)))
    second = gpu.Gpu(1)
    places = {c.array.ctypes.data: second}
    monkeypatch.setattr(device_side, "gpu_of", lambda at: places.get(at, gpu.gpu(0)))
    assert device_side.gpu_of_all({"A": "a", "B": "b", "C": "c"}, {"A": a, "B": b, "C": c}) is second


def test_shapes_and_flags_are_refused_as_on_the_host():
    with pytest.raises(ValueError, match="expected k = 2 of both"):
        bb.gemm(on_gpu(random(3, 2, 2)), on_gpu(random(3, 3, 2)))
    with pytest.raises(TypeError, match="alpha has 2 values but a is an Interleaved, whose matrices share one"):
        bb.gemm(on_gpu(random(2, 2, 2)), on_gpu(random(2, 2, 2)), alpha=[1.0, 2.0])
    with pytest.raises(ValueError, match="transa"):
        bb.gemm(on_gpu(random(2, 2, 2)), on_gpu(random(2, 2, 2)), transa="X")
    a = on_gpu(random(3, 2, 2))
    bb.gemm(a, a, alpha=2.0)
    with pytest.raises(TypeError, match=r"alpha = \(2\+0j\): expected a real number"):
        bb.gemm(a, a, alpha=2 + 0j)  # which equals what was taken before


@pytest.mark.usefixtures("emulated")
def test_other_streams_are_waited_for_and_wait():
    """Both where the call is, and where a plan runs; in a graph neither."""
    a, c, stream = random(8, 2, 2), np.zeros((8, 2, 2)), gpu.gpu(0).device.create_stream()
    told = int(stream.handle)
    half, whole = (GpuArray(x, stream=told) for x in (a / 2, np.empty_like(a)))
    bb.geadd(half, whole, alpha=2, beta=0)
    bb.gemm(GpuArray(a, stream=1), whole, GpuArray(c, stream=told))
    stream.sync()
    np.testing.assert_allclose(c, a @ a, rtol=1e-12)
    plan, before = (
        bb.plan("gemm", GpuArray(a, stream=1), whole, GpuArray(c, stream=told)),
        driver_calls("cuStreamWaitEvent"),
    )
    bb.geadd(half, whole, alpha=4, beta=0)
    plan()
    assert driver_calls("cuStreamWaitEvent") == before + 2
    stream.sync()
    np.testing.assert_allclose(c, 2 * a @ a, rtol=1e-12)
    capture = Captured()
    x = capture.array(a)
    with capture:
        bb.gemm(x, x, GpuArray(c, stream=told))
    assert driver_calls("cuStreamWaitEvent") == before + 2


@pytest.mark.usefixtures("emulated")
def test_other_streams_wait_for_plans_that_follow_a_caller(monkeypatch):
    class Other(GpuArray):
        __module__ = "another_library"

    monkeypatch.setitem(device_arrays.LIBRARIES, "support", ArrayLibrary(lambda like: 1, None, current=True))
    monkeypatch.setitem(device_arrays.LIBRARIES, "another_library", device_arrays.OTHER)
    a, c, stream = random(8, 2, 2), np.zeros((8, 2, 2)), gpu.gpu(0).device.create_stream()
    plan = bb.plan("gemm", GpuArray(a), GpuArray(a), Other(c, stream=int(stream.handle)))
    plan()
    stream.sync()
    np.testing.assert_allclose(c, a @ a, rtol=1e-12)


@pytest.mark.usefixtures("emulated")
def test_elements_that_are_not_aligned_are_refused_after_others_that_are():
    """The short way would run a kernel that fails, and with it all that the process has on the GPU."""
    memory = np.zeros(6 * 32 + 8, np.uint8)
    a, b, c, other = (np.ndarray((4, 1, 1), "f8", memory, offset) for offset in (0, 32, 64, 100))
    bb.gemm(*map(GpuArray, (a, b, c)))
    with pytest.raises(ValueError, match="b has elements that are not aligned"):
        bb.gemm(*map(GpuArray, (a, other, c)))


def test_kernels_of_gpus_are_none_for_variable_batches():
    a = random(8, 2, 2)
    bb.gemm(on_gpu(a), on_gpu(a))
    found = bb.gemm([a[0], a[1, :1]], a[:2])
    np.testing.assert_allclose(found[1], a[1, :1] @ a[1], rtol=1e-12)


def test_without_a_driver_it_says_what_is_missing(monkeypatch):
    from cuda import core

    def none():
        raise RuntimeError("no driver")

    monkeypatch.setattr(core, "Device", none)
    gpu.core.cache_clear()
    gpu.gpu.cache_clear()
    with pytest.raises(bb.CudaUnavailable, match=r"no driver; needed: NVIDIA's driver, and a GPU$"):
        bb.interleave(random(3, 2, 2)).to("cuda")
    gpu.core.cache_clear()


def test_the_page_about_gpus_does_what_it_says(capsys):
    page = (Path(__file__).resolve().parents[2] / "docs" / "gpu.md").read_text()
    blocks = re.findall(r"```py\n(.*?)```", page, re.DOTALL)
    names: dict[str, object] = {}
    for block in blocks:
        exec(block, names)
    assert len(blocks) == 8
    np.testing.assert_allclose(back(names["x"]), np.full((500, 3, 1), 0.5))
    assert capsys.readouterr().out.startswith("[[")


def test_threads_need_not_have_used_the_gpu_before():
    """The context of a GPU is current in each thread by itself."""
    a = random(20, 3, 3)
    A = on_gpu(a)
    plan, found = bb.plan("gemm", A, A), []

    def work():
        plan()
        found.extend([back(plan.output), back(bb.gemm(A, on_gpu(a), alpha=2))])

    thread = Thread(target=work)
    thread.start()
    thread.join()
    np.testing.assert_allclose(found, [a @ a, 2 * a @ a], rtol=1e-12)


def test_drivers_that_cannot_be_told_to_load_a_function(monkeypatch):
    """Those before CUDA 12.4."""
    from cuda.bindings import driver

    def missing(function):
        raise RuntimeError('Function "cuFuncLoad" not found')

    monkeypatch.setattr(driver, "cuFuncLoad", missing)
    a = random(20, 3, 3)
    np.testing.assert_allclose(back(bb.gemm(on_gpu(a), on_gpu(a), alpha=0.25)), a @ a / 4, rtol=1e-12)


def test_a_driver_that_is_too_old_for_a_cubin_is_named(monkeypatch):
    class Refused:
        def get_kernel(self, name):
            raise ValueError("CUDA_ERROR_UNSUPPORTED_PTX_VERSION")

    monkeypatch.setattr(gpu.Gpu, "module", lambda own, cubin: Refused())
    a = on_gpu(random(20, 3, 3))
    with pytest.raises(
        bb.CudaUnavailable, match=r"for CUDA 1\d\.\d, does not load bb_dgemm_.* on GPU 0: .*PTX_VERSION; it"
    ):
        bb.gemm(a, a, alpha=0.125, transa="T")


def test_zeros_of_either_sign_are_told_apart():
    """As on a CPU: scalars that are equal may make other bits; a zero of either sign means that nothing is read."""
    x, added = np.full((20, 3, 3), complex(1, -0.0)), [complex(2, zero) for zero in (0.0, -0.0, 0.0)]
    made = [back(bb.adddiag(on_gpu(x), alpha=alpha)).tobytes() for alpha in added]
    assert made == [bb.adddiag(bb.interleave(x), alpha=alpha).deinterleave().tobytes() for alpha in added]
    assert made[0] != made[1]
    a, nothing = random(20, 3, 3), np.full((20, 3, 3), np.nan)
    for zero in (0.0, -0.0):
        found = back(bb.gemm(on_gpu(nothing), on_gpu(nothing), on_gpu(a), alpha=zero, beta=1.0))
        np.testing.assert_array_equal(found, a)
        found = back(bb.gemm(on_gpu(a), on_gpu(a), on_gpu(nothing), beta=zero))
        np.testing.assert_allclose(found, a @ a, rtol=1e-12)


@pytest.mark.parametrize(("n", "dtype"), [(2, "f4"), (3, "f8"), (3, "c8"), (4, "f8")])
def test_small_inverses(n, dtype):
    """Factored and inverted at once, by minors or with pivots, or one after the other."""
    a = random(300, n, n, dtype=dtype, seed=n) + 3 * np.eye(n, dtype=dtype)
    a[7] = 0
    good = np.arange(300) != 7
    found, reports = INVERSE(A=on_gpu(a), X=on_gpu(0 * a), return_info=True)
    x, info = INVERSE(A=own(a), X=own(0 * a), return_info=True)
    for told in (info, reports):
        assert np.flatnonzero(to_host(told)).tolist() == [7]
    for y in (back(found), to_host(x)):
        np.testing.assert_allclose(y[good], np.linalg.inv(a[good]), rtol=1e-10 if dtype == "f8" else 1e-3)
        np.testing.assert_array_equal(y[7], 0)
