"""Element stiffness matrices of plane elasticity: K = sum over quadrature points of w |J| B' D B, for a whole mesh.

Elements are quadrilaterals of four nodes, 8 unknowns each. B (3 x 8) has the strains of the shape functions, D (3 x 3)
the material. The four points of an element are four operands of one kernel: D B never leaves the cache.
"""

from __future__ import annotations

import argparse
from time import perf_counter

import numpy as np

import bblas_gen as bb

POINTS = np.array([(x, y) for x in (-1, 1) for y in (-1, 1)]) / np.sqrt(3)  # Gauss, all weights 1
CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
NAMES = [f"B{i}" for i in range(len(POINTS))]
STIFFNESS = bb.sequence(
    [
        step
        for first, name in zip((True, False, False, False), NAMES, strict=True)
        for step in (
            bb.step("gemm", "D", name, "T"),  # T := D B
            bb.step("gemm", name, "T", "K", transa="T", beta=0 if first else 1),  # K := B' T + K
        )
    ],
    name="stiffness",
    scratch="T",
)


def mesh(side: int):
    """Nodes of ``side`` x ``side`` distorted elements: (elements, 4 corners, 2 coordinates)."""
    ticks = np.linspace(0, 1, side + 1)
    nodes = np.stack(np.meshgrid(ticks, ticks, indexing="ij"), axis=-1)
    nodes += 0.2 / side * np.random.default_rng(4).uniform(-1, 1, nodes.shape)
    around = [nodes[:-1, :-1], nodes[1:, :-1], nodes[1:, 1:], nodes[:-1, 1:]]
    return np.stack(around, axis=2).reshape(-1, 4, 2)


def strains(elements):
    """B of every element and point, (elements, points, 3, 8), times the root of the point's weight and volume."""
    xi, eta = POINTS.T[:, :, None]
    gradient = np.stack([CORNERS[:, 0] * (1 + eta * CORNERS[:, 1]), CORNERS[:, 1] * (1 + xi * CORNERS[:, 0])], axis=1)
    gradient /= 4  # (points, 2, 4)
    jacobian = gradient @ elements[:, None]  # (elements, points, 2, 2)
    slopes = np.linalg.solve(jacobian, np.broadcast_to(gradient, (len(elements), *gradient.shape)))
    b = np.zeros((*slopes.shape[:2], 3, 8))
    b[..., 0, 0::2] = b[..., 2, 1::2] = slopes[..., 0, :]
    b[..., 1, 1::2] = b[..., 2, 0::2] = slopes[..., 1, :]
    return b * np.sqrt(np.linalg.det(jacobian))[..., None, None]


def main(side: int) -> None:
    elements = mesh(side)
    b = strains(elements)
    modulus, ratio = 210.0, 0.3
    d = np.array([[1, ratio, 0], [ratio, 1, 0], [0, 0, (1 - ratio) / 2]]) * modulus / (1 - ratio**2)

    k = np.empty((len(elements), 8, 8))
    operands = {name: b[:, i] for i, name in enumerate(NAMES)}  # views, nothing is copied
    assemble = bb.plan(STIFFNESS, D=d, K=k, **operands)
    ours = min(timed(assemble) for _ in range(5))
    numpy = min(timed(lambda: (b.mT @ d @ b).sum(axis=1)) for _ in range(5))

    error = np.abs(k - (b.mT @ d @ b).sum(axis=1)).max() / np.abs(k).max()
    assert error < 1e-14 * 8, error
    turn = np.stack([-elements[..., 1], elements[..., 0]], axis=-1).reshape(-1, 8, 1)
    shift = np.tile([1.0, 0.0], 4).reshape(8, 1)
    for motion in (shift, turn):  # moving a body without deforming it takes no force
        assert np.abs(k @ motion).max() < 1e-12 * np.abs(k).max()
    rate = len(elements) / 1e6
    print(f"finite_elements: {rate / ours:.1f} million element matrices per second, NumPy {rate / numpy:.2f}")


def timed(function) -> float:
    started = perf_counter()
    function()
    return perf_counter() - started


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--side", type=int, default=100)
    main(**vars(parser.parse_args()))
