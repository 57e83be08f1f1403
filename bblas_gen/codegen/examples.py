"""The examples of a parcel: one kernel, called from C and from C++ on matrices without gaps."""

from __future__ import annotations

from typing import Any

from ..ir.operation import Operand
from ..ir.spec import KernelSpec
from ..ir.targets import TARGETS
from ..ir.terms import Kind, Layout
from ..ir.views import linear
from .calls import Place, call_text
from .signature import signature_of

BATCH = 100
SIZE = 4
"""Of what only run time knows."""


def context(spec: KernelSpec, *, cxx: bool) -> dict[str, Any]:
    """What the template sees; ``cxx``: of the example in C++."""
    one, row = spec.at(SIZE), spec.row
    places = {x.name: Place.of(one, x, BATCH) for x in row.parameters}
    pairs = [name for name in row.scalars if spec.p.complex and name not in row.real_scalars]
    lists = {x.name: f"all_{x.name}" if spec.where(x) is Layout.PP else x.name for x in row.parameters}
    target = TARGETS[spec.target]
    known = {**lists, "info": "info"}
    given = {name: text + ".data()" * cxx if target.loads else f"on_{text}" for name, text in known.items()}
    for x in signature_of(spec).parameters:  # C asks for a cast where both pointers become const
        if x.name in known and (known[x.name] != x.name or not target.loads):
            given[x.name] = f"({x.ctype}){given[x.name]}"
    given |= {name: name if name in pairs else "2" for name in row.scalars}
    given |= {"batch_count": "BATCH", target.last[0]: "0"}
    return {
        "target": target.name,
        "headers": target.headers,
        "cxx": cxx,
        "symbol": spec.symbol(),
        "formula": row.formula,
        "batch": BATCH,
        "operands": [_operand(one, x, places[x.name]) for x in row.parameters],
        "blocks": [*lists, *(name for own, name in lists.items() if own != name), *["info"] * row.info],
        "info": row.info,
        "pairs": pairs,
        "storage": spec.p.storage.name,
        "result": row.returns[0] if row.returns else row.parameters[0].name,
        "call": call_text(spec, one.size, places, given),
    }


def _operand(spec: KernelSpec, x: Operand, place: Place) -> dict[str, Any]:
    """An operand: its numbers, and where element (i, j) of matrix p is among them."""
    (rows, cols), parts, where = spec.stored(x), spec.p.parts_of(x.kind), spec.where(x)
    inside = linear(("i", place.rs), ("j", place.cs))
    if where and where.triangle:
        inside = f"j * ({2 * rows - 1} - j) / 2 + i" if where.triangle == "L" else "j * (j + 1) / 2 + i"
    inside = f"({inside}) * 2" if parts == 2 else inside
    matrix = f"p{f' / {place.nb}' if place.nb else ''} * {place.distance * parts} + {inside}"
    return {
        "name": x.name,
        "ctype": "int32_t" if x.kind is Kind.INDEX else spec.p.storage.name,
        "parts": parts,
        "numbers": max(1, place.elements * parts),
        "pointers": where is Layout.PP,
        "index": f"({matrix}) * {place.nb} + p % {place.nb}" if place.nb else matrix,
        "diagonal": rows if cols == 1 else min(rows, cols),
        "column": "0" if cols == 1 else "i",
        "value": "(int32_t)i + 1" if x.kind is Kind.INDEX else "2",
    }
