"""Calls on a GPU that are like an earlier one: what the short way must not take for the same."""

from __future__ import annotations

import numpy as np
import pytest
from support.emulated_gpu import GpuArray

import bblas_gen as bb
from bblas_gen.arrays import device as device_arrays
from bblas_gen.arrays.device import ArrayLibrary, streams_of
from bblas_gen.runtime.state import RUNTIME

pytest.importorskip("cuda.core", reason="cuda-core is not installed")
pytestmark = pytest.mark.usefixtures("emulated")


class Scalar:
    """A number that may change, as tensors of PyTorch without axes: it says only its first digits."""

    def __init__(self, value):
        self.value = value

    def __float__(self):
        return self.value

    def __str__(self):
        return f"{self.value:.4f}"


def test_scalars_that_change_are_read_again():
    a, b = (bb.interleave(np.tile(np.eye(3), (5, 1, 1))).to("cuda") for _ in "ab")
    alpha = Scalar(1e-5)
    first = bb.gemm(a, b, alpha=alpha).to("cpu")
    alpha.value = 3e-5
    second = bb.gemm(a, b, alpha=alpha).to("cpu")
    assert (first[0][0, 0], second[0][0, 0]) == (1e-5, 3e-5)


@pytest.mark.parametrize("way", ["long", "short"])
def test_what_goes_backwards_overlaps_what_is_before_it(way):
    memory = np.arange(1000.0)

    def matrices(first, step=1):
        return GpuArray(memory[first : first + 20].reshape(5, 2, 2)[::step])

    bb.gemm(matrices(500, -1), matrices(800), matrices(100))
    if way == "long":
        RUNTIME.forget_calls()
    with pytest.raises(ValueError, match="overlap"):
        bb.gemm(matrices(500, -1), matrices(800), matrices(490))


def test_subclasses_are_of_the_library_of_their_base(monkeypatch):
    """As MONAI's tensors, which PyTorch's functions make on its current stream."""
    monkeypatch.setitem(device_arrays.LIBRARIES, "support", ArrayLibrary(lambda like: 7, None, current=True))
    assert streams_of([type("Derived", (GpuArray,), {"__module__": "elsewhere"})(np.zeros((2, 3, 3)))]) == [7]
