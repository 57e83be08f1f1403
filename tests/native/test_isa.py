"""Other instruction sets than this machine's own: right results, and vectors of their width."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest
from support.covering import covering
from support.kernels import run_quick

PRODUCTS = covering(1, ["f4", "f8", "c8", "c16"], [3, 8], "NC", ["st", "bi"])
CODE = (
    f"PRODUCTS = {PRODUCTS}"
    + """
import numpy as np, bblas_gen as bb
rng = np.random.default_rng(0)
for dtype, n, transa, layout in PRODUCTS:
    a, b = ((rng.standard_normal((19, n, n)) * (1 if dtype[0] == "f" else 1 + 1j)).astype(dtype) for _ in range(2))
    expected = (a if transa == "N" else a.conj().swapaxes(1, 2)) @ b
    x, y = (a, b) if layout == "st" else (bb.interleave(a), bb.interleave(b))
    found = bb.gemm(x, y, transa=transa)
    found = found if layout == "st" else found.deinterleave()
    assert abs(found - expected).max() < (1e-4 if dtype in ("f4", "c8") else 1e-12)
for dtype, layout in (("f4", bb.interleave), ("f8", np.array), ("f8", bb.interleave), ("c16", bb.interleave)):
    x = (rng.standard_normal((19, 5, 7)) * (1 if dtype[0] == "f" else 1 + 1j)).astype(dtype)
    a, b = x @ x.conj().swapaxes(1, 2) + np.eye(5, dtype=dtype), x[..., :5].copy()
    a[7, 3, 3] = -1
    x = layout(b)
    _, info = bb.posv(layout(a), x, return_info=True)  # roots, reciprocals, reports and what is kept
    assert info.tolist() == [0] * 7 + [4] + [0] * 11, info
    found, healthy = x if layout is np.array else x.deinterleave(), info == 0
    assert (found[7] == b[7]).all()
    expected = np.linalg.solve(a[healthy], b[healthy])
    assert abs(found[healthy] - expected).max() < (1e-3 if dtype == "f4" else 1e-11)
print(bb.compile("gemm", m=8, n=8, k=8, layout="bi").source.schedule.width)
"""
)


LEVELS = [
    pytest.param("x86-64-v2", 2, "sse4_2", marks=pytest.mark.thorough),
    ("x86-64-v3", 4, "avx2"),
]
"""Instruction sets, doubles in a vector of theirs, and what Linux calls a processor's ability to run them."""
ONE_ARITHMETIC = "potrf-float64 or trsm-float64 or gemm-complex64"
pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="names of x86-64 levels")


def needs(flag):
    abilities = Path("/proc/cpuinfo")
    if abilities.exists() and flag not in abilities.read_text().split():
        pytest.skip(f"a processor without {flag}")


@pytest.mark.parametrize(("isa", "width", "flag"), LEVELS)
def test_lesser_instruction_sets(isa, width, flag):
    needs(flag)
    done = run_quick(CODE, isa)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == width


@pytest.mark.parametrize(("isa", "width", "flag"), LEVELS)
def test_lesser_instruction_sets_have_one_arithmetic_each(isa, width, flag):
    """A few of the tests of that, run for them."""
    tests = Path(__file__).with_name("test_one_arithmetic.py")
    needs(flag)
    command = [sys.executable, "-m", "pytest", "-n", "0", "--thorough", str(tests), "-k", ONE_ARITHMETIC]
    environment = os.environ | {"BBLAS_GEN_ISA": isa}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout
