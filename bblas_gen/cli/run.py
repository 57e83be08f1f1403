"""``bblas-gen run``: a Python program with our functions beneath NumPy's and SciPy's."""

from __future__ import annotations

import atexit
import runpy
import sys
from contextlib import ExitStack
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import click

from ..linalg.accelerate import accelerate

INTERRUPTED = 130
"""The exit status that a shell gives a program that Ctrl-C ended."""


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("-m", "is_module", is_flag=True, help="PROGRAM is the name of a module.")
@click.argument("program")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def run(program: str, arguments: tuple[str, ...], is_module: bool) -> None:
    """Run a Python PROGRAM with its ARGUMENTS; numpy.linalg and scipy.linalg do stacks of small matrices by kernels.

    The program needs no change. Its exit status and its tracebacks are its own.
    """
    if not (is_module or Path(program).exists()):
        raise click.UsageError(f"PROGRAM = {program!r}: there is no such file")
    if find_spec("scipy"):
        import_module("scipy.linalg")  # functions are replaced where they are imported already
    sys.argv = [program, *arguments]
    accelerated = ExitStack()
    accelerated.enter_context(accelerate())
    atexit.register(accelerated.close)  # threads of the program may outlive its last line
    try:
        if is_module:
            sys.path.insert(0, str(Path.cwd()))
            runpy.run_module(program, run_name="__main__", alter_sys=True)
        else:
            sys.path.insert(0, str(Path(program).resolve().parent))
            runpy.run_path(str(Path(program).absolute()), run_name="__main__")  # so __file__ is, as Python has it
    except (Exception, KeyboardInterrupt) as error:  # of the program, which is not ours to put into one line
        frames = error.__traceback__
        while frames and frames.tb_frame.f_code.co_filename in (__file__, runpy.run_path.__code__.co_filename):
            frames = frames.tb_next
        sys.excepthook(type(error), error.with_traceback(frames), frames)  # the program may have put one there
        sys.exit(INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1)
