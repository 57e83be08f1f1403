"""What threads of the pool share of single operands, under a compiler's thread sanitizer: the pool and the kernels.

OpenMP's own memory is no part of what the sanitizer knows. The pool is plain C, all of which is compiled for it here.
"""

from __future__ import annotations

import subprocess

import pytest
from support.kernels import native

import bblas_gen as bb
from bblas_gen.codegen.render import render_file
from bblas_gen.toolchain import compilers

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not compilers.POOLED, reason="kernels have OpenMP here"),
]

VECTORS = {
    "bb_dgemv_n_st_mn": "400, 700, 1, a, 0, b, 0, 0, c, 0, 1",  # sections of columns: who is done last adds up
    "bb_dgemv_t_st_mn": "30, 3000, 1, a, 0, b, 0, 0, c, 0, 1",  # of few long rows
    "bb_zgemv_n_st_mn": "200, 600, one, a, 0, b, 0, none, c, 0, 1",
    "bb_ddot_st_n": "70000, a, 0, b, 0, c, 0, 1",
    "bb_dnrm2_st_n": "70000, a, 0, c, 0, 1",
    "bb_dger_st_mn": "300, 300, 1, a, 0, b, 0, c, 0, 1",
    "bb_daxpy_st_n": "70000, 1, a, 0, c, 0, 1",
}
MATRICES = {
    "bb_dgemm_nn_st_mnk": "700, 300, 300, 1, a, 0, b, 0, 0, c, 0, 1",  # all pack both panels
    "bb_dtrsm_llnn_st_mn": "300, 300, 1, a, 0, c, 0, 1",
    "bb_dtrmm_llnn_st_mn": "300, 8, 1, a, 0, c, 0, 1",  # few right-hand sides
    "bb_dpotrf_l_st_n": "300, c, 0, numbers, 1",
    "bb_dgetrf_st_mn": "300, 300, c, 0, pivots, 0, numbers, 1",
}
CALLS = """
#include "bblas_kernels.h"
#include <string.h>

enum {{ ROOM = 300000, ORDER = 300, THREADS = 4, TIMES = 12 }};
static double a[ROOM], b[ROOM], c[ROOM], first[ROOM];
static const double one[2] = {{ 1, 0 }}, none[2];
static int32_t pivots[ROOM], numbers[1];

static void fill(void)
{{
    for (int i = 0; i < ROOM; i++)
        a[i] = b[i] = c[i] = i % (ORDER + 1) ? 1.0 / (1 + i % 1021) : ORDER; /* positive definite */
}}

int main(void)
{{
    int failed = 0;
    for (int k = 0; k < {count}; k++)
        for (int i = 0; i < TIMES; i++) {{
            int info = -1;
            fill();
            switch (k) {{
{calls}
            }}
            if (i == 0) /* by one thread */
                memcpy(first, c, sizeof c);
            failed |= info != 0 || memcmp(first, c, sizeof c) != 0;
        }}
    return failed;
}}
"""


def done(*command, cwd):
    return subprocess.run([*command], cwd=cwd, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("calls", [VECTORS, MATRICES], ids=["vectors", "matrices"])
def test_threads_of_the_pool_do_not_race(calls, tmp_path):
    """Nor do their results differ from those of one."""
    cc = [
        compilers.find_cc().path,
        "-std=gnu11",
        *native(),
        "-Iinclude",
        "-O1",
        "-Werror",
        "-fsanitize=thread",
        "-DBB_POOL",
    ]
    (tmp_path / "pool.c").write_text(render_file("threads/pool.c"))
    if done(*cc, "-shared", "-fPIC", "pool.c", "-o", "pool.so", cwd=tmp_path).returncode:
        pytest.skip("the compiler has no thread sanitizer")
    bb.emit(list(calls), tmp_path, simd_bytes=32, large=True)
    cases = [f"case {k}: info = {x}({given}, i ? THREADS : 1); break;" for k, (x, given) in enumerate(calls.items())]
    (tmp_path / "main.c").write_text(CALLS.format(count=len(calls), calls="\n".join(cases)))
    built = done(*cc, "main.c", "bblas_kernels.c", "pool.c", "-lpthread", "-lm", "-o", "main", cwd=tmp_path)
    assert built.returncode == 0, built.stderr
    ran = done("./main", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
