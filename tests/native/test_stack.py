"""Kernels run on the small stacks that some threads have: scratch beyond 64 KB comes from the heap."""

from __future__ import annotations

import re
import subprocess
import threading

import pytest
from support import golden
from support.cases import Case, prepared
from support.sources import source

from bblas_gen.schedule.lane import STACK
from bblas_gen.toolchain.compilers import find_cc, has_openmp

SMALL = 128 << 10
"""Bytes of a thread's stack with musl."""

CASES = [
    Case("posv", "float64", {"n": 128, "nrhs": 16}, 13, {"uplo": "L"}, layouts=("bi",)),
    Case("potrf", "float64", {"n": 54}, 13, {"uplo": "L"}, layouts=("pp",)),
    Case(
        "trsm",
        "complex64",
        {"m": 48, "n": 48},
        13,
        {"side": "L", "uplo": "L", "transa": "N", "diag": "N"},
        {"alpha": 2},
        ("st",),
    ),
    Case("symm", "float64", {"m": 200, "n": 5}, 3, {"side": "L", "uplo": "U"}, {"alpha": 1, "beta": 0}, ("st",)),
    Case("gesv", "float64", {"n": 190, "nrhs": 2}, 9, {}, layouts=("bi",)),
]
"""Operands of a vector of matrices, what is preserved, packed panels, what bodies work in, on stack and heap."""


def values(given):
    return {name: x.values() for name, x in given.items()}


def in_a_small_thread(task):
    before = threading.stack_size(SMALL)
    try:
        thread = threading.Thread(target=task)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)


def test_large_kernels_run_on_a_small_stack():
    for case in prepared(CASES):
        operands = case.make()
        given = case.place(operands)
        plan = case.plan(given, num_threads=1)
        in_a_small_thread(plan)
        before, after = ({name: x[::6] for name, x in some.items()} for some in (operands, values(given)))
        assert case.oracle.error(before, after, dict(case.flags), dict(case.scalars)) <= case.oracle.bound, case


def test_bits_are_the_same_on_the_heap_and_on_many_threads():
    """Also where a factorization fails, and the right-hand sides are put back."""
    case = prepared(CASES)[0]
    operands = {name: x.repeat(5, axis=0) for name, x in case.make().items()}
    operands["A"][[3, 17, 64], 1, 1] = -1
    before, found = operands["B"].copy(), []
    for team in (1, 2, 3):
        given = case.place(operands)
        plan = case.plan(given, num_threads=team)
        plan()
        assert plan.info.nonzero()[0].tolist() == [3, 17, 64]
        found.append(given["B"].values())
    assert (found[0][[3, 17, 64]] == before[[3, 17, 64]]).all()
    assert found[0].tobytes() == found[1].tobytes() == found[2].tobytes()


FRAME = 8 << 10
"""Bytes that a kernel may take beside its scratch, as emitted headers say."""
NEED = re.compile(r"Scratch: (\d+) bytes of stack")


def test_frames_take_what_is_said_and_little_more(tmp_path):
    if find_cc().family != "gcc":
        pytest.skip("stack usage is told by gcc")
    wide = find_cc().simd_bytes
    found = [x for x, n in golden.sources() if x.filename.endswith(".c") and n <= wide and NEED.search(told(x))]
    found = found[::3] + [source(case.wanted()[0].symbol(), wide) for case in CASES[1:4]]
    for kernel in found:
        (tmp_path / f"{kernel.symbol}.c").write_text(kernel.text)
    command = [find_cc().path, "-std=c11", "-O1", find_cc().arch_flag, "-fstack-usage", "-c"]
    subprocess.run([*command, *(f"{kernel.symbol}.c" for kernel in found)], cwd=tmp_path, check=True)
    for kernel in found:
        need = NEED.search(told(kernel))
        used = stack_usage(tmp_path / f"{kernel.symbol}.su")
        assert used <= (int(need[1]) if need else 0) + FRAME, kernel.symbol
        assert used <= STACK + FRAME


def told(kernel):
    return " ".join(kernel.description)


def stack_usage(report):
    """The stack of a kernel at most: all its functions at once, but those for whole and partly filled vectors, and
    those for one problem and for others."""
    lines = [line.split("\t") for line in report.read_text().splitlines()]
    used = {name.rpartition(":")[2]: int(number) for name, number, _ in lines}
    pairs = [("bb_whole", "bb_last"), ("bb_alone", "bb_part")]
    either = sum(max(used.pop(name, 0) for name in pair) for pair in pairs)
    return sum(used.values()) + either


PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
#include "bblas_kernels.h"

enum {{ M = {m} }};
static int left;
static double a[2 * M * 8];
static int32_t pivots[2 * 8], info[13];

void *sometimes(size_t alignment, size_t size)
{{
    return __atomic_sub_fetch(&left, 1, __ATOMIC_RELAXED) < 0 ? NULL : aligned_alloc(alignment, size);
}}

static int run(int blocks)
{{
    left = blocks;
    for (int i = 0; i < 2 * M * 8; i++)
        a[i] = 2;
    return {symbol}(a, pivots, info, 13, 2);
}}

int main(void)
{{
    if (run(0) != 1 || a[8] != 2 || pivots[0] != 0)
        return printf("without memory: %g\\n", a[8]);
    for (int blocks = 1; blocks < 4; blocks++)
        if (run(blocks) || a[0] != 2 || a[8] != 1 || a[M * 8 + 12] != 1 || a[M * 8 + 13] != 2 || pivots[12] != 1)
            return printf("%d blocks: %g %g\\n", blocks, a[8], a[M * 8 + 12]);
    return 0;
}}
"""


def test_a_kernel_without_memory_says_so_and_one_block_is_enough(tmp_path):
    symbol, m = "bb_dgetrf_bi_m1100n1", 1100
    kernel = source(symbol, find_cc().simd_bytes)
    assert "bytes of heap" in told(kernel)
    (tmp_path / f"{symbol}.c").write_text(kernel.text)
    (tmp_path / "bblas_kernels.h").write_text("#include <stdint.h>\n" + kernel.declaration)
    (tmp_path / "main.c").write_text(PROGRAM.format(symbol=symbol, m=m))
    common = [find_cc().path, "-std=c11", "-O1", find_cc().arch_flag, *["-fopenmp"] * has_openmp(find_cc())]
    subprocess.run([*common, "-Daligned_alloc=sometimes", "-c", f"{symbol}.c"], cwd=tmp_path, check=True)
    subprocess.run([*common, "main.c", f"{symbol}.o", "-o", "main"], cwd=tmp_path, check=True)
    done = subprocess.run(["./main"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
