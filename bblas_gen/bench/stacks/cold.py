"""Inverses of small matrices that no cache holds, beside copies of as many bytes: what memory allows."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...runtime.storage import aligned
from ..limits import flush
from ..measure import Contender, Timing, cold, quiet
from ..problem import Problem as Planned
from .calls import CALLS, Problem
from .contest import OURS, ours, row

ORDERS = 4
"""Matrices up to this order are looked at."""


def measure(precision: str, n: int, batch: int, repetitions: int) -> dict[str, Any]:
    """A row of `inv` on one thread. ``gbs``: bytes of A and its inverse over the time.

    ``copy`` writes to memory that is there, as the ``planned`` kernel does, whose part of it is written down, too;
    ``copy_new`` makes a new array, as the plain call does.
    """
    problem = Problem(CALLS["inv"], precision, n, batch, 1)
    (a,) = problem.operands()
    out = aligned(a.shape, a.dtype)
    kernel = Planned("getri", precision, (n,), 0, batch)
    operands = kernel.laid_out(kernel.operands(timed=True), "st").values()
    contenders = [
        Contender(OURS, ours(problem, [a]), [a]),
        Contender("planned", kernel.planned(operands, num_threads=1), [*operands]),
        Contender("copy", partial(np.copyto, out, a), [a, out]),
        Contender("copy_new", a.copy, [a]),
    ]
    with quiet():
        found = cold(contenders, repetitions, flush)
    timings = {
        x.name: Timing(tuple(second / batch for second in timing.seconds))
        for x, timing in zip(contenders, found, strict=True)
    }
    rates = {name: 2 * a.nbytes / batch / timing.median / 1e9 for name, timing in timings.items()}
    return row(problem, "cold", timings) | {"gbs": rates, "planned": timings["planned"].ratio(timings["copy"])}
