"""A library that was built ahead: where it is, and whether it may be loaded here.

It is what ``BBLAS_GEN_LIBRARY`` names (a folder that ``bblas-gen build`` filled, or the shared library in it), else
what ``bblas-gen prebuild`` put beside the cache, else what ``BBLAS_GEN_PREBUILD=1 pip install .`` put into the package.
Code is believed by the rules of ``trust``; and it must have been made by this very generator, for instructions that
this processor has.
"""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ..errors import CacheWarning, LibraryError
from ..version import __version__
from . import machine, trust
from .cache import location

T = TypeVar("T")
VARIABLE = "BBLAS_GEN_LIBRARY"
NAME = "bblas_gen"
"""The name of the libraries that are made for Python."""
PACKAGED = Path(__file__).resolve().parents[1] / "prebuilt"
"""Where the package has one, if it has any."""


@dataclass(frozen=True)
class Prebuilt:
    """A library that may be loaded: its file, the prefix of its names, its kernels, whether it has the thread pool."""

    path: Path
    prefix: str
    kernels: frozenset[str]
    pooled: bool
    manifest: dict[str, Any]


def own_folder() -> Path:
    """Where ``bblas-gen prebuild`` puts a library."""
    return location() / "library"


def find(generator: Callable[[], str]) -> Prebuilt | None:
    """The library to be used, None where there is none. ``generator`` names the generator of this process.

    Raises LibraryError where the one that is asked for will not do; one that was not is left with a CacheWarning.
    """

    def opened(path: Path) -> Prebuilt:
        manifest = next(_manifests(path), None)
        if manifest is None:
            raise ValueError("no library of bblas-gen build is there, with its share/NAME/manifest.json")
        return _checked(manifest, generator)

    return first(VARIABLE, (own_folder(), PACKAGED), opened, "run bblas-gen prebuild again")


def first(variable: str, folders: Sequence[Path], open_: Callable[[Path], T], remedy: str) -> T | None:
    """What ``open_`` makes of the path that ``variable`` names, else of the first of ``folders`` that will do; None
    where there is none. ``open_`` raises ValueError, OSError or what damage leads to.

    Raises LibraryError where the one that is asked for will not do; one that was not is left with a CacheWarning.
    """
    if wanted := os.environ.get(variable):
        return _opened(Path(wanted), open_, f"{variable}={wanted!r}")
    for folder in filter(Path.is_dir, folders):
        try:
            return _opened(folder, open_, str(folder))
        except LibraryError as error:
            warnings.warn(f"{error}; {remedy}, or remove it", CacheWarning, stacklevel=2)
    return None


def _opened(path: Path, open_: Callable[[Path], T], what: str) -> T:
    if not path.is_absolute():
        raise LibraryError(f"{what} is a relative path: expected an absolute one")
    try:
        return open_(path.resolve(strict=True))
    except (OSError, ValueError, KeyError, TypeError) as error:
        damaged = isinstance(error, (KeyError, TypeError))
        reason = f"its manifest is damaged ({error!r})" if damaged else getattr(error, "strerror", None) or error
        raise LibraryError(f"{what} cannot be used: {reason}") from error


def _manifests(path: Path) -> Iterator[Path]:
    """The manifest of a folder, or of a shared library."""
    if path.is_dir():
        yield from sorted(path.glob("share/*/manifest.json"))
    elif path.name.startswith("lib") and ".so" in path.name:
        name = path.name.removeprefix("lib").split(".so")[0]
        with suppress(OSError):
            yield (path.parents[1] / "share" / name / "manifest.json").resolve(strict=True)


def _checked(place: Path, generator: Callable[[], str]) -> Prebuilt:
    """The library of a manifest; ValueError, OSError or what a damaged one leads to where it will not do."""
    manifest = json.loads(trusted(place))
    check_maker(manifest, generator())
    _check_processor(manifest)
    path = place.parents[2] / "lib" / Path(manifest["file"]).name
    if hashlib.sha256(trusted(path)).hexdigest() != manifest["sha256"]:
        raise ValueError(f"{path.name} does not match its checksum")
    kernels = frozenset(manifest["kernels"])
    return Prebuilt(path, str(manifest["prefix"]), kernels, manifest["threads"] == "pool", manifest)


def trusted(path: Path) -> bytes:
    """What a file says that may be believed, as may its folder; ValueError or OSError says why it may not."""
    if reason := trust.fault(path.parent):
        raise ValueError(f"{path.parent}: {reason}")
    return trust.content(path)


def check_maker(manifest: dict[str, Any], generator: str) -> None:
    """That its kernels are what this generator would make; one whose files change while it runs has no name."""
    if (made := manifest["version"]) != __version__:
        raise ValueError(f"it was made by version {made}, this is {__version__}")
    if "" not in (manifest["generator"], generator) and manifest["generator"] != generator:
        raise ValueError("it was made by another state of the generator")


def _check_processor(manifest: dict[str, Any]) -> None:
    """That the oldest instruction set that it has can run here."""
    if manifest["isa"] == ["native"]:
        if manifest["processor"] != (here := machine.cpu_name()):
            raise ValueError(f"it was made for {manifest['processor']} alone, this is {here}")
    elif lacking := sorted({*manifest["needs"]} - machine.features()):
        raise ValueError(f"this processor lacks {', '.join(lacking)} of {manifest['isa'][0]}")
