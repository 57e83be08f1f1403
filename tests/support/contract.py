"""What every call has to keep to: what it reads and writes, and how wrong it may be."""

from __future__ import annotations

import numpy as np

from bblas_gen.ir.terms import Role

from .cases import run
from .extended import NAN, stored
from .layouts import bits


def spoiled(operands, names):
    """The operands, those named all NaN, or -1 where they are indices."""
    bad = {name: -1 if x.dtype == np.int32 else NAN for name, x in operands.items()}
    return {name: np.full_like(x, bad[name]) if name in names else x for name, x in operands.items()}


def may_change(case, name, shape):
    """Which elements of an operand a call writes."""
    if case.row.operand(name).role is Role.IN:
        return np.zeros(shape, bool)
    written = case.oracle.written(dict(case.flags))
    return stored(shape, *written[name]) if name in written else np.ones(shape, bool)


def in_memory(case, position, shape):
    """Which elements of an operand are stored."""
    return stored(shape, case.flags["uplo"]) if case.layout(position) == "alone" else np.ones(shape, bool)


def check(case, choice=None):
    """The result is right though nothing that counts for nothing is a number, and nothing else is written; with the
    case's kernel or another ``choice``."""
    clean = case.make()
    before = spoiled(clean, case.unread())
    found = run(case, before, choice=choice)
    assert found.info is None or not found.info.any(), case
    error = case.oracle.error(clean, found.after, dict(case.flags), {"alpha": 1, "beta": 0} | dict(case.scalars))
    assert error <= (0 if case.scalars.get("alpha") == 0 else case.oracle.bound), (case, error)
    for position, (name, x) in enumerate(before.items()):
        kept = ~may_change(case, name, x.shape[1:]) & in_memory(case, position, x.shape[1:])
        assert bits(found.after[name][:, kept]) == bits(x[:, kept]), (case, "written beyond what is its", name)
        assert found.given[name].untouched_around(), (case, "written beside", name)
