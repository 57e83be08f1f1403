"""A process for each number of threads: libraries are told how many they have before they are loaded, and JAX, which
cannot be told, has as many as the process has processors."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context

COUNTED = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
FIXED = {"JAX_PLATFORMS": "cpu", "KMP_BLOCKTIME": "1"}


@contextmanager
def workers(counts: Sequence[int]) -> Iterator[dict[int, Executor]]:
    """By number of threads."""
    with ExitStack() as stack:
        yield {count: stack.enter_context(started(count)) for count in counts}


def started(count: int) -> Executor:
    """A process that libraries see ``count`` processors in."""
    before = dict(os.environ)
    os.environ.update(dict.fromkeys(COUNTED, str(count)) | FIXED)
    try:
        made = ProcessPoolExecutor(1, get_context("spawn"), _begin, (count,))
        made.submit(int).result()
    finally:
        os.environ.clear()
        os.environ.update(before)
    return made


def _begin(count: int) -> None:
    if hasattr(os, "sched_setaffinity"):  # on Linux
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:count])
