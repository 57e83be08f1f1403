"""Flags and scalars of which each matrix has its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..arrays.headers import Array

PLAIN = (str, bool, int, float, complex, np.number)


@dataclass(frozen=True)
class Each:
    """A value for each matrix, ``values[codes[i]]``; ``name`` is what the user calls it."""

    name: str
    codes: Array
    values: tuple[Any, ...]

    def of(self, matrices: Array) -> list[Any]:
        """The values of some matrices."""
        return [self.values[code] for code in self.codes[matrices].tolist()]

    def of_groups(self, counts: Array) -> Each:
        """For each matrix the value of its group; groups have so many."""
        if len(self.codes) != len(counts):
            found = f"{self.name} has {len(self.codes)} values for {len(counts)} batches"
            raise ValueError(f"{found}: expected one, or one for each batch")
        return replace(self, codes=np.repeat(self.codes, counts))

    def check(self, batch: int, other: str) -> None:
        """Refuse what is not one for each matrix of ``other``."""
        if batch != len(self.codes):
            found = f"{self.name} has {len(self.codes)} values but {other} is a batch of {batch}"
            raise ValueError(f"{found}: expected one, or one for each matrix")


def is_each(value: Any, kind: type) -> bool:
    """Whether a user gives a value for each matrix: letters as a string of several, or as a list; numbers as a list or
    a 1-D array. ``kind``: str or float."""
    if isinstance(value, str):
        return kind is str and len(value) > 1
    return (isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim == 1)) and len(value) > 0


def each(name: str, given: Sequence[Any], checked: Callable[[str, Any], Any]) -> Each:
    """``checked``: what makes a value of what a user gave, by its name and itself, or refuses it."""
    plain = given if isinstance(given, np.ndarray) else None
    if plain is None and (isinstance(given, str) or all(isinstance(x, PLAIN) for x in given)):
        plain = np.array(list(given))
    if plain is None or plain.dtype == object:  # one is refused by its name
        values = [checked(f"{name}[{i}]", value) for i, value in enumerate(given)]
        return Each(name, np.arange(len(values)), tuple(values))
    _, firsts, codes = np.unique(plain, return_index=True, return_inverse=True)
    order = np.argsort(firsts)  # the first one that is wrong is refused
    ranks = np.empty_like(order)
    ranks[order] = np.arange(len(order))
    values = [checked(f"{name}[{i}]", given[i]) for i in firsts[order].tolist()]
    return Each(name, ranks[codes], tuple(values))
