"""A bank of Kalman filters: thousands of objects are tracked at once, and one kernel does a whole step of all of them.

Each object moves in a plane. Its state x is (position, velocity), 4 numbers, with covariance P. Only positions y are
measured. A step predicts and then corrects:

    x := F x                   P := F P F' + Q
    S := H P H' + R            L L' = S                 U := inv(L) H P
    x := x + U' inv(L) (y - H x)                        P := P - U' U
"""

from __future__ import annotations

import argparse
from time import perf_counter

import numpy as np

import bblas_gen as bb

STEP = bb.sequence(
    [
        bb.step("gemm", "F", "X", "V"),  # V := F x
        bb.step("lacpy", "V", "X"),
        bb.step("symm", "P", "F", "W", side="R"),  # W := F P
        bb.step("lacpy", "Q", "P"),
        bb.step("gemm", "W", "F", "P", transb="T", beta=1),  # P := W F' + Q
        bb.step("symm", "P", "H", "U", side="R"),  # U := H P
        bb.step("lacpy", "R", "S"),
        bb.step("gemm", "U", "H", "S", transb="T", beta=1),  # S := U H' + R
        bb.step("potrf", "S"),  # S := L
        bb.step("trsm", "S", "U"),  # U := inv(L) H P
        bb.step("lacpy", "Y", "D"),
        bb.step("gemm", "H", "X", "D", alpha=-1, beta=1),  # D := y - H x
        bb.step("trsm", "S", "D"),  # D := inv(L) D
        bb.step("gemm", "U", "D", "X", transa="T", beta=1),  # x := x + U' D
        bb.step("syrk", "U", "P", trans="T", alpha=-1, beta=1),  # P := P - U' U, the lower triangle
    ],
    name="track",
    scratch=["V", "W", "U", "S", "D"],
)
TIME = 0.1
F = np.eye(4) + TIME * np.eye(4, k=2)
H = np.eye(2, 4)
Q, R = 1e-3 * np.eye(4), 1e-2 * np.eye(2)


def track(x, p, measured):
    """Run the filters over ``measured`` (steps, filters, 2, 1); x and p are overwritten. Returns seconds per step."""
    y = np.empty_like(measured[0])
    state = bb.interleave(x)  # stays interleaved from step to step; F, H, Q and R are one matrix for all
    covariance = bb.interleave(p)
    step = bb.plan(STEP, F=F, X=state, P=covariance, Q=Q, H=H, R=R, Y=y)
    seconds = []
    for positions in measured:
        y[...] = positions
        started = perf_counter()
        step()
        seconds.append(perf_counter() - started)
    state.deinterleave(out=x)
    covariance.deinterleave(out=p)
    return min(seconds)


def track_numpy(x, p, measured):
    """The same with NumPy's batched functions."""
    seconds = []
    for y in measured:
        started = perf_counter()
        x[...] = F @ x
        p[...] = F @ p @ F.T + Q
        gain = np.linalg.solve(H @ p @ H.T + R, H @ p).mT
        x += gain @ (y - H @ x)
        p -= gain @ H @ p
        seconds.append(perf_counter() - started)
    return min(seconds)


def main(filters: int, steps: int) -> None:
    rng = np.random.default_rng(1)
    start = rng.standard_normal((filters, 4, 1))
    times = TIME * np.arange(1, steps + 1).reshape(-1, 1, 1, 1)
    measured = start[:, :2] + times * start[:, 2:] + 0.1 * rng.standard_normal((steps, filters, 2, 1))
    x, p = np.zeros_like(start), np.tile(np.eye(4), (filters, 1, 1))
    expected, expected_p = x.copy(), p.copy()
    ours, numpy = track(x, p, measured), track_numpy(expected, expected_p, measured)
    error = max(np.abs(x - expected).max(), np.abs(np.tril(p - expected_p)).max())
    assert error < 1e-10, error
    print(f"kalman_bank: {filters / ours / 1e6:.1f} million filter steps per second, NumPy {filters / numpy / 1e6:.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--filters", type=int, default=20_000)
    parser.add_argument("--steps", type=int, default=20)
    main(**vars(parser.parse_args()))
