"""Choices of many things at once: few cases in which every pair of choices occurs."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from typing import Any


def covering(seed: int, *choices: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Combinations of one of each of ``choices`` in which every pair of choices occurs."""
    shuffled = random.Random(seed)
    missing = {
        (i, x, j, y)
        for (i, some), (j, others) in itertools.combinations(enumerate(choices), 2)
        for x in range(len(some))
        for y in range(len(others))
    }
    found = []

    def pairs(t: list[int]) -> set[tuple[int, int, int, int]]:
        return {(i, t[i], j, t[j]) for j in range(len(t)) for i in range(j)}

    while missing:
        forced = min(missing)
        tries = [[shuffled.randrange(len(c)) for c in choices] for _ in range(30)]
        for t in tries:
            t[forced[0]], t[forced[2]] = forced[1], forced[3]
        best = max(tries, key=lambda t: len(missing & pairs(t)))
        missing -= pairs(best)
        found.append(tuple(c[i] for c, i in zip(choices, best, strict=True)))
    return found or [tuple(c[0] for c in choices)]
