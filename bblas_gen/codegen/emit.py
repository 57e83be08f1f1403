"""From sources to files: standalone C or CUDA, for programs that know nothing of Python."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ..errors import SpecError
from ..ir.targets import TARGETS
from ..version import __version__
from .render import Source, render_file

HEADER = "bblas_kernels.h"
_HEADER = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}\.h")


def emit(sources: Sequence[Source], folder: Path, *, header: str = HEADER, force: bool = False) -> list[Path]:
    """Write each source to a file of its own in ``folder``, and one header for all; returns their paths.

    The files are what the cache compiles, to the byte. An existing file that differs is a FileExistsError, unless
    ``force``; nothing is written then. Every file appears whole or not at all. SpecError (a ValueError) where the
    header's name is none, or sources of several targets or schedules of one kernel meet.
    """
    if not _HEADER.fullmatch(header):
        raise SpecError(f"header = {header!r} is not a file name: expected letters, digits, _ and -, ending in .h")
    if len({source.symbol for source in sources}) < len(sources):
        raise SpecError("specs name a kernel twice: expected each once")
    if len({source.spec.target for source in sources}) > 1:
        raise SpecError("specs are of several targets: expected one")
    files = {source.filename: source.text for source in sources}
    files[header] = header_text(sources, header)
    if not force:
        for name, text in files.items():
            path = folder / name
            if path.exists() and not path.is_file():
                raise FileExistsError(f"{path} exists and is no file")
            if path.exists() and path.read_text(encoding="utf-8") != text:
                raise FileExistsError(f"{path} exists and differs: use force to overwrite it")
    folder.mkdir(parents=True, exist_ok=True)
    return [_write(folder / name, text) for name, text in files.items()]


def header_text(sources: Sequence[Source], name: str = HEADER) -> str:
    """The header that declares the kernels of ``sources``."""
    kernels = [
        {"formula": s.spec.row.formula, "description": s.description, "declaration": s.declaration} for s in sources
    ]
    guard = re.sub(r"\W", "_", name).upper()
    target = TARGETS[sources[0].spec.target if sources else "cpu"]
    return render_file("emit/header.h", version=__version__, guard=guard, notes=target.notes, kernels=kernels)


def _write(path: Path, text: str) -> Path:
    """Write to a file beside ``path``, then rename."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        temporary.chmod(0o644)
        return temporary.replace(path)
    except OSError:
        temporary.unlink()
        raise
