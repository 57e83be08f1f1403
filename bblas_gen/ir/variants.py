"""Variants of operations, derived from their rows: results in other operands, the other triangle of a result, and
solutions that are refined.

A variant is a row as any other, made of the operation and of copies before it, so its kernels have names of their own:
``bb_dposvk_l_st_n3nrhs1`` (k: operands are kept) does what ``bb_dposv_l_st_n3nrhs1`` does, and finds A and B elsewhere
than it leaves X.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from .catalog import OPS
from .documentation import FUNCTIONS
from .operation import INFO, Operand, Operation, Step, picked, same
from .terms import FLAGS, Role

RESULT = "OUT"
"""The operand that has the first result of a variant that keeps its operands."""


MOVED, MADE = ("lane", "direct", "across", "columns", "hybrid"), ("lane", "across", "columns")
"""The forms that an operation keeps in a variant, where operands are moved before, one matrix or a few at a time; those
that one has that is made of others. Long vectors are moved part by part."""


class Fill(NamedTuple):
    """The ``letter`` in the names of variants, the ``step`` that does it, and the ``argument`` that asks for it."""

    letter: str
    step: str
    argument: str


FILLS = {"zero": Fill("c", "laset", "clean"), "mirror": Fill("s", "lasym", "symmetric")}
"""What may be made of the other triangle of a result."""


def variant(
    op: Operation, *, keeps: bool = False, fills: bool = False, refines: bool = False, large: bool = False
) -> Operation | None:
    """The row of ``op`` that leaves its operands as they are, fills the other triangle of its result or refines its
    solution; None where there is none. ``large``: what is worked on is too large for an intermediate, and is another
    output."""
    if not (keeps or fills or refines):
        return op
    if (fills and not op.other_triangle) or (refines and not op.halves):
        return None
    found = VARIANTS.get(_name(op, keeps=keeps, fills=fills, refines=refines))
    return VARIANTS.get(f"{found.name}w", found) if found and large else found


def original(op: Operation, name: str) -> str | None:
    """The operand that ``name`` is a copy of before anything else is done with it."""
    steps = op.steps if isinstance(op.steps, tuple) else ()
    first = next((step for step in steps if name in step.operands), None)
    if first is None or not OPS[first.op].copies or first.flags or first.operands[1] != name:
        return None
    return first.operands[0]


def _variants(op: Operation) -> dict[str, Operation]:
    result = op.operand(op.returns[0]) if op.returns else None
    more = [op.operand(name) for name in op.returns[1:]]
    kept = result is not None and result.role is Role.INOUT and not result.scaled_by
    if op.name not in FUNCTIONS or result is None or not kept or any(x.role is not Role.OUT for x in more):
        return {}
    found = [_made(op, result, keeps=True)]
    if op.other_triangle:
        found += [_made(op, result, keeps=keeps, fills=True) for keeps in (False, True)]
    if op.halves:
        found += [_refined(op, found[0], keeps=keeps) for keeps in (False, True)]
    found += [_large(row) for row in found if row.intermediates]
    return {row.name: row for row in found}


def _name(op: Operation, *, keeps: bool = False, fills: bool = False, refines: bool = False) -> str:
    return op.name + "k" * keeps + (FILLS[op.other_triangle].letter if fills else "") + "r" * refines


def _large(row: Operation) -> Operation:
    """The row with outputs for intermediates."""
    operands = tuple(replace(x, role=Role.OUT) if x.role is Role.SCRATCH else x for x in row.operands)
    return replace(row, name=f"{row.name}w", operands=operands, arguments=())


def _made(op: Operation, result: Operand, *, keeps: bool, fills: bool = False) -> Operation:
    fill = FILLS[op.other_triangle] if fills else None
    whole = replace(result, triangle=False, half=result.triangle and not (fills and op.other_triangle == "mirror"))
    operands, copies = _kept(op, whole) if keeps else ([whole if x is result else x for x in op.operands], {})
    lost = [x.name for x in operands if x.role is Role.SCRATCH]
    names = {x.name: copies.get(x.name, x.name) for x in op.parameters}
    steps = [Step("lacpy", pair) for pair in copies.items()]
    steps.append(_itself(op, tuple(names[x.name] for x in op.parameters)))
    if fill:
        step = Step(fill.step, (names[result.name],), (("uplo", same("uplo")),))
        # zeros go where the operation does not look, and so need not wait for matrices that may fail
        steps.insert(-1 if op.other_triangle == "zero" else len(steps), step)
    return replace(
        op,
        name=_name(op, keeps=keeps, fills=fills),
        formula=op.formula + "; operands keep their values" * keeps + f"; {op.other_triangle} beside" * fills,
        operands=tuple(operands),
        arguments=(*(x for x in op.arguments if x not in lost), *([RESULT] if keeps else ())),
        returns=tuple(names[x] for x in op.returns),
        steps=tuple(steps),
        needs=("algebra",),
        tile_shape="",
        canonical_form="",
        algorithms=_forms(op),
        tiled=False,
        fetched=(),
        block_arrays=(),
        variant_of=op.name,
    )


def _refined(op: Operation, kept: Operation, *, keeps: bool) -> Operation:
    """A solver with a step of refinement behind it. ``kept``: its variant that keeps operands, whose copies it works
    on; the one that does not has copies of what it overwrites."""
    solved = (
        kept
        if keeps
        else replace(kept, formula=op.formula, operands=op.operands, arguments=op.arguments, returns=op.returns)
    )
    *before, itself = picked(kept.steps, {}) if keeps else (_itself(op, tuple(x.name for x in op.parameters)),)
    names = dict(zip((x.name for x in op.parameters), itself.operands, strict=True))
    a, b = op.parameters[0], op.operand(op.right_hand_side)
    matrix, x, residual = a.name if keeps else f"{a.name}R", names[b.name], f"{b.name}R"
    copies = {b.name: residual} if keeps else {a.name: matrix, b.name: residual}
    scratch = [replace(op.operand(name), name=copy, role=Role.SCRATCH) for name, copy in copies.items()]
    uplo = (("uplo", same("uplo")),) if a.triangle else ()
    second = OPS[op.halves[1]]
    steps = (
        *before,
        *(Step("lacpy", pair) for pair in copies.items()),
        itself,
        Step("hemm" if a.triangle else "gemm", (matrix, x, residual), uplo, (("alpha", -1.0), ("beta", 1.0))),
        Step(second.name, tuple((names | {b.name: residual})[y.name] for y in second.parameters), uplo),
        Step("geadd", (residual, x), scalars=(("beta", 1.0),)),
    )
    return replace(
        solved,
        name=_name(op, keeps=keeps, refines=True),
        formula=f"{solved.formula}; X := X + A^-1 (B - A X)",
        operands=(*solved.operands[:-1], *scratch, INFO),
        flops=f"{op.flops} + 4 * n**2 * nrhs",
        steps=steps,
    )


def _forms(op: Operation) -> tuple[str, ...]:
    """Those of all that a variant is made of."""
    rows = _rows(op)
    found = [form for form in (MADE if op.steps else MOVED) if all(form in row.algorithms for row in rows)]
    return (*found, *(form for form in ("streamed",) if form in op.algorithms))


def _rows(op: Operation) -> list[Operation]:
    """What it is made of, which are the same operations for all flags."""
    steps = op.steps_for({flag: next(iter(FLAGS[flag])) for flag in op.flags})
    return [row for step in steps for row in _rows(OPS[step.op])] or [op]


def _itself(op: Operation, operands: tuple[str, ...]) -> Step:
    flags = tuple((name, same(name)) for name in op.flags)
    return Step(op.name, operands, flags, tuple((name, name) for name in op.scalars))


def _kept(op: Operation, result: Operand) -> tuple[list[Operand], dict[str, str]]:
    """The operands of a variant that keeps them, and the names of the copies that it works on. What is overwritten and
    is no result is an intermediate."""
    found, copies = [], {}
    for x in op.operands:
        if x in op.outputs and x.name not in op.returns:
            scratch = x if x.role is Role.OUT else replace(x, name=x.name + "W")
            found.append(replace(scratch, role=Role.SCRATCH))
            if x.role is Role.OUT:
                continue
            copies[x.name] = x.name + "W"
        elif x.name == result.name:
            copies[x.name] = RESULT
        found.append(replace(x, role=Role.IN) if x.role is Role.INOUT else x)
    found.insert(len(found) - op.info, replace(result, name=RESULT, role=Role.OUT))
    return found, copies


VARIANTS: dict[str, Operation] = {name: row for op in OPS.values() for name, row in _variants(op).items()}
"""All variants by their names."""
ROWS: dict[str, Operation] = OPS | VARIANTS
"""The operations and their variants."""
