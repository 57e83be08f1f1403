"""What becomes of matrices that could not be done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..arrays.host import Array
from ..ir.operation import Operand, Operation
from ..ir.spec import default_flag
from ..ir.terms import Kind, Role
from .interleaved import Interleaved

CHECKS = ("raise", "nan", "ignore")


TOLD = 5
"""Failing matrices that an error names."""


def check_check(check: str) -> None:
    if check not in CHECKS:
        raise ValueError(f"check = {check!r}: expected one of {', '.join(map(repr, CHECKS))}")


def judge(row: Operation, info: Array, values: Sequence[Any], letters: Sequence[Any], check: str) -> None:
    """What ``check`` wants done about matrices that failed; the others are finished."""
    if check == "ignore" or not info.any():
        return
    failed = np.flatnonzero(info)
    if check == "nan":
        for x, value in zip(row.parameters, values, strict=True):
            if x.role is not Role.IN and x.kind is not Kind.INDEX:
                _fill(value, failed, _written(row, x, letters))
        return
    told = ", ".join(f"{i} (info = {info[i]})" for i in failed[:TOLD]) + (", ..." if len(failed) > TOLD else "")
    raise np.linalg.LinAlgError(f"{row.name}: {len(failed)} of {len(info)} matrices {row.fails}: {told}")


def _written(row: Operation, x: Operand, letters: Sequence[Any]) -> tuple[str, str]:
    """The triangle of an operand that is written ("" for all) and whether its diagonal is."""
    if not x.triangle:
        return "", "N"
    own = {name: str(value).upper() for name, value in zip(row.flags, letters, strict=True)}
    flags = [own, *(step.letters(own) for step in row.steps_for(own) if x.name in step.operands)]
    found = [
        next((str(f[name]).upper() for f in flags if name in f), str(default_flag(name))) for name in ("uplo", "diag")
    ]
    return found[0], found[1]


def _fill(output: Any, failed: Array, written: tuple[str, str]) -> None:
    """Write NaN where a matrix that failed would have been written."""
    for i in map(int, failed):
        matrix = np.array(output[i])
        rows, cols = np.indices(matrix.shape)
        inside = {"": np.full(matrix.shape, True), "L": rows >= cols, "U": rows <= cols}[written[0]]
        matrix[inside & ((rows != cols) | (written[1] != "U"))] = np.nan
        if isinstance(output, Interleaved):
            output[i] = matrix
        else:
            output[i][...] = matrix
