"""Measuring a function on stacks: ours, by the plain call, and the peers in turns, each checked before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from time import perf_counter, sleep
from typing import Any

import numpy as np

from ...arrays.host import Array
from ..contenders import Wrong
from ..measure import PAUSE, Timing, quiet
from ..noise import SPREAD
from ..peers import Missing
from .calls import Problem
from .peers import PEERS

OURS = "ours"
TOLERANCE = 1e4
"""Allowed difference of a peer's results from ours, in units of eps of the largest element."""
SECONDS = 2e-3
"""What the calls of a turn take together, at least."""
LONG, WARM = 5e-3, 3
"""A call before which one is enough to bring the data back, and how many others want: a last cache that takes what a
smaller one puts out does not have all of it after one."""
LEAST, MORE = 3, 3
"""Rounds of problems that take long, and how many times as many there are at most where the ratios differ much."""


@dataclass(frozen=True)
class Entry:
    """``run`` does ``matrices`` of a problem."""

    name: str
    run: Callable[[], Any]
    matrices: int


def ours(problem: Problem, arrays: Sequence[Array]) -> Callable[[], Any]:
    """The plain call, in the precision of the operands."""
    kind = {} if problem.precision in "dz" else {"dtype": problem.p.dtype}
    function, module = problem.call.by[OURS], import_module("bblas_gen.linalg")
    return partial(function, module, *arrays, num_threads=problem.threads, **kind)


def measure(
    problem: Problem, peers: Sequence[str], repetitions: int, seconds: float, skipped: Callable[[str], None]
) -> dict[str, Any]:
    """A row of everyone's times. ``seconds``: about what all rounds may take together, where there are more than LEAST.
    ``skipped`` is told of the peers that are not here, and of those whose results are others."""
    arrays = problem.operands()
    mine = ours(problem, arrays)
    everyone = [Entry(OURS, mine, problem.batch), *_peers(problem, arrays, mine, peers, skipped)]
    with quiet():
        timings = _timings(everyone, problem.threads, repetitions, seconds)
    fewer = {x.name: x.matrices for x in everyone if x.matrices < problem.batch}
    return row(problem, "steady", timings) | {"matrices": fewer}


def row(problem: Problem, state: str, timings: Mapping[str, Timing]) -> dict[str, Any]:
    """What is written of a problem, by contender: ``ns`` of a matrix, and how often as fast as another one ours is."""
    mine = timings[OURS]
    return {
        "call": problem.call.name,
        "dtype": problem.precision,
        "n": problem.n,
        "batch": problem.batch,
        "threads": problem.threads,
        "state": state,
        "ns": {name: timing.median * 1e9 for name, timing in timings.items()},
        "spread": {name: timing.spread for name, timing in timings.items()},
        "ratios": {name: mine.ratio(timing) for name, timing in timings.items() if name != OURS},
        "ratio_spread": {name: mine.ratio_spread(timing) for name, timing in timings.items() if name != OURS},
    }


def _peers(
    problem: Problem,
    arrays: Sequence[Array],
    mine: Callable[[], Any],
    names: Sequence[str],
    skipped: Callable[[str], None],
) -> Iterator[Entry]:
    """Those that are here and have our results. Raises Wrong where nobody has."""
    wrong, right = [], 0
    expected = _results(mine())
    for peer in (PEERS[name] for name in names if problem.call.name in PEERS[name].calls):
        count = peer.matrices(problem)
        try:
            run, results = peer.prepare(replace(problem, batch=count), [x[:count] for x in arrays])
            _check(problem, peer.title, results(run()), [x[:count] for x in expected])
        except Missing as error:
            skipped(str(error))
        except Wrong as error:
            wrong.append(str(error))
        else:
            right += 1
            yield Entry(peer.name, run, count)
    if wrong and not right:
        raise Wrong(f"nobody has our results: {'; '.join(wrong)}")
    for line in wrong:
        skipped(line)


def _results(found: Any) -> list[Array]:
    return list(map(np.asarray, found if isinstance(found, tuple | list) else [found]))


def _check(problem: Problem, title: str, found: Sequence[Array], expected: Sequence[Array]) -> None:
    """Raise Wrong where what is determined of the results differs."""
    compared = problem.call.compared
    for x, y in zip(compared(found), compared(expected), strict=True):
        most = TOLERANCE * np.finfo(y.dtype).eps * float(abs(y).max())
        error = float(abs(x - y).max()) if x.shape == y.shape else np.inf
        if not error <= most:
            raise Wrong(f"{title}: wrong results of {problem.name}: off by {error:.2g}, expected at most {most:.2g}")


def _timings(everyone: Sequence[Entry], threads: int, repetitions: int, seconds: float) -> dict[str, Timing]:
    """Of everyone the seconds of each round for a matrix; where ratios are noise there are more rounds. Every other one
    goes backwards, so that nobody always finds the caches as the same one left them."""
    once = [_turn(x, 1, 1, threads) for x in everyone]
    counts = [max(1, round(SECONDS / time)) for time in once]
    warm = [WARM if time < LONG else 1 for time in once]
    turns = list(zip(everyone, warm, counts, strict=True))
    whole = sum((x + y) * time for x, y, time in zip(warm, counts, once, strict=True))
    rounds = max(min(LEAST, repetitions), min(repetitions, round(seconds / whole)))
    times: list[dict[str, float]] = []
    found: dict[str, Timing] = {}
    while len(times) < rounds or (len(times) < MORE * rounds and _differ(found)):
        order = turns[:: -1 if len(times) % 2 else 1]
        times.append({x.name: _turn(x, first, count, threads) / x.matrices for x, first, count in order})
        found = {x.name: Timing(tuple(each[x.name] for each in times)) for x in everyone}
    return found


def _differ(timings: Mapping[str, Timing]) -> bool:
    """Whether the ratio to anybody is noise. All rounds count."""
    mine = timings[OURS]
    return any(mine.ratio_spread(timing) > SPREAD for name, timing in timings.items() if name != OURS)


def _turn(entry: Entry, warm: int, count: int, threads: int) -> float:
    """Seconds per call after some that bring the data back from where others left it, and count for nothing."""
    if threads > 1:
        sleep(PAUSE)
    _timed(entry.run, warm)
    return _timed(entry.run, count) / count


def _timed(run: Callable[[], Any], count: int) -> float:
    started = perf_counter()
    for _ in range(count):
        run()
    return perf_counter() - started
