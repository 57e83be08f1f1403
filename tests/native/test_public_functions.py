"""The functions that users call follow from the catalogue: byte by byte, each documented in full, each example true."""

from __future__ import annotations

import ast
import doctest
import inspect
import re

import numpy as np
import pytest
from support.types import mypy

import bblas_gen as bb
from bblas_gen.codegen import public
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.documentation import FUNCTIONS, INTERNAL
from bblas_gen.ir.documented import PublicFunction
from bblas_gen.ir.operation import INFO, Operand, Operation
from bblas_gen.ir.terms import Kind, Role


@pytest.mark.parametrize("name", [f"{module}.py" for module in public.MODULES] + ["__init__.py"])
def test_what_is_written_is_there(name):
    assert (public.PACKAGE / name).read_text(encoding="utf-8") == public.texts()[name], (
        "run python -m bblas_gen.codegen.public"
    )


def test_every_operation_has_a_function_or_a_reason():
    assert not set(FUNCTIONS) & set(INTERNAL)
    assert set(FUNCTIONS) | set(INTERNAL) == set(OPS)
    assert set(FUNCTIONS) == set(bb.blas.__all__) | set(bb.lapack.__all__)
    assert set(FUNCTIONS) <= set(bb.__all__)
    assert not set(INTERNAL) & set(bb.__all__)


def test_names_of_functions_come_and_go():
    text = public.initial_text((public.PACKAGE / "__init__.py").read_text())
    with_less = text.replace("from .lapack import lauum, ", "from .lapack import ").replace('    "lauum",\n', "")
    assert with_less != text
    assert public.initial_text(with_less) == text


EXAMPLES = [name for name in bb.__all__ if ">>> " in (getattr(bb, name).__doc__ or "")]


def test_there_are_examples():
    assert {*FUNCTIONS, "Interleaved", "interleave", "plan", "pointers", "sequence"} <= set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_true(name):
    test = doctest.DocTestParser().get_doctest(getattr(bb, name).__doc__, {"np": np, "bb": bb}, name, None, 0)
    assert test.examples
    report = []
    assert not doctest.DocTestRunner(verbose=False).run(test, out=report.append).failed, "".join(report)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_docstrings_are_complete(name):
    function = getattr(bb, name)
    text = inspect.getdoc(function)
    titles = re.findall(r"^(\w+)\n-+$", text, re.MULTILINE)
    assert titles == ["Parameters", "Returns", "Raises", "Notes", "References", "Examples"]
    described = re.findall(r"^(\w+) : ", text[text.index("Parameters") : text.index("Returns\n---")], re.MULTILINE)
    assert described == list(inspect.signature(function).parameters)[:-1]
    assert OPS[name].source in " ".join(text.split())
    assert "operations per matrix" in " ".join(text.split())
    assert all(len(line) <= 116 for line in text.splitlines())


@pytest.mark.parametrize("module", public.MODULES)
def test_every_argument_goes_by_its_own_name(module):
    """A dictionary that gives ``uplo`` as ``diag`` would raise nothing: both have a U."""
    found = [x for x in ast.walk(ast.parse(public.texts()[f"{module}.py"])) if isinstance(x, ast.Dict)]
    assert found
    for node in found:
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(value, ast.Call):  # vector("x", x)
                assert value.args[0].value == value.args[1].id
                value = value.args[1]
            assert key.value.lower() == value.id


def test_the_arguments_are_keyword_only_but_for_operands():
    """Indices that are no result go by keyword too."""
    for name in FUNCTIONS:
        op = OPS[name]
        operands = {y.name for y in op.parameters if y.kind is not Kind.INDEX or y.role is Role.IN} | {*op.returns}
        for x in inspect.signature(getattr(bb, name)).parameters.values():
            assert (x.kind in (x.KEYWORD_ONLY, x.VAR_KEYWORD)) != (x.name.upper() in operands)


PIVOTED = Operation(
    name="getrf",
    formula="A = P L U",
    sizes=("m", "n"),
    operands=(
        Operand("A", "m", "n", Role.INOUT),
        Operand("IPIV", "min(m, n)", "1", Role.OUT, kind=Kind.INDEX),
        INFO,
    ),
    flops="n**3",
    source="LAPACK xGETRF",
    returns=("A", "IPIV"),
    fails="are singular",
)


def test_several_results_and_indices():
    documented = PublicFunction("lapack", "Factor A = P L U.", ">>> 1\n1")
    text = public.function_text(PIVOTED, documented)
    *_, tree = ast.parse(text).body
    assert ") -> tuple[Batch, Any, Array]: ..." in text
    assert [x.arg for x in tree.args.args] == ["a", "ipiv"]
    assert [x.arg for x in tree.args.kwonlyargs] == ["overwrite", "out", "check", "return_info", "num_threads"]
    assert 'operands = {"A": a, "IPIV": ipiv}' in text
    doc = ast.get_docstring(tree)
    assert "ipiv : batch of int32 indices, optional" in doc
    assert re.search(r"Returns\n-+\na : .*\n.*\nipiv : .*\n.*\ninfo : ", doc)
    solver = Operation(
        name="gesv",
        formula="A X = B",
        sizes=("n", "nrhs"),
        operands=(*PIVOTED.operands[:2], Operand("B", "n", "nrhs", Role.INOUT), INFO),
        flops="n**3",
        source="LAPACK xGESV",
        fails="are singular",
    )
    *_, tree = ast.parse(public.function_text(solver, documented)).body
    assert [x.arg for x in tree.args.args] == ["a", "b"]
    assert next(x.arg for x in tree.args.kwonlyargs) == "ipiv"


def test_several_vectors_come_back():
    swap = Operation(
        name="swap",
        formula="X, Y := Y, X",
        sizes=("n",),
        operands=(Operand("X", "n", "1", Role.INOUT), Operand("Y", "n", "1", Role.INOUT)),
        flops="0",
        source="BLAS xSWAP",
        returns=("X", "Y"),
    )
    text = public.function_text(swap, PublicFunction("blas", "x, y := y, x.", ">>> 1\n1"))
    arguments = "x: Batch, y: BatchLike, *, num_threads: int | None = None, **unknown: Never"
    assert text.startswith(f"def swap({arguments}) -> tuple[Batch, Any]:\n")
    assert text.endswith("    return x, y\n")
    assert "0 operations" not in text


def test_results_are_typed(tmp_path):
    use = """
from typing import Any, assert_type
import numpy as np
import bblas_gen as bb

Array = np.ndarray[Any, np.dtype[Any]]

def strict(a: Array, i: bb.Interleaved) -> Array:
    if len(a) > 1:
        return bb.deinterleave(i)
    return bb.posv(bb.syrk(a, a), bb.gemm(a, a))

def use(a: Array, i: bb.Interleaved, p: list[Array]) -> None:
    assert_type(bb.gemm(a, a), Array)
    assert_type(bb.gemm(i, a, p), list[Array])
    assert_type(bb.trsm(a, i), bb.Interleaved)
    assert_type(bb.potrf(a, overwrite=False, clean=True), Array)
    assert_type(bb.symm(i, a), bb.Interleaved)
    assert_type(bb.gemv(a, a), Array)
    assert_type(bb.potrf(i, return_info=True), tuple[bb.Interleaved, Array])
    assert_type(bb.dot(a, a), Array)
    bb.trsm(a, a, uplo="T")  # error
    bb.symm(a, 3, a)  # error
    bb.gemm(a, a, transa="Q")  # error
    bb.posv(a, a, check="explode")  # error
    bb.trsm(a, a, upper=True)  # error
    bb.potrf("hello")  # error
    assert_type(i[:8], bb.Interleaved)
    assert_type(i[0], Array)
    assert_type(i @ a, bb.Interleaved)
    assert_type(bb.deinterleave(i, p), list[Array])
"""
    (tmp_path / "use.py").write_text(use)
    said = mypy("use.py", cwd=tmp_path).stdout
    found = [line for line in said.splitlines() if line.startswith("use.py") and "error:" in line]
    wrong = [number for number, line in enumerate(use.splitlines(), 1) if line.endswith("# error")]
    assert [int(line.split(":")[1]) for line in found] == wrong, said
