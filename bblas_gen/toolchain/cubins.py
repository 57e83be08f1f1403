"""A library of cubins that was built ahead: where it is, and what of it a GPU takes.

It is the folder that ``BBLAS_GEN_CUDA_LIBRARY`` names, else the one beside the cache, which ``bblas-gen build --target
cuda`` fills. Its index says which file has a function, and is believed, as they are, by the rules of ``prebuilt``.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .cache import location
from .prebuilt import check_maker, first, trusted

VARIABLE = "BBLAS_GEN_CUDA_LIBRARY"
INDEX = "cubins.json"
_PLAIN = re.compile(r"sm_(\d+)(\d)")


@dataclass(frozen=True)
class CubinLibrary:
    """A folder of cubins. ``functions``: by architecture the file of each function; ``sums``: their SHA-256."""

    folder: Path
    functions: Mapping[str, Mapping[str, str]]
    sums: Mapping[str, str]

    def file(self, arch: str, names: Iterable[str]) -> Path | None:
        """The cubin that has all these functions for a GPU of an architecture; None where there is none. ValueError or
        OSError says why it is not believed."""
        wanted = [*names]
        for one in sorted((made for made in self.functions if runs(made, arch)), key=_number, reverse=True):
            found = {self.functions[one].get(name) for name in wanted}
            if len(found) == 1 and (name := found.pop()) is not None:
                path = self.folder / Path(name).name
                if hashlib.sha256(trusted(path)).hexdigest() != self.sums[name]:
                    raise ValueError(f"{path.name} does not match its checksum")
                return path
        return None


def runs(made: str, arch: str) -> bool:
    """Whether a GPU of architecture ``arch`` takes a cubin for ``made``: that of its generation, as old or older; one
    that ends in a letter is for its own alone."""
    ours, theirs = _PLAIN.fullmatch(made), _PLAIN.fullmatch(arch)
    return made == arch or bool(ours and theirs and ours[1] == theirs[1] and ours[2] <= theirs[2])


def _number(arch: str) -> int:
    return int("".join(filter(str.isdigit, arch)))


def own_folder() -> Path:
    """Where ``bblas-gen build --target cuda`` puts a library for Python."""
    return location() / "library-cuda"


def find(generator: Callable[[], str]) -> CubinLibrary | None:
    """The library to be used, None where there is none. ``generator`` names the generator of this process.

    Raises LibraryError where the one that is asked for will not do; one that was not is left with a CacheWarning.
    """

    def opened(folder: Path) -> CubinLibrary:
        index = json.loads(trusted(folder / INDEX))
        check_maker(index, generator())
        functions: dict[str, dict[str, str]] = {}
        for name, one in index["files"].items():
            functions.setdefault(one["arch"], {}).update(dict.fromkeys(one["functions"], name))
        return CubinLibrary(folder, functions, {name: one["sha256"] for name, one in index["files"].items()})

    return first(VARIABLE, (own_folder(),), opened, "run bblas-gen build --target cuda again")


def index_of(version: str, generator: str, compiler: str, files: Mapping[str, Any]) -> str:
    """The text of an index: ``files`` has architecture, functions and SHA-256 of each."""
    return (
        json.dumps({"version": version, "generator": generator, "compiler": compiler, "files": files}, indent=1) + "\n"
    )
