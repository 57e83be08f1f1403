"""What a captured call made for itself, such as what matrices report if nobody asked: it lives as long as the graph.

A graph tells that it is no more by a function in C, in any thread, perhaps when Python has ended. It posts a semaphore,
at which later calls look.
"""

from __future__ import annotations

import ctypes
from collections import deque
from contextlib import suppress
from functools import cache
from typing import Any

LOOKS = 4
"""Graphs that a call asks for, at most."""
_SIZE = 64
"""Bytes, more than a semaphore has."""
_KEPT: deque[tuple[int, Any]] = deque()
"""Semaphores by their addresses, and what lives until they are posted."""


@cache
def _libc() -> ctypes.CDLL:
    libc = ctypes.CDLL(None)
    libc.calloc.restype = ctypes.c_void_p
    libc.calloc.argtypes = (ctypes.c_size_t, ctypes.c_size_t)
    for function in (libc.free, libc.sem_trywait):
        function.argtypes = (ctypes.c_void_p,)
    libc.sem_init.argtypes = (ctypes.c_void_p, ctypes.c_int, ctypes.c_uint)
    return libc


def keep(stream: Any, things: Any) -> None:
    """Keep them as long as the graph that captures ``stream``, and all that are made of it; for good where the driver
    cannot tell when that is."""
    place = _libc().calloc(1, _SIZE)
    _libc().sem_init(place, 0, 0)
    _KEPT.append((place, things))
    _post_with(stream, place)


def _post_with(stream: Any, place: int) -> None:
    """Have a semaphore posted when the graph has gone."""
    from cuda.bindings import driver  # here: it is an extra

    post = ctypes.cast(_libc().sem_post, ctypes.c_void_p).value
    status, _, _, graph, *_ = driver.cuStreamGetCaptureInfo(stream.handle)
    if int(status):
        return
    unordered = driver.CUuserObject_flags.CU_USER_OBJECT_NO_DESTRUCTOR_SYNC
    status, made = driver.cuUserObjectCreate(place, driver.CUhostFn(post), 1, int(unordered))
    if not int(status):
        move = driver.CUuserObjectRetain_flags.CU_GRAPH_USER_OBJECT_MOVE
        driver.cuGraphRetainUserObject(graph, made, 1, int(move))


def let_go() -> None:
    """Of what graphs had that are no more; outside of captures, in which memory could not be freed."""
    with suppress(IndexError):  # another thread took the last one
        for _ in range(min(LOOKS, len(_KEPT))):
            place, things = _KEPT.popleft()
            if _libc().sem_trywait(place):
                _KEPT.append((place, things))
            else:
                _libc().free(place)
