"""Conjugate gradients with a block-Jacobi preconditioner: factor all diagonal blocks once, solve with all in each step.

The matrix is sparse with dense blocks: ``fields`` unknowns react in every node of a grid and diffuse to its neighbours.
It is kept by blocks, as scipy.sparse.bsr_array keeps it: ``blocks[indptr[i]:indptr[i + 1]]`` stand in block row i, in
block columns ``indices[indptr[i]:indptr[i + 1]]``.

Every call here takes one thread: the calls are short, and between them NumPy's BLAS runs threads of its own. Two teams
of threads that take turns wait for each other, most of all on a busy machine.
"""

from __future__ import annotations

import argparse
from time import perf_counter

import numpy as np

import bblas_gen as bb


def reaction_diffusion(grid: int, fields: int):
    """Blocks, indices, indptr of a symmetric positive definite matrix on ``grid`` x ``grid`` nodes."""
    rng = np.random.default_rng(2)
    nodes = np.arange(grid * grid).reshape(grid, grid)
    padded = np.pad(nodes, 1, constant_values=-1)
    around = [padded[1:-1, 1:-1], padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:]]
    neighbours = np.stack(around, axis=-1).reshape(-1, 5)  # the node itself comes first
    mix = rng.standard_normal((len(neighbours), fields, fields))
    speed = 10.0 ** rng.uniform(0, 3, (len(neighbours), 1, 1))  # fast and slow reactions side by side
    blocks = np.tile(-np.eye(fields), (len(neighbours), 5, 1, 1))
    blocks[:, 0] = speed * (mix @ mix.mT) / fields + 4 * np.eye(fields)
    there = neighbours >= 0
    indptr = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
    return blocks[there], neighbours[there], indptr


def product(blocks, indices, indptr, x):
    """The sparse matrix times x (nodes, fields): one small product for each block, then sums over block rows."""
    parts = bb.gemv(blocks, x[indices], np.empty((len(blocks), x.shape[1])), num_threads=1)
    return np.add.reduceat(parts, indptr[:-1])


def conjugate_gradients(apply, precondition, b, tolerance=1e-10, limit=5000):
    """Solve with the symmetric positive definite ``apply``; returns the solution and the number of steps."""
    x, r = np.zeros_like(b), b.copy()
    z = precondition(r)
    p, rz = z.copy(), np.vdot(r, z)
    for steps in range(1, limit):
        ap = apply(p)
        alpha = rz / np.vdot(p, ap)
        x += alpha * p
        r -= alpha * ap
        if np.linalg.norm(r) < tolerance * np.linalg.norm(b):
            return x, steps
        z = precondition(r)
        rz, old = np.vdot(r, z), rz
        p *= rz / old
        p += z
    return x, limit


def main(grid: int, fields: int) -> None:
    blocks, indices, indptr = reaction_diffusion(grid, fields)
    diagonal = blocks[indptr[:-1]]  # a copy: every row's first block is the one on the diagonal
    b = np.random.default_rng(3).standard_normal((grid * grid, fields))

    factors = bb.potrf(diagonal, overwrite=False, num_threads=1)
    z = np.empty_like(b)
    solve = bb.plan("potrs", factors, z[:, :, None], num_threads=1)

    def jacobi(r):
        z[...] = r
        solve()
        return z

    def apply(x):
        return product(blocks, indices, indptr, x)

    x, steps = conjugate_gradients(apply, jacobi, b)
    _, plain = conjugate_gradients(apply, np.copy, b)
    full = np.add.reduceat(np.einsum("bij,bj->bi", blocks, x[indices]), indptr[:-1])
    error = np.linalg.norm(full - b) / np.linalg.norm(b)
    assert error < 1e-9, error
    assert steps < plain, (steps, plain)

    ours = min(timed(lambda: jacobi(b)) for _ in range(5))
    numpy = min(timed(lambda: np.linalg.solve(diagonal, b[:, :, None])) for _ in range(5))
    rate = len(b) / 1e6
    print(
        f"block_jacobi: {steps} steps ({plain} without it), "
        f"{rate / ours:.1f} million blocks solved per second, NumPy {rate / numpy:.2f}"
    )


def timed(function) -> float:
    started = perf_counter()
    function()
    return perf_counter() - started


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--grid", type=int, default=60)
    parser.add_argument("--fields", type=int, default=6)
    main(**vars(parser.parse_args()))
