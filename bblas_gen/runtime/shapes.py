"""The sizes and the batch size that operands agree on."""

from __future__ import annotations

from collections.abc import Mapping

from ..arrays.host import Operand
from ..arrays.ragged import Ragged
from ..ir.operation import Operand as Row
from ..ir.operation import Operation
from ..ir.sizes import evaluate, is_name
from ..ir.terms import BY_DTYPE, Kind, Letter, Role

Named = Mapping[str, tuple[str, Operand]]
"""Operands by their name in the table of operations: the user's name for it, and what it is."""


def resolve_sizes(
    op: Operation, named: Named, flags: Mapping[str, Letter], *, complete: bool
) -> tuple[dict[str, int], int | None]:
    """The sizes and the batch size that the operands agree on; errors where they do not.

    ``complete`` says that all operands are there; without it the output is still to be allocated.
    """
    first_name, first = next(named[x.name] for x in op.parameters if x.name in named and x.kind is Kind.SCALAR)
    precision = BY_DTYPE[first.dtype.name]
    sizes: dict[str, tuple[int, str]] = {}
    batch: tuple[int, str] | None = None
    for x in op.parameters:
        if x.name not in named:
            continue
        name, operand = named[x.name]
        if operand.dtype != precision.dtype_of(x.kind):
            wanted = "one dtype" if x.kind is Kind.SCALAR else precision.dtype_of(x.kind)
            raise TypeError(f"{name} has dtype {operand.dtype} but {first_name} has {first.dtype}: expected {wanted}")
        transposed = x.flag is not None and flags[x.flag].transposes  # type: ignore[union-attr]
        for key, (length, axis) in zip(
            (x.cols, x.rows) if transposed else (x.rows, x.cols),
            ((operand.form.rows, "rows"), (operand.form.cols, "columns")),
            strict=True,
        ):
            if not (is_name(key) or key == "1"):
                continue
            text = f"{length} {axis}"
            size = op.size_name(key, flags)
            known, source = (1, "it") if size == "1" else sizes.setdefault(size, (length, f"{name} has {text}"))
            if size == "1" and length != 1:
                raise ValueError(f"{name} has {text}: expected 1")
            if known != length:
                letters = "".join(f", {f} = {given}" for f, given in flags.items() if given != "N")
                hint = _if_vectors(named, x.name, known) if axis == "rows" else ""
                raise ValueError(f"{name} has {text} but {source}: expected {size} = {known} of both{letters}{hint}")
        if operand.batch is None and x.role is not Role.IN:
            raise ValueError(_why_not_shared(op, x, name, operand))
        batch = agree_batch(name, operand, batch)
    if complete and batch is None:
        raise ValueError(f"{no_batch(named)}: expected a batch, such as {first_name}[None]")
    _check_blocks(named)
    lengths = {size: length for size, (length, _) in sizes.items()}
    _check_expressions(op, named, op.extents(lengths, flags))
    return lengths, batch[0] if batch else None


def no_batch(named: Named) -> str:
    """The complaint about operands that are all one matrix for a whole batch."""
    names = [name for name, _ in named.values()]
    what = "single matrices" if len(names) > 1 else "a single matrix"
    return f"{' and '.join(names)} {'are' if len(names) > 1 else 'is'} {what}"


def _check_expressions(row: Operation, named: Named, extents: Mapping[str, int]) -> None:
    """Sides such as min(m, n), once m and n are known."""
    for x in row.parameters:
        if x.name not in named:
            continue
        name, operand = named[x.name]
        for side, length, axis in ((x.rows, operand.form.rows, "rows"), (x.cols, operand.form.cols, "columns")):
            if not (is_name(side) or side == "1") and length != (expected := evaluate(side, extents)):
                raise ValueError(f"{name} has {length} {axis}: expected {side} = {expected}")


def _if_vectors(named: Named, own: str, length: int) -> str:
    """What to do with an operand that looks like a batch of vectors of ``length``."""
    name, operand = named[own]
    batches = {other.batch for _, other in named.values()} - {None}
    if operand.batch is not None or operand.form.cols != length or operand.form.rows not in batches:
        return ""
    return f"; if {name} is a batch of vectors, pass {name}[..., None]"


def _why_not_shared(op: Operation, x: Row, name: str, operand: Operand) -> str:
    text = f"{name} is 2-D, one matrix for the whole batch: expected 3-D, as it is an output"
    if op.halves and x.name not in op.returns:
        first, second = op.halves
        return f"{text}; factor it once with {first}({name}[None]) and use {second}, which takes one factor for all"
    return f"{text}, such as {name}[None]" + (f", or {name}[..., None] of vectors" if x.rows != x.cols else "")


def agree_batch(name: str, operand: Operand | Ragged, batch: tuple[int, str] | None) -> tuple[int, str] | None:
    """The batch size, and the operand that has it, of ``operand`` and those before it."""
    if operand.batch is None:
        return batch
    if batch and batch[0] != operand.batch:
        raise ValueError(f"{name} is a batch of {operand.batch} but {batch[1]} is one of {batch[0]}: expected one size")
    return batch or (operand.batch, name)


def _check_blocks(named: Named) -> None:
    blocks = {name: o.form.nb for name, o in named.values() if o.form.layout.blocked}
    if len(set(blocks.values())) > 1:
        found = ", ".join(f"{name} has nb = {nb}" for name, nb in blocks.items())
        raise ValueError(f"{found}: expected one block size")
