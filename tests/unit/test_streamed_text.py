"""Sums of streamed bodies: in which order their terms are added."""

from __future__ import annotations

import pytest

from bblas_gen.codegen.streamed import pairwise, passes


def added(tree, sums):
    """What a tree of terms leaves, by number."""
    for term, pairs in tree:
        sums[term] = term
        for low, high in pairs:
            sums[low] = (sums[low], sums[high])
    return sums


@pytest.mark.parametrize("apart", [1, 2, 4, 8, 16])
@pytest.mark.parametrize("count", [1, 2, 4, 8])
def test_passes_add_as_all_at_once(count, apart):
    """Each adds terms of its own, and then what was kept; what is kept is read before it is overwritten."""
    if count > apart:
        return
    kept, seen = {}, []
    for some in passes(count, apart):
        found = added(some.tree, {})[some.first]
        seen += [term for term, _ in some.tree]
        for level in some.merged:
            found = (kept.pop(level), found)
        assert some.kept not in kept
        kept[some.kept] = found
    assert kept == {-1: added(pairwise(apart), {})[0]}
    assert sorted(seen) == list(range(apart))
