"""The C entry point of a kernel: its parameters in BLAS order, its checks and their ``info`` codes.

Shared by the rendered source, the emitted header and the Python side that calls it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..ir.operation import Operand
from ..ir.sizes import Size, evaluate
from ..ir.spec import KernelSpec
from ..ir.targets import TARGETS
from ..ir.terms import Kind, Layout, Role, Strides


@dataclass(frozen=True)
class Parameter:
    """A C parameter. ``kind``: size, scalar, matrix, stride or plain; ``field`` is how the argument block stores it."""

    name: str
    kind: str
    ctype: str
    field: str
    value: str

    @property
    def text(self) -> str:
        return declared(self.name, self.ctype)


@dataclass(frozen=True)
class Signature:
    """``declaration`` is the prototype; ``checks`` are (C condition, position of the argument at fault)."""

    symbol: str
    parameters: tuple[Parameter, ...]
    checks: tuple[tuple[str, int], ...]

    @property
    def declaration(self) -> str:
        return f"int {self.symbol}({', '.join(p.text for p in self.parameters)});"

    @property
    def cffi_cdef(self) -> str:
        """The prototype with every pointer a ``void *``: the same call, free of casts on the Python side."""
        texts = ["void *" + p.name if "*" in p.ctype else p.text for p in self.parameters]
        return f"int {self.symbol}({', '.join(texts)});"

    @property
    def positions(self) -> dict[str, int]:
        """The positions of arguments, from 1, as ``info`` codes count."""
        return {p.name: number for number, p in enumerate(self.parameters, 1)}

    def context(self) -> dict[str, Any]:
        """What the entry template needs."""
        kept = [p for p in self.parameters if p.field]
        scalars = [p for p in self.parameters if p.kind == "scalar"]
        fields = [declared(p.name, p.field) for p in kept] + [f"int {p.name}_is" for p in scalars]
        return {
            "parameters": ", ".join(p.text for p in self.parameters),
            "fields": fields,
            "initializers": ", ".join([p.value for p in kept] + [_scalar_class(p) for p in scalars]),
            "checks": self.checks,
            "positions": self.positions,
        }


def signature_of(spec: KernelSpec) -> Signature:
    """The signature of a kernel: sizes that only run time knows, scalars and operands in the order of the operation's
    row, ``info`` (an int32 for each matrix, written) where the operation reports, then ``batch_count`` and
    ``num_threads`` (CUDA: ``stream``)."""
    layouts = dict(zip(spec.row.parameters, spec.layouts, strict=True))
    parameters = [Parameter(name, "size", "int64_t", "int64_t", name) for name in spec.unknown]
    for name in spec.row.arguments:
        if name in spec.row.scalars:
            parameters.append(_scalar(spec, name))
        else:
            operand = spec.row.operand(name)
            parameters += _matrix(spec, operand, layouts[operand])
    if spec.row.info:
        parameters.append(Parameter("info", "plain", "int32_t *", "int32_t *", "info"))
    parameters.append(Parameter("batch_count", "plain", "int64_t", "", ""))
    last = TARGETS[spec.target].last
    parameters.append(Parameter(last[0], "plain", last[1], "", ""))
    plain = Signature(spec.symbol(), tuple(parameters), ())
    stored = [(x, layout, spec.stored(x)) for x, layout in layouts.items()]
    return replace(plain, checks=tuple(_checks(spec, plain, stored)))


def declared(name: str, ctype: str) -> str:
    """The C text of a parameter."""
    return f"{ctype}{name}" if ctype.endswith("*") else f"{ctype} {name}"


def _scalar_class(scalar: Parameter) -> str:
    test = "{0}[0] == {1} && {0}[1] == 0" if scalar.ctype.endswith("*") else "{0} == {1}"
    return f"{test.format(scalar.name, 0)} ? 0 : {test.format(scalar.name, 1)} ? 1 : BB_ANY"


def _scalar(spec: KernelSpec, name: str) -> Parameter:
    if spec.p.complex and name in spec.row.real_scalars:
        return Parameter(name, "scalar", spec.p.storage.name, "bb_scalar", f"{{{name}, 0}}")
    if spec.p.complex:
        return Parameter(name, "scalar", f"const {spec.p.storage.name} *", "bb_scalar", f"{{{name}[0], {name}[1]}}")
    return Parameter(name, "scalar", spec.p.storage.name, "bb_scalar", name)


def _matrix(spec: KernelSpec, operand: Operand, layout: Layout) -> list[Parameter]:
    name, letter = operand.name, operand.name.lower()
    const = "const " if operand.role is Role.IN else ""
    index = operand.kind is Kind.INDEX
    pairs = spec.p.parts_of(operand.kind) == 2 and not layout.interleaved
    pointee = const + ("int32_t" if index else "void" if pairs else spec.p.storage.name)
    number = "int32_t" if index else "bb_real"
    field, indirect = f"{const}{number} *", ""
    if layout is Layout.PP:
        field, indirect = f"{const}{number} *const *", "const *"
    value = f"({field.strip()}){name}" if pairs else name
    found = [Parameter(name, "matrix", f"{pointee} *{indirect}", field, value)]
    strides = []
    if layout is Layout.IL:
        strides = [f"nb{letter}"]
    elif index:
        pass  # vectors without gaps
    elif spec.strides.leading and (spec.spaced or not layout.interleaved):
        strides = [f"ld{letter}"]
    elif spec.strides is Strides.RS and not layout.interleaved:
        strides = [f"rs{letter}", f"cs{letter}"]
    if layout is Layout.ST:
        strides.append(f"stride_{letter}")
    return found + [Parameter(s, "stride", "int64_t", "int64_t", s) for s in strides]


def _checks(
    spec: KernelSpec, plain: Signature, stored: Sequence[tuple[Operand, Layout, tuple[Size, Size]]]
) -> list[tuple[str, int]]:
    """What an entry point refuses, in the order of its arguments. ``stored``: operands, and their rows and columns as
    they are stored."""
    positions = plain.positions
    found = [("batch_count < 0", "batch_count"), *((f"{name} < 0", name) for name in spec.unknown)]
    found += [(bad, TARGETS[spec.target].last[0]) for bad in TARGETS[spec.target].checks]
    for p in plain.parameters:
        if p.kind == "scalar" and p.ctype.endswith("*"):
            found.append((f"!{p.name}", p.name))
    if spec.row.info:
        found.append(("!info && batch_count > 0", "info"))
    for operand, layout, (rows, cols) in stored:
        name, letter = operand.name, operand.name.lower()
        if spec.strides.row_major:
            rows, cols = cols, rows
        some = _some(rows, cols)
        if some is not None:
            unread = (
                "" if operand.scaled_by is None or operand.role is not Role.IN else f" && {_nonzero(spec, operand)}"
            )
            found.append((f"!{name} && batch_count > 0{some}{unread}", name))
        if layout is Layout.IL:
            found.append((f"nb{letter} < batch_count", f"nb{letter}"))
        elif (spec.spaced or not layout.interleaved) and spec.strides.leading and operand.kind is not Kind.INDEX:
            found.append((f"ld{letter} < {evaluate('max(rows, 1)', {'rows': rows})}", f"ld{letter}"))
        if layout is Layout.ST and operand.role is not Role.IN and some is not None:
            found.append((f"stride_{letter} == 0 && batch_count > 1{some}", f"stride_{letter}"))
    return sorted(((bad, positions[name]) for bad, name in found), key=lambda check: check[1])


def _some(*sides: Size) -> str | None:
    """The C text, with its own &&, of the condition that a matrix has elements; None where it has none."""
    if 0 in sides:
        return None
    return "".join(f" && {side} > 0" for side in dict.fromkeys(sides) if isinstance(side, str))


def _nonzero(spec: KernelSpec, operand: Operand) -> str:
    factor = operand.scaled_by
    pair = spec.p.complex and factor not in spec.row.real_scalars
    return f"({factor}[0] != 0 || {factor}[1] != 0)" if pair else f"{factor} != 0"
