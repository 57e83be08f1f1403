"""The text of the interfaces of a C library: which functions there are, and their prototypes."""

from __future__ import annotations

import re
from itertools import product

import pytest
from click.testing import CliRunner

from bblas_gen.cli.build import build_library
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.terms import FLAGS, PRECISIONS, Layout
from bblas_gen.library.contents import LEVELS, Family
from bblas_gen.library.family import CBLAS
from bblas_gen.library.plan import APIS, Plan

STANDARD = ("gemm", "hemm", "her2k", "herk", "symm", "syr2k", "syrk", "trmm", "trsm")
COMPACT = ("gemm", "potrf", "trsm", "gepack", "geunpack", "get_size")
VENDOR = ("gemm", "trsm", "syrk", "gemv", "axpy")
OPERATIONS = sorted({*STANDARD, *VENDOR, "potrf", "dot"})
ONCE = "int group_size, int layout, int transa, int transb, int m, int n, int k"
EACH = "int group_count, const int *group_sizes, int layout"
PROTOTYPES = [
    f"void blas_dgemm_batchf({ONCE}, double alpha, const double *const *A, int lda, const double *const *B, int ldb, "
    "double beta, double **C, int ldc, int *info);",
    f"void blas_ztrsm_batch({EACH}, const int *side, const int *uplo, const int *transa, const int *diag, "
    "const int *m, const int *n, const x_complex64_t *alpha, const x_complex64_t *const *A, const int *lda, "
    "x_complex64_t **B, const int *ldb, int *info);",
    f"void blas_cher2k_batch({EACH}, const int *uplo, const int *trans, const int *n, const int *k, "
    "const x_complex32_t *alpha, const x_complex32_t *const *A, const int *lda, const x_complex32_t *const *B, "
    "const int *ldb, const float *beta, x_complex32_t **C, const int *ldc, int *info);",
    "void cblas_sgemv_batch_strided_64(int layout, int trans, int64_t m, int64_t n, float alpha, const float *A, "
    "int64_t lda, int64_t stride_a, const float *X, int64_t incx, int64_t stride_x, float beta, float *Y, "
    "int64_t incy, int64_t stride_y, int64_t batch_count);",
    "void cblas_caxpy_batch(const int *n, const void *alpha, const void *const *X, const int *incx, void **Y, "
    "const int *incy, int group_count, const int *group_sizes);",
    "void ztrsm_batch_64_(const char *side, const char *uplo, const char *transa, const char *diag, const int64_t *m, "
    "const int64_t *n, const void *alpha, const void *const *A, const int64_t *lda, void **B, const int64_t *ldb, "
    "const int64_t *group_count, const int64_t *group_sizes);",
    "void saxpy_batch_strided_(const int *n, const float *alpha, const float *X, const int *incx, const int *stride_x, "
    "float *Y, const int *incy, const int *stride_y, const int *batch_count);",
    "void dcopy_batch_(const int *n, const double *const *X, const int *incx, double **Y, const int *incy, "
    "const int *group_count, const int *group_sizes);",
    "int x_dgemm_compact(int layout, int transa, int transb, int64_t m, int64_t n, int64_t k, double alpha, "
    "const double *A, int64_t lda, const double *B, int64_t ldb, double beta, double *C, int64_t ldc, int format, "
    "int64_t nm);",
    "int x_spotrf_compact(int layout, int uplo, int64_t n, float *A, int64_t lda, int32_t *info, int format, "
    "int64_t nm);",
    "void mkl_ztrsm_compact(int layout, int side, int uplo, int transa, int diag, int m, int n, const void *alpha, "
    "const double *A, int lda, double *B, int ldb, int format, int nm);",
    "void mkl_dpotrf_compact_64(int layout, int uplo, int64_t n, double *A, int64_t lda, int64_t *info, int format, "
    "int64_t nm);",
    "void mkl_cgeunpack_compact(int layout, int rows, int columns, void *const *a, int lda, const float *ap, int ldap, "
    "int format, int nm);",
]


def plan(apis=APIS, layouts=(Layout.PP, Layout.ST, Layout.BI)):
    families = tuple(Family(OPS[op], p, layouts, ()) for op, p in product(OPERATIONS, PRECISIONS.values()))
    return Plan("x", "x_", families, (), LEVELS[:1], False, apis)


def test_every_flag_has_numbers_in_c():
    for kind in FLAGS.values():
        assert {*CBLAS[kind].values()} | {"R"} >= {*map(str, kind)}
        assert [*CBLAS[kind]] == list(range(min(CBLAS[kind]), max(CBLAS[kind]) + 1))


def functions(plan, end):
    return re.findall(r"(\w+)\(.*\);", plan.headers[f"x_{end}.h"])


def test_the_functions_of_the_standard():
    """Of Hermitian matrices there are complex ones alone."""
    known = [letter + op for op in STANDARD for letter in ("cz" if op.startswith("he") else "sdcz")]
    expected = {f"blas_{name}_batch{end}" for name in known for end in ("", "f")}
    assert sorted(functions(plan(), "standard")) == sorted(expected)


def test_the_functions_of_vendors():
    ends = [a + b for a in ("", "_strided") for b in ("", "_64")]
    known = [f"{letter}{op}_batch{end}" for op in (*VENDOR, "copy") for letter in "sdcz" for end in ends]
    expected = {f"cblas_{name}" for name in known} | {f"{name}_" for name in known}
    assert sorted(functions(plan(), "vendor")) == sorted(expected)
    pointers = plan(layouts=(Layout.PP,))
    assert not [name for name in functions(pointers, "vendor") if "strided" in name and "copy" not in name]


@pytest.mark.parametrize(("apis", "starts"), [(("own", "compact"), ("x_",)), (("own", "mkl_compact"), ("x_", "mkl_"))])
def test_the_compact_functions(apis, starts):
    """By the names of the vendor where that is asked for, then with numbers of either size."""
    known = [f"{letter}{op}_compact" for op in COMPACT for letter in "sdcz"]
    expected = {f"x_{name}" for name in known} | {f"{start}get_format_compact" for start in starts}
    if "mkl_" in starts:
        expected |= {f"mkl_{name}{end}" for name in known for end in ("", "_64")}
    library = plan(apis)
    declared = re.findall(r"(\w+)\([^()]*\);", library.headers["x_compact.h"])
    assert sorted(declared) == sorted(expected)
    texts = [library.packing_text(), *(library.family_text(family) for family in library.families)]
    assert ("mkl_" in "".join(texts)) == ("mkl_" in starts)


@pytest.mark.parametrize("prototype", PROTOTYPES)
def test_prototypes(prototype):
    assert any(prototype in text for text in plan().headers.values())


def test_only_what_is_asked_for_is_there():
    assert [*plan(("own",)).headers] == ["x.h", "x.hpp", "x.f90"]
    assert "blas_" not in plan(("own",)).family_text(plan().families[0])
    assert [*plan(("own", "standard")).headers] == ["x.h", "x.hpp", "x.f90", "x_standard.h"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            ["--api", "standrad"],
            "api = 'standrad' is unknown: expected some of own, standard, vendor, compact",
        ),
        (["--api", "vendor", "--layouts", "st"], "api = 'vendor' takes arrays of pointers: expected layouts with pp"),
        (
            ["--api", "mkl_compact", "--layouts", "bi", "--prefix", "mkl_"],
            "prefix = 'mkl_' makes our mkl_get_format_compact one of another interface, too: expected another prefix",
        ),
        (["--api", "compact"], "api = 'compact' takes interleaved matrices: expected layouts with bi"),
    ],
)
def test_refusals(tmp_path, arguments, expected):
    result = CliRunner().invoke(build_library, ["--ops", "gemm", "-o", str(tmp_path / "new"), *arguments])
    assert expected in str(result.exception) + result.output
    assert not (tmp_path / "new").exists()
