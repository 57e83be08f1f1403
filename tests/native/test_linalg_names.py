"""Names, arguments and docstrings are NumPy's and SciPy's, and more."""

from __future__ import annotations

import doctest
import inspect
import pickle
import re

import numpy as np
import pytest

import bblas_gen.linalg as la
from bblas_gen.linalg import scipy_frame, vjp
from bblas_gen.linalg.accelerate import OURS


def test_all_names_are_there_and_take_what_numpy_s_take():
    for name in np.linalg.__all__:
        ours, theirs = getattr(la, name), getattr(np.linalg, name)
        if name != "LinAlgError":
            more, known = (
                [(x.name, x.kind, x.default) for x in inspect.signature(f).parameters.values()] for f in (ours, theirs)
            )
            assert more[: len(known)] == known, name
    assert la.LinAlgError is np.linalg.LinAlgError


def test_names_of_scipy_take_what_scipy_s_take():
    linalg = pytest.importorskip("scipy.linalg")
    ours = {x.__name__: x for x in OURS}
    assert ours.keys() >= {
        "solve_triangular",
        "cho_factor",
        "cho_solve",
        "lu_factor",
        "lu_solve",
        "lu",
        "expm",
        "sqrtm",
    }
    for name, ours_of_it in ours.items():
        more, known = (
            [(x.name, x.kind, x.default) for x in inspect.signature(f).parameters.values()]
            for f in (ours_of_it, getattr(linalg, name))
        )
        if name == "sqrtm":  # what is not given is an object of SciPy's
            more, known = ([x[:2] for x in some] for some in (more, known))
        assert more[: len(known)] == known, name
        beyond = [
            x[0] for x in more[len(known) :] if x[0] not in ("assume_a", "lower")
        ]  # which SciPy 1.15 lacks in inv
        assert beyond == ["check", "return_info", "num_threads", "dtype"]


DOCUMENTED = [getattr(la, name) for name in la.__all__ if name not in ("LinAlgError", "accelerate")]

EXAMPLES = [x for x in DOCUMENTED if ">>> " in x.__doc__ and (x in OURS or x is la.lstsq)]


@pytest.mark.parametrize("function", dict.fromkeys([*DOCUMENTED, *OURS]), ids=lambda x: f"{x.__module__}.{x.__name__}")
def test_docstrings_name_what_is_asked_beside_operands(function):
    """Of functions that are written here, every argument."""
    sections = inspect.getdoc(function).split("Parameters\n")[1:]
    described = re.findall(r"^\*{0,2}(\w+(?:, \*{0,2}\w+)*)(?: : |$)", "".join(sections), re.MULTILINE)
    named = {x.strip("* ") for line in described for x in line.split(",")}
    arguments = inspect.signature(function).parameters
    own = {"check", "return_info", "num_threads", "dtype", "refine"}
    if function in DOCUMENTED and (function in OURS or function.__module__ != "bblas_gen.linalg"):
        own = {*arguments}
    assert own & {*arguments} <= named


def test_docstrings_of_rules_name_every_argument():
    for name in ("solve", "inv", "det", "slogdet", "cholesky", "eigh"):
        rule = getattr(vjp, name)
        assert {*inspect.signature(rule).parameters} <= {*re.findall(r"``(\w+)``", rule.__doc__)}, name


def test_there_are_examples_of_what_is_written_here():
    assert {x.__name__ for x in EXAMPLES} == {x.__name__ for x in OURS if x in DOCUMENTED} | {"lstsq"}


@pytest.mark.parametrize("by_kernels", [False, pytest.param(True, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("function", EXAMPLES, ids=lambda x: x.__name__)
def test_examples_are_true(function, by_kernels, monkeypatch):
    """And what SciPy does of them."""
    pytest.importorskip("scipy.linalg")
    if not by_kernels:
        monkeypatch.setattr(scipy_frame, "is_worth_it", lambda *_: False)
        monkeypatch.setattr("bblas_gen.linalg.least_squares.LARGEST", 0)
    test = doctest.DocTestParser().get_doctest(function.__doc__, {"np": np, "la": la}, function.__name__, None, 0)
    report = []
    assert not doctest.DocTestRunner(verbose=False).run(test, out=report.append).failed, "".join(report)


def test_all_names_take_more_than_numpy_s(stack):
    """Those that no kernel does, too."""
    one = stack[0, 0]
    calls = [(la.cross, one, one), (la.outer, one[0], one[0]), (la.trace, one), (la.diagonal, one)]
    calls += [(la.vector_norm, one), (la.multi_dot, [one] * 3), (la.matrix_transpose, one), (la.tensordot, one, one)]
    for call, *operands in calls:
        found, info = call(*operands, check="nan", num_threads=2, return_info=True)
        np.testing.assert_array_equal(found, getattr(np.linalg, call.__name__)(*operands))
        assert info == 0
        with pytest.raises(ValueError, match=r"^check = 'no'"):
            call(*operands, check="no")
    assert la.trace(stack, dtype="f").dtype == np.float32  # NumPy's own argument
    for call in (la.trace, la.inv, la.lu):
        with pytest.raises(ValueError, match=r"^num_threads = 0"):
            call(np.eye(3), num_threads=0)


def test_functions_pickle():
    for call in OURS:
        assert pickle.loads(pickle.dumps(call)) is call
