"""What calls allocate: peak resident memory of a process of its own."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

MIB = 2**20
ALONE = pytest.mark.skipif(
    not Path("/proc/self/status").exists(),
    reason="what getrusage tells begins with the peak of the process before exec",
)
PRELUDE = """
import numpy as np, bblas_gen as bb

def peak():
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) * 1024

BATCH, N = 10**6, 4
small = np.ones((100, N, N))
bb.gemm(small, small, small.copy()); bb.interleave(small).deinterleave()
a = np.ones((BATCH, N, N)); b = np.ones((BATCH, N, N)); c = np.ones((BATCH, N, N)); shared = np.ones((N, N))
bb.gemm(small, shared, small.copy())
bb.gemm(small, small, small.copy(), transa="T", transb="T")  # to make a kernel takes memory, too
before = peak()
"""


def grown(code):
    command = [sys.executable, "-c", PRELUDE + code + "\nprint(peak() - before)"]
    environment = os.environ | {"OMP_NUM_THREADS": "2"}  # stacks of threads count, too
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return int(done.stdout)


@ALONE
@pytest.mark.parametrize(
    ("code", "limit"),
    [
        ("bb.gemm(a, b, c, alpha=2.0, beta=1.0)", 0),
        ("bb.gemm(a, b, c, transa='T', transb='T')", 0),
        ("bb.gemm(a, shared, c)", 0),
        ("bb.gemm(np.broadcast_to(shared, a.shape), b, c)", 0),
        ("bb.gemm(a, b)", 128),
        ("x = bb.interleave(a)", 128),
        ("x = bb.interleave(a, nb='full')", 128),
    ],
)
def test_growth(code, limit):
    """Not more than ``limit`` MiB, the size of the result, and some slack for threads' stacks."""
    assert grown(code) <= (limit + 8) * MIB


@ALONE
def test_the_measure_sees_a_copy():
    assert grown("x = a.copy(); x[...] = 1") > 100 * MIB


FAULTS = """
import resource, numpy as np
from bblas_gen import linalg

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

a = np.random.default_rng(1).standard_normal((20_000, 4, 4))
for _ in range(4):
    found = linalg.svd(a)
before = faults()
for _ in range(8):
    found = linalg.svd(a)
print((faults() - before) / 8 * 4096 / sum(x.nbytes for x in found))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries keep memory by rules of their own")
def test_results_take_memory_that_the_process_has():
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MALLOC_", "GLIBC_"))}
    done = subprocess.run([sys.executable, "-c", FAULTS], env=environment, capture_output=True, text=True, check=True)
    assert float(done.stdout) < 0.25
