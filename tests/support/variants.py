"""Calls of variants of operations, with operands that suit every operation, in every form that arrays have."""

from __future__ import annotations

import numpy as np

import bblas_gen as bb
from bblas_gen.codegen.prose import made
from bblas_gen.ir.catalog import OPS

from .extended import random

N, BATCH = 5, 19


def by_columns(x):
    return x.swapaxes(-1, -2).copy().swapaxes(-1, -2)


FORMS = {
    "rows": lambda x: x,
    "columns": lambda x: by_columns(x) if x.ndim == 3 else x,
    "gaps": lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
    "lists": lambda x: list(x),
    "blocks": lambda x: bb.interleave(x if x.ndim == 3 else x[..., None]),
    "interleaved": lambda x: bb.interleave(x if x.ndim == 3 else x[..., None], nb="full"),
}


def operands_of(op, dtype="float64", n=N, batch=BATCH, columns=2):
    """Operands that suit every operation: a factor is positive definite too, as is what has one, and what is factored
    with no exchanges, or solved, is far from singular."""
    rng = np.random.default_rng(n)
    a = random(rng, (batch, n, n), dtype)
    a = (a @ a.conj().swapaxes(1, 2) + n * np.eye(n)).astype(dtype)
    found = []
    for x in OPS[op].parameters:
        if made(x):
            continue
        if x.name == "IPIV":
            found.append(np.tile(np.arange(1, n + 1, dtype=np.int32), (batch, 1)))
        elif x.is_vector:
            found.append(random(rng, (batch, n), dtype))
        else:
            found.append(a.copy() if x.rows == x.cols or x.triangle or x.rows == "m" == x.name else None)
            if found[-1] is None:
                found[-1] = random(rng, (batch, n, n if x.name == "A" else columns), dtype)
                if x.name == "A":
                    found[-1] += (2 * n * np.eye(n)).astype(dtype)
    return found


def scalars(op):
    return {"alpha": 2.0} if OPS[op].scalars else {}


def call(op, given, **more):
    return getattr(bb, op)(*given, **scalars(op), **more)


def values(x):
    """Results as arrays, whatever they are."""
    if isinstance(x, tuple):
        return [one for part in x for one in values(part)]
    return [x.deinterleave() if isinstance(x, bb.Interleaved) else np.array(x)]


def same(x, y):
    return all(np.array_equal(a.reshape(-1), b.reshape(-1), equal_nan=True) for a, b in zip(x, y, strict=True))


def formed(op, form, **more):
    return [x if x.dtype == np.int32 else FORMS[form](x) for x in operands_of(op, **more)]
