"""Arrays of other libraries on a GPU, streams and graphs: ``pytest --gpu``. Rehearsed with a library that is none."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from support.devices import strict, to_host
from support.emulated_gpu import GpuArray

import bblas_gen as bb
from bblas_gen.runtime.device_storage import DeviceStorage
from bblas_gen.runtime.gpu import gpu

COUNT = 130


@dataclass(frozen=True)
class Stub:
    """Arrays of the host that say they are on the emulated GPU."""

    module: Any = None

    def array(self, x: Any) -> Any:
        return GpuArray(x.copy())

    def host(self, x: Any) -> Any:
        gpu(0).stream(None).sync()
        return x.array

    def stream(self) -> Any:
        return nullcontext()


@dataclass(frozen=True)
class Torch:
    module: Any

    def array(self, x: Any) -> Any:
        return self.module.as_tensor(x, device="cuda")

    def host(self, x: Any) -> Any:
        return x.cpu().numpy()

    def stream(self) -> Any:
        return self.module.cuda.stream(self.module.cuda.Stream())

    def captured(self, call: Callable[[], Any]) -> tuple[Any, Callable[[], None]]:
        """What a call returned to a graph, and what does it again."""
        cuda = self.module.cuda
        call()
        cuda.synchronize()
        graph = cuda.CUDAGraph()
        with cuda.graph(graph):
            found = call()
        return found, graph.replay


@dataclass(frozen=True)
class Cupy:
    module: Any

    def array(self, x: Any) -> Any:
        return self.module.asarray(x)

    def host(self, x: Any) -> Any:
        return self.module.asnumpy(x)

    def stream(self) -> Any:
        return self.module.cuda.Stream(non_blocking=True)

    def captured(self, call: Callable[[], Any]) -> tuple[Any, Callable[[], None]]:
        call()
        stream = self.module.cuda.get_current_stream()
        stream.synchronize()
        stream.begin_capture()
        found = call()
        return found, stream.end_capture().launch


LIBRARIES = {"stub": ("emulated", Stub), "torch": ("gpu", Torch), "cupy": ("gpu", Cupy)}


@pytest.fixture
def library(request: pytest.FixtureRequest, device: str) -> Any:
    where, kind = LIBRARIES[request.param]
    if where == "emulated":
        strict(False)
    try:
        return kind(None if request.param == "stub" else importlib.import_module(request.param))
    except ImportError:
        pytest.skip(f"{request.param} is not installed")


MARKS: dict[str, list[Any]] = {"gpu": [pytest.mark.gpu], "emulated": []}
EACH = pytest.mark.parametrize(
    ("device", "library"),
    [pytest.param(kind, name, marks=MARKS[kind], id=name) for name, (kind, _) in LIBRARIES.items()],
    indirect=True,
)


def random(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


@EACH
def test_results_are_arrays_of_the_callers_library(device, library):
    a, b = random(COUNT, 3, 3), random(COUNT, 3, 3, seed=1)
    with library.stream():
        A, B = library.array(a), library.array(b)
        found = bb.gemm(A, B)
        assert type(found) is type(A)
        np.testing.assert_allclose(library.host(found), a @ b, rtol=1e-12)


@EACH
def test_views_are_worked_on_where_they_are(device, library):
    a, large = random(COUNT, 3, 3), random(COUNT, 5, 7)
    spd, right = a @ a.mT + 3 * np.eye(3), large.copy()
    with library.stream():
        whole = library.array(large)
        bb.posv(library.array(spd), whole[:, 1:4, 2:4])
        found = library.host(whole)
    right[:, 1:4, 2:4] = np.linalg.solve(spd, large[:, 1:4, 2:4])
    np.testing.assert_allclose(found, right, rtol=1e-9)


@EACH
def test_failures_are_told_when_they_are_asked_for(device, library):
    spd = np.tile(2 * np.eye(3), (COUNT, 1, 1))
    spd[7, 1, 1] = -1
    with library.stream():
        _, info = bb.potrf(library.array(spd), return_info=True)
        assert np.flatnonzero(library.host(info)).tolist() == [7]
        if library.module is None:
            return  # the driver knows nothing of its memory
        with pytest.raises(np.linalg.LinAlgError, match="1 of 130 matrices are not positive definite: 7"):
            bb.potrf(library.array(spd), check="raise")


@pytest.mark.gpu
@pytest.mark.parametrize(
    ("device", "library", "new"),
    [("gpu", "torch", True), ("gpu", "torch", False), ("gpu", "cupy", False)],
    ids=["torch-new", "torch-out", "cupy-out"],
    indirect=["device", "library"],
)
def test_a_graph_of_the_library_does_again_what_was_captured(device, library, new):
    """PyTorch gives a graph memory of its own, CuPy may have none to give while a stream captures."""
    a, b = random(COUNT, 3, 3), random(COUNT, 3, 3, seed=1)
    A, B = library.array(a), library.array(b)
    C = None if new else library.array(np.zeros_like(a))
    with library.stream():
        found, again = library.captured(lambda: bb.gemm(A, B, C))
        A[...] = library.array(2 * a)
        again()
        np.testing.assert_allclose(library.host(found), 2 * a @ b, rtol=1e-12)


def test_a_graph_does_again_what_was_captured(device):
    """On a stream of the caller: nothing is allocated, nobody waits."""
    from bblas_gen.bench.gpu.clock import Clock
    from bblas_gen.bench.gpu.latency import OnStream, captured

    clock, stream = Clock(gpu(0)), gpu(0).device.create_stream()
    handle = int(stream.handle)
    a, c = random(COUNT, 3, 3), np.zeros((COUNT, 3, 3))
    A, C = (DeviceStorage.of(gpu(0), x) for x in (a, c))
    clock.wait()
    plan = bb.plan("gemm", *(OnStream(x, handle) for x in (A, A, C)), alpha=1, beta=1)
    graph = captured(clock, handle, [plan, plan])
    stream.sync()
    np.testing.assert_array_equal(to_host(C), c)
    for _ in range(2):
        graph()
    stream.sync()
    np.testing.assert_allclose(to_host(C), 4 * a @ a, rtol=1e-12)


def test_a_call_waits_for_the_streams_of_its_operands(device):
    from bblas_gen.bench.gpu.latency import OnStream

    first, second = (gpu(0).device.create_stream() for _ in range(2))
    a = random(COUNT, 3, 3)
    A, B, C, D = (DeviceStorage.of(gpu(0), x) for x in (a, a, np.zeros_like(a), np.zeros_like(a)))
    gpu(0).stream(None).sync()
    own, other = int(first.handle), int(second.handle)
    bb.gemm(OnStream(A, own), OnStream(B, own), OnStream(C, own))
    bb.gemm(OnStream(A, other), OnStream(C, own), OnStream(D, other))
    second.sync()
    np.testing.assert_allclose(to_host(D), a @ a @ a, rtol=1e-12)
