"""The content-addressed disk cache of compiled kernels: which folder, who looks, who builds.

A kernel is looked for in the folder of the cache, where that may be trusted; see `trust`. What is new goes there too.
Where it cannot, as the folder is not ours to write, or full, or nothing can be loaded from it, a private folder takes
it, with a `CacheWarning`. Whether a folder may be trusted is asked at every use. POSIX only: owners and modes, renames
over open files, locks that die with their process.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import warnings
from collections.abc import Container, Sequence
from pathlib import Path
from typing import Any

from ..errors import CacheError, CacheWarning, JitDisabledError
from . import builders, index, trust
from .store import FORMAT, Entry, Load, Make, Meta, Store, T, truthy

_SIZE = re.compile(r"(\d+)\s*([KMG]?)(?:I?B)?", re.IGNORECASE)

# (folder, key) of what this process compiled: BBLAS_GEN_FORCE_COMPILE rebuilds once per process, not once per call.
_compiled_here: set[tuple[Path, str]] = set()


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


def in_place(binary: Path, place: Path) -> Path:
    """Load nothing: the path of the binary."""
    return place


class Cache:
    """Compiled kernels on disk. Threads and processes may share a folder; each call is atomic for all of them."""

    def __init__(self, root: Path | None = None) -> None:
        self._asked = root
        self._stores: dict[Path, Store] = {}
        self._said: set[str] = set()
        self._refused = ""  # why nothing new goes to the folder of the cache any more

    @property
    def path(self) -> Path:
        """Where the cache is meant to lie. Touches nothing."""
        return location(self._asked)

    @property
    def root(self) -> Path:
        """The folder that is looked at first; made and checked."""
        return self._looked_at()[0].root

    def get(self, key: str, meta: Meta, make: Make, load: Load[T] = in_place) -> T:  # type: ignore[assignment]
        """What `load` makes of the binary of `key`: from the cache, else compiled by `make` and published.

        See `Store.publish`. `BBLAS_GEN_DISABLE_JIT` forbids the compile (`JitDisabledError`), `BBLAS_GEN_FORCE_COMPILE`
        demands it once per process. A `CacheError` where nothing can be added to a private folder either.
        """
        forbidden = truthy("BBLAS_GEN_DISABLE_JIT")
        force = truthy("BBLAS_GEN_FORCE_COMPILE") and not forbidden and (self.path, key) not in _compiled_here
        if not force and (found := self.lookup(key, load)) is not None:
            return found
        if forbidden:
            raise JitDisabledError(f"{meta.get('symbol') or key} is not in the cache, and BBLAS_GEN_DISABLE_JIT is set")
        cap = size_cap()  # a bad value is reported before the compile, not after it
        store = self._written()
        with builders.alone(store.root / "locks", key):
            found = None if force else store.find(key, load)
            try:
                made = store.publish(key, meta, make, load, cap=cap, replace=force) if found is None else found
            except OSError as error:
                if store.root != trust.settle(self.path)[0]:  # the private folder
                    what = meta.get("symbol") or key
                    raise CacheError(f"{what} cannot be built in {store.root}: {error}") from error
                self._refused = str(error)
                return self.get(key, meta, make, load)
        _compiled_here.add((self.path, key))
        return made

    def lookup(self, key: str, load: Load[T] = in_place) -> T | None:  # type: ignore[assignment]
        """What `load` makes of the binary of `key` if it is there, intact and loads; see `Store.find`."""
        return next((found for store in self._looked_at() if (found := store.find(key, load)) is not None), None)

    def recall(self, recipe: str) -> str | None:
        """The key that a recipe has, where that is known; see `index`."""
        return next(filter(None, (index.recall(store.root, recipe) for store in self._looked_at())), None)

    def note(self, recipe: str, key: str) -> None:
        """Remember the key that a recipe has, beside its entry."""
        for store in self._looked_at():
            if store.entry(key).is_dir():
                index.note(store.root, recipe, key)

    def entries(self) -> list[Entry]:
        """Every entry, the most recently used first."""
        found = [entry for store in self._looked_at() for entry in store.entries()]
        return sorted(found, key=lambda entry: entry.last_used, reverse=True)

    def explain(self, key: str) -> dict[str, Any]:
        """What is known of `key`: its `meta.json`, its path, whether it is `present` and `verified`, or a `reason`."""
        reports = [store.explain(key) for store in self._looked_at()]
        return next((report for report in reports if report["present"]), reports[0])

    def clear(self, keys: Container[str] | None = None) -> int:
        """Remove the entries of ``keys``, or all and everything kept of builds; return the number of those gone."""
        return sum(store.clear(keys) for store in self._looked_at())

    def _looked_at(self) -> list[Store]:
        """Where kernels may be: in the cache's folder, if it may be trusted, and in the private one, if it is used."""
        folder, fault = trust.settle(self.path)
        if fault:
            return [self._private("not using", fault)]
        found = self._store(folder)
        return [found, self._private("nothing new goes to", self._refused)] if self._refused else [found]

    def _written(self) -> Store:
        """Where a new kernel goes."""
        if not self._refused and not trust.writable(self._looked_at()[0].root):
            self._refused = "it is not writable"
        return self._looked_at()[-1]

    def _private(self, what: str, reason: str) -> Store:
        """The private folder, with a warning, once, that says why."""
        try:
            private = trust.private_folder()
        except CacheError as error:
            raise CacheError(f"{what} the cache {self.path}: {reason}; {error}") from error
        text = f"{what} the cache {self.path}: {reason}; using {private} until exit"
        if text not in self._said:
            self._said.add(text)
            warnings.warn(text, CacheWarning, stacklevel=5)
        return self._store(private)

    def _store(self, root: Path) -> Store:
        return self._stores.setdefault(root, Store(root))
