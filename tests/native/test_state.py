"""What the process remembers: all of it forgotten at a reset, bounded, nobody's operands kept, one lock per kernel."""

from __future__ import annotations

import gc
import mmap
import multiprocessing
import threading
import time
import weakref
from importlib import import_module
from inspect import signature
from pkgutil import iter_modules

import numpy as np
import pytest

import bblas_gen as bb
from bblas_gen import runtime
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime import kernels, threads
from bblas_gen.runtime.state import RUNTIME, KeyLocks, Recent
from bblas_gen.schedule import tuned
from bblas_gen.toolchain.compilers import find_cc

FORK = pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system cannot fork")
SECONDS = 60
"""More than any of this takes; what waits longer waits for good."""


@pytest.fixture(autouse=True)
def forget():
    kernels.reset()
    yield
    kernels.reset()


def specs(count):
    return [KernelSpec.make("gemm", "d", "st", m=2, n=2, k=k + 2) for k in range(count)]


@pytest.fixture
def compiled(monkeypatch):
    """Every source that a fake compiler was given; what ``compiled.before`` does comes first."""

    class Compiled(list):
        before = staticmethod(lambda spec: None)

    seen = Compiled()

    def load(spec, overrides):
        seen.before(spec)
        seen.append(spec)
        return spec

    monkeypatch.setattr("bblas_gen.runtime.library.load_kernel", load)
    return seen


def in_threads(*tasks):
    """The results of functions that run at the same time."""
    results = [None] * len(tasks)

    def work(i):
        results[i] = tasks[i]()

    team = [threading.Thread(target=work, args=(i,), daemon=True) for i in range(len(tasks))]
    for thread in team:
        thread.start()
    for thread in team:
        thread.join(SECONDS)
    assert not any(thread.is_alive() for thread in team)
    return results


def test_a_call_after_tuning_and_reset_runs_the_new_kernel(tmp_path, monkeypatch, rng):
    monkeypatch.setenv("BBLAS_GEN_CONFIG_DIR", str(tmp_path))
    a = rng.standard_normal((9, 6, 6))
    bb.gemm(a, a)
    tuned.keep(find_cc().simd_bytes, {"bb_dgemm_nn_st_m6n6k6": {"form": "lane", "width": 2}})
    kernels.reset()
    np.testing.assert_allclose(bb.gemm(a, a), a @ a)
    (call,) = RUNTIME.calls.values()
    assert (call.kernel.source.schedule.form, call.kernel.source.schedule.width) == ("lane", 2)


def test_reset_forgets_everything(monkeypatch, tmp_path):
    a = np.ones((3, 2, 2))
    bb.gemm(a, a)
    find_cc()
    assert all(map(len, (RUNTIME.calls, RUNTIME.matches, RUNTIME.kernels, RUNTIME.stores)))
    before = tuned.rows(32)
    kernels.reset()
    assert not any(map(len, (RUNTIME.calls, RUNTIME.matches, RUNTIME.kernels, RUNTIME.stores)))
    assert tuned.rows(32) is not before
    monkeypatch.setenv("BBLAS_GEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("BBLAS_GEN_DISABLE_JIT", "1")
    with pytest.raises(bb.JitDisabledError):
        bb.gemm(a, a)


def test_what_began_before_a_reset_is_forgotten_too(compiled):
    compiled.before = lambda spec: kernels.reset()
    (spec,) = specs(1)
    kernels.kernel(spec)
    assert not RUNTIME.kernels


def test_the_child_of_a_fork_stays_one(monkeypatch):
    monkeypatch.setattr(RUNTIME, "forked", True)
    kernels.reset()
    assert RUNTIME.forked


def test_two_kernels_compile_at_the_same_time(compiled):
    both = threading.Barrier(2, timeout=SECONDS)
    compiled.before = lambda spec: both.wait()  # raises if the other one waits for this one
    first, second = specs(2)
    found = in_threads(lambda: kernels.kernel(first), lambda: kernels.kernel(second))
    assert [kernel.spec for kernel in found] == [first, second]


def test_a_kernel_is_compiled_once_for_all_threads(compiled):
    (spec,) = specs(1)
    start = threading.Barrier(16, timeout=SECONDS)

    def ask():
        start.wait()
        return kernels.kernel(spec)

    found = in_threads(*[ask] * 16)
    assert compiled == [spec]
    assert len(set(map(id, found))) == 1


def test_a_failed_compile_leaves_no_lock(compiled):
    def fail(spec):
        raise OSError("no room")

    compiled.before = fail
    (spec,) = specs(1)
    for _ in range(2):
        with pytest.raises(OSError, match="no room"):
            kernels.kernel(spec)
    assert not RUNTIME.compiling._locks


def test_a_signal_handler_may_ask_for_the_kernel_that_is_being_compiled(compiled):
    (spec,) = specs(1)

    def interrupt(_):
        compiled.before = lambda spec: None
        kernels.kernel(spec)

    compiled.before = interrupt
    in_threads(lambda: kernels.kernel(spec))
    assert compiled == [spec, spec]


def test_a_thread_pool_that_cannot_be_had_is_tried_once(monkeypatch):
    together, tried = threading.Barrier(2, timeout=SECONDS), []

    def refused():
        tried.append(threading.current_thread())
        time.sleep(0.05)  # the other one waits by now
        raise bb.CacheError("no room")

    def ask():
        together.wait()
        return threads.start_pool()

    monkeypatch.setattr(RUNTIME, "pool", None)
    monkeypatch.setattr(threads, "_loaded", refused)
    with pytest.warns(bb.CacheWarning, match="every call uses one thread: no room"):
        assert in_threads(ask, ask) == [None, None]
    assert threads.start_pool() is None
    assert len(tried) == 1
    kernels.reset()
    assert RUNTIME.pool is None  # another compiler may have one


def _compile_in_child(queue, wanted):
    queue.put([kernels.kernel(spec).spec for spec in wanted])


@FORK
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_while_another_thread_compiles(compiled):
    """The child has no such thread: nobody will release the lock that it held."""
    started, go_on, wanted = threading.Event(), threading.Event(), specs(2)

    def slow(spec):
        if threading.current_thread() is not threading.main_thread():
            with RUNTIME.kernels.lock:
                started.set()
                go_on.wait(SECONDS)

    compiled.before = slow
    thread = threading.Thread(target=kernels.kernel, args=wanted[:1], daemon=True)
    thread.start()
    assert started.wait(SECONDS)
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    child = context.Process(target=_compile_in_child, args=(queue, wanted))
    child.start()
    child.join(10)
    go_on.set()
    thread.join(SECONDS)
    ended = child.exitcode
    child.kill()
    assert ended == 0
    assert queue.get() == wanted


@pytest.mark.parametrize("make", [np.asarray, bb.interleave], ids=["array", "interleaved"])
def test_no_operand_is_kept(make):
    a, b = (make(np.ones((50, 3, 3))) for _ in range(2))
    c = bb.gemm(a, b, alpha=2.0)
    y = np.ones((50, 3))
    bb.gemv(np.ones((50, 3, 3)), y.copy(), y)
    stored = [getattr(x, "data", x) if make is bb.interleave else x for x in (a, b, c)] + [y]
    watched = [weakref.ref(x) for x in stored]
    assert len(RUNTIME.calls) > 1
    del a, b, c, y, stored
    gc.collect()
    assert [found() is None for found in watched] == [True] * 4


def test_memory_that_is_lent_can_be_taken_back():
    memory = mmap.mmap(-1, 1 << 14)
    for _ in range(2):
        x = np.frombuffer(memory)[:800].reshape(50, 4, 4)
        bb.gemm(x, x)
        bb.gemm(x[:, ::2], list(x))  # strides and pointers
    del x
    memory.close()  # a BufferError as long as anybody has it


def test_calls_of_many_strides_are_bounded_without_a_cliff(monkeypatch):
    monkeypatch.setattr(RUNTIME, "calls", Recent(10))
    always = np.ones((1, 2, 2))
    bb.gemm(always, always)
    (first,) = RUNTIME.calls.values()
    for gap in range(2, 60):
        a = np.ones((3, 2, 2 + gap))[:, :, :2]
        np.testing.assert_array_equal(bb.gemm(a, a), a @ a)
        bb.gemm(always, always)
        assert RUNTIME.calls.total <= 10
        assert first in RUNTIME.calls.values()


def test_kernels_are_bounded(monkeypatch, compiled):
    monkeypatch.setattr(RUNTIME, "kernels", Recent(4))
    wanted = specs(9)
    for spec in wanted:
        kernels.kernel(spec)
        kernels.kernel(wanted[0])
        assert RUNTIME.kernels.total <= 4
    assert compiled == wanted


def test_what_is_cached_by_specs_is_bounded():
    for module in (import_module(f"bblas_gen.runtime.{x.name}") for x in iter_modules(runtime.__path__)):
        for name, function in vars(module).items():
            if hasattr(function, "cache_parameters") and "spec" in signature(function).parameters:
                assert function.cache_parameters()["maxsize"], f"{module.__name__}.{name}"


def test_what_is_used_is_remembered():
    recent = Recent(6)
    for i in range(100):
        recent.keep(i, str(i))
        assert recent[0] == "0"
        assert recent[i] == str(i)
        assert recent.total <= 6
    assert recent[50] is None


def test_all_is_read_while_another_thread_remembers_more():
    recent = Recent(4)

    class Key(int):
        __hash__ = int.__hash__

        def __eq__(self, other):
            another = threading.Thread(target=recent.keep, args=(100, "later"))
            another.start()
            another.join(0.02)
            return int(self) == int(other)

    for i in (0, 1, 1):  # old and young
        recent.keep(Key(i), str(i))
    assert recent.everything() == {0: "0", 1: "1"}


def test_locks_of_keys_are_there_only_while_held():
    locks = KeyLocks()
    with locks.held("a"), locks.held("b"), locks.held("a"):
        assert set(locks._locks) == {"a", "b"}
    assert not locks._locks
