"""What users call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import dispatch
from .arrays import Array, check_overlap, check_writable, describe
from .call import Call, Named, address, agreed, scalar, threads
from .interleaved import Interleaved
from .ops import OPS
from .spec import KernelSpec, operation, trans
from .terms import Layout, Trans

MAX_CALLS = 4096
_calls: dict[tuple[Any, ...], tuple[Call, tuple[int, int, int]]] = {}


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
    kind = type(a)
    if type(b) is kind and (c is None or type(c) is kind) and (kind is np.ndarray or kind is Interleaved):
        key = (_lie(a), _lie(b), None if c is None else _lie(c), transa, transb)
        found = _calls.get(key) or _remember(key, a, b, c, transa, transb)
        if found is not None and (kind is Interleaved or _aligned(a, b, c)):
            return _quick(found, a, b, c, alpha, beta, num_threads)
    return _gemm_plan(a, b, c, alpha, beta, transa, transb, num_threads)()


def plan(op: str, *operands: Any, **named: Any) -> Plan:
    """A call validated once: ``k = plan("gemm", a, b, c, beta=1.0)``, then ``k()`` costs about one C call.

    Takes what the operation's own function takes and raises what it raises, now. The plan keeps its operands alive
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
    row = operation(op)
    if order not in ("C", "F"):
        raise ValueError(f"order = {order!r}: expected 'C' or 'F'")
    overrides = {name: named.pop(name) for name in list(named) if name in dispatch.SCHEDULE_FIELDS}
    names = {layout} if isinstance(layout, str) else set(layout)
    if order == "C" and not names & {Layout.BI, Layout.IL}:
        named = {row.mirror.get(name, name): value for name, value in named.items()}
    return dispatch.kernel(KernelSpec.make(op, dtype, layout, **named), **overrides)


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


def _lie(x: Any) -> tuple[Any, ...]:
    """Everything about an operand that its Call depends on."""
    if type(x) is np.ndarray:
        return x.dtype, x.shape, x.strides
    return x.dtype, x.shape, x.layout, x.nb


def _aligned(a: Array, b: Array, c: Array | None) -> bool:
    """What arrays that lie alike may differ in, and must be copied for."""
    return a.flags.aligned and b.flags.aligned and (c is None or c.flags.aligned)


def _data(x: Any) -> Array:
    found: Array = x if type(x) is np.ndarray else x.data
    return found


def _remember(
    key: tuple[Any, ...], a: Any, b: Any, c: Any, transa: Any, transb: Any
) -> tuple[Call, tuple[int, int, int]] | None:
    """The Call for operands that lie like these; None where they must be copied, so that nothing can be kept."""
    flags = {"transa": trans("transa", transa), "transb": trans("transb", transb)}
    named: Named = {"A": ("a", describe("a", a)), "B": ("b", describe("b", b))}
    shape = _output_shape(named, flags)
    named = {**named, "C": ("c", describe("c", _output(a, b, shape, a.dtype) if c is None else c))}
    if any(operand.copies for _, operand in named.values()):
        return None
    found = Call.prepare("gemm", named, flags, bind=False), shape
    if len(_calls) >= MAX_CALLS:
        _calls.clear()
    _calls[key] = found
    return found


def _quick(
    found: tuple[Call, tuple[int, int, int]], a: Any, b: Any, c: Any, alpha: Any, beta: Any, num_threads: Any
) -> Any:
    """Run a remembered Call: what is left to check is what two operands that lie alike may differ in."""
    call, shape = found
    x, y = _data(a), _data(b)
    scalars = (scalar("alpha", alpha, a.dtype), scalar("beta", beta, a.dtype))
    team = threads(num_threads)
    if c is None:
        _check_fresh(beta)
        c = _output(a, b, shape, a.dtype)
        z = _data(c)
    else:
        z = _data(c)
        check_writable("c", (z,))
        if np.may_share_memory(x, z) or np.may_share_memory(y, z):
            check_overlap("c", (z,), {"a": (x,), "b": (y,)})
    call.run(scalars, team, (address(x), address(y), address(z)))
    return c


def _check_fresh(beta: Any) -> None:
    if beta != 0:
        raise ValueError(f"beta = {beta!r} without c: expected 0, or the c that it scales")


def _output_shape(named: Named, flags: dict[str, Trans]) -> tuple[int, int, int]:
    sizes, batch = agreed(OPS["gemm"], named, flags, complete=False)
    if batch is None:
        raise ValueError("a and b are single matrices: expected a batch, such as a[None]")
    return batch, sizes["m"], sizes["n"]


def _output(a: Any, b: Any, shape: tuple[int, int, int], dtype: np.dtype[Any]) -> Any:
    """A new C of the kind of ``a``, or of ``b`` where ``a`` is one matrix for all."""
    like = b if isinstance(a, np.ndarray) and a.ndim == 2 else a
    if isinstance(like, Interleaved):
        return Interleaved.empty(shape, dtype, nb="full" if like.layout is Layout.IL else like.nb)
    fresh = np.empty(shape, dtype)
    return list(fresh) if isinstance(like, (list, tuple)) else fresh


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
    flags = {"transa": trans("transa", transa), "transb": trans("transb", transb)}
    named: Named = {"A": ("a", describe("a", a)), "B": ("b", describe("b", b))}
    dtype = named["A"][1].dtype
    scalars = (scalar("alpha", alpha, dtype), scalar("beta", beta, dtype))
    team = threads(num_threads)
    shape = _output_shape(named, flags)
    if c is None:
        _check_fresh(beta)
        c = _output(a, b, shape, dtype)
    named = {**named, "C": ("c", describe("c", c))}
    call = Call.prepare("gemm", named, flags)
    return Plan(call.kernel, call.frozen(scalars, team), c, (a, b, c, call.pinned, scalars))


_PLANNERS: dict[str, Callable[..., Plan]] = {"gemm": _gemm_plan}
