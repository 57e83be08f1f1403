"""Choices of many things at once: few cases in which every pair of choices occurs."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from typing import Any


def covering(seed: int, *choices: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Combinations of one of each of ``choices`` in which every pair of choices occurs.

    Greedy: a combination starts at a pair that is missing and grows by what brings the most missing pairs; of some
    such combinations the best one is taken.
    """
    shuffled = random.Random(seed)
    missing = {
        ((i, x), (j, y))
        for (i, some), (j, others) in itertools.combinations(enumerate(choices), 2)
        for x in range(len(some))
        for y in range(len(others))
    }
    found = []

    def gain(taken: dict[int, int], i: int, x: int) -> int:
        return sum((min(pair, (i, x)), max(pair, (i, x))) in missing for pair in taken.items())

    def combination(taken: dict[int, int]) -> dict[int, int]:
        for i in shuffled.sample(sorted(set(range(len(choices))) - set(taken)), len(choices) - len(taken)):
            tries = shuffled.sample(range(len(choices[i])), len(choices[i]))
            taken[i] = max(tries, key=lambda x: gain(taken, i, x))
        return dict(sorted(taken.items()))

    def brought(taken: dict[int, int]) -> set[Any]:
        return missing & set(itertools.combinations(taken.items(), 2))

    while missing:
        best = max((combination(dict(min(missing))) for _ in range(6)), key=lambda taken: len(brought(taken)))
        missing -= brought(best)
        found.append(tuple(choices[i][x] for i, x in best.items()))
    return found or [tuple(c[0] for c in choices)]
