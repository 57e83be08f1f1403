"""Which entry of the cache a kernel has, without its text: the text need not be made to find its binary.

A *recipe* is everything that decides the text and the command, the generator included; its name is a SHA-256. The index
has a small file for each, `<root>/index/<recipe>`: the key of the entry and a checksum of both. It only saves time.
Where a recipe is not there, its file is damaged or the entry is gone, the text is made. The entry is verified like any
other when it is used.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from functools import cache
from io import FileIO
from pathlib import Path

from . import trust

_LINE = re.compile(r"([0-9a-f]{64}) ([0-9a-f]{64})\n")


def recall(root: Path, recipe: str) -> str | None:
    """The key of the entry; None where it is not known."""
    try:
        found = _LINE.fullmatch(trust.content(root / "index" / recipe).decode("ascii"))
    except (OSError, ValueError):
        return None
    return found[1] if found and found[2] == _checksum(recipe, found[1]) else None


def note(root: Path, recipe: str, key: str) -> None:
    """Remember it, by one atomic rename."""
    with contextlib.suppress(OSError):  # no room, or no right: the text is made again next time
        folder = root / "index"
        folder.mkdir(mode=0o700, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=folder, prefix="tmp-")
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(f"{key} {_checksum(recipe, key)}\n")
        Path(draft).replace(folder / recipe)


def prune(root: Path, keys: Iterable[str]) -> None:
    """Forget the recipes of entries other than ``keys``, and drafts that nobody finished."""
    known = set(keys)
    for path in root.glob("index/*"):
        if recall(root, path.name) not in known:
            with contextlib.suppress(OSError):
                path.unlink()


def _checksum(recipe: str, key: str) -> str:
    return hashlib.sha256(f"{recipe} {key}".encode()).hexdigest()


@cache
def digest(folders: tuple[Path, ...], read: float) -> str:
    """A name for all that the files in these folders say, for every version of a generator; "" where one is newer than
    the time at which they were ``read``, so that it does not say what this process does."""
    if newest(folders) >= read:
        return ""
    found = hashlib.sha256()
    for folder in folders:
        for entry in _files(folder):
            with FileIO(entry.path) as file:
                text = file.read()
            found.update(f"{folder.name}{entry.path.removeprefix(str(folder))} {len(text)}\n".encode())
            found.update(text)
    return found.hexdigest()


def newest(folders: tuple[Path, ...]) -> float:
    """When the last of the files in these folders was written."""
    return max(entry.stat().st_mtime for folder in folders for entry in _files(folder))


def _files(folder: Path | str) -> Iterator[os.DirEntry[str]]:
    """Those in a folder and below, by their names, but for what Python makes of them. Hundreds, at every start: pathlib
    takes four times as long."""
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if not entry.is_dir():
            yield entry
        elif entry.name != "__pycache__":
            yield from _files(entry.path)


def reset() -> None:
    """Read the files again when they are asked for next."""
    digest.cache_clear()
