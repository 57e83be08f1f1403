"""What a kernel does not use is not in its text."""

from __future__ import annotations

import re

import pytest
from support import golden
from support.sources import source

from bblas_gen.codegen.unused import without_unused

CASES = {
    "a macro": ("#define BB_A 1\n#define BB_B(x) \\\n    x\nint f = BB_A;\n", "#define BB_A 1\nint f = BB_A;\n"),
    "what only it used": ("#define BB_A BB_B\n#define BB_B 1\nint f;\n", "int f;\n"),
    "a function": ("static void bb_f(int x)\n{\n    bb_f(x);\n}\n\nint bb_g(void)\n{\n}\n", "\nint bb_g(void)\n{\n}\n"),
    "types": (
        "typedef double bb_a, bb_b;\ntypedef struct {\n    int x;\n} bb_c;\n"
        "typedef bb_a bb_d __attribute__((vector_size(8)));\nbb_b f;\n",
        "typedef double bb_a, bb_b;\nbb_b f;\n",
    ),
    "constants": ("enum { BB_A, BB_B };\nenum { BB_C };\nint f = BB_B;\n", "enum { BB_A, BB_B };\nint f = BB_B;\n"),
    "a table": ("static const int32_t bb_at_A4[] = { 1, 2 };\nint f;\n", "int f;\n"),
    "empty conditions": ("#if X\n#define BB_A 1\n#else\n#if Y\n#define BB_A 2\n#endif\n#endif\nint f;\n", "int f;\n"),
    "other conditions": (
        "#if X\n#define BB_A 1\n#else\n#define BB_B 2\n#endif\nint f = BB_B;\n",
        "#if X\n#else\n#define BB_B 2\n#endif\nint f = BB_B;\n",
    ),
    "a test is no use": ("#ifndef BB_A\n#define BB_A 1\n#endif\nint f;\n", "int f;\n"),
    "a comment is no use": ("#define BB_A 1\nint f; /* BB_A */\n", "int f; /* BB_A */\n"),
    "comments on what is gone": (
        "/* All. */\n#define BB_A 1\n/* One. */\n#define BB_B 2\nint f = BB_A;\n",
        "/* All. */\n#define BB_A 1\nint f = BB_A;\n",
    ),
    "paragraphs that are gone": (
        "/* All\n   of it. */\n#define BB_A 1\n\n/* More. */\nint f;\n",
        "\n/* More. */\nint f;\n",
    ),
    "the first of several": ("/* All. */\n#define BB_A 1\nint f;\n", "/* All. */\nint f;\n"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_left_out(name):
    before, after = CASES[name]
    assert without_unused(before) == after
    assert without_unused(after) == after


@pytest.mark.parametrize("simd_bytes", [16, 32, 64])
def test_every_variable_of_a_small_factorization_is_used(simd_bytes):
    """Also where the first of several tiles has none before it."""
    text = source("bb_dpotrf_l_st_n5_rm", simd_bytes=simd_bytes).text
    names = set(re.findall(r"^ +bb_elem (\w+) = ", text, re.MULTILINE))
    for name in names:
        _, *scopes = re.split(rf"bb_elem {name} = ", text)
        assert all(re.search(rf"\b{name}\b", scope) for scope in scopes), name


@pytest.mark.parametrize("source", [text for text, _ in golden.sources()], ids=lambda source: source.filename)
def test_every_macro_function_and_type_of_the_golden_sources_is_used(source):
    code = re.sub(r"/\*.*?\*/", "", source.text, flags=re.DOTALL)
    names = set(re.findall(r"#define (\w+)", code)) | set(re.findall(r"^static .*?\b(bb_\w+)\(", code, re.MULTILINE))
    names |= set(re.findall(r"^typedef .*?\b(bb_\w+)(?: __attribute__.*)?;$", code, re.MULTILINE))
    assert len(names) > 5 or "m0" in source.filename
    for name in names:
        uses = len(re.findall(rf"\b{name}\b", code)) - len(re.findall(rf"#(?:define|ifndef) {name}\b", code))
        assert uses > (0 if name.startswith("BB_") else 1), name


BODY = """#define BB_PUT(p, im, x) (p)[count] = x
static BB_INLINE void bb_op(const int full, const int count, bb_real *BB_RESTRICT A, bb_real *B, int64_t nba)
{
    BB_PUT(A + 0, nba, 1);
}
int bb_dop(void)
{
    return bb_op(1, 2, a, b, 3), 0;
}
"""


def test_a_body_says_which_parameters_it_does_not_use():
    """What a macro mentions is used; the distance to an imaginary part is not where it is an argument and no more."""
    found = without_unused(BODY)
    assert found == BODY.replace("{\n    BB", "{\n    (void)full;\n    (void)B;\n    (void)nba;\n    BB")
    assert "(void)nba" not in without_unused(BODY.replace("A + 0", "A + nba"))
