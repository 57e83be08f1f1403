"""Loops of generated code: an index that is known is a number, what has no steps is not there."""

from __future__ import annotations

import re

import pytest
from support import golden, sources

from bblas_gen.codegen.render import _environment
from bblas_gen.ir.partition import segments
from bblas_gen.ir.views import View, before, index_text

LOOP = '{% from "tile/loop.c" import along, loop %}'


def words(template, **context):
    return " ".join(_environment().from_string(LOOP + template).render(context).split())


@pytest.mark.parametrize(
    ("index", "text"),
    [(3, "3"), ("i", "i"), (("i", 0), "i"), ((("i", 2), 3), "i + 5"), ((2, 3), "5"), (("i", -4), "i - 4")],
)
def test_the_text_of_an_index(index, text):
    assert index_text(index) == text


def test_nested_indices_fold():
    assert View(1, 8).at((("i", 1), 2), (4, 1)) == "i + 43"


@pytest.mark.parametrize(
    ("first", "last", "may"),
    [
        (0, 0, False),
        (0, 1, True),
        ("i", "i", False),
        ("i", ("i", 4), True),
        (("i", 4), "i", False),
        (0, "i", True),
        ("i", 9, True),
    ],
)
def test_what_may_lie_before(first, last, may):
    assert before(first, last) == may


@pytest.mark.parametrize(
    ("first", "last", "text"),
    [
        (0, 12, "for (int64_t i = 0; i < 12; i += 4) { at i; }"),
        (4, 8, "{ at 4; }"),
        (8, 8, ""),
        (("j", 4), ("j", 4), ""),
        (("j", 4), ("j", 8), "{ at j + 4; }"),
        (0, "j", "for (int64_t i = 0; i < j; i += 4) { at i; }"),
    ],
)
def test_a_loop_has_its_steps(first, last, text):
    source = '{% call(i) loop("i", first, last, 4) %}at {{ i | index }};{% endcall %}'
    assert words(source, first=first, last=last) == text


@pytest.mark.parametrize(
    ("total", "backwards", "text"),
    [
        (3, False, "at 0 3;"),
        (4, True, "at 0 4;"),
        (9, False, "for (int64_t i = 0; i < 8; i += 4) { at i 4; } { at 8 1; }"),
        (9, True, "{ at 8 1; } for (int64_t i = 4; i >= 0; i -= 4) { at i 4; }"),
        (5, True, "{ at 4 1; } { at 0 4; }"),
    ],
)
def test_segments_have_theirs(total, backwards, text):
    source = '{% call(i, s) along(all, "i", backwards) %}at {{ i | index }} {{ s.size }};{% endcall %}'
    assert words(source, all=segments(total, 4), backwards=backwards) == text


CONSTANT = re.compile(r"for \(int(?:64_t)? (\w+) = (\d+); \1 (?:<|>=|>) (\d+); \1 (?:\+\+|--|[+-]= (\d+))\)")


def test_no_golden_source_has_a_loop_without_steps():
    for source, _ in golden.sources():
        for variable, first, last, _ in CONSTANT.findall(source.text):
            assert first != last, (source.filename, variable)


@pytest.mark.parametrize("symbol", ["bb_dgetrf_bi_mn4", "bb_dgetrf_bi_m13n"])
def test_a_panel_may_end_beyond_pivots_that_only_run_time_counts(symbol):
    assert re.search(r"if \(j( \+ 0)? < \(", sources.source(symbol).text)
