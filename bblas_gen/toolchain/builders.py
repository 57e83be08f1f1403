"""Who builds what: one builder for each key among the processes that share a cache, and what dead ones leave behind.

Nothing depends on the locks. Who cannot have one, or has waited for long enough, does the work too, and still right.
They are files locked by the system, which releases those of a process that ends.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import threading
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SECONDS = 10.0
"""How long to wait for a builder of which nothing is known; a compile takes less than a second."""
STALE_SECONDS = 3600.0
_POLL_SECONDS = 0.02

_open: set[int] = set()
"""The lock files that this process has open."""


@contextlib.contextmanager
def alone(folder: Path, key: str) -> Iterator[None]:
    """Wait while somebody else builds ``key``, but not for who is dead or stopped, nor for ourselves further down the
    stack: a signal handler may ask for what it has interrupted."""
    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError):  # no space, a file system without locks, ...
            held.enter_context(_lock(folder, key))
        yield


@contextlib.contextmanager
def _lock(folder: Path, key: str) -> Iterator[None]:
    folder.mkdir(mode=0o700, exist_ok=True)
    handle = os.open(folder / key, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    _open.add(handle)
    try:
        if _won(handle):
            os.ftruncate(handle, 0)
            os.pwrite(handle, _name().encode(), 0)
        yield
    finally:
        if handle in _open:  # else this is the child of a fork in between
            _open.remove(handle)
            with contextlib.suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_UN)
            os.close(handle)


def _won(handle: int) -> bool:
    deadline = time.monotonic() + SECONDS
    while True:
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        if time.monotonic() > deadline or not _works(handle):
            return False
        time.sleep(_POLL_SECONDS)


def _name() -> str:
    """What tells builders apart: process, thread, machine."""
    return f"{os.getpid()} {threading.get_ident()} {host()}"


def _works(handle: int) -> bool:
    """Whether the builder who holds a lock will be done some time, for all that is known."""
    name = os.pread(handle, 100, 0).decode("ascii", "replace")
    pid, _, where = name.partition(" ")
    if not where.endswith(f" {host()}"):
        return True
    return name != _name() and _state(pid) not in "TtZX"  # stopped, traced, dead: see proc(5)


def _state(pid: str) -> str:
    """What the system says a process does; "X" where there is none, "?" on systems that have other ways to say it."""
    try:
        return Path("/proc", pid, "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return "X" if Path("/proc/self/stat").exists() else "?"


def _after_fork() -> None:
    """In the child: locks are the parent's, which would keep them as long as we have its files open."""
    while _open:
        os.close(_open.pop())


os.register_at_fork(after_in_child=_after_fork)


@cache
def host() -> str:
    """Tells apart the machines and containers that share a cache: process numbers mean nothing across them."""
    namespace = Path("/proc/self/ns/pid").resolve().name  # Linux: the number of the namespace; elsewhere a constant
    return hashlib.sha256(f"{os.uname().nodename} {namespace}".encode()).hexdigest()[:8]


def folder_prefix() -> str:
    """How the names of our build folders begin."""
    return f"tmp-{os.getpid()}-{host()}-"


def abandoned(folder: Path) -> bool:
    """Whether the builder of a ``tmp-<pid>-<host>-<random>`` folder is dead, or must have been for an hour."""
    try:
        if time.time() - folder.stat().st_mtime > STALE_SECONDS:
            return True
        _, pid, name, _ = folder.name.split("-")
        if name == host():
            os.kill(int(pid), 0)
    except (OSError, ValueError) as error:  # otherwise the folder is gone, or not one of ours
        return isinstance(error, ProcessLookupError)
    return False
