"""Measuring a problem: everyone in one run, and what is written down of it."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..toolchain import machine
from ..toolchain.compilers import find_cc
from ..version import __version__
from .contenders import Entry, check_numbers, contenders, limits, ours_of
from .limits import flush
from .measure import Contender, Timing, cold, hot
from .peers import PEERS, versions
from .problem import Problem

FORMAT = 2
STATES = ("hot", "steady", "cold")
DIGITS = 4


@dataclass(frozen=True)
class Result:
    """One contender on one problem in one state.

    States: ``hot``, working set in half of the level-2 cache; ``steady``, the whole batch again and again as it
    happens to lie; ``cold``, flushed from all caches before every call. ``seconds``: median over the repetitions,
    ``best`` their minimum, ``spread`` their interquartile range as a fraction of the median. ``roofline`` is
    min(peak, flops / bytes * stream), ``fraction`` what was reached of it. ``ratios``, for ours: how often as fast as
    each peer, the median of the ratios round by round. ``rhs``: right-hand sides, 0 where there is nothing of the kind.
    """

    op: str
    dtype: str
    shape: str
    sizes: tuple[int, ...]
    beta: int
    contender: str
    state: str
    batch: int
    threads: int
    seconds: float
    best: float
    spread: float
    gflops: float
    gbs: float
    peak_gflops: float
    stream_gbs: float
    roofline: float
    fraction: float
    ratios: dict[str, float] = field(default_factory=dict)
    rhs: int = 0

    def record(self) -> dict[str, Any]:
        """The result as JSON has it."""
        return {name: rounded(value) for name, value in asdict(self).items()}


def measure(
    problem: Problem,
    *,
    ours: Sequence[str] | None = None,
    peers: Sequence[str] = tuple(PEERS),
    states: Sequence[str] = STATES,
    repetitions: int = 9,
    skipped: Callable[[str], None] = lambda line: None,
) -> Iterator[Result]:
    """Time all contenders on ``problem``, state by state, in turns; ``ours``: None are all that there are."""
    ours = ours_of(problem.op) if ours is None else ours
    with _blas_limited(problem.threads):
        for state in states:
            yield from _measure_state(problem, state, ours, peers, repetitions, skipped)


def _blas_limited(threads: int) -> AbstractContextManager[Any]:
    """NumPy's BLAS held to the same threads, where threadpoolctl is there to do it."""
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        return nullcontext()
    return threadpool_limits(threads, user_api="blas")  # type: ignore[no-any-return]


def _measure_state(
    wanted: Problem,
    state: str,
    ours: Sequence[str],
    peers: Sequence[str],
    repetitions: int,
    skipped: Callable[[str], None],
) -> list[Result]:
    problem = wanted.hot() if state == "hot" else wanted
    everyone = contenders(problem, ours, peers, skipped, hot=state == "hot")
    bounds = limits(problem)
    timed = [*everyone, *(Contender("limit", bound, list(bound.arrays)) for bound in bounds)]
    for entry in everyone:
        check_numbers(entry)
    timings = cold(timed, repetitions, flush) if state == "cold" else hot(timed, repetitions)
    for entry in everyone:
        check_numbers(entry)
    rates = [b.work / t.median / 1e9 for b, t in zip(bounds, timings[len(everyone) :], strict=True)]
    peak_rate, stream_rate = rates[-1] * problem.threads, max(rates[:-1])
    rivals = {c.name: t for c, t in zip(everyone, timings, strict=False) if c.name in PEERS}
    return [
        _result(problem, entry, state, timing, rivals, peak_rate, stream_rate)
        for entry, timing in zip(everyone, timings, strict=False)
    ]


def _result(
    problem: Problem,
    entry: Entry,
    state: str,
    timing: Timing,
    rivals: dict[str, Timing],
    peak: float,
    stream: float,
) -> Result:
    own = entry.problem
    gflops = own.flops * own.batch / timing.median / 1e9
    roofline = min(peak, stream * own.flops / own.bytes)
    compared = entry.name not in PEERS and own is problem
    return Result(
        op=problem.op,
        dtype=problem.precision,
        shape=problem.shape,
        sizes=problem.sizes,
        beta=problem.beta,
        contender=entry.name,
        state=state,
        batch=own.batch,
        threads=problem.threads,
        seconds=timing.median,
        best=timing.best,
        spread=timing.spread,
        gflops=gflops,
        gbs=own.bytes * own.batch / timing.median / 1e9,
        peak_gflops=peak,
        stream_gbs=stream,
        roofline=roofline,
        fraction=gflops / roofline,
        ratios={name: timing.ratio(rival) for name, rival in rivals.items()} if compared else {},
        rhs=problem.rhs,
    )


def report(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """What is written as JSON: the rows, and all that they depend on."""
    cc = find_cc()
    return {
        "format": FORMAT,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": " ".join(["bblas-gen", *map(_anywhere, sys.argv[1:])]),
        "machine": {
            "cpu": machine.cpu_name(),
            "cores": machine.cores(),
            "caches": machine.caches(),
            "simd_bytes": cc.simd_bytes,
            "load": machine.load(),
        },
        "versions": {
            "bblas_gen": __version__,
            "compiler": cc.version,
            "python": platform.python_version(),
            **versions(),
        },
        "rows": rows,
    }


def _anywhere(argument: str) -> str:
    """An argument of the command; of a path that this machine has alone its name."""
    return Path(argument).name if Path(argument).is_absolute() else argument


def as_json(found: dict[str, Any]) -> str:
    """A report as text, a row to a line."""
    text = json.dumps({name: value for name, value in found.items() if name != "rows"}, indent=1)
    lines = ",\n".join("  " + json.dumps(row) for row in found["rows"])
    return f'{text[:-2]},\n "rows": [\n{lines}\n ]\n}}\n'


def rounded(value: Any) -> Any:
    """Floats cut to the digits that mean something."""
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [rounded(inner) for inner in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
