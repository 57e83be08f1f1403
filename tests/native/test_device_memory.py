"""Memory of a GPU that calls need beside what their caller holds: it is there as long as it is needed, and no longer."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from support.devices import to_host
from support.emulated_gpu import Captured

import bblas_gen as bb
from bblas_gen.arrays import device as device_arrays
from bblas_gen.arrays.device import ArrayLibrary
from bblas_gen.runtime import gpu, graph_memory
from bblas_gen.runtime.device_storage import DeviceStorage

pytest.importorskip("cuda.core", reason="cuda-core is not installed")
pytestmark = pytest.mark.usefixtures("emulated")


class Pooled(DeviceStorage):
    """An array of a library that has a current stream and gives memory again to others, as CuPy does."""

    __module__ = "pooled"

    def beside(self, shape, dtype, zero):
        found = super().beside(shape, dtype, zero)
        found.__class__ = Pooled
        return found

    @classmethod
    def of(cls, own, array):
        found = DeviceStorage.of(own, array)
        found.__class__ = cls
        return found


@pytest.fixture
def now(monkeypatch):
    """The handle of the current stream of that library."""
    found = [1]
    library = ArrayLibrary(lambda like: found[0], lambda like, *how: like.beside(*how), current=True)
    monkeypatch.setitem(device_arrays.LIBRARIES, "pooled", library)
    return found


@pytest.mark.parametrize("name", ["potrf", "gesv"])
def test_what_a_call_made_for_itself_lives_as_long_as_its_graph(name, now):
    """What matrices report, and pivots that nobody asked for: others get the memory only when the graph has gone."""
    own, count = gpu.gpu(0), 64
    given = [Pooled.of(own, np.tile(np.diag([4.0, 4, -1]), (count, 1, 1)))]
    given += [Pooled.of(own, np.ones((count, 3, 1)))] * (name == "gesv")
    getattr(bb, name)(*given, check="ignore")
    own.stream(None).sync()
    graph_memory._forget()
    before, capture = len(graph_memory._KEPT), Captured()
    with capture:
        now[0] = int(capture.stream.handle)
        getattr(bb, name)(*given, check="ignore")
    now[0] = 1
    others = [DeviceStorage.of(own, np.full(side, 77, np.int32)) for side in (count, 3 * count) for _ in range(6)]
    capture.run()
    assert all((to_host(x) == 77).all() for x in others)
    assert len(graph_memory._KEPT) == before + 1
    capture.graph.close()
    gc.collect()
    graph_memory._forget()
    assert len(graph_memory._KEPT) == before
