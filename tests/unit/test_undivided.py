"""Work that forks and signal handlers do not find half done."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

from bblas_gen.runtime import undivided as module
from bblas_gen.runtime.undivided import undivided

SECONDS = 10
"""More than any of this takes."""


def test_results_and_exceptions_come_back() -> None:
    found = []
    thread = threading.Thread(target=lambda: found.append(undivided(lambda: 2)))
    thread.start()
    thread.join()
    assert [undivided(lambda: undivided(lambda: 1)), *found] == [1, 2]
    with pytest.raises(KeyError, match="x"):
        undivided(lambda: {}["x"])


def test_without_threads_it_is_done_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(module, "_handled", lambda: True)
    monkeypatch.setattr(module.threading.Thread, "start", refused)
    assert undivided(threading.current_thread) is threading.main_thread()


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_waits() -> None:
    started, lock = threading.Event(), threading.Lock()

    def work() -> None:
        with lock:
            started.set()
            time.sleep(0.1)  # a fork that does not wait comes now

    thread = threading.Thread(target=undivided, args=(work,))
    thread.start()
    assert started.wait(SECONDS)
    child = os.fork()
    if not child:
        signal.alarm(SECONDS)  # it may wait for good
        os._exit(0 if undivided(lambda: lock.acquire(timeout=1)) else 1)
    thread.join()
    assert os.waitpid(child, 0)[1] == 0


def test_a_signal_handler_waits() -> None:
    lock, seen = threading.Lock(), []

    def work() -> None:
        with lock:
            os.kill(os.getpid(), signal.SIGUSR1)
            time.sleep(0.05)  # the handler comes now

    def take() -> None:
        seen.append(lock.acquire(timeout=1))
        if seen[0]:
            lock.release()

    before = signal.signal(signal.SIGUSR1, lambda *_: undivided(take))
    try:
        undivided(work)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert seen == [True]
