"""Calls while a stream captures: launches alone, and a clear error where more would be needed."""

from __future__ import annotations

import numpy as np
import pytest
from support.emulated_gpu import Captured, DlpackArray, GpuArray

import bblas_gen as bb
from bblas_gen.arrays import device as device_arrays
from bblas_gen.arrays.device import ArrayLibrary
from bblas_gen.runtime import gpu

core = pytest.importorskip("cuda.core", reason="cuda-core is not installed")
KERNEL = "bb_dgemm_nn_st_m2n2k2"


pytestmark = pytest.mark.usefixtures("emulated")


def operands(capture, batch=20):
    a = np.random.default_rng(0).standard_normal((2, batch, 2, 2))
    return [*map(capture.array, a), capture.array(np.zeros((batch, 2, 2)))]


@pytest.fixture
def loaded(emulated):
    bb.warmup([KERNEL], target="cuda")


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize("way", ["plan", "first", "again"])
def test_a_graph_has_what_calls_queue(way):
    """Of plans that were made before; of calls that are new, and of those that are like an earlier one."""
    capture = Captured()
    a, b, c = operands(capture)
    call = {"plan": bb.plan("gemm", a, b, c)}.get(way, lambda: bb.gemm(a, b, c))
    if way == "first":
        gpu.RUNTIME.forget_calls()
    with capture:
        call()
    assert not c.array.any()
    for factor in (1, 2):
        a.array *= factor
        capture.run()
        np.testing.assert_allclose(c.array, a.array @ b.array, rtol=1e-12)


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize("exported", [True, False])
def test_plans_follow_the_caller(monkeypatch, exported):
    """Where a library has a current stream, as PyTorch has, which captures on another one."""
    now = [1]
    library = ArrayLibrary(lambda like: now[0], None, current=True)
    monkeypatch.setitem(device_arrays.LIBRARIES, "support", library)
    capture = Captured()
    a, b, c = operands(capture)
    plan = bb.plan("gemm", a, DlpackArray(b) if exported else b, c)
    with capture:
        now[0] = int(capture.stream.handle)
        plan()
    now[0] = 1
    gpu.gpu(0).stream(None).sync()
    assert not c.array.any()
    capture.run()
    np.testing.assert_allclose(c.array, a.array @ b.array, rtol=1e-12)


def test_kernels_that_are_not_loaded_are_refused():
    """And the graph goes on; once they are warmed up it takes them."""
    capture = Captured()
    a, b, c = operands(capture)
    with capture, pytest.raises(bb.CaptureError, match=f"{KERNEL} is not loaded, .* bb.warmup"):
        bb.gemm(a, b, c)


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize("way", ["plan", "call"])
def test_what_waits_is_refused(way):
    """And the graph does not have it."""
    capture = Captured()
    spd = capture.array(np.tile(4 * np.eye(2), (20, 1, 1)))
    bb.warmup(["bb_dpotrf_l_st_n2_rm"], target="cuda")
    plan = bb.plan("potrf", spd, check="raise")
    call = plan if way == "plan" else lambda: bb.potrf(spd, check="raise")
    with capture, pytest.raises(bb.CaptureError, match="expected nothing that waits"):
        call()
    capture.run()
    assert (spd.array == 4 * np.eye(2)).all()


@pytest.mark.usefixtures("loaded")
def test_other_streams_are_not_waited_for():
    capture = Captured()
    a, b, c = operands(capture)
    b.stream = 1
    with capture:
        bb.gemm(a, b, c)
    capture.run()
    np.testing.assert_allclose(c.array, a.array @ b.array, rtol=1e-12)


def test_the_driver_refuses_what_calls_must_not_do(monkeypatch):
    """Functions that are loaded when they are first launched, and waiting for another stream."""
    capture = Captured()
    a, b, c = operands(capture)
    with monkeypatch.context() as patch:
        patch.setattr("cuda.bindings.driver.cuFuncLoad", lambda function: (0,))
        lazy = bb.plan("gemm", a, b, c)
    monkeypatch.setattr("bblas_gen.runtime.device_call.capturing", lambda stream: False)
    for fault in (lazy, lambda: bb.gemm(a, by_default(b), c)):
        with capture, pytest.raises(Exception, match=r"CUDA_ERROR_(90|STREAM_CAPTURE)"):
            fault()
        capture.graph = capture.stream.create_graph_builder()


def by_default(array):
    """The same array, last written on the default stream."""
    return GpuArray(array.array, stream=1)
