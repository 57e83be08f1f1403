"""Threads that have not used the GPU before, and several GPUs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from support.emulated_gpu import DlpackArray, GpuArray, large_from

import bblas_gen as bb
from bblas_gen.runtime import device_started, gpu, kernels
from bblas_gen.runtime.device_storage import DeviceStorage

pytest.importorskip("cuda.core", reason="cuda-core is not installed")
pytestmark = pytest.mark.usefixtures("emulated")


def elsewhere(function):
    """What it returns in a new thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function).result()


def test_a_started_problem_is_waited_for_in_any_thread(monkeypatch):
    large_from(8, monkeypatch)
    spd, b = 4 * np.eye(20), np.ones((20, 3))
    work = bb.posv_async(spd, b)
    assert elsewhere(work.done) in {True, False}
    np.testing.assert_allclose(elsewhere(work.wait), 0.25 * np.ones((20, 3)))
    assert work.done()
    assert not device_started._REGISTERED


def test_a_thread_may_begin_with_a_warmup():
    """Of another kernel of a module that is loaded."""
    name = "bb_dgemm_nn_bi_m5n5k5"
    bb.warmup([name], target="cuda")
    kernels.reset()
    x = bb.interleave(np.ones((5, 5, 5))).to("cuda")
    bb.gemm(x, x)
    elsewhere(lambda: bb.warmup([name], target="cuda"))


@pytest.mark.parametrize("kind", ["own", "exported"])
def test_lists_over_several_gpus_are_refused(kind, monkeypatch):
    a = np.eye(3)
    if kind == "own":
        some = [DeviceStorage.of(gpu.gpu(0), a) for _ in range(2)]
        some[1].gpu = gpu.Gpu(1)
    else:
        some = [DlpackArray(GpuArray(a)) for _ in range(2)]
        monkeypatch.setattr(some[1], "__dlpack_device__", lambda: (2, 1), raising=False)
        monkeypatch.setattr(DlpackArray, "__dlpack_device__", lambda own: (2, int(own is some[1])))
    with pytest.raises(ValueError, match=r"a\[1\] is on GPU 1 and a\[0\] on GPU 0: expected one GPU"):
        bb.gemm(some, [GpuArray(a)] * 2 if kind == "exported" else [DeviceStorage.of(gpu.gpu(0), a)] * 2)
