"""Turns of a measurement: each begins when no thread of another contender looks for work any more."""

from __future__ import annotations

import sys
from hashlib import pbkdf2_hmac
from threading import Event, Thread

import pytest

from bblas_gen.bench import measure

LOOKS = 100_000
"""At how many looks at most something is to be seen."""


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not tell which threads run")
def test_threads_that_run_are_seen():
    done = Event()

    def work():
        while not done.is_set():
            pbkdf2_hmac("sha256", b"some", b"work", 20_000)  # others may run meanwhile

    thread = Thread(target=work)
    thread.start()
    assert any(measure._others_run() for _ in range(LOOKS))
    done.set()
    thread.join()
    assert not all(measure._others_run() for _ in range(LOOKS))


@pytest.mark.parametrize(("patience", "looks"), [(60.0, 4), (0.0, 0)])
def test_a_turn_waits_for_them_so_long(patience, looks, monkeypatch):
    answers = [True, True, True, False]
    monkeypatch.setattr(measure, "_others_run", lambda: answers.pop(0))
    measure.settle(patience)
    assert len(answers) == 4 - looks
