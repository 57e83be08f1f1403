"""Products that a sum takes rounded, read off what gcc makes of a kernel; nothing is run.

gcc fuses a product with the sums that take it if all of them stand in its block. In which block they stand follows from
options, from what is known at the ends of loops and from copies of these. So a product that a sum takes is either fused
everywhere, or its source rounds it, by a sum with zero, whose bits are the same wherever its halves stand.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from bblas_gen.toolchain.compilers import find_cc, library_flags

PLACE = re.compile(r"\[kernel\.c:(\d+):\d+(?: discrim \d+)?\] ")
NAME = r"[\w$.]*_\d+"
TERM = rf"({NAME}(?:\(D\))?|\{{.*?\}}|-?\d\S*)"
DECLARED = re.compile(r"^  ([^\s=\[*][^=\[*]*) ([\w$.]+);$")
REAL = re.compile(r"\b(double|float|bb_(real|scalar|vec|mem|elem)\d*)\b")
PRODUCT = re.compile(rf"({NAME}) = {TERM} \* {TERM};$")
NEGATED = re.compile(rf"({NAME}) = -({NAME});$")
PHI = re.compile(rf"# ({NAME}) = PHI <(.*)>$")
SUM = re.compile(rf"({NAME}) = (?:{TERM} [+-] {TERM}|\.COND_(?:ADD|SUB) \(\S+, {TERM}, {TERM}, .*\));$")
ZERO = ("0.0", "{ 0.0,")


@dataclass
class _Body:
    """A function: where its products stand, and which values go on as others."""

    types: dict[str, str] = field(default_factory=dict)
    products: dict[str, int] = field(default_factory=dict)
    passed: dict[str, list[str]] = field(default_factory=dict)
    sums: list[tuple[int, list[str]]] = field(default_factory=list)

    def real(self, name: str) -> bool:
        told = self.types.get(name) or self.types.get(name.rpartition("_")[0], "")
        return REAL.search(told) is not None

    def read(self, row: str) -> None:
        place = PLACE.search(row)
        line, text = int(place[1]) if place else 0, PLACE.sub("", row).strip()
        if declared := DECLARED.match(row):
            self.types.setdefault(declared[2], declared[1])
        elif phi := PHI.match(text):
            self.passed[phi[1]] = re.findall(rf"({NAME})\(", phi[2])
        elif negated := NEGATED.match(text):
            self.passed[negated[1]] = [negated[2]]
        elif (found := PRODUCT.match(text)) and self.real(found[1]):
            self.products[found[1]] = line
        elif (found := SUM.match(text)) and self.real(found[1]):
            terms = [term.removesuffix("(D)") for term in found.groups()[1:] if term]
            if not any(term.startswith(ZERO) for term in terms):
                self.sums.append((line, terms))

    def behind(self, name: str) -> Iterator[int]:
        """The lines of the products that a value may be."""
        seen, left = {name}, [name]
        while left:
            if (one := left.pop()) in self.products:
                yield self.products[one]
            new = set(self.passed.get(one, ())) - seen
            seen |= new
            left += new


def rounded(text: str, isa: str, folder: Path) -> set[tuple[str, str]]:
    """The lines of products that are not fused with a sum, and of these sums."""
    cc = replace(find_cc(), arch_flag=f"-march={isa}")
    (folder / "kernel.c").write_text(text)
    flags = [flag for flag in library_flags(cc) if flag != "-shared"]
    dump = ["-fdump-tree-optimized-lineno=kernel.txt", "-S", "-o", "/dev/null"]
    subprocess.run([cc.path, *flags, *dump, "kernel.c"], cwd=folder, check=True)
    lines = ["", *text.splitlines()]
    found = set()
    for function in (folder / "kernel.txt").read_text().split("\n;; Function ")[1:]:
        body = _Body()
        for row in function.splitlines():
            body.read(row)
        for at, terms in body.sums:
            found |= {(lines[line].strip(), lines[at].strip()) for term in terms for line in body.behind(term)}
    return found
