"""Block sizes of large products follow from caches; what is packed is no more than a core's share of the last one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bblas_gen.codegen.render import source_of
from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import CACHES, CacheLevel, Isa
from bblas_gen.schedule.blocked import large
from bblas_gen.schedule.choose import choose

KB = 1 << 10
MACHINES = [
    (CACHES, {"mc": 240, "mp": 1584, "nc": 1600}),
    ((CacheLevel(2048 * KB, 16), CacheLevel(240 << 20, 16)), {"mc": 1176, "mp": 4080, "nc": 4096}),
    ((CacheLevel(256 * KB, 4), CacheLevel(1024 * KB, 16)), {"mc": 72, "mp": 312, "nc": 320}),
    ((CacheLevel(32 * KB, 2), CacheLevel(64 * KB, 1)), {"mc": 24, "mp": 24, "nc": 8}),
]
"""Caches, and what DGEMM packs: of the first, 6 of 8 ways of 64 KB are 256 rows of 192 doubles."""


def schedule(symbol, caches=CACHES, form="blocked", **overrides):
    isa = replace(Isa.of(64), caches=caches)
    return choose(Program.of(KernelSpec.parse(symbol)), isa, form=form, **overrides)


@pytest.mark.parametrize(("caches", "sizes"), MACHINES)
def test_blocks_fill_caches(caches, sizes):
    assert sizes.items() <= schedule("bb_dgemm_nn_st_mnk_ld", caches).numbers().items()


@pytest.mark.parametrize(
    ("symbol", "chunks"),
    [
        ("bb_dgemv_n_st_mn_ld", [8192, 8192, 4096, 512]),  # 8 bytes a row, in 64 KB or an eighth
        ("bb_zgemv_n_st_mn_ld", [2048, 2048, 1024, 128]),
        ("bb_dger_st_mn_ld", [16384, 65536, 8192, 1024]),  # of a quarter
    ],
)
def test_chunks_of_vectors_fill_a_level_2_cache(symbol, chunks):
    assert [schedule(symbol, caches, "streamed").chunk for caches, _ in MACHINES] == chunks


@pytest.mark.parametrize("symbol", ["bb_sgemm_nn_st_mnk_ld", "bb_zgemm_cn_pp_mnk"])
@pytest.mark.parametrize(("caches", "_"), MACHINES[:3])
def test_what_is_packed_is_a_share_of_the_last_cache(symbol, caches, _):
    spec = KernelSpec.parse(symbol)
    source = source_of(spec, replace(Isa.of(64), caches=caches), form="blocked")
    found = schedule(symbol, caches)
    most = (found.mp + found.nc) * found.kc * spec.p.itemsize
    assert most <= caches[1].bytes
    for m, n, k in ((10**5, 10**5, 10**5), (found.mr, 10**5, 3), (1, 1, 1)):
        text = str(source.heap_bytes).replace("/", "//").replace("?", "and").replace(":", "or")  # of numbers above 0
        needed = eval(text, {"m": m, "n": n, "k": k})
        rows, columns = (-(-side // size) * size for side, size in ((m, found.mr), (n, found.nr)))
        packed = (min(rows, found.mp) + min(columns, found.nc)) * min(k, found.kc) * spec.p.itemsize
        assert packed <= needed < packed + 128


def test_given_sizes_stay():
    assert schedule("bb_dgemm_nn_st_mnk_ld", mc=48).numbers().items() >= {"mc": 48, "mp": 1584}.items()


def test_what_is_large():
    spec = KernelSpec.parse("bb_dgemm_nn_st_m64n64k65")
    assert large(spec)
    assert not large(replace(spec, sizes=(64, 64, 64)))
    assert large(KernelSpec.parse("bb_zgemm_nn_st_m64n64k64"))
    assert not large(KernelSpec.parse("bb_dgemm_nn_bi_m64n64k65"))
    assert not large(spec.any_size)
