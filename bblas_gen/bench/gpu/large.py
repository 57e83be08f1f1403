"""One large matrix on a GPU: lists of launches against cuBLAS, products, and copies before and behind.

All in double precision, of matrices by rows, which cuBLAS sees as transposes.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from ...arrays.device import header
from ...asynchronous import start
from ...plans import plan
from ...runtime.device_storage import DeviceStorage, fetched
from ...runtime.gpu import Gpu
from ..contenders import Wrong
from ..peers import Missing
from . import peers
from .clock import Clock
from .limits import place

N, RIGHT_HAND_SIDES = 8192, (1, 4, 16, 32)
TOLERANCE = 1e-9
Row = dict[str, Any]
Run = Callable[[], Any]


def measured(gpu: Gpu, clock: Clock, n: int, repetitions: int, skipped: Callable[[str], None]) -> Iterator[Row]:
    """Rows: what, of which size, who, seconds and operations in a second."""
    rng = np.random.default_rng(1)
    factor = np.eye(n) + np.tril(rng.standard_normal((n, n))) / (4 * n)
    a = DeviceStorage.of(gpu, factor)
    try:
        triangular = _cublas(n)
    except Missing as error:
        skipped(str(error))
        triangular = {}
    for op, cols in (("trmm", n), *(("trsm", x) for x in RIGHT_HAND_SIDES)):
        right = rng.standard_normal((n, cols))
        makers: dict[str, Callable[[DeviceStorage], Run]] = {"ours": partial(plan, op, a)}
        if op in triangular:
            makers["cublas"] = partial(partial, triangular[op], a, cols)
        for name, make in makers.items():
            b = DeviceStorage.of(gpu, right)
            run = make(b)
            run()
            _check(name, op, factor, right, _fetched(gpu, b))
            yield _row(op, n, cols, name, clock.timing(run, repetitions).median)
    c, d = (DeviceStorage.of(gpu, rng.standard_normal((n, n))) for _ in range(2))
    yield _row("gemm", n, n, "ours", clock.timing(plan("gemm", c, d), repetitions).median)
    yield from _from_host(gpu, factor, rng.standard_normal((n, n)), repetitions)


def _cublas(n: int) -> dict[str, Callable[[DeviceStorage, int, DeviceStorage], None]]:
    """Its functions in place, by operation. Raises Missing."""
    library, handle = ctypes.CDLL(peers.located("cublas")), ctypes.c_void_p()
    one = ctypes.byref(ctypes.c_double(1))
    if status := library.cublasCreate_v2(ctypes.byref(handle)):
        raise Missing(f"cuBLAS: cannot be opened, status {status}")

    def run(function: Any, twice: bool, a: DeviceStorage, cols: int, b: DeviceStorage) -> None:
        factor, right = (ctypes.c_void_p(place(x)) for x in (a, b))
        target = (right, cols) if twice else ()
        if status := function(handle, 1, 1, 0, 0, cols, n, one, factor, n, right, cols, *target):
            raise Missing(f"cuBLAS: returns {status}")

    return {
        "trmm": partial(run, library.cublasDtrmm_v2, True),
        "trsm": partial(run, library.cublasDtrsm_v2, False),
    }


def _fetched(gpu: Gpu, array: DeviceStorage) -> Any:
    return fetched(header("array", array), gpu.stream(None))


def _check(name: str, op: str, factor: Any, right: Any, found: Any) -> None:
    """By a random combination of the columns."""
    x = np.random.default_rng(2).standard_normal(right.shape[1])
    one, other = (factor @ (right @ x), found @ x) if op == "trmm" else (right @ x, factor @ (found @ x))
    if not np.abs(one - other).max() <= TOLERANCE * max(1.0, np.abs(one).max()):
        raise Wrong(f"{name} is wrong on d{op}, n = {len(factor)}")


def _from_host(gpu: Gpu, factor: Any, right: Any, repetitions: int) -> Iterator[Row]:
    """A solve of matrices in host memory: begun and waited for, and by copies before and behind the call."""

    def begun() -> None:
        start("trsm", factor, right, device=gpu.number).wait()

    def copied() -> None:
        a, b = DeviceStorage.of(gpu, factor), DeviceStorage.of(gpu, right)
        plan("trsm", a, b)()
        right[...] = _fetched(gpu, b)

    for name, run in (("start", begun), ("copies", copied)):
        run()
        found = []
        for _ in range(repetitions):
            first = perf_counter()
            run()
            found.append(perf_counter() - first)
        yield _row("trsm from host memory", len(factor), right.shape[1], name, median(found))


def _row(what: str, n: int, cols: int, name: str, seconds: float) -> Row:
    work = (2 if what == "gemm" else 1) * n * n * cols
    return {"what": what, "n": n, "cols": cols, "contender": name, "seconds": seconds, "gflops": work / seconds / 1e9}
