"""Kernels that divide their problem, and those that they call, in memory of the caller: that is enough for them."""

from __future__ import annotations

import numpy as np
import pytest
from cffi import FFI
from support.kernels import native
from support.table import ORACLES

from bblas_gen.codegen.render import source_of
from bblas_gen.codegen.signature import signature_of
from bblas_gen.codegen.unit import unit
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime.library import host_isa
from bblas_gen.toolchain import compilers

GUARD, ALIGNED, NEAR = 77, 64, 512
BLOCKS = """#include <stdlib.h>
int bb_allowed, bb_taken;
void *bb_block(size_t align, size_t bytes)
{
    bb_taken++;
    return bb_allowed ? aligned_alloc(align, bytes) : 0;
}
"""
"""What the kernels get memory from."""
SMALL = {"stop": 8, "corner": 8, "few": 5}
KERNELS = {
    "bb_dtrsm_llnn_st_mn_rm": [{"m": 260, "n": 5}, {"m": 256, "n": 500}, {"m": 5, "n": 3}],
    "bb_zgetri_st_n_ld": [{"n": 40}, {"n": 21}, {"n": 0}],
}
"""Triangles beside few right-hand sides, products that are packed, and L that is set aside; what needs nothing."""


def loaded(symbol, folder):
    """One text with all kernels, and their functions."""
    spec = KernelSpec.parse(symbol)
    source = source_of(spec, host_isa(), form="recursive", **SMALL)
    others = [source_of(need.spec, host_isa()) for need in source.needs]
    for name, text in (("kernel", unit([source, *others]).text), ("blocks", BLOCKS)):
        (folder / f"{name}.c").write_text(text)
    argv = [compilers.find_cc().path, "-O0", "-std=gnu11", *native(), "-fPIC", "-c", "-DBB_WORK"]
    for name, more in (("kernel", ["-Daligned_alloc=bb_block"]), ("blocks", [])):
        given = [*argv, *more, f"{name}.c", "-o", f"{name}.o"]
        compilers.run(given, what=name, cwd=folder, source=folder / f"{name}.c")
    link = [argv[0], "-shared", "kernel.o", "blocks.o", "-lm", "-o", "kernel.so"]
    compilers.run(link, what="kernel", cwd=folder, source=folder / "kernel.c")
    ffi, types = FFI(), ", ".join(p.ctype.strip() for p in signature_of(spec).parameters)
    ffi.cdef(f"int {symbol}({types}); int64_t {symbol}_work({types}, char *); extern int bb_allowed, bb_taken;")
    return ffi, ffi.dlopen(str(folder / "kernel.so"))


@pytest.mark.parametrize("symbol", KERNELS)
def test_all_that_is_taken_is_given(symbol, rng, tmp_path):
    """The same bits in exactly the bytes that are asked for, which depend on sizes alone."""
    ffi, lib = loaded(symbol, tmp_path)
    spec = KernelSpec.parse(symbol)
    for sizes in KERNELS[symbol]:
        before = ORACLES[spec.op].make(rng, 2, sizes, spec.flag, spec.p.dtype)
        results = []
        for work in (False, True):
            arrays = {name: np.array(before[name], order="C") for name in before}
            arguments, alone = _arguments(ffi, spec, sizes, arrays)
            if work:
                size = getattr(lib, f"{symbol}_work")(*alone, ffi.NULL)
                assert (size > 0) == (sizes != KERNELS[symbol][-1])
                memory = np.full(2 * size + 2 * ALIGNED, GUARD, np.uint8)
                begin = -memory.ctypes.data % ALIGNED
                lib.bb_allowed, lib.bb_taken = 0, 0
                at = ffi.cast("char *", memory.ctypes.data + begin)
                assert getattr(lib, f"{symbol}_work")(*arguments, at) == 0
                assert lib.bb_taken == 0
                assert (memory[:begin] == GUARD).all()
                assert (memory[begin + size :] == GUARD).all()
                assert not size or (memory[begin + size - NEAR : begin + size] != GUARD).any()
            else:
                lib.bb_allowed = 1
                assert getattr(lib, symbol)(*arguments) == 0
            results.append([x.tobytes() for x in arrays.values()])
        assert results[0] == results[1]


def _arguments(ffi, spec, sizes, arrays):
    """Those of a call on one thread, and of one that asks."""
    given = {**sizes, "batch_count": 2, "num_threads": 1}
    for x in spec.row.parameters:
        array = arrays[x.name]
        given[x.name] = ffi.cast("void *", array.ctypes.data)
        given[f"stride_{x.name.lower()}"] = array[0].size
        given[f"ld{x.name.lower()}"] = max(1, array.shape[-1])
    arrays["info"] = np.zeros(2, np.int32)
    given["info"] = ffi.cast("int32_t *", arrays["info"].ctypes.data)
    given |= dict.fromkeys(spec.row.scalars, 1.5)
    parameters = signature_of(spec).parameters
    alone = [given[p.name] if p.kind == "size" else ffi.NULL if "*" in p.ctype else 0 for p in parameters]
    return [given[p.name] for p in parameters], alone
