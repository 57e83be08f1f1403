"""NaN for matrices on a GPU that failed: as on a CPU, and nobody waits."""

from __future__ import annotations

import numpy as np
import pytest
from support.device_operands import back, ours, place
from support.emulated_gpu import Captured, GpuArray, driver_calls, large_from

import bblas_gen as bb
from bblas_gen.arrays import device as device_arrays
from bblas_gen.runtime import gpu

pytest.importorskip("cuda.core", reason="cuda-core is not installed")
pytestmark = pytest.mark.usefixtures("device")


def definite(count, n, dtype="f8", bad=()):
    """Positive definite but for some."""
    a = np.tile(np.arange(1.0, n + 1) * np.eye(n) + 0.25, (count, 1, 1)).astype(dtype)
    a[list(bad), -1, -1] = -1
    return a


@pytest.mark.parametrize(
    ("dtype", "kind", "uplo"),
    [
        ("c16", "st", "U"),
        ("f8", "bl", "L"),
        *(pytest.param(*x, "U", marks=pytest.mark.thorough) for x in (("f4", "st"), ("c8", "bi"), ("f8", "il"))),
        pytest.param("c8", "bl", "U", marks=pytest.mark.thorough),
    ],
)
def test_as_on_the_host(dtype, kind, uplo, copied):
    """Factors of one triangle and right-hand sides: only what would have been written."""
    n, bad = 3, (0, 8, 17)
    a, b = definite(18, n, dtype, bad), np.sqrt(np.full((18, n, 2), -1 if np.dtype(dtype).kind == "c" else 1, dtype))
    if kind == "st":
        wide, x = np.full((18, 2 * n, n + 1), 7, dtype), b.copy()
        wide[:, ::2, 1:] = a
        there, turned = copied(wide), copied(b[:, :, ::-1].copy())
        bb.posv(wide[:, ::2, 1:], x, uplo=uplo, check="nan")
        bb.posv(there[:, ::2, 1:], turned[:, :, ::-1], uplo=uplo, check="nan")
        there, y = back(there), back(turned)[:, :, ::-1]
        real = wide.real.dtype  # NaN of both parts would be equal to that of one
        np.testing.assert_allclose(there.view(real), wide.view(real), rtol=1e-5)
        np.testing.assert_allclose(y.copy().view(real), x.view(real), rtol=1e-5)
        assert np.isnan(y[list(bad)]).all()
        return
    how = {"bi": {"nb": 8}, "il": {"nb": "full"}, "bl": {"nb": 8, "triangle": uplo}}[kind]
    host, x = bb.interleave(a, **how), bb.interleave(b, nb=how["nb"])
    there, y = copied([host, x])
    bb.posv(host, x, uplo=uplo, check="nan")
    bb.posv(there, y, uplo=uplo, check="nan")
    np.testing.assert_allclose(there.to("cpu").data, host.data, rtol=1e-5)
    np.testing.assert_allclose(y.to("cpu").data, x.data, rtol=1e-5)


def matrices(*sizes, bad):
    return [definite(1, n, bad=[0] * (i in bad))[0] for i, n in enumerate(sizes)]


@pytest.mark.parametrize(
    ("given", "uplo"),
    [
        (definite(1, 3, bad=[0])[0], "L"),
        (matrices(2, 3, 3, bad=[0, 1]), "LUL"),
        (matrices(3, 3, 3, bad=[1]), "U"),
        ([definite(2, 2), definite(4, 3, bad=[1])], "LU"),
        (definite(3, 3, bad=[1, 2]), "LUL"),
    ],
    ids=["one", "unlike", "alike", "groups", "each"],
)
def test_arrays_and_lists(given, uplo, copied):
    listed = isinstance(given, list)
    host = [x.copy() for x in given] if listed else given.copy()
    there = copied(given)
    bb.potrf(host, uplo=uplo, check="nan")
    bb.potrf(there, uplo=uplo, check="nan")
    for x, y in zip(host, back(there), strict=True) if listed else [(host, back(there))]:
        np.testing.assert_allclose(y, x, rtol=1e-12)
    assert any(np.isnan(x).any() for x in host)


def test_what_lies_by_addresses(copied):
    """Also where these are on the GPU."""
    a = definite(6, 3, bad=[4])
    host, there = bb.ragged(a.reshape(18, 3), 3 * np.arange(7)), copied(a)
    ragged = host.to("cuda")
    bb.potrf(host, check="nan")
    bb.potrf(ragged, check="nan")
    factors = np.reshape(ragged.to("cpu").values, a.shape)
    np.testing.assert_allclose(factors, host.values.reshape(a.shape), rtol=1e-12)
    assert np.isnan(factors[4]).any()
    table = copied(place(there) + 72 * np.array([4, 1]))
    bb.potrf(bb.pointers(table, (3, 3), "f8"), check="nan")
    bb.potrf(bb.indexed(there, [5, 0]), check="nan")
    there = back(there)
    np.testing.assert_allclose(there[[0, 1, 4, 5]], factors[[0, 1, 4, 5]], rtol=1e-12)
    np.testing.assert_array_equal(there[2:4], definite(2, 3))


@pytest.mark.parametrize(
    ("name", "flags"),
    [
        ("posv", {}),
        *(
            pytest.param(*x, marks=pytest.mark.thorough)
            for x in (("posv", {"uplo": "U"}), ("potrf", {}), ("gesvnp", {}))
        ),
    ],
)
def test_large_matrices_in_parts(name, flags, copied, monkeypatch):
    """Called and planned: of the whole matrix, and of right-hand sides that were given back."""
    large_from(4, monkeypatch)
    a, b = definite(3, 12, bad=[1]), np.ones((3, 12, 8))
    if name == "gesvnp":
        a[1, :, -1] = a[1, -1] = 0
    given = [np.ascontiguousarray(x.mT).mT if flags else x for x in (a, b)][: 1 + (name != "potrf")]
    host, *there = [x.copy(order="K") for x in given], copied(given), copied(given)
    getattr(bb, name)(*host, **flags, check="nan")
    getattr(bb, name)(*there[0], **flags, check="nan")
    bb.plan(name, *there[1], **flags, check="nan")()
    for x, *others in zip(host, *back(there), strict=True):
        assert np.isnan(x[1]).any()
        for y in others:
            np.testing.assert_allclose(y, x, rtol=1e-9)


@pytest.mark.parametrize("how", [{"triangle": "L"}, pytest.param({"nb": "full"}, marks=pytest.mark.thorough)])
def test_lists_of_interleaved_batches(how):
    """Errors name a matrix by its batch, as on the host."""
    host = [bb.interleave(x, **how) for x in (definite(5, 3, bad=[1]), definite(9, 2), definite(9, 2, bad=[8]))]
    there, planned, again = ([x.to("cuda") for x in host] for _ in range(3))
    with pytest.raises(
        np.linalg.LinAlgError, match=r"2 of 23 .*: 1 of group 0 \(info = 3\), 8 of group 2 \(info = 2\)"
    ):
        bb.potrf(again, check="raise")
    bb.potrf(host, check="nan")
    bb.potrf(there, check="nan")
    bb.plan("potrf", planned, check="nan")()
    for x, *others in zip(host, there, planned, strict=True):
        for y in others:
            np.testing.assert_allclose(y.to("cpu").data, x.data, rtol=1e-12)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (matrices(2, 3, 3, bad=[0, 1]), r"0 \(info = 2\), 1 \(info = 3\)"),
        ([definite(2, 2), definite(4, 3, bad=[1])], r"1 of group 1 \(info = 3\)"),
    ],
    ids=["unlike", "groups"],
)
def test_errors_name_what_failed(given, named):
    """Of a call and of each run of a plan."""
    plan = bb.plan("potrf", ours(given), check="raise")
    for run in (plan, lambda: bb.potrf(ours(given), check="raise")):
        with pytest.raises(np.linalg.LinAlgError, match=f"are not positive definite: {named}$"):
            run()


@pytest.mark.usefixtures("emulated")
def test_errors_of_a_plan_are_those_of_its_run(monkeypatch):
    """Which follows the caller to another stream, while what matrices report is in memory of ours."""
    first, second = (gpu.gpu(0).device.create_stream() for _ in range(2))
    now = [int(first.handle)]
    library = device_arrays.ArrayLibrary(lambda like: now[0], None, current=True)
    monkeypatch.setitem(device_arrays.LIBRARIES, "support", library)
    a = bb.interleave(definite(4, 3, bad=[2])).to("cuda")
    plan = bb.plan("posv", a, GpuArray(np.ones((4, 3, 2))), check="raise")
    now[0] = int(second.handle)
    with pytest.raises(np.linalg.LinAlgError, match=r"not positive definite: 2 \(info = 3\)$"):
        plan()


def test_results_elsewhere_and_what_is_asked_for_with_it(copied):
    """Where operands are preserved NaN goes to the copies alone."""
    a, b = definite(4, 3, bad=[2]), np.ones((4, 3, 2))
    host = np.full((4, 3, 2), 5.0)
    given, there = copied([a, b]), copied(host)
    _, right = bb.posv(a, b, out=host, check="nan", return_info=True)
    _, info = bb.posv(*given, out=there, check="nan", return_info=True)
    there, info, kept = back([there, info, given[0]])
    assert info.tolist() == right.tolist() == [0, 0, 3, 0]
    assert np.isnan(there[2]).all()
    np.testing.assert_allclose(there, host, rtol=1e-12)
    np.testing.assert_array_equal(kept, definite(4, 3, bad=[2]))


@pytest.mark.usefixtures("emulated")
def test_plans_and_captures():
    """Also in a graph, of what fails when it is launched."""
    capture = Captured()
    good, stream = definite(5, 3), int(capture.stream.handle)
    a = GpuArray(good.copy(), stream)
    plan = bb.plan("potrf", a, check="nan")
    waits = driver_calls("cuStreamSynchronize")
    with capture:
        plan()
        bb.potrf(a, check="nan")
    assert driver_calls("cuStreamSynchronize") == waits
    a.array[...] = definite(5, 3, bad=[2])
    capture.run()
    assert np.isnan(a.array[2][np.tril_indices(3)]).all()
    assert not np.isnan(np.delete(a.array, 2, 0)).any()
    assert not np.isnan(a.array[2][np.triu_indices(3, 1)]).any()


def test_what_fails_in_a_graph(copied):
    """A plan of ours, and behind it a call: both find what they are given when the graph runs."""
    capture = Captured()
    stream = int(capture.stream.handle)
    good, bad = definite(5, 3), definite(5, 3, bad=[2])
    a, b = copied([good, good], stream)
    plan = bb.plan("potrf", a, check="nan")
    bb.potrf(b, check="nan")  # which loads its kernels
    source = copied(bad, stream)
    given = [bb.plan("geadd", source, x, beta=0) for x in (a, b)]
    with capture:
        for each in (*given, plan):
            each()
        _, info = bb.potrf(b, check="nan", return_info=True)  # which must live as long as the graph
    capture.run()
    assert back(info).tolist() == [0, 0, 3, 0, 0]
    for x in back([a, b]):
        assert np.isnan(x[2][np.tril_indices(3)]).all()
        assert not np.isnan(np.delete(x, 2, 0)).any()
        assert not np.isnan(x[2][np.triu_indices(3, 1)]).any()
