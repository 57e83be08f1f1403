"""How a library finds the kernel for a shape: one number of 64 bits for each, in a table with open addressing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..ir.spec import KernelSpec
from .contents import CODE_BITS, LAYOUT_BITS, LAYOUTS, Family, layout_of

MULTIPLIER = 0x9E3779B97F4A7C15
"""2**64 over the golden ratio: the upper bits of a product are spread evenly."""


def key(family: Family, spec: KernelSpec) -> int:
    """Sizes, code, layout and a 1, from the upper bits on: never 0, which means that nothing is there."""
    found = 0
    for size in spec.sizes:
        found = found << family.size_bits | int(size)
    found = found << CODE_BITS | family.codes[spec.any_size]
    return (found << LAYOUT_BITS | LAYOUTS.index(layout_of(spec))) << 1 | 1


def table(keys: Mapping[int, int]) -> tuple[int, Sequence[tuple[int, int]]]:
    """The bits of an index and the rows (key, value) of a hash table at most half full."""
    bits = max(1, (2 * len(keys) - 1).bit_length())
    rows = [(0, 0)] * 2**bits
    for one, value in keys.items():
        at = one * MULTIPLIER % 2**64 >> 64 - bits
        while rows[at][0]:
            at = (at + 1) % 2**bits
        rows[at] = (one, value)
    return bits, rows
