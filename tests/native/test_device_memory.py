"""Memory of a GPU that calls need beside what their caller holds: it lives as long as it is needed, and no longer."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from support.devices import to_host
from support.emulated_gpu import Captured, DlpackArray, GpuArray

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
    graph_memory.let_go()
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
    getattr(bb, name)(*given, check="ignore")
    assert len(graph_memory._KEPT) == before


def test_calls_beside_a_capture_of_others():
    """Tables are copied, and what was exported is held, while another stream captures; the capture goes on."""
    own, held = gpu.gpu(0), DlpackArray(GpuArray(np.tile(np.eye(3), (5, 1, 1))))
    here = own.device.create_stream()
    out = GpuArray(np.zeros((5, 3, 3)), stream=int(here.handle))
    some = [GpuArray(np.eye(3), stream=int(here.handle)) for _ in range(4)]
    bb.gemm(held, held, out)
    bb.gemm(some, some)
    capture = Captured()
    a, b = (capture.array(np.tile(np.eye(3), (5, 1, 1))) for _ in "ab")
    bb.gemm(a, a, b)
    b.array[:] = out.array[:] = 0
    with capture:
        bb.gemm(a, a, b)
        bb.gemm(held, held, out)
        products = bb.gemm(some, some)
        assert held.alive
    here.sync()
    capture.run()
    assert (b.array == np.eye(3)).all()
    assert (out.array == np.eye(3)).all()
    assert all((x.array == np.eye(3)).all() for x in products)


def test_what_was_exported_is_let_go_by_any_call():
    held, out = DlpackArray(GpuArray(np.ones((5, 3, 3)))), GpuArray(np.zeros((5, 3, 3)))
    bb.gemm(held, held, out)
    assert held.alive
    gpu.gpu(0).stream(None).sync()
    bb.gemm(out, out)
    assert not held.alive


def test_new_arrays_free_what_was_lent():
    from cuda.core.utils import StridedMemoryView

    own = gpu.gpu(0)
    for _ in range(3):
        lent = DeviceStorage.of(own, np.zeros(5))
        StridedMemoryView.from_dlpack(lent, stream_ptr=1)
        del lent
    assert len(own.left) == 1


def test_a_plan_outlives_the_stream_on_which_it_was_made(capfd):
    """Its tables are not freed on that stream, which nobody may have any more, but behind all others."""
    own = gpu.gpu(0)
    here = own.device.create_stream()
    some = [GpuArray(np.eye(3), stream=int(here.handle)) for _ in range(4)]
    plan = bb.plan("gemm", some, some)
    plan()
    here.sync()
    own.free_left(own.stream(None))
    here.close()
    del plan
    gc.collect()
    assert len(own.left) == 1
    own.free_left(own.stream(None))
    assert not own.left
    assert "cuMemFreeAsync" not in capfd.readouterr().err


class Fixed(DlpackArray):
    """An array of a library that says by DLPack alone when it is ready, as JAX."""

    __module__ = "jax.fixed"

    @property
    def __cuda_array_interface__(self):
        return {**self.own.__cuda_array_interface__, "stream": None}

    @property
    def shape(self):
        return self.own.shape

    @property
    def ndim(self):
        return self.own.ndim


def test_results_of_arrays_that_are_never_written_are_ours():
    """Their library takes them without a copy."""
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((20, 3, 3)), rng.standard_normal((20, 3, 2))
    spd = a @ a.mT + np.eye(3)
    x, y, z = Fixed(GpuArray(a)), Fixed(GpuArray(b)), Fixed(GpuArray(spd.copy()))
    for _ in range(2):
        product, (solved, info) = bb.gemm(x, y), bb.posv(z, y, overwrite=False, return_info=True)
        for found in (product, solved, info):
            assert type(found) is DeviceStorage
            assert found.__dlpack_device__() == (2, 0)
        np.testing.assert_allclose(to_host(product), a @ b, rtol=1e-12)
        np.testing.assert_allclose(to_host(solved), np.linalg.solve(spd, b), rtol=1e-9)
        assert not to_host(info).any()
    assert (z.own.array == spd).all()
    assert type(bb.gemm(GpuArray(a), y)) is GpuArray
    stored = bb.interleave(x)
    np.testing.assert_array_equal(stored.to("cpu").data, bb.interleave(a).data)
    found = bb.deinterleave(stored)
    np.testing.assert_array_equal(to_host(found), a)
    with pytest.raises(TypeError, match="a is a Fixed of jax: expected an array that may be written"):
        bb.posv(z, y)


def within(kind, array):
    if kind == "indexed":
        return bb.indexed(array, [0, 1, 2, 3])
    table = Fixed(GpuArray(np.array([x.ctypes.data for x in array.own.array], np.uint64)))
    return bb.pointers(table, (3, 3), "f8", owner=array)


@pytest.mark.parametrize("kind", ["indexed", "pointers"])
def test_arrays_within_others_are_asked_whether_they_are_ready(kind):
    """And live until the call is done."""
    array, out = Fixed(GpuArray(np.tile(2 * np.eye(3), (4, 1, 1)))), GpuArray(np.zeros((4, 3, 3)))
    given = within(kind, array)
    asked = given.device_array
    bb.gemm(given, GpuArray(np.tile(np.eye(3), (4, 1, 1))), out)
    assert (len(asked.streams), asked.alive) == (1, 1)
    gpu.gpu(0).stream(None).sync()
    assert (out.array == 2 * np.eye(3)).all()
    bb.gemm(out, out)
    assert not asked.alive


@pytest.mark.parametrize("index", [[0, 2], True, np.array([True, False]), 1.0, (0, [1])], ids=str)
def test_indices_that_would_be_followed_into_the_memory_are_refused(index):
    """By NumPy, in which an array on a GPU is an address."""
    x = DeviceStorage.of(gpu.gpu(0), np.zeros((2, 2)))
    with pytest.raises(TypeError, match=r"expected, of an array on a GPU, integers, slices, None or \.\.\."):
        x[index]
    with pytest.raises(TypeError, match=r"is not compared: use .to\('cpu'\)"):
        assert x != 0
    assert x[np.int64(1), None, ..., :1].shape == (1, 1)
