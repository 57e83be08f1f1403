"""The text of kernels that stand for all: ``python -m mutation.catalogue < WHICH`` prints a digest of each, and its
schedule; ``python -m mutation.catalogue NAME ... < WHICH`` those of some operations.

All operations and variants; of each, choices at random of precision, layouts, flags, form, sizes small and large, and
width of vectors. Comments and white space count for nothing.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import re
import sys
from collections.abc import Sequence
from contextlib import nullcontext, suppress

from support import golden

from bblas_gen.codegen.render import source_of
from bblas_gen.ir.operation import Operation
from bblas_gen.ir.sequence_text import sequences_in
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import Isa
from bblas_gen.ir.terms import FLAGS, Layout
from bblas_gen.ir.variants import ROWS
from bblas_gen.sequences import OperationSequence

Kernel = tuple[str, int, str]
"""A symbol, the bytes in a vector, and as JSON what is set of the schedule."""
VECTORS = {16: "x86-64-v2", 32: "x86-64-v3", 64: "x86-64-v4"}
APART = ["st", "st", "st ld", "st rs", "st rm", "st rmld", "pp"]
STORED = [*APART, "bi", "bi", "bi rmld", "il", "alone", "mixed", "mixed ld"]
MOST = (2, 3, 6, 9, 17, 40)
"""Sizes are from 1 to one of these."""
MISSES = 8
"""Draws for each kernel, at most."""
TRIES = 40, 10
"""Choices of each form: of operations with a body of their own, and of those made of others."""
OTHERS = ["bb_dgemm_nn_bi_m4n4k0", "bb_dgetrf_st_m0n4", "bb_dpotrf_l_st_n60"]
SEQUENCES = """
sequence([step("potrf", "A"), step("trsm", "A", "B"), step("syrk", "B", "C", trans="T", alpha=-1)], name="schur")
sequence([step("gemm", "A", "B", "T", alpha="weight"), step("gemm", "T", "B", "C")], name="twice", scratch=["T"])
"""
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def rows() -> dict[str, Operation]:
    found = [OperationSequence(*one).row for one in sequences_in(SEQUENCES)]
    return {row.symbol: row for row in found}


def parsed(symbol: str) -> KernelSpec:
    sequence = next((row for name, row in rows().items() if symbol.startswith(f"bb_d{name}_")), None)
    return KernelSpec.parse(symbol, sequence=sequence)


def drawn(row: Operation, form: str, chosen: random.Random) -> Kernel | None:
    """A kernel of an operation, None where there is none such: not all choices are free."""
    try:
        symbol = spec_of(row, APART if form else STORED, chosen).symbol()
        kernel = symbol, chosen.choice([*VECTORS]), json.dumps({"form": form} if form else {})
        digest(kernel)
    except ValueError:
        return None
    return kernel


def spec_of(row: Operation, stored: list[str], chosen: random.Random) -> KernelSpec:
    layout, _, strides = chosen.choice(stored).partition(" ")
    named = {flag: str(chosen.choice(list(FLAGS[flag]))) for flag in row.flags}
    most = chosen.choice(MOST)
    sizes = {size: chosen.randint(1, most) for size in row.sizes}
    alone = Layout.BU if named.get("uplo") == "U" else Layout.BL
    layouts = {
        "alone": [alone if x.triangle else x.kind.layout(Layout.BI) for x in row.parameters],
        "mixed": [x.kind.layout(chosen.choice((Layout.BI, Layout.ST))) for x in row.parameters],
    }.get(layout, layout)
    nb = chosen.choice((None, 3)) if layout in ("alone", "bi") else None
    return KernelSpec.make(row, chosen.choice("sdcz"), layouts, nb=nb, strides=strides, **named, **sizes)


def catalogue(operations: Sequence[str] = ()) -> list[Kernel]:
    """The kernels of the tree as it is; of ``operations`` alone, named as users call them, where some are given."""
    chosen, found = random.Random(1), list[Kernel]()
    if not operations:
        found += [(symbol, vector, "{}") for symbol in OTHERS for vector in VECTORS]
        found += [(symbol, vector, json.dumps(given)) for symbol, kind, vector, given in golden.SET if kind == "cpu"]
    for row in (*ROWS.values(), *rows().values()):
        if operations and row.spoken_name not in operations:
            continue
        for form in ("", *row.algorithms[1:]):
            tries = TRIES[bool(row.variant_of or row.steps)]
            kernels = (drawn(row, form, chosen) for _ in range(MISSES * tries))
            found += itertools.islice(filter(None, kernels), tries)
    return list(dict.fromkeys(found))


def digest(kernel: Kernel) -> tuple[str, str]:
    """Of its text, and all numbers of its schedule."""
    symbol, vector, overrides = kernel
    source = source_of(parsed(symbol), Isa.of(vector), **json.loads(overrides))
    text = " ".join(COMMENT.sub(" ", source.text).split())
    schedule = json.dumps({"form": source.schedule.form} | source.schedule.numbers())
    return hashlib.sha256((source.declaration + text).encode()).hexdigest(), schedule


def main() -> None:
    """Of the kernels that are given as JSON; of the catalogue's where none are. None for what cannot be."""
    which = sys.stdin.read()
    found: list[tuple[Kernel, tuple[str, str] | None]] = []
    for symbol, vector, overrides in json.loads(which) if which else catalogue(sys.argv[1:]):
        kernel, made = (symbol, vector, overrides), None
        with nullcontext() if overrides == "{}" else suppress(ValueError):
            made = digest(kernel)
        found.append((kernel, made))
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
