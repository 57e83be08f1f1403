"""Large problems as lists of smaller ones: carried out by NumPy, they must be what the oracles say."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import bblas_gen as bb
from bblas_gen.cli.main import main
from bblas_gen.codegen.render import has_template
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.recursion import cut, problems
from bblas_gen.ir.rules import AT_ONCE, RULES
from bblas_gen.ir.spec import KernelSpec, letter
from bblas_gen.ir.terms import FLAGS
from bblas_gen.schedule import recursive
from tests.support.extended import apply, symmetric, triangle
from tests.support.lu_oracles import ORACLES as LU_ORACLES
from tests.support.oracles import ORACLES

ALL = {**ORACLES, **LU_ORACLES}
MADE = ("trsv", "trtri", "potrs", "posv", "potri", "getrs", "gesv", "getri", "getrsnp", "gesvnp", "getrinp")


def side(f, a, b):
    return a @ b if f["side"] == "L" else b @ a


def solve(f, a, b):
    return np.linalg.solve(a, b) if f["side"] == "L" else np.linalg.solve(a.T, b.T).T


def keep(f, c, new, diag="N"):
    """``new`` in the triangle of C that is its own."""
    inside = np.tril(np.ones(c.shape, bool)) if f["uplo"] == "L" else np.triu(np.ones(c.shape, bool))
    inside &= (diag == "N") | ~np.eye(len(c), dtype=bool)
    c[inside] = new[inside]


def product_of(f, c, value, beta):
    c[:] = value + (beta * c if beta else 0)


def exchanged(f, a, ipiv):
    rows = a if f["side"] == "L" else a.T
    order = range(len(ipiv))
    for i in reversed(order) if f["trans"] in "TC" else order:
        rows[[i, ipiv[i, 0] - 1]] = rows[[ipiv[i, 0] - 1, i]]


def eliminated(a, ipiv=None):
    for j in range(min(a.shape)):
        if ipiv is not None:
            row = j + np.argmax(np.abs(a[j:, j].real) + np.abs(a[j:, j].imag))
            ipiv[j, 0] = row + 1
            a[[j, row]] = a[[row, j]]
        a[j + 1 :, j] /= a[j, j]
        a[j + 1 :, j + 1 :] -= np.outer(a[j + 1 :, j], a[j, j + 1 :])


def cholesky(f, a):
    lower = np.linalg.cholesky(symmetric(a[None], f["uplo"], True)[0].astype(a.dtype))
    keep(f, a, lower if f["uplo"] == "L" else lower.conj().T)


def own_product(f, a):
    t = triangle(a[None], f["uplo"])[0]
    keep(f, a, t.conj().T @ t if f["uplo"] == "L" else t @ t.conj().T)


def inverse(f, a):
    keep(f, a, np.linalg.inv(triangle(a[None], f["uplo"], f["diag"])[0].astype(a.dtype)), f["diag"])


def of_triangle(f, a, dtype):
    return apply(f["transa"], triangle(a[None], f["uplo"], f["diag"]))[0].astype(dtype)


def two_sided(hermitian):
    def run(f, v, a, b, c):
        whole = symmetric(a[None], f["uplo"], hermitian)[0]
        product_of(f, c, v["alpha"] * side(f, whole, b), v["beta"])

    return run


def rank(hermitian):
    def run(f, v, *operands):
        a, b, c = apply(f["trans"], operands[0]), apply(f["trans"], operands[-2]), operands[-1]
        other = (lambda x: x.conj().T) if hermitian else np.transpose
        value = v["alpha"] * (a @ other(b))
        if len(operands) == 3:
            value += (np.conj(v["alpha"]) if hermitian else v["alpha"]) * (b @ other(a))
        keep(f, c, value + (v["beta"] * np.nan_to_num(c) if v["beta"] else 0))
        if hermitian:
            np.fill_diagonal(c, c.diagonal().real)

    return run


def trilu(f, v, a):
    lower = np.tril(a, -1) + np.eye(len(a))
    a[:] = np.triu(a) @ np.linalg.inv(lower)


def assign(target, value):
    target[:] = value


RUN = {
    "gemm": lambda f, v, a, b, c: product_of(
        f, c, v["alpha"] * apply(f["transa"], a) @ apply(f["transb"], b), v["beta"]
    ),
    "trsm": lambda f, v, a, b: assign(b, solve(f, of_triangle(f, a, b.dtype), v["alpha"] * b)),
    "trmm": lambda f, v, a, b: assign(b, v["alpha"] * side(f, of_triangle(f, a, b.dtype), b)),
    "symm": two_sided(False),
    "hemm": two_sided(True),
    "syrk": rank(False),
    "herk": rank(True),
    "syr2k": rank(False),
    "her2k": rank(True),
    "potrf": lambda f, v, a: cholesky(f, a),
    "lauum": lambda f, v, a: own_product(f, a),
    "trti2": lambda f, v, a: inverse(f, a),
    "checkdiag": lambda f, v, a: None,
    "getrf": lambda f, v, a, ipiv: eliminated(a, ipiv),
    "getrfnp": lambda f, v, a: eliminated(a),
    "laswp": lambda f, v, a, ipiv: exchanged(f, a, ipiv),
    "trilu": trilu,
}
"""Operations on single matrices."""


def carry_out(found, operands, scalars):
    """The list over NumPy arrays; pivots are numbers of rows of the whole matrix."""
    for one in found:
        parts = [operands[x.name][x.row : x.row + x.rows, x.col : x.col + x.cols] for x in one.blocks]
        values = {name: number(x, scalars) for name, x in zip(one.op.scalars, one.scalars, strict=True)}
        first = one.blocks[0].row
        if one.op.name == "laswp":
            parts[1] = parts[1] - first
        RUN[one.op.name](one.letters, values, *parts)
        if one.op.name == "getrf":
            parts[1] += first


def number(x, scalars):
    if not isinstance(x, str):
        return x
    return np.conj(scalars[x[:-1]]) if x.endswith("*") else scalars[x]


def letters_of(op):
    """All combinations of its flags."""
    return [
        dict(zip(op.flags, (letter(x, y) for x, y in zip(op.flags, some, strict=True)), strict=True))
        for some in product(*(FLAGS[name] for name in op.flags))
    ]


@pytest.mark.parametrize("name", [*RULES, *MADE])
def test_a_list_is_what_the_operation_is(name):
    op, oracle, rng = OPS[name], ALL[name], np.random.default_rng(3)
    scalars = {x: 1.5 if x in op.real_scalars else (1.5 - 0.5j, -0.75 + 1j)[x == "beta"] for x in op.scalars}
    for flags in letters_of(op):
        for n, other, most in ((1, 2, 1), (2, 3, 1), (5, 3, 2), (8, 2, 2), (9, 11, 4), (13, 4, 3)):
            sizes = dict.fromkeys(op.sizes, n) | ({op.sizes[-1]: other} if len(op.sizes) > 1 else {})
            before = oracle.make(rng, 1, sizes, flags, "complex128")
            after = {x: value.copy() for x, value in before.items()}
            single = {x: value[0] if value.ndim == 3 else value[0][:, None] for x, value in after.items()}
            carry_out(problems(op, sizes, flags, most), single, scalars)
            assert oracle.error(before, after, flags, scalars) < oracle.bound, (flags, sizes, most)


def test_only_products_are_large():
    for name in RULES:
        op = OPS[name]
        sizes = dict.fromkeys(op.sizes, 100)
        for flags in letters_of(op)[:4]:
            for one in problems(op, sizes, flags, 16):
                order = min(min(x.rows, x.cols) for x in one.blocks if x.cols > 1)
                assert one.op.name in ("gemm", "laswp") or order <= 16, str(one)


def test_products_do_nearly_all():
    """Of a solve with 1,024 unknowns, leaves of order 32 do one in 32 operations."""
    op = OPS["trsm"]
    flags, sizes = letters_of(op)[0], {"m": 1024, "n": 1024}
    done = {"gemm": 0, "trsm": 0}
    for one in problems(op, sizes, flags, 32):
        a, b = one.blocks[:2]
        done[one.op.name] += 2 * a.rows * a.cols * b.cols if one.op.name == "gemm" else a.rows**2 * b.cols
    assert done["trsm"] * 32 == done["trsm"] + done["gemm"]


@pytest.mark.parametrize(("order", "place"), [(2, 1), (3, 2), (4, 2), (5, 4), (63, 32), (64, 32), (65, 64)])
def test_a_side_is_cut_at_a_power_of_two(order, place):
    assert cut(order) == place


def test_a_problem_prints_as_what_it_is():
    op = OPS["trsm"]
    found = [str(x) for x in problems(op, {"m": 3, "n": 5}, letters_of(op)[0], 2)]
    assert found == [
        "trsm L L N N A[0:2, 0:2] B[0:2, 0:5] alpha = alpha",
        "gemm N N A[2:3, 0:2] B[0:2, 0:5] B[2:3, 0:5] alpha = -1 beta = alpha",
        "trsm L L N N A[2:3, 2:3] B[2:3, 0:5] alpha = 1",
    ]


@pytest.mark.parametrize(
    ("symbol", "divided"),
    [
        ("bb_dposv_l_st_n128nrhs1", True),
        ("bb_dposv_l_st_n127nrhs200", False),
        ("bb_dpotrf_l_st_n508", False),
        ("bb_dtrsm_llnn_st_m508n2", False),
        ("bb_dtrsm_llnn_st_m128n1", True),
        ("bb_dtrmm_llnn_st_m128n1", False),
        ("bb_dpotrf_l_st_n512_rm", True),
        ("bb_zpotrf_l_st_n128", True),
        ("bb_ztrsm_rlnn_pp_m3n128", True),
        ("bb_ztrsm_llnn_pp_m3n128", False),
        ("bb_zherk_ln_st_n128k1", True),
        ("bb_zherk_ln_st_n1k128", False),
        ("bb_dgetrf_st_m128n130", True),
        ("bb_dgetrf_bi_m128n130", False),
        ("bb_dgemm_nn_st_m128n128k128", False),
        ("bb_dgemv_n_st_m600n600", False),
        ("bb_dpotrf_l_st_n", False),
        ("bb_dsygv_1vl_st_n200", False),
        ("bb_dpotrfk_l_st_n508", False),
        ("bb_dpotrfkc_l_st_n512_rm", True),
        ("bb_dtrsmk_llnn_st_m508n9", False),
        ("bb_dtrmmk_rlnn_st_m9n512", True),
        ("bb_dpotrsk_l_st_n128nrhs9", True),
        ("bb_dpotrs_l_st_n128nrhs9", True),
        ("bb_dgetrfk_st_m128n130", True),
    ],
)
def test_shape_alone_says_what_is_divided(symbol, divided):
    assert recursive.large(KernelSpec.parse(symbol)) is divided


def test_what_c_does_not_do_in_parts_divides_no_sequence():
    for steps, divided in ([("potrf", "A"), ("trtri", "A")], True), ([("potrf", "A"), ("logdet", "A", "D")], False):
        row = bb.sequence([bb.step(*one) for one in steps]).row
        assert recursive.large(KernelSpec.make(row, "d", "st", strides="rm", m=200)) is divided
    assert all(has_template(f"op/{name}.recursive.c") for name in AT_ONCE)


def test_explain_shows_the_list():
    text = CliRunner().invoke(main, ["explain", "bb_zpotri_l_st_n130", "--simd-bytes", "64"]).output
    assert "  divided     " in text
    assert "checkdiag N A[0:130, 0:130]" in text
    assert "lauum L A[128:130, 128:130]" not in text, "only the first are shown"


@pytest.mark.parametrize(
    ("symbol", "lines"),
    [
        ("bb_dgemm_nn_st_m1000n1000k1000", ["bb_dgemm_nn_st_mnk_ld instead", "form direct", "large ones form blocked"]),
        ("bb_dgemv_n_st_m100n100_rm", ["bb_dgemv_n_st_mn_rm instead", "form streamed"]),
        ("bb_dpotrf_l_st_n600_rm", ["bb_dpotrf_l_st_n_rm instead", "form recursive"]),
        ("bb_dgemm_nn_st_m8n8k8", []),
    ],
)
def test_explain_shows_what_calls_run(symbol, lines):
    text = CliRunner().invoke(main, ["explain", symbol, "--simd-bytes", "64"]).output.splitlines()
    first = next((i for i, line in enumerate(text) if line.startswith("  in calls    ")), len(text))
    found = [line[14:] for line in text[first : first + len(lines)]]
    assert [one.startswith(x) for one, x in zip(found, lines, strict=True)] == [True] * len(lines)
    assert (first < len(text)) == bool(lines)


@pytest.mark.parametrize(("sizes", "shown"), [("m600n64", True), ("m30n64", False)])
def test_explain_shows_the_list_of_a_gpu(sizes, shown, monkeypatch):
    monkeypatch.setenv("BBLAS_GEN_NVCC", "/nowhere/nvcc")
    named = [f"bb_dtrsm_llnn_st_{sizes}", "--target", "cuda", "--arch", "sm_90"]
    text = CliRunner().invoke(main, ["explain", *named]).output
    assert "chosen" in text
    assert "simd_bytes" not in text
    assert ("trsm L L N N A[64:128, 64:128] B[64:128, 0:64] alpha = 1" in text) is shown


def test_the_list_of_the_page_is_shown():
    page = (Path(__file__).parents[2] / "docs" / "single.md").read_text(encoding="utf-8")
    (symbol,) = re.findall("^bblas-gen explain (.*)$", page, re.MULTILINE)
    assert "  divided     " in CliRunner().invoke(main, ["explain", symbol, "--simd-bytes", "64"]).output


@pytest.mark.parametrize(("sizes", "shown"), [("m600n32", False), ("m600n33", True), ("m4096n17", True)])
def test_explain_divides_no_triangle_beside_a_few_right_hand_sides(sizes, shown):
    text = CliRunner().invoke(main, ["explain", f"bb_dtrsm_llnn_st_{sizes}", "--simd-bytes", "64"]).output
    assert "chosen" in text
    assert ("  divided     " in text) is shown
