"""Other instruction sets than this machine's own: right results, and vectors of their width."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest
from support.covering import covering

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


@pytest.mark.skipif(platform.machine() != "x86_64", reason="names of x86-64 levels")
@pytest.mark.parametrize(("isa", "width"), [("x86-64-v2", 2), ("x86-64-v3", 4)])
def test_lesser_instruction_sets(isa, width):
    environment = os.environ | {"BBLAS_GEN_ISA": isa}
    done = subprocess.run([sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == width
