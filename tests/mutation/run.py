"""Which small faults of templates and generator the tests find: ``PYTHONPATH=tests python -m mutation.run --count 60``.

A mutant lives in a copy of the package. It counts where the text of some kernel is another one; then the tests of the
operations whose kernels changed are run, the nearest first, until one fails. Survivors are printed for a person, who
says whether their results are others, and so a test is missing, or only their speed.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from bblas_gen.ir.variants import ROWS

from .catalogue import VECTORS, Kernel
from .mutants import Mutant, mutants_of

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = [f"templates/{x}" for x in ("arith", "frame", "op", "simd", "tile")] + [
    f"bblas_gen/{x}" for x in ("ir", "schedule", "codegen")
]
ASIDE = {
    "calls",
    "documentation",
    "emit",
    "examples",
    "parcel",
    "prose",
    "public",
    "selftest",
    "sequence_text",
    "tuned",
    "unit",
}
"""Modules that have no part in the text of a kernel."""
TEXTS, TESTS = 120, 300
"""Seconds: a mutant whose texts are not made in this time, or whose tests take longer, loops."""
PATIENCE = 10
"""It may take so many times as long as the tree as it is does, for its texts, or for all tests without a compiler:
machines have other things to do, too."""
OPERATIONS, MODULES = 4, 6
"""The tests of no more are run, those whose kernels changed most and which name these most."""
CONTRACTS = ("test_contract", "test_one_arithmetic")
OTHER = re.compile(r"test_(contract|one_arith|bench|cli|compare|compilers|crowd|examples|golden|large|machine|report)")
"""Modules of which only the tests of one operation are run, or none: of other things, and what compares texts."""

T = TypeVar("T")
Digest = tuple[str, str] | None
"""Of a text, with the numbers of its schedule; None where there is no such kernel."""


def all_mutants(places: list[str]) -> list[Mutant]:
    """Of the files that are named, or of a line of one as FILE:LINE; of all where there are none."""
    if places:
        files = list(dict.fromkeys(ROOT / place.partition(":")[0] for place in places))
    else:
        files = sorted(p for x in FOLDERS for p in (ROOT / x).glob("*.*") if p.suffix in (".c", ".cu", ".py"))
    found = [x for p in files if p.stem not in ASIDE for x in mutants_of(p.relative_to(ROOT), p.read_text())]
    lines = {place for place in places if ":" in place}
    return [x for x in found if not lines or f"{x.path}:{x.line}" in lines]


class Tree:
    """A copy of the package, its tests, and what these read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        ignored = shutil.ignore_patterns("__pycache__")
        for name in ("bblas_gen", "templates", "tests", "generated", "docs", "examples"):
            shutil.copytree(ROOT / name, folder / name, ignore=ignored)
        for path in filter(Path.is_file, ROOT.iterdir()):
            shutil.copy(path, folder)

    @contextmanager
    def applied(self, mutant: Mutant) -> Iterator[None]:
        path = self.folder / mutant.path
        text = path.read_text()
        path.write_text(mutant.applied(text))
        try:
            yield
        finally:
            path.write_text(text)

    def run(
        self, *command: str, isa: str = "", given: str = "", most: float | None = None
    ) -> subprocess.CompletedProcess[str]:
        own = {"PYTHONPATH": f"{self.folder}:{self.folder / 'tests'}", "PYTHONDONTWRITEBYTECODE": "1"}
        own |= {"BBLAS_GEN_TEST_CACHE": os.environ.get("BBLAS_GEN_TEST_CACHE", str(self.folder / "cache"))}
        own |= {"BBLAS_GEN_ISA": isa} if isa else {}
        return subprocess.run(
            [sys.executable, *command],
            cwd=self.folder,
            env=os.environ | own,
            input=given,
            capture_output=True,
            text=True,
            check=False,
            timeout=most,
        )

    def digests(
        self, kernels: Iterable[Kernel] = (), operations: Sequence[str] = (), most: float | None = None
    ) -> dict[Kernel, Digest]:
        """Of kernels; of the catalogue, or its ``operations`` alone, where none are named. Raises RuntimeError where
        one has no text."""
        given = json.dumps(some) if (some := list(kernels)) else ""
        done = self.run("-m", "mutation.catalogue", *operations, given=given, most=most)
        if done.returncode:
            raise RuntimeError(done.stderr.strip().splitlines()[-1])
        return {(*kernel,): digest and (*digest,) for kernel, digest in json.loads(done.stdout)}

    def test(self, some: list[str], isa: str = "", most: float | None = None) -> str:
        """The first test that fails, "" where none does."""
        done = self.run("-m", "pytest", "-n", "0", "-x", "-p", "no:cacheprovider", *some, isa=isa, most=most)
        if done.returncode in (0, 5):
            return ""
        failed = re.findall(r"^(?:FAILED|ERROR) (.*)", done.stdout, re.MULTILINE)
        return isa + " " * bool(isa) + (failed[0] if failed else f"exit {done.returncode} of {some[0]}")

    def collected(self) -> list[str]:
        """All tests by their names."""
        done = self.run("-m", "pytest", "-n", "0", "--collect-only", "-p", "no:cacheprovider", "tests")
        return [line for line in done.stdout.splitlines() if "::" in line]


class Judge:
    """Of mutants in a tree: it knows the tests there are, and the texts of the tree as it is."""

    def __init__(self, tree: Tree, operations: Sequence[str] = ()) -> None:
        self.tree = tree
        self.names = tree.collected()
        self.digests, self.texts = patiently(lambda: tree.digests(operations=operations), TEXTS)
        self.native, self.unit = (
            {str(p): p.read_text() for p in sorted(tree.folder.glob(f"tests/{x}/test_*.py")) if not OTHER.match(p.stem)}
            for x in ("native", "unit")
        )
        failed, self.most = patiently(lambda: tree.test([*self.unit]), TESTS)
        if failed:  # it would count as found by it
            raise SystemExit(f"without any fault a test fails: {failed}")

    def verdict(self, mutant: Mutant) -> tuple[str, str]:
        """What becomes of a mutant, and what it changes, or by what it is caught: "unchanged", where no text differs;
        "schedule", where texts are those of other schedules, which tests prove to have the same results; "stillborn",
        where there is no text; "caught"; "survived"."""
        try:
            with self.tree.applied(mutant):
                digests = self.tree.digests(self.digests, most=self.texts)
            changed = [kernel for kernel, digest in self.digests.items() if text_of(digests[kernel]) != text_of(digest)]
            what = f"{len(changed)} texts, such as {random.Random(1).sample(changed, min(4, len(changed)))}"
            if not changed:
                return "unchanged", ""
            if self.scheduled([(kernel, digests[kernel]) for kernel in changed]):
                return "schedule", what
            with self.tree.applied(mutant):
                failed = (self.tree.test(some, isa, self.most) for some, isa in self.tests(changed) if some)
                by = next(filter(None, failed), "")
            return ("caught", by) if by else ("survived", what)
        except RuntimeError as error:
            return "stillborn", f"no text: {error}"
        except subprocess.TimeoutExpired as error:
            return "caught", f"{error.timeout} s of {' '.join(error.cmd[2:])[-100:]}"

    def scheduled(self, made: list[tuple[Kernel, Digest]]) -> bool:
        """Whether the tree as it is makes the same texts for the same schedules; what is not there was not chosen."""
        wanted = {(*kernel[:2], digest[1]): digest[0] for kernel, digest in made if digest}
        found = self.tree.digests(wanted) if wanted else {}
        return all(digest and digest[0] == wanted[kernel] for kernel, digest in found.items())

    def tests(self, changed: list[Kernel]) -> Iterator[tuple[list[str], str]]:
        """Tests to run one after the other, each with the instruction set that it needs, "" for that of the machine:
        those of the operations, of modules that name them, random calls, what needs no compiler."""
        operations = self.operations(changed)
        vectors = {vector for _, vector, _ in changed}
        own = "" if 64 in vectors else VECTORS[max(vectors)]
        for some in (operations[:1], operations[1:]):
            for module in CONTRACTS:
                yield self.about(some, module), own
        for vector in sorted(vectors - {64}):
            yield self.about(operations[:1], CONTRACTS[0]), VECTORS[vector]
        words = [re.compile(rf"\b{name}\b|[a-z]{name}_") for name in operations]
        naming = {p: sum(len(word.findall(text)) for word in words) for p, text in self.native.items()}
        for path in sorted(filter(naming.get, naming), key=lambda p: -naming[p])[:MODULES]:
            yield [path], own
        yield ["tests/fuzz"], ""
        yield [*self.unit], ""

    def operations(self, changed: list[Kernel]) -> list[str]:
        """Those most of whose kernels changed, and which have most."""
        counts, of = Counter(map(operation, changed)), Counter(map(operation, self.digests))
        return sorted(counts, key=lambda name: (-(counts[name] ** 2) / of[name], name))[:OPERATIONS]

    def about(self, operations: list[str], module: str) -> list[str]:
        """The tests of a module that are named by an operation."""
        named = [re.compile(rf"/{module}\.py::.*\[(.*-)?{name}(-.*)?\]") for name in operations]
        return [name for name in self.names if any(x.search(name) for x in named)]


def patiently(do: Callable[[], T], least: float) -> tuple[T, float]:
    """What is done, and the seconds that a mutant has for it."""
    begun = time.monotonic()
    found = do()
    return found, max(least, PATIENCE * (time.monotonic() - begun))


def text_of(digest: Digest) -> str:
    return digest[0] if digest else ""


def operation(kernel: Kernel) -> str:
    """What users call, of which a kernel is a variant."""
    row = ROWS.get(kernel[0].split("_")[1][1:])
    return row.spoken_name if row else "sequence"


def shown(mutant: Mutant) -> str:
    text = (ROOT / mutant.path).read_text()
    both = (x.splitlines() for x in (text, mutant.applied(text)))
    return "\n".join(difflib.unified_diff(*both, str(mutant.path), str(mutant.path), n=0, lineterm=""))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("places", nargs="*", help="files, or lines as FILE:LINE; all where none is named")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--skip", type=int, default=0, help="so many of the seed's mutants were tried before")
    parser.add_argument("--only", default="", help="operations, as users call them: other kernels are not looked at")
    parser.add_argument("--list", action="store_true", help="show the mutants and try none")
    parser.add_argument("--json", type=Path, help="where verdicts are kept, one a line")
    options = parser.parse_args()
    mutants = all_mutants(options.places)
    random.Random(options.seed).shuffle(mutants)
    mutants = mutants[options.skip : options.skip + options.count]
    texts = list(map(shown, mutants))  # before anybody changes the files
    if options.list:
        print("\n".join(texts))
        return
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="bblas_gen-mutants-") as folder:
        judge = Judge(Tree(Path(folder)), list(filter(None, options.only.split(","))))
        for number, (mutant, text) in enumerate(zip(mutants, texts, strict=True), options.skip):
            begun = time.monotonic()
            verdict, by = judge.verdict(mutant)
            counts[verdict] += 1
            print(f"\n{number}: {verdict} {by} ({time.monotonic() - begun:.0f} s)\n{text}", flush=True)
            if options.json:
                with options.json.open("a") as file:
                    print(json.dumps([number, verdict, by, text]), file=file)
    changed = counts["caught"] + counts["survived"]
    print(
        f"\n{dict(counts)}: {counts['caught'] / max(1, changed):.0%} of those that change a kernel and live are caught"
    )


if __name__ == "__main__":
    main()
