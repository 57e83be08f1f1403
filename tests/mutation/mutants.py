"""Small faults: one token, two arguments or one statement of a template or of a module of the generator is another."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SWAPS = {
    "+": "-", "-": "+", "*": "+", "//": "*", "+=": "-=", "-=": "+=", "<": "<=", "<=": "<", ">": ">=", ">=": ">",
    "==": "!=", "!=": "==", "&&": "||", "||": "&&", "and": "or", "or": "and", "not": "", "True": "False",
    "False": "True", "true": "false", "false": "true", "min": "max", "max": "min",
}  # fmt: skip
BINARY = {"+", "-", "*", "<", ">"}
"""They are mutated between spaces alone: elsewhere they are signs, pointers and brackets."""
TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|&&|\|\||[<>=!+-]=|->|<<|>>|//|[-+*<>]")
ASIDE = re.compile(r"\{#.*?#\}|/\*.*?\*/|^ *#(?:if|el|end|include|pragma).*?$", re.DOTALL | re.MULTILINE)
"""Comments of templates, and what asks for the compiler: other branches are not compiled here."""
HOLE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}")
STATEMENT = re.compile(
    r"^ ++(?!(?:const|u?int\d*(?:_t)?|char|double|bb_\w+ |typedef|static|return|__asm__)\b)[^#{}\n]*?;(?= *\\?$)",
    re.MULTILINE,
)
CALL = re.compile(r"\b[A-Za-z_][\w.]*\(")


@dataclass(frozen=True)
class Mutant:
    """``new`` in the place of ``old``, at an offset of the text of a file."""

    path: Path
    start: int
    old: str
    new: str
    line: int

    def applied(self, text: str) -> str:
        end = self.start + len(self.old)
        assert text[self.start : end] == self.old
        return text[: self.start] + self.new + text[end:]


def mutants_of(path: Path, text: str) -> list[Mutant]:
    """All of a file, ``path`` being what they say of it."""
    found = dict.fromkeys(_of_python(text) if path.suffix == ".py" else _of_template(text))
    return [Mutant(path, start, old, new, text.count("\n", 0, start) + 1) for start, old, new in found if old != new]


Change = tuple[int, str, str]


def _tokens(text: str, offset: int = 0, *, words: bool = True) -> Iterator[Change]:
    """The mutants of single tokens; without ``words`` only those of operators."""
    for match in TOKEN.finditer(text):
        token, start = match[0], match.start()
        if token in BINARY and text[start - 1 : start] + text[match.end() : match.end() + 1] != "  ":
            continue
        if token in SWAPS and (words or not token.isalpha()):
            yield offset + start, token, SWAPS[token]
        elif token.isdigit() and words:
            yield from ((offset + start, token, str(n)) for n in {int(token) + 1, max(0, int(token) - 1)})


def _of_template(text: str) -> Iterator[Change]:
    bare = ASIDE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    yield from _tokens(bare)
    for match in STATEMENT.finditer(HOLE.sub(lambda hole: "x" * len(hole[0]), bare)):
        whole = text[match.start() : match.end()]
        if whole.count("(") == whole.count(")"):
            yield match.start(), whole, whole[: len(whole) - len(whole.lstrip())] + ";"
    for match in CALL.finditer(bare):
        parts = _arguments(bare, match.end())
        if len(parts) > 1:
            yield match.end(), text[match.end() : match.end() + len(",".join(parts[:2]))], _swapped(*parts[:2])


def _swapped(first: str, second: str) -> str:
    """Two arguments in the other order; a space after the comma stays where it is."""
    return f"{second.strip()}, {first.strip()}" if second.startswith(" ") else f"{second},{first}"


def _arguments(text: str, start: int) -> list[str]:
    """The text of the arguments of a call on one line; nothing where it does not end there."""
    depth, parts, begin = 0, [], start
    for i in range(start, len(text)):
        if text[i] == "\n":
            return []
        if depth == 0 and text[i] in ",)":
            parts.append(text[begin:i])
            begin = i + 1
            if text[i] == ")":
                return parts
        depth += (text[i] in "([{") - (text[i] in ")]}")
    return []


def _of_python(text: str) -> Iterator[Change]:
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    lines = text.splitlines()

    def at(row: int, byte: int) -> int:
        return starts[row - 1] + len(lines[row - 1].encode()[:byte].decode())

    def span(node: ast.AST) -> tuple[int, int]:
        return at(node.lineno, node.col_offset), at(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]

    tree = ast.parse(text)
    aside = [span(node) for node in _aside(tree)]

    def counts(start: int) -> bool:
        return not any(low <= start < high for low, high in aside)

    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        start = starts[token.start[0] - 1] + token.start[1]
        if token.type in (tokenize.OP, tokenize.NAME, tokenize.NUMBER) and counts(start):
            spaced = text[start - 1 : start] == " " == text[start + len(token.string)]
            yield from _tokens(f" {token.string} " if spaced else token.string, start - spaced)
        elif token.type == tokenize.STRING and token.string.startswith("f") and counts(start):
            yield from _tokens(token.string, start, words=False)
    for node in ast.walk(tree):
        if _droppable(node):
            low, high = span(node)
            yield low, text[low:high], "pass"
        if isinstance(node, ast.Call) and len(node.args) > 1 and not isinstance(node.args[1], ast.Starred):
            (low, end), (begin, high) = map(span, node.args[:2])
            if counts(low):
                yield low, text[low:high], text[begin:high] + text[end:begin] + text[low:end]


def _aside(tree: ast.AST) -> Iterator[ast.AST]:
    """What computes nothing: docstrings, types, messages of errors."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Raise, ast.Import, ast.ImportFrom)):
            yield node
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node
        annotations = [getattr(node, name, None) for name in ("annotation", "returns")]
        yield from (found for found in annotations if isinstance(found, ast.AST))


def _droppable(node: ast.AST) -> bool:
    """A call for its effect, an addition, or a guard that returns."""
    guard = isinstance(node, ast.If) and not node.orelse and isinstance(node.body[-1], (ast.Return, ast.Continue))
    return guard or isinstance(node, ast.AugAssign) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
