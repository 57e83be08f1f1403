"""Which kernel does large matrices: one for any size, as there is little that a kernel for the size does better."""

from __future__ import annotations

from dataclasses import replace

from ..schedule import blocked, recursive
from .library import library_here
from .orient import KernelCall


def enlarged(found: KernelCall) -> KernelCall:
    """The call of the kernel that is best for its sizes. Libraries that were built ahead have none of these."""
    products = blocked.large(found.spec)
    overrides = recursive.large(found.spec) if products is None else products
    if overrides is None or library_here() is not None:
        return found
    arguments = (*found.spec.sizes, *found.arguments)
    return replace(found, spec=found.spec.any_size, arguments=arguments, overrides=tuple(overrides.items()))
