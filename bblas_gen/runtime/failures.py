"""What becomes of matrices that failed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arguments import check_flag
from ..arrays.groups import is_group, is_stored_apart, located
from ..arrays.host import Array
from ..ir.catalog import OPS
from ..ir.operation import Operand, Operation
from ..ir.spec import default_flag
from ..ir.terms import Kind, Role
from .each import is_each
from .interleaved import Interleaved

if TYPE_CHECKING:
    from .device_call import DeviceCall
    from .device_side import DeviceReports

CHECK_MODES = ("raise", "nan", "ignore")
NAMED = 5
"""Failing matrices that an error names."""


@dataclass(frozen=True)
class FailurePolicy:
    """What a call does about matrices that failed, and whether it returns info.

    ``check``: "raise" an error, once all others are finished; fill what would have been written with "nan"; or
    "ignore" them. None is "raise", but where it would have to wait for a GPU. Where info is returned nothing is raised.
    """

    check: str | None = None
    return_info: bool = False

    def __post_init__(self) -> None:
        if self.check is not None:
            validate_check_mode(self.check)
        check_flag("return_info", self.return_info)

    def report_failures(
        self, op: Operation, info: Array, operands: Mapping[str, Any], flags: Mapping[str, Any]
    ) -> None:
        """Do it; the matrices that did not fail are finished. ``operands``: by their names in the table."""
        if self.check == "ignore" or not info.any():
            return
        failed = np.flatnonzero(info)
        if self.check == "nan":
            for x in (x for x in op.outputs if x.kind is not Kind.INDEX):
                for i in map(int, failed):
                    output, group, own = _of_group(operands[x.name], i)
                    letters = {name: value[group] if is_each(value, str) else value for name, value in flags.items()}
                    _fill(output, own, _written(op, x, letters))
        elif not self.return_info:
            named = [_spoken(operands[op.returns[0]], int(i)) for i in failed[:NAMED]]
            first = ", ".join(f"{name} (info = {info[i]})" for name, i in zip(named, failed, strict=False))
            more = ", ..." if len(failed) > NAMED else ""
            text = f"{op.spoken_name}: {len(failed)} of {len(info)} matrices {op.fails}: {first}{more}"
            raise np.linalg.LinAlgError(text)

    def check_on_gpu(self, reports: DeviceReports) -> None:
        """Before a call: CaptureError where it would wait for a graph."""
        if self.check == "raise" and not self.return_info:
            reports.check_can_wait()

    def report_on_gpu(
        self, op: Operation, reports: DeviceReports, operands: Mapping[str, Any], flags: Mapping[str, Any]
    ) -> None:
        """The same of matrices on a GPU, but for NaN. To raise an error is to wait for it."""
        if self.check == "raise" and not self.return_info:
            self.report_failures(op, reports.fetched(), operands, flags)

    def filled(self, op: Operation, call: DeviceCall, flags: Mapping[str, Any]) -> DeviceCall | None:
        """What is to be queued behind a call on a GPU, if anything: NaN for matrices that fail."""
        if self.check != "nan" or call.launch is None or call.reports is None:
            return None
        from .device_failures import fill  # here: importing bblas_gen must stay fast

        exported = {x: value for x, value in (call.kept or {}).items() if value is not None}
        launch, memory = fill(op, call.reports, {**call.operands, **exported}, flags, _written)
        return replace(call, launch=launch, memory=memory)

    def result(self, op: Operation, operands: Mapping[str, Any], info: Array | None) -> Any:
        """What the call returns: the results of ``op``, and info where that is asked for; None if it has neither."""
        found = [operands[name] for name in op.returns]
        if self.return_info and info is not None:
            found.append(info)
        return tuple(found) if len(found) > 1 else next(iter(found), None)


def validate_check_mode(check: str) -> None:
    if not isinstance(check, str) or check not in CHECK_MODES:
        raise ValueError(f"check = {check!r}: expected one of {', '.join(map(repr, CHECK_MODES))}")


RAISE = FailurePolicy()


def _written(op: Operation, x: Operand, flags: Mapping[str, Any]) -> frozenset[str]:
    """The parts of an operand that are written (see Operand.parts), by all steps that write it."""
    own = {name: str(value).upper() for name, value in flags.items()}
    steps = op.steps_for(own) if op.steps else ()
    if not steps:
        return x.parts(own)
    written: frozenset[str] = frozenset()
    for step in steps:
        row, given = OPS[step.op], step.letters(own)
        if row.copies and op.variant_of:
            continue  # what failed is what the operation itself would have written
        letters = {name: given.get(name, str(default_flag(name))) for name in row.flags}
        for y, name in zip(row.parameters, step.operands, strict=True):
            if name == x.name and y.role is not Role.IN:
                written |= y.parts(letters)
    return written


def _is_list(value: Any) -> bool:
    return is_group(value) or is_stored_apart(value)


def _of_group(value: Any, i: int) -> tuple[Any, int, int]:
    """The batch in which matrix ``i`` of all is, its group and its place there; where there are no groups, itself."""
    if not _is_list(value):
        return value, i, i
    group, own = located(np.cumsum([0, *(x.shape[0] for x in value)]), i)
    return value[group], group, own


def _spoken(value: Any, i: int) -> str:
    _, group, own = _of_group(value, i)
    return f"{own} of group {group}" if _is_list(value) else str(i)


def _fill(output: Any, i: int, written: frozenset[str]) -> None:
    """Write NaN where a matrix that failed would have been written."""
    matrix = np.array(output[i])
    rows, cols = np.indices(matrix.shape)
    for part, inside in (("L", rows > cols), ("D", rows == cols), ("U", rows < cols)):
        if part in written:
            matrix[inside] = np.nan
    if isinstance(output, Interleaved):
        output[i] = matrix
    else:
        output[i][...] = matrix
