"""Parcels in a folder."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from .parcel import Parcel


def emit(parcel: Parcel, folder: Path, *, force: bool = False) -> list[Path]:
    """Write the files of a parcel into ``folder``; returns their paths.

    An existing file that differs is a FileExistsError, unless ``force``; nothing is written then. Every file appears
    whole or not at all.
    """
    files = {folder / path: text for path, text in parcel.files.items()}
    if not force:
        for path, text in files.items():
            if path.exists() and not path.is_file():
                raise FileExistsError(f"{path} exists and is no file")
            if path.exists() and path.read_bytes() != text.encode():
                raise FileExistsError(f"{path} exists and differs: --force (force=True) overwrites it")
    for parent in dict.fromkeys(path.parent for path in files):
        parent.mkdir(parents=True, exist_ok=True)
    return [_write(path, text) for path, text in files.items()]


def _write(path: Path, text: str) -> Path:
    """Write to a file beside ``path``, then rename."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode())
        temporary.chmod(0o644)
        return temporary.replace(path)
    except OSError:
        temporary.unlink()
        raise
