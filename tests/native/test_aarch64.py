"""Another architecture: kernels cross-compiled for AArch64 with NEON, run under an emulator, right to the last test."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from bblas_gen.codegen.render import source_of
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import Isa

CC, QEMU = "aarch64-linux-gnu-gcc", "qemu-aarch64"
NEON = 16
FLAGS = ["-O2", "-std=c11", "-ffp-contract=fast", "-Wall", "-Wextra", "-Werror", "-static"]
MAIN = """
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
enum {{ M = {m}, N = {n}, K = {k}, NB = {nb}, BATCH = 11, BLOCKS = (BATCH + NB - 1) / NB * NB }};
static {real} A[BLOCKS * M * K], B[BLOCKS * K * N], C[BLOCKS * M * N];
static size_t at(int p, int r, int c, int rows, int cols)
{{
    return ((size_t)(p / NB) * rows * cols + c * rows + r) * NB + p % NB;
}}
int main(void)
{{
    for (int p = 0; p < BATCH; p++) {{
        for (int i = 0; i < M * K; i++)
            A[at(p, i % M, i / M, M, K)] = (p * 7 + i * 3) % 11 - 5;
        for (int i = 0; i < K * N; i++)
            B[at(p, i % K, i / K, K, N)] = (p * 5 + i * 2) % 13 - 6;
        for (int i = 0; i < M * N; i++)
            C[at(p, i % M, i / M, M, N)] = i;
    }}
    int info = {call};
    for (int p = 0; p < BATCH; p++)
        for (int c = 0; c < N; c++)
            for (int r = 0; r < M; r++) {{
                double sum = 2 * (c * M + r);
                for (int l = 0; l < K; l++)
                    sum += 0.5 * A[at(p, r, l, M, K)] * B[at(p, l, c, K, N)];
                if (fabs(C[at(p, r, c, M, N)] - sum) > 1e-9)
                    return printf("%d %d %d: %g, not %g", p, r, c, (double)C[at(p, r, c, M, N)], sum), 1;
            }}
    return info;
}}
"""


SOLVE = """
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
enum {{ N = {n}, NB = {nb}, BATCH = 11, BLOCKS = (BATCH + NB - 1) / NB * NB }};
static {real} A[BLOCKS * N * N], B[BLOCKS * N];
static int32_t failed[BATCH];
static size_t at(int p, int r, int c, int rows, int cols)
{{
    return ((size_t)(p / NB) * rows * cols + c * rows + r) * NB + p % NB;
}}
/* (N + 1) I + ones, one of them made negative; the solution is 1, 2, 3, ... */
int main(void)
{{
    for (int p = 0; p < BATCH; p++)
        for (int r = 0; r < N; r++) {{
            double sum = 0;
            for (int c = 0; c < N; c++) {{
                A[at(p, r, c, N, N)] = (r == c) * (N + 1) + 1 - (p == 6 && r == N - 1 && c == r) * 4 * (N + 2);
                sum += ((r == c) * (N + 1) + 1) * (c + 1.0);
            }}
            B[at(p, r, 0, N, 1)] = sum;
        }}
    int info = {call};
    for (int p = 0; p < BATCH; p++) {{
        if (failed[p] != (p == 6) * N)
            return printf("info %d is %d", p, failed[p]), 1;
        for (int r = 0; r < N && p != 6; r++)
            if (fabs(B[at(p, r, 0, N, 1)] - (r + 1)) > {bound} * N)
                return printf("%d %d: %g", p, r, (double)B[at(p, r, 0, N, 1)]), 1;
    }}
    return info;
}}
"""
MISSING = not (shutil.which(CC) and shutil.which(QEMU))


@pytest.mark.skipif(MISSING, reason=f"needs {CC} and {QEMU}")
@pytest.mark.parametrize("layout", ["st", "bi"])
@pytest.mark.parametrize(("precision", "real"), [("d", "double"), ("s", "float")])
@pytest.mark.parametrize("sizes", [(2, 2, 2), (3, 3, 3), (4, 4, 4), (5, 7, 9), (8, 8, 8), (16, 3, 20)])
def test_kernels_run_on_aarch64(tmp_path, layout, precision, real, sizes):
    m, n, k = sizes
    spec = KernelSpec.make("gemm", precision, layout, m=m, n=n, k=k)
    text = source_of(spec, Isa.of(NEON))
    assert text.schedule.width > 1
    strides = ("", "") if layout == "bi" else (f", {m * k}", f", {m * n}")
    b_stride = "" if layout == "bi" else f", {k * n}"
    call = f"{text.symbol}(0.5, A{strides[0]}, B{b_stride}, 2, C{strides[1]}, BATCH, 1)"
    main = MAIN.format(m=m, n=n, k=k, nb=spec.nb or 1, real=real, call=call)
    assert re.search(r"fmla\s+v", run(tmp_path, text, main)), "no vectors"


@pytest.mark.skipif(MISSING, reason=f"needs {CC} and {QEMU}")
@pytest.mark.parametrize("layout", ["st", "bi"])
@pytest.mark.parametrize(("precision", "real", "bound"), [("d", "double", 1e-12), ("s", "float", 1e-4)])
@pytest.mark.parametrize("n", [1, 4, 7])
def test_solvers_run_on_aarch64(tmp_path, layout, precision, real, bound, n):
    spec = KernelSpec.make("posv", precision, layout, n=n, nrhs=1)
    text = source_of(spec, Isa.of(NEON))
    strides = ("", "") if layout == "bi" else (f", {n * n}", f", {n}")
    call = f"{text.symbol}(A{strides[0]}, B{strides[1]}, failed, BATCH, 1)"
    listing = run(tmp_path, text, SOLVE.format(n=n, nb=spec.nb or 1, real=real, call=call, bound=bound))
    assert re.search(r"fsqrt\s+v", listing), "no vectors"


def run(folder, text, main):
    """Compile a kernel and a main program, run them; returns the machine code of the kernel."""
    (folder / "kernel.c").write_text(text.text)
    (folder / "main.c").write_text(f"#include <stdint.h>\n{text.declaration}\n{main}")
    for command in (["-c", "kernel.c"], ["-o", "main", "kernel.o", "main.c", "-lm"]):
        done = subprocess.run([CC, *FLAGS, *command], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    listing = subprocess.run(
        [CC.replace("gcc", "objdump"), "-d", "kernel.o"], cwd=folder, capture_output=True, text=True, check=True
    )
    ran = subprocess.run([QEMU, "./main"], cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return listing.stdout
