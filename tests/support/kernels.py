"""What tests need of the runtime's inside: which kernel a call wants, another one in its place, arguments in C.

The only module of the tests that knows how calls are bound.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import bblas_gen as bb
from bblas_gen.codegen.signature import signature_of
from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec, operation
from bblas_gen.ir.terms import BY_DTYPE
from bblas_gen.runtime import call, kernels
from bblas_gen.runtime.call import by_user_names
from bblas_gen.runtime.library import Library, host_isa, source_here
from bblas_gen.runtime.marshal import ffi
from bblas_gen.schedule.choose import choose
from bblas_gen.toolchain import compilers

TESTS = Path(__file__).resolve().parents[1]
Choice = Callable[[KernelSpec], kernels.Kernel]

QUICK = {
    "gcc": (
        *("-O1", "-fexpensive-optimizations", "-fno-tree-ccp", "-fno-tree-dominator-opts", "-fno-ivopts"),
        *("-fira-region=one", "-fno-tree-sink", "-fno-tree-pta", "-fno-reorder-blocks"),
        *("-fno-guess-branch-probability", "-fno-if-conversion", "-fno-if-conversion2"),
    ),
    "clang": ("-O1",),
}
"""What compiles in a third of the time, by the family of the compiler. With the second gcc fuses products and sums;
without it bits are others. The passes left out take much time and change none."""

UNOPTIMIZED = ("-O0", "-Dalways_inline=unused")
"""What compiles fastest long texts of which each function is called a few times: bodies stay functions."""

SHIPPED = compilers.OPTIMIZATION
"""What users have."""


class Wanted(Exception):
    """Raised in the place of a compile."""


def lanes(dtype: str) -> int:
    """Reals of a dtype in the widest vector of the instruction set that the tests run with."""
    return compilers.find_cc().simd_bytes // BY_DTYPE[dtype].compute.bytes


@contextmanager
def exchanged(choice: Choice) -> Iterator[None]:
    """Calls get the kernel that ``choice`` names for their spec."""
    before = call.kernel
    call.kernel = lambda spec, **_: choice(spec)  # type: ignore[assignment]
    try:
        yield
    finally:
        call.kernel = before


def spec_of(op: str, operands: Iterable[Any], **named: Any) -> KernelSpec | None:
    """The spec of the kernel that a call would run, None where it runs none. Compiles nothing."""
    found: list[KernelSpec] = []

    def note(spec: KernelSpec) -> kernels.Kernel:
        found.append(spec)
        raise Wanted

    try:
        with exchanged(note):
            bb.plan(op, **by_user_names(operation(op), operands), **named)
    except Wanted:
        pass
    return found[0] if found else None


def any_size(spec: KernelSpec) -> kernels.Kernel:
    """The kernel for all sizes in the place of the one for these."""
    found = kernels.kernel(spec.any_size)
    function = partial(found.library.function, *spec.sizes)
    return replace(found, spec=spec, library=replace(found.library, function=function))


def available(spec: KernelSpec, schedule: Mapping[str, object]) -> dict[str, object]:
    """``schedule``, or as much of it as there is for ``spec``: all, its form alone, or nothing."""
    return dict(_available(spec, tuple(schedule.items())))


@cache
def _available(spec: KernelSpec, schedule: tuple[tuple[str, object], ...]) -> tuple[tuple[str, object], ...]:
    for some in (schedule, schedule[:1]):
        try:
            choose(Program.of(spec), host_isa(), **dict(some))
        except ValueError:
            continue
        return some
    return ()


def quick() -> tuple[str, ...]:
    """The options of QUICK for the compiler here."""
    return QUICK[compilers.find_cc().family]


def native() -> list[str]:
    """The flags for this machine's own instructions. Of some machines clang 19 makes a set that it warns of."""
    cc = compilers.find_cc()
    known = ["-Wno-unknown-warning-option", "-Wno-invalid-feature-combination"]
    return [cc.arch_flag, *(known if cc.family == "clang" else [])]


def forget() -> None:
    """Calls look for their kernels anew. What a compiler is, it says once: a process for every test that forgets."""
    with patch.object(compilers, "reset", lambda: None):
        kernels.reset()


@contextmanager
def optimized(options: tuple[str, ...]) -> Iterator[None]:
    """Kernels are compiled so within, those that were loaded before too."""
    shipped, compilers.OPTIMIZATION = compilers.OPTIMIZATION, options
    forget()
    try:
        yield
    finally:
        compilers.OPTIMIZATION = shipped
        forget()


def run_quick(program: str, isa: str | None = None) -> subprocess.CompletedProcess[str]:
    """A process of its own that runs a program, for an instruction set; its kernels are compiled quickly."""
    head = "from support import kernels\nquickly = kernels.optimized(kernels.quick())\nquickly.__enter__()\n"
    own = {"PYTHONPATH": os.pathsep.join(filter(None, [str(TESTS), os.environ.get("PYTHONPATH")]))}
    environment = os.environ | own | ({"BBLAS_GEN_ISA": isa} if isa else {})
    command = [sys.executable, "-c", head + program]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@contextmanager
def faked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A compiler that is not there, and kernels that do nothing."""
    nothing = Library(Path("/nowhere/kernel.so"), "", None, None, lambda *_: 0)  # type: ignore[arg-type]
    forget()
    monkeypatch.setattr(compilers, "find_cc", lambda: compilers.Compiler("/nowhere/cc", "gcc", "0", simd_bytes=32))
    monkeypatch.setattr(
        "bblas_gen.runtime.library.load_kernel", lambda spec, named: source_here(spec, **named) and nothing
    )
    monkeypatch.setattr("bblas_gen.runtime.threads.start_pool", lambda: None)
    yield
    monkeypatch.undo()
    forget()


def arguments(plan: bb.Plan, null: Iterable[str]) -> list[Any]:
    """What a plan calls its kernel with, null pointers for the operands named."""
    names = [parameter.name for parameter in signature_of(plan.kernel.spec).parameters]
    given = list(plan.arguments)
    for name in null:
        given[names.index(name)] = ffi().NULL
    return given
