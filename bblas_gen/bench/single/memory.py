"""How much memory a call takes beyond its operands: measured in a process of its own, from outside Python's allocators.

``python -m bblas_gen.bench.single.memory OP PRECISION SIZES THREADS CONTENDER`` prints it in bytes, or why there is
nothing to print.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..peers import Missing
from .contenders import OURS, prepared
from .operations import ROWS
from .peers import PEERS
from .problem import Problem

STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")
RESET_PEAK = "5"
WARM = 8
"""By how much the sides of the problem are smaller that loads what a call needs anyhow."""


def measure(problem: Problem, threads: Sequence[int], peers: Sequence[str]) -> Iterator[dict[str, Any]]:
    """A row for each number of threads: bytes of the operands, and beyond them by contender."""
    for count in threads:
        found = {name: child(problem, count, name) for name in (OURS, *peers) if _here(problem, name)}
        beyond = {PEERS[x].title if x in PEERS else x: y["beyond"] for x, y in found.items() if "beyond" in y}
        if beyond:
            yield {
                "part": "memory",
                "op": problem.op,
                "dtype": problem.precision,
                "shape": problem.shape,
                "sizes": problem.sizes,
                "threads": count,
                "operands": found[OURS]["operands"],
                "beyond": beyond,
            }


def _here(problem: Problem, name: str) -> bool:
    """Whether a contender is here and does the problem."""
    try:
        prepared(_smaller(problem), name, 1)
    except Missing:
        return False
    return True


def _smaller(problem: Problem) -> Problem:
    return Problem(problem.row, problem.precision, tuple(max(1, n // WARM) for n in problem.sizes))


def child(problem: Problem, threads: int, name: str) -> dict[str, Any]:
    """What :func:`measured` finds in a process of its own."""
    sizes = "x".join(map(str, problem.sizes))
    command = [sys.executable, "-m", __name__, problem.op, problem.precision, sizes, str(threads), name]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def measured(problem: Problem, name: str, threads: int) -> dict[str, Any]:
    """What one call takes in this process; empty where the contender does not do it, or the system does not tell."""
    try:
        _limit(threads)
        prepared(_smaller(problem), name, threads)(1)
        _limit(threads)
        again = prepared(problem, name, threads)
        before = _status("VmRSS")
        with suppress(OSError):
            CLEAR.write_text(RESET_PEAK)
        again(1)
        beyond = _status("VmHWM") - before
        return {"operands": sum(x.nbytes for x in problem.operands().values()), "beyond": beyond}
    except (Missing, OSError):
        return {}


def _limit(threads: int) -> None:
    from threadpoolctl import threadpool_limits

    threadpool_limits(threads)


def _status(name: str) -> int:
    """A number of the system about this process, in bytes."""
    found = re.search(rf"^{name}:\s+(\d+) kB$", STATUS.read_text(), re.MULTILINE)
    return int(found[1]) << 10 if found else 0


if __name__ == "__main__":
    op, precision, sizes, threads, name = sys.argv[1:]
    wanted = Problem(ROWS[op], precision, tuple(map(int, sizes.split("x"))))
    print(json.dumps(measured(wanted, name, int(threads))))
