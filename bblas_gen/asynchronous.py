"""One large problem in host memory, begun on a GPU and waited for later."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .arguments import check_device, check_number
from .arrays.host import describe
from .ir.operation import Operation
from .ir.spec import letter
from .plans import checked_names, columns_of, flags_of, given_operands, made_for, scalars_of
from .runtime.call import user_names
from .runtime.failures import FailurePolicy
from .runtime.invoke import as_columns, is_single, one_side, vectors
from .runtime.marshal import scalar_arguments
from .runtime.outputs import varied, varying, with_made
from .runtime.route import as_batch
from .sequences import OperationSequence

if TYPE_CHECKING:
    from .runtime.device_started import Begun


class Started:
    """A problem that a GPU works on; see :func:`start`. Its operands must stay as they are until it is done."""

    __slots__ = ("_begun", "_finish")

    def __init__(self, begun: Begun, finish: Callable[[], Any]) -> None:
        self._begun, self._finish = begun, finish

    def done(self) -> bool:
        """Whether :meth:`wait` would return at once."""
        return self._begun.done()

    def wait(self) -> Any:
        """What the operation's own function returns, once it is there, in host memory. Raises LinAlgError where the
        matrix failed, unless ``check`` says otherwise."""
        self._begun.wait()
        return self._finish()

    def __del__(self) -> None:
        self._begun.wait()  # memory goes with it

    def __repr__(self) -> str:
        return f"<Started, {'done' if self.done() else 'at work'}>"


def start(
    op: str | OperationSequence,
    *operands: Any,
    device: int = 0,
    panel_bytes: int | None = None,
    return_info: bool = False,
    **named: Any,
) -> Started:
    """Begin one large problem in host memory on a GPU and return at once; copies and work overlap.

    Parameters
    ----------
    op : str or OperationSequence
        An operation that is divided into products: ``gemm symm hemm syrk herk syr2k her2k trmm trsm trsv potrf potrs
        posv potri trtri lauum``, or a sequence of these.
    *operands : matrices or vectors
        By position and by name as in :func:`plan`: NumPy arrays of any strides without an axis for a batch. If neither
        rows nor columns are contiguous they are copied on the host first. All must fit into the GPU's memory.
    device : int
        The number of the GPU.
    panel_bytes : int, optional
        Bytes of an operand that are copied at a time, whole rows or columns; by default 16 MB.
    return_info : bool
        True: ``wait`` returns the info of the matrix, too, if the operation has one.
    **named
        What the operation's own function takes by name, without ``num_threads``.

    Returns
    -------
    started : Started
        ``wait()`` returns what the operation's own function returns; ``done()`` says whether it would return at once.

    Raises
    ------
    TypeError, ValueError
        At once: what the operation's own function raises; also for batches (see :func:`stream`) and for a ``device``
        that does not exist.
    CudaUnavailable
        There is no GPU, or a package is missing.

    Notes
    -----
    Operands are pinned (page-locked) meanwhile, as copies would otherwise block the host; memory that is pinned already
    saves that. A panel is copied in before it is first used, and out once nothing more is written to it. Results are
    those of the same call on arrays of a GPU.

    Examples
    --------
    ``work = bb.start("posv", a, b)`` and later ``x = work.wait()``; ``bb.posv_async(a, b)`` is the same.
    """
    row, given, named = given_operands(op, operands, named)
    checked_names(row, named)
    policy, number = FailurePolicy(named.get("check"), return_info), check_device(device)
    columns = one_side(row, given)
    if not columns:
        return _begun(row, given, named, policy, number, panel_bytes)
    asked, places = as_columns(row, given, columns, named)
    made = _begun(row, columns, asked, policy, number, panel_bytes)
    made._finish = partial(_as_vectors, made._finish, places)
    return made


def _begun(
    row: Operation,
    operands: Mapping[str, Any],
    named: Mapping[str, Any],
    policy: FailurePolicy,
    device: int,
    panel_bytes: int | None,
) -> Started:
    """A problem whose operands are as kernels take them."""
    from .runtime.device_launch import number  # here: importing bblas_gen must stay fast
    from .runtime.device_started import PANEL_BYTES, begin

    flags, scalars = flags_of(row, named), scalars_of(row, named)
    row, given = varied(row, operands, **{x: named[user] for user, x in varying(row).items() if user in named})
    users, columns = user_names(row), columns_of(row, given)
    count = check_number("panel_bytes", PANEL_BYTES if panel_bytes is None else panel_bytes, 1, "a number of bytes")
    for x, value in columns.items():
        if value is not None and not isinstance(value, np.ndarray):
            raise TypeError(f"{users[x]} is a {type(value).__name__}: expected an array in host memory")
    if not is_single(row, columns):
        raise ValueError(f"{row.name} is given batches: expected matrices, as bb.stream is for batches")
    batches, _ = with_made(row, as_batch(columns), flags, scalars)
    letters = {flag: letter(flag, flags[flag]) for flag in row.flags}
    looked = {x.name: (users[x.name], describe(users[x.name], batches[x.name], x.kind)) for x in row.parameters}
    numbers = scalar_arguments(row, scalars, next(iter(batches.values())))
    values = {own: number(x) for own, x in zip(row.scalars, numbers, strict=True)}
    begun = begin(row, looked, letters, values, device, count)  # type: ignore[arg-type]
    results = {x: made_for(row, x, batches[x][0]) if y is None else y for x, y in given.items()}
    return Started(begun, partial(_finish, row, policy, begun, batches, results, flags))


def _finish(op: Operation, policy: FailurePolicy, begun: Begun, batches: Any, results: Any, flags: Any) -> Any:
    if begun.info is not None and begun.info.any():
        policy.report_failures(op, begun.info, batches, flags)
    return policy.result(op, results, begun.info[0] if begun.info is not None else None)


def _as_vectors(finish: Callable[[], Any], places: Sequence[Any]) -> Any:
    """What was worked on in columns, as its user gave it."""
    return vectors(finish(), *places)


_DOCUMENTATION = """:func:`{name}` of one large problem in host memory, begun on a GPU: ``start("{name}", ...)``.

    Parameters
    ----------
    *operands : matrices or vectors
        In the order of :func:`{name}`: NumPy arrays without an axis for a batch.
    **named
        What :func:`{name}` takes by name, without ``num_threads``; ``device``, ``panel_bytes`` and ``return_info`` of
        :func:`start`.

    Returns
    -------
    started : Started
        ``wait()`` returns what :func:`{name}` returns, in host memory.

    Raises
    ------
    TypeError, ValueError, CudaUnavailable
        Now, as :func:`start`.

    Examples
    --------
    ``work = bb.{name}_async(...)`` and later ``work.wait()``.
    """


def _async(name: str) -> Callable[..., Started]:
    """:func:`start` of one operation."""

    def run(*operands: Any, **named: Any) -> Started:
        return start(name, *operands, **named)

    run.__name__ = run.__qualname__ = f"{name}_async"
    run.__doc__ = _DOCUMENTATION.format(name=name)
    return run


gemm_async = _async("gemm")
hemm_async = _async("hemm")
herk_async = _async("herk")
lauum_async = _async("lauum")
posv_async = _async("posv")
potrf_async = _async("potrf")
potri_async = _async("potri")
potrs_async = _async("potrs")
symm_async = _async("symm")
syrk_async = _async("syrk")
trmm_async = _async("trmm")
trsm_async = _async("trsm")
trtri_async = _async("trtri")
