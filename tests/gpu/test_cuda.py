"""The second target: the same bodies as CUDA, compiled where nvcc is found. They are not run here.

``pytest tests/gpu/test_cuda.py --full-grid`` compiles every size up to n = 32, which takes hours.
"""

from __future__ import annotations

import subprocess

import pytest
from click.testing import CliRunner
from support.cuda import SYMBOLS, text
from support.cuda_kernels import ARCHITECTURES, Kernel, grid, sample

from bblas_gen.bench.ptxas import used
from bblas_gen.cli.main import main
from bblas_gen.codegen.unit import unit
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime.cubins import compile_for, device_source, functions_of
from bblas_gen.toolchain.cubin_notes import takes
from bblas_gen.toolchain.cuda import find_nvcc

UNIT = 16
pytestmark = pytest.mark.skipif(find_nvcc() is None, reason="no nvcc on this machine")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "kernels" in metafunc.fixturenames:
        full = metafunc.config.getoption("--full-grid")
        found = grid() if full else sample()
        units = [found[i : i + UNIT] for i in range(0, len(found), UNIT)]
        cases = [
            (units[i], arch)
            for i in range(len(units))
            for arch in (ARCHITECTURES if full else ARCHITECTURES[i % 3 :][:1])
        ]
        metafunc.parametrize(("kernels", "arch"), cases, ids=[f"{k[0].spec.symbol()}-{arch}" for k, arch in cases])


def test_registers_suffice_and_elements_are_moved_once(kernels: list[Kernel], arch: str) -> None:
    sources = {kernel.function.name: kernel.source for kernel in kernels}
    found = used(list(sources.values()), arch)
    assert set(found) == set(sources)
    faults = [f"{one.function.name}: {fault}" for one in kernels for fault in one.faults(found[one.function.name])]
    assert not faults


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
        for name, one in used(sources, arch).items():
            assert not one.local, name
            assert not one.spilled, name
            assert one.registers <= 255, name


def test_what_one_body_wrote_another_has_in_registers():
    """Newer compilers tell from the function's own pointers alone that nothing else has touched it."""
    kernel = Kernel(KernelSpec.parse("bb_dposv_l_bi_n4nrhs1", "cuda"))
    assert kernel.counted
    assert not list(kernel.faults(used([kernel.source], "sm_100")[kernel.function.name]))


@pytest.mark.parametrize("arch", ["sm_80", "sm_120"])
def test_cubins_say_what_the_compiler_says(arch, tmp_path):
    specs = [KernelSpec.parse(symbol, "cuda") for symbol in ("bb_dnrm2_bi_n5", "bb_sgemm_nn_st_m2n2k2")]
    said = used([device_source(spec) for spec in specs], arch)
    wanted = [one for spec in specs for one in functions_of(spec)]
    found = takes(compile_for(wanted, arch).read_bytes())
    assert {name: (one.registers, one.local) for name, one in found.items()} == {
        name: (one.registers, one.local) for name, one in said.items()
    }
    shared = [one.shared for one in found.values()]
    assert (min(shared), max(shared)) == (0, 3 * 4 * 129 * 4)
    report = CliRunner().invoke(main, ["explain", specs[0].symbol(), "--target", "cuda", "--arch", arch]).output
    assert f"{specs[0].symbol()}_k on {arch}: {found[wanted[0][1]].registers} registers, 0 bytes shared, " in report


def test_emitted_texts_are_compiled_without_a_warning(tmp_path):
    (tmp_path / "kernels.cu").write_text(unit([text(symbol) for symbol in SYMBOLS]).text)
    strict = ["-Xptxas", "-warn-spills,-warn-lmem-usage", "-Werror", "all-warnings"]
    command = [find_nvcc().path, "-arch=sm_90", "-cubin", "-o", "out.cubin", *strict, "kernels.cu"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.cubin").stat().st_size > 0
