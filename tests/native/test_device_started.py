"""One large problem in host memory on a GPU: panels come, are worked on and go. An emulated one does
late what is queued."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
from support.emulated_gpu import driver_calls, large_from

import bblas_gen as bb
from bblas_gen.runtime import device_started

pytest.importorskip("cuda.core", reason="cuda-core is not installed")


pytestmark = pytest.mark.usefixtures("device")
ORDER = 4


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    large_from(ORDER, monkeypatch)


def positive(rng, n):
    a = rng.standard_normal((n, n))
    return a @ a.T + n * np.eye(n)


@pytest.mark.parametrize("panel", [200, None])
def test_a_solver_waits_and_returns_what_the_call_returns(panel, device, rng):
    a, b = positive(rng, 12), rng.standard_normal((12, 8))
    before, right = a.copy(), np.linalg.solve(a, b)
    work = bb.posv_async(a, b, panel_bytes=panel, return_info=True)
    if device == "emulated":  # others may be done by now
        assert not work.done()
        np.testing.assert_array_equal(a, before)
    x, info = work.wait()
    assert work.done()
    assert info == 0
    assert x is b
    np.testing.assert_allclose(x, right, rtol=1e-11)
    np.testing.assert_array_equal(np.triu(a, 1), np.triu(before, 1))
    if device == "emulated":
        assert driver_calls("cuMemHostRegister") == driver_calls("cuMemHostUnregister") > 0


def test_a_right_hand_side_may_be_a_vector(rng):
    """As in the call itself: the vector that was given, or ``out``, or a new one has the solution."""
    a, b = positive(rng, 12), rng.standard_normal(12)
    right, kept, out = np.linalg.solve(a, b), b.copy(), np.empty(12)
    found, info = bb.posv_async(a.copy(), b, overwrite=False, return_info=True).wait()
    assert info == 0
    assert bb.posv_async(a.copy(), b, out=out).wait() is out
    np.testing.assert_array_equal(b, kept)
    assert bb.posv_async(a.copy(), b).wait() is b
    factor, other = bb.potrf(a.copy()), kept.copy()
    assert bb.potrs_async(factor, other).wait() is other
    for x in (found, out, b, other):
        assert x.shape == (12,)
        np.testing.assert_allclose(x, right, rtol=1e-11)


def test_several_threads_may_wait():
    """Each until what is done on the host then is done."""
    copying, found = threading.Event(), []

    def copied():
        copying.set()
        time.sleep(0.02)
        found.append(1)

    begun = device_started.Begun(after=[copied])
    first = threading.Thread(target=begun.wait)
    first.start()
    copying.wait()
    begun.wait()
    assert found
    first.join()


def test_right_hand_sides_go_panel_by_panel(device, rng):
    """Rows of the factor that are read by all come once; a view with gaps, and one whose elements lie apart."""
    a, wide = np.eye(8) + np.tril(rng.standard_normal((8, 8))), rng.standard_normal((8, 40))
    b, c = wide[:, 3:20], wide[:, 20::2]
    right = [np.linalg.solve(a, x) for x in (b, c)]
    copies = driver_calls("cuMemcpy2DAsync") if device == "emulated" else 0
    works = [bb.trsm_async(a, x, panel_bytes=8 * 8 * 4) for x in (b, c)]
    if device == "emulated":
        assert driver_calls("cuMemcpy2DAsync") - copies == 2 * 2 + 2 * (5 + 3)
    for work, expected in zip(works, right, strict=True):
        np.testing.assert_allclose(work.wait(), expected, rtol=1e-9)
    np.testing.assert_allclose(b, right[0], rtol=1e-9)
    np.testing.assert_allclose(c, right[1], rtol=1e-9)


@pytest.mark.usefixtures("emulated")
@pytest.mark.parametrize("fault", ["kernels do not wait", "copies out do not wait"])
def test_every_event_is_needed(fault, rng, monkeypatch):
    a, b = np.eye(8) + np.tril(rng.standard_normal((8, 8))), rng.standard_normal((8, 8))
    right, real, streams = np.linalg.solve(a, b), device_started.follow, []

    def follow(later, earlier):
        streams.extend(x for x in (later, earlier) if x not in streams)  # for kernels, for copies in, for copies out
        if streams.index(later) != (0 if fault == "kernels do not wait" else 2):
            real(later, earlier)

    monkeypatch.setattr(device_started, "follow", follow)
    assert not np.allclose(bb.trsm_async(a, b).wait(), right)


def test_results_that_are_left_out_failures_and_errors(device, rng):
    a, b = rng.standard_normal((6, 7)), rng.standard_normal((7, 5))
    np.testing.assert_allclose(bb.gemm_async(a, b, alpha=2).wait(), 2 * a @ b, rtol=1e-12)
    bad, x = positive(rng, 8), rng.standard_normal((8, 4))
    bad[5, 5] = -1
    kept = x.copy()
    work = bb.posv_async(bad, x)
    with pytest.raises(np.linalg.LinAlgError, match=r"posv: 1 of 1 matrices are not positive definite: 0 \(info = 6\)"):
        work.wait()
    np.testing.assert_array_equal(x, kept)
    with pytest.raises(ValueError, match=r"trsm is given batches: expected matrices, as bb\.stream is for batches"):
        bb.trsm_async(np.ones((2, 3, 3)), np.ones((2, 3, 3)))
    with pytest.raises(ValueError, match="b has 2 rows but a has 3 rows"):
        bb.trsm_async(np.eye(3), np.ones((2, 3)))
    with pytest.raises(ValueError, match="op = 'getrf' is not done in parts"):
        bb.start("getrf", np.eye(3))
    with pytest.raises(ValueError, match="panel_bytes = 0: expected a number of bytes"):
        bb.start("trsm", np.eye(3), np.eye(3), panel_bytes=0)
    with pytest.raises(TypeError, match="b is a list: expected an array in host memory"):
        bb.trsm_async(np.eye(3), [1])
    twice = bb.sequence([bb.step("potrf", "A"), bb.step("potrf", "B")])
    with pytest.raises(ValueError, match="has several steps that report: expected one at most"):
        bb.start(twice, np.eye(6), np.eye(6))
    if device == "emulated":
        assert driver_calls("cuMemHostRegister") == driver_calls("cuMemHostUnregister")
    assert "done" in repr(bb.gemm_async(np.zeros((0, 3)), np.zeros((3, 2))))
