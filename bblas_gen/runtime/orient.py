"""From operands in memory to a kernel and its arguments.

Kernels are column-major. Each operand is turned into that form by index views alone: exchanging the two strides of a
matrix and toggling its transposition flag, or mirroring the whole problem (C' = op(B)' op(A)') where the output is
row-major. Where neither gives unit row strides, the kernel takes both strides at run time. Nothing is copied here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ..arrays.form import MatrixForm
from ..codegen.signature import signature_of
from ..ir.operation import Operation
from ..ir.spec import KernelSpec
from ..ir.terms import Kind, Letter, Role, Strides, Trans


class Origin(NamedTuple):
    """Where a number comes from: an attribute of the form of a user's operand, or of the transposed form."""

    operand: str
    turned: bool
    what: str

    def of(self, forms: Mapping[str, Any]) -> Any:
        """The number, for ``forms`` of the operands as they were given."""
        form = forms[self.operand]
        return getattr(form.transposed() if self.turned else form, self.what)


@dataclass(frozen=True)
class KernelCall:
    """A spec and where its arguments come from: per C parameter a number, the user's name of operand or scalar, or what
    :func:`lanes_of` an operand gives. ``sizes``: where those of the spec come from; ``numbers``: where arguments
    that are numbers do, by their places. ``overrides``: fields of its schedule that the model does not choose."""

    spec: KernelSpec
    arguments: tuple[int | str, ...]
    sizes: tuple[Origin, ...]
    numbers: Mapping[int, Origin]
    overrides: tuple[tuple[str, object], ...] = ()


def lanes_of(name: str) -> str:
    """What stands for the number of stored lanes of an operand, which grows with the batch."""
    return f"lanes of {name}"


def match(op: Operation, precision: str, forms: Mapping[str, MatrixForm], flags: Mapping[str, Letter]) -> KernelCall:
    """The kernel for operands that lie as ``forms`` say, in the user's names; shapes must agree already."""
    if op.transposition is None:
        users = {x.name: x.name for x in op.parameters}
        return _made(op, precision, _Oriented(dict(forms), dict(flags), users), _order(op, forms))
    output = next(x.name for x in op.matrices if x.role is not Role.IN)
    candidates = [_oriented(op, forms, flags, mirrored) for mirrored in (False, True)]
    usable = [c for c in candidates if c is not None]
    best = min(usable, key=lambda c: (not c.forms[output].column_major, -c.forms[output].rows))
    return _kernel_call(op, precision, best)


@dataclass(frozen=True)
class _Oriented:
    """The problem in one orientation, in canonical names; ``users`` maps those to the user's."""

    forms: dict[str, MatrixForm]
    flags: dict[str, Any]
    users: dict[str, str]


def _order(op: Operation, forms: Mapping[str, MatrixForm]) -> Strides:
    """The strides of a kernel that is told the memory order of its operands, one for all."""
    matrices = [forms[x.name] for x in op.parameters if x.kind is not Kind.INDEX]
    free = [form for form in matrices if not form.layout.interleaved]
    if all(form.packed for form in free):
        return Strides.PACKED
    turned = [form.transposed() for form in free]
    if all(form.packed for form in turned):
        return Strides.RM
    if all(form.column_major for form in free):
        return Strides.LD
    return Strides.RMLD if all(form.column_major for form in turned) else Strides.RS


def _oriented(
    op: Operation, forms: Mapping[str, MatrixForm], flags: Mapping[str, Letter], mirrored: bool
) -> _Oriented | None:
    """The problem as it is, or mirrored: None where an interleaved operand without a flag stands against that."""
    mirror = op.exchange if mirrored else {}
    users = {x.name: mirror.get(x.name, x.name) for x in op.matrices}
    found = {name: forms[user] for name, user in users.items()}
    letters = {x.flag: flags[op.operand(users[x.name]).flag or ""] for x in op.matrices if x.flag}
    if mirrored:
        for x in op.matrices:
            if not found[x.name].layout.interleaved:
                found[x.name] = found[x.name].transposed()
            elif x.flag:
                letters[x.flag] = letters[x.flag].toggled()
            else:
                return None
    for x in op.matrices:
        form = found[x.name]
        if x.flag and not form.layout.interleaved and not form.column_major and form.transposed().column_major:
            found[x.name] = form.transposed()
            letters[x.flag] = letters[x.flag].toggled()
    return _Oriented(found, letters, users)


def _strides(forms: Mapping[str, MatrixForm]) -> Strides:
    free = [form for form in forms.values() if not form.layout.interleaved]
    if all(form.packed for form in free):
        return Strides.PACKED
    return Strides.LD if all(form.column_major for form in free) else Strides.RS


def _kernel_call(op: Operation, precision: str, found: _Oriented) -> KernelCall:
    strides = _strides(found.forms)
    forms, letters = dict(found.forms), dict(found.flags)
    for x in op.matrices if strides is Strides.RS else ():
        if x.flag and not forms[x.name].layout.interleaved and letters[x.flag].transposes:
            forms[x.name] = forms[x.name].transposed()
            letters[x.flag] = letters[x.flag].toggled()
    return _made(op, precision, replace(found, forms=forms, flags=letters), strides)


def _made(op: Operation, precision: str, found: _Oriented, strides: Strides) -> KernelCall:
    forms, letters = found.forms, found.flags
    given = {found.users[name]: form.transposed() if form.turned else form for name, form in forms.items()}
    sizes: dict[str, Origin] = {}
    for x in op.parameters:
        turned = forms[x.name].turned ^ (x.flag is not None and letters[x.flag].transposes)
        sizes[op.size_name(x.rows, letters)] = Origin(found.users[x.name], turned, "rows")
        sizes[op.size_name(x.cols, letters)] = Origin(found.users[x.name], turned, "cols")
    blocks = {form.nb for form in forms.values() if form.layout.blocked}
    spec = KernelSpec(
        op=op.name,
        precision=precision,
        sizes=tuple(sizes[name].of(given) for name in op.sizes),
        flags=tuple(letters[name] if precision in "cz" else _real(letters[name]) for name in op.flags),
        layouts=tuple(forms[x.name].layout for x in op.parameters),
        nb=blocks.pop() if blocks else 0,
        strides=strides,
        sequence=op if op.composed else None,
    )
    arguments = _arguments(spec, forms, found.users)
    values = [x.of(given) if isinstance(x, Origin) else x for x in arguments]
    numbers = {i: x for i, x in enumerate(arguments) if isinstance(x, Origin)}
    return KernelCall(spec, tuple(values), tuple(sizes[name] for name in op.sizes), numbers)


def _real(letter: Letter) -> Letter:
    """A real matrix is its own conjugate: one kernel serves both letters."""
    return Trans.of(letter.transposes, False) if isinstance(letter, Trans) else letter


def _arguments(spec: KernelSpec, forms: Mapping[str, MatrixForm], users: Mapping[str, str]) -> list[Origin | str]:
    values: dict[str, Origin | str] = dict(users)
    for name, form in forms.items():
        letter, where = name.lower(), Origin(users[name], form.turned, "")
        values |= {
            f"ld{letter}": where._replace(turned=form.turned ^ spec.strides.row_major, what="leading"),
            f"rs{letter}": where._replace(what="rs"),
            f"cs{letter}": where._replace(what="cs"),
            f"stride_{letter}": where._replace(what="sb"),
            f"nb{letter}": lanes_of(users[name]),
        }
    return [values.get(p.name, p.name) for p in signature_of(spec).parameters]
