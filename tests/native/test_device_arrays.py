"""Arrays of a GPU: into interleaved storage and out of it, and those that tell by DLPack where they lie."""

from __future__ import annotations

import copy
import pickle
import sys
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest
from support.emulated_gpu import Captured, DlpackArray, GpuArray, OddDlpack

import bblas_gen as bb
from bblas_gen.arrays import device as device_arrays
from bblas_gen.arrays.device import ArrayLibrary, header, streams_of
from bblas_gen.runtime import dlpack, gpu, kernels
from bblas_gen.runtime.device_storage import DeviceStorage, fetched
from bblas_gen.runtime.launches import done as done_by_driver

pytest.importorskip("cuda.core", reason="cuda-core is not installed")


pytestmark = pytest.mark.usefixtures("emulated")


def random(*shape, dtype="f8"):
    rng = np.random.default_rng(0)
    found = rng.standard_normal(shape)
    return (found + 1j * rng.standard_normal(shape) if np.dtype(dtype).kind == "c" else found).astype(dtype)


def done():
    gpu.gpu(0).stream(None).sync()


@pytest.mark.parametrize(
    ("dtype", "how"), [("f8", {}), ("f4", {"nb": "full"}), ("c16", {"triangle": "L"})], ids=["bi", "il", "bl"]
)
def test_arrays_are_interleaved_where_they_are_and_come_back(dtype, how):
    """The bytes of the storage are those on the host, padding too; of a triangle the rest is zero."""
    a = random(13, 3, 3, dtype=dtype)
    right = bb.interleave(a, **how)
    found = bb.interleave(GpuArray(a), **how)
    back = bb.deinterleave(found)
    done()
    assert isinstance(found.data, GpuArray)
    assert isinstance(back, GpuArray)
    np.testing.assert_array_equal(found.data.array, right.data)
    np.testing.assert_array_equal(back.array, bb.deinterleave(right))


def test_kernels_of_gpus_are_recorded_and_warmed_up(tmp_path):
    a = random(5, 3, 3)
    x = bb.interleave(np.zeros_like(a)).to("cuda")
    with bb.record(tmp_path / "set.toml"):
        bb.interleave(GpuArray(a), out=x)
    kernels.reset()
    found = bb.warmup(tmp_path / "set.toml", target="cuda")
    assert [spec.symbol() for spec in found] == ["bb_dlacpy_t_stbi_m3n3"]
    assert gpu.RUNTIME.kernels.total == 2  # with its module


def test_copies_go_to_what_is_given():
    a = random(20, 3, 3)
    x = bb.interleave(np.zeros_like(a)).to("cuda")
    assert bb.interleave(GpuArray(a), out=x) is x
    np.testing.assert_array_equal(x.to("cpu").deinterleave(), a)
    out = GpuArray(np.zeros((20, 3, 3)))
    assert bb.deinterleave(x, out) is out
    done()
    np.testing.assert_array_equal(out.array, a)


def test_own_storage_has_padding_of_zeros_and_others_can_have_it():
    """The result of a call is made like its operands, in memory with nothing in it."""
    a = random(13, 3, 3)
    _, pivots = bb.getrf(bb.interleave(a).to("cuda"))
    assert not pivots.to("cpu").data[-1, ..., 5:].any()
    rows = pivots.deinterleave()
    done()
    found = fetched(
        header("rows", dlpack.exported({"rows": DlpackArray(rows)}, str)[0]["rows"]), gpu.gpu(0).stream(None)
    )
    np.testing.assert_array_equal(found, bb.getrf(bb.interleave(a))[1].deinterleave())


def test_storage_of_ours_belongs_to_the_default_stream(monkeypatch):
    """Which waits for those who work with it elsewhere, as these wait for it before: also a plan of another stream."""
    a = random(9, 2, 2)
    stream = gpu.gpu(0).device.create_stream()
    x, other = bb.interleave(a).to("cuda"), GpuArray(a.copy(), stream=int(stream.handle))
    out = bb.interleave(np.zeros_like(a)).to("cuda")
    for _ in range(2):
        bb.interleave(bb.deinterleave(x, GpuArray(np.empty_like(a), stream=int(stream.handle))), out=out)
        np.testing.assert_array_equal(out.to("cpu").deinterleave(), a)
    now = [1]
    monkeypatch.setitem(device_arrays.LIBRARIES, "support", ArrayLibrary(lambda like: now[0], None, current=True))
    plan = bb.plan("lacpy", x, other)
    twice = GpuArray(2 * a)  # what is in use must live
    bb.interleave(twice, out=x)
    now[0] = int(stream.handle)
    plan()
    stream.sync()
    np.testing.assert_array_equal(other.array, 2 * a)


@pytest.mark.parametrize(("old", "let_go"), [(False, "array"), (False, "capsule"), (True, "array")])
def test_what_was_given_away_by_dlpack_is_there_until_its_readers_are_done(old, let_go, monkeypatch):
    """Whatever is let go of first; with drivers that have no events of all streams, too. A stream that captures is left
    alone."""
    driver = pytest.importorskip("cuda.bindings.driver")
    if old:
        monkeypatch.setattr(driver, "cuCtxRecordEvent", Mock(side_effect=RuntimeError("not found")))
    a, found = random(9, 2, 2), np.zeros((9, 2, 2))
    own, stream, after = gpu.gpu(0), gpu.gpu(0).device.create_stream(), GpuArray(a.copy())
    x = DeviceStorage.of(own, a)
    bb.gemm(after, after, GpuArray(a.copy()))
    capsule = x.__dlpack__(stream=int(stream.handle))
    done_by_driver(driver.cuMemcpyDtoHAsync(found.ctypes.data, header("x", x).ctypes.data, a.nbytes, stream.handle))
    if let_go == "array":
        del x, capsule
    else:
        del capsule, x
    with Captured() as captured:
        bb.gemm(captured.array(a), captured.array(a), captured.array(a.copy()))
    assert len(own.left) == 1
    bb.gemm(after, after, GpuArray(a.copy()))
    assert not own.left
    stream.sync()
    np.testing.assert_array_equal(found, a)


def test_memory_that_was_given_away_stays_where_the_driver_refuses(monkeypatch):
    """As it does while another thread captures."""
    driver = pytest.importorskip("cuda.bindings.driver")
    x, after = DeviceStorage.of(gpu.gpu(0), random(3)), GpuArray(random(3, 2, 2))
    x.__dlpack__()
    del x
    refused = Mock(return_value=(driver.CUresult.CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,))
    for left, real in ((1, refused), (0, driver.cuCtxRecordEvent)):
        monkeypatch.setattr(driver, "cuCtxRecordEvent", real)
        bb.gemm(after, after, GpuArray(random(3, 2, 2)))
        assert len(gpu.gpu(0).left) == left


def test_a_capture_of_another_thread_is_left_as_it_is():
    """Where its stream is one that the default stream waits for: so the driver says that it captures."""
    capture, done_elsewhere = Captured(nonblocking=False), gpu.gpu(0).device.create_stream()
    a, out = random(3, 2, 2), capture.array(np.zeros((3, 2, 2)))
    after = GpuArray(a, stream=int(done_elsewhere.handle))
    bb.warmup(["bb_dgemm_nn_st_m2n2k2"], target="cuda")
    x = DeviceStorage.of(gpu.gpu(0), a)
    x.__dlpack__()
    with capture:
        bb.gemm(capture.array(a), capture.array(a), out)
        del x
        bb.gemm(after, after, GpuArray(a.copy(), stream=after.stream))
        assert len(gpu.gpu(0).left) == 1
    capture.run()
    np.testing.assert_allclose(out.array, a @ a, rtol=1e-12)
    bb.gemm(after, after, GpuArray(a.copy(), stream=after.stream))
    assert not gpu.gpu(0).left


def test_hosts_and_gpus_storage_do_not_mix():
    a = random(4, 2, 2)
    with pytest.raises(TypeError, match="out is a Interleaved in host memory and a is on a GPU"):
        bb.interleave(GpuArray(a), out=bb.interleave(a))
    with pytest.raises(TypeError, match="a is a ndarray in host memory and out is on a GPU"):
        bb.interleave(a, out=bb.interleave(a).to("cuda"))
    with pytest.raises(ValueError, match="nb = 4 given with out"):
        bb.interleave(GpuArray(a), out=bb.interleave(a).to("cuda"), nb=4)


def test_arrays_that_tell_by_dlpack_alone():
    """They are asked for the stream of the caller, read where they are, and live until the call is done."""
    a = random(20, 3, 3)
    x, y, z = DlpackArray(GpuArray(a)), DlpackArray(GpuArray(a)[:, ::-1]), DlpackArray(GpuArray(np.zeros_like(a)))
    assert bb.gemm(x, y, z) is z
    assert bb.gemm(x, y, z) is z  # as before
    assert x.alive == 2
    done()
    bb.gemm(y, y, z)
    assert x.alive == 0
    assert x.streams == [1, 1]
    done()
    np.testing.assert_allclose(z.own.array, a[:, ::-1] @ a[:, ::-1], rtol=1e-12)
    own = GpuArray(np.zeros_like(a), stream=2)
    bb.gemm(x, x, own)
    assert x.streams[2:] == [2, 2]


def test_what_is_read_only_or_belongs_to_a_library_that_never_writes_is_refused(monkeypatch):
    a = random(20, 3, 3)
    x = DlpackArray(GpuArray(a))
    fixed = DlpackArray(GpuArray(a.copy()), read_only=True)
    with pytest.raises(ValueError, match="c is read-only"):
        bb.gemm(x, x, fixed)
    with pytest.raises(TypeError, match="c is None: no new array is made like a DlpackArray of support"):
        bb.gemm(x, x)
    monkeypatch.setattr(DlpackArray, "__module__", "jaxlib.xla_extension")
    with pytest.raises(TypeError, match="c is a DlpackArray of jaxlib: expected an array that may be written"):
        bb.gemm(x, x, DlpackArray(GpuArray(a.copy())))


def test_what_tells_that_it_is_on_the_host_is_no_array_of_a_gpu():
    x = DlpackArray(GpuArray(random(3, 2, 2)), device=1)
    with pytest.raises(TypeError, match=r"a is a DlpackArray: .*np.from_dlpack\(a\)"):
        bb.gemm(x, x)


def test_views_that_conjugate_when_they_are_read_are_refused(monkeypatch):
    """Of PyTorch's arrays: their interface tells of the memory alone."""
    x = GpuArray(random(3, 2, 2))
    bb.gemm(x, x)
    monkeypatch.setattr(GpuArray, "is_conj", lambda self: True, raising=False)
    with pytest.raises(TypeError, match=r"a is a view .* expected a.resolve_conj\(\)"):
        bb.gemm(x, x)


class Refuses(GpuArray):
    """As arrays of PyTorch do of which it cannot tell where they are."""

    dtype = "torch.float8_e5m2"

    def __init__(self, array, error):
        super().__init__(array)
        self.error = error

    @property
    def __cuda_array_interface__(self):
        if self.error:
            raise self.error
        return super().__cuda_array_interface__


class Brain(GpuArray):
    dtype = "bfloat16"


@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize(
    ("dtype", "array"),
    [
        ("float16", GpuArray(np.zeros((1, 2, 2), "f2"))),
        ("bfloat16", Brain(np.zeros((1, 2, 2), "V2"))),
        ("float8_e5m2", Refuses(np.zeros((1, 2, 2), "V1"), KeyError("float8"))),
        ("bfloat16", OddDlpack("bfloat16", 4, 16)),
        ("float8_e4m3fn", OddDlpack("float8_e4m3fn", 10, 8)),
        ("complex32", OddDlpack("torch.complex32", 5, 32)),
    ],
)
def test_dtypes_that_no_kernel_has_are_named(dtype, array, listed):
    """Also those of which a library, DLPack or NumPy has no name."""
    said = rf"a(\[0\])? has dtype {dtype}: expected one of float32, float64, complex64, complex128"
    with pytest.raises(TypeError, match=said):
        bb.gemm([array] if listed else array, array)
    with pytest.raises(TypeError, match=said.replace("a", "b", 1)):
        bb.gemm(GpuArray(random(1, 2, 2)), array)
    if not listed:
        with pytest.raises(TypeError, match=said):
            bb.interleave(array)


def test_arrays_with_a_gradient_are_refused_by_their_name():
    plain, other = (Refuses(random(1, 2, 2), error) for error in (None, RuntimeError("use detach")))
    said = "is a Refuses that does not tell where it lies: use detach"
    with pytest.raises(TypeError, match=f"a {said}"):
        bb.gemm(other, plain)
    with pytest.raises(TypeError, match=rf"a\[1\] {said}"):
        bb.gemm([plain, other], plain)


def test_the_streams_that_libraries_tell(monkeypatch):
    """That of the caller where a library has one, as PyTorch and CuPy do, for the device of the array."""

    class Tensor:
        device = SimpleNamespace(id=3, index=4)

    asked = []

    def current(device):
        asked.append(device)
        return SimpleNamespace(cuda_stream=7, ptr=8)

    told = GpuArray(np.zeros((1, 1, 1)), stream=5)
    for module, name, handle, device in (
        ("torch", "current_stream", 7, Tensor.device),
        ("cupy._core.core", "get_current_stream", 8, 3),
    ):
        library = SimpleNamespace(cuda=SimpleNamespace(**{name: current}))
        monkeypatch.setitem(sys.modules, module.partition(".")[0], library)
        Tensor.__module__ = module
        assert streams_of([told, Tensor(), told]) == [handle, 5]
        assert asked.pop() == device
        library._C = SimpleNamespace(_cuda_getCurrentRawStream={4: 9}.get)
        assert streams_of([Tensor()]) == [9 if module == "torch" else handle]
    assert streams_of([GpuArray(np.zeros((1, 1, 1)))]) == [0]


def test_tensors_of_pytorch_on_the_host_are_refused_with_what_to_do():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    x = torch.ones(3, 2, 2, dtype=torch.float64)
    for call in (bb.gemm, bb.posv):
        with pytest.raises(TypeError, match=r"a is a Tensor: .*np.from_dlpack\(a\)"):
            call(x, x)
    with pytest.raises(TypeError, match=r"b is a Tensor in host memory and a is on a GPU"):
        bb.gemm(GpuArray(x.numpy()), x)
    assert bb.gemm(np.from_dlpack(x), np.from_dlpack(x)).tolist() == (x @ x).tolist()


def test_arrays_on_a_gpu_are_not_converted_silently():
    a = bb.interleave(random(3, 2, 2)).to("cuda")
    for x in (a, bb.deinterleave(a)):
        with pytest.raises(TypeError, match=r"is not converted silently: use .to\('cpu'\)"):
            np.asarray(x)


def test_arrays_of_devices_that_nobody_can_tell_are_none_of_a_gpu():
    class Meta:
        def __dlpack_device__(self):
            raise ValueError("Unknown device type meta for Dlpack")

    with pytest.raises(TypeError, match="a is a Meta: expected a 3-D array"):
        bb.gemm(Meta(), Meta())


def test_batches_in_blocks_are_multiplied_and_cut_as_in_host_memory():
    a, b = random(11, 2, 2), random(11, 2, 2)
    for more in ({"nb": 4}, {"nb": "full"}):
        host = bb.interleave(a, **more)
        A, B = host.to("cuda"), bb.interleave(b, **more).to("cuda")
        np.testing.assert_allclose((A @ B).to("cpu").deinterleave(), a @ b, rtol=1e-12)
        cuts = [slice(None), slice(6), slice(0)] + [slice(4, 10), slice(8, None)] * (more["nb"] == 4)
        for cut in cuts:
            view = A[cut]
            assert view.shape == host[cut].shape
            np.testing.assert_array_equal(view.to("cpu").deinterleave(), a[cut])
        bb.trmm(GpuArray(np.eye(2)), A[:3], alpha=0.5)
        np.testing.assert_array_equal(A.to("cpu").deinterleave(), np.concatenate([0.5 * a[:3], a[3:]]))
        with pytest.raises(ValueError, match=r"index 1:11:1 is no view"):
            A[1:]
        with pytest.raises(TypeError, match="index is 3: expected a slice, as a batch on a GPU is read by"):
            A[3]
        with pytest.raises(TypeError, match="index is 0: expected a slice"):
            list(A)
        for copied in (pickle.dumps, copy.deepcopy):
            with pytest.raises(TypeError, match="an Interleaved on a GPU is not pickled or copied"):
                copied(A)
            with pytest.raises(TypeError, match="an array on a GPU is not pickled or copied"):
                copied(A.data)
