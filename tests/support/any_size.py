"""Kernels for any size, called with operands between NaN, before a page that nobody may read."""

from __future__ import annotations

import numpy as np

from bblas_gen.ir.terms import Kind, Role
from bblas_gen.runtime.marshal import ffi, scalar
from support.walls import before_a_wall

DTYPES = {"s": "float32", "d": "float64", "c": "complex64", "z": "complex128"}
GAP = 3


def lying(x, strides):
    """Memory with gaps of NaN, what of it is the matrices, the strides of its elements, any of which go backwards, and
    what keeps it."""
    batch, rows, cols = x.shape
    gap, by_rows = GAP if "ld" in strides else 0, strides.startswith("rm")
    if strides == "rs":
        whole, keep = before_a_wall(np.full((batch, 2 * rows + 1, 2 * cols + 1), np.nan, x.dtype))
        view = whole[:, : 2 * rows : 2, : 2 * cols : 2][:, ::-1, ::-1]
        return whole, view, [y // x.itemsize for y in view.strides[1:]], keep
    columns, length = (rows, cols) if by_rows else (cols, rows)
    whole, keep = before_a_wall(np.full((batch, columns, length + gap), np.nan, x.dtype))
    view = whole[:, :, :length]
    return whole, view if by_rows else view.swapaxes(1, 2), [max(1, length + gap)] * bool(gap), keep


def call(kernel, sizes, before, values, threads=1):
    """The operands after a call, what lies between them untouched, and what is reported. What is not read, as it is
    empty or multiplied by zero, is a null pointer."""
    spec, row = kernel.spec, kernel.spec.row
    dtype, kept, found = np.dtype(DTYPES[spec.precision]), [], {}
    arguments = [sizes[name] for name in row.sizes]
    for name in row.arguments:
        if name in row.scalars:
            plain = name in row.real_scalars and spec.p.complex
            arguments.append(values[name].real if plain else scalar(name, values[name], dtype))
        elif row.operand(name).kind is Kind.INDEX:
            found[name] = np.array(before[name])
            arguments += [ffi().cast("void *", found[name].ctypes.data), found[name].shape[1]]
        else:
            whole, view, strides, keep = lying(before[name], spec.strides)
            view[...] = before[name]
            first = ffi().cast("void *", view.ctypes.data)
            table = np.array([x.ctypes.data for x in view], np.int64)
            own = [ffi().cast("void *", table.ctypes.data)] if spec.layouts[0] == "pp" else [first]
            x = row.operand(name)
            if not view.size or (x.role is Role.IN and x.scaled_by and values[x.scaled_by] == 0):
                own = [ffi().NULL]
            arguments += [*own, *strides, *([whole[0].size] if spec.layouts[0] == "st" else [])]
            kept.append((name, whole, view, table, keep))
    batch = len(before[row.operands[0].name])
    info = np.full(batch, -7, np.int32)
    if row.info:
        arguments.append(ffi().cast("void *", info.ctypes.data))
    assert kernel(*arguments, batch, threads) == 0
    for name, whole, view, *_ in kept:
        found[name] = view.copy()
        view[...] = np.nan
        assert np.isnan(whole).all(), f"written beyond {name}"
    return found, info
