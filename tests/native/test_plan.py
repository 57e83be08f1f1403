"""Plans, compile, threads and forks."""

from __future__ import annotations

import copy
import gc
import inspect
import multiprocessing
import pickle
import threading
import weakref

import numpy as np
import pytest
from support.extended import random
from support.table import ORACLES

import bblas_gen as bb
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.documentation import FUNCTIONS
from bblas_gen.ir.spec import default_flag
from bblas_gen.runtime import kernels


@pytest.mark.parametrize("dtype", ["float64", "complex64"])
@pytest.mark.parametrize(("op", "inputs", "ndim"), [("dot", 2, 1), ("nrm2", 1, 1), ("logdet", 1, 2)])
def test_a_plan_returns_numbers_as_its_function_does(rng, op, inputs, ndim, dtype):
    for shape in ((4,) * ndim, (3, *(4,) * ndim)):
        operands = [abs(random(rng, shape, dtype)) + 1 for _ in range(inputs)]
        operands = [x.astype(dtype) for x in operands]
        wanted, plan = getattr(bb, op)(*operands), bb.plan(op, *operands)
        for _ in range(2):
            found = plan()
            assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
            assert found.tobytes() == wanted.tobytes()


def by_place(op):
    """What a function takes by place: names, and how many of them it needs."""
    found = inspect.signature(getattr(bb, op)).parameters.values()
    found = [x for x in found if x.kind is x.POSITIONAL_OR_KEYWORD]
    return [x.name for x in found], sum(x.default is x.empty for x in found)


def operands_of(op, names):
    row = OPS[op]
    flags = {flag: default_flag(flag) for flag in row.flags}
    made = ORACLES[op].make(np.random.default_rng(7), 3, dict.fromkeys(row.sizes, 3), flags, "float64")
    made = {x.lower(): y[..., 0] if row.operand(x).is_vector and y.ndim == 3 else y for x, y in made.items()}
    return [made[name].copy() for name in names]


@pytest.mark.parametrize("op", FUNCTIONS)
def test_a_plan_takes_what_its_function_takes_by_place(op):
    """With what may be left out, and without, and with info; one operand more is refused, and one less."""
    names, least = by_place(op)
    words = dict.fromkeys(FUNCTIONS[op].required, 2.0) | ({"return_info": True} if OPS[op].info else {})
    for count in {least, len(names)}:
        called, planned = (operands_of(op, names[:count]) for _ in range(2))
        wanted, found = getattr(bb, op)(*called, **words), bb.plan(op, *planned, **words)()
        wanted, found = (x if isinstance(x, tuple) else (x,) for x in (wanted, found))
        assert [(x.shape, x.dtype) for x in found] == [(x.shape, x.dtype) for x in wanted]
        assert [x.tobytes() for x in (*found, *planned)] == [x.tobytes() for x in (*wanted, *called)]
    with pytest.raises(TypeError, match=f"^{op} takes .* by place.*: {len(names) + 1} given by place"):
        bb.plan(op, *planned, None, **words)
    with pytest.raises(TypeError, match=f"^{op} needs .*{names[least - 1]} is missing"):
        bb.plan(op, *planned[: least - 1], **words)
    with pytest.raises(TypeError, match=f"^{names[0]} is given twice"):
        bb.plan(op, planned[0], **words | {names[0]: planned[0]})
    for name in FUNCTIONS[op].required:
        with pytest.raises(TypeError, match=f"^{op} needs .*: {name} is missing"):
            bb.plan(op, *planned)


def test_a_plan_sees_new_numbers_and_keeps_its_operands(rng):
    a, b, c = (random(rng, (5, 3, 3), "float64") for _ in range(3))
    k = bb.plan("gemm", a, b, c, alpha=2.0)
    assert k() is c
    np.testing.assert_allclose(c, 2 * a @ b)
    a[...] = 1
    np.testing.assert_allclose(k(), 2 * np.ones((3, 3)) @ b)
    kept = weakref.ref(a)
    del a
    gc.collect()
    assert kept() is not None
    assert repr(k) == "<Plan of bb_dgemm_nn_st_m3n3k3>"


def test_a_plan_is_neither_pickled_nor_copied(rng):
    plan = bb.plan("nrm2", random(rng, (5, 3), "float64"))
    for copied in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match="a Plan is not pickled or copied, as it works"):
            copied(plan)


def test_a_plan_makes_its_output(rng):
    a, b = random(rng, (5, 3, 3), "complex64"), random(rng, (5, 3, 3), "complex64")
    np.testing.assert_allclose(bb.plan("gemm", a, b)(), a @ b, rtol=1e-5)
    x, y = bb.interleave(a), bb.interleave(b)
    np.testing.assert_allclose(bb.plan("gemm", x, y)().deinterleave(), a @ b, rtol=1e-5)
    lists = bb.plan("gemm", list(a), list(b))()
    np.testing.assert_allclose(np.array(lists), a @ b, rtol=1e-5)


def test_a_plan_copies_again_what_must_be_copied(rng):
    raw = np.zeros(5 * 9 * 8 + 1, np.uint8)
    a = raw[1:].view(float).reshape(5, 3, 3)
    b = random(rng, (5, 3, 3), "float64")
    mixed = [np.array(x, order="F" if i % 2 else "C") for i, x in enumerate(b)]
    out = np.zeros(5 * 9 * 8 + 1, np.uint8)[1:].view(float).reshape(5, 3, 3)
    k = bb.plan("gemm", a, mixed, out)
    for _ in range(2):
        a[...] = random(rng, (5, 3, 3), "float64")
        k()
        np.testing.assert_allclose(out, a @ b)


def test_a_plan_of_a_copy(rng):
    a = random(rng, (9, 3, 5), "complex128")
    x = bb.Interleaved.empty((9, 5, 3), "complex128")
    k = bb.plan("lacpy", a, x, transa="C")
    for _ in range(2):
        assert k() is x
        assert np.array_equal(x.deinterleave(), a.conj().swapaxes(1, 2))
        a *= 2


def test_a_plan_of_nothing():
    k = bb.plan("gemm", np.ones((0, 3, 3)), np.ones((0, 3, 3)))
    assert k().shape == (0, 3, 3)
    assert k.kernel is None
    assert repr(k) == "<Plan of nothing>"


def test_compile_gives_the_kernel_that_gemm_runs(rng):
    a, b = random(rng, (4, 2, 3), "float64"), random(rng, (4, 3, 5), "float64")
    kernel = bb.compile("gemm", "d", m=2, n=5, k=3)
    assert bb.plan("gemm", a, b).kernel is kernel
    assert kernel.spec.symbol() == "bb_dgemm_nn_st_m5n2k3"
    assert kernel.source.text.count(kernel.source.symbol) >= 2
    assert kernel.library.path.is_file()
    columns = [np.swapaxes(np.swapaxes(x, 1, 2).copy(), 1, 2) for x in (a, b, np.zeros((4, 2, 5)))]
    other = bb.compile("gemm", "d", m=2, n=5, k=3, order="F")
    assert bb.plan("gemm", *columns).kernel is other
    assert other.spec.symbol() == "bb_dgemm_nn_st_m2n5k3"
    blocks = bb.compile("gemm", "d", m=2, n=5, k=3, layout="bi")
    assert bb.plan("gemm", bb.interleave(a), bb.interleave(b)).kernel is blocks
    assert blocks.spec.symbol() == "bb_dgemm_nn_bi_m2n5k3"
    assert repr(blocks) == "<Kernel bb_dgemm_nn_bi_m2n5k3>"


def test_many_python_threads_at_once(rng):
    kernels.reset()
    a = {n: random(rng, (50, n, n), "float64") for n in (3, 4, 6)}
    failures = []

    def work(n):
        for _ in range(20):
            if not np.allclose(bb.gemm(a[n], a[n], num_threads=2), a[n] @ a[n]):
                failures.append(n)

    team = [threading.Thread(target=work, args=(n,)) for n in (3, 4, 6) * 3]
    for thread in team:
        thread.start()
    for thread in team:
        thread.join()
    assert not failures


def _in_child(queue, num_threads):
    a = np.ones((5000, 8, 8))
    queue.put(float(bb.gemm(a, a, num_threads=num_threads).sum()))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("num_threads", [2, None])
def test_a_forked_child_does_not_hang(num_threads):
    a = np.ones((5000, 8, 8))
    expected = float(bb.gemm(a, a, num_threads=2).sum())
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_in_child, args=(queue, num_threads))
    child.start()
    try:
        assert queue.get(timeout=120) == expected
    finally:
        child.kill()
