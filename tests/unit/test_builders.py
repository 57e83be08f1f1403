"""One builder for each key: who waits for whom, and for whom nobody does."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bblas_gen.toolchain import builders
from bblas_gen.toolchain.builders import alone

KEY = "key"
REPOSITORY = Path(builders.__file__).parents[2]
PROC = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system has other ways to tell")


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A test that waits for good fails at once: it has a hundred looks at a lock."""
    seen: list[float] = []
    real = builders.time.sleep

    def sleep(seconds: float) -> None:
        seen.append(seconds)
        assert len(seen) < 100
        real(seconds)

    monkeypatch.setattr(builders.time, "sleep", sleep)
    monkeypatch.setattr(builders, "SECONDS", 1e9)
    return seen


def free(folder: Path) -> bool:
    with (folder / KEY).open("r+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def test_threads_build_one_after_another(tmp_path: Path, waits: list[float]) -> None:
    order, waiting = [], threading.Event()

    def second() -> None:
        waiting.set()
        with alone(tmp_path, KEY):
            order.append("second")

    thread = threading.Thread(target=second)
    with alone(tmp_path, KEY):
        thread.start()
        waiting.wait()
        while thread.is_alive() and not waits:
            pass
        with alone(tmp_path, "other"):
            order.append("first")
    thread.join()
    assert order == ["first", "second"]
    assert free(tmp_path)
    assert not builders._open


def test_a_thread_does_not_wait_for_itself(tmp_path: Path, waits: list[float]) -> None:
    """As in a signal handler that asks for what it has interrupted."""
    with alone(tmp_path, KEY):
        with alone(tmp_path, KEY):
            assert not free(tmp_path)
        assert not free(tmp_path)
    assert free(tmp_path)
    assert not waits


@PROC
@pytest.mark.parametrize("stopped", [True, False])
def test_nobody_waits_for_who_is_stopped(stopped: bool, tmp_path: Path, waits: list[float]) -> None:
    program = (
        "from pathlib import Path; import time; from bblas_gen.toolchain.builders import alone\n"
        f"with alone(Path({str(tmp_path)!r}), {KEY!r}): print('mine', flush=True); time.sleep(600)"
    )
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, env=environment) as holder:
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == b"mine\n"
            if stopped:
                holder.send_signal(signal.SIGSTOP)
                os.waitpid(holder.pid, os.WUNTRACED)
            handle = os.open(tmp_path / KEY, os.O_RDONLY)
            assert builders._works(handle) is not stopped
            os.close(handle)
            if stopped:
                with alone(tmp_path, KEY):
                    assert not free(tmp_path)
        finally:
            holder.kill()
    assert not waits
    with alone(tmp_path, KEY):
        pass
    assert not waits


def test_who_is_not_known_is_waited_for_a_while(
    tmp_path: Path, waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builders, "SECONDS", 0.1)
    with (tmp_path / KEY).open("w") as file:
        file.write("1 2 another-machine")
        file.flush()
        fcntl.flock(file, fcntl.LOCK_EX)
        with alone(tmp_path, KEY):
            assert waits


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_the_child_of_a_fork_has_no_lock(tmp_path: Path) -> None:
    """Else it would hold its parent's for as long as it lives."""
    here, there = socket.socketpair()
    with alone(tmp_path, KEY):
        child = os.fork()
        if not child:
            here.close()
            there.send(b".")
            there.recv(1)  # until the parent is done
            os._exit(0)
        there.close()
        assert here.recv(1) == b"."
        (handle,) = builders._open
        os.close(handle)  # as if we were killed
        builders._open.clear()
        assert free(tmp_path)
    here.close()
    assert os.waitpid(child, 0)[1] == 0


def test_no_lock_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    with alone(tmp_path / "file", KEY):
        pass

    def no_locks(*_: object) -> None:
        raise OSError("no locks available")

    monkeypatch.setattr(builders.fcntl, "flock", no_locks)
    with alone(tmp_path, KEY):
        pass
    assert not builders._open
