"""The table in which a C library finds the kernel for a shape, looked up as its C does."""

from __future__ import annotations

import pytest

from bblas_gen.ir.catalog import LISTED
from bblas_gen.ir.spec import PRECISIONS
from bblas_gen.ir.terms import Layout
from bblas_gen.library.contents import Family, families, reachable, spread
from bblas_gen.library.keys import MULTIPLIER, key, table

LAYOUTS = (Layout.PP, Layout.ST, Layout.BI)


def found(rows, bits, wanted):
    at = wanted * MULTIPLIER % 2**64 >> 64 - bits
    while rows[at][0] != wanted:
        if not rows[at][0]:
            return None
        at = (at + 1) % len(rows)
    return rows[at][1]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 500])
def test_what_is_there_is_found_and_nothing_else(count):
    keys = {(7919 * i * i << 20 | i << 1 | 1) % 2**64: i for i in range(count)}
    bits, rows = table(keys)
    assert len(rows) == 2**bits >= 2 * len(keys)
    assert all(found(rows, bits, one) == i for one, i in keys.items())
    assert found(rows, bits, 2**63 + 1) is None


@pytest.mark.parametrize("row", LISTED, ids=lambda row: row.name)
def test_no_two_kernels_have_one_key(row):
    specs = spread(row, PRECISIONS["z"], (1, 2, 16), LAYOUTS)
    (family,) = families(specs, LAYOUTS)
    keys = [key(family, spec) for spec in family.kernels]
    assert len(set(keys)) == len(keys) == len(specs) > 0
    assert all(0 < one < 2**64 for one in keys)


def test_sizes_beyond_their_bits_are_not_in_the_table():
    family = Family(LISTED[0], PRECISIONS["d"], LAYOUTS, ())
    large = spread(LISTED[0], PRECISIONS["d"], (2**family.size_bits,), LAYOUTS)
    assert not any(reachable(family, spec) for spec in large)
