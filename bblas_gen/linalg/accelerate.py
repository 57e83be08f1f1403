"""Ours beneath ``numpy.linalg`` and ``scipy.linalg``, for programs that know nothing of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from types import ModuleType
from typing import Any

from numpy.linalg import _linalg

from ..arguments import check_flag
from . import factors, scipy_names, spectral
from .asked import ALWAYS
from .numpy_names import REPLACED
from .scipy_frame import theirs

_MODULES = (factors, scipy_names, spectral)
OURS = tuple(x for module in _MODULES for x in vars(module).values() if hasattr(x, "is_like_scipy"))
"""What is put in the place of SciPy's functions of the same names."""
_LOCK = Lock()
_OPEN: list[object] = []
"""Blocks that are in force."""
_THEIRS: list[tuple[ModuleType, str, Any]] = []
"""What was there before, while anything of ours is."""
_IMPORTED: set[str] = set()
"""Modules of which that is known. Others of SciPy, imported in a block, took our functions for those of SciPy."""


@contextmanager
def accelerate(*, always: bool = False) -> Iterator[None]:
    """Within the block ``numpy.linalg`` and ``scipy.linalg`` do stacks of small matrices by the kernels of bblas_gen.

    Parameters
    ----------
    always : bool
        True: kernels do everything that they can, small stacks too, for which NumPy is faster.

    Notes
    -----
    It holds for all threads. Blocks may be nested and may overlap; at the end of the last one everything is as before.
    NumPy's functions stay the same objects with other gufuncs beneath them, so names that were imported before gain,
    too. SciPy's functions are replaced in ``scipy.linalg``, if that is imported before the block. ``a @ b`` and
    ``numpy.matmul`` are no functions of ``numpy.linalg`` and stay as they are.

    Examples
    --------
    >>> with bblas_gen.linalg.accelerate():
    ...     x = np.linalg.solve(np.tile(2 * np.eye(3), (1000, 1, 1)), np.ones(3))
    >>> x.shape
    (1000, 3)
    """
    block, always = object(), check_flag("always", always)
    kept = [block] if always else []
    with _LOCK:
        if not _OPEN:
            _install()
        _OPEN.append(block)
        ALWAYS.extend(kept)
    try:
        yield
    finally:
        with _LOCK:
            for blocks in (_OPEN, ALWAYS):
                blocks[:] = [x for x in blocks if x is not block]
            if not _OPEN:
                _remove()


def _install() -> None:
    for name, ours in REPLACED.items():
        if hasattr(_linalg, name):
            _replace(_linalg, name, ours)
    if "scipy.linalg" not in sys.modules:
        return
    _IMPORTED.clear()
    _IMPORTED.update(sys.modules)
    replaced = {id(theirs(ours.__name__)): ours for ours in OURS}
    for module in [x for name, x in list(sys.modules.items()) if name.startswith("scipy.linalg")]:
        for name, found in list(vars(module).items()):
            if ours := replaced.get(id(found)):
                _replace(module, name, ours)


def _replace(module: ModuleType, name: str, ours: Any) -> None:
    _THEIRS.append((module, name, getattr(module, name)))
    setattr(module, name, ours)


def _remove() -> None:
    while _THEIRS:
        setattr(*_THEIRS.pop())
    if "scipy.linalg" not in sys.modules:
        return
    late = [x for name, x in list(sys.modules.items()) if name.startswith("scipy.") and name not in _IMPORTED]
    for module in late:
        for name in [name for name, x in vars(module).items() if any(x is ours for ours in OURS)]:
            setattr(module, name, theirs(vars(module)[name].__name__))
