"""One folder of compiled kernels: what is in it, how something gets in, and what goes when there is no room.

An entry is a folder `<root>/<key[:2]>/<key>/` with the source, the binary and `meta.json`, whose SHA-256 of the binary
is verified on every look-up, as are the owners and modes of all of them. An entry is built in a temporary folder and
published by one atomic rename, so that there are no half entries and a process that loses the race uses what the winner
made. What stands where an entry belongs and is none is removed.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import shutil
import stat
import tempfile
import warnings
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from ..errors import CacheError, CacheWarning, CompileError
from . import builders, index, trust

FORMAT = 1  # raise it whenever the meaning of an entry changes: every old entry then misses

T = TypeVar("T")
Meta = Mapping[str, Any]  # what an entry is: symbol, argv, compiler
Make = Callable[[Path], Path]  # builds in a folder and returns the binary there
Load = Callable[[Path, Path], T]  # from where a binary is now; the second is where it will stay

_KEY = re.compile(r"[0-9a-f]{64}")
_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,200}")


@dataclass(frozen=True)
class Entry:
    """One kernel in the cache; `size` in bytes, `symbol` empty where the entry is damaged."""

    key: str
    symbol: str
    size: int
    created: datetime
    last_used: datetime
    path: Path


class Store:
    """The entries below a folder that is there and may be trusted: see `trust`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._room = 0  # bytes that may still be published before the size is measured again

    def find(self, key: str, load: Load[T]) -> T | None:
        """What `load` makes of the binary of `key`, if it is there, intact and loads.

        An entry that is damaged or does not load is removed where we may, and not used anyway, with a `CacheWarning`.
        """
        entry = self.entry(key)
        for _ in range(3):  # an entry that is replaced while we read it looks damaged, but not thrice
            try:
                binary, _ = verified(entry)
                found = loaded(load, binary, binary)
            except (OSError, ValueError) as error:
                reason = str(error)
                if not os.path.lexists(entry):  # plainly missing, or evicted while we looked
                    return None
                continue
            with contextlib.suppress(OSError):
                os.utime(entry)  # the time of last use, for eviction
            return found
        self.discard(key, reason)
        return None

    def discard(self, key: str, reason: str) -> None:
        """Remove the entry of `key`, which is of no use, with a `CacheWarning`."""
        entry = self.entry(key)
        self._clear_way(entry)
        self.remove(entry)
        what = "is not used" if os.path.lexists(entry) else "is discarded"
        warnings.warn(f"cache entry {entry} {what}: {reason}", CacheWarning, stacklevel=4)

    def publish(self, key: str, meta: Meta, make: Make, load: Load[T], *, cap: int, replace: bool = False) -> T:
        """Build an entry, load it, and put it in place, where all entries together have `cap` bytes.

        `make` gets a fresh folder, leaves source and binary there and returns the path of the binary. `load` loads it
        before anybody else can evict it. `meta` says what it is: symbol, argv, compiler. Unless `replace`, an intact
        entry that appeared meanwhile is used instead. The folder of a failed compile is kept below `<root>/kept`; with
        `BBLAS_GEN_KEEP` every build folder is. An OSError says why entries cannot be added, or used from here.
        """
        entry = self.entry(key)
        symbol = str(meta.get("symbol") or key)
        name = symbol if _FILE_NAME.fullmatch(symbol) else key
        with self._build_folder(entry) as temporary:
            folder = Path(temporary)
            try:
                binary = folder / make(folder).name
                _write_meta(folder, key, meta, binary)
                made = loaded(load, binary, entry / binary.name)
            except CompileError as error:
                error.relocate(folder, self._keep(folder, name))
                raise
            finally:
                if truthy("BBLAS_GEN_KEEP"):
                    self._keep(folder, name)
            self._room -= _size(folder)
            made = self._install(folder, entry, load, replace) or made
        if self._room <= 0:
            self._make_room(cap, entry)
        return made

    def entries(self) -> Iterator[Entry]:
        """Every entry."""
        for path in self._entry_paths():
            with contextlib.suppress(OSError):  # evicted while we look
                size, used = _size(path), datetime.fromtimestamp(path.stat().st_mtime, UTC)
                symbol, created = "", used
                with contextlib.suppress(ValueError, KeyError, TypeError, OSError):
                    meta = _read_meta(path)
                    symbol, created = str(meta["symbol"]), datetime.fromisoformat(meta["created"])
                yield Entry(path.name, symbol, size, created, used, path)

    def explain(self, key: str) -> dict[str, Any]:
        """What is known of `key`: its `meta.json`, its path, whether it is `present` and `verified`, or a `reason`."""
        entry = self.entry(key)
        report: dict[str, Any] = {"key": key, "path": str(entry), "present": os.path.lexists(entry), "verified": False}
        try:
            _, meta = verified(entry)
        except (OSError, ValueError) as error:
            return report | {"reason": str(error) if report["present"] else "not in the cache"}
        return meta | report | {"verified": True}

    def clear(self, keys: Container[str] | None = None) -> int:
        """Remove the entries of ``keys``, or all and everything kept of builds; return the number of those gone."""
        paths = [path for path in self._entry_paths() if keys is None or path.name in keys]
        beside = [self.root / name for name in ("kept", "locks", "index")] if keys is None else []
        for path in (*paths, *beside):
            self.remove(path)
        return sum(not os.path.lexists(path) for path in paths)

    def entry(self, key: str) -> Path:
        """Where the entry of `key` is, or would be."""
        if not _KEY.fullmatch(key):
            raise ValueError(f"{key!r} is not a cache key")
        return self.root / key[:2] / key

    def remove(self, entry: Path) -> None:
        """Take an entry away in one step, so that nobody sees half of it; one that is gone already is fine."""
        with contextlib.suppress(OSError), self._temporary() as grave:
            entry.rename(Path(grave, entry.name))

    def _entry_paths(self) -> Iterator[Path]:
        return (path for path in self.root.glob("[0-9a-f][0-9a-f]/*") if _KEY.fullmatch(path.name))

    def _clear_way(self, entry: Path) -> None:
        """Remove what is no folder, or not ours, where the entry's own folder belongs."""
        with contextlib.suppress(FileNotFoundError):
            try:
                check_folder(entry.parent)
            except ValueError:
                self.remove(entry.parent)

    def _build_folder(self, entry: Path) -> tempfile.TemporaryDirectory[str]:
        """A fresh folder beside the entries, where a rename is atomic; those of dead builders are swept out."""
        self._clear_way(entry)
        trust.make(entry.parent)
        for path in self.root.glob("tmp-*"):
            if builders.abandoned(path):
                shutil.rmtree(path, ignore_errors=True)
        return self._temporary()

    def _temporary(self) -> tempfile.TemporaryDirectory[str]:
        prefix = builders.folder_prefix()
        folder = tempfile.TemporaryDirectory(prefix=prefix, dir=self.root, ignore_cleanup_errors=True)
        Path(folder.name).chmod(0o700)  # whatever the umask
        return folder

    def _install(self, folder: Path, entry: Path, load: Load[T], replace: bool) -> T | None:
        """Rename the finished build folder to its entry; or use what another process put there first."""
        for _ in range(10):  # ends at once unless entries keep appearing and vanishing
            try:
                folder.rename(entry)
                return None
            except OSError as error:
                if error.errno not in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
                    raise
            if replace:
                self.remove(entry)
            elif (found := self.find(entry.name, load)) is not None:
                return found
        raise CacheError(f"cannot publish {entry}: it cannot be replaced")

    def _keep(self, folder: Path, name: str) -> Path:
        """Copy a build folder to `<root>/kept/<name>`, over what an earlier build left there, as far as disk allows."""
        kept = self.root / "kept" / name
        with contextlib.suppress(OSError):  # the failure that made us keep it matters more
            kept.mkdir(mode=0o700, parents=True, exist_ok=True)
            shutil.copytree(folder, kept, dirs_exist_ok=True)
        return kept

    def _make_room(self, cap: int, newest: Path) -> None:
        """Evict the least recently used entries until all have less than `cap`; never the one just published.

        Then a share of the free room may be filled before the next measurement: a small one, as others fill it too.
        """
        used = []
        for path in self._entry_paths():
            with contextlib.suppress(OSError):  # evicted by somebody else
                used.append((path.stat().st_mtime_ns, _size(path), path))
        total = sum(size for _, size, _ in used)
        for _, size, path in sorted(used):
            if total > cap and path != newest:
                self.remove(path)
                with contextlib.suppress(OSError):
                    (self.root / "locks" / path.name).unlink()
                total -= size
        self._room = (cap - total) // 16
        index.prune(self.root, (path.name for path in self._entry_paths()))


def truthy(variable: str) -> bool:
    return os.environ.get(variable, "").strip().lower() in {"1", "true", "yes", "on"}


def loaded(load: Load[T], binary: Path, place: Path) -> T:
    """What `load` makes of a binary; an OSError where it cannot be loaded, whatever the reason."""
    try:
        return load(binary, place)
    except (OSError, UnicodeError) as error:
        raise OSError(f"{binary.name} does not load ({error})") from error


def check_folder(path: Path) -> None:
    """ValueError where code must not be loaded from a folder inside of a trusted one."""
    info = path.lstat()
    if not stat.S_ISDIR(info.st_mode):
        raise ValueError(f"{path.name} is not a folder")
    if reason := trust.strange(path.name, info.st_uid, info.st_mode):
        raise ValueError(reason)


def verified(entry: Path) -> tuple[Path, dict[str, Any]]:
    """Binary and meta data of an intact entry; ValueError or OSError says what is wrong with it."""
    check_folder(entry.parent)
    check_folder(entry)
    try:
        meta = _read_meta(entry)
        binary, expected = entry / Path(meta["binary"]).name, meta["sha256"]
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"its meta.json is damaged ({error!r})") from error
    if _sha256(binary) != expected:
        raise ValueError(f"{binary.name} does not match its checksum")
    return binary, meta


def _read_meta(entry: Path) -> dict[str, Any]:
    try:
        return json.loads(trust.content(entry / "meta.json"))  # type: ignore[no-any-return]
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _write_meta(folder: Path, key: str, meta: Meta, binary: Path) -> None:
    """Write `meta.json`, and close all files of an entry to others, whatever the umask."""
    for path in folder.iterdir():
        path.chmod(0o600)
    record = dict(meta) | {
        "format": FORMAT,
        "key": key,
        "binary": binary.name,
        "sha256": _sha256(binary),
        "size": binary.stat().st_size,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    path = folder / "meta.json"
    path.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    path.chmod(0o600)


def _sha256(path: Path) -> str:
    return hashlib.sha256(trust.content(path)).hexdigest()


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())
