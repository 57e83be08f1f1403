"""Sizes as expressions of other sizes, such as ``min(m, n)``, and operation counts: text, so that rows stay data."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from functools import cache

_BINARY: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: lambda x, y: x + y,
    ast.Sub: lambda x, y: x - y,
    ast.Mult: lambda x, y: x * y,
    ast.FloorDiv: lambda x, y: x // y,
    ast.Pow: lambda x, y: x**y,
}
_CALLS = {"min": min, "max": max}
_NAME = re.compile(r"\b[a-z]\w*\b(?!\()")


@cache
def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def evaluate(text: str, sizes: Mapping[str, int]) -> int:
    """The value of an expression in +, -, *, //, **, min and max of integers and of the names in ``sizes``."""
    return _value(_parsed(text), sizes)


def _value(node: ast.expr, sizes: Mapping[str, int]) -> int:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.Name(id=name):
            return sizes[name]
        case ast.BinOp(left=left, op=op, right=right):
            return int(_BINARY[type(op)](_value(left, sizes), _value(right, sizes)))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return int(_CALLS[name](*(_value(x, sizes) for x in arguments)))
    raise ValueError(f"{ast.unparse(node)} is not an expression of sizes")


def renamed(text: str, names: Mapping[str, str]) -> str:
    """The expression with its names exchanged."""
    return _NAME.sub(lambda found: names.get(found[0], found[0]), text)


def is_name(text: str) -> bool:
    """Whether the expression is the name of one size."""
    return text.isidentifier()
