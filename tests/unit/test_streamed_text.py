"""Sums of streamed bodies: in which order their terms are added."""

from __future__ import annotations

import pytest

from bblas_gen.codegen.streamed import every, pairwise


def added(tree):
    """What a tree of terms leaves."""
    sums = {}
    for term, pairs in tree:
        sums[term] = term
        for low, high in pairs:
            sums[low] = (sums[low], sums.pop(high))
    (found,) = sums.values()
    return found


def renamed(found, step, first):
    """Each number in the place of another."""
    if isinstance(found, tuple):
        return tuple(renamed(x, step, first) for x in found)
    return first + step * found


@pytest.mark.parametrize("count", [2, 4, 8, 16])
@pytest.mark.parametrize("step", [1, 2, 4, 8])
def test_passes_are_the_branches_of_a_tree(count, step):
    """Each adds its terms as a tree of all would where these go by in its order, so rows may be joined so far."""
    if step > count:
        return
    found = {first: every(step, count, first) for first in range(step)}
    assert sorted(term for tree in found.values() for term, _ in tree) == list(range(count))
    for first, tree in found.items():
        assert added(tree) == renamed(added(pairwise(count // step)), step, first)
    whole = added(pairwise(count))
    for _ in range(step.bit_length() - 1):
        whole = whole[0] if step > 1 else whole
    assert added(found[0]) == whole
