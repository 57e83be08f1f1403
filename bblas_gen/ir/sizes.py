"""Sizes as expressions of other sizes, such as ``min(m, n)``, and operation counts: text, so that rows stay data.

A size is a number, or the C text of one that only run time knows, its name to begin with: expressions of such sizes are
C text in turn.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from functools import cache, partial, reduce
from typing import Any, overload

Size = int | str
"""A number, or C text that has its value at run time."""

_BINARY: dict[type[ast.operator], tuple[str, Callable[[int, int], int]]] = {
    ast.Add: ("+", lambda x, y: x + y),
    ast.Sub: ("-", lambda x, y: x - y),
    ast.Mult: ("*", lambda x, y: x * y),
    ast.FloorDiv: ("/", lambda x, y: x // y),
    ast.Pow: ("**", lambda x, y: x**y),
}
_CALLS: dict[str, tuple[str, Callable[[int, int], int]]] = {
    "min": ("<", lambda x, y: (x + y - abs(x - y)) // 2),  # of NumPy's arrays, too
    "max": (">", lambda x, y: (x + y + abs(x - y)) // 2),
}
_NAME = re.compile(r"\b[a-z]\w*\b(?!\()")

_MULTIPLE = re.compile(r"(\w[\w* ]*) \* (\d+)")
"""A product of names and a number, which is last."""


@cache
def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


@overload
def evaluate(text: str, sizes: Mapping[str, int]) -> int: ...


@overload
def evaluate(text: str, sizes: Mapping[str, Any]) -> Any: ...


def evaluate(text: str, sizes: Mapping[str, Any]) -> Any:
    """The value of an expression in +, -, *, //, **, min and max of integers and of the names in ``sizes``: an int, or
    C text where one of them is text, or an array where some are."""
    return _value(_parsed(text), sizes)


def product(*factors: Size) -> Size:
    """The product of sizes."""
    return reduce(partial(_combined, *_BINARY[ast.Mult]), factors)


def _value(node: ast.expr, sizes: Mapping[str, Any]) -> Size:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.Name(id=name):
            found: Size = sizes[name]
            return found
        case ast.BinOp(left=left, op=op, right=right):
            return _combined(*_BINARY[type(op)], _value(left, sizes), _value(right, sizes))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            sign, exact = _CALLS[name]
            return reduce(lambda x, y: _chosen(sign, exact, x, y), [_value(x, sizes) for x in arguments])
    raise ValueError(f"{ast.unparse(node)} is not an expression of sizes")


def _combined(sign: str, exact: Callable[[int, int], int], left: Size, right: Size) -> Size:
    if not isinstance(left, str) and not isinstance(right, str):
        return exact(left, right)
    if sign == "**":
        assert isinstance(right, int), "an exponent is a number"
        return product(*[left] * right)
    if sign == "*" and 1 in (left, right):
        return right if left == 1 else left
    if sign == "+" and 0 in (left, right):
        return right if left == 0 else left
    if sign == "*" and isinstance(right, int) and (known := _MULTIPLE.fullmatch(str(left))):
        return f"{known[1]} * {int(known[2]) * right}"
    if sign == "*":
        return f"{_factor(left)} * {_factor(right)}"
    return f"{left} + {right}" if sign == "+" else f"{_atom(left)} {sign} {_atom(right)}"


def _factor(size: Size) -> str:
    """As a factor: products of names and numbers need no brackets."""
    return str(size) if re.fullmatch(r"[\w* ]+", str(size)) else _atom(size)


def _atom(size: Size) -> str:
    """In brackets, but for a name, a number and what has them."""
    text = str(size)
    return text if re.fullmatch(r"\w+|\([^()]*\)", text) else f"({text})"


def _chosen(sign: str, exact: Callable[[int, int], int], left: Size, right: Size) -> Size:
    if not isinstance(left, str) and not isinstance(right, str):
        return exact(left, right)
    if left == right:
        return left
    return f"({left} {sign} {right} ? {left} : {right})"


def renamed(text: str, names: Mapping[str, str]) -> str:
    """The expression with its names exchanged."""
    return _NAME.sub(lambda found: names.get(found[0], found[0]), text)


def divides(number: int, size: Size) -> bool:
    """Whether a size is a multiple of a number for all that is known."""
    if isinstance(size, int):
        return size % number == 0
    known = _MULTIPLE.fullmatch(size)
    return known is not None and int(known[2]) % number == 0


def is_name(text: str) -> bool:
    """Whether the expression is the name of one size."""
    return text.isidentifier()
