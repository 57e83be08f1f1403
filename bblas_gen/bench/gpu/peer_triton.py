"""A product in Triton, as its tutorials have it for small matrices: a program for each, padded to a power of two."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import triton
import triton.language as tl

DOT = 16
"""The least side of matrices that Triton's own product takes."""


@triton.jit  # type: ignore[untyped-decorator]
def _product(a, b, c, n: tl.constexpr, side: tl.constexpr, dot: tl.constexpr):  # type: ignore[no-untyped-def]
    row, column = tl.arange(0, side)[:, None], tl.arange(0, side)[None, :]
    at = tl.program_id(0).to(tl.int64) * n * n + row * n + column
    inside = (row < n) & (column < n)
    x, y = tl.load(a + at, mask=inside, other=0.0), tl.load(b + at, mask=inside, other=0.0)
    if dot:  # noqa: SIM108
        found = tl.dot(x, y, input_precision="ieee")
    else:
        found = tl.sum(x[:, :, None] * y[None, :, :], axis=1)
    tl.store(c + at, found, mask=inside)


def product(a: Any, b: Any, c: Any) -> Callable[[], Any]:
    """What queues C := A B on square matrices, (batch, n, n)."""
    batch, n, _ = a.shape
    side = max(2, triton.next_power_of_2(n))
    dot = side >= DOT and a.element_size() == 4
    return lambda: _product[(batch,)](a, b, c, n, side, dot)
