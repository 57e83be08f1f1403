"""What is asked of a call beside its operands: what becomes of matrices that fail, threads, precision."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from inspect import cleandoc
from typing import Any

import numpy as np

from ..arguments import check_flag
from ..arrays.host import Array
from ..arrays.pointers import as_dtype
from ..runtime.failures import validate_check_mode
from ..runtime.marshal import thread_argument
from ..schedule.hand_over import LARGEST, is_worth_it


@dataclass(frozen=True, slots=True)
class Asked:
    """Arguments of a function, for all that it calls. ``reports``: what these reported, where it is to be returned.
    ``refine``: whether solvers do a step of refinement."""

    check: str | None = None
    num_threads: int | None = None
    dtype: np.dtype[Any] | None = None
    reports: list[Array] | None = field(default=None, compare=False)
    refine: bool = False

    @property
    def raises(self) -> bool:
        """Whether a matrix that fails is an error."""
        return self.check in (None, "raise") and self.reports is None

    def add(self, info: Array) -> None:
        """Keep what a kernel reported of each matrix of a stack."""
        if self.reports is not None:
            self.reports.append(info)

    def info(self) -> Array:
        """What was reported: of each matrix the first report that is not 0."""
        reports = self.reports or [np.zeros((), np.int32)]
        found = reports[0]
        for info in reports[1:]:
            found = np.where(found != 0, found, info)
        return found


NOTHING = Asked()
ASKED: ContextVar[Asked] = ContextVar("asked", default=NOTHING)
"""Of the call that is being done in this thread."""
ALWAYS: list[object] = []
"""Each ``accelerate`` in force by which kernels do all that they can, however small a stack is."""


def wants_all() -> bool:
    """Whether kernels are to do all that they can: what is asked for is theirs alone, or somebody said so."""
    if ALWAYS or (asked := ASKED.get()) is NOTHING:
        return bool(ALWAYS)
    return not asked.raises or asked.refine or asked.dtype is not None


def wants_kernels(kind: str, order: int, count: int, *, at_once: bool = False) -> bool:
    """Whether ``count`` matrices of ``order`` rows are for kernels; ``at_once`` where nothing is to be converted."""
    return order <= LARGEST and (wants_all() or is_worth_it(kind, order, count, at_once=at_once))


def precision(of: np.dtype[Any], asked: np.dtype[Any] | None) -> np.dtype[Any]:
    """What to compute in: the precision of operands, or the one that is asked for."""
    if asked is None:
        return of
    if of.kind == "c" and asked.kind != "c":
        raise TypeError(f"dtype = {asked}: expected a complex one, as operands are complex")
    return asked


class asking:
    """Ask it of everything that is called within. A class, as generators take three microseconds more."""

    def __init__(
        self,
        check: str | None = None,
        return_info: bool = False,
        num_threads: int | None = None,
        dtype: Any = None,
        refine: bool = False,
    ) -> None:
        if check is not None:
            validate_check_mode(check)
        thread_argument(num_threads)
        kind = None if dtype is None else as_dtype("dtype", dtype)
        if kind is not None and (kind.char not in "fdFD" or not kind.isnative):
            raise TypeError(f"dtype = {dtype!r}: expected float32, float64, complex64 or complex128")
        reports: list[Array] | None = [] if check_flag("return_info", return_info) else None
        self.asked = Asked(check, num_threads, kind, reports, check_flag("refine", refine))

    def __enter__(self) -> Asked:
        self._token = ASKED.set(self.asked)
        return self.asked

    def __exit__(self, *_: object) -> None:
        ASKED.reset(self._token)


COMMON = {
    "check": """check : {"raise", "nan", "ignore"}, optional
    What happens to matrices that fail. "raise", the default: an error. "nan": their results are NaN. "ignore": their
    results have no meaning. The others have their results with "nan" and "ignore".""",
    "return_info": """return_info : bool, optional
    True: LAPACK's info of each matrix is returned, too, and no error is raised for failing matrices.""",
    "num_threads": """num_threads : int, optional
    By default as many as make the call faster.""",
}
OF_NUMPY = {
    **COMMON,
    "dtype": """dtype : dtype, optional
    The precision to compute in. By default single precision is computed in double, as NumPy does; ``np.float32`` is
    twice as fast.""",
    "refine": """refine : bool, optional
    True: one step of iterative refinement, as LAPACK's gerfs.""",
}
OF_SCIPY = {
    **{
        name: f"""{name} : bool, optional
    True: SciPy may overwrite ``{name[-1]}`` if it does the call. Kernels never do."""
        for name in ("overwrite_a", "overwrite_b")
    },
    "check_finite": """check_finite : bool, optional
    True, the default: NaN and infinities are a ValueError, whatever ``check`` is. False: they are not looked for.""",
    **COMMON,
    "dtype": """dtype : dtype, optional
    The precision of operands and results: float32, float64, complex64 or complex128. With this, ``return_info`` or
    ``check`` only kernels do the call: orders beyond 64, and arguments that only SciPy knows, are a ValueError.""",
}
IDLE = {
    "check": """check, return_info, num_threads : optional
    As all functions here have them. NumPy does this function, no matrix fails, and info is a single 0.""",
}


def with_others(text: str | None, said: Mapping[str, str], parameters: Iterable[str]) -> str:
    """A docstring, and what is ``said`` of those of its parameters of which anything is."""
    lines = [said[name] for name in said if name in {*parameters}]
    title = "Other Parameters"
    return "\n".join([cleandoc(text or ""), "", title, "-" * len(title), *lines])
