"""Functions of ours under NumPy's and SciPy's names, in a block and in a whole program."""

from __future__ import annotations

import subprocess
import sys
from threading import Thread
from types import ModuleType

import numpy as np
import pytest

import bblas_gen.linalg as la
from bblas_gen.linalg import asked


def test_accelerate_nests_and_ends(stack):
    theirs = np.linalg._linalg._umath_linalg
    with la.accelerate():
        ours = np.linalg._linalg._umath_linalg
        assert ours is not theirs
        with pytest.raises(np.linalg.LinAlgError), la.accelerate(always=True):
            np.linalg.inv(stack)
        assert np.linalg._linalg._umath_linalg is ours
        seen = []
        thread = Thread(target=lambda: seen.append(np.linalg._linalg._umath_linalg))
        thread.start()
        thread.join()
        assert seen == [ours]
        assert not asked.ALWAYS
    assert np.linalg._linalg._umath_linalg is theirs


def test_accelerate_leaves_nothing_behind(monkeypatch):
    """Nor in a module of SciPy that is first imported in the block; nor by a bool that is NumPy's."""
    linalg = pytest.importorskip("scipy.linalg")
    theirs, own = linalg.expm, np.linalg._linalg._umath_linalg
    late = ModuleType("scipy.late")
    with la.accelerate(always=np.False_):
        late.expm = linalg.expm
        monkeypatch.setitem(sys.modules, "scipy.late", late)
        assert late.expm is la.expm
    assert late.expm is theirs
    assert linalg.expm is theirs
    assert np.linalg._linalg._umath_linalg is own


@pytest.mark.parametrize(
    ("line", "status", "error"),
    [("0 / 0", 1, "ZeroDivisionError"), ("raise KeyboardInterrupt", 130, "KeyboardInterrupt")],
)
def test_programs_run_accelerated(line, status, error, tmp_path):
    """To the end of their last thread, as Python runs them: ``__file__`` is absolute, what shows errors is theirs."""
    program = tmp_path / "program.py"
    lines = (
        "import sys, threading, numpy",
        "def kind(): print(type(numpy.linalg._linalg._umath_linalg).__name__, flush=True)",
        "threading.Thread(target=lambda: (threading.main_thread().join(), kind())).start()",
        "print(__file__, sys.argv[1:], flush=True)",
        "sys.excepthook = lambda *error: (print('shown'), sys.__excepthook__(*error))",
    )
    program.write_text("\n".join((*lines, line)))
    command = [sys.executable, "-m", "bblas_gen", "run", program.name, "-x", "1"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == f"{program} ['-x', '1']\nshown\nSimpleNamespace\n"
    assert done.returncode == status
    trace, where, *_, last = done.stderr.splitlines()
    assert trace.startswith("Traceback")
    assert f'"{program}", line 6' in where  # none of ours, nor of runpy
    assert last.startswith(error)


@pytest.mark.parametrize(("program", "name"), [("-c", "<string>"), ("-", "<stdin>")])
def test_text_runs_accelerated(program, name):
    """As ``python -c`` and ``python -`` run it: the main module, its arguments, its path, its traceback."""
    text = (
        "import sys, pickle, numpy\n"
        "class Own: pass\n"
        "print(type(numpy.linalg._linalg._umath_linalg).__name__, sys.argv[1:], repr(sys.path[0]), __name__)\n"
        "assert type(pickle.loads(pickle.dumps(Own()))) is Own and '__file__' not in globals()\n"
        "{}[sys.argv[0]]"
    )
    command = [sys.executable, "-m", "bblas_gen", "run", program, *([text] * (program == "-c")), "-m", "--help"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.stdout == "SimpleNamespace ['-m', '--help'] '' __main__\n"
    assert done.returncode == 1
    trace, where, *_, last = done.stderr.splitlines()
    assert (trace, where) == ("Traceback (most recent call last):", f'  File "{name}", line 5, in <module>')
    assert last == f"KeyError: '{program}'"
