"""Kernels for any size that do large operands otherwise than small ones: which forms they have, and what is large.

Products choose between their forms themselves, see ``Schedule.large``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..ir.program import Program
from ..ir.spec import KernelSpec
from . import recursive, streamed
from .blocked import packs

FORMS = {"streamed": streamed, "recursive": recursive}


def form(spec: KernelSpec) -> str:
    """The form of the kernel for any size, which ``spec`` is, that is for large operands; "" where there is none."""
    program = Program.of(spec)
    if not program.target.simd or packs(program):
        return ""
    return next((name for name, one in FORMS.items() if one.possible(program)), "")


def large(spec: KernelSpec) -> str:
    """That of operands of these sizes; "" where they are small, or there is none. Depends on shapes alone."""
    return next((name for name, one in FORMS.items() if one.large(spec)), "")


def condition(spec: KernelSpec, extents: Mapping[str, Any]) -> str:
    """The C text of ``large``, where all sizes are as in ``extents``."""
    return str(FORMS[form(spec)].condition(spec, extents))
