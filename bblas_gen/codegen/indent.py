"""Indentation of generated C by its braces, so that templates need not care for it. Only white space changes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

STEP = 4
"""Columns of a level."""
MACRO = 119
"""The column of the backslash that continues a macro."""
_SKIPPED = re.compile(r'"(?:\\.|[^"\\])*"|/\*.*?\*/')
_PARENTHESES = re.compile(r"[()]")
_HEADER = re.compile(r"(?:\} )?(?:else\b|(?:else )?(?:if|for|while) \(.*\)$|do$)")
"""What governs the statement on the next line."""


def indented(text: str) -> str:
    """``text`` with lines indented by braces and by ``if``, ``for`` and ``else`` without braces, without blank lines in
    functions and without double ones between them.

    Comments of several lines, and what stands in parentheses over several, keep their lines. An ``else`` stands behind
    the brace that it follows. A preprocessor line begins its line, a macro is closed by backslashes in one column.
    """
    printer = _Printer()
    for line in text.splitlines():
        printer.add(line.rstrip())
    return "\n".join(printer.lines).strip("\n") + "\n"


@dataclass
class _Printer:
    """``blocks`` are the columns of the lines that opened those around, ``hang`` the statements without braces that
    govern the next line, and ``ifs`` how many governed the last ``if`` of each block; ``parens`` are the columns behind
    those still open."""

    lines: list[str] = field(default_factory=list)
    blocks: list[int] = field(default_factory=list)
    hang: int = 0
    ifs: list[int] = field(default_factory=lambda: [0])
    parens: list[int] = field(default_factory=list)
    comment: bool = False
    macro: bool = False

    def add(self, line: str) -> None:
        if self.comment:
            self.comment = "*/" not in line
            self.lines.append(line)
        elif self.macro or line.lstrip().startswith("#"):
            self._macro(line if self.macro else line.lstrip())
        elif line:
            self._statement(line.strip())
        elif not self.blocks and self.lines and self.lines[-1]:
            self.lines.append("")

    def _macro(self, line: str) -> None:
        self.macro = line.endswith("\\")
        self.lines.append(line[:-1].rstrip().ljust(MACRO) + "\\" if self.macro else line)

    def _statement(self, line: str) -> None:
        quoted = '"' in line or "/*" in line
        bare = _SKIPPED.sub(lambda skipped: " " * len(skipped[0]), line) if quoted else line
        column = self.parens[-1] if self.parens else self._column(bare)
        if bare.startswith("else") and self.lines[-1] == " " * column + "}":
            self.lines[-1] += " " + line
        else:
            self.lines.append(" " * column + line)
        code, _, rest = bare.partition("/*")
        self.comment = bool(rest)
        if code := code.rstrip():
            self._follow(column, code)

    def _column(self, bare: str) -> int:
        """Where a line that begins a statement begins."""
        if bare.startswith("}"):
            self.ifs.pop()
            return self.blocks.pop()
        if bare.startswith("else"):
            self.hang = self.ifs[-1]
        elif bare.startswith("if "):
            self.ifs[-1] = self.hang
        return (self.blocks[-1] + STEP if self.blocks else 0) + STEP * self.hang

    def _follow(self, column: int, code: str) -> None:
        """What a line means for the next one."""
        opened = code.count("{") - code.count("}") + code.startswith("}")  # which has closed its block already
        if self.parens or code.count("(") != code.count(")"):
            for found in _PARENTHESES.finditer(code):
                if found[0] == "(":
                    self.parens.append(column + found.end())
                else:
                    self.parens.pop()
        if opened > 0:
            self.blocks += [column] * opened
            self.ifs += [0] * opened
            self.hang = 0
        elif not self.parens and _HEADER.match(code) and not code.endswith((";", "}")):
            self.hang += 1
        elif not self.parens and code.endswith((";", "}")):
            self.hang = 0
