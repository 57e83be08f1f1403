"""What users call."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from .blas import _output
from .ir.operation import DEFAULT_SCALARS, Operand, Operation
from .ir.spec import KernelSpec, default_flag, operation
from .runtime import kernels
from .runtime.call import bind
from .runtime.failures import check_check, judge
from .runtime.invoke import names_of, vector
from .runtime.marshal import address, numbers_of, threads
from .sequences import OperationSequence


def plan(op: str | OperationSequence, *operands: Any, **named: Any) -> Plan:
    """A call validated once: ``k = plan("gemm", a, b, c, beta=1.0)``, then ``k()`` costs about one C call.

    Takes what the operation's own function takes, but ``out``, and raises what it raises, now; ``"lacpy"`` takes ``a``,
    ``out`` and ``transa``, and copies out := op(a) between any two layouts. The plan keeps its operands alive and reads
    and writes them where they are at each ``k()``, which returns the output. With operands that must be copied (see
    :func:`gemm`) every ``k()`` copies again.
    """
    row = op.row if isinstance(op, OperationSequence) else operation(op)
    names = names_of(row)
    if len(operands) > len(names):
        raise TypeError(f"{row.name} takes {len(names)} operands ({', '.join(names)}): {len(operands)} given")
    found = dict(zip(names, operands, strict=False)) | {n: named.pop(n) for n in names[len(operands) :] if n in named}
    if row.name == "gemm" and found.get("c") is None and len(found) >= 2:
        found["c"] = _output(found["a"], found["b"], named.get("beta", 0.0), *_letters(row, named))
    missing = [name for name in names if name not in found]
    if missing:
        raise TypeError(f"{row.name} needs {', '.join(names)}: {', '.join(missing)} is missing")
    return _plan(row, names, [found[name] for name in names], named)


def compile(op: str, dtype: Any = "d", layout: Any = "st", *, order: str = "C", **named: Any) -> kernels.Kernel:
    """Compile and load one kernel now; returns it, with ``.spec``, ``.source`` and ``.library``.

    ``named``: all sizes and any flags of the operation, ``nb``, ``strides`` ("" for matrices without gaps, "ld",
    "rs"), or a field of the schedule to override it. A size of None is a parameter of the kernel: for GEMM in the
    layouts ``bi`` and ``il`` one kernel does all sizes, ``kernel(m, n, k, alpha, A, B, beta, C, batch_count,
    num_threads)``, at 0.8 to 0.95 of the speed of those made for a size and with the same bits. ``order``: the memory
    order of ``st`` and ``pp`` matrices, "C" as NumPy's or "F" as the BLAS's; kernels are column-major, so "C" gives
    the kernel of the mirrored problem (C' = op(B)' op(A)'), the one that :func:`gemm` runs on C-ordered arrays.
    """
    if order not in ("C", "F"):
        raise ValueError(f"order = {order!r}: expected 'C' or 'F'")
    overrides = {name: named.pop(name) for name in list(named) if name in kernels.SCHEDULE_FIELDS}
    spec = KernelSpec.make(op, dtype, layout, **named)
    if order == "C" and not any(where.interleaved for where in spec.layouts):
        spec = spec.mirrored()
    return kernels.kernel(spec, **overrides)


class Plan:
    """See :func:`plan`. ``kernel`` is what runs (None where there is nothing to compute), ``output`` what it writes,
    ``info`` the array in which each matrix reports, where the operation does."""

    __slots__ = ("_run", "info", "kernel", "operands", "output")

    def __init__(
        self, kernel: kernels.Kernel | None, run: Callable[[], Any], output: Any, operands: Any, info: Any = None
    ) -> None:
        self.kernel = kernel
        self.info = info
        self._run = run
        self.output = output
        self.operands = operands

    @property
    def arguments(self) -> tuple[Any, ...]:
        """What ``kernel`` is called with; empty where it is not called."""
        run: Any = self._run
        while isinstance(run, partial) and run.args and isinstance(run.args[0], partial):  # what is done around it
            run = run.args[0]
        return getattr(run, "args", ())

    def __call__(self) -> Any:
        self._run()
        return self.output

    def __repr__(self) -> str:
        return f"<Plan of {self.kernel.source.symbol if self.kernel else 'nothing'}>"


def _letters(row: Operation, named: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(named.get(flag, default_flag(flag)) for flag in row.flags)


def _plan(row: Operation, names: tuple[str, ...], values: list[Any], named: dict[str, Any]) -> Plan:
    known = {*row.flags, *row.user_scalars, "num_threads", *(["check"] if row.info else [])}
    unknown = next((name for name in named if name not in known), None)
    if unknown is not None:
        raise TypeError(f"{row.name} has no argument {unknown!r}: expected {', '.join(sorted(known))}")
    matrices = [_column(x, name, value) for x, name, value in zip(row.parameters, names, values, strict=True)]
    call = bind(row, names, matrices, _letters(row, named))
    numbers = numbers_of(row, [named.get(name, DEFAULT_SCALARS.get(name)) for name in row.user_scalars], values[0])
    team = threads(named.get("num_threads"))
    if not row.info:
        return Plan(call.kernel, call.frozen(numbers, team), values[-1], (values, call.pinned, numbers))
    check = named.get("check", "raise")
    check_check(check)
    info = np.zeros(call.batch, np.int32)
    run = call.frozen([*numbers, address(info)] if call.kernel else numbers, team)
    judged = partial(_judged, run, partial(judge, row, info, values, _letters(row, named), check))
    return Plan(call.kernel, judged, values[-1], (values, call.pinned, numbers), info)


def _column(x: Operand, name: str, value: Any) -> Any:
    """What a plan works on for what a user gave: of vectors, matrices of one column."""
    one = value[0] if isinstance(value, (list, tuple)) and len(value) else value
    vectors = x.cols == "1" and isinstance(one, np.ndarray) and one.ndim <= (2 if one is value else 1)
    return vector(name, value) if vectors else value


def _judged(run: Callable[[], Any], judgement: Callable[[], None]) -> None:
    run()
    judgement()
