"""Batches on a GPU that are not one array: lists, variable batches, groups. Results are compared with those on
the host. The device is that of this machine, or is emulated, and does its work only when somebody waits."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from support.device_operands import back, place
from support.device_operands import foreign as there
from support.emulated_gpu import DlpackArray, GpuArray
from support.emulated_gpu import driver_calls as calls

import bblas_gen as bb
from bblas_gen.arrays import device as device_arrays
from bblas_gen.arrays.device import ArrayLibrary, header
from bblas_gen.arrays.ragged import Ragged
from bblas_gen.runtime import dlpack, gpu
from bblas_gen.runtime.device_storage import DeviceStorage
from bblas_gen.runtime.launches import done

pytest.importorskip("cuda.core", reason="cuda-core is not installed")
pytestmark = pytest.mark.usefixtures("device")
EMULATED = pytest.mark.usefixtures("emulated")
SIDES = (2, 1, 2, 2, 0, 1)
"""Of matrices of different shapes: some are alike, and one is empty."""


def random(*shape, seed=0, dtype="f8"):
    rng = np.random.default_rng(seed)
    found = rng.standard_normal(shape)
    return (found + 1j * rng.standard_normal(shape) if np.dtype(dtype).kind == "c" else found).astype(dtype)


def squares(seed=0):
    return [random(n, n, seed=seed + i) for i, n in enumerate(SIDES)]


def positive():
    return [x @ x.T + 2 * np.eye(len(x)) for x in squares()]


def same(found, expected):
    found, expected = list(found), list(expected)
    assert len(found) == len(expected)
    for x, y in zip(found, expected, strict=True):
        if isinstance(y, (list, Ragged)):
            same(x, y)
        else:
            np.testing.assert_allclose(
                x, y.deinterleave() if isinstance(y, bb.Interleaved) else y, rtol=1e-5, atol=1e-6
            )


@pytest.mark.parametrize("dtype", ["f8", "c8"])
def test_lists_of_one_shape(dtype, copied):
    a, b = ([random(2, 2, seed=i + 10 * j, dtype=dtype) for i in range(130)] for j in range(2))
    mixed = copied(a[::-1])[::-1]
    made = bb.gemm(mixed, copied(b), alpha=2.0)
    assert isinstance(made, list)
    assert type(made[0]) is type(mixed[0])
    same(back(made), 2 * np.array(a) @ b)
    same(back([bb.gemm(copied(a), copied(b[0]), copied(np.array(b)), alpha=2.0)])[0], 2 * np.array(a) @ b[0])


def test_lists_of_different_shapes_and_what_they_report(copied):
    a, b = positive(), [random(n, 2) for n in SIDES]
    a[3][1, 1] = -9
    factors, info = bb.potrf(copied(a), return_info=True)
    same(back([info])[0], [0, 0, 0, 2, 0, 0])
    whole = [i for i in range(len(a)) if i != 3]
    same([np.tril(back(factors)[i]) for i in whole], [np.linalg.cholesky(a[i]) for i in whole])
    with pytest.raises(np.linalg.LinAlgError, match=r"1 of 6 matrices are not positive definite: 3 \(info = 2\)"):
        bb.potrf([DeviceStorage.of(gpu.gpu(0), x) for x in a], check="raise")
    same(back(bb.gemm(copied(a), copied(b))), [x @ y for x, y in zip(a, b, strict=True)])


@EMULATED
@pytest.mark.thorough
def test_pivots_of_lists():
    a, b = squares(seed=5), [random(n, 1) for n in SIDES]
    factors, pivots = bb.getrf(there(a))
    first = [np.argmax(abs(x), axis=0)[0] + 1 for x in a if len(x)]
    assert [x[0] for x in back(pivots) if len(x)] == first
    found = bb.getrs(factors, pivots, there(b))
    good = [i for i, n in enumerate(SIDES) if n]
    same([back(found)[i] for i in good], [np.linalg.solve(a[i], b[i]) for i in good])
    square, right = np.array([a[0], a[2], a[3]]), np.array([b[0], b[2], b[3]])
    given = there(np.zeros((3, 2), np.int32))  # as an array, beside a list that is not alike in memory
    turned = [GpuArray(x.T.copy().T if i else x.copy()) for i, x in enumerate(square)]
    same(back(bb.getrs(*bb.getrf(turned, given), there(right))), np.linalg.solve(square, right))


def test_ragged_batches(copied):
    rows, flat = bb.ragged(random(7, 2), [0, 2, 2, 3, 7]), bb.ragged(random(6), [0, 4, 5, 6], [[2, 2], [1, 1], [1, 1]])
    moved = rows.to("cuda")
    assert moved.to("cuda") is moved
    same(moved.to("cpu"), rows)
    same(back([bb.gemm(moved, moved, transa="T")])[0], [x.T @ x for x in rows])  # one array
    eye = DeviceStorage.of(gpu.gpu(0), np.eye(2))
    same(back(bb.gemm(moved, eye)), rows)  # of rows
    same(back(bb.gemm(flat.to("cuda"), flat.to("cuda"))), [x @ x for x in flat])  # of shapes
    own = bb.ragged(copied(random(7, 2)), [0, 2, 2, 3, 7])  # an array of any library
    assert own[3].shape == (4, 2)
    same(back(bb.gemm(own, copied(np.eye(2))).values), rows.values)
    with pytest.raises(ValueError, match="where = 'gpu': expected one of 'cuda', 'cpu'"):
        rows.to("gpu")


def test_groups_of_arrays(copied):
    a, b = [random(3, 2, 2), random(0, 1, 1), random(2, 1, 1)], [random(3, 2, 1), random(0, 1, 1), random(2, 1, 1)]
    found = bb.gemm(copied(a), copied(b), alpha=[2.0, 1.0, -1.0])
    same(back(found), [factor * x @ y for factor, x, y in zip((2, 1, -1), a, b, strict=True)])
    spd = [-np.ones((2, 1, 1)), np.array([np.eye(2), -np.eye(2)])]
    _, info = bb.potrf(copied(spd), return_info=True)
    same(back([info])[0], [1, 1, 0, 1])
    with pytest.raises(np.linalg.LinAlgError, match=r"0 of group 0 .*, 1 of group 0 .*, 1 of group 1 \(info = 1\)"):
        bb.potrf([DeviceStorage.of(gpu.gpu(0), x) for x in spd], check="raise")


@pytest.mark.thorough
def test_groups_of_interleaved_batches(copied):
    a = [bb.interleave(random(9, 2, 2)), bb.interleave(random(3, 1, 1))]
    found = bb.gemm(copied(a), copied(a), alpha=[-1.0, 2.0])
    same(back(found), [factor * x.deinterleave() @ x.deinterleave() for factor, x in zip((-1, 2), a, strict=True)])
    spd = [np.tile(np.eye(2), (9, 1, 1)), -np.ones((3, 1, 1))]
    _, info = bb.potrf(copied([bb.interleave(x) for x in spd]), return_info=True)
    same(back([info])[0], [0] * 9 + [1] * 3)
    with pytest.raises(TypeError, match=r"b\[1\] is a Interleaved in host memory"):
        bb.gemm(copied(a), [copied(a[0]), a[1]])


def test_flags_and_scalars_of_each_matrix(copied):
    a, b = random(5, 2, 2), random(5, 2, 2)
    alpha, letters = [0.5, -2.0, 0.5, 2.0, 0.5], "NTNNT"
    turned = np.array([x.T if flag == "T" else x for x, flag in zip(a, letters, strict=True)])
    found = bb.gemm(copied(a), copied(b), alpha=alpha, transa=letters)
    same(back([found])[0], np.array(alpha)[:, None, None] * turned @ b)
    alpha = [2j, 1 - 2j, 0.5, 2j, 0.5]
    found = bb.gemm(copied(list((a + 1j * b).astype("c8"))), copied(b.astype("c8")), alpha=alpha)
    same(back(found), np.array(alpha)[:, None, None] * (a + 1j * b) @ b)


def test_matrices_that_an_index_names(copied):
    base, index = random(3, 2, 2), [2, 0, -1, 1]
    own = copied(base)
    same(back([bb.gemm(bb.indexed(own, index), copied(base[0]))])[0], base[index] @ base[0])
    at = place(own) + 32 * np.array([1, 1], np.int64)
    same(back([bb.gemm(bb.pointers(at, (2, 2), "f8", owner=own), own[0])])[0], base[[1, 1]] @ base[0])
    with pytest.raises(TypeError, match="the matrices are on a GPU"):
        bb.indexed(own, index)[0]
    for where in (base, own):  # a call on the host is not taken for one on the GPU
        x, out = bb.indexed(where, [2, 0]), np.zeros((2, 2, 2))
        bb.gemm(x, x, bb.indexed(copied(out) if where is own else out, [0, 1]))


def test_tables_of_addresses_that_are_on_the_gpu(stream, copied):
    given, at = random(2, 2, 2), int(stream.handle)
    a, first, c = copied(given, at), copied(given[0], at), copied(np.zeros((2, 2, 2)))
    A, C = (bb.pointers(copied(place(x) + 32 * np.arange(2), at), (2, 2), "f8") for x in (a, c))
    bb.warmup(["bb_dgemm_nn_stpppp_m2n2k2"], target="cuda")
    run = captured(stream, lambda: bb.gemm(A, first, C))  # also a call that is not planned: it copies nothing
    same(back(c), np.zeros((2, 2, 2)))
    run()
    stream.sync()
    same(back(c), given @ given[0])
    with pytest.raises(TypeError, match="the addresses of an operand are on a GPU: expected matrices, flags and"):
        bb.gemm(A, a, C, alpha=[1.0, 2.0])
    with pytest.raises(TypeError, match="addresses has dtype float64: expected 64-bit integers"):
        bb.pointers(a, (2, 2), "f8")
    with pytest.raises(ValueError, match=r"addresses has strides \(16,\): expected one after another"):
        bb.pointers(copied(np.arange(8))[::2], (2, 2), "f8")


def test_vectors_and_sequences(copied):
    a, x = squares(), [random(n) for n in SIDES]
    same(back(bb.gemv(copied(a[:1]), copied(x[:1]))), [a[0] @ x[0]])
    same(back([bb.plan("gemv", copied(a[0][None]), copied(x[0][None]))()])[0], [a[0] @ x[0]])
    same(back([bb.logdet([DeviceStorage.of(gpu.gpu(0), np.eye(n)) for n in SIDES])])[0], np.zeros(len(SIDES)))
    twice = bb.sequence([bb.step("gemm", "A", "B", "T"), bb.step("gemm", "T", "A", "R")], scratch="T")
    same(back(twice(A=copied(a), B=copied(a))), [x @ x @ x for x in a])


def test_tables_of_calls_that_wait_stay_as_they_are(copied):
    first, second = [random(2, 2, seed=i) for i in range(9)], [random(2, 2, seed=i) for i in range(20, 29)]
    both = [(copied(x), copied(x)) for x in (first, second)]
    plans = [bb.plan("gemm", *x) for x in both]  # which keep their tables: to free some is to wait, here
    for x, plan in zip((first, second), plans, strict=True):
        same(back(plan()), [y @ y for y in x])


@pytest.fixture
def stream():
    from cuda.core import StreamOptions

    return gpu.gpu(0).device.create_stream(options=StreamOptions(nonblocking=True))


def captured(stream, work):
    """A graph of the work on a stream, ready to run."""
    from cuda.bindings import driver

    done(driver.cuStreamBeginCapture(stream.handle, driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED))
    try:
        work()
    finally:
        (graph,) = done(driver.cuStreamEndCapture(stream.handle))
    how = driver.CUDA_GRAPH_INSTANTIATE_PARAMS()
    (ready,) = done(driver.cuGraphInstantiateWithParams(graph, how))
    return lambda: done(driver.cuGraphLaunch(ready, stream.handle))


COSTS = ("cuMemAllocAsync", "cuMemFreeAsync", "cuMemcpyHtoDAsync", "cuStreamSynchronize", "cuMemsetD8Async")


@EMULATED
def test_plans_of_lists_are_launches_alone_also_in_a_graph(stream):
    a, b = positive(), [random(n, 1) for n in SIDES]
    at = int(stream.handle)
    A, B = there(a, at), there(b, at)
    A[0].array[...] = -np.eye(2)
    plan = bb.plan("posv", A, B)
    before = [calls(name) for name in COSTS]
    run = captured(stream, plan)
    assert [calls(name) for name in COSTS] == before
    assert "posv" in repr(plan)
    for x, y in zip([*A, *B], [*a, *b], strict=True):
        x.array[...] = y
    A[5].array[...] = -1
    run()
    stream.sync()
    same(plan.info.array, [0, 0, 0, 0, 0, 1])
    same([x.array for x in B[:4]], [np.linalg.solve(x, y) for x, y in zip(a[:4], b[:4], strict=True)])


@pytest.mark.parametrize("kind", ["one shape", "groups", "interleaved", "each"])
def test_plans_of_all_other_batches(kind, stream, copied):
    at = int(stream.handle)
    operands = {
        "one shape": [random(2, 2, seed=i) for i in range(3)],
        "groups": [random(3, 2, 2), random(2, 1, 1)],
        "interleaved": [bb.interleave(random(9, 2, 2)), bb.interleave(random(3, 1, 1))],
        "each": random(3, 2, 2),
    }[kind]
    alpha = [2.0, 0.5, 2.0] if kind == "each" else [1.0] * len(operands)
    A = copied(operands) if kind == "interleaved" else copied(operands, at)
    plan = bb.plan("gemm", A, A, alpha=alpha if kind == "each" else 1.0)
    gpu.gpu(0).stream(None).sync()
    plan()
    stream.sync()
    arrays = [x.deinterleave() if isinstance(x, bb.Interleaved) else x for x in operands]
    same(back([plan.output])[0], [factor * x @ x for factor, x in zip(alpha, arrays, strict=True)])


@EMULATED
def test_a_graph_has_no_call_that_copies(stream):
    a = there([random(2, 2)], int(stream.handle))
    bb.warmup(["bb_dgemm_nn_pp_m2n2k2"], target="cuda")
    with pytest.raises(bb.CaptureError, match=r"expected, in a graph, a bb\.plan that was made before"):
        captured(stream, lambda: bb.gemm(a, a, there([np.eye(2)], int(stream.handle))))


@EMULATED
def test_a_graph_has_no_variable_batch_whose_kernels_are_not_loaded(stream, monkeypatch):
    at = int(stream.handle)
    a = there([random(2, 2), random(1, 2)], at)
    b = there(random(2, 1), at)
    monkeypatch.setattr(gpu, "side_by_side", None)  # nothing is compiled
    with pytest.raises(bb.CaptureError, match=r"is not loaded, .* bb\.warmup"):
        captured(stream, lambda: bb.gemm(a, b))


@EMULATED
@pytest.mark.parametrize("sides", [(2, 2), (2, 1)])
def test_plans_of_lists_follow_the_caller(sides, stream, monkeypatch):
    """Their tables are there by then, and live until what is queued is done."""
    now = [1]
    library = ArrayLibrary(lambda like: now[0], device_arrays.STANDARD.make, current=True)
    monkeypatch.setitem(device_arrays.LIBRARIES, "support", library)
    monkeypatch.setattr(dlpack, "_HELD", deque())
    a = [random(n, 2, seed=n) for n in sides]
    A, b = there(a), random(2, 2)
    plan = bb.plan("gemm", A, there(b))
    before = [calls(name) for name in COSTS]
    now[0] = int(stream.handle)
    run = captured(stream, plan)
    assert [calls(name) for name in COSTS] == before
    for x in A:
        x.array *= 2
    run()
    stream.sync()
    same([x.array for x in plan.output], [2 * x @ b for x in a])
    for x in A:
        x.array *= 2
    output, before = plan(), calls("cuMemFreeAsync")
    del plan
    assert calls("cuMemFreeAsync") == before
    stream.sync()
    same([x.array for x in output], [4 * x @ b for x in a])


@EMULATED
def test_lists_of_arrays_that_tell_by_dlpack_alone():
    a, out = [random(2, 2, seed=i) for i in range(3)], np.zeros((3, 2, 2))
    x = [DlpackArray(GpuArray(y)) for y in a]
    made = bb.gemm(x, there(a), GpuArray(out))
    assert [y.alive for y in x] == [1, 1, 1]
    same(back([made])[0], np.array(a) @ np.array(a))
    assert [y.streams for y in x] == [[1]] * 3
    with pytest.raises(
        TypeError, match=r"a\[1\] is a DlpackArray and a\[0\] a GpuArray: expected arrays of one library"
    ):
        bb.gemm([GpuArray(a[0]), x[1]], there(a[:2]))
    with pytest.raises(TypeError, match="values is a DlpackArray that tells by DLPack alone where it lies"):
        bb.ragged(x[0], [0, 1, 2])


def test_lists_are_interleaved_where_they_are(copied):
    a = [random(2, 2, seed=i) for i in range(3)]
    same(back([bb.deinterleave(bb.interleave(copied(a)))])[0], a)


@pytest.mark.parametrize("sides", [(2, 2), (2, 1)])
def test_lists_of_own_arrays_belong_to_the_default_stream(sides, stream, copied):
    """Which goes on behind calls on another one."""
    a, b = [random(n, 2) for n in sides], random(2, 2)
    out = [DeviceStorage.of(gpu.gpu(0), np.zeros((n, 2))) for n in sides]
    given = copied(a, int(stream.handle)), copied(b, int(stream.handle))
    plan = bb.plan("gemm", *given, out)  # which keeps its tables: to free some is to wait, here
    plan()
    same([x.to("cpu") for x in out], [x @ b for x in a])


def test_views_of_own_arrays_tell_where_they_lie():
    """By either way."""
    a = random(4, 3, 5)
    own = DeviceStorage.of(gpu.gpu(0), a)
    for x, right in ((own[1:3], a[1:3]), (own[2].reshape(5, 3), a[2].reshape(5, 3))):
        same(x.to("cpu"), right)
        told = header("x", dlpack.exported({"x": DlpackArray(x)}, str)[0]["x"])
        assert (told.ctypes.data, told.shape) == (header("x", x).ctypes.data, right.shape)
    with pytest.raises(ValueError, match=r"strides \(.*\): expected, for a copy, none between elements"):
        own[:, :, 1:].to("cpu")
    with pytest.raises(ValueError, match="to reshape an array"):
        own[:, :, 1:].reshape(4, 12)
    part = bb.gemm(own[:, :2, 1:3], own[:, :2, 1:3])
    same(back([part])[0], a[:, :2, 1:3] @ a[:, :2, 1:3])


@EMULATED
def test_what_is_wrong_with_a_list_is_named():
    a, eye = [random(2, 2), random(2, 2)], np.eye(2)
    with pytest.raises(
        TypeError, match=r"a\[1\] is a ndarray in host memory and a\[0\] is on a GPU: expected both there"
    ):
        bb.gemm([there(eye), eye], there(a))
    with pytest.raises(TypeError, match=r"b\[0\] is a ndarray in host memory and a is on a GPU: expected both there"):
        bb.gemm(there(a), a)
    with pytest.raises(TypeError, match=r"a\[1\] is on a GPU and a\[0\] in host memory: expected both there"):
        bb.gemm([eye, there(eye)], a)
    with pytest.raises(TypeError, match=r"a\[1\] has dtype float32 but a\[0\] has float64: expected one dtype"):
        bb.gemm(there([eye, eye.astype("f4")]), there(a))
    with pytest.raises(TypeError, match=r"a\[0\] has dtype int64: expected one of"):
        bb.gemm(there([eye.astype("i8")]), there(a))
    with pytest.raises(ValueError, match=r"a\[1\] has shape \(2,\): expected a 2-D array"):
        bb.gemm(there([eye, eye[0]]), there(a))
    with pytest.raises(ValueError, match=r"matrix 1: b has 2 rows but a has 3 columns: expected k = 3"):
        bb.gemm(there([eye, random(2, 3)]), there(a))
    with pytest.raises(ValueError, match="b is an empty list: an empty batch is an array"):
        bb.gemm(there(a), [])
    with pytest.raises(ValueError, match="overlaps itself"):
        bb.gemm(there(a), there(a), [there(eye)] * 2)
    with pytest.raises(TypeError, match=r"ipiv\[0\] has dtype float64: expected int32"):
        bb.getrs(there(a), there([eye[0], eye[0]]), there(a))
    odd = np.zeros(33, np.uint8)[1:].view("f8").reshape(2, 2)
    for value in ([GpuArray(odd)], GpuArray(odd[None])):
        with pytest.raises(ValueError, match=r"a(\[0\])? has elements that are not aligned"):
            bb.gemm(value, there(eye))
    with pytest.raises(ValueError, match=r"ipiv has strides .*: expected indices of a matrix one after another"):
        bb.getrs(there(np.array(a)), GpuArray(np.ones((2, 4), "i4")[:, ::2]), there(np.array(a)))


@EMULATED
def test_items_are_on_one_gpu():
    class Elsewhere(GpuArray):
        device = "another"

    with pytest.raises(ValueError, match=r"a\[1\] is on another and a\[0\] on emulated: expected one GPU"):
        bb.gemm([there(np.eye(2)), Elsewhere(np.eye(2))], there(np.eye(2)))
