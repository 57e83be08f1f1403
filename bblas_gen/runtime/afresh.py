"""Calls on batches without gaps, whose results are all new: nothing of theirs overlaps, so what is remembered of such a
call is all of it but the batch size, threads and addresses."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..arrays.headers import ALIGNED, C_CONTIGUOUS
from ..arrays.host import Array
from ..ir.operation import Operation
from ..ir.terms import Role
from .call import no_memory
from .invoke import NO_SCALARS
from .marshal import ffi
from .outputs import Recipe
from .route import Route, counted, long_way
from .state import RUNTIME

PLAIN = C_CONTIGUOUS | ALIGNED
_NDARRAY = np.ndarray
Results = tuple[tuple[Array, ...], Any]
"""In the order of the operation, and reports, where there are some."""


@dataclass(frozen=True, slots=True)
class Known:
    """``route``: where all goes. ``given``: by operand, the C argument of its pointer. ``made``: of each result its
    pointer's argument, what makes the pointer, and what makes the array. ``returned``: the results by their places
    among these. ``buffer``: what makes a pointer of an array without gaps."""

    route: Route
    given: tuple[int, ...]
    made: tuple[tuple[int, Callable[[Array], Any], Recipe], ...]
    returned: tuple[int, ...]
    buffer: Callable[[Array], Any]

    def run(self, arrays: Iterable[Array], batch: int, num_threads: int | None) -> Results:
        """The call on batches of such types and shapes."""
        route, buffer = self.route, self.buffer
        arguments, results = route.template[:], []
        for slot, x in zip(self.given, arrays, strict=True):
            arguments[slot] = buffer(x)
        for slot, pointer, recipe in self.made:
            made = recipe(batch)
            arguments[slot] = pointer(made)
            results.append(made)
        info = counted(route, arguments, batch, num_threads)
        if route.function(*arguments):
            raise no_memory(route.op)
        return tuple([results[i] for i in self.returned]), info


def kinds(operands: Iterable[Any]) -> tuple[int, list[Hashable]] | None:
    """The size of the batches, and by what a call on them is known: types and shapes. None where these are no batches
    without gaps of one size. Operands that are None are to be made."""
    found: list[Hashable] = []
    batch = 0
    for x in operands:
        if x is None:
            found.append(None)
            continue
        if type(x) is not _NDARRAY or x.flags.num & PLAIN != PLAIN:
            return None
        shape = x.shape
        if len(shape) != 3 or 0 in shape or (batch and shape[0] != batch):
            return None
        batch = shape[0]
        found += x.dtype, shape[1:]
    return batch, found


def afresh(
    op: Operation, operands: Mapping[str, Any], flags: Mapping[str, Any], num_threads: int | None
) -> Results | None:
    """Results of ``op``, and what was reported of each matrix; None where operands are no such batches. Operands that
    are None are made. There are no scalars."""
    found = kinds(operands.values())
    if found is None:
        return None
    batch, parts = found
    key, calls = _key(op, parts, flags), RUNTIME.calls
    known: Known | None = calls[key]
    if known is None:
        return _first(op, operands, flags, num_threads, partial(calls.keep, key))
    return known.run([x for x in operands.values() if x is not None], batch, num_threads)


def known(op: Operation, operands: Mapping[str, Any], flags: Mapping[str, Any]) -> Known | None:
    """What is remembered of such a call."""
    found = kinds(operands.values())
    return found and RUNTIME.calls[_key(op, found[1], flags)]


def _key(op: Operation, parts: Iterable[Hashable], flags: Mapping[str, Any]) -> tuple[Hashable, ...]:
    return (afresh, id(op), *flags.values(), *parts)


def _first(
    op: Operation,
    operands: Mapping[str, Any],
    flags: Mapping[str, Any],
    num_threads: int | None,
    keep: Callable[[Known], None],
) -> Results | None:
    """The first call of its kind, which goes the long way."""
    if any(x is not None and op.operand(name).role is not Role.IN for name, x in operands.items()):
        return None
    routes: list[Route] = []
    run, arguments, found, info, *_kept = long_way(op, operands, flags, NO_SCALARS, num_threads, None, routes.append)
    if run(*arguments):
        raise no_memory(op)
    # of a batch of one strides do not say where the next matrix is
    gapless = all(x.strides[0] * len(x) == x.nbytes for x in operands.values() if x is not None)
    names = list(operands)
    for route in (x for x in routes if gapless and not (x.lanes or x.scalars)):
        given = tuple(slot for name, (slot, _) in zip(names, route.pointers, strict=True) if operands[name] is not None)
        made = tuple((*route.pointers[i], recipe) for i, _, recipe, _ in route.made)
        order = [name for _, name, *_ in route.made]
        keep(Known(route, given, made, tuple(map(order.index, op.returns)), ffi().from_buffer))
    return tuple(found[name] for name in op.returns), info
