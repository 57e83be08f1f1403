"""Which kernels a program uses, written down: a set that is compiled before the program runs the next time."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import CacheWarning
from ..ir.spec import KernelSpec
from .state import RUNTIME

VARIABLE = "BBLAS_GEN_RECORD"


class Recorder:
    """Appends kernels to a file, each once. What other processes append meanwhile stays."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        from ..ir.kernel_set import specs_in  # here: importing bblas_gen must stay fast

        self.path = Path(path).absolute()  # wherever the program goes
        known = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
        self.specs = set(specs_in(known))
        self._append("")

    def note(self, spec: KernelSpec) -> None:
        from ..ir.kernel_set import entry

        if spec not in self.specs:
            self.specs.add(spec)
            self._append(entry(spec))

    def _append(self, text: str) -> None:
        with self.path.open("a", encoding="utf-8") as file:  # one write of one table: others may append, too
            file.write(text)


def note(spec: KernelSpec) -> None:
    """Tell all recorders that a kernel is used."""
    recorders = RUNTIME.recorders
    if recorders is None:
        recorders = RUNTIME.recorders = _named_by_environment()
    for recorder in recorders:
        try:
            recorder.note(spec)
        except OSError as error:
            warnings.warn(f"{recorder.path}: {error}: kernels are not recorded", CacheWarning, stacklevel=2)


def _named_by_environment() -> tuple[Recorder, ...]:
    path = os.environ.get(VARIABLE)
    try:
        return (Recorder(path),) if path else ()
    except OSError as error:
        raise type(error)(error.errno, f"{VARIABLE}={path!r} cannot be written: {error.strerror}") from error


@contextmanager
def record(path: str | os.PathLike[str]) -> Iterator[None]:
    """Write down which kernels a block of a program uses: a set that ``bblas-gen compile --set`` compiles ahead.

    Parameters
    ----------
    path : str or path
        A TOML file. What it has already stays; kernels that are not in it are appended when they are first used.

    Returns
    -------
    manager : context manager
        For ``with``.

    Raises
    ------
    OSError
        Where the file cannot be written, at once.
    SpecError
        For a file that is no set of kernels.

    Notes
    -----
    ``BBLAS_GEN_RECORD=path`` does the same for a whole program, and its child processes. Plans that were made before
    are not recorded. Kernels of other schedules than their own (``compile`` with overrides) are not recorded.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "set.toml")
    >>> with bb.record(path):
    ...     c = bb.gemm(np.ones((3, 2, 2)), np.ones((3, 2, 2)))
    >>> print(path.read_text().strip())
    [[kernel]]
    name = "bb_dgemm_nn_st_m2n2k2"
    """
    recorder = Recorder(path)
    before = RUNTIME.recorders
    if before is None:
        before = _named_by_environment()
    RUNTIME.recorders = (*before, recorder)
    RUNTIME.forget_calls()  # those that were made before would go on without asking for their kernels
    try:
        yield
    finally:
        RUNTIME.recorders = tuple(x for x in RUNTIME.recorders or () if x is not recorder)
