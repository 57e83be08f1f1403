"""Flags and scalars of which each matrix has its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arrays.headers import Array

Batch = tuple[int, str]
"""A batch size, and what has it."""
PLAIN = (str, bool, int, float, complex, np.number)


@dataclass(frozen=True)
class Each:
    """A value for each matrix, ``values[codes[i]]``."""

    codes: Array
    values: tuple[Any, ...]

    def of(self, matrices: Array) -> list[Any]:
        """The values of some matrices."""
        return [self.values[code] for code in self.codes[matrices].tolist()]

    def of_groups(self, name: str, counts: Array) -> Each:
        """For each matrix the value of its group; groups have so many."""
        if len(self.codes) != len(counts):
            found = f"{name} has {len(self.codes)} values for {len(counts)} batches"
            raise ValueError(f"{found}: expected one, or one for each batch")
        return Each(np.repeat(self.codes, counts), self.values)

    def agree(self, name: str, batch: Batch | None) -> Batch:
        """The batch size of the values and what has one already."""
        if batch and batch[0] != len(self.codes):
            found = f"{name} has {len(self.codes)} values but {batch[1]} is a batch of {batch[0]}"
            raise ValueError(f"{found}: expected one, or one for each matrix")
        return batch or (len(self.codes), name)


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
        return Each(np.arange(len(values)), tuple(values))
    _, firsts, codes = np.unique(plain, return_index=True, return_inverse=True)
    order = np.argsort(firsts)  # the first one that is wrong is refused
    ranks = np.empty_like(order)
    ranks[order] = np.arange(len(order))
    values = [checked(f"{name}[{i}]", given[i]) for i in firsts[order].tolist()]
    return Each(ranks[codes], tuple(values))
