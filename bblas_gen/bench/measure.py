"""Timing: contenders take turns, repetition by repetition, so that whatever the machine does hits all alike."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any

HOT_SECONDS = 2e-3
"""Seconds that the calls of one hot repetition should take together."""
PAUSE = 3e-3
"""Seconds in which the threads of another contender stop looking for work. Who slept is also first in turn where other
programs want the processor."""
PATIENCE = 0.2
"""Seconds after which threads that still run are let be: those of OpenBLAS look for work for 30 ms."""


@dataclass(frozen=True)
class Contender:
    """Something to time: ``run`` does the work once on ``arrays``."""

    name: str
    run: Callable[[], Any]
    arrays: list[Any]


@dataclass(frozen=True)
class Timing:
    """Seconds per call over the repetitions."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        return median(self.seconds)

    @property
    def best(self) -> float:
        return min(self.seconds)

    @property
    def spread(self) -> float:
        """The interquartile range, as a fraction of the median."""
        return _spread(self.seconds)

    def ratio(self, other: Timing) -> float:
        """How often as fast as ``other`` this is: the median of the ratios round by round."""
        return median(self._ratios(other))

    def ratio_spread(self, other: Timing) -> float:
        """The interquartile range of these ratios, as a fraction of the median: what slows both down is not in it."""
        return _spread(self._ratios(other))

    def _ratios(self, other: Timing) -> list[float]:
        return [theirs / ours for theirs, ours in zip(other.seconds, self.seconds, strict=True)]


def _spread(values: Sequence[float]) -> float:
    if len(values) < 2:
        return 0.0
    low, _, high = quantiles(values, n=4)
    return (high - low) / median(values)


def settle(patience: float = PATIENCE) -> None:
    """Wait until no other thread of this process runs: on few processors it would take its share from the next
    contender. Two libraries that are OpenBLAS left one that had two processors two thirds of them."""
    time.sleep(PAUSE)
    until = time.perf_counter() + patience
    while time.perf_counter() < until and _others_run():
        time.sleep(PAUSE / 3)


def _others_run() -> bool:
    """Whether a thread of this process runs beside this one, as far as the system tells."""
    for task in [*Path("/proc/self/task").glob("*/stat")]:
        with suppress(OSError):  # it may have ended
            state = task.read_text().rpartition(")")[2].split()[0]
            if state == "R" and int(task.parent.name) != threading.get_native_id():
                return True
    return False


@contextmanager
def quiet() -> Iterator[None]:
    """No garbage collection meanwhile."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def hot(contenders: Sequence[Contender], repetitions: int) -> list[Timing]:
    """Time the contenders with their data in cache: each call repeated until the clock is no matter."""
    counts = []
    for contender in contenders:
        contender.run()
        once = max(_timed(contender.run, 3) / 3, 1e-7)
        counts.append(max(1, round(HOT_SECONDS / once)))
    rounds = [
        [_again(contender, count) for contender, count in zip(contenders, counts, strict=True)]
        for _ in range(repetitions)
    ]
    return [Timing(times) for times in zip(*rounds, strict=True)]


def cold(contenders: Sequence[Contender], repetitions: int, flush: Callable[[list[Any]], None]) -> list[Timing]:
    """Time single calls of the contenders, their data flushed from all caches before each."""
    rounds = []
    for repetition in range(repetitions + 1):
        times = []
        for contender in contenders:
            flush(contender.arrays)
            times.append(_timed(contender.run, 1))
        if repetition:  # the first round warms code, page tables and threads
            rounds.append(times)
    return [Timing(times) for times in zip(*rounds, strict=True)]


def _again(contender: Contender, count: int) -> float:
    """Seconds per call, after one that fetches the contender's data back from where the others left it."""
    contender.run()
    return _timed(contender.run, count) / count


def _timed(run: Callable[[], Any], count: int) -> float:
    started = time.perf_counter()
    for _ in range(count):
        run()
    return time.perf_counter() - started
