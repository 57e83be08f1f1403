"""``bblas-gen run``: a Python program with our functions beneath NumPy's and SciPy's."""

from __future__ import annotations

import atexit
import runpy
import sys
from contextlib import ExitStack
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import click

from ..linalg.accelerate import accelerate

INTERRUPTED = 130
"""The exit status that a shell gives a program that Ctrl-C ended."""


STDIN = "-"
"""The program that is read from there."""


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("-m", "is_module", is_flag=True, help="PROGRAM is the name of a module.")
@click.option("-c", "is_code", is_flag=True, help="PROGRAM is Python code itself.")
@click.argument("program")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def run(program: str, arguments: tuple[str, ...], is_module: bool, is_code: bool) -> None:
    """Run a Python PROGRAM with its ARGUMENTS; numpy.linalg and scipy.linalg do stacks of small matrices by kernels.

    PROGRAM is a file, a folder with a __main__.py, or - for what comes from stdin. It needs no change. Its exit status
    and its tracebacks are its own.
    """
    if is_module and is_code:
        raise click.UsageError("-m and -c: expected one of them")
    if not (is_module or is_code or program == STDIN or Path(program).exists()):
        raise click.UsageError(f"PROGRAM = {program!r}: there is no such file")
    if find_spec("scipy"):
        import_module("scipy.linalg")  # functions are replaced where they are imported already
    sys.argv = ["-c" if is_code else program, *arguments]
    accelerated = ExitStack()
    accelerated.enter_context(accelerate())
    atexit.register(accelerated.close)  # threads of the program may outlive its last line
    try:
        if is_module:
            sys.path.insert(0, str(Path.cwd()))
            runpy.run_module(program, run_name="__main__", alter_sys=True)
        elif is_code or program == STDIN:
            sys.path.insert(0, "")
            _run_text(*((program, "<string>") if is_code else (sys.stdin.buffer.read(), "<stdin>")))
        else:
            sys.path.insert(0, str(Path(program).resolve().parent))
            runpy.run_path(str(Path(program).absolute()), run_name="__main__")  # so __file__ is, as Python has it
    except (Exception, KeyboardInterrupt) as error:  # of the program, which is not ours to put into one line
        frames = error.__traceback__
        while frames and frames.tb_frame.f_code.co_filename in (__file__, runpy.run_path.__code__.co_filename):
            frames = frames.tb_next
        sys.excepthook(type(error), error.with_traceback(frames), frames)  # the program may have put one there
        sys.exit(INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1)


def _run_text(text: str | bytes, name: str) -> None:
    """Python code as the main module of this process; ``name`` is the file that tracebacks name."""
    main = sys.modules["__main__"] = ModuleType("__main__")
    exec(compile(text, name, "exec", dont_inherit=True), vars(main))
