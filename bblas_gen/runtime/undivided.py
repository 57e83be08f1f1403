"""Work that neither a fork nor a signal handler finds half done.

cffi and functools have locks that are not released in the child of a fork, and cffi's is not to be taken again by the
thread that has it. So forks wait for such work, and the main thread, which runs signal handlers, lets another do it
where there are any, which takes longer on a busy machine. Compilers are not waited for: they run outside.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_SIGNALS = signal.valid_signals()
_LOCK = threading.RLock()
os.register_at_fork(before=_LOCK.acquire, after_in_parent=_LOCK.release, after_in_child=_LOCK.release)


def undivided(work: Callable[[], T]) -> T:
    """What ``work`` returns or raises. It takes milliseconds, and waits for nobody."""
    if threading.current_thread() is not threading.main_thread() or not _handled():
        with _LOCK:
            return work()
    found: list[T] = []
    failed: list[BaseException] = []

    def done() -> None:
        with _LOCK:
            try:
                found.append(work())
            except BaseException as error:
                failed.append(error)

    thread = threading.Thread(target=done)
    try:
        thread.start()
    except RuntimeError:  # there are no more threads, as at the end of a process
        return work()
    thread.join()
    for error in failed:
        raise error
    return found[0]


def _handled() -> bool:
    """Whether a signal may run code in between; the interpreter's own handler of Ctrl-C runs none of ours."""
    return any(callable(x) and x is not signal.default_int_handler for x in map(signal.getsignal, _SIGNALS))
