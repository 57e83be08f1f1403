"""`bblas-gen demo`: the main job on this machine, checked and timed."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import click
import numpy as np

from ..blas import gemm
from ..interleave import interleave
from ..ir.spec import KernelSpec, precision
from ..plans import plan
from ..runtime import library
from .measure import Contender, hot
from .noise import state

REPETITIONS = 7
TOLERANCE = 3
"""Allowed error in units of eps, in MAGMA's form ||dC|| / (sqrt(k + 2) ||A|| ||B||)."""


@click.command()
@click.option("-n", "size", type=click.IntRange(1, 512), default=8, show_default=True, help="Rows and columns.")
@click.option("--batch", type=click.IntRange(1), default=10_000, show_default=True, help="Matrices in the batch.")
@click.option("--dtype", default="d", show_default=True, help="s, d, c, z or a NumPy name.")
def demo(size: int, batch: int, dtype: str) -> None:
    """Multiply a batch of small matrices: compile the kernel, check it against NumPy, time it."""
    row = precision(dtype)
    spec = KernelSpec.make("gemm", dtype, m=size, n=size, k=size)
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((batch, size, size)).astype(row.dtype) for _ in range(2))
    started = perf_counter()
    gemm(a[:1], b[:1])
    click.echo(f"{batch} products of {size} x {size} matrices, {row.dtype}")
    click.echo(f"kernel ready after  {perf_counter() - started:.2f} s (compiled once, then cached)")
    click.echo(f"cache               {library.default_cache().root}")
    click.echo(f"machine             {state()}")
    c = np.empty_like(a)
    x, y = interleave(a), interleave(b)
    z = gemm(x, y)
    runs: dict[str, Callable[[], Any]] = {
        "numpy.matmul": lambda: np.matmul(a, b, out=c),
        "gemm, NumPy arrays": plan("gemm", a, b, np.empty_like(a)),
        "gemm, interleaved": plan("gemm", x, y, z),
    }
    timings = hot([Contender(name, run, []) for name, run in runs.items()], REPETITIONS)
    for name, timing in zip(runs, timings, strict=True):
        gflops, gbs = (amount * batch / timing.median / 1e9 for amount in (spec.flops, spec.bytes))
        click.echo(f"{name:<19} {gflops:6.1f} GF/s  {gbs:6.1f} GB/s")
    _check(a, b, gemm(a, b), row.eps, "NumPy arrays")
    _check(a, b, z.deinterleave(), row.eps, "interleaved")


def _check(a: Any, b: Any, c: Any, eps: float, name: str) -> None:
    def norm(x: Any) -> Any:
        return np.sqrt((np.abs(x) ** 2).sum(axis=(1, 2)))

    error = float((norm(c - np.matmul(a, b)) / (np.sqrt(a.shape[2] + 2) * norm(a) * norm(b))).max()) / eps
    click.echo(f"largest error       {error:.2f} eps ({name}), as NumPy rounds too")
    if not error <= TOLERANCE:
        raise click.ClickException(f"the result is wrong: expected at most {TOLERANCE} eps")
