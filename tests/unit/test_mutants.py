"""Mutants of templates and modules: what they change, and what they leave alone."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest
from mutation.mutants import mutants_of
from mutation.run import Judge, all_mutants, main, patiently

TEMPLATE = """\
{# a + b, true #}
/* x < y */
#if defined(A) && B
#endif
{% if a and not b %}
    const bb_real *p = q;
    bb_put(p, x[0]); /* 1 */
{{ t.sum(i, (j, 2)) }}
    int n = i < {{ m + 1 }};
{% endif %}
"""
MODULE = '''\
"""One + two."""


def f(x: tuple[int, 1], y):
    """Some < others."""
    if x == 0:
        return 1
    if y and x[g(x, y)] + 2:
        raise ValueError(f"{x} + {y}")
    h(y)
    return f"{x} + {3}"
'''


def made(name, text):
    return {mutant.applied(text) for mutant in mutants_of(Path(name), text)}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a and", "a or"),
        ("and not b", "and  b"),
        ("x[0]", "x[1]"),
        ("bb_put(p, x[0])", "bb_put(x[0], p)"),
        ("    bb_put(p, x[0]);", "    ;"),
        ("t.sum(i, (j, 2))", "t.sum((j, 2), i)"),
        ("i <", "i <="),
        ("m + 1", "m - 1"),
        ("m + 1", "m + 2"),
    ],
)
def test_of_a_template(old, new):
    assert TEMPLATE.replace(old, new) in made("a.c", TEMPLATE)


def test_comments_declarations_and_questions_to_the_compiler_are_left_alone():
    lines = set(range(1, 5)) | {6}
    assert not lines & {mutant.line for mutant in mutants_of(Path("a.c"), TEMPLATE)}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x == 0", "x != 0"),
        ("x == 0", "x == 1"),
        ("    if x == 0:\n        return 1\n", "    pass\n"),
        ("y and", "y or"),
        ("g(x, y)", "g(y, x)"),
        ("] + 2", "] - 2"),
        ("h(y)", "pass"),
        ("+ {3}", "- {3}"),
    ],
)
def test_of_a_module(old, new):
    assert MODULE.replace(old, new) in made("a.py", MODULE)


def test_words_types_and_errors_are_left_alone():
    assert not {1, 4, 5, 9} & {mutant.line for mutant in mutants_of(Path("a.py"), MODULE)}


def test_mutants_of_modules_are_python():
    for mutant in all_mutants(["bblas_gen/codegen/packing.py"]):
        text = Path(__file__).resolve().parents[2].joinpath(mutant.path).read_text()
        ast.parse(mutant.applied(text))


def test_mutants_of_a_line_are_shown(monkeypatch, capsys):
    lines = (Path(__file__).resolve().parents[2] / "templates/frame/openmp.c").read_text().splitlines()
    number = next(i for i, line in enumerate(lines, 1) if "threads > 1024" in line)
    monkeypatch.setattr(sys, "argv", ["run", f"templates/frame/openmp.c:{number}", "--list"])
    main()
    shown = capsys.readouterr().out
    assert shown.count("+++ templates/frame/openmp.c") == shown.count(f"\n@@ -{number} ") > 1


def test_a_test_that_fails_without_a_mutant_catches_none(tmp_path):
    class Broken:
        folder = tmp_path

        def collected(self):
            return []

        def digests(self, operations):
            return {}

        def test(self, some):
            return "test_goldens"

    with pytest.raises(SystemExit, match="without any fault a test fails: test_goldens"):
        Judge(Broken())


@pytest.mark.parametrize(("took", "seconds"), [(1, 120), (50, 500)])
def test_a_mutant_has_more_time_where_the_tree_as_it_is_takes_long(took, seconds, monkeypatch):
    """What is done before there is any mutant has all the time that it takes."""
    now = iter([0, took])
    monkeypatch.setattr("mutation.run.time.monotonic", lambda: next(now))
    assert patiently(lambda: "done", 120) == ("done", seconds)
