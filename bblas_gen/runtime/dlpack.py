"""Arrays on a GPU that tell by DLPack where they lie: asked for the stream of the call, held until it is done."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from ..arrays.device import Seen, array_of, by_dlpack, streams_of, unknown_dtype
from .gpu import capturing, core, gpu
from .launches import beside_captures

_HELD: deque[tuple[Any, Any]] = deque()
"""What was exported to calls, with an event behind each call."""


def exported(operands: Mapping[str, Any], user: Callable[[str], str]) -> tuple[Mapping[str, Any], tuple[Seen, ...]]:
    """The operands, those that are to be asked by DLPack as they are seen; where there are none the very same mapping.
    Of lists the first array decides. Behind them what is seen of arrays that others hold, as indexed batches do.
    ``user``: what a user calls them.

    By the time that the caller's stream comes to what is queued next they are ready: their library sees to it. It is
    not asked to in a graph, which depends on nothing outside of it; there arrays live as long as their caller says.
    """
    asked = {x: first for x, value in operands.items() if by_dlpack(first := _first(value))}
    within = {x: array for x, value in operands.items() if by_dlpack(array := getattr(value, "device_array", None))}
    if not asked and not within:
        return operands, ()
    arrays = [array for value in operands.values() if (array := array_of(value)) is not None]
    stream = streams_of(arrays)[0] or 1  # in DLPack the default stream is 1
    if capturing(gpu(next(iter({**asked, **within}.values())).__dlpack_device__()[1]).stream(stream)):
        stream = -1
    held = tuple(_seen(user(x), array, stream) for x, array in within.items())
    found = {**operands, **{x: _all_seen(user(x), operands[x], stream) for x in asked}} if asked else operands
    return found, held


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, (list, tuple)) and value else value


def _all_seen(name: str, value: Any, stream: int) -> Any:
    if not isinstance(value, (list, tuple)):
        return _seen(name, value, stream)
    return [_seen(f"{name}[{i}]", x, stream) if by_dlpack(x) else x for i, x in enumerate(value)]


def _seen(name: str, array: Any, stream: int) -> Seen:
    core()
    from cuda.core.utils import StridedMemoryView  # here: it is an extra

    try:
        view = StridedMemoryView.from_dlpack(array, stream_ptr=stream)
    except (BufferError, NotImplementedError) as error:
        raise TypeError(f"{name} is a {type(array).__name__} that does not tell where it lies: {error}") from error
    try:
        dtype = view.dtype
    except (NotImplementedError, TypeError) as error:
        raise unknown_dtype(name, array) from error
    strides = view.strides and tuple(step * dtype.itemsize for step in view.strides)
    known = {"shape": tuple(view.shape), "typestr": dtype.str, "strides": strides, "stream": None}
    return Seen(array, {"version": 3, "data": (view.ptr, view.readonly), **known}, view)


def hold(stream: Any, seen: Any) -> None:
    """Keep what was exported to a call until all that is on the stream now is done."""
    let_go()
    _HELD.append((stream.record(), seen))


def let_go() -> None:
    """Of what was exported to calls that are done, as far as they are so one after another."""
    if not _HELD:
        return
    with beside_captures(), suppress(IndexError):  # another thread took the last one
        while _HELD and _HELD[0][0].is_done:
            _HELD.popleft()
