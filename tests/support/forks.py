"""Programs in processes of their own, forked from one that has imported what all of them need and made some texts: that
takes longer than most of them do."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from types import ModuleType

from . import kernels
from .sources import source

WARM = ("bb_dgemm_nn_st_m3n3k3", "bb_dposv_l_st_n3nrhs1", "bb_dposv_l_il_n3nrhs1")
"""Kernels whose templates most programs need."""


class Forks:
    """A process that forks one for each program."""

    def __init__(self) -> None:
        self._own, theirs = Pipe()
        command = [sys.executable, "-m", f"{__package__}.forks", str(theirs.fileno())]
        self._server = subprocess.Popen(command, cwd=kernels.TESTS, pass_fds=[theirs.fileno()])
        theirs.close()

    def run(self, program: str) -> subprocess.CompletedProcess[str]:
        """What ``python -c`` does, its kernels compiled quickly."""
        self._own.send((program, str(Path.cwd())))
        return subprocess.CompletedProcess(["-c", program], *self._own.recv())

    def close(self) -> None:
        self._own.close()
        self._server.wait()


def serve(asked: Connection) -> str:
    """In a child the program that it is to run; "" where nobody asks any more."""
    while True:
        try:
            program, folder = asked.recv()
        except EOFError:
            return ""
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            child = os.fork()
            if not child:
                asked.close()
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                os.chdir(folder)
                return str(program)
            _, status = os.waitpid(child, 0)
            out.seek(0)
            err.seek(0)
            asked.send((os.waitstatus_to_exitcode(status), out.read(), err.read()))


if __name__ == "__main__":
    for symbol in WARM:
        source(symbol)
    quickly = kernels.optimized(kernels.quick())
    quickly.__enter__()
    if program := serve(Connection(int(sys.argv[1]))):
        sys.argv = ["-c"]
        sys.modules["__main__"] = ModuleType("__main__")
        exec(program, vars(sys.modules["__main__"]))
