"""The cases in which every family of CUDA kernels is run."""

from __future__ import annotations

from itertools import product

from support.families import BATCHES, SIZES, everything


def test_layouts_precisions_and_sizes_meet_each_batch() -> None:
    """One matrix, a block and part of another, blocks that are not full."""
    cases = everything()
    layouts, dtypes = ({getattr(case, x) for case in cases} for x in ("layouts", "dtype"))
    found = {(case.layouts, max(case.sizes.values()), case.batch) for case in cases}
    assert found >= {*product(layouts, SIZES, BATCHES)}
    assert {(case.dtype, case.batch) for case in cases} == {*product(dtypes, BATCHES)}
    assert len(layouts) == len(dtypes) == len(BATCHES) == 4
