"""What users call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import dispatch
from .arrays import describe
from .call import agreed, bind, execute, scalar, threads
from .interleaved import Interleaved
from .ops import OPS
from .spec import KernelSpec, operation, trans
from .terms import Layout

NAMES = ("a", "b", "c")


def gemm(
    a: Any,
    b: Any,
    c: Any = None,
    *,
    alpha: complex = 1.0,
    beta: complex = 0.0,
    transa: str = "N",
    transb: str = "N",
    num_threads: int | None = None,
) -> Any:
    """C := alpha op(A) op(B) + beta C for every matrix of a batch.

    op(X) is X, its transpose or its conjugate transpose, as ``transa`` and ``transb`` say ("N", "T", "C"; "R" is the
    conjugate alone). op(A) is m x k, op(B) k x n, C m x n.

    Parameters
    ----------
    a, b
        Arrays (batch, rows, columns) of float32, float64, complex64 or complex128 (all alike), lists of 2-D arrays of
        one shape, or :class:`Interleaved`. One matrix for the whole batch is a 2-D array, or a batch stride of 0.
        Read; not at all if ``alpha`` is 0.
    c
        The same kinds, overwritten in place and returned; read only if ``beta`` is not 0. None makes a new one: a
        C-contiguous array, a list if ``a`` is one, an Interleaved if ``a`` is one.
    alpha, beta
        Numbers, not NaN. 0 and 1 have code of their own.
    num_threads
        None: as many as OpenMP offers, one below a break-even size. Results do not depend on it, bit by bit.

    Arrays may have any strides, row- or column-major or neither, negative or (inputs) zero ones too: nothing is
    copied, but for operands that are not aligned or whose strides are not a whole number of elements, and lists whose
    arrays have different strides. 2 m n k operations per matrix, 4 times that if complex.

    Raises TypeError (kind, dtype) and ValueError (shape, overlap, read-only output), naming the argument; outputs are
    untouched then. Source: BLAS xGEMM; Dongarra et al., ICCS 2017, doi:10.1016/j.procs.2017.05.138.
    """
    fresh = c is None
    if fresh:
        c = _output(a, b, beta, transa, transb)
    scalars = ("alpha", alpha), ("beta", beta)
    execute("gemm", NAMES, (a, b, c), (transa, transb), scalars, num_threads, fresh=fresh)
    return c


def plan(op: str, *operands: Any, **named: Any) -> Plan:
    """A call validated once: ``k = plan("gemm", a, b, c, beta=1.0)``, then ``k()`` costs about one C call.

    Takes what the operation's own function takes and raises what it raises, now; ``"lacpy"`` takes ``a``, ``out`` and
    ``transa``, and copies out := op(a) between any two layouts. The plan keeps its operands alive
    and reads and writes them where they are at each ``k()``, which returns the output. With operands that must be
    copied (see :func:`gemm`) every ``k()`` copies again.
    """
    return _PLANNERS[operation(op).name](*operands, **named)


def compile(op: str, dtype: Any = "d", layout: Any = "st", *, order: str = "C", **named: Any) -> dispatch.Kernel:
    """Compile and load one kernel now; returns it, with ``.spec``, ``.source`` and ``.library``.

    ``named``: all sizes and any flags of the operation, ``nb``, ``strides`` ("" for matrices without gaps, "ld",
    "rs"), or a field of the schedule to override it. ``order``: the memory order of ``st`` and ``pp`` matrices, "C" as
    NumPy's or "F" as the BLAS's; kernels are column-major, so "C" gives the kernel of the mirrored problem (C' =
    op(B)' op(A)'), the one that :func:`gemm` runs on C-ordered arrays.
    """
    if order not in ("C", "F"):
        raise ValueError(f"order = {order!r}: expected 'C' or 'F'")
    overrides = {name: named.pop(name) for name in list(named) if name in dispatch.SCHEDULE_FIELDS}
    spec = KernelSpec.make(op, dtype, layout, **named)
    if order == "C" and not any(where.interleaved for where in spec.layouts):
        spec = spec.mirrored()
    return dispatch.kernel(spec, **overrides)


class Plan:
    """See :func:`plan`. ``kernel`` is what runs (None where there is nothing to compute), ``output`` what it writes."""

    __slots__ = ("_run", "kernel", "operands", "output")

    def __init__(self, kernel: dispatch.Kernel | None, run: Callable[[], Any], output: Any, operands: Any) -> None:
        self.kernel = kernel
        self._run = run
        self.output = output
        self.operands = operands

    @property
    def arguments(self) -> tuple[Any, ...]:
        """What ``kernel`` is called with; empty where it is not called."""
        return getattr(self._run, "args", ())

    def __call__(self) -> Any:
        self._run()
        return self.output

    def __repr__(self) -> str:
        return f"<Plan of {self.kernel.source.symbol if self.kernel else 'nothing'}>"


def _output(a: Any, b: Any, beta: Any, transa: Any, transb: Any) -> Any:
    """A new C of the kind of ``a``, or of ``b`` where ``a`` is one matrix for all."""
    if beta != 0:
        raise ValueError(f"beta = {beta!r} without c: expected 0, or the c that it scales")
    if type(a) is type(b) is np.ndarray and a.ndim == b.ndim == 3 and transa == transb == "N":
        return np.empty((len(a), a.shape[1], b.shape[2]), a.dtype)  # what all the rest comes to in the common case
    flags = {"transa": trans("transa", transa), "transb": trans("transb", transb)}
    named = {"A": ("a", describe("a", a)), "B": ("b", describe("b", b))}
    sizes, batch = agreed(OPS["gemm"], named, flags, complete=False)
    if batch is None:
        raise ValueError("a and b are single matrices: expected a batch, such as a[None]")
    shape, dtype = (batch, sizes["m"], sizes["n"]), named["A"][1].dtype
    like = a if named["A"][1].batch is not None else b
    if isinstance(like, Interleaved):
        return Interleaved.empty(shape, dtype, nb="full" if like.layout is Layout.IL else like.nb)
    new = np.empty(shape, dtype)
    return list(new) if isinstance(like, (list, tuple)) else new


def _gemm_plan(
    a: Any,
    b: Any,
    c: Any = None,
    alpha: Any = 1.0,
    beta: Any = 0.0,
    transa: Any = "N",
    transb: Any = "N",
    num_threads: Any = None,
) -> Plan:
    if c is None:
        c = _output(a, b, beta, transa, transb)
    call = bind("gemm", NAMES, (a, b, c), (transa, transb))
    scalars = (scalar("alpha", alpha, a), scalar("beta", beta, a))
    return Plan(call.kernel, call.frozen(scalars, threads(num_threads)), c, (a, b, c, call.pinned, scalars))


def _lacpy_plan(a: Any, out: Any, transa: Any = "N", num_threads: Any = None) -> Plan:
    call = bind("lacpy", ("a", "out"), (a, out), (transa,))
    return Plan(call.kernel, call.frozen((), threads(num_threads)), out, (a, out, call.pinned))


_PLANNERS: dict[str, Callable[..., Plan]] = {"gemm": _gemm_plan, "lacpy": _lacpy_plan}
