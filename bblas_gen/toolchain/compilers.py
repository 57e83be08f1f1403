"""Compilers: find one, learn exactly what it is and which instructions it may use, run one compile.

Nothing goes through a shell and nothing is looked up in the current directory, by us or by a compiler: it runs
elsewhere and sees a PATH without relative entries. It is asked about itself once per process: the preprocessor run that
prints its predefined macros (7 ms) also prints its version, its target and what `-march=native` means on this CPU.

POSIX only: gcc and clang as commands, process groups and signals.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from ..errors import INSTALL_HINT, CompileError, NoCompilerError
from .machine import POOLED
from .trust import private_folder

# `-Ofast` and `-ffast-math` are never here: they link start-up code that changes the whole process's floating-point
# mode. `-ffp-contract` gives FMA; "on" is clang's way to fuse what stands in one expression, which leaves no choice,
# where gcc has but "fast". Without errno a square root becomes one instruction and vectorises.
OPTIMIZATION: tuple[str, ...] = ("-O3",)
CONTRACT = {"gcc": "-ffp-contract=fast", "clang": "-ffp-contract=on"}
ARITHMETIC = ("-fno-math-errno", "-fno-trapping-math")
_SHARED = ("-fPIC", "-shared", "-fvisibility=default")
_ISA = re.compile(r"[A-Za-z0-9_.+-]+")
_PROBE_SECONDS = 60
_KILLED = "is there enough memory, and are files allowed to be large enough (ulimit -f)?"
_NO_ROOM = {"No space left on device": errno.ENOSPC, "Disk quota exceeded": errno.EDQUOT, "File too large": errno.EFBIG}


@dataclass(frozen=True)
class Compiler:
    """A compiler that was found and asked about itself.

    `path` is absolute. `target_flags` are the resolved flags: what `arch_flag` means on this CPU. `simd_bytes` is the
    width of the widest vector they allow.
    """

    path: str
    family: str  # gcc, clang, nvcc or nvrtc
    version: str
    target_flags: tuple[str, ...] = ()
    simd_bytes: int = 16
    target: str = ""
    arch_flag: str = "-march=native"

    @property
    def identity(self) -> str:
        """Everything that decides the machine code, and no path: two machines that agree here may share binaries."""
        return "\n".join((self.family, self.version, self.target, *self.target_flags))


def find_cc() -> Compiler:
    """The C compiler: `BBLAS_GEN_CC` (a name or an absolute path), else the first of cc, gcc and clang that works.

    `BBLAS_GEN_ISA` is the value of `-march`, `native` by default. Raises `NoCompilerError`, or `ValueError` for an
    ISA that is not one.
    """
    isa = os.environ.get("BBLAS_GEN_ISA") or "native"
    if not _ISA.fullmatch(isa):
        raise ValueError(f"BBLAS_GEN_ISA={isa!r} is not the name of an instruction set such as native or x86-64-v3")
    if wanted := os.environ.get("BBLAS_GEN_CC"):
        return _probe(locate("BBLAS_GEN_CC", wanted, INSTALL_HINT), isa)
    reasons = []
    for path in filter(None, map(which, ("cc", "gcc", "clang"))):
        try:
            return _probe(path, isa)
        except NoCompilerError as error:
            reasons.append(error.reason)
    raise NoCompilerError("; ".join(reasons) or "no C compiler: none of cc, gcc and clang is on PATH")


def library_flags(cc: Compiler, *, openmp: bool = True) -> tuple[str, ...]:
    """The flags that make a shared library for this process out of one generated C file.

    `openmp` asks for `-fopenmp`; it is left out for a compiler that has none, and the kernels then use one thread.
    """
    if cc.family == "nvcc":
        raise ValueError("library_flags is for a C compiler, not for nvcc")
    threads = ("-fopenmp",) if openmp and has_openmp(cc) else ()
    return (*OPTIMIZATION, "-std=gnu11", cc.arch_flag, CONTRACT[cc.family], *ARITHMETIC, *_SHARED, *threads)


def object_flags(cc: Compiler, march: str, *, openmp: bool, pool: bool = False) -> tuple[str, ...]:
    """The flags that make an object of a library out of a generated C file: for the instruction set ``march``, or for
    that of this machine where it is "native"; nothing is seen outside but what its source exports. ``pool``: kernels
    use the thread pool of the process."""
    arch = cc.arch_flag if march == "native" else f"-march={march}"
    threads = ("-DBB_POOL",) if pool else ("-fopenmp",) if openmp else ()
    return (
        *OPTIMIZATION,
        "-std=gnu11",
        arch,
        CONTRACT[cc.family],
        *ARITHMETIC,
        "-fPIC",
        "-fvisibility=hidden",
        *threads,
    )


def kernel_flags(cc: Compiler) -> tuple[str, ...]:
    """The flags that make a shared library for this process out of one generated kernel."""
    return (*library_flags(cc, openmp=not POOLED), *(["-DBB_POOL"] if POOLED else []))


@cache
def has_openmp(cc: Compiler) -> bool:
    """Whether `cc` can compile and link `-fopenmp`. Asked once per compiler."""
    source = "#include <omp.h>\nint threads(void) { return omp_get_max_threads(); }\n"
    if cc.family == "gcc":  # its runtime comes along with its header, and preprocessing costs a tenth of a link
        return ask([cc.path, "-fopenmp", "-E", "-x", "c", "-"], source).returncode == 0
    with tempfile.TemporaryDirectory(prefix="probe-", dir=private_folder()) as folder:
        link = ["-fopenmp", "-fPIC", "-shared", "-x", "c", "-", "-o", "probe.so"]
        return ask([cc.path, *link], source, Path(folder)).returncode == 0


def run(argv: Sequence[str], *, what: str, cwd: Path, source: Path, timeout: float = 600) -> str:
    """Run one compile of `source`, for the kernel `what`, in the folder `cwd`; return the compiler's warnings.

    Raises `CompileError` when the compiler fails, is killed, cannot be started or takes over `timeout` seconds, OSError
    when there is no room in `cwd`, where its temporary files are too. `BBLAS_GEN_VERBOSE=1` prints the command.
    """
    if _truthy("BBLAS_GEN_VERBOSE"):
        print(shlex.join(argv), file=sys.stderr, flush=True)
    failure = ""
    stderr = ""
    try:
        returncode, stderr = _communicate(argv, cwd, timeout)
        if returncode < 0:
            failure = f"the compiler was killed by {_signal_name(-returncode)}; {_KILLED}"
        elif returncode > 0:
            failure = f"the compiler ended with exit status {returncode}"
    except subprocess.TimeoutExpired:
        failure = f"the compiler was stopped: it took longer than {timeout:g} seconds"
    except (OSError, RuntimeError) as error:
        failure = f"the compiler could not be started: {error}"
    for reason in filter(stderr.__contains__, _NO_ROOM if failure else ()):
        raise OSError(_NO_ROOM[reason], f"{reason}, says the compiler")
    if failure:
        raise CompileError(what, argv, f"{failure}\n{stderr}", source, cwd)
    return stderr


def reset() -> None:
    """Forget every compiler asked so far. For tests."""
    for function in (_probe, has_openmp):
        function.cache_clear()


def _truthy(variable: str) -> bool:
    return os.environ.get(variable, "").strip().lower() in {"1", "true", "yes", "on"}


def which(name: str) -> str | None:
    """`shutil.which` without the relative entries of PATH: whoever can write the current directory must not be run."""
    return shutil.which(name, path=_path())


def _path() -> str:
    """PATH without relative and empty entries."""
    entries = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(filter(os.path.isabs, entries))


def locate(variable: str, wanted: str, hint: str) -> str:
    if "/" in wanted and not Path(wanted).is_absolute():
        raise NoCompilerError(f"{variable}={wanted!r} is a relative path, which is refused: give an absolute one", hint)
    if path := which(wanted):
        return path
    raise NoCompilerError(f"{variable}={wanted!r} is not a program (one name or path, without arguments)", hint)


def _environment(cwd: Path) -> dict[str, str]:
    """What a compiler is run with: programs from safe places, its temporary files in `cwd`, and messages in English, to
    be parsed here and searched for by people."""
    return os.environ | {"LC_ALL": "C", "PATH": _path() or os.defpath, "TMPDIR": str(cwd)}


def ask(argv: Sequence[str], stdin: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a compiler on a text; a program that cannot run or does not answer counts as one that fails. RuntimeError is
    what a subinterpreter raises that may start no process."""
    try:
        return subprocess.run(
            argv,
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            cwd=cwd or "/",
            env=_environment(cwd or Path("/")),
            timeout=_PROBE_SECONDS,
        )
    except (OSError, RuntimeError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(argv, 127, "", str(error))


@cache
def _probe(path: str, isa: str) -> Compiler:
    """Ask the compiler at `path` what it is and what `-march=isa` means to it."""
    flag = f"-march={isa}"
    answer = ask([path, flag, "-dM", "-E", "-v", "-x", "c", "-"])
    if answer.returncode and isa == "native":  # clang for Arm knows only -mcpu=native before release 16
        flag = "-mcpu=native"
        answer = ask([path, flag, "-dM", "-E", "-v", "-x", "c", "-"])
    if answer.returncode:
        if isa != "native" and ask([path, "-E", "-x", "c", "-"]).returncode == 0:
            complaint = match(r"^.*error: .*$", answer.stderr)
            raise ValueError(f"BBLAS_GEN_ISA={isa!r} is not known to {path} ({complaint})")
        last = (answer.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise NoCompilerError(f"{path} does not work: {last}")
    macros = set(re.findall(r"^#define (\w+)", answer.stdout, re.MULTILINE))
    if "__GNUC__" not in macros:
        raise NoCompilerError(f"{path} is neither gcc nor clang")
    family = "clang" if "__clang__" in macros else "gcc"
    # clang lists its features in the order of a hash table: sorted, they make the same cache key every time.
    flags = tuple(sorted(_clang_flags(answer.stderr)) if family == "clang" else _gcc_flags(answer.stderr))
    if not flags:  # the macros tell the instruction sets as well, if less readably
        flags = (flag, f"macros={hashlib.sha256(answer.stdout.encode()).hexdigest()[:16]}")
    return Compiler(
        path=path,
        family=family,
        version=match(r"^.*\bversion \d.*$", answer.stderr),
        target_flags=flags,
        simd_bytes=_simd_bytes(macros),
        target=match(r"(?<=^Target: ).*$", answer.stderr),
        arch_flag=flag,
    )


def match(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.MULTILINE)
    return found.group().strip() if found else ""


def _simd_bytes(macros: set[str]) -> int:
    """Width of the widest vectors; AVX-512F alone lacks the 64-bit integers and the narrow forms that kernels use."""
    if {"__AVX512F__", "__AVX512DQ__", "__AVX512VL__"} <= macros:
        return 64
    return 32 if "__AVX2__" in macros else 16


def _gcc_flags(stderr: str) -> Iterator[str]:
    """The `-m...` flags and `--param name=value` pairs that the gcc driver hands to the compiler proper."""
    words = match(r"^ .*/cc1 .*$", stderr).split()
    for word, following in pairwise([*words, ""]):
        if word.startswith("-m"):
            yield word
        elif word == "--param":
            yield f"{word}={following}"


def _clang_flags(stderr: str) -> Iterator[str]:
    """The CPU, its tuning, its ABI and every feature switched on or off, from the `-cc1` line of clang."""
    words = [word.strip('"') for word in match(r'^ .*"?-cc1"? .*$', stderr).split()]
    for word, following in pairwise([*words, ""]):
        if word in {"-target-cpu", "-tune-cpu", "-target-abi", "-target-feature"}:
            yield f"{word}={following}"


def _communicate(argv: Sequence[str], cwd: Path, timeout: float) -> tuple[int, str]:
    """Exit status and stderr of a compiler; whatever interrupts us ends its whole process group.

    Killing the gcc driver alone would leave the real compiler, its child, running.
    """
    with subprocess.Popen(
        argv,
        cwd=cwd,
        env=_environment(cwd),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        process_group=0,
    ) as process:
        try:
            _, stderr = process.communicate(timeout=timeout)
        except BaseException:
            with contextlib.suppress(OSError):  # it may have ended meanwhile, and what interrupts us goes on
                os.killpg(process.pid, signal.SIGKILL)
            raise
    return process.returncode, stderr


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
