"""Which kernel does large matrices: one for any size, as there is little that a kernel for the size does better."""

from __future__ import annotations

from dataclasses import replace

from ..ir.spec import KernelSpec
from ..schedule import blocked, streamed
from .library import library_here
from .orient import KernelCall


def large(spec: KernelSpec) -> dict[str, object] | None:
    """The fields of the schedule that the kernel for any size has; None where the one for the size does it. Libraries
    that were built ahead have none of these."""
    found = blocked.large(spec)
    found = streamed.large(spec) if found is None else found
    return None if library_here() else found


def enlarged(found: KernelCall) -> KernelCall:
    """The call of the kernel that is best for its sizes."""
    overrides = large(found.spec)
    if overrides is None:
        return found
    arguments = (*found.spec.sizes, *found.arguments)
    return replace(found, spec=found.spec.any_size, arguments=arguments, overrides=tuple(overrides.items()))
