"""Random calls against the oracles: ``PYTHONPATH=tests python -m support.fuzz --first SEED --cases 1`` runs one again.

A case follows from its seed alone: operation, precision, flags, sizes, batch, threads, scalars, how each operand lies.
It is run twice: as it is, everything that must not be read or written being NaN or a page that nobody may touch; then
on a random choice of its matrices, some of them spoiled, of which the others must have the same bits. The line of a
case is printed before it is run, so that the last one is to blame where the process ends.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bblas_gen.ir.operation import Operation
from bblas_gen.ir.terms import BY_DTYPE, Kind, Role
from bblas_gen.toolchain import compilers

from .cases import ALPHAS, BETAS, TILES, TRIED, Case, complexes, dtypes, letters, prepared, run
from .contract import check
from .embeddings import Embedding, memory_of
from .extended import NAN
from .kernels import Choice, any_size, quick
from .layouts import Placed, bits, placed

GROUP = 32
"""Cases whose kernels are compiled together."""
SPOILS = (NAN, np.inf, 0.0, 1e30)
STRIDED = "strided"
DIRECT = [row for row in TRIED if "direct" in row.algorithms]
"""They have two or three forms, so they come more often, and have schedules that the model would not choose."""


@dataclass(frozen=True)
class Drawn(Case):
    """A case with an embedding for each operand that is strided or in a list, and pages around interleaved storage."""

    seed: int = 0
    embeddings: tuple[Embedding, ...] = ()
    threads: int = 1

    def __str__(self) -> str:
        lies = ", ".join(
            str(self.embeddings[i]) if (name := self.layout(i)) == STRIDED else name + self.embeddings[i].pages
            for i in range(len(self.row.parameters))
        )
        named = {**self.sizes, **self.flags, **self.scalars, **self.schedule}
        sizes = "".join(f" {name} = {value}" for name, value in named.items())
        return f"seed {self.seed}: {self.op} {self.dtype}{sizes} batch = {self.batch} threads = {self.threads}: {lies}"

    def make(self) -> dict[str, Any]:
        found = super().make()
        for x, embedding in zip(found, self.embeddings, strict=True):
            if embedding.shared:
                found[x] = np.repeat(found[x][:1], self.batch, axis=0)
        return found

    def place(self, operands: Mapping[str, Any]) -> dict[str, Placed]:
        found, line = {}, BY_DTYPE[self.dtype].default_nb
        for i, (name, x) in enumerate(operands.items()):
            lies = self.embeddings[i]
            if self.layout(i) == STRIDED and x.ndim == 3:
                found[name] = lies.placed(x)
            else:
                layout = "st" if self.layout(i) == STRIDED else self.layout(i)
                found[name] = placed(x, layout, "C", self.flags.get("uplo", ""), line, memory_of(lies.pages))
        return found

    def plan(self, given: Mapping[str, Placed], **named: Any) -> Any:
        return super().plan(given, **({"num_threads": self.threads} | named))


def drawn(seed: int) -> Drawn:
    """The case of a seed."""
    rng = np.random.default_rng(seed)

    def one(some: Any) -> Any:
        return some[rng.integers(len(some))]

    row: Operation = one(DIRECT if rng.random() < 0.3 else TRIED)
    dtype = one(dtypes(row))
    flags = {flag: one(letters(row, flag)) for flag in row.flags}
    most = one((4, 9, 9, 17, 40))
    sizes = {name: int(rng.integers(0 if rng.random() < 0.05 else 1, most + 1)) for name in row.sizes}
    choices = [one((*some, 1)) for some, _ in zip((ALPHAS, BETAS), row.scalars, strict=False)]
    layouts, embeddings = [], []
    family = one(("strided", "strided", "blocks", "blocks", "il", "il-", "mixed"))
    blocks = one(("bi", "bi", "bi1", "bi3", "bi72", "alone"))
    pages = one(("", "", "before", "behind"))
    alike, kind, columns = rng.random() < 0.6, int(rng.integers(7)), bool(rng.random() < 0.5)
    for x in row.parameters:
        mixed = family == "mixed" and rng.random() < 0.5
        own = {"strided": STRIDED, "blocks": blocks, "mixed": "bi" if mixed else STRIDED}.get(family, family)
        layouts.append(own)
        own_kind = kind if alike else int(rng.integers(7))
        shareable = x.role is Role.IN and x.kind is Kind.SCALAR
        embeddings.append(embedding(rng, own_kind, columns != (not alike and rng.random() < 0.5), shareable, pages))
    return Drawn(
        op=row.name,
        dtype=dtype,
        sizes=sizes,
        batch=int(one((1, 2, 5, 8, 9, 17, 33, 70))),
        flags=flags,
        scalars=complexes(row, dtype, choices),
        layouts=tuple(layouts),
        schedule={"form": "direct", **one(TILES)} if row in DIRECT and rng.random() < 0.5 else {},
        seed=seed,
        embeddings=tuple(embeddings),
        threads=int(one((1, 2, 3))),
    )


def embedding(rng: np.random.Generator, kind: int, columns: bool, shareable: bool, pages: str) -> Embedding:
    """How an operand lies, if it is strided; its ``columns`` are contiguous, or its rows."""
    margins = tuple(int(n) for n in rng.integers(0, 3, 3))
    order = (0, 2, 1) if columns else (0, 1, 2)
    if kind == 0:
        return Embedding(order, pages=pages)
    if kind == 1:
        return Embedding(order, margins=margins, pages=pages)
    if kind == 2:
        return Embedding(order, margins=margins, listed=True, pages=pages)
    if kind == 3:
        return Embedding(order, steps=(int(rng.choice([-1, 2])), 1, 1), margins=margins, pages=pages)
    if kind == 4:
        return Embedding(order, odd=int(rng.choice([1, 4, 8])))
    order, steps = tuple(map(int, rng.permutation(3))), tuple(int(n) for n in rng.choice([1, 1, 2, 3, -1, -2], 3))
    shared = bool(shareable and kind == 5)
    return Embedding(order, steps, margins, shared=shared, listed=bool(rng.random() < 0.1) and not shared, pages=pages)


def resampled(case: Drawn, choice: Choice | None) -> None:
    """Matrices have the bits that they have elsewhere, in a batch of another size, whatever is beside them."""
    rng = np.random.default_rng([case.seed, 1])
    operands = case.make()
    whole = run(case, operands, choice=choice).after
    index = rng.integers(0, case.batch, int(rng.integers(1, 2 * case.batch + 2)))
    bad = rng.random(len(index)) < 0.3
    chosen = {name: x[index] for name, x in operands.items()}
    spoil = SPOILS[rng.integers(len(SPOILS))]
    for (name, x), lies in zip(chosen.items(), case.embeddings, strict=True):
        if case.row.operand(name).kind is Kind.SCALAR and not lies.shared:
            x[bad] = spoil
    found = run(replace(case, batch=len(index), threads=int(rng.integers(1, 4))), chosen, choice=choice).after
    for name, x in whole.items():
        assert bits(found[name][~bad]) == bits(x[index][~bad]), (name, "depends on its neighbours")


def campaign(first: int, cases: int, seconds: float, choice: Choice | None = None) -> int:
    """Run cases from seed ``first`` on, so many, or for so long, with their kernels or another ``choice``; how many
    failed."""
    isa = compilers.find_cc().arch_flag.removeprefix("-march=")
    end, failed, done = time.monotonic() + seconds, 0, 0
    while done < cases and (not seconds or time.monotonic() < end):
        group = [drawn(first + done + i) for i in range(min(GROUP, cases - done))]
        for case in group if choice else prepared(group):
            print(case, end="", flush=True)
            try:
                check(case, choice)
                resampled(case, choice)
                print(flush=True)
            except Exception:
                failed += 1
                command = f"BBLAS_GEN_ISA={isa} PYTHONPATH=tests python -m support.fuzz --first {case.seed} --cases 1"
                print(f"\nFAILED: {command}\n{traceback.format_exc()}")
            done += 1
    print(f"{done} cases, {failed} failures, {isa}", flush=True)
    return failed


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Random calls against the oracles.")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first case")
    parser.add_argument("--cases", type=int, default=10**9)
    parser.add_argument("--seconds", type=float, default=0, help="begin no group of cases after so many")
    parser.add_argument("--quick", action="store_true", help="optimize kernels less, so that they compile faster")
    parser.add_argument("--any-size", action="store_true", help="with the kernels for any size")
    options = parser.parse_args()
    compilers.OPTIMIZATION = quick() if options.quick else compilers.OPTIMIZATION
    choice = any_size if options.any_size else None
    sys.exit(bool(campaign(options.first, options.cases, options.seconds, choice)))
