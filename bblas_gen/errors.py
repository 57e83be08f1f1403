"""The exceptions and warnings of bblas_gen.

Every exception derives from `BblasError` and also from the built-in class that a caller who has never heard of us
would catch: a wrong request is a `ValueError`, a failed compile a `RuntimeError`, a cache failure an `OSError`.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

INSTALL_HINT = (
    "install gcc (Debian/Ubuntu: apt install gcc; Fedora: dnf install gcc; macOS: xcode-select --install) "
    "or set BBLAS_GEN_CC"
)
_STDERR_LINES = 40
_STDERR_COLUMNS = 400


class BblasError(Exception):
    """Base class of everything bblas_gen raises on purpose."""


class SpecError(BblasError, ValueError):
    """A kernel was asked for that does not exist: unknown operation, flag or layout, or impossible sizes."""


class NoCompilerError(BblasError, RuntimeError):
    """No usable compiler was found. The message says what was tried and how to get one."""

    def __init__(self, reason: str, hint: str = INSTALL_HINT) -> None:
        super().__init__(reason, hint)
        self.reason = reason
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.reason}; {self.hint}"


class CompileError(BblasError, RuntimeError):
    """A compiler refused generated code, crashed or ran out of time.

    Attributes
    ----------
    what : the symbol of the kernel that was being compiled
    command : the argument vector of the compiler
    stderr : everything the compiler said
    source_path : the source file, kept on disk; None when it could not be kept
    cwd : the folder the command ran in
    """

    def __init__(
        self,
        what: str,
        command: Sequence[str],
        stderr: str,
        source_path: Path | None = None,
        cwd: Path | None = None,
    ) -> None:
        # All five go to args, so that the exception survives the pickling of a process pool.
        super().__init__(what, tuple(command), stderr, source_path, cwd)
        self.what = what
        self.command = tuple(command)
        self.stderr = stderr
        self.source_path = source_path
        self.cwd = cwd

    def relocate(self, old: Path, new: Path) -> None:
        """Follow a build folder that was moved from `old` to `new`, so that the printed command still works."""

        def moved(text: str) -> str:
            return text.replace(str(old), str(new))

        self.command = tuple(moved(word) for word in self.command)
        self.stderr = moved(self.stderr)
        self.source_path = self.source_path and Path(moved(str(self.source_path)))
        self.cwd = self.cwd and Path(moved(str(self.cwd)))

    def __str__(self) -> str:
        command = shlex.join(self.command)
        if self.cwd is not None:
            command = f"cd {shlex.quote(str(self.cwd))} && {command}"
        return "\n".join(
            (
                f"could not compile {self.what}",
                f"  command: {command}",
                f"  source:  {self.source_path or 'not kept'}",
                _trimmed(self.stderr),
            )
        )


class CudaUnavailable(BblasError, RuntimeError):
    """Arrays on a GPU were given, and something is missing to work on them: a driver, a device, a package."""


class CaptureError(BblasError, RuntimeError):
    """A stream of a GPU captures a graph, and a call would have to do what no graph can: load a kernel, or wait."""


class JitDisabledError(BblasError, RuntimeError):
    """A kernel would have to be compiled, but compiling at run time was forbidden."""


class CacheError(BblasError, OSError):
    """The disk cache cannot be written, and no private replacement for it either."""


class LibraryError(BblasError, OSError):
    """The library that ``BBLAS_GEN_LIBRARY`` names cannot be used: it is not there, not to be trusted, or was made by
    another version or for another processor."""


class TuneWarning(UserWarning):
    """What was tuned is not used: its file is damaged, or a row of it is not possible."""


class KernelWarning(UserWarning):
    """A kernel could not be compiled, and NumPy or SciPy did its work; or GPUs have none of its kind, and a library is
    built without it."""


class CacheWarning(UserWarning):
    """The disk cache was not used as asked: its folder is not safe, an entry was damaged and is rebuilt, or a library
    that was built ahead is of no use."""


def _trimmed(stderr: str) -> str:
    """The head of a compiler's messages: the first error is the one that counts, the rest mostly follows from it."""
    lines = stderr.strip().splitlines()
    head = [line if len(line) <= _STDERR_COLUMNS else f"{line[:_STDERR_COLUMNS]}..." for line in lines[:_STDERR_LINES]]
    if len(lines) > _STDERR_LINES:
        head.append(f"... and {len(lines) - _STDERR_LINES} more lines")
    return "\n".join(head) or "the compiler said nothing"
