"""Calls whose kernels are those of a GPU, emulated: arrays of this process stand for those of the device."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from bblas_gen.codegen.device import DeviceFunction
from bblas_gen.codegen.operand_text import OperandText
from bblas_gen.codegen.operands import operands_of
from bblas_gen.codegen.render import Source, render
from bblas_gen.codegen.signature import signature_of
from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.terms import Kind, Layout, Strides
from bblas_gen.runtime.kernels import Kernel
from bblas_gen.runtime.library import Library
from bblas_gen.runtime.marshal import ffi
from bblas_gen.schedule import gpu

from . import emulator
from .cuda_kernels import moved

Compiled = tuple[Source, list[OperandText], emulator.Module | None]


@cache
def compiled(
    spec: KernelSpec,
    sanitize: str = "",
    lanes: int = 0,
    threads: int = gpu.THREADS,
    arch: str = "",
    build: Callable[..., emulator.Module] = emulator.compile,
) -> Compiled:
    """The text of a kernel for GPUs of an architecture, its operands, and its functions, which ``build`` makes; None
    where it has none. ``lanes``: those of the team that does a matrix, else the schedule tells."""
    program = Program.of(replace(spec, target="cuda"))
    schedule = gpu.team(program, lanes, threads) if lanes else gpu.choose(program, arch)
    source = render(program, schedule)
    names = [function.name for function in source.functions]
    module = build(source.text, names, sanitize=sanitize) if names else None
    return source, operands_of(program, schedule), module


class Emulated:
    """What takes the emulated kernel for a spec, of a ``team`` where its lanes, or they and a block's threads, are
    given, or for an architecture, as ``build`` makes it. ``how`` are options of ``Module.launch``; ``traffic`` is what
    the last launch moved, where that is asked for, ``functions`` are those of its kernel. Launches are ``short`` of so
    many bytes of dynamic shared memory."""

    def __init__(
        self,
        sanitize: str = "",
        team: tuple[int, ...] = (),
        arch: str = "",
        build: Callable[..., emulator.Module] = emulator.compile,
        short: int = 0,
        **how: Any,
    ) -> None:
        self.sanitize, self.team, self.arch, self.build, self.how = sanitize, team, arch, build, how
        self.traffic, self.elements, self.short = emulator.Traffic(), 0, short
        self.functions: tuple[DeviceFunction, ...] = ()

    def compiled(self, spec: KernelSpec) -> Compiled:
        return compiled(spec, self.sanitize, *self.team, arch=self.arch, build=self.build)

    def __call__(self, spec: KernelSpec) -> Kernel:
        source, operands, module = self.compiled(spec)

        def function(*arguments: Any) -> int:
            if module is not None:
                given = dict(zip((p.name for p in signature_of(spec).parameters), arguments, strict=True))
                self.functions = source.functions
                self.traffic, self.elements = _launch(source, operands, module, given, self.short, self.how)
            return 0

        library = Library(Path("/nowhere/kernel.so"), "", None, None, function)  # type: ignore[arg-type]
        return Kernel(spec, library, lambda: source)

    def check_traffic(self) -> None:
        """The last launch moved nothing twice, and nothing that does not count but is of a sector with what does."""
        assert self.traffic.least_bytes <= self.elements
        assert self.traffic.moved_bytes <= 1.05 * self.traffic.needed_bytes


def _launch(
    source: Source,
    operands: list[OperandText],
    module: emulator.Module,
    given: dict[str, Any],
    short: int,
    how: dict[str, Any],
) -> tuple[emulator.Traffic, int]:
    """What it moved, and the bytes of all elements that it has to."""
    spec, batch = source.spec, given["batch_count"]
    values = {name: _scalar(given[name], spec.p.storage.bytes) for name in spec.row.scalars}
    function = next(one for one in source.functions if one.serves({name: complex(*x) for name, x in values.items()}))
    memory = dict(_memory(spec, operands, given, batch))
    if spec.row.info:
        memory["info"] = _array(_address(given["info"]), 4 * batch)
    flat = [
        values[x.of][x.part == "im"] if x.of in values else memory[x.of] if x.of in memory else given[x.of]
        for x in function.arguments
    ]
    blocks = -(-batch // function.matrices)
    traffic = module.launch(function.name, blocks, function.threads, function.dynamic - short, *flat, **how)
    kinds = {"beta": "0"} if values.get("beta") == (0, 0) else {}
    elements = [x for reads in (True, False) for x in moved(spec, kinds, reads).items()]
    size = sum(count * (4 if x.kind is Kind.INDEX else spec.p.storage.bytes) for x, count in elements)
    return traffic, batch * (size + 8 * sum(where is Layout.PP for where in map(spec.where, spec.row.matrices)))


def _scalar(value: Any, real_bytes: int) -> tuple[float, ...]:
    if isinstance(value, (int, float)):
        return float(value), 0.0
    numbers = ffi().cast("double *" if real_bytes == 8 else "float *", value)
    return numbers[0], numbers[1]


def _memory(
    spec: KernelSpec, operands: list[OperandText], given: dict[str, Any], batch: int
) -> Iterator[tuple[str, Any]]:
    """Every operand as what of memory belongs to it, and not a byte more."""
    for x in operands:
        if x.storage is None:
            continue
        real = 4 if x.kind is Kind.INDEX else spec.p.storage.bytes
        if x.storage.interleaved:
            nb = given[f"nb{x.letter}"] if x.storage is Layout.IL else x.nb
            count = 1 if x.storage is Layout.IL else -(-batch // nb)
            yield x.name, _array(_address(given[x.name]), count * x.reals * nb * real)
            continue
        rows, cols = given.get(f"rs{x.letter}", 1), given.get(f"cs{x.letter}", given.get(f"ld{x.letter}"))
        cols = x.stored_rows if cols is None or x.strides in (Strides.PACKED, Strides.RM) else cols
        reals = ((x.stored_rows - 1) * rows + (x.stored_cols - 1) * cols + 1) * x.parts if x.reals else 0
        if x.storage is Layout.ST:
            last = (batch - 1) * given[f"stride_{x.letter}"] * x.parts
            yield x.name, _array(_address(given[x.name]), (last + reals) * real if reals else 0)
        else:
            pointers = ffi().cast("uintptr_t *", given[x.name])
            found = [_array(int(pointers[b]), reals * real) for b in range(batch)] if _address(given[x.name]) else []
            yield x.name, emulator.Pointers(found)


def _address(pointer: Any) -> int:
    return pointer if isinstance(pointer, int) else int(ffi().cast("uintptr_t", pointer))


def _array(address: int, size: int) -> Any:
    """Bytes of memory, None at no address."""
    return np.frombuffer((ctypes.c_char * size).from_address(address), np.uint8) if address else None
