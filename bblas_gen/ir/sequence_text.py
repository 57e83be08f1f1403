"""Sequences as text: what they print, read back. Nothing of it is executed."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from reprlib import repr as short
from typing import Any

from ..errors import SpecError
from .operation import Operation, Step
from .sequence import step

_EXPECTED = "expected sequence([step(...), ...], name=..., scratch=[...])"


def sequences_in(text: str) -> list[tuple[list[Step], str, list[str]]]:
    """The steps, the name and the intermediates of each sequence in ``text``, as ``sequence`` takes them.

    A sequence is written as it prints: calls of ``sequence`` and ``step`` with constants, with line breaks and comments
    as in Python. Raises SpecError, with the line, for anything else.
    """
    if not isinstance(text, str):
        raise SpecError(f"text = {short(text)}: {_EXPECTED}")
    try:
        lines = ast.parse(text).body
    except SyntaxError as error:
        raise SpecError(f"line {error.lineno}: {error.msg}: {_EXPECTED}") from error
    except (ValueError, RecursionError, MemoryError) as error:  # null bytes, and brackets in brackets
        raise SpecError(f"no text of sequences: {_EXPECTED}") from error
    return [_sequence(line) for line in lines]


def text_of(row: Operation) -> str:
    """The call that makes the sequence of a row, as it prints and as :func:`sequences_in` reads it."""
    scratch = list(row.intermediates)
    return f"sequence({list(row.steps_for({}))!r}, name={row.name!r}, scratch={scratch!r})"


def _sequence(line: ast.stmt) -> tuple[list[Step], str, list[str]]:
    (steps,), named = _call(line.value if isinstance(line, ast.Expr) else line, "sequence", 1)
    if not isinstance(steps, ast.List):
        raise _refusal(line)
    constants = {word: _constant(value) for word, value in named.items()}
    name, scratch = constants.pop("name", "sequence"), constants.pop("scratch", [])
    scratch = [scratch] if isinstance(scratch, str) else scratch
    names = [name, *scratch] if isinstance(scratch, (list, tuple)) else [None]
    if constants or not all(isinstance(x, str) for x in names):
        raise _refusal(line)
    return [_step(item) for item in steps.elts], name, list(scratch)


def _step(item: ast.expr) -> Step:
    words, named = _call(item, "step")
    try:
        return step(*map(_constant, words), **{word: _constant(value) for word, value in named.items()})
    except TypeError:  # no operation, or one that is given twice
        raise _refusal(item) from None
    except SpecError as error:
        raise SpecError(f"line {item.lineno}: {error}") from None


def _call(node: ast.AST, function: str, count: int | None = None) -> tuple[list[ast.expr], Mapping[str, ast.expr]]:
    """The arguments of a call of ``function``, of which ``count`` are positional."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != function:
        raise _refusal(node)
    named = {word.arg: word.value for word in node.keywords if word.arg}
    if len(named) < len(node.keywords) or len(node.args) != (len(node.args) if count is None else count):
        raise _refusal(node)
    return node.args, named


def _constant(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, RecursionError, MemoryError):
        raise _refusal(node) from None


def _refusal(node: ast.AST) -> SpecError:
    return SpecError(f"line {getattr(node, 'lineno', 1)}: {_EXPECTED}")
