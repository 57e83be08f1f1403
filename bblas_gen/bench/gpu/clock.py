"""Time on a GPU, by its events."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

from ...runtime.gpu import Gpu
from ...runtime.launches import done
from ..measure import Timing, quiet

CALLS = 200
"""That are queued before anybody waits, where the time of the host counts."""


class Clock:
    """Times what is queued on the default stream of a GPU."""

    def __init__(self, gpu: Gpu) -> None:
        _ = gpu.device  # makes its context current
        from cuda.bindings import driver  # here: it is an extra

        self.driver = driver
        self._stream = driver.CUstream(int(gpu.stream(None).handle))
        self._events = [self.called("cuEventCreate", 0) for _ in range(2)]

    def called(self, name: str, *arguments: Any) -> Any:
        """What a function of the driver gives. RuntimeError where it fails."""
        found = done(getattr(self.driver, name)(*arguments))
        return found[0] if found else None

    def wait(self) -> None:
        self.called("cuStreamSynchronize", self._stream)

    def free(self) -> int:
        """Bytes of memory that nobody uses."""
        self.wait()
        status, free, _ = self.driver.cuMemGetInfo()
        return 0 if int(status) else int(free)

    def seconds(self, run: Callable[[], Any], stream: Any = None) -> float:
        """What is between two events. The GPU should be busy before, so that it need not wait for the host."""
        first, last = self._events
        where = self._stream if stream is None else self.driver.CUstream(int(stream))
        self.called("cuEventRecord", first, where)
        run()
        self.called("cuEventRecord", last, where)
        self.called("cuEventSynchronize", last)
        return float(self.called("cuEventElapsedTime", first, last)) * 1e-3

    def timing(self, run: Callable[[], Any], repetitions: int) -> Timing:
        """Of several rounds, after one that warms up."""
        run()
        return Timing(tuple(self.seconds(run) for _ in range(repetitions)))

    def queueing(self, run: Callable[[], Any]) -> float:
        """Seconds of the host for one call while the GPU has nothing else to do."""
        self.wait()
        started = perf_counter()
        run()
        return perf_counter() - started

    def on_host(self, run: Callable[[], Any], repetitions: int) -> float:
        """Seconds of the host for a call: the median of series of CALLS, whose work is not waited for."""
        run()
        found = []
        for _ in range(repetitions):
            self.wait()
            with quiet():
                started = perf_counter()
                for _ in range(CALLS):
                    run()
                found.append((perf_counter() - started) / CALLS)
        self.wait()
        return median(found)
