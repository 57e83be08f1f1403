"""The thread pool of this process: one for all kernels, which find it when they are loaded.

OpenMP waits for all threads at the end of a call, also for those that get no processor on a busy machine.
"""

from __future__ import annotations

import os
import warnings

from ..errors import BblasError, CacheWarning, JitDisabledError, LibraryError, NoCompilerError
from ..toolchain import machine
from .library import Library, library_here, load_c
from .prebuilt import POOL
from .state import RUNTIME
from .undivided import undivided


def limit() -> int:
    """How many threads a call takes at most where it does not say: ``OMP_NUM_THREADS``, or the processors there are for
    this process."""
    wanted = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    return int(wanted) if wanted.isdecimal() and int(wanted) else machine.processors()


def start_pool() -> Library | None:
    """The pool, loaded so that kernels loaded later see it. None where it cannot be had: each call is then done by one
    thread."""
    if RUNTIME.pool is None:
        with RUNTIME.compiling.held("thread pool"):
            try:
                if RUNTIME.pool is None:  # who waited here found out in vain, or not
                    RUNTIME.pool = _loaded()
            except (LibraryError, NoCompilerError, JitDisabledError):  # as the kernel will say
                return None
            except BblasError as error:
                warnings.warn(f"no thread pool, every call uses one thread: {error}", CacheWarning, stacklevel=2)
                RUNTIME.pool = False
    return RUNTIME.pool or None


def _loaded() -> Library:
    if (built := library_here()) and built.found.pooled:
        found = Library(built.found.path, "", built.ffi, built.handle, built.handle.bblas_parallel_helped)
    else:
        found = _made()
    found.handle.bblas_parallel_limit(limit())
    return found


def _made() -> Library:
    def text() -> str:
        from ..codegen.render import render_file  # here: importing bblas_gen must stay fast

        return undivided(lambda: render_file("threads/pool.c"))

    return load_c("bblas_parallel_helped", text, POOL, libraries=("-pthread",), openmp=False, everywhere=True)


def renew_limit() -> None:
    """Look again how many threads there are."""
    if RUNTIME.pool:
        hold(limit())


def hold(count: int) -> None:
    """Let calls that do not say have so many threads at most."""
    if pool := start_pool():
        pool.handle.bblas_parallel_limit(count)


def helped() -> int:
    """How many threads had a part in the last call beside the caller's."""
    pool = start_pool()
    return int(pool.function()) if pool else 0
