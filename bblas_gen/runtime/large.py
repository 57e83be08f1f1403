"""Which kernel does large matrices: one for any size, as there is little that a kernel for the size does better."""

from __future__ import annotations

from dataclasses import replace

from ..ir.spec import KernelSpec
from ..schedule.blocked import large
from .library import library_here
from .orient import KernelCall


def alone(spec: KernelSpec) -> bool:
    """Whether the kernel for any size is to do these sizes. Libraries that were built ahead have none of these."""
    return large(spec) and library_here() is None


def enlarged(found: KernelCall) -> KernelCall:
    """The call of the kernel that is best for its sizes."""
    if not alone(found.spec):
        return found
    arguments = (*found.spec.sizes, *found.arguments)
    return replace(found, spec=found.spec.any_size, arguments=arguments)
