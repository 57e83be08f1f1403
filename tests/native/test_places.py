"""Batches on the GPU of a number, where there are several. The emulator has one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import bblas_gen as bb
from bblas_gen.runtime import device_interleaved, gpu
from bblas_gen.runtime.device_storage import DeviceStorage

pytestmark = pytest.mark.usefixtures("device", "emulated")


@pytest.fixture(params=["interleaved", "ragged"])
def host(request, rng):
    if request.param == "ragged":
        return bb.ragged(rng.standard_normal((7, 2)), [0, 2, 2, 3, 7])
    return bb.interleave(rng.standard_normal((3, 2, 2)))


def test_a_batch_goes_to_the_gpu_of_a_number(host, monkeypatch):
    there, asked = host.to("cuda:0"), []
    assert there.to("cuda:0") is there
    assert there.to("cuda") is there
    monkeypatch.setattr(device_interleaved, "gpu", lambda number: asked.append(number) or gpu.gpu(0))
    moved = [host.to("cuda:1"), there.to("cuda:1"), host.to("cuda")]
    assert asked == [1, 1, 0]
    for x in moved:
        assert x is not there
        np.testing.assert_array_equal(x.to("cpu")[0], host[0])


def test_a_gpu_that_is_not_there_is_refused(host):
    there, expected = host.to("cuda"), "expected one of .*, or a number as in 'cuda:1'"
    for x, (wrong, number) in product((host, there), (("cuda:1", 1), ("cuda:07", 7))):
        with pytest.raises(ValueError, match=f"^device = {number}: expected the number of a GPU, 0 to 0$"):
            x.to(wrong)
    for x, wrong in product((host, there), ("cuda:", "cuda:-1", "cuda:x", "cpu:0", "gpu", 1)):
        with pytest.raises(ValueError, match=f"^where = {wrong!r}: {expected}$"):
            x.to(wrong)
    with pytest.raises(ValueError, match=r"^where = 'cuda:0': expected one of 'cpu'$"):
        DeviceStorage.of(gpu.gpu(0), np.eye(2)).to("cuda:0")
