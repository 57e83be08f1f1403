"""What the process remembers, in one place: calls, kernels, caches on disk, and who is compiling what.

Reading takes no lock, as every call of a user reads. What is remembered is bounded, and forgotten a little at a time.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from ..toolchain.cache import Cache

MAX_CALLS = 4096
MAX_KERNELS = 4096
K = TypeVar("K")
V = TypeVar("V")


class Recent(dict[K, V | None]):
    """The most recently used values, ``limit`` at most; ``recent[key]`` is None where a key is not there.

    There are two generations. What is used is in the young one; when that has half of all, it becomes the old one and
    what was old is dropped. So a value is dropped once half of ``limit`` others were used after it, and to read a young
    one is to read a dict.
    """

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit
        self._old: dict[K, V | None] = {}
        self.lock = threading.RLock()  # a signal handler may come in between, in the same thread

    def __missing__(self, key: K) -> V | None:
        found = self._old.get(key)
        if found is not None:
            self.keep(key, found)
        return found

    def keep(self, key: K, value: V) -> None:
        """Remember ``value``."""
        with self.lock:
            if len(self) >= self.limit // 2:
                self._old = dict(self)
                self.clear()
            self[key] = value

    @property
    def total(self) -> int:
        """How many values are remembered."""
        return len(self.everything())

    def everything(self) -> dict[K, V | None]:
        """All that is remembered, as it is now."""
        with self.lock:  # keys compare in Python, where another thread may come in between
            return {**self._old, **self}


class KeyLocks:
    """A lock for each key, there only while somebody holds it or waits for it."""

    def __init__(self) -> None:
        self._guard = threading.RLock()
        self._locks: dict[Hashable, tuple[Any, list[int]]] = {}

    @contextmanager
    def held(self, key: Hashable) -> Iterator[None]:
        with self._guard:
            lock, users = self._locks.setdefault(key, (threading.RLock(), [0]))
            users[0] += 1
        try:
            with lock:
                yield
        finally:
            with self._guard:
                users[0] -= 1
                if not users[0]:
                    self._locks.pop(key, None)


class Runtime:
    """All that the process remembers.

    ``calls``: by operation, flags, shapes and strides, the calls without operands and batch size. ``matches``: by the
    same for strides and leading dimensions, the kernels that they need. ``kernels``: by spec and overrides, what is
    loaded. ``stores``: by folder, the caches on disk. ``pool``: the thread pool, False where there is none; one stays,
    as its threads do. ``compiling``: a lock for each kernel, so that it is compiled once and stops no other.
    ``missing``: calls of ``linalg`` that want a kernel which cannot be had, and when to look for it again.
    ``library``, ``cubins``: those that were built ahead, False where there is none, None before they were looked for.
    ``recorders``: what is told which kernels are used, None before the environment was asked.
    ``forked``: this process is the child of a fork; that is a fact, not a memory, and stays.

    A user of one of these takes it once and writes to what it read from: what a call that began before a reset finds
    out is then forgotten too.
    """

    __slots__ = (
        "calls",
        "compiling",
        "cubins",
        "forked",
        "kernels",
        "library",
        "matches",
        "missing",
        "pool",
        "recorders",
        "stores",
    )

    calls: Recent[tuple[Any, ...], Any]  # of the modules that import this one
    matches: Recent[tuple[Any, ...], Any]
    kernels: Recent[tuple[Any, ...], Any]
    missing: Recent[tuple[Any, ...], float]
    stores: dict[Path, Cache]
    compiling: KeyLocks
    library: Any
    cubins: Any
    pool: Any
    recorders: tuple[Any, ...] | None

    def __init__(self) -> None:
        self.forked = False
        self.pool = None
        self.recorders = None
        self._forget()

    def _forget(self) -> None:
        self.forget_calls()
        self.matches = Recent(MAX_CALLS)
        self.kernels = Recent(MAX_KERNELS)
        self.missing = Recent(MAX_CALLS)
        self.stores = {}
        self.library = self.cubins = None
        self.pool = self.pool or None
        self.compiling = KeyLocks()

    def forget_calls(self) -> None:
        """Calls ask for their kernels again."""
        self.calls = Recent(MAX_CALLS)

    def reset(self) -> None:
        """Forget everything: settings, tuned schedules, compilers and the cache are looked at again when needed."""
        from ..schedule import tuned  # here: importing bblas_gen must stay fast
        from ..toolchain import compilers, cuda, index, machine

        self._forget()
        tuned.reset()
        compilers.reset()
        cuda.reset()
        machine.reset()
        index.reset()

    def after_fork(self) -> None:
        """In the child: other threads are gone, and with them whoever would have released their locks."""
        self.forked = True
        self.compiling = KeyLocks()
        for recent in (self.calls, self.matches, self.kernels, self.missing):
            recent.lock = threading.RLock()


RUNTIME = Runtime()
os.register_at_fork(after_in_child=RUNTIME.after_fork)
