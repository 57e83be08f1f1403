"""Batches in host memory that go through a GPU in chunks; where it is emulated its streams run late."""

from __future__ import annotations

import numpy as np
import pytest

import bblas_gen as bb
from bblas_gen.runtime import streaming

pytest.importorskip("cuda.core", reason="cuda-core is not installed")


pytestmark = pytest.mark.usefixtures("device")


def random(*shape):
    return np.random.default_rng(0).standard_normal(shape)


def positive(count, n):
    a = random(count, n, n)
    return a @ a.swapaxes(1, 2) + n * np.eye(n)


@pytest.mark.parametrize("chunk", [1, 1000, 2000, None])
def test_chunks_give_what_one_call_gives(chunk):
    """Of one matrix, of some with a last one that is shorter, of a whole number of slots, and all at once."""
    a, b, c = random(3, 23, 2, 2)
    x = c.copy()
    assert bb.stream("gemm", a, b, x, alpha=2, beta=0.5, chunk_bytes=chunk) is x
    np.testing.assert_allclose(x, 2 * a @ b + 0.5 * c, rtol=1e-12)


@pytest.mark.usefixtures("emulated")
@pytest.mark.parametrize("fault", ["kernels do not wait", "copies out do not wait", "the host does not wait"])
def test_every_event_is_needed(fault, monkeypatch):
    """The emulated device does what is queued late, and in another order where nothing says which."""
    a, b = random(2, 23, 2, 2)
    right, real, calls = a @ b, streaming.follow, []

    def follow(later, earlier):
        calls.append(later)
        if fault != ("kernels do not wait", "copies out do not wait")[(len(calls) + 1) % 2]:
            real(later, earlier)

    if fault == "the host does not wait":
        monkeypatch.setattr(streaming, "wait", lambda event: None)
    else:
        monkeypatch.setattr(streaming, "follow", follow)
    assert not np.allclose(bb.stream("gemm", a, b, chunk_bytes=200), right)


@pytest.mark.parametrize("kind", ["array", "by columns", "bi"])
def test_solvers_report_to_the_host(kind):
    """And what they keep, they keep; the other triangle stays, and what is beside a view in its last block."""
    a, b = positive(29, 3), random(29, 3, 1)
    a[17, 1, 1] = -1
    a[:, 0, 1] = np.nan
    form = {"array": np.copy, "by columns": lambda x: x.swapaxes(1, 2).copy().swapaxes(1, 2), "bi": bb.interleave}[kind]
    whole, out = form(a), form(b)
    part = slice(0, 21)
    x, info = bb.stream("posv", whole[part], out[part], return_info=True, chunk_bytes=900)
    right = form(a), form(b)
    bb.posv(right[0][part], right[1][part], return_info=True)
    assert np.flatnonzero(info).tolist() == [17]
    for found, expected in zip((whole, out), right, strict=True):
        found, expected = (y.data if kind == "bi" else y for y in (found, expected))
        np.testing.assert_allclose(found, expected, rtol=1e-12)
    with pytest.raises(np.linalg.LinAlgError, match=r"1 of 21 matrices .*: 17"):
        bb.stream("posv", form(a)[part], form(b)[part], chunk_bytes=900)
    assert x.shape == (21, 3, 1)


def test_a_sequence_with_an_operand_for_all():
    steps = [bb.step("gemm", "A", "B", "T"), bb.step("gemm", "T", "A", "R")]
    product = bb.sequence(steps, scratch="T")
    a, b = random(2, 2), random(20, 2, 2)
    np.testing.assert_allclose(bb.stream(product, A=a, B=b, R=np.empty_like(b), chunk_bytes=100), a @ b @ a, rtol=1e-12)


def test_vectors_are_vectors():
    a, x = random(20, 2, 2), random(20, 2)
    found = bb.stream("gemv", a, x, chunk_bytes=100)
    np.testing.assert_allclose(found, (a @ x[..., None])[..., 0], rtol=1e-12)


def test_what_has_no_chunks_is_refused():
    a = random(8, 2, 2)
    with pytest.raises(ValueError, match="a has layout 'il': expected blocks"):
        bb.stream("gemm", bb.interleave(a, nb="full"), bb.interleave(a, nb="full"))
    with pytest.raises(TypeError, match="a is a Ragged: expected an array in host memory, or an Interleaved"):
        bb.stream("gemm", [a[0], a[1, :1]], a)
    with pytest.raises(ValueError, match="chunk_bytes = 0: expected a number of bytes"):
        bb.stream("gemm", a, a, chunk_bytes=0)
    with pytest.raises(TypeError, match="gemm has no argument 'num_threads'"):
        bb.stream("gemm", a, a, num_threads=2)
    with pytest.raises(TypeError, match=r"alpha = .*expected one for all matrices"):
        bb.stream("gemm", a, a, alpha=np.ones(8))


def test_a_gpu_that_is_not_there_is_refused_by_its_number(rng):
    a = np.eye(3)[None]
    for wrong in (
        lambda: bb.stream("gemm", a, a, device=97),
        lambda: bb.gemm_async(a[0], a[0], device=97),
        lambda: bb.warmup(["bb_dgemm_nn_bi_m2n2k2"], target="cuda", device=97),
    ):
        with pytest.raises(ValueError, match=r"^device = 97: expected the number of a GPU, 0 to \d+$"):
            wrong()


@pytest.mark.parametrize("overwrite", [True, False])
def test_operands_go_by_place_as_in_the_function(overwrite, rng):
    a, b = rng.standard_normal((5, 3, 3)), rng.standard_normal((5, 3, 2))
    right = np.linalg.solve(a, b)
    np.testing.assert_allclose(bb.stream("gesv", a, b, overwrite=overwrite), right, rtol=1e-9)
