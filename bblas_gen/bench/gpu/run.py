"""Measuring a GPU: kernels compiled side by side, a few cases ahead, and what is written down of it."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import monotonic
from typing import Any

from ...codegen.device import DeviceFunction
from ...errors import BblasError
from ...ir.spec import KernelSpec
from ...runtime.cubins import compile_device
from ...runtime.gpu import Gpu, function_for
from ...runtime.kernels import side_by_side
from ...toolchain import cuda, machine
from ...version import __version__
from ..result import FORMAT, rounded
from . import large
from .cases import PAPER, Case
from .clock import Clock
from .contest import Contest, Measured, ratios
from .latency import latency
from .limits import REALS, Tools
from .peers import versions
from .problem import NAMES, GpuProblem

Unit = list[tuple[KernelSpec, DeviceFunction]]
BYTES_A_STEP = 250_000
"""Of the memory that operands go beyond: the peak takes about as long as they."""
ROOM = 0.75
"""The part of the free memory that operands may take."""
BEYOND = 2
"""Times the cache of level 2: a round of as much finds next to nothing there."""
FEW = 3
"""Rounds of one large matrix."""
LEFT = 20.0
"""Seconds that are kept for what comes last."""


@dataclass
class Session:
    """One run on a GPU. ``nbytes``: what sets of operands go beyond, so that they are in no cache; ``until``: when it
    is to be over, by ``monotonic``; ``order``: that of one large matrix, 0 for none. ``told`` gets a line for
    everything that happens. What was found is in the others. What was ``begun`` is not done again, ``at`` is what it is
    at now, since when.
    """

    gpu: Gpu
    layouts: Sequence[str]
    peers: Sequence[str]
    nbytes: int
    repetitions: int
    until: float
    order: int
    told: Callable[[str], None]
    limits: dict[str, float] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    large: list[dict[str, Any]] = field(default_factory=list)
    skipped: dict[str, None] = field(default_factory=dict)
    failed: dict[str, None] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    begun: dict[str, None] = field(default_factory=dict)
    at: tuple[str, float] = ("", 0.0)

    def __post_init__(self) -> None:
        self.tools, self.clock = Tools(self.gpu), Clock(self.gpu)
        self.head = _head(self.gpu, self.clock)  # now: a device that has failed tells nothing
        self.room = ROOM * self.clock.free()

    @property
    def over(self) -> bool:
        return monotonic() > self.until - LEFT

    def measure(self, cases: Sequence[Case], jobs: int) -> Iterator[None]:
        """All of it; after each step what was found so far can be written."""
        self.limits = self.limits or self._limits("")
        yield
        for i in range(0, len(cases), jobs):
            wave = cases[i : i + jobs]
            self.at = "", 0.0
            self._compile(wave)
            for case in wave:
                for batch in case.batches:
                    self._case(case, batch)
                    yield
            if not i:
                self._latency()
                yield
                self._large()
                yield
        self.at = "", 0.0
        self.limits |= self._limits("_at_the_end")
        yield

    def _begin(self, what: str) -> bool:
        """Whether this is still to be done."""
        if what in self.begun:
            return False
        self.begun[what], self.at = None, (what, monotonic())
        self.told(what)
        return True

    def fault(self, error: str) -> None:
        """Name what it was at when the device, or its driver, failed."""
        self.failed[f"{self.at[0]}: {error}"] = None

    def go_on(self, report: dict[str, Any]) -> None:
        """Take what another session has found and begun."""
        found = report["gpu"]
        self.limits, self.rows, self.calls, self.large = found["limits"], report["rows"], found["calls"], found["large"]
        self.skipped, self.failed, self.begun = (dict.fromkeys(found[x]) for x in ("skipped", "failed", "begun"))

    def _limits(self, when: str) -> dict[str, float]:
        copy = self.clock.timing(self.tools.copy(self.nbytes), self.repetitions).median
        found = {f"copy_gbs{when}": self.nbytes / copy / 1e9}
        for letter in REALS:
            run, work = self.tools.peak(letter, max(1, self.nbytes // BYTES_A_STEP))
            found[f"{letter}_peak_gflops{when}"] = work / self.clock.timing(run, self.repetitions).median / 1e9
        return found

    def _compile(self, cases: Sequence[Case]) -> None:
        """The kernels of all cases: those of a case in one unit, the units side by side. What fails is met again."""
        units = [unit(case, self.layouts, self.gpu.architecture) for case in cases if not self.over]
        self.told(f"compiling {sum(map(len, units))} kernels")

        def compiled(one: Unit) -> None:
            try:
                compile_device([(spec, function.name) for spec, function in one], self.gpu.architecture)
            except BblasError as error:
                self.failed[str(error).splitlines()[0]] = None

        side_by_side(compiled, units)
        for one in units:
            try:
                self.gpu.load(one)
            except BblasError:
                continue  # told above

    def _case(self, case: Case, batch: int) -> None:
        """RuntimeError where nothing works afterwards."""
        problem = case.problem(batch)
        what = f"{problem.precision}{_name(case.op)} n = {case.n}, {batch:,} matrices"
        if what not in self.begun and self.over:
            self.left.append(what)
            return
        contest = self._contest(problem)
        layouts = self._with_room(what, problem.stored * batch * contest.sets)
        if not layouts:
            return
        if not self._begin(what):
            return
        try:
            self._keep(problem, contest.measured(contest.contenders(layouts, self.peers), self.repetitions))
        except Exception as error:  # of any library, beside those that prepare: the others go on
            self.clock.wait()
            self.failed[f"{what}: {error}"] = None

    def _with_room(self, what: str, nbytes: int) -> Sequence[str]:
        """The layouts that are measured, the first ones that have room, if operands take so much in each; beside them
        are those of peers, by rows and by columns."""
        found = list(self.layouts)
        while found and nbytes * (len({*found, "st"}) + 1) > self.room:
            self.skipped[f"{what}: {found.pop()} is too large for this GPU"] = None
        return found

    def _contest(self, problem: GpuProblem) -> Contest:
        note, fail = self.skipped.setdefault, self.failed.setdefault
        return Contest(problem, self.tools, self.clock, self.nbytes, lambda x: note(x, None), lambda x: fail(x, None))

    def _cached(self, problem: GpuProblem, sets: int) -> bool:
        """Whether much of what a round goes over may still be in the cache of level 2 when the next one comes to it."""
        return problem.stored * problem.batch * sets < BEYOND * int(self.gpu.device.properties.l2_cache_size)

    def _keep(self, problem: GpuProblem, measured: Sequence[Measured]) -> None:
        found = ratios(measured)
        copy = self.limits["copy_gbs"]
        for one in measured:
            name, seconds = one.contender.name, one.timing.median
            gbs = problem.moved(one.contender.operands.layout) * problem.batch / seconds / 1e9
            self.rows.append(
                {
                    "op": _name(problem.op),
                    "dtype": problem.precision,
                    "n": problem.n,
                    "batch": problem.batch,
                    "contender": name,
                    "family": one.contender.family,
                    "seconds": seconds,
                    "best": one.timing.best,
                    "spread": one.timing.spread,
                    "matrices": problem.batch / seconds,
                    "gflops": problem.flops * problem.batch / seconds / 1e9,
                    "gbs": gbs,
                    "fraction": gbs / copy,
                    "sets": one.sets,
                    "cached": self._cached(problem, one.sets),
                    "ratios": dict(found.get(name, {})),
                }
            )

    def _latency(self) -> None:
        if self._begin("small batches"):
            self._found(self.calls, latency(self._contest, PAPER, self.repetitions))

    def _large(self) -> None:
        if self.order and not self.over and self._begin(f"one large matrix, n = {self.order}"):
            skip = self.skipped.setdefault
            self._found(self.large, large.measured(self.gpu, self.clock, self.order, FEW, lambda x: skip(x, None)))

    def _found(self, kept: list[dict[str, Any]], rows: Iterator[dict[str, Any]]) -> None:
        """All that there are until one fails."""
        try:
            for row in rows:
                kept.append(row)
        except Exception as error:  # of any library: the rest goes on
            self.clock.wait()
            self.fault(str(error))

    def report(self) -> dict[str, Any]:
        """What is written as JSON."""
        found = {"limits": self.limits, "calls": self.calls, "large": self.large}
        lines = {name: list(getattr(self, name)) for name in ("skipped", "failed", "begun")} | {"left_out": self.left}
        return self.head | {"gpu": rounded(found | lines), "rows": rounded(self.rows)}


def _name(op: str) -> str:
    return NAMES.get(op, op)


def unit(case: Case, layouts: Sequence[str], arch: str) -> Unit:
    """The functions that a case runs on GPUs of an architecture, one for each layout."""
    problem = case.problem(1)
    scalars = {name: complex(problem.scalars.get(name, 1)) for name in problem.spec.row.scalars}
    specs = dict.fromkeys(problem.kernel(layout) for layout in layouts)
    found = [(spec, function_for(spec, scalars, arch)) for spec in specs]
    return [(spec, function) for spec, function in found if function]


def _head(gpu: Gpu, clock: Clock) -> dict[str, Any]:
    compiler, device = cuda.find_cuda_compiler(), gpu.device
    return {
        "format": FORMAT,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": " ".join(["bblas-gen", *sys.argv[1:]]),
        "machine": {
            "gpu": device.name,
            "architecture": gpu.architecture,
            "multiprocessors": device.properties.multiprocessor_count,
            "l2": device.properties.l2_cache_size,
            "cpu": machine.cpu_name(),
            "cores": machine.cores(),
        },
        "versions": {
            "bblas_gen": __version__,
            "compiler": f"{compiler.family} {compiler.version}",
            "driver": str(clock.called("cuDriverGetVersion")),
            "python": platform.python_version(),
            **versions(),
        },
    }
