"""What a call costs beside its arithmetic: the Python side, the first call of a shape, the import."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from ..blas import gemm
from ..plans import plan

CALLS = 5000
ROUNDS = 7
FIRST_SIZES = (4, 8, 16)
_FIRST = """
import time, numpy as np, bblas_gen
a = np.ones((10, {n}, {n}), "{dtype}")
started = time.perf_counter()
bblas_gen.gemm(a, a)
print(time.perf_counter() - started)
"""
_IMPORT = "import numpy, time; t = time.perf_counter(); import bblas_gen; print(time.perf_counter() - t)"


def measure() -> list[dict[str, Any]]:
    """Rows of (what, value, unit): medians."""
    a, b = np.ones((1, 2, 2)), np.ones((1, 2, 2))
    c = np.empty_like(a)
    ready = plan("gemm", a, b, c, num_threads=1)
    assert ready.kernel
    calls: dict[str, Callable[[], Any]] = {
        "C call": partial(ready.kernel.library.function, *ready.arguments),
        "plan()()": ready,
        "gemm, in place": partial(gemm, a, b, c),
        "gemm, new output": partial(gemm, a, b),
    }
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(ROUNDS):
        for name, call in calls.items():
            times[name].append(_per_call(call))
    rows = [{"what": name, "value": median(found) * 1e6, "unit": "us"} for name, found in times.items()]
    for n in FIRST_SIZES:
        rows.append({"what": f"first call, n = {n}, compile included", "value": _cold_process(n), "unit": "s"})
    rows.append({"what": "import, beyond NumPy", "value": median(_python(_IMPORT) for _ in range(5)), "unit": "s"})
    return rows


def _per_call(call: Callable[[], Any]) -> float:
    started = perf_counter()
    for _ in range(CALLS):
        call()
    return (perf_counter() - started) / CALLS


def _cold_process(n: int) -> float:
    """The first call in a new process with an empty cache: the slowest of the four precisions."""
    with tempfile.TemporaryDirectory() as folder:
        return max(_python(_FIRST.format(n=n, dtype=dtype), BBLAS_GEN_CACHE_DIR=folder) for dtype in "fdFD")


def _python(code: str, **environment: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | environment, capture_output=True, text=True, check=True
    )
    return float(done.stdout)
