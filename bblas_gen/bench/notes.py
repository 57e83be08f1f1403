"""What the compiler of CUDA says of kernels, kept in a file: runs of hours may stop and go on where they were."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from math import inf
from pathlib import Path
from threading import Lock
from time import monotonic

from ..codegen.render import Source
from ..errors import NoCompilerError
from ..toolchain import cuda
from .ptxas import Functions, Used, by_ptx, used

_IDLE = re.compile(r"/\*.*?\*/|\s+", re.DOTALL)
"""What compilers pass over."""


@lru_cache(256)
def plain(text: str, symbol: str) -> str:
    """A text without what makes no difference; asked for several times while its kernel is compiled."""
    return _IDLE.sub(" ", text.replace(symbol, "KERNEL"))


class TimeOverError(Exception):
    """There is no time for what is not known yet."""


@dataclass
class Notes:
    """What is said of the functions of texts, in a file of lines that grows; until the time is over.

    Texts that differ in names, comments and spaces alone are one. ``names``: kernels with something noted, perhaps of
    another text than they have now, and the architectures.
    """

    path: Path
    compiler: str
    until: float = inf
    known: dict[str, Functions] = field(default_factory=dict)
    names: set[tuple[str, str]] = field(default_factory=set)
    _writing: Lock = field(default_factory=Lock, repr=False)

    @classmethod
    def of(cls, path: Path, minutes: float = inf) -> Notes:
        """Those in a file. Raises NoCompilerError."""
        nvcc = cuda.find_nvcc()
        if nvcc is None:
            raise NoCompilerError("no nvcc", cuda.HINT)
        found = cls(path, nvcc.identity, monotonic() + 60 * minutes)
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            row = json.loads(line)
            found.known[row["key"]] = {name: Used(**one) for name, one in row["functions"].items()}
            found.names.add((row["symbol"], row["arch"]))
        return found

    def used(self, sources: Sequence[Source], archs: Sequence[str]) -> dict[str, list[Functions]]:
        """What each of them takes on each of ``archs``; those that are not known are compiled together, once for each
        PTX. Raises TimeOverError, CompileError."""
        for some in by_ptx(archs).values():
            if missing := self.missing(sources, some):
                self._ask(missing, some)
        return {arch: [self._found(source, arch) for source in sources] for arch in archs}

    @property
    def over(self) -> bool:
        """Whether the time is."""
        return monotonic() > self.until

    def told(self, sources: Sequence[Source], archs: Sequence[str]) -> list[Used]:
        """What is known already."""
        keys = (self.key(source, arch) for arch in archs for source in sources)
        return [one for key in keys for one in self.known.get(key, {}).values()]

    def missing(self, sources: Sequence[Source], archs: Sequence[str]) -> list[Source]:
        """Those of which not all is known, one of each text."""
        found = {
            self.key(one, archs[-1]): one for one in sources if any(self.key(one, x) not in self.known for x in archs)
        }
        return list(found.values())

    def key(self, source: Source, arch: str) -> str:
        said = "\0".join([self.compiler, *cuda.FLAGS, arch, plain(source.text, source.symbol)])
        return sha256(said.encode()).hexdigest()[:24]

    def _found(self, source: Source, arch: str) -> Functions:
        return {source.symbol + name: one for name, one in self.known[self.key(source, arch)].items()}

    def _ask(self, sources: Sequence[Source], archs: Sequence[str]) -> None:
        if self.over:
            raise TimeOverError
        for arch, said in used(sources, archs).items():
            for source, functions in zip(sources, said, strict=True):
                self._note(source, arch, functions)

    def _note(self, source: Source, arch: str, said: Functions) -> None:
        key = self.key(source, arch)
        self.known[key] = {name.removeprefix(source.symbol): one for name, one in said.items()}
        self.names.add((source.symbol, arch))
        records = {name: one.record() for name, one in self.known[key].items()}
        row = {"key": key, "symbol": source.symbol, "arch": arch, "functions": records}
        with self._writing, self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
