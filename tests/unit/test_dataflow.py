"""Copies that are not made, results that nobody reads."""

from __future__ import annotations

import pytest
from support.inverse import STEPS

import bblas_gen as bb
from bblas_gen.ir.program import Program
from bblas_gen.ir.terms import Layout

COPIED = (bb.step("lacpy", "A", "F"), bb.step("lacpy", "B", "X"))


def bodies(steps, scratch=("F", "P")):
    row = bb.sequence(list(steps), scratch=scratch).row
    sizes = tuple(1 if name == "1" else 5 for name in row.sizes)
    return Program.of(bb.KernelSpec(row.name, "d", sizes, (), (Layout.ST,) * len(row.parameters), sequence=row)).bodies


def test_what_is_overwritten_at_once_is_fetched_from_where_it_is():
    (body,) = bodies((*COPIED, bb.step("gesv", "F", "P", "X")))
    assert body.sources == (("A", "A"), ("B", "B"))
    assert body.unread == ("A", "IPIV")
    found = bodies((*COPIED, bb.step("getrf", "F", "P"), bb.step("getrs", "F", "P", "X")))
    assert [body.row.name for body in found] == ["lacpy", "getrf", "laswp", "trsm", "trsm"]
    assert [body.sources for body in found] == [(), (("A", "A"),), (), (), ()]
    assert [body.unread for body in found] == [(), (), ("IPIV",), (), ("A",)]


def test_of_factors_a_determinant_wants_the_diagonal_alone():
    steps = (bb.step("lacpy", "A", "F"), bb.step("getrf", "F", "P"))
    factored, read = bodies((*steps, bb.step("gedet", "F", "P", "R")))
    assert (factored.unread, factored.diagonal) == ((), ("A",))
    assert (read.unread, read.diagonal) == (("A", "IPIV"), ())
    assert factored.determinant == read.determinant == "F"
    for other in (bb.step("getrs", "F", "P", "B"), bb.step("gemm", "F", "B", "C")):
        factored, *_ = bodies((*steps, bb.step("gedet", "F", "P", "R"), other))
        assert factored.diagonal == ()
        assert factored.determinant == ""
    factored, *_ = bodies((*steps, bb.step("gedet", "F", "P", "R")), scratch=["F"])  # pivots are a result
    assert factored.determinant == ""


def inverse(*, n=3, dtype="d", steps=STEPS, scratch=("P",)):
    """The names of the bodies."""
    row = bb.sequence(list(steps), scratch=scratch).row
    sizes = tuple(n or name for name in row.sizes)
    spec = bb.KernelSpec(row.name, dtype, sizes, (), (Layout.ST,) * len(row.parameters), sequence=row)
    return [body.row.name for body in Program.of(spec).bodies]


@pytest.mark.parametrize(("n", "dtype"), [(1, "d"), (4, "s"), (3, "z")])
def test_small_matrices_are_factored_and_inverted_at_once(n, dtype):
    assert inverse(n=n, dtype=dtype) == ["geinv"]
    again = tuple(bb.step(step.op, *({"A": "X", "X": "Y", "P": "Q"}[x] for x in step.operands)) for step in STEPS)
    assert inverse(n=n, dtype=dtype, steps=STEPS + again, scratch=("P", "Q")) == ["geinv", "geinv"]


@pytest.mark.parametrize(
    "changed",
    [
        {"n": 5},
        {"n": 4, "dtype": "z"},
        {"n": None},
        {"scratch": ()},
        {"steps": (*STEPS, bb.step("laswp", "B", "P"))},
        {"steps": (bb.step("lacpy", "A", "X", transa="T"), *STEPS[1:])},
        {"steps": (bb.step("getrf", "X", "P"), bb.step("lacpy", "A", "X"), STEPS[2])},
        {"steps": STEPS[1:]},
    ],
    ids=["large", "large and complex", "any size", "pivots are a result", "pivots", "a transpose", "order", "no copy"],
)
def test_what_is_not_inverted_at_once(changed):
    assert "geinv" not in inverse(**changed)


@pytest.mark.parametrize(
    "steps",
    [
        (bb.step("lacpy", "A", "F", transa="T"), bb.step("getrf", "F", "P")),
        (bb.step("lacpy", "A", "F"), bb.step("trtri", "A"), bb.step("getrf", "F", "P")),
        (bb.step("lacpy", "A", "F"), bb.step("gemm", "F", "B", "C"), bb.step("getrf", "F", "P")),
        (bb.step("lacpy", "A", "F"), bb.step("gesv", "A", "P", "F")),
        (bb.step("lacpy", "A", "F"), bb.step("potrf", "B"), bb.step("getrf", "F", "P")),
    ],
    ids=["transposed", "the original changes", "the copy is read before", "the original changes with it", "may fail"],
)
def test_copies_that_must_be_made(steps):
    found = bodies(steps, scratch=())
    assert found[0].row.name == "lacpy"
    assert not any(body.sources for body in found)


def test_a_copy_of_what_a_body_does_not_fetch_is_made():
    found = bodies((bb.step("lacpy", "A", "F"), bb.step("potrf", "F"), bb.step("trsm", "F", "B")), scratch=["F"])
    assert [body.row.name for body in found] == ["lacpy", "potrf", "trsm"]


def program(*steps, scratch=(), layouts=Layout.ST):
    row = bb.sequence([bb.step(*words) for words in steps], scratch=scratch).row
    sizes = tuple(5 for _ in row.sizes)
    given = (layouts,) * len(row.parameters)
    return Program.of(bb.KernelSpec(row.name, "d", sizes, (), given, 8 * layouts.blocked, sequence=row))


def test_packing_makes_the_copies_of_what_nobody_else_needs():
    copy, factor = ("lacpy", "A", "F"), ("potrf", "F")
    assert program(copy, factor, ("trsm", "F", "B"), scratch=["F"]).landings == {"A": "F"}
    assert program(copy, factor).landings == {"A": "F"}
    assert program(copy, factor, layouts=Layout.BI).landings == {}  # nothing is packed
    assert program(copy).landings == {}  # the copy is all there is to do
    assert program(copy, factor, ("gemm", "A", "F", "C")).landings == {}  # the original is read again
    assert program(("potrf", "F"), copy, factor).landings == {}  # there is something to overwrite


def test_an_output_that_is_written_before_a_report_is_not_read():
    inverse = (("lacpy", "A", "X"), ("getrf", "X", "P"), ("getri", "X", "P"))
    found = program(*inverse, scratch=["P"])
    assert found.preserved == ("X",)
    assert not found.reads(found.row.operand("X"))
    later = program(("potrf", "A"), ("lacpy", "A", "X"))
    assert later.reads(later.row.operand("X"))


@pytest.mark.parametrize(
    ("symbol", "triangle"), [("bb_dpotrfkc_l_st_n9_rm", "U"), ("bb_dpotrfk_l_st_n9_rm", ""), ("bb_dpotrf_l_st_n9", "L")]
)
def test_what_is_written_beside_a_triangle_is_not_read(symbol, triangle):
    assert Program.of(bb.KernelSpec.parse(symbol)).triangle("A") == triangle
