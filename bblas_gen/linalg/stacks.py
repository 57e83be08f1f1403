"""Stacks of matrices with any leading axes as batches with one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from ..arrays.device import is_device_array
from ..arrays.host import Array


@dataclass(frozen=True, slots=True)
class Stacks:
    """Operands as batches (batch, rows, columns), or as one matrix for all; ``shape``: the leading axes of a result."""

    batches: list[Array]
    shape: tuple[int, ...]

    @property
    def count(self) -> int:
        return prod(self.shape)

    def results(self, *found: Array, info: Array | None = None) -> tuple[Any, Array]:
        """Batches that were computed with the leading axes of the stack, one alone as itself, and what was reported."""
        shaped = tuple(x.reshape(self.shape + x.shape[1:])[()] for x in found)
        reports = np.zeros(self.shape, np.int32) if info is None else info.reshape(self.shape)
        return shaped if len(shaped) > 1 else shaped[0], reports

    @classmethod
    def of(cls, operands: Sequence[Array], core: Sequence[int]) -> Stacks | None:
        """Operands whose last axes, ``core`` of each, are matrices or vectors, which become columns. None where they
        have too few axes, or leading ones that do not broadcast. What broadcasts is copied, but for single matrices."""
        shape = operands[0].shape[:1]
        for x, axes in zip(operands, core, strict=True):
            if x.ndim != 3 or axes != 2 or x.shape[:1] != shape:
                break
        else:
            return cls(list(operands), shape)
        if any(x.ndim < axes for x, axes in zip(operands, core, strict=True)):
            return None
        leading = [x.shape[: x.ndim - axes] for x, axes in zip(operands, core, strict=True)]
        shape = leading[0]
        if any(own != shape for own in leading):
            try:
                shape = np.broadcast_shapes(*leading)
            except ValueError:
                return None
        batches = []
        for x, axes, own in zip(operands, core, leading, strict=True):
            matrix = x.shape[x.ndim - axes :] if axes == 2 else (*x.shape[x.ndim - axes :], 1)
            if own != shape and prod(own) == 1:
                batches.append(x.reshape(matrix))
            elif own != shape:
                batches.append(np.broadcast_to(x, shape + x.shape[x.ndim - axes :]).reshape(-1, *matrix))
            else:
                batches.append(x if x.ndim == 3 and axes == 2 else x.reshape(prod(shape), *matrix))
        if all(x.ndim == 2 for x in batches):  # (1, n, n) with (n, n)
            batches[0] = batches[0][None]
        return cls(batches, shape)


def is_stack(operands: Sequence[Any]) -> bool:
    """Whether there may be more than one matrix: a look that costs nothing beside a small one."""
    for x in operands:  # noqa: SIM110 (a generator takes as long as all else here)
        if getattr(x, "ndim", 3) > 2:
            return True
    return False


def native(x: Any, dtype: np.dtype[Any]) -> Array:
    """``x`` in a precision, aligned and in the byte order of the machine; itself where it is so."""
    found: Array = np.asarray(x)
    if found.dtype is dtype and found.flags.aligned:  # those of NumPy are in the byte order of the machine
        return found
    if found.dtype != dtype or not found.flags.aligned or not found.dtype.isnative:
        found = np.array(found, dtype=dtype, order="K")
    return found


def check_readable(own: Callable[..., Any], operands: Sequence[Any], named: Mapping[str, Any]) -> None:
    """TypeError for an argument of ``own`` that is on a GPU, which NumPy takes for a number. An array that copies
    itself when NumPy asks is none of them."""
    for x in (*operands, *named.values()):
        if type(x) is not np.ndarray and _is_unreadable(x):
            from .on_gpu import refusal  # here: importing bblas_gen must stay fast

            raise refusal(own, operands, named, x)


def _is_unreadable(x: Any) -> bool:
    one = x[0] if type(x) in (list, tuple) and x else x
    if isinstance(one, (np.ndarray, np.generic, float, int)) or hasattr(one, "__array__"):
        return False
    return is_device_array(one)
