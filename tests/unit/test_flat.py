"""Flat bodies, interpreted: their loads, shuffles and stores make the product, and touch nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import Isa
from bblas_gen.ir.views import View
from bblas_gen.schedule import flat
from bblas_gen.schedule.choose import choose


def view(rows, cols, transposed, parts):
    return View(cols, 1, parts) if transposed else View(1, rows, parts)


def lanes(found, memory, width):
    """The vector that a Gather, or a real for all lanes, brings; loads stay inside the memory."""
    if isinstance(found, int):
        return np.full(width, memory[found])
    for base in found.bases:
        assert 0 <= base <= len(memory) - width
    loads = np.concatenate([memory[base : base + width] for base in (found.bases[0], found.bases[-1])])
    return loads[list(found.mask)] if found.mask else loads[:width]


def interpret(tiles, shape, a, b, c):
    """c := c + a b by the tiles, as the C does it: every vector of a tile is loaded before one is stored."""
    c = c.copy()
    for tile in tiles:
        sums = [[np.zeros(shape.width) for _ in range(shape.parts)] for _ in tile.outputs]
        for step in tile.steps:
            left = [lanes(x, a, shape.width) for x in step.a]
            for total, (which, factors) in zip(sums, step.products, strict=True):
                for part, factor in enumerate(factors):
                    total[part] = total[part] + left[which] * lanes(factor, b, shape.width)
        olds = [lanes(out.old, c, shape.width) for out in tile.outputs]
        for out, old, total in zip(tile.outputs, olds, sums, strict=True):
            new = old + total[0]
            if shape.parts == 2:
                turned = total[1].reshape(-1, 2)[:, ::-1] * [-1, 1]
                new = new + turned.reshape(-1)
            for offset, size in out.pieces:
                assert out.start + offset + size <= len(c)
                c[out.start + offset : out.start + offset + size] = new[offset : offset + size]
    return c


def reals(x, parts):
    """Column-major reals of a batch of matrices."""
    flat_order = np.ascontiguousarray(x.swapaxes(1, 2))
    return flat_order.reshape(-1).view(float) if parts == 2 else flat_order.reshape(-1)


@settings(max_examples=300, deadline=None)
@given(
    sizes=st.tuples(*[st.integers(1, 9)] * 3),
    parts=st.sampled_from([1, 2]),
    width=st.sampled_from([2, 4, 8, 16]),
    matrices=st.sampled_from([1, 2, 4, 8, 16]),
    transposed=st.tuples(st.booleans(), st.booleans()),
    vectors=st.integers(1, 12),
)
def test_bodies_compute_the_product(sizes, parts, width, matrices, transposed, vectors):
    m, n, k = sizes
    shape = flat.Shape(m, n, k, parts, width, matrices)
    try:
        tiles = flat.tiles(shape, view(m, k, transposed[0], parts), view(k, n, transposed[1], parts), vectors)
    except flat.Impossible:
        return
    rng = np.random.default_rng([*sizes, parts, width, matrices])
    kind = complex if parts == 2 else float
    a, b, c = (rng.integers(-9, 9, (matrices, *s)).astype(kind) for s in ((m, k), (k, n), (m, n)))
    if parts == 2:
        a, b = a + 1j * a[:, ::-1], b - 2j * b
    stored = [x.swapaxes(1, 2) if t else x for x, t in zip((a, b), transposed, strict=True)]
    found = interpret(tiles, shape, *(reals(x, parts) for x in (*stored, c)))
    assert np.array_equal(found, reals(c + a @ b, parts))
    work = flat.work(width, tiles)
    assert work.products == -(-m * n * parts * matrices // shape.step) * k * parts
    assert work.stores >= len([out for tile in tiles for out in tile.outputs])


@pytest.mark.parametrize(
    ("sizes", "width", "matrices"),
    [((2, 2, 2), 8, 2), ((2, 2, 2), 4, 1), ((3, 3, 3), 4, 1), ((4, 4, 4), 8, 1), ((5, 5, 5), 8, 1), ((7, 7, 7), 8, 1)],
)
def test_there_are_bodies(sizes, width, matrices):
    m, n, k = sizes
    assert flat.tiles(flat.Shape(m, n, k, 1, width, matrices), view(m, k, False, 1), view(k, n, False, 1), 4)


@pytest.mark.parametrize(
    ("positions", "total", "expected"),
    [
        ([3, 4, 5, 6], 9, flat.Gather((3,))),
        ([7, 8, None, None], 9, flat.Gather((5,), (2, 3, 0, 0))),
        ([0, 0, 1, 1], 9, flat.Gather((0,), (0, 0, 1, 1))),
        ([5, 5, 6, 6], 9, flat.Gather((4,), (1, 1, 2, 2))),
        ([1, 1, 7, 7], 9, flat.Gather((1, 4), (0, 0, 7, 7))),
        # from 14 on, gcc would misread it
        ([14, 14, 18, 18, 19, 19, 20, 20], 24, flat.Gather((13,), (1, 1, 5, 5, 6, 6, 7, 7))),
    ],
)
def test_gather(positions, total, expected):
    assert flat.gather(positions, total) == expected


@pytest.mark.parametrize(("positions", "total"), [([0, 5, 10, 15], 16), ([0, 1, 2, None], 3)])
def test_gather_knows_what_it_cannot_do(positions, total):
    with pytest.raises(flat.Impossible):
        flat.gather(positions, total)


def test_more_matrices_than_a_body_can_have_are_refused_at_once():
    program = Program.of(KernelSpec.parse("bb_dgemm_nn_st_m2n2k2"))
    with pytest.raises(ValueError, match="matrices_per_vector = 1000000 is not available"):
        choose(program, Isa.of(32), form="flat", matrices_per_vector=1_000_000)
