"""Who takes part on a GPU: our layouts and the peers, each checked before it is timed, and timed in turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from ...ir.program import Program
from ...runtime.device_storage import DeviceStorage
from ...schedule.gpu import choose as choose_schedule
from ...schedule.gpu_schedule import GpuSchedule
from ..contenders import Expected, Wrong
from ..measure import Timing
from ..peers import Missing
from .clock import Clock
from .limits import Tools
from .memory import PERIOD, Operands, host, numbers, operands, sets_for
from .peers import PEERS
from .problem import GpuProblem

LAYOUTS = ("bi", "il", "st", "pp")
SLOW = 0.1
"""Seconds of a round that are enough: contenders that take longer have shorter ones, and fewer."""
FEWER = 3
QUEUED, AHEAD = 1e-5, 1.5
"""Seconds of the host for a call, at least; and how often as long as that a GPU is kept busy before calls are timed."""
OTHERS = 100
"""Allowed difference of a peer's result from NumPy's: as `contenders.TOLERANCE`, with room for other algorithms."""


@dataclass(frozen=True)
class Contender:
    """``runs`` do a set of ``operands`` each. ``family``: how our kernel is made."""

    name: str
    operands: Operands
    runs: Sequence[Callable[[], Any]]
    family: str = ""


@dataclass(frozen=True)
class Measured:
    """A contender's seconds per call, and the sets it went round."""

    contender: Contender
    timing: Timing
    sets: int


@dataclass
class Contest:
    """A problem, and what its contenders share. ``nbytes``: what sets go beyond."""

    problem: GpuProblem
    tools: Tools
    clock: Clock
    nbytes: int
    skipped: Callable[[str], None]
    failed: Callable[[str], None]

    @property
    def arrays(self) -> Mapping[str, Any]:
        """The numbers, in host memory."""
        return _known(replace(self.problem, batch=PERIOD))[0]

    @property
    def expected(self) -> Expected:
        return _known(replace(self.problem, batch=PERIOD))[1]

    @property
    def sets(self) -> int:
        return sets_for(self.problem, self.nbytes)

    def contenders(self, layouts: Sequence[str], peers: Sequence[str]) -> list[Contender]:
        """Those that are here, checked; ``skipped`` is told of the others."""
        makers = [
            *((self.ours, x) for x in layouts),
            *((self.peer, x) for x in peers if PEERS[x].does(self.problem.op)),
        ]
        found = []
        for make, name in makers:
            try:
                found.append(make(name))
            except Missing as error:
                self.skipped(str(error))
            except Exception as error:  # of any library: the others go on
                self.clock.wait()
                self.failed(f"{name} on {self.problem.spec.symbol()}, {self.problem.batch} matrices: {_first(error)}")
        return found

    def ours(self, layout: str) -> Contender:
        """One of our layouts. Raises Missing where arrays on a GPU cannot lie so."""
        problem = self.problem
        try:
            given = self._strided if layout == "st" else self._operands(layout, self.arrays)
            small = self._planned(given.small())
        except TypeError as error:
            raise Missing(f"{layout}: {error}") from error
        runs = [self._planned(given.set(i)) for i in range(given.sets)]
        given.restore()
        small()
        self.expected.check(layout, given.results())
        given.restore(1)
        runs[0]()
        if given.differ():
            raise Wrong(f"{layout} on {problem.spec.symbol()} is another in a batch of {problem.batch} matrices")
        return Contender(layout, given, runs, family(problem, layout))

    def _planned(self, given: Sequence[Any]) -> Callable[[], Any]:
        return self.problem.planned(given, **self.problem.scalars)

    def peer(self, name: str) -> Contender:
        """A peer, by name. Raises Missing."""
        peer, problem = PEERS[name], self.problem
        turned = peer.natural(problem.op)
        given = self._turned if turned else self._strided
        small = peer.prepare(replace(problem, batch=PERIOD), dict(zip(given.placed, given.small(), strict=True)))
        given.restore()
        small.run()
        found = {x: self._result(value, turned, self.arrays[x].shape) for x, value in small.results.items()}
        self.expected.check(name, {**self.arrays, **found}, OTHERS)
        ready = [peer.prepare(problem, dict(zip(given.placed, given.set(i), strict=True))) for i in range(given.sets)]
        return Contender(name, given, [one.run for one in ready])

    @staticmethod
    def _result(value: Any, turned: bool, shape: tuple[int, ...]) -> Any:
        array = np.asarray(host(value) if isinstance(value, DeviceStorage) else value())
        apart = turned and shape[-1] == shape[-2]  # vectors and pivots are the same either way
        return (array.reshape(shape).mT if apart else array.reshape(shape)).copy()

    @cached_property
    def _strided(self) -> Operands:
        return self._operands("st", self.arrays)

    @cached_property
    def _turned(self) -> Operands:
        square = {x: np.ascontiguousarray(y.mT) if y.shape[1] == y.shape[2] else y for x, y in self.arrays.items()}
        return self._operands("st", square)

    def _operands(self, layout: str, arrays: Mapping[str, Any]) -> Operands:
        return operands(self.problem, layout, self.tools, arrays, self.sets)

    def measured(self, contenders: Sequence[Contender], repetitions: int) -> list[Measured]:
        """All of them timed in turns, round by round; those that are slow not in all rounds."""
        once = [min(self._round(one, 1), self._round(one, 1)) for one in contenders]
        host = [max(QUEUED, self._queueing(one)) for one in contenders]
        sets = [max(1, min(len(one.runs), int(SLOW / max(t, 1e-9)))) for one, t in zip(contenders, once, strict=True)]
        rounds: list[list[float]] = [[] for _ in contenders]
        for repetition in range(repetitions):
            for one, count, first, queued, found in zip(contenders, sets, once, host, rounds, strict=True):
                if first < SLOW or repetition < FEWER:
                    found.append(self._round(one, count, queued))
        return [Measured(*three) for three in zip(contenders, map(Timing, map(tuple, rounds)), sets, strict=True)]

    def _queueing(self, one: Contender) -> float:
        """Seconds of the host for a call. Behind nothing that it might have to wait for, so before the rounds."""
        found = []
        for _ in range(2):
            one.operands.restore(1)
            found.append(self.clock.queueing(one.runs[0]))
        return min(found)

    def _round(self, one: Contender, count: int, queued: float = QUEUED) -> float:
        """Seconds per call, of a round through ``count`` sets, where a call takes the host the time ``queued``."""
        one.operands.restore(count)
        self.tools.busy(AHEAD * count * queued)
        return self.clock.seconds(lambda: [run() for run in one.runs[:count]]) / count


@lru_cache(maxsize=1)
def _known(problem: GpuProblem) -> tuple[Mapping[str, Any], Expected]:
    """The numbers of a problem and what comes of them: the same for batches of all sizes."""
    arrays = numbers(problem)
    return arrays, Expected(problem, arrays)


def _first(error: Exception) -> str:
    return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"


def family(problem: GpuProblem, layout: str) -> str:
    """The family of our kernel: T, a thread for a matrix; T-sm, by shared memory; W, a part of a warp; B, a block."""
    schedule = choose_schedule(Program.of(problem.kernel(layout)))
    return family_of(schedule)


def family_of(schedule: GpuSchedule) -> str:
    if schedule.lanes > 1:
        return "B" if schedule.lanes > 32 else "W"
    return "T-sm" if schedule.staged else "T"


def ratios(measured: Sequence[Measured]) -> Mapping[str, Mapping[str, float]]:
    """How often as fast as each peer each of our layouts is."""
    peers = {x.contender.name: x.timing.median for x in measured if not x.contender.family}
    ours = {x.contender.name: x.timing.median for x in measured if x.contender.family}
    return {name: {peer: theirs / own for peer, theirs in peers.items()} for name, own in ours.items()}
