"""Which kernel does large matrices: one for any size, as there is little that a kernel for the size does better."""

from __future__ import annotations

from dataclasses import replace

from ..codegen.signature import signature_of
from ..ir.spec import KernelSpec
from ..ir.terms import Strides
from ..schedule.blocked import large
from .library import library_here
from .orient import KernelCall

SPACED = {Strides.PACKED: Strides.LD, Strides.RM: Strides.RMLD}
"""Threads share matrices whose leading dimension is no size."""


def alone(spec: KernelSpec) -> bool:
    """Whether the kernel for any size is to do these sizes. Libraries that were built ahead have none of these."""
    return large(spec) and library_here() is None


def enlarged(found: KernelCall) -> KernelCall:
    """The call of the kernel that is best for its sizes."""
    if not alone(found.spec):
        return found
    spec = replace(found.spec, strides=SPACED.get(found.spec.strides, found.spec.strides))
    names = [p.name for p in signature_of(found.spec).parameters]
    known = dict(zip(names, found.arguments, strict=True)) | {**spec.size}
    for x in spec.row.parameters:
        known.setdefault(f"ld{x.name.lower()}", max(1, spec.stored(x)[spec.strides.row_major]))
    general = spec.any_size
    arguments = tuple(known[p.name] for p in signature_of(general).parameters)
    return replace(found, spec=general, arguments=arguments)
