"""Emitted files: whole programs in C around them, with and without OpenMP, under the sanitizers."""

from __future__ import annotations

import subprocess
from functools import cache

import pytest
from support.kernels import native
from support.sources import source

from bblas_gen.codegen import emit
from bblas_gen.codegen.signature import signature_of
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.terms import Layout, Role, Strides
from bblas_gen.toolchain.compilers import find_cc, has_openmp

SANITIZED = ["-fsanitize=address,undefined"]
SYMBOLS = [
    "bb_dgemm_nn_st_m3n5k4",
    "bb_dgemm_tn_st_m8n8k8_ld",
    "bb_dgemm_nt_st_m5n3k9_rs",
    "bb_sgemm_nn_pp_m7n2k3",
    "bb_cgemm_cn_st_m3n3k3",
    "bb_zgemm_nr_pp_m5n4k2_ld",
    "bb_dgemm_nn_bi_m3n4k5",
    "bb_sgemm_nn_bi_m2n2k2",
    "bb_dgemm_nn_il_m3n3k3",
    "bb_zgemm_tn_il_m2n3k2",
    "bb_dgemm_nn_bistst_m3n2k3",
    "bb_dgemm_tn_st_m17n3k200",
    "bb_dgemm_nn_bi12_m3n3k3",
    "bb_dlacpy_t_stbi_m5n7",
    "bb_zlacpy_n_bist_m3n3",
    "bb_slacpy_c_ppil_m4n3_ld",
]
COMMON = """
#include <stdio.h>
#include <stdlib.h>
#include "bblas_kernels.h"
#define BATCH 11
"""


def program(symbol):
    """A C program that calls the kernel on heap blocks of exactly the size that its description promises, all ones
    but what it does not read."""
    spec = KernelSpec.parse(symbol)
    k = spec.size.get("k")
    real, parts = spec.p.storage.name, spec.p.parts
    lines, arguments, check = [], [], ""
    for p in signature_of(spec).parameters:
        if p.kind == "scalar":
            arguments.append("one" if parts == 2 else "1")
        elif p.kind == "plain":
            arguments.append({"batch_count": "BATCH", "num_threads": "2"}[p.name])
        elif p.kind == "stride":
            arguments.append(str(strides(spec)[p.name]))
        else:
            arguments.append(p.name)
            x = spec.row.operand(p.name)
            where = spec.layouts[spec.row.parameters.index(x)]
            reals = operand_reals(spec, x, where)
            fill = "nans" if x.role is Role.OUT else "ones"
            if where is Layout.PP:
                each = f"{p.name}_[p]"
                lines.append(f"{real} *{p.name}_[BATCH]; for (int p = 0; p < BATCH; p++) {each} = {fill}({reals});")
                arguments[-1] = f"(const void *){p.name}_" if parts == 2 else f"(const {real} *const *){p.name}_"
                if x.role is not Role.IN:
                    arguments[-1] = f"(void *){p.name}_"
                each += "[0]"
            else:
                lines.append(f"{real} *{p.name} = {fill}({reals});")
                each = f"{p.name}[p{distance(spec, x, where)}]"
            if x.role is not Role.IN:
                check = each
    conj = sum(letter.conjugates for letter in spec.flags) == 1
    expected = 1 + k * (1 if parts == 1 else 2 * conj) if spec.op == "gemm" else 1
    if parts == 2:  # every element is 1 (imaginary part 0 at pp/st, ones() writes pairs)
        lines.insert(0, f"const {real} one[2] = {{1, 0}}; (void)one;")
    return "\n".join(
        [
            COMMON,
            *(
                f"__attribute__((unused)) static {real} *{name}(long n) {{ {real} *x = malloc(n * sizeof *x);"
                f" for (long i = 0; i < n; i++) x[i] = {value}; return x; }}"
                for name, value in (("ones", 1), ("nans", "0.0 / 0.0"))
            ),
            "int main(void) {",
            *lines,
            f"int info = {symbol}({', '.join(arguments)});",
            "if (info) return 1;",
            "for (int p = 0; p < BATCH; p++)",  # of every matrix an element
            f"if ({check} != {expected}) {{",
            f'printf("matrix %d: %g\\n", p, (double){check}); return 1; }}',
            "return 0; }",
        ]
    )


def distance(spec, x, where):
    """From a matrix to the next one, as what its number is multiplied by: those of a block are side by side."""
    if where is Layout.ST:
        return f" * {extent(spec, *stored(spec, x)) * spec.p.parts}"
    block = spec.size[x.rows] * spec.size[x.cols] * spec.nb * spec.p.parts
    return f" / {spec.nb} * {block} + p % {spec.nb}" if where is Layout.BI else ""


def stored(spec, x):
    rows, cols = spec.size[x.rows], spec.size[x.cols]
    return (cols, rows) if x.flag and spec.flag[x.flag].transposes else (rows, cols)


def strides(spec):
    """Leading dimensions with a gap of 2, general strides of (2, 2 rows + 1), matrices one after another."""
    found = {}
    for x, where in zip(spec.row.parameters, spec.layouts, strict=True):
        rows, cols = stored(spec, x)
        letter = x.name.lower()
        found |= {f"ld{letter}": rows + 2, f"rs{letter}": 2, f"cs{letter}": 2 * rows + 1, f"nb{letter}": 11}
        found[f"stride_{letter}"] = extent(spec, rows, cols)
        assert where
    return found


def extent(spec, rows, cols):
    """Elements from the first to the last of a matrix."""
    if spec.strides is Strides.LD:
        return (cols - 1) * (rows + 2) + rows
    return (cols - 1) * (2 * rows + 1) + (rows - 1) * 2 + 1 if spec.strides is Strides.RS else rows * cols


def operand_reals(spec, x, where):
    rows, cols = stored(spec, x)
    if where is Layout.BI:
        return -(-11 // spec.nb) * spec.nb * rows * cols * spec.p.parts
    if where is Layout.IL:
        return 11 * rows * cols * spec.p.parts
    return extent(spec, rows, cols) * spec.p.parts * (1 if where is Layout.PP else 11)


@cache
def has_sanitizers():
    command = [find_cc().path, *SANITIZED, "-x", "c", "-", "-o", "/dev/null"]
    return (
        subprocess.run(command, input=b"int main(void) { return 0; }", capture_output=True, check=False).returncode == 0
    )


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_programs_run_clean_under_the_sanitizers(symbol, tmp_path):
    folder = tmp_path / "kernels"
    emit.emit([source(symbol)], folder)
    (folder / "main.c").write_text(program(symbol))
    clean = [[*SANITIZED, "-fno-sanitize-recover=all", "-g", "-O1"]] if has_sanitizers() else []
    threads = ["-fopenmp"] if has_openmp(find_cc()) else []
    fast = [["-O2", *threads], *([["-O2"]] if SYMBOLS.index(symbol) % 3 == 0 else [])]
    for options in (*clean, *fast):
        command = [find_cc().path, "-std=c11", "-Wall", "-Wextra", "-Werror", *native(), *options]
        command += ["main.c", f"{symbol}.c", "-o", "main"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        environment = {"ASAN_OPTIONS": "detect_leaks=0"}
        done = subprocess.run(["./main"], cwd=folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_sanitizers_see_a_short_buffer(tmp_path):
    if not has_sanitizers():
        pytest.skip("the compiler has no sanitizers: theirs are a package of its own")
    symbol = "bb_dgemm_nn_il_m3n3k3"
    emit.emit([source(symbol)], tmp_path)
    (tmp_path / "main.c").write_text(program(symbol).replace("ones(99)", "ones(98)"))
    command = [find_cc().path, "-fsanitize=address", *native(), "main.c", f"{symbol}.c", "-o", "main"]
    subprocess.run(command, cwd=tmp_path, check=True)
    done = subprocess.run(["./main"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "heap-buffer-overflow" in done.stderr


def test_one_header_for_c_and_cxx(tmp_path):
    paths = emit.emit([source(symbol) for symbol in SYMBOLS], tmp_path, header="mine.h")
    assert {path.name for path in paths} == {*(f"{symbol}.c" for symbol in SYMBOLS), "mine.h"}
    for command in (["-std=c11", "-x", "c"], ["-x", "c++"]):
        compiler = find_cc().path if "c" in command else "g++"
        done = subprocess.run(
            [compiler, *command, "-Wall", "-Werror", "-fsyntax-only", "mine.h"], cwd=tmp_path, check=False
        )
        assert done.returncode == 0
