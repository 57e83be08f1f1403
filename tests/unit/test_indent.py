"""Indentation of generated C: what it does to each shape of statement, and that it changes white space only."""

from __future__ import annotations

import re

import pytest
from support import golden

from bblas_gen.codegen.indent import indented

CASES = {
    "blocks": "void f(void)\n{\nfor (;;) {\nx;\n}\n}\n",
    "no braces": "if (a)\nfor (b)\nif (c)\nx;\nelse\ny;\nz;\n",
    "else if": "if (a)\nx;\nelse if (b)\ny;\nelse\nz;\nw;\n",
    "loop around a block": "for (a)\nfor (b) {\nx;\n}\ny;\n",
    "else of a block": "if (a) {\nx;\n} else {\ny;\n}\nz;\n",
    "else below a block": "if (a) {\nx;\n}\nelse\ny;\nz;\n",
    "parentheses": "{\nf(a,\nb);\nx;\n}\n",
    "brackets in strings and comments": '{\nf("(}"); /* { */\nx;\n}\n',
    "preprocessor": "{\n  #pragma omp\nx;\n#endif\n}\n",
    "comment": "{\n/* a\n   b {\n   c */\nx;\n}\n",
    "blank lines": "\n\na;\n\n\nb;\n{\n\nc;\n\n}\n\n",
    "initializer": "{\nbb_ints x = {0};\ny;\n}\n",
}
WANTED = {
    "blocks": "void f(void)\n{\n    for (;;) {\n        x;\n    }\n}\n",
    "no braces": "if (a)\n    for (b)\n        if (c)\n            x;\n        else\n            y;\nz;\n",
    "else if": "if (a)\n    x;\nelse if (b)\n    y;\nelse\n    z;\nw;\n",
    "loop around a block": "for (a)\n    for (b) {\n        x;\n    }\ny;\n",
    "else of a block": "if (a) {\n    x;\n} else {\n    y;\n}\nz;\n",
    "else below a block": "if (a) {\n    x;\n} else\n    y;\nz;\n",
    "parentheses": "{\n    f(a,\n      b);\n    x;\n}\n",
    "brackets in strings and comments": '{\n    f("(}"); /* { */\n    x;\n}\n',
    "preprocessor": "{\n#pragma omp\n    x;\n#endif\n}\n",
    "comment": "{\n    /* a\n   b {\n   c */\n    x;\n}\n",
    "blank lines": "a;\n\nb;\n{\n    c;\n}\n",
    "initializer": "{\n    bb_ints x = {0};\n    y;\n}\n",
}


@pytest.mark.parametrize("name", CASES)
def test_shapes_of_statements(name):
    assert indented(CASES[name]) == WANTED[name]


def test_backslashes_of_a_macro_stand_in_one_column():
    first, second, _ = indented("#define f(x) \\\n    do {  \\\n    } while (0)\n").splitlines()
    assert (len(first), len(second)) == (120, 120)
    assert second.startswith("    do {  ")


@pytest.mark.parametrize("text", [text for text, _ in golden.sources()], ids=lambda text: text.filename)
def test_only_white_space_changes_and_nothing_the_second_time(text):
    flat = "\n".join(line.strip() for line in text.text.splitlines())
    assert re.sub(r"\s+", "", indented(flat)) == re.sub(r"\s+", "", flat)
    assert indented(text.text) == text.text
