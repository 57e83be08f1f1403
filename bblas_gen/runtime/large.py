"""Which kernel does large matrices: one for any size, as there is little that a kernel for the size does better."""

from __future__ import annotations

from dataclasses import replace

from ..codegen.signature import signature_of
from ..ir.spec import KernelSpec
from ..ir.terms import Strides
from .orient import KernelCall

SPACED = {Strides.PACKED: Strides.LD, Strides.RM: Strides.RMLD}
"""Threads share matrices whose leading dimension is no size."""


def large(spec: KernelSpec) -> dict[str, object] | None:
    """The fields of the schedule that the kernel for any size has; None where the one for the size does it. Libraries
    that were built ahead have none of these."""
    from ..schedule import blocked  # here: importing bblas_gen must stay fast
    from ..schedule import large as schedule
    from .library import library_here

    if library_here() is not None:
        return None
    if blocked.large(spec):
        return {}
    form = schedule.large(spec)
    return {"form": form} if form else None


def instead(spec: KernelSpec) -> tuple[KernelSpec, dict[str, object]] | None:
    """The kernel for any size that calls run in the place of the one for the size, which ``spec`` is, and the fields of
    its schedule; None where they run that one."""
    overrides = large(spec)
    if overrides is None:
        return None
    strides = spec.strides if overrides else SPACED.get(spec.strides, spec.strides)
    return replace(spec, strides=strides).any_size, overrides


def enlarged(found: KernelCall) -> KernelCall:
    """The call of the kernel that is best for its sizes."""
    best = instead(found.spec)
    if best is None:
        return found
    general, overrides = best
    names = [p.name for p in signature_of(found.spec).parameters]
    known = dict(zip(names, found.arguments, strict=True)) | {**found.spec.size}
    for x in found.spec.row.parameters:
        known.setdefault(f"ld{x.name.lower()}", max(1, found.spec.stored(x)[general.strides.row_major]))
    arguments = tuple(known[p.name] for p in signature_of(general).parameters)
    return replace(found, spec=general, arguments=arguments, overrides=tuple(overrides.items()))
