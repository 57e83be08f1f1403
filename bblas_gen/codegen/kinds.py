"""What kernels know of their scalars: the variants that are compiled beside the one that takes any."""

from __future__ import annotations

from typing import Any

from ..ir.program import Program
from .device import ANY

KINDS: dict[tuple[str, ...], tuple[tuple[str, ...], ...]] = {
    ("alpha",): (("1",), ("0",)),
    ("alpha", "beta"): (("1", "0"), ("1", "1"), ("0", "BB_ANY")),
}
"""What scalars may be known to be when a kernel is compiled; each is a variant beside the one that takes any."""


def _asked(program: Program) -> bool:
    """Whether a kernel asks for the kinds of its scalars at run time: there are too many variants, or its tiles ask."""
    return program.spec.general or (program.row.scalars != () and program.row.scalars not in KINDS)


def device_kinds(program: Program) -> list[tuple[str, ...]]:
    """What each function of a GPU knows of the scalars: those of the sequences that users name are asked for."""
    scalars = program.row.scalars
    return [()] if not scalars or _asked(program) else [*KINDS[scalars], (ANY,) * len(scalars)]


def variants(program: Program) -> list[dict[str, Any]]:
    """The variants as C: the condition on the argument block, what the body is given as constants, whether the output
    is not read, and whether the other operands are. Where it asks at run time, vectors of matrices have one more, for
    scalars of which none is 0 or 1: its loops have constant bounds."""
    scalars = program.row.scalars
    asked, untold = "".join(f"g->{name}_is, " for name in scalars), "BB_ANY, " * len(scalars)
    if program.spec.general:
        return [_case("", asked)]
    if _asked(program):
        neither = " && ".join(f"g->{name}_is == BB_ANY" for name in scalars)
        return [_case(f"if ({neither})", untold), _case("else", asked)]
    cases: list[dict[str, Any]] = []
    for values in KINDS.get(scalars, ()):
        known = [(name, value) for name, value in zip(scalars, values, strict=True) if value != "BB_ANY"]
        tests = " && ".join(f"g->{name}_is == {value}" for name, value in known)
        condition = f"{'else ' if cases else ''}if ({tests})"
        overwrites, multiplies = dict(known).get("beta") == "0", dict(known).get("alpha") != "0"
        cases.append(_case(condition, ", ".join(values) + ", ", overwrites, multiplies))
    return [*cases, _case("else" if cases else "", untold)]


def _case(condition: str, constants: str, overwrites: bool = False, multiplies: bool = True) -> dict[str, Any]:
    return {
        "condition": condition,
        "constants": constants,
        "overwrites": overwrites,
        "multiplies": multiplies,
    }
