"""The rules of templates: logic is Python's, braces balance, a template is read from left to right.

``range(`` may head a ``for`` of lane bodies, of tiles and of what prints lists of lanes: it counts the rows and columns
of an unrolled tile, or the lanes of a vector, and decides nothing. LONG holds the lines over 120 columns that there
still are.
"""

from __future__ import annotations

import re
from pathlib import Path

import jinja2
import pytest

ROOT = Path(__file__).resolve().parents[2] / "templates"
TEMPLATES = sorted(p for p in ROOT.rglob("*.c*") if "bench" not in p.parts)
SETS = re.compile(r"\{% set [^=]+ = (.*?) %\}")
ARITHMETIC = re.compile(r" [-+*%~] |//|\{")
TAGS = re.compile(r'\{#.*?#\}|\{\{.*?\}\}|\{%.*?%\}|"(?:\\.|[^"\\\n])*"|/\*.*?\*/', re.DOTALL)
FOR = re.compile(r"\{% for [\w, ]+ in range\(")
JINJA = re.compile(r"\{\{.*?\}\}|\{%.*?%\}")
COUNTS = re.compile(r"^tile/|\.(lane\.c|team\.cu)$|gemm\.flat\.c$|info\.c$|complex_pairs\.c$")
FORBIDDEN = {
    "formats C": re.compile(r'" %(?!\})'),
    "edits text": re.compile(r"\| *replace\("),
    "pastes indentation": re.compile(r'\{\{ " +" \}\}'),
}


def name(path):
    return str(path.relative_to(ROOT))


def faults(text, *, counts):
    """What is wrong with a template, by rule."""
    found = [f"{rule}: {tag}" for tag in JINJA.findall(text) for rule, bad in FORBIDDEN.items() if bad.search(tag)]
    found += [f"works in a set: {value}" for value in SETS.findall(text) if ARITHMETIC.search(value)]
    for tag in JINJA.findall(text):
        if re.search(r"\brange\(", tag) and not (counts and FOR.match(tag)):
            found.append(f"counts: {tag}")
    bare = TAGS.sub("", text)
    if bare.count("{") != bare.count("}"):
        found.append("braces do not balance")
    return found


def test_there_are_templates():
    assert len(TEMPLATES) > 60


@pytest.mark.parametrize("path", TEMPLATES, ids=name)
def test_templates_keep_the_rules(path):
    assert not faults(path.read_text(), counts=COUNTS.search(name(path)))


@pytest.mark.parametrize(
    "text",
    [
        "{% set n = m + 1 %}",
        '{% set n = {"L": 1}[m] %}',
        "{% for i in range(3) %}{% endfor %}",
        '{{ "%d" % 3 }}',
        '{{ x | replace("a", "b") }}',
        '{{ "    " }}',
        "{% if x %}{ {% endif %}",
    ],
)
def test_each_rule_can_be_broken(text):
    assert faults(text, counts=False)


@pytest.mark.parametrize("path", TEMPLATES, ids=name)
def test_templates_parse_and_are_short(path):
    text = path.read_text()
    jinja2.Environment(autoescape=False).parse(text)
    assert text.count("\n") <= 120


def test_the_lines_that_are_too_long_are_those_that_are_listed():
    found = {name(p): sum(len(line) > 120 for line in p.read_text().splitlines()) for p in TEMPLATES}
    assert {file: lines for file, lines in found.items() if lines} == LONG


LONG = {
    "arith/complex_pairs.c": 9,
    "arith/lane_real.c": 1,
    "arith/update.c": 1,
    "frame/call_bodies.c": 1,
    "frame/direct.c": 2,
    "frame/heap.c": 1,
    "frame/info.c": 1,
    "frame/lane.c": 1,
    "frame/vector.c": 1,
    "op/gemm.direct.c": 1,
    "op/gemm.flat.c": 5,
    "op/gemm.lane.c": 3,
    "op/syr2k.direct.c": 2,
    "simd/cpu.c": 2,
    "simd/mask_simd.c": 4,
    "simd/vector_halves.c": 2,
    "threads/claims.c": 1,
    "threads/pool.c": 2,
    "tile/packed_panel.c": 2,
    "tile/register_tile.c": 4,
    "tile/vector_tile.c": 1,
    "tile/vector_update.c": 2,
}
"""Lines over 120 columns by file: calls whose arguments are text of Python, and comments in C that have always been so
printed. None may be added, and what is no longer there is no longer listed."""
