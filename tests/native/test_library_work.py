"""Functions that work in memory of the caller: how much they ask for, and that they allocate none themselves."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from support.c_library import NAME, ORDERS, arrays, group, ints, opened, passed, run_program
from support.library import COMBINATIONS, DIVIDED, Call, Stored, flags_of, loaded, operands_of

LONG = ctypes.c_int64
GUARD = 77
CASES = [*COMBINATIONS, *DIVIDED]
GEMM = ("transa", "transb", "m", "n", "k", "alpha", "A", "lda", "B", "ldb", "beta", "C", "ldc")


def work_of(count):
    """Memory that begins at an odd address: all of it, where it begins, and guard bytes at its end."""
    memory = np.full(count + 128, GUARD, np.uint8)
    begin = (1 - memory.ctypes.data) % 64
    return memory, memory.ctypes.data + begin, memory[begin + count :]


def contents(operands):
    return [(x.array if isinstance(x, Stored) else x).tobytes() for x in operands.values()]


@pytest.mark.parametrize("row_major", [False, True], ids=["columns", "rows"])
@pytest.mark.parametrize(
    ("name", "layout", "sizes"), [*COMBINATIONS, *DIVIDED], ids=lambda x: x if isinstance(x, str) else None
)
def test_fixed_batches(name, layout, sizes, row_major):
    """The same bits as without, in exactly the bytes that were asked for; those alone are enough."""
    for flags in flags_of(name)[::5]:
        plain, operands = (operands_of(name, sizes, flags, row_major) for _ in range(2))
        assert Call(name, layout).run(layout, row_major, sizes, flags, plain) == 0
        call, before = Call(name, f"{layout}_work"), contents(operands)
        cast, null = call.ffi.cast, call.ffi.NULL

        def run(*work, call=call, given=(layout, row_major, sizes, flags, operands)):
            return call.run(*given, work=work)

        size = run(null, -1)
        memory, at, end = work_of(size)
        places = len(call.ffi.typeof(call.function).args)
        assert run(cast("void *", at), size - 1 if size else -2) == -places
        assert not size or run(null, size) == 1 - places
        assert contents(operands) == before
        assert (memory == GUARD).all()
        assert run(cast("void *", at), size) == 0
        assert contents(operands) == contents(plain)
        assert (end == GUARD).all()


@pytest.mark.parametrize("count", [0, 1, 5, 300])
@pytest.mark.parametrize("order", ORDERS)
def test_groups(c_library, rng, order, count):
    """Few of few kinds, and more than are sorted on the stack."""
    groups = [group(rng, "gemm", "float64", order, 1 + i % 2, (1 + i % 3, 2, 1 + i % 50)) for i in range(count)]
    one = group(rng, "gemm", "float64", order, 1, (2, 2, 2))
    given = [passed(x) for x in arrays(groups or [one], GEMM, LONG)]
    call = opened(c_library)[f"{NAME}_dgemm_group_work"]
    call.restype = LONG

    def run(work, lwork, fault=0):
        counts = [LONG(count), ints([fault or g.count for g in groups], LONG)]
        return call(ORDERS[order], *given, *counts, ctypes.c_void_p(work), LONG(lwork))

    size = run(None, -1)
    memory, at, end = work_of(size)
    assert size > 0 if count > 1 else size == 0 or count == 1
    assert run(at, size - 1 if size else -2) == -18
    assert not size or run(None, size) == -17
    assert not count or run(at, size, fault=-1) == -16
    assert (memory == GUARD).all()
    assert run(at, size) == 0
    assert (end == GUARD).all()
    for g in groups:
        g.check()


@pytest.mark.parametrize("work", [False, True])
def test_large_products(c_library, rng, work):
    """Those of a group are done in packed blocks, for which there must be room in memory of the caller."""
    groups = [group(rng, "gemm", "float64", "F", count, (n, n, n)) for count, n in ((1, 200), (3, 4), (2, 201))]
    given = [passed(x) for x in arrays(groups, GEMM, LONG)]
    counts = [LONG(len(groups)), ints([g.count for g in groups], LONG)]
    call = opened(c_library)[f"{NAME}_dgemm_group{'_work' if work else ''}"]
    call.restype = LONG
    if work:
        size = call(ORDERS["F"], *given, *counts, None, LONG(-1))
        assert size > 201**2 * 8
        _, at, end = work_of(size)
        assert call(ORDERS["F"], *given, *counts, ctypes.c_void_p(at), LONG(size)) == 0
        assert (end == GUARD).all()
    else:
        assert call(ORDERS["F"], *given, *counts, 2) == 0
    for g in groups:
        g.check()


def test_pivots(rng):
    """Each matrix its own size, and its pivots where its program wants them."""
    ffi, lib = loaded()
    shapes = [3, 1, 2, 3, 0, 2] * 4
    a = [np.asarray(rng.standard_normal((n, n)), order="F") for n in shapes]
    n, lda = (ffi.new("int64_t[]", numbers) for numbers in (shapes, [max(1, x) for x in shapes]))
    found = []
    for work in (False, True):
        lu, pivots = [x.copy("F") for x in a], [np.zeros(4, np.int32) for _ in a]
        info = np.full(len(a), -7, np.int32)
        pointers = [ffi.new("void *[]", [ffi.cast("void *", x.ctypes.data) for x in some]) for some in (lu, pivots)]
        given = [102, n, n, ffi.cast("double **", pointers[0]), lda, ffi.cast("int32_t **", pointers[1])]
        given += [ffi.cast("int32_t *", info.ctypes.data), len(a)]
        if work:
            size = lib.tt_dgetrf_variable_work(*given, ffi.NULL, -1)
            _, at, end = work_of(size)
            assert lib.tt_dgetrf_variable_work(*given, ffi.cast("void *", at), size) == 0
            assert (end == GUARD).all()
            given[1] = ffi.new("int64_t[]", [*shapes[:-1], -1])
            assert lib.tt_dgetrf_variable_work(*given, ffi.cast("void *", at), size) == -2
        else:
            assert lib.tt_dgetrf_variable(*given, 1) == 0
        found.append([x.tobytes() for x in (*lu, *pivots, info)])
    assert found[0] == found[1]


def test_a_program_whose_memory_is_its_own(c_library, tmp_path):
    """It counts what is allocated: nothing, in functions that are given memory, and to sort few groups."""
    assert run_program("work.c", c_library, tmp_path).stdout == "done\n"
