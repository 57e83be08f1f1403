"""Measuring problems on single operands: everyone in turns, on one thread and on more."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import click

from ...runtime.threads import hold, limit
from ..contenders import Wrong
from ..limits import Peak
from ..measure import Timing, settle
from ..noise import SPREAD
from .contenders import CALL, LIMIT, OURS, PRODUCT, Entry, entries
from .problem import Problem

SECONDS = 2e-3
"""What the calls of one round of a contender take together, at least."""
LONG = 10 * SECONDS
"""A call from which one is enough, and none goes before it; what calls that do not count take together, at most."""
WAITING = {"KMP_BLOCKTIME": "1", "OPENBLAS_THREAD_TIMEOUT": "21"}
"""How long threads look for work: Intel's OpenMP 1 ms, OpenBLAS 2^21 cycles, where it is loaded after this."""
LEAST, MORE = 3, 3
"""Rounds of problems that take long, and how many times as many rounds there are at most where they differ much."""
BEATEN = 1.5
"""How much longer than the fastest peer another one takes in the first call of a long problem, to be left alone."""


@dataclass(frozen=True)
class Case:
    """A problem, the ``part`` of the benchmark that it belongs to, and another one of ours timed ``beside`` it."""

    part: str
    problem: Problem
    beside: Problem | None = None


def measure(
    case: Case,
    threads: Sequence[int],
    peers: Sequence[str],
    repetitions: int,
    seconds: float,
    skipped: Callable[[str], None],
) -> Iterator[dict[str, Any]]:
    """A row for each number of threads; ``seconds``: about what the rounds of a problem may take together, where there
    are more than LEAST."""
    with _Threads(max(threads)) as limited:
        found = entries(case.problem, threads, peers, case.beside, skipped)
        limited.find()
        everyone, counts = _counted(found, limited, skipped)
        slow = _beaten(everyone, [once for _, once in counts], seconds)
        takes = [(count + _uncounted(x, once)) * once for x, (count, once) in zip(everyone, counts, strict=True)]
        took = sum(taken for i, taken in enumerate(takes) if i not in slow)
        rounds = max(min(LEAST, repetitions), min(repetitions, round(seconds / took)))
        times: list[list[float]] = []
        timings: dict[tuple[str, int], Timing] = {}
        while len(times) < rounds or (len(times) < MORE * rounds and _differ(timings)):
            times.append(_turns(everyone, counts, slow, limited, backwards=len(times) % 2 == 1))
            timings = {(x.name, x.threads): Timing(y) for x, y in zip(everyone, zip(*times, strict=True), strict=True)}
    for count in threads:
        yield _row(case, count, everyone, timings)


def _counted(
    found: Sequence[Entry], limited: _Threads, skipped: Callable[[str], None]
) -> tuple[list[Entry], list[tuple[int, float]]]:
    """Everyone whose result is right, with the calls of a round; ``skipped`` is told of the peers whose is not."""
    counts = {}
    for i, entry in enumerate(found):
        try:
            counts[i] = _count(entry, limited)
        except Wrong as error:
            if entry.name in (OURS, CALL):
                raise
            skipped(str(error))
    return [found[i] for i in counts], list(counts.values())


def _differ(timings: Mapping[tuple[str, int], Timing]) -> bool:
    """Whether rounds of ours, or of the fastest peer, are noise on some number of threads. All rounds count."""
    for threads in {count for _, count in timings}:
        mine = {name: x for (name, count), x in timings.items() if count == threads}
        peers = [x for name, x in mine.items() if name not in (OURS, CALL, PRODUCT, LIMIT)]
        count = [mine[OURS], *sorted(peers, key=lambda x: x.median)[:1]]
        if max(x.spread for x in count) > SPREAD:
            return True
    return False


def _beaten(everyone: Sequence[Entry], once: Sequence[float], seconds: float) -> dict[int, float]:
    """Of problems that take long, the peers that cannot be the best, and the seconds of their first call: that is
    their time, and they take no turns."""
    if sum(once) < seconds:
        return {}
    peers = {i: entry.threads for i, entry in enumerate(everyone) if entry.name not in (OURS, CALL, PRODUCT, LIMIT)}
    least = {n: min(once[i] for i, threads in peers.items() if threads == n) for n in set(peers.values())}
    return {i: once[i] for i, threads in peers.items() if once[i] > BEATEN * least[threads]}


class _Threads:
    """Holds us and the libraries of peers to a number of threads; those that wait do not keep a processor long."""

    def __init__(self, most: int) -> None:
        for name, value in WAITING.items():
            os.environ.setdefault(name, value)
        try:
            from threadpoolctl import ThreadpoolController
        except ImportError as error:
            raise click.ClickException(f"{error}; pip install 'bblas_gen[bench]'") from error
        self._make = ThreadpoolController
        self.find()
        self._before = self._controller.limit(limits=most)

    def find(self) -> None:
        """Look for the libraries that are loaded now."""
        self._controller = self._make()

    def only(self, count: int) -> None:
        self._controller.limit(limits=count)
        hold(count)

    def __enter__(self) -> _Threads:
        return self

    def __exit__(self, *_: object) -> None:
        hold(limit())
        with suppress(AttributeError):
            self._before.restore_original_limits()


def _count(entry: Entry, limited: _Threads) -> tuple[int, float]:
    """How many calls make a round, and how long one takes."""
    limited.only(entry.threads)
    once = entry.first()
    if once > LONG:
        return 1, once
    once = max(min(_calls(entry, 1) for _ in range(2)), 1e-8)
    while entry.before is None and once < SECONDS / 10:  # too short for the clock
        times = max(2, round(SECONDS / 10 / once))
        once = max(_calls(entry, times) / times, 1e-9)
        if times * once > SECONDS / 20:
            break
    return max(1, round(SECONDS / once)), once


def _turns(
    everyone: Sequence[Entry],
    counts: Sequence[tuple[int, float]],
    slow: Mapping[int, float],
    limited: _Threads,
    *,
    backwards: bool,
) -> list[float]:
    """Seconds per call of everyone in a round, in which the ``slow`` take no turn. Every other round goes backwards,
    so that nobody always finds the caches as the same one left them."""
    found = dict(slow)
    for i in reversed(range(len(everyone))) if backwards else range(len(everyone)):
        if i not in slow:
            found[i] = _round(everyone[i], *counts[i], limited)
    return [found[i] for i in range(len(everyone))]


def _round(entry: Entry, count: int, once: float, limited: _Threads) -> float:
    """Seconds per call, after some that bring the data back."""
    limited.only(entry.threads)
    settle()
    if calls := _uncounted(entry, once):
        entry.again(calls)
    return _calls(entry, count) / count


def _uncounted(entry: Entry, once: float) -> int:
    """The calls of a turn that do not count: as many as do not take long together."""
    return 0 if entry.before else min(entry.warm, int(LONG / once))


def _calls(entry: Entry, count: int) -> float:
    """Seconds of so many calls."""
    if entry.before is None:
        started = perf_counter()
        entry.again(count)
        return perf_counter() - started
    total = 0.0
    for _ in range(count):
        entry.before()
        started = perf_counter()
        entry.again(1)
        total += perf_counter() - started
    return total


def _row(case: Case, threads: int, everyone: Sequence[Entry], timings: dict[tuple[str, int], Timing]) -> dict[str, Any]:
    """What was found on so many threads.

    ``seconds`` of a call and its ``spread`` by contender; ``limit``: GF/s of the arithmetic, or GB/s of the memory.
    ``ratios``: how often as fast as each peer we are; ``over_one``: how often as fast as on one thread everyone is.
    """
    problem, one = case.problem, min(entry.threads for entry in everyone)
    mine = {name: timing for (name, count), timing in timings.items() if count == threads}
    del mine[LIMIT]
    ours, peers = mine[OURS], {x: y for x, y in mine.items() if x not in (OURS, CALL, PRODUCT)}
    row = {
        "part": case.part,
        "op": problem.op,
        "dtype": problem.precision,
        "flags": "" if problem.plain else problem.letters,
        "shape": problem.shape,
        "sizes": problem.sizes,
        "threads": threads,
        "flops": problem.flops,
        "bytes": problem.bytes,
        "limit": _limit(problem, threads, {n: x for (name, n), x in timings.items() if name == LIMIT}),
        "seconds": {name: timing.median for name, timing in mine.items()},
        "spread": {name: timing.spread for name, timing in mine.items()},
        "ratios": {name: ours.ratio(timing) for name, timing in peers.items()},
    }
    if threads > one:
        alone = {name: timing for (name, count), timing in timings.items() if count == one}
        row["over_one"] = {name: timing.ratio(alone[name]) for name, timing in mine.items() if name in alone}
    if case.beside:
        row["of_gemm"] = ours.ratio(mine[PRODUCT]) * problem.flops / case.beside.flops
    return row


def _limit(problem: Problem, threads: int, found: Mapping[int, Timing]) -> float:
    """GF/s of the arithmetic of so many cores, or GB/s of the memory, of one of them where that is more."""
    if problem.row.stream is None:
        return Peak(problem.p).work * threads / found[threads].median / 1e9
    return max(problem.bytes / timing.median for count, timing in found.items() if count <= threads) / 1e9
