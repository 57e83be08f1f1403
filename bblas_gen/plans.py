"""What users call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NoReturn

import numpy as np

from .arguments import check_device, check_number
from .arrays.device import any_on_device, is_device_array, shape_of
from .arrays.groups import is_group
from .arrays.ragged import Ragged, as_ragged
from .ir.documentation import FUNCTIONS
from .ir.documented import by_name_only, taken
from .ir.operation import DEFAULT_SCALARS, Operand, Operation
from .ir.spec import KernelSpec, default_flag, operation
from .runtime import kernels
from .runtime.call import no_memory, user_names
from .runtime.failures import FailurePolicy
from .runtime.invoke import as_columns, is_single, one_side, vector, vectors
from .runtime.outputs import may_be_left_out, varied, varying
from .runtime.route import as_batch, long_way
from .sequences import OperationSequence


def plan(op: str | OperationSequence, *operands: Any, **named: Any) -> Plan:
    """Check a call once and run it often: each run costs about one C call.

    Parameters
    ----------
    op : str or OperationSequence
        The name of an operation, such as "gemm", or a sequence. "lacpy" takes ``a``, ``out`` and ``transa``, and copies
        out := op(a) between any two layouts.
    *operands : batch of matrices or vectors
        By position, in the order in which the operation's own function takes them by position; others by name. A
        sequence, and an operation without a function of its own, take all operands by position.
    **named
        What that function takes by name. A new result, as with ``overwrite=False``, is allocated once, and each run
        overwrites it.

    Returns
    -------
    plan : Plan
        ``plan()`` runs it and returns the output. It keeps its operands alive, and reads and writes them where they are
        at each run.

    Raises
    ------
    TypeError, ValueError
        At once: what the operation's own function raises.

    Notes
    -----
    Operands that must be copied (see :func:`gemm`) are copied again by every run. On a GPU a run only launches kernels,
    on the stream on which the plan was made, also for lists: it allocates, copies and waits for nothing. So it can be
    captured in a CUDA graph; the plan must live as long as the graph.

    Examples
    --------
    >>> a = np.arange(12.0).reshape(3, 2, 2)
    >>> k = bb.plan("gemm", a, a)
    >>> k()[1].tolist()
    [[46.0, 55.0], [66.0, 79.0]]
    """
    row, given, named = given_operands(op, operands, named)
    columns = one_side(row, given)
    if not columns:
        return _plan(row, given, named)
    asked, places = as_columns(row, given, columns, named)
    made = _plan(row, columns, asked)
    made.output = vectors(made.output, *places)
    return made


def stream(
    op: str | OperationSequence,
    *operands: Any,
    device: int = 0,
    chunk_bytes: int | None = None,
    return_info: bool = False,
    **named: Any,
) -> Any:
    """Let a GPU do a call on batches in host memory, chunk by chunk: they may be larger than its memory.

    Parameters
    ----------
    op : str or OperationSequence
        An operation or a sequence.
    *operands : batch of matrices or vectors
        By position and by name as in :func:`plan`: arrays of any strides, or Interleaved with layout ``bi``, in host
        memory. One matrix for the whole batch is copied once.
    device : int
        The number of the GPU.
    chunk_bytes : int, optional
        Bytes of all operands in a chunk: by default 64 MB, at least one block. Three chunks are on the GPU at once, and
        take as much pinned memory on the host.
    return_info : bool
        True: the info of each matrix is returned, too, if the operation has one.
    **named
        What the operation's own function takes by name, without ``num_threads``.

    Returns
    -------
    out
        What the operation's own function returns, in host memory, complete. Failing matrices are reported as on a CPU.

    Raises
    ------
    TypeError, ValueError
        What the operation's own function raises; also for lists and layout ``il``, which have no chunks, and for a
        ``device`` that does not exist.
    CudaUnavailable
        There is no GPU, or a package is missing.

    Notes
    -----
    While the GPU works on a chunk the next one is copied in and the last one out, on streams of the call's own. A chunk
    goes through pinned memory, so the host copies it, too. Operands that are only written are not copied in.

    Examples
    --------
    ``x = bb.stream("posv", a, b, overwrite=False)`` solves a million systems that the GPU has no room for.
    """
    from .runtime.streaming import CHUNK_BYTES, streamed  # here: importing bblas_gen must stay fast

    row, found, named = given_operands(op, operands, named)
    checked_names(row, named)
    flags, scalars = flags_of(row, named), scalars_of(row, named)
    row, given = varied(row, found, **{x: named[user] for user, x in varying(row).items() if user in named})
    policy, number = FailurePolicy(named.get("check"), return_info), check_device(device)
    count = check_number("chunk_bytes", CHUNK_BYTES if chunk_bytes is None else chunk_bytes, 1, "a number of bytes")
    done, info = streamed(row, columns_of(row, given), flags, scalars, device=number, chunk_bytes=count)
    results = {x: y if y is not None else made_for(row, x, done[x]) for x, y in given.items()}
    if info is not None and np.count_nonzero(info):
        policy.report_failures(row, info, done, flags)
    return policy.result(row, results, info)


def compile(
    op: str | OperationSequence, dtype: Any = "d", layout: Any = "st", *, order: str = "C", **named: Any
) -> kernels.Kernel:
    """Compile and load one kernel now.

    Parameters
    ----------
    op : str or OperationSequence
        An operation of ``bblas-gen list``, or a sequence, whose sizes are the names in its ``shapes``.
    dtype : dtype or {"s", "d", "c", "z"}
        Of the operands.
    layout : str or list of str
        "st", "pp", "bi", "il", "bl" or "bu" for all operands, or one for each.
    order : {"C", "F"}
        The memory order of ``st`` and ``pp`` matrices: "C" as NumPy's or "F" as the BLAS's. Kernels are column-major,
        so "C" gives the kernel of the mirrored problem (C' = op(B)' op(A)'), the one that :func:`gemm` runs on
        C-ordered arrays.
    **named
        All sizes and any flags of the operation, ``nb``, ``strides`` ("" for matrices without gaps, "ld", "rs"), or a
        field of the schedule to override it. A size of None is a parameter of the kernel: one kernel does all sizes,
        ``kernel(m, n, k, alpha, A, B, beta, C, batch_count, num_threads)``, with the bits of those made for a size. In
        ``bi`` and ``il`` it has about 0.8 to 0.95 of their speed, in ``st`` and ``pp`` 0.3 to 0.9.

    Returns
    -------
    kernel : Kernel
        With its ``.spec``, ``.source`` and ``.library``. Calling it calls the C function.

    Raises
    ------
    SpecError
        For what the operation does not have. It names the argument, its value and what was expected.
    CompileError, NoCompilerError
        Where the compiler fails, or there is none.

    Examples
    --------
    >>> bb.compile("gemm", m=2, n=2, k=2)
    <Kernel bb_dgemm_nn_st_m2n2k2>
    """
    if order not in ("C", "F"):
        raise ValueError(f"order = {order!r}: expected 'C' or 'F'")
    from .schedule.schedule import FIELDS  # here: importing bblas_gen must stay fast

    overrides = {name: named.pop(name) for name in list(named) if name in FIELDS}
    spec = KernelSpec.make(op.row if isinstance(op, OperationSequence) else op, dtype, layout, **named)
    if order == "C" and not any(where.interleaved for where in spec.layouts):
        spec = spec.mirrored()
    return kernels.kernel(spec, **overrides)


class Plan:
    """See :func:`plan`. ``kernel`` is what runs (None where there is nothing to compute), ``output`` what it writes,
    ``info`` the array in which each matrix reports, where the operation does."""

    __slots__ = ("_run", "info", "kernel", "operands", "output")

    def __init__(
        self,
        kernel: Any,
        run: Callable[[], Any],
        output: Any,
        operands: Any,
        info: Any = None,
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
        if self._run() and self.kernel:
            raise no_memory(self.kernel.spec.row)
        return self.output

    def __reduce__(self) -> NoReturn:
        why = "it works on its operands where they lie"
        raise TypeError(f"a Plan is not pickled or copied, as {why}: expected one made by bb.plan where it runs")

    def __repr__(self) -> str:
        return f"<Plan of {self.kernel.spec.symbol() if self.kernel else 'nothing'}>"


def given_operands(
    op: str | OperationSequence, operands: Sequence[Any], named: dict[str, Any]
) -> tuple[Operation, dict[str, Any], dict[str, Any]]:
    """The operation, its operands by their names in the table, None where they may be left out, and what is left of
    what was given by name: all as its own function takes them."""
    row = op.row if isinstance(op, OperationSequence) else operation(op)
    users, places = user_names(row), by_place(row)
    if len(operands) > len(places):
        others = [user for x, user in users.items() if x not in places and not row.reduces]
        also = f" and {', '.join(others)} by name" if others else ""
        text = f"{row.name} takes {', '.join(users[x] for x in places)} by place{also}"
        raise TypeError(f"{text}: {len(operands)} given by place")
    found = dict(zip(places, operands, strict=False))
    if twice := next((users[x] for x in found if users[x] in named), None):
        raise TypeError(f"{twice} is given twice: expected it by place or by name")
    found |= {x: named.pop(user) for x, user in users.items() if user in named}
    given = {*(users[x] for x in found), *named}
    needed = [*(users[x.name] for x in row.parameters if not may_be_left_out(row, x)), *without_default(row)]
    if missing := [name for name in needed if name not in given]:
        raise TypeError(f"{row.name} needs {', '.join(needed)}: {', '.join(missing)} is missing")
    return row, {x: found.get(x) for x in users}, named


def by_place(op: Operation) -> list[str]:
    """The operands that the operation's own function takes by place, in its order; all of what has none."""
    if op.composed or op.name not in FUNCTIONS:
        return [x.name for x in op.parameters]
    return [x.name for x in taken(op, FUNCTIONS[op.name]) if not by_name_only(op, x)]


def without_default(op: Operation) -> tuple[str, ...]:
    """The scalars that a call has to name."""
    if op.composed:
        return op.user_scalars
    return FUNCTIONS[op.name].required if op.name in FUNCTIONS else ()


def flags_of(op: Operation, named: Mapping[str, Any]) -> dict[str, Any]:
    return {flag: named.get(flag, default_flag(flag)) for flag in op.flags}


def scalars_of(op: Operation, named: Mapping[str, Any]) -> dict[str, Any]:
    return {name: named.get(name, DEFAULT_SCALARS.get(name)) for name in op.user_scalars}


def _plan(op: Operation, operands: Mapping[str, Any], named: Mapping[str, Any]) -> Plan:
    checked_names(op, named, "num_threads", *(["return_info"] if op.info else []))
    flags, scalars = flags_of(op, named), scalars_of(op, named)
    op, operands = varied(op, operands, **{x: named[user] for user, x in varying(op).items() if user in named})
    given, columns = operands, columns_of(op, operands)
    policy = FailurePolicy(named.get("check"), named.get("return_info", False))
    single = is_single(op, columns)
    columns = as_batch(columns) if single else columns
    run, _, columns, info, kernel, kept = long_way(op, columns, flags, scalars, named.get("num_threads"))
    on_device = any_on_device(columns.values())
    if on_device:
        behind = policy.filled(op, kept, flags)
        kept = kept.then(behind) if behind else kept
        run = kept.followed()
    made = {x: made_for(op, x, columns[x][0] if single else columns[x]) for x, y in given.items() if y is None}
    operands = {**given, **made}
    if info is None:
        return Plan(kernel, run, policy.result(op, operands, None), (operands, kept))
    told = info.array if on_device else info
    output = policy.result(op, operands, told[0, ...] if single else told)
    if on_device:
        report = partial(policy.report_on_gpu, op, info, operands, flags)
        waits = policy.check == "raise"  # else nobody does
        seen = partial(_run_on_gpu, partial(policy.check_on_gpu, info), run, report) if waits else run
        return Plan(kernel, seen, output, (operands, kept), told)
    report = partial(policy.report_failures, op, info, columns, flags)
    return Plan(kernel, partial(_run_then_report, run, report), output, (operands, kept), info)


def checked_names(op: Operation, named: Mapping[str, Any], *more: str) -> None:
    """TypeError for what ``op`` does not take by name."""
    known = {*op.flags, *op.user_scalars, *(["check"] if op.info else []), *varying(op), *more}
    unknown = next((name for name in named if name not in known), None)
    if unknown is not None:
        raise TypeError(f"{op.name} has no argument {unknown!r}: expected {', '.join(sorted(known))}")


def columns_of(op: Operation, operands: Mapping[str, Any]) -> Mapping[str, Any]:
    """What is worked on for what a user gave."""
    users = user_names(op)
    return {x.name: as_ragged(_column(x, users[x.name], operands[x.name])) for x in op.parameters}


def made_for(op: Operation, name: str, value: Any) -> Any:
    """What a plan returns for an operand that was made: vectors, and numbers, as the operation's own function does."""
    if isinstance(value, list):
        return [made_for(op, name, one) for one in value]
    if op.reduces and name == op.returns[0]:
        known = FUNCTIONS.get(op.name)
        return value[..., 0, 0].real if known and known.real_result else value[..., 0, 0]
    return vectors(value) if op.operand(name).is_vector else value


def _column(x: Operand, name: str, value: Any) -> Any:
    """What a plan works on for what a user gave: of vectors, matrices of one column."""
    if not x.is_vector or isinstance(value, Ragged):
        return value
    one = value[0] if isinstance(value, (list, tuple)) and len(value) else value
    array = isinstance(one, np.ndarray) or is_device_array(one)
    flat = array and len(shape_of(one)) <= (2 if one is value else 1)
    flat = flat or (is_group(value, ndim=2) and one.shape[1] != 1)  # a list of one column has matrices
    return value if array and not flat else vector(name, value)


def _run_on_gpu(check: Callable[[], None], run: Callable[[], Any], report: Callable[[], None]) -> Any:
    check()
    return _run_then_report(run, report)


def _run_then_report(run: Callable[[], Any], report: Callable[[], None]) -> Any:
    status = run()
    if not status:
        report()
    return status
