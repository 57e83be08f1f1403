"""The content-addressed disk cache of compiled kernels.

An entry is a folder `<root>/<key[:2]>/<key>/` with the source, the binary and `meta.json`, whose SHA-256 of the binary
is verified on every look-up. An entry is built in a temporary folder and published by one atomic rename, so that there
are no half entries and a process that loses the race uses what the winner made. Locks only avoid double work.

Code is loaded from here, so the root must be a real folder, ours, and closed to everyone else. POSIX only: owners and
modes, renames over open files, locks that die with their process.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import hashlib
import json
import os
import re
import shutil
import stat
import tempfile
import time
import warnings
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from ..errors import CacheError, CacheWarning, CompileError, JitDisabledError
from . import index

FORMAT = 1  # raise it whenever the meaning of an entry changes: every old entry then misses
LOCK_SECONDS = 60.0
STALE_SECONDS = 3600.0

Meta = Mapping[str, Any]  # what an entry is: symbol, argv, compiler
Make = Callable[[Path], Path]  # builds in a folder and returns the binary there

_SIZE = re.compile(r"(\d+)\s*([KMG]?)(?:I?B)?", re.IGNORECASE)
_KEY = re.compile(r"[0-9a-f]{64}")
_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,200}")

# (root, key) of what this process compiled: BBLAS_GEN_FORCE_COMPILE rebuilds once per process, not once per call.
_compiled_here: set[tuple[Path, str]] = set()


@dataclass(frozen=True)
class Entry:
    """One kernel in the cache; `size` in bytes, `symbol` empty where the entry is damaged."""

    key: str
    symbol: str
    size: int
    created: datetime
    last_used: datetime
    path: Path


def key(text: str, argv: Sequence[str], identity: str) -> str:
    """The name of a binary: SHA-256 over everything that decides its bytes.

    `text` is the source, `argv` the command without temporary paths, `identity` what the compiler is and targets.
    """
    return hashlib.sha256(json.dumps([FORMAT, text, list(argv), identity]).encode()).hexdigest()


def location(root: Path | None = None) -> Path:
    """Where the cache belongs: the argument, else `BBLAS_GEN_CACHE_DIR`, else the user's cache folder.

    A relative path is a `ValueError`: the cache would follow the current directory, and so might an attacker.
    """
    if root is None and (wanted := os.environ.get("BBLAS_GEN_CACHE_DIR")):
        root = Path(wanted)
    if root is None:
        from platformdirs import user_cache_path  # here: importing bblas_gen must stay fast

        root = user_cache_path("bblas_gen")
    if not root.is_absolute():
        raise ValueError(f"the cache folder (BBLAS_GEN_CACHE_DIR) must be an absolute path, not {str(root)!r}")
    return root


def size_cap() -> int:
    """The cache's size limit in bytes: `BBLAS_GEN_CACHE_SIZE`, such as 500M or 2G (powers of 1024); 1G by default."""
    text = os.environ.get("BBLAS_GEN_CACHE_SIZE") or "1G"
    if not (found := _SIZE.fullmatch(text.strip())):
        raise ValueError(f"BBLAS_GEN_CACHE_SIZE={text!r} is not a size such as 500M or 2G")
    return int(found[1]) << 10 * ("", "K", "M", "G").index(found[2].upper())


def trusted_directory(path: Path) -> Path:
    """`path`, made with mode 0700 if need be, when code may be loaded from it; else a private folder and a warning.

    Whoever can write here can run code as us. So a symbolic link, a folder of another user and a folder that others
    can write are refused. One that others can merely read is ours to close.
    """
    try:
        with contextlib.suppress(FileExistsError):
            path.mkdir(mode=0o700, parents=True)  # the mode is that of the last folder only
        reason = _distrust(path)
    except OSError as error:
        reason = f"it cannot be used ({error.strerror or error})"
    if not reason:
        return path
    private = _private_directory(os.getpid())
    warnings.warn(f"not using the cache {path}: {reason}; using {private} until exit", CacheWarning, stacklevel=2)
    return private


class Cache:
    """Compiled kernels on disk. Threads and processes may share a root; each call is atomic for all of them."""

    def __init__(self, root: Path | None = None) -> None:
        self._asked = root
        self._room = 0  # bytes that may still be published before the size of the cache is measured again

    @property
    def path(self) -> Path:
        """Where the cache is meant to lie. Touches nothing; `root` is where it really lies."""
        return location(self._asked)

    @cached_property
    def root(self) -> Path:
        """The folder in use, made and checked on first access."""
        return trusted_directory(self.path)

    def get(self, key: str, meta: Meta, make: Make) -> Path:
        """The binary for `key`: from the cache, else compiled by `make` and published. See `publish`.

        `BBLAS_GEN_DISABLE_JIT` forbids the compile (`JitDisabledError`), `BBLAS_GEN_FORCE_COMPILE` demands it once per
        process. Another process may evict the entry between this call and its use: then `discard` and `get` again.
        """
        forbidden = truthy("BBLAS_GEN_DISABLE_JIT")
        force = truthy("BBLAS_GEN_FORCE_COMPILE") and not forbidden and (self.root, key) not in _compiled_here
        if not force and (found := self.lookup(key)):
            return found
        if forbidden:
            raise JitDisabledError(f"{meta.get('symbol') or key} is not in the cache, and BBLAS_GEN_DISABLE_JIT is set")
        with self._builder_lock(key):
            found = None if force else self.lookup(key)
            return found or self.publish(key, meta, make, replace=force)

    def lookup(self, key: str) -> Path | None:
        """The binary of `key` if it is there and intact. A damaged entry is removed, with a `CacheWarning`."""
        entry = self._entry(key)
        for _ in range(3):  # an entry that is replaced while we read it looks damaged, but not thrice
            try:
                binary, _ = _verified(entry)
            except (OSError, ValueError) as error:
                reason = str(error)
                if not entry.is_dir():  # plainly missing, or evicted while we looked
                    return None
                continue
            with contextlib.suppress(OSError):
                os.utime(entry)  # the time of last use, for eviction
            return binary
        self.discard(key, reason)
        return None

    def discard(self, key: str, reason: str) -> None:
        """Remove the entry of `key`, which turned out damaged or does not load, with a `CacheWarning`."""
        entry = self._entry(key)
        self._remove(entry)
        warnings.warn(f"cache entry {entry} is discarded: {reason}", CacheWarning, stacklevel=3)

    def publish(self, key: str, meta: Meta, make: Make, *, replace: bool = False) -> Path:
        """Build an entry and put it in place; return its binary.

        `make` gets a fresh folder, leaves source and binary there and returns the path of the binary. `meta` says what
        it is: symbol, argv, compiler. Unless `replace`, an intact entry that appeared meanwhile is used instead.
        The folder of a failed compile is kept below `<root>/kept`; with `BBLAS_GEN_KEEP` every build folder is.
        """
        cap = size_cap()  # a bad value is reported before the compile, not after it
        entry = self._entry(key)
        symbol = str(meta.get("symbol") or key)
        name = symbol if _FILE_NAME.fullmatch(symbol) else key
        with self._build_folder(entry) as temporary:
            folder = Path(temporary)
            try:
                binary = folder / make(folder).name
                _write_meta(folder, key, meta, binary)
            except CompileError as error:
                error.relocate(folder, self._keep(folder, name))
                raise
            finally:
                if truthy("BBLAS_GEN_KEEP"):
                    self._keep(folder, name)
            self._room -= _size(folder)
            installed = self._install(folder, entry, binary.name, replace)
        _compiled_here.add((self.root, key))
        if self._room <= 0:
            self._make_room(cap, entry)
        return installed

    def entries(self) -> list[Entry]:
        """Every entry, the most recently used first."""
        found = []
        for path in self._entry_paths():
            with contextlib.suppress(OSError):  # evicted while we look
                size, used = _size(path), datetime.fromtimestamp(path.stat().st_mtime, UTC)
                symbol, created = "", used
                with contextlib.suppress(ValueError, KeyError, TypeError, OSError):
                    meta = _read_meta(path)
                    symbol, created = str(meta["symbol"]), datetime.fromisoformat(meta["created"])
                found.append(Entry(path.name, symbol, size, created, used, path))
        return sorted(found, key=lambda entry: entry.last_used, reverse=True)

    def explain(self, key: str) -> dict[str, Any]:
        """What is known of `key`: its `meta.json`, its path, whether it is `present` and `verified`, or a `reason`."""
        entry = self._entry(key)
        report: dict[str, Any] = {"key": key, "path": str(entry), "present": entry.is_dir(), "verified": False}
        try:
            _, meta = _verified(entry)
        except (OSError, ValueError) as error:
            return report | {"reason": str(error) if entry.is_dir() else "not in the cache"}
        return meta | report | {"verified": True}

    def clear(self, keys: Container[str] | None = None) -> int:
        """Remove the entries of ``keys``, or all and everything kept of builds; return the number of entries."""
        paths = [path for path in self._entry_paths() if keys is None or path.name in keys]
        for path in paths:
            self._remove(path)
        for name in ("kept", "locks", "index") if keys is None else ():
            shutil.rmtree(self.root / name, ignore_errors=True)
        return len(paths)

    def _entry(self, key: str) -> Path:
        if not _KEY.fullmatch(key):
            raise ValueError(f"{key!r} is not a cache key")
        return self.root / key[:2] / key

    def _entry_paths(self) -> Iterator[Path]:
        return (path for path in self.root.glob("[0-9a-f][0-9a-f]/*") if _KEY.fullmatch(path.name))

    def _build_folder(self, entry: Path) -> tempfile.TemporaryDirectory[str]:
        """A fresh folder beside the entries, where a rename is atomic; those of dead builders are swept out."""
        try:
            self.root.mkdir(mode=0o700, exist_ok=True)  # somebody may have removed it since
            entry.parent.mkdir(mode=0o700, exist_ok=True)
            for path in self.root.glob("tmp-*"):
                if _abandoned(path):
                    shutil.rmtree(path, ignore_errors=True)
            return self._temporary()
        except OSError as error:
            raise CacheError(f"cannot write to the cache {self.root}: {error}") from error

    def _temporary(self) -> tempfile.TemporaryDirectory[str]:
        name = f"tmp-{os.getpid()}-{_host()}-"
        return tempfile.TemporaryDirectory(prefix=name, dir=self.root, ignore_cleanup_errors=True)

    def _install(self, folder: Path, entry: Path, binary: str, replace: bool) -> Path:
        """Rename the finished build folder to its entry, or take over what another process put there first."""
        for _ in range(10):  # ends at once unless entries keep appearing and vanishing
            try:
                folder.rename(entry)
                return entry / binary
            except OSError as error:
                if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                    raise CacheError(f"cannot publish {entry}: {error}") from error
            if replace:
                self._remove(entry)
            elif found := self.lookup(entry.name):
                return found
        raise CacheError(f"cannot publish {entry}: it keeps being replaced")

    def _remove(self, entry: Path) -> None:
        """Take an entry away in one step, so that nobody sees half of it; one that is gone already is fine."""
        with contextlib.suppress(OSError), self._temporary() as grave:
            entry.rename(Path(grave, entry.name))

    def _keep(self, folder: Path, name: str) -> Path:
        """Copy a build folder to `<root>/kept/<name>`, over what an earlier build left there, as far as disk allows."""
        kept = self.root / "kept" / name
        with contextlib.suppress(OSError):  # the failure that made us keep it matters more
            kept.mkdir(mode=0o700, parents=True, exist_ok=True)
            shutil.copytree(folder, kept, dirs_exist_ok=True)
        return kept

    @contextlib.contextmanager
    def _builder_lock(self, key: str) -> Iterator[None]:
        """Wait while another process builds `key`. Without the lock the work is done twice, and still done right."""
        from filelock import FileLock  # here: importing bblas_gen must stay fast

        with contextlib.ExitStack() as held:
            with contextlib.suppress(OSError, RuntimeError):  # a timeout, no space, a file system without locks, ...
                folder = self.root / "locks"
                folder.mkdir(mode=0o700, exist_ok=True)
                held.enter_context(FileLock(folder / key, timeout=LOCK_SECONDS))
            yield

    def _make_room(self, cap: int, newest: Path) -> None:
        """Evict the least recently used entries until the cache is below `cap`; never the one just published.

        Then a share of the free room may be filled before the next measurement: a small one, as others fill it too.
        """
        used = []
        for path in self._entry_paths():
            with contextlib.suppress(OSError):  # evicted by somebody else
                used.append((path.stat().st_mtime_ns, _size(path), path))
        total = sum(size for _, size, _ in used)
        for _, size, path in sorted(used):
            if total > cap and path != newest:
                self._remove(path)
                (self.root / "locks" / path.name).unlink(missing_ok=True)
                total -= size
        self._room = (cap - total) // 16
        index.prune(self.root, (path.name for path in self._entry_paths()))


def truthy(variable: str) -> bool:
    return os.environ.get(variable, "").strip().lower() in {"1", "true", "yes", "on"}


def _distrust(path: Path) -> str:
    """Why code must not be loaded from `path`; empty when it may be."""
    if not stat.S_ISDIR((info := path.lstat()).st_mode):
        return "it is a symbolic link" if stat.S_ISLNK(info.st_mode) else "it is not a folder"
    if info.st_uid != os.geteuid():
        return f"it belongs to another user (uid {info.st_uid})"
    if info.st_mode & 0o022:
        return f"others can write to it (mode {stat.S_IMODE(info.st_mode):04o})"
    if info.st_mode & 0o077:
        path.chmod(0o700)
    return "" if os.access(path, os.W_OK | os.X_OK) else "it is not writable"


@cache
def _private_directory(pid: int) -> Path:
    """This process's own folder, removed at exit. By `pid`: a forked child must not remove that of its parent."""
    try:
        path = Path(tempfile.mkdtemp(prefix="bblas_gen-"))
    except OSError as error:
        raise CacheError(f"cannot make a private cache folder: {error}") from error

    def remove() -> None:
        if os.getpid() == pid:
            shutil.rmtree(path, ignore_errors=True)

    atexit.register(remove)
    return path


@cache
def _host() -> str:
    """Tells apart the machines and containers that share a cache: process numbers mean nothing across them."""
    namespace = Path("/proc/self/ns/pid").resolve().name  # Linux: the number of the namespace; elsewhere a constant
    return hashlib.sha256(f"{os.uname().nodename} {namespace}".encode()).hexdigest()[:8]


def _abandoned(folder: Path) -> bool:
    """Whether the builder of a `tmp-<pid>-<host>-<random>` folder is dead, or must have been for an hour."""
    try:
        if time.time() - folder.stat().st_mtime > STALE_SECONDS:
            return True
        _, pid, host, _ = folder.name.split("-")
        if host == _host():
            os.kill(int(pid), 0)
    except (OSError, ValueError) as error:  # otherwise the folder is gone, or not one of ours
        return isinstance(error, ProcessLookupError)
    return False


def _read_meta(entry: Path) -> dict[str, Any]:
    return json.loads((entry / "meta.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def _verified(entry: Path) -> tuple[Path, dict[str, Any]]:
    """Binary and meta data of an intact entry; ValueError or OSError says what is wrong with it."""
    try:
        meta = _read_meta(entry)
        binary, expected = entry / Path(meta["binary"]).name, meta["sha256"]
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"its meta.json is damaged ({error!r})") from error
    if _sha256(binary) != expected:
        raise ValueError(f"{binary.name} does not match its checksum")
    return binary, meta


def _write_meta(folder: Path, key: str, meta: Meta, binary: Path) -> None:
    record = dict(meta) | {
        "format": FORMAT,
        "key": key,
        "binary": binary.name,
        "sha256": _sha256(binary),
        "size": binary.stat().st_size,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    (folder / "meta.json").write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())
