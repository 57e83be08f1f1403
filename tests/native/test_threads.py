"""The thread pool: every part is done once, whoever comes, also beside other threads and after a fork."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import bblas_gen as bb
from bblas_gen.codegen.render import render_file
from bblas_gen.runtime import threads
from bblas_gen.runtime.library import load_c
from bblas_gen.toolchain import compilers, machine

pytestmark = pytest.mark.skipif(not compilers.POOLED, reason="kernels have OpenMP here")

COUNTS = """
#include <stdint.h>
#include <unistd.h>
#include <stddef.h>
void bblas_parallel(void (*)(const void *, int64_t, int64_t, int64_t), const void *, size_t, int64_t, int64_t, int,
                    double);
static int pause_us;

static void part(const void *counts, int64_t lo, int64_t hi, int64_t share)
{
    if (pause_us)
        usleep((unsigned)pause_us);
    for (int64_t i = lo; i < hi; i++)
        __atomic_add_fetch((int32_t *)counts + i, share > 0, __ATOMIC_RELAXED);
}

void count(int32_t *counts, int64_t size, int64_t grain, int threads, double nanoseconds, int us)
{
    pause_us = us;
    bblas_parallel(part, counts, 0, size, grain, threads, nanoseconds);
}
"""
PROTOTYPE = "void count(int32_t *, int64_t size, int64_t grain, int threads, double nanoseconds, int us);"

LONGER = """
#define bblas_parallel own_parallel
#define bblas_parallel_limit own_limit
{pool}
static int64_t each;

static void longer(const void *none, int64_t lo, int64_t hi, int64_t share)
{{
    usleep((unsigned)(2000 * (lo + 1)));
    __atomic_store_n(&each, share, __ATOMIC_RELAXED);
    (void)none;
    (void)hi;
}}

int64_t shares(int64_t size, int threads, double nanoseconds)
{{
    own_limit(2);
    own_parallel(longer, NULL, 0, size, 1, threads, nanoseconds);
    return each;
}}
"""


@pytest.fixture(scope="module")
def count():
    """Counts how often each of so many indices was done."""
    threads.start_pool()
    library = load_c("count", COUNTS, PROTOTYPE, openmp=False)

    def counted(size, grain, team, nanoseconds=0.0, us=0):
        found = np.zeros(size, np.int32)
        library.function(library.ffi.from_buffer("int32_t *", found), size, grain, team, nanoseconds, us)
        return found

    return counted


@pytest.mark.parametrize("team", [0, 1, 2, 3, 7, 300])
@pytest.mark.parametrize(("size", "grain"), [(1, 1), (7, 8), (8, 8), (9, 8), (129, 8), (5000, 8), (70000, 1)])
def test_every_index_is_done_once(size, grain, team, count):
    for nanoseconds in (0.0, 2e4, 2e4, 2e5, 1e9):
        assert (count(size, grain, team, nanoseconds) == 1).all()


def test_helpers_come_when_the_caller_has_to_wait(count):
    def helped():
        assert (count(4000, 8, 4, us=2000) == 1).all()  # who sleeps in its part leaves the processor to the others
        return threads.helped() >= 1

    assert any(helped() for _ in range(50))  # on a busy machine not at once
    assert (count(4000, 8, 1) == 1).all()


def test_who_waits_for_a_long_part_shares_again():
    text = LONGER.format(pool=render_file("threads/pool.c"))
    shares = load_c("shares", text, "int64_t shares(int64_t, int, double);", libraries=("-pthread",), openmp=False)
    assert shares.function(2, 2, 1e11) == 1  # the second part takes longer, as it may
    assert shares.function(4, 0, 4e6) == 2


def test_helpers_that_find_no_work_take_no_processor(count):
    assert (count(4000, 8, 4, us=100) == 1).all()
    begun = time.process_time()
    time.sleep(0.2)
    assert time.process_time() - begun < 0.05


def test_two_threads_at_once(count):
    found = []

    def often():
        found.extend(bool((count(5000, 8, 3, us=i % 2) == 1).all()) for i in range(50))

    both = [threading.Thread(target=often) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert found == [True] * 100


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_of_a_fork_has_a_pool_of_its_own(count, rng):
    a = rng.standard_normal((4000, 3, 4))
    b = rng.standard_normal((4000, 4, 4))
    expected = bb.gemm(a, b, num_threads=2)
    assert (count(4000, 8, 4, us=100) == 1).all()
    child = os.fork()
    if not child:
        good = np.array_equal(bb.gemm(a, b, num_threads=3), expected) and (count(4000, 8, 4, us=2000) == 1).all()
        os._exit(0 if good and threads.helped() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert (count(4000, 8, 4, us=100) == 1).all()


def test_threads_share_rows_of_tiles_of_one_matrix(rng):
    a, b, c = rng.standard_normal((3, 2, 90, 90))
    full = np.tril(a) + np.tril(a, -1).swapaxes(1, 2)
    for team in (1, 2, 3, 16):
        found = bb.symm(a, b, c.copy(), alpha=0.5, beta=2, num_threads=team)
        updated = bb.syr2k(a, b, c.copy(), alpha=0.5, beta=2, num_threads=team)
        if team == 1:
            expected, others = found, updated
        assert np.array_equal(found, expected)
        assert np.array_equal(updated, others)
    np.testing.assert_allclose(expected, full @ b / 2 + 2 * c, atol=1e-11)
    both = a @ b.swapaxes(1, 2)
    np.testing.assert_allclose(np.tril(others), np.tril((both + both.swapaxes(1, 2)) / 2 + 2 * c), atol=1e-11)


@pytest.mark.parametrize(
    ("op", "flags"),
    [("gemm", {"transa": "T"}), ("trsm", {}), ("trmm", {"transa": "T"}), ("trmm", {"side": "R"})],
)
def test_threads_share_pieces_of_one_matrix(op, flags, rng):
    n = 41 if op == "gemm" else 53
    a, b, c = rng.standard_normal((3, n, n))
    a += n * np.eye(n)
    given = {"gemm": (a, b, c), "trsm": (a, b), "trmm": (a.T, b.T)}[op]
    for alpha in (0.5, 0):
        results = []
        for team in (1, 2, 3, 16):
            *_, found = operands = [x.copy("K") for x in given]
            getattr(bb, op)(*operands, alpha=alpha, num_threads=team, **flags)
            results.append(found)
        assert all(np.array_equal(x, results[0]) for x in results), alpha
        left, right = a if op == "gemm" else np.tril(given[0]), given[1]
        left = left.T if "transa" in flags else left
        if op == "trsm":
            np.testing.assert_allclose(left @ found, alpha * right, atol=1e-11)
        else:
            product = right @ left if "side" in flags else left @ right
            np.testing.assert_allclose(found, alpha * product, atol=1e-11)


def test_bits_do_not_depend_on_who_comes(rng):
    a, b = rng.standard_normal((5003, 3, 4)), rng.standard_normal((5003, 4, 4))
    expected = bb.gemm(a, b, num_threads=1)
    for team in (None, 2, 3, 16):
        assert np.array_equal(bb.gemm(a, b, num_threads=team), expected)


@pytest.mark.parametrize(("wanted", "limit"), [("3", 3), (" 2,4", 2), ("0", None), ("many", None), ("", None)])
def test_the_limit_is_that_of_the_environment_or_of_the_machine(wanted, limit, monkeypatch):
    monkeypatch.setattr(machine, "processors", lambda: 5)
    monkeypatch.setenv("OMP_NUM_THREADS", wanted)
    assert threads.limit() == (limit or 5)


def test_a_pool_that_cannot_be_had_is_told_and_done_without(tmp_path):
    program = """
import warnings, numpy as np, bblas_gen as bb
from bblas_gen.runtime import threads
load = threads.load_c
threads.load_c = lambda symbol, text, *more, **named: load(symbol, "#error none", *more, **named)
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    found = bb.gemm(np.ones((4000, 3, 4)), np.ones((4000, 4, 4)), num_threads=4)
assert (found == 4).all() and "every call uses one thread" in str(told[0].message), told
assert threads.helped() == 0
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
