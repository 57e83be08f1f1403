"""What arguments may be everywhere: numbers that are no bools, True and False, lists. Errors name the argument."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def as_int(value: Any) -> int | None:
    """``value`` as an int; None where it is none, as True and False are."""
    try:
        return None if isinstance(value, bool) else int(value.__index__())
    except (AttributeError, TypeError):  # the latter of arrays
        return None


def as_ints(value: Any) -> tuple[int, ...] | None:
    """The ints of a list or an array; None where it is none, or has something else."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        return None
    found = [as_int(x) for x in value]
    whole = tuple(x for x in found if x is not None)
    return whole if len(whole) == len(found) else None


def check_number(name: str, value: Any, least: int, what: str) -> int:
    """``value`` as an int of ``least`` or more. Raises TypeError, ValueError."""
    found = as_int(value)
    if found is None or found < least:
        raise (TypeError if found is None else ValueError)(f"{name} = {value!r}: expected {what}")
    return found


def check_device(device: Any) -> int:
    """The number of a GPU."""
    return check_number("device", device, 0, "the number of a GPU, from 0")


_NUMBERED = {"cuda"}
"""The kinds of places of which there are several."""


def place_of(where: Any, known: Iterable[str]) -> tuple[str, tuple[int, ...]]:
    """The kind of a place, one that is ``known``, and the number of a GPU where one is named: of "cuda:1" "cuda" and 1.
    Raises ValueError."""
    names = [*known]
    kind, colon, number = where.partition(":") if isinstance(where, str) else ("", "", "")
    numbered = kind in _NUMBERED and number.isascii() and number.isdecimal()
    if kind not in names or (colon and not numbered):
        more = ", or a number as in 'cuda:1'" if _NUMBERED & {*names} else ""
        raise ValueError(f"where = {where!r}: expected one of {', '.join(map(repr, names))}{more}")
    return kind, (int(number),) if numbered else ()


def check_flag(name: str, value: Any) -> bool:
    """True or False, also NumPy's. Raises TypeError."""
    if value is True or value is False:
        return value
    kind = getattr(value, "dtype", None)
    if getattr(kind, "kind", "") != "b" or getattr(value, "shape", None) != ():
        raise TypeError(f"{name} = {value!r}: expected True or False")
    return bool(value)
