"""The second target: the same bodies as CUDA, compiled where nvcc is found. They are not run here.

``pytest tests/gpu/test_cuda.py --full-grid`` compiles every size up to n = 32, which takes hours: ``--grid-minutes``
says how many minutes, ``--grid-arch`` for which architectures; what nvcc said is kept in the file ``--grid-notes``, and
beside it, in a file .txt, how many kernels of each operation, precision and layout are left.
"""

from __future__ import annotations

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.cuda import SYMBOLS, text
from support.cuda_grid import Looked, faults, grid
from support.cuda_kernels import ARCHITECTURES, Kernel, long_products, rectangles, sample
from support.inverse import INVERSE

import bblas_gen as bb
from bblas_gen.bench.notes import Notes
from bblas_gen.bench.ptxas import used
from bblas_gen.cli.main import main
from bblas_gen.codegen.unit import unit
from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime.cubins import compile_for, device_source, functions_of
from bblas_gen.schedule import gpu
from bblas_gen.toolchain.cubin_notes import takes
from bblas_gen.toolchain.cuda import find_nvcc

UNIT, GRID_UNIT = 16, 48
"""Kernels that are compiled together; more of them where there are thousands: to call nvcc takes as long as three."""
pytestmark = pytest.mark.skipif(find_nvcc() is None, reason="no nvcc on this machine")


def units(kernels: list[Kernel], size: int = UNIT) -> list[list[Kernel]]:
    return [kernels[i : i + size] for i in range(0, len(kernels), size)]


def wrong(kernels: list[Kernel]) -> list[str]:
    """On two architectures, which share much of the work of compiling."""
    found = []
    for some in units(kernels, GRID_UNIT):
        for arch, said in used([one.source for one in some], ["sm_80", "sm_90"]).items():
            found += faults(some, arch, said)
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "kernels" in metafunc.fixturenames:
        cases = [(some, ARCHITECTURES[i % 3]) for i, some in enumerate(units(sample()))]
        metafunc.parametrize(("kernels", "arch"), cases, ids=[f"{k[0].spec.symbol()}-{arch}" for k, arch in cases])


def test_registers_suffice_and_elements_are_moved_once(kernels: list[Kernel], arch: str) -> None:
    assert not faults(kernels, arch, used([kernel.source for kernel in kernels], [arch])[arch])


def test_registers_suffice_for_the_full_grid(request: pytest.FixtureRequest) -> None:
    option = request.config.getoption
    if not option("--full-grid"):
        pytest.skip("takes hours: --full-grid")
    path, architectures = Path(option("--grid-notes")), option("--grid-arch").split(",")
    largest, others = grid()
    looked, every = Looked(Notes.of(path, option("--grid-minutes")), architectures), [*largest, *others]
    looked.recall(every)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        list(pool.map(looked.look, units(every, GRID_UNIT)))
    looked.write(every)
    path.with_suffix(".txt").write_text(looked.summary(largest, others) + "\n", encoding="utf-8")
    assert not looked.wrong, "\n".join(looked.wrong)
    if looked.notes.over:
        pytest.skip(f"the time is over, what is left stands in {path.with_suffix('.txt')}; nothing is wrong so far")


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_tiles_of_large_products_are_in_registers(arch, request):
    """Of every precision and letter; as many blocks as the schedule says have room."""
    if not request.config.getoption("--full-grid"):
        pytest.skip("runs with --full-grid")
    pairs = [a + b for a in "ntcr" for b in "ntcr"]
    names = [
        f"bb_{p}gemm_{x}_st_mnk_{y}"
        for p in "sdcz"
        for x in pairs
        for y in ("ld", "rs")
        if p in "cz" or not {*x} & {*"cr"}
    ]
    names += [
        f"bb_{p}_{u}{t}_st_nk_ld"
        for p in ("ssyrk", "dsyrk", "cherk", "zherk")
        for u in "lu"
        for t in "nc"[: 1 + (p[0] in "cz")]
    ]
    for first in range(0, len(names), UNIT):
        sources = [device_source(KernelSpec.parse(name, "cuda")) for name in names[first : first + UNIT]]
        for functions in used(sources, [arch])[arch]:
            assert functions
            assert not [name for name, one in functions.items() if not one.clean]


def test_products_of_many_steps_are_in_registers(request):
    """What is known of squares leaves compilers too little room there: those that are nearest to it, or all."""
    names = ["dgemm_cc_bi_m7n7k10", "dgemm_nn_bi_m8n8k11", "sgemm_rr_bi_m11n9k14", "dsyrk_ln_bi_n7k10"]
    some = [Kernel(KernelSpec.parse(f"bb_{x}", "cuda")) for x in [*names, "dsyr2k_ln_bi_n9k12"]]
    every = list(long_products()) if request.config.getoption("--full-grid") else some
    assert not wrong(every)


def test_rectangles_of_any_flags_and_strides_are_like_squares(request):
    count = 480 if request.config.getoption("--full-grid") else 12
    assert not wrong(rectangles(count))


def test_what_one_body_wrote_another_has_in_registers():
    """Newer compilers tell from the function's own pointers alone that nothing else has touched it."""
    kernel = Kernel(KernelSpec.parse("bb_dposv_l_bi_n4nrhs1", "cuda"))
    assert kernel.counted
    assert not list(kernel.faults(used([kernel.source], ["sm_100"])["sm_100"][0]))


def test_what_sequences_have_of_their_own_is_in_registers():
    """Products go through it in loops, and pivots say which of its rows are exchanged; neither is to leave it to local
    memory. The largest that a thread does alone."""
    product = bb.sequence([bb.step("gemm", "A", "B", "T"), bb.step("gemm", "T", "A", "R")], scratch="T", name="product")
    specs = [
        KernelSpec.make(product.row, "d", "bi", target="cuda", m=6, n=6),
        KernelSpec.make(product.row, "z", "bi", target="cuda", m=4, n=4),
        KernelSpec.make(product.row, "d", "il", target="cuda", m=4, n=4),
        *(
            KernelSpec.parse(f"bb_{x}", "cuda")
            for x in ("dgesvr_bi_n6nrhs1", "sgesvr_bi_n8nrhs1", "zgesvkr_bi_n5nrhs1")
        ),
        *(
            KernelSpec.parse(f"bb_{x}", "cuda")
            for x in ("dgesvr_il_n5nrhs1", "dposvr_l_il_n6nrhs1", "dgesvnpr_bi_n6nrhs1")
        ),
        *(KernelSpec.parse(f"bb_{x}", "cuda") for x in ("dpotrsk_u_bi_n10nrhs2", "sposvr_l_il_n7nrhs2")),
        KernelSpec.parse("bb_ctrmmk_llnn_il_m5n5", "cuda"),
        *(KernelSpec.make(INVERSE.row, "d", "bi", target="cuda", m=m) for m in (2, 3, 4)),
        KernelSpec.make(INVERSE.row, "z", "il", target="cuda", m=2),
    ]
    assert {gpu.choose(Program.of(spec)).lanes for spec in specs} == {1}
    (said,) = used([device_source(spec) for spec in specs], ["sm_90"]).values()
    assert not [name for functions in said for name, one in functions.items() if not one.clean]


def test_a_vector_of_which_squares_are_taken_again_is_loaded_once():
    kernel = Kernel(KernelSpec.parse("bb_cnrm2_il_n30", "cuda"))
    assert not list(kernel.faults(used([kernel.source], ["sm_80"])["sm_80"][0]))


@pytest.mark.parametrize("arch", ["sm_80", "sm_120"])
def test_cubins_say_what_the_compiler_says(arch, tmp_path):
    specs = [KernelSpec.parse(symbol, "cuda") for symbol in ("bb_dnrm2_bi_n5", "bb_sgemm_nn_st_m2n2k2")]
    (said,) = used([device_source(spec) for spec in specs], [arch]).values()
    wanted = [one for spec in specs for one in functions_of(spec)]
    found = takes(compile_for(wanted, arch).read_bytes())
    assert {name: (one.registers, one.local) for name, one in found.items()} == {
        name: (one.registers, one.local) for functions in said for name, one in functions.items()
    }
    shared = [one.shared for one in found.values()]
    assert (min(shared), max(shared)) == (0, 3 * 4 * 129 * 4)
    report = CliRunner().invoke(main, ["explain", specs[0].symbol(), "--target", "cuda", "--arch", arch]).output
    assert f"{specs[0].symbol()}_k on {arch}: {found[wanted[0][1]].registers} registers, 0 bytes shared, " in report


def test_emitted_texts_are_compiled_without_a_warning(tmp_path):
    steps = [bb.step("lacpy", "A", "W"), bb.step("getrf", "W", "IPIV"), bb.step("gedet", "W", "IPIV", "R")]
    det = bb.sequence(steps, name="det", scratch=["W", "IPIV"])
    scratch_pivots = [KernelSpec.make(det.row, dtype="d", layout="bi", target="cuda", m=m) for m in (1, 3)]
    moved_at_once = KernelSpec.make("posqrt", dtype="z", layout="bi", target="cuda", n=8)
    texts = [text(symbol) for symbol in SYMBOLS] + [device_source(spec) for spec in [*scratch_pivots, moved_at_once]]
    (tmp_path / "kernels.cu").write_text(unit(texts).text)
    strict = ["-Xptxas", "-warn-spills,-warn-lmem-usage", "-Werror", "all-warnings"]
    command = [find_nvcc().path, "-arch=sm_90", "-cubin", "-o", "out.cubin", *strict, "kernels.cu"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.cubin").stat().st_size > 0
