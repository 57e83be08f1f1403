"""NVRTC: cubins from CUDA in this process, where there is no nvcc, and with no driver."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import CompileError, NoCompilerError
from ..toolchain.cuda import HINT

_API = """
typedef struct program *nvrtcProgram;
const char *nvrtcGetErrorString(int);
int nvrtcCreateProgram(nvrtcProgram *, const char *, const char *, int, const char *const *, const char *const *);
int nvrtcCompileProgram(nvrtcProgram, int, const char *const *);
int nvrtcGetCUBINSize(nvrtcProgram, size_t *);
int nvrtcGetCUBIN(nvrtcProgram, char *);
int nvrtcGetProgramLogSize(nvrtcProgram, size_t *);
int nvrtcGetProgramLog(nvrtcProgram, char *);
int nvrtcDestroyProgram(nvrtcProgram *);
"""


def compile_cubin(library: str, source: Path, flags: Sequence[str], what: str) -> bytes:
    """The cubin of the CUDA text in ``source``, for the kernel ``what``, made by the NVRTC at the path ``library``.

    Raises CompileError with what it says of the text, NoCompilerError where the library does not load.
    """
    ffi, nvrtc, _ = _loaded(library)
    program = ffi.new("nvrtcProgram *")
    words = [ffi.new("char[]", flag.encode()) for flag in flags]
    text, name = source.read_bytes(), source.name.encode()
    code = nvrtc.nvrtcCreateProgram(program, text, name, 0, ffi.NULL, ffi.NULL)
    try:
        code = code or nvrtc.nvrtcCompileProgram(program[0], len(words), ffi.new("const char *const[]", words))
        if code:
            log = _bytes(ffi, program[0], nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog)
            reason = ffi.string(nvrtc.nvrtcGetErrorString(code)).decode()
            said = f"{reason}\n{log.rstrip(bytes(1)).decode(errors='replace')}"
            raise CompileError(what, ("nvrtc", *flags, source.name), said, source, source.parent)
        return _bytes(ffi, program[0], nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN)
    finally:
        nvrtc.nvrtcDestroyProgram(program)


def _bytes(ffi: Any, program: Any, size_of: Any, read: Any) -> bytes:
    """What a pair of functions tells of a program; nothing where there is no program."""
    size = ffi.new("size_t *")
    if size_of(program, size):
        return b""
    found = ffi.new("char[]", size[0])
    read(program, found)
    return bytes(ffi.buffer(found))


@cache
def _loaded(library: str) -> tuple[Any, Any, list[Any]]:
    """NVRTC's functions, and what must live as long: its library of built-in functions, which it looks for where the
    loader does. That knows no wheels, so it is loaded before."""
    from cffi import FFI  # here: importing bblas_gen must stay fast

    ffi = FFI()
    ffi.cdef(_API)
    try:
        beside = sorted(Path(library).parent.glob("libnvrtc-builtins.so.*"))
        held = [ffi.dlopen(str(path), ffi.RTLD_NOW | ffi.RTLD_GLOBAL) for path in beside]
        return ffi, ffi.dlopen(library), held
    except OSError as error:
        raise NoCompilerError(f"{library} does not load: {error}", HINT) from error
