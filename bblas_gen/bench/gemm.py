"""The GEMM benchmark: our layouts and NumPy against the roofline, in three states of the memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from .. import machine
from ..api import plan
from ..interleaved import interleave
from ..spec import KernelSpec, precision
from .limits import Peak, Stream, flush
from .measure import Contender, Timing, cold, hot

STATES = ("hot", "steady", "cold")
LAYOUTS = ("st", "pp", "bi", "il")
PEER = "numpy"


@dataclass(frozen=True)
class Row:
    """One measurement. ``roofline`` is min(peak, flops / bytes * stream), ``fraction`` what was reached of it.

    States: ``hot``, working set in half of the level-2 cache; ``steady``, the whole batch again and again as it
    happens to lie; ``cold``, flushed from all caches before every call.
    """

    op: str
    dtype: str
    n: int
    contender: str
    state: str
    batch: int
    threads: int
    seconds: float
    spread: float
    gflops: float
    gbs: float
    peak_gflops: float
    stream_gbs: float
    roofline: float
    fraction: float
    speedup: float

    def record(self) -> dict[str, Any]:
        """The row as JSON has it."""
        return {k: float(f"{v:.4g}") if isinstance(v, float) else v for k, v in asdict(self).items()}


def measure(
    dtype: str,
    sizes: Sequence[int],
    batch: int,
    *,
    layouts: Sequence[str] = LAYOUTS,
    states: Sequence[str] = STATES,
    threads: int = 1,
    repetitions: int = 9,
    step: Callable[[], None] = lambda: None,
) -> Iterator[Row]:
    """Benchmark C := A B on ``batch`` square matrices of each size; ``step`` is called after each (size, state)."""
    with _peers_limited(threads):
        for n in sizes:
            for state in states:
                yield from _measure_one(dtype, n, batch, layouts, state, threads, repetitions)
                step()


def _peers_limited(threads: int) -> AbstractContextManager[Any]:
    """NumPy's BLAS held to the same threads, where threadpoolctl is there to do it."""
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        return nullcontext()
    return threadpool_limits(threads, user_api="blas")  # type: ignore[no-any-return]


def hot_batch(nbytes: int, batch: int, threads: int, unit: int) -> int:
    """Matrices that fill half of every thread's level-2 cache, in whole blocks; no more than the batch."""
    wanted = machine.caches()["l2"] * threads // 2 // nbytes // unit * unit
    return max(min(wanted, batch), unit)


def _measure_one(
    dtype: str, n: int, batch: int, layouts: Sequence[str], state: str, threads: int, repetitions: int
) -> list[Row]:
    p = precision(dtype)
    spec = KernelSpec.make("gemm", dtype, m=n, n=n, k=n)
    count = hot_batch(spec.bytes, batch, threads, p.default_nb) if state == "hot" else batch
    contenders = _contenders(p.dtype, n, count, layouts, threads)
    stream, peak = Stream.like(spec.bytes * count, threads), Peak(p)
    limits = [Contender("stream", stream, stream.arrays), Contender("peak", peak, [])]
    everyone = [*contenders, *limits]
    timings = cold(everyone, repetitions, flush) if state == "cold" else hot(everyone, repetitions)
    peak_rate = peak.flops / timings[-1].median / 1e9 * threads
    stream_rate = stream.nbytes / timings[-2].median / 1e9
    reference = next(t for c, t in zip(contenders, timings, strict=False) if c.name == PEER)
    return [
        _row(spec, contender.name, state, count, threads, timing, reference, peak_rate, stream_rate)
        for contender, timing in zip(contenders, timings, strict=False)
    ]


def _row(
    spec: KernelSpec,
    contender: str,
    state: str,
    batch: int,
    threads: int,
    timing: Timing,
    reference: Timing,
    peak: float,
    stream: float,
) -> Row:
    gflops = spec.flops * batch / timing.median / 1e9
    roofline = min(peak, stream * spec.flops / spec.bytes)
    ratios = [r / t for r, t in zip(reference.seconds, timing.seconds, strict=True)]
    return Row(
        op=spec.op,
        dtype=spec.precision,
        n=spec.size["n"],
        contender=contender,
        state=state,
        batch=batch,
        threads=threads,
        seconds=timing.median,
        spread=timing.spread,
        gflops=gflops,
        gbs=spec.bytes * batch / timing.median / 1e9,
        peak_gflops=peak,
        stream_gbs=stream,
        roofline=roofline,
        fraction=gflops / roofline,
        speedup=float(np.median(ratios)),
    )


def _contenders(dtype: str, n: int, batch: int, layouts: Sequence[str], threads: int) -> list[Contender]:
    """NumPy and our layouts, each with operands of its own kind made from the same numbers."""
    rng = np.random.default_rng(n)
    a, b = (_random(rng, (batch, n, n), dtype) for _ in range(2))
    c = np.zeros_like(a)
    found = [Contender(PEER, lambda: np.matmul(a, b, out=c), [a, b, c])]
    for layout in layouts:
        x, y, z = (_as_layout(array, layout) for array in (a, b, np.zeros_like(a)))
        call = plan("gemm", x, y, z, num_threads=threads)
        found.append(Contender(layout, call, [_storage(operand) for operand in (x, y, z)]))
    return found


def _random(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> Any:
    numbers = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        return (numbers + 1j * rng.standard_normal(shape)).astype(dtype)
    return numbers.astype(dtype)


def _as_layout(array: Any, layout: str) -> Any:
    if layout == "st":
        return array
    if layout == "pp":
        return list(array)
    return interleave(array, nb="full" if layout == "il" else None)


def _storage(operand: Any) -> Any:
    """The memory that an operand occupies."""
    if isinstance(operand, list):
        return operand[0].base
    return getattr(operand, "data", operand) if not isinstance(operand, np.ndarray) else operand
