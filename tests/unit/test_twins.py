"""Conjugates of reals are the reals: in real arithmetic the kernels of two operations are one text but for names."""

from __future__ import annotations

import re

import pytest
from support.cases import TWINS, letters
from support.covering import covering
from support.sources import source

from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.spec import KernelSpec

PLACES = [
    *({"layout": layout} for layout in ("st", "pp", "bi", "il", "alone")),
    *({"layout": "st", "strides": strides} for strides in ("ld", "rs", "rm", "rmld")),
    {"layout": "bi", "nb": 3},
]
FORMS = ({}, {"form": "lane"})
SIZES = (11, 5, 3)


def layouts(op, layout, flags):
    """One for each operand: ``alone`` of triangular ones that triangle alone."""
    alone = {"L": "bl", "U": "bu"}[flags["uplo"]] if layout == "alone" and "uplo" in flags else ""
    whole = "bi" if layout == "alone" else layout
    return [alone if alone and x.triangle else whole for x in OPS[op].parameters]


def text(op, flags, precision, place, form, simd_bytes):
    """The text of a kernel without its description, its name, and what a macro of real arithmetic ignores."""
    place = place | {"layout": layouts(op, place["layout"], flags)}
    spec = KernelSpec.make(op, precision, **place, **flags, **dict(zip(OPS[op].sizes, SIZES, strict=False)))
    _, _, code = source(spec.symbol(), simd_bytes, **form).text.partition("*/")
    for macro in re.findall(r"#define BB_FMA\(acc, x, y, cx, cy\)(.*)", code):
        assert not re.search(r"\bc[xy]\b|\\$", macro)
    code = re.sub(r"(BB_FMA\(.*), [01], [01]\);", r"\1);", code)
    return re.sub(rf"\bbb_{op}(?=_|\b)", "bb_OP", code.replace(spec.symbol(), "SYMBOL"))


@pytest.mark.parametrize(("op", "other"), TWINS.items())
def test_real_kernels_have_the_text_of_the_twins(op, other):
    row, twin = OPS[op], OPS[other]
    same = [x for x in vars(row) if getattr(row, x) == getattr(twin, x)]
    assert {"sizes", "flags", "operands", "scalars", "algorithms", "tile_shape", "canonical_form"} <= set(same)
    choices = [zip(letters(row, flag), letters(twin, flag), strict=True) for flag in row.flags]
    ways = ["sd", PLACES, FORMS, (16, 32, 64)]
    for some in covering(1, *ways, *map(list, choices)):
        how, pairs = some[: len(ways)], some[len(ways) :]
        flags, others = ({flag: pair[i] for flag, pair in zip(row.flags, pairs, strict=True)} for i in (0, 1))
        assert text(op, flags, *how) == text(other, others, *how), (flags, how)
