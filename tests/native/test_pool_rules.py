"""What the thread pool decides, without threads: time is what the test says it is."""

from __future__ import annotations

import pytest

from bblas_gen.codegen.render import render_file
from bblas_gen.runtime.library import load_c
from bblas_gen.toolchain import compilers

pytestmark = pytest.mark.skipif(not compilers.POOLED, reason="kernels have OpenMP here")

RULES = """
#define _GNU_SOURCE
#include <time.h>
#include <unistd.h>
static long long at, sleeps;
static int told(clockid_t clock, struct timespec *t);
static long slept(void);
#define clock_gettime told
#define syscall(...) slept()
#define bblas_parallel own_parallel
#define bblas_parallel_limit own_limit
{pool}
static long long done, each;

static int told(clockid_t clock, struct timespec *t)
{{
    at += 1; /* who looks at the clock in a loop comes to an end */
    *t = (struct timespec){{ at / 1000000000, at % 1000000000 }};
    return (int)clock * 0;
}}

static long slept(void)
{{
    at += sleeps;
    pool.left = 0;
    return 0;
}}

static void part(const void *none, int64_t lo, int64_t hi, int64_t share)
{{
    done += hi - lo;
    at += (hi - lo) * each + (none ? 0 : share);
}}

/* A new pool, of whose helpers so many were started, and the first ones are awake. */
void renew(int limit, int started, int awake)
{{
    pool.limit = limit;
    pool.started = started;
    for (int i = 1; i < MOST; i++)
        pool.asleep[i] = i > awake;
    pool.missed = pool.missed_at = pool.late = pool.shy = pool.shy_until = 0;
    tried = (bblas_tried){{ 0 }};
    at = 1000000000;
}}

/* Threads of so many units, by an estimate of all and what one takes, after a while; how many were tried before. */
int threads(int64_t units, double estimate, int64_t one, int64_t later, int64_t *before)
{{
    int64_t begin = 0;
    each = one;
    done = 0;
    at += later;
    const int found = chosen(part, "", units, 1, estimate, &begin);
    *before = done;
    return done == begin ? found : -1;
}}

/* A caller has to sleep for the last chunk, which is to take so long. */
void waited(int64_t nanoseconds, double chunk)
{{
    sleeps = nanoseconds;
    pool.left = 1;
    wait_for_claimed(chunk);
}}
"""
DECLARED = """
void renew(int limit, int started, int awake);
int threads(int64_t units, double estimate, int64_t one, int64_t later, int64_t *before);
void waited(int64_t nanoseconds, double chunk);
"""


class Rules:
    def __init__(self):
        text = RULES.format(pool=render_file("threads/pool.c"))
        self.library = load_c("threads", text, DECLARED, libraries=("-pthread",), openmp=False)
        self.renew, self.waited = self.library.handle.renew, self.library.handle.waited

    def threads(self, units, estimate, one=0, later=0):
        before = self.library.ffi.new("int64_t *")
        return self.library.function(units, estimate, one, later, before), before[0]


@pytest.fixture(scope="module")
def rules():
    return Rules()


@pytest.mark.parametrize(
    ("limit", "awake", "estimate", "expected"),
    [
        (2, 1, 1.9e3, 1),  # half of it is less than twice the cost of a fork
        (2, 1, 8.1e3, 2),  # so is a fourth of an estimate that is four times too long
        (2, 0, 155e3, None),
        (2, 0, 161e3, 2),  # to wake one costs twenty times as much
        (4, 3, 49e3, 4),  # the fourth saves a twelfth
        (4, 3, 47e3, None),
        (1, 0, 1e9, 1),
    ],
)
def test_each_thread_saves_twice_what_it_costs(limit, awake, estimate, expected, rules):
    rules.renew(limit, limit - 1, awake)
    found, before = rules.threads(320, estimate)
    assert (found, before) == (expected, 0) if expected else before == 10  # a part is tried where that decides


@pytest.mark.parametrize(("one", "expected"), [(6, 1), (7, 2)])
def test_what_a_part_takes_decides(one, expected, rules):
    rules.renew(2, 1, 1)
    assert rules.threads(320, 7e3, one) == (expected, 10)  # 310 are left: 1.9 or 2.2 us


def test_a_few_units_are_not_tried(rules):
    """The least that they may take decides: 25 us alone wake nobody, 25 us again and again do."""
    rules.renew(2, 1, 0)
    assert [rules.threads(3, 100e3, 30000, later=1000) for _ in range(4)] == [(1, 0), (2, 0)] * 2
    rules.renew(2, 1, 1)
    assert [rules.threads(3, estimate)[0] for estimate in (7.9e3, 8.1e3)] == [1, 2]


def test_calls_alike_are_tried_once_in_seventeen(rules):
    rules.renew(2, 1, 1)
    assert [rules.threads(64, 7e3, 50)[1] for _ in range(35)] == [2, *[0] * 16] * 2 + [2]
    assert rules.threads(64, 7.1e3, 50)[1] == 2  # which is another call


@pytest.mark.parametrize(("later", "expected"), [(1e4, [1, 1, 1, 2, 1, 1, 1, 2]), (6e4, [1] * 8)])
def test_small_calls_that_follow_one_another_wake_a_helper(later, expected, rules):
    """One that was awake would have saved in four of them what it costs to wake it; not where it would sleep again."""
    rules.renew(2, 1, 0)
    assert [rules.threads(64, 40e3, 180, int(later))[0] for _ in range(8)] == expected


def test_who_waits_for_others_is_shy_for_a_while(rules):
    rules.renew(2, 1, 1)
    rules.waited(100_000, 10_000)  # and 20 us awake
    small, large = 400e3, 500e3
    assert rules.threads(64, small)[0] == 1
    assert rules.threads(64, large)[0] == 2  # worth it, even if that comes again
    assert rules.threads(64, small, later=8 * 125_000)[0] == 2
    rules.waited(100_000, 10_000)  # as soon as it was tried
    assert rules.threads(64, small, later=15 * 120_000)[0] == 1
    assert rules.threads(64, small, later=2 * 120_000)[0] == 2


def test_who_waits_for_a_chunk_that_is_long_is_not(rules):
    rules.renew(2, 1, 1)
    rules.waited(100_000, 130_000)
    assert rules.threads(64, 400e3) == (2, 0)
