"""Bins of a variable batch: which matrices are alike, and in which order they are run."""

from __future__ import annotations

import numpy as np
import pytest

from bblas_gen.runtime import bins
from bblas_gen.runtime.bins import Bins


def alike(found, columns, batch):
    """Bins as they should be: stable, each of all matrices that have the same in all columns."""
    rows = list(zip(*(column.tolist() for column in columns), strict=True)) or [()] * batch
    assert sorted(found.order.tolist()) == list(range(batch))
    of = [{rows[i] for i in index} for index in found]
    assert all(len(kinds) == 1 for kinds in of)
    assert len(set.union(set(), *of)) == len(found)
    assert all((np.diff(index) > 0).all() for index in found)
    assert found.number.tolist() == [next(k for k, index in enumerate(found) if i in index) for i in range(batch)]


@pytest.mark.parametrize("high", [1, 2, 7, 2**20, 2**45])
@pytest.mark.parametrize("batch", [0, 1, 60])
def test_matrices_that_are_alike_share_a_bin(rng, high, batch):
    few = rng.integers(0, 3, batch)
    columns = [few, rng.integers(-5, high, batch), few, rng.integers(0, high, batch) // 2, few * high]
    alike(Bins.of(columns, batch), columns, batch)
    alike(Bins.of([], batch), [], batch)


def test_many_kinds_are_counted_in_steps(rng, monkeypatch):
    monkeypatch.setattr(bins, "DENSE", 8)
    columns = [rng.integers(0, 5, 50) for _ in range(6)]
    alike(Bins.of(columns, 50), columns, 50)


@pytest.mark.parametrize("batch", [0, 1, 300])
@pytest.mark.parametrize("matrix_bytes", [0, 2**15, 2**20])
def test_pieces_cover_all_once_window_by_window(rng, monkeypatch, matrix_bytes, batch):
    monkeypatch.setattr(bins, "LEAST", 4)
    found = Bins.of([rng.integers(0, 5, batch)], batch)
    pieces, windows = found.pieces(matrix_bytes)
    assert sorted(i for _, start, stop in pieces for i in range(start, stop)) == list(range(batch))
    size = max(4 * len(found), bins.WINDOW_BYTES // max(1, matrix_bytes))
    assert len(windows) == -(-batch // max(1, size)) + 1
    for window in range(len(windows) - 1):
        for number, start, stop in pieces[windows[window] : windows[window + 1]]:
            assert found.ends[number] <= start < stop <= found.ends[number + 1]
            assert set(found.order[start:stop] // size) == {window}
