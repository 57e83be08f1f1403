"""The CUDA kernels that calls may come to for matrices up to n = 32, and what their machine code must be like."""

from __future__ import annotations

import itertools
import random
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from bblas_gen.bench.ptxas import Functions, Used, numbers
from bblas_gen.codegen.device import DeviceFunction, device_functions
from bblas_gen.codegen.kinds import device_kinds
from bblas_gen.codegen.render import Source, render
from bblas_gen.codegen.signature import signature_of
from bblas_gen.errors import SpecError
from bblas_gen.ir.catalog import LISTED, OPS
from bblas_gen.ir.operation import Operand, Operation
from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.terms import PRECISIONS, Kind, Layout, Role
from bblas_gen.ir.variants import VARIANTS
from bblas_gen.schedule import gpu, words

from .again import AGAIN
from .cases import TWINS, letters

ARCHITECTURES = ("sm_80", "sm_90", "sm_100")
LARGEST = 32
STAGED = ("gemm", "syrk", "trmm", "trsm", "potrf", "posv", "potri", "getrs")
"""Operations of which kernels for matrices by themselves are looked at."""
LONG = ("gemm", "syrk", "syr2k", "herk", "her2k")
"""Operations that add up products over steps of their own."""
ROUNDED = {"nrm2", "logdet", "gedet", "geslogdet", "gels", "geqp3", "gesvd", "gesvdvals", "syev", "sygv"}
"""Operations with some divisions and roots for which compilers call functions: few beside all else, none in what others
are made of. Elsewhere estimates are refined."""
ADDED = {"axpy", "ger", "gerc"}
"""Operations that add to what alpha = 0 leaves as it is."""


@dataclass(frozen=True)
class Kernel:
    """A kernel with all of its functions, or one, which is counted from ``kind`` on; as GPUs of an architecture have
    it, else as all have it."""

    spec: KernelSpec
    kind: int | None = None
    arch: str = ""

    @cached_property
    def program(self) -> Program:
        return Program.of(self.spec)

    @cached_property
    def schedule(self) -> gpu.GpuSchedule:
        return gpu.choose(self.program, self.arch)

    def runs_on(self, arch: str) -> bool:
        """Whether calls come to it there: what has no room in all GPUs is another kernel in some."""
        return self.schedule == gpu.choose(self.program, arch)

    @cached_property
    def functions(self) -> tuple[DeviceFunction, ...]:
        kinds = device_kinds(self.program)
        kinds = kinds if self.kind is None else [kinds[self.kind % len(kinds)]]
        return device_functions(signature_of(self.spec), self.program.row.scalars, kinds, self.schedule)

    @property
    def source(self) -> Source:
        return render(self.program, self.schedule, "" if self.kind is None else self.functions[0].name)

    @property
    def whole(self) -> bool:
        """Whether whole matrices are in registers."""
        return self.schedule == gpu.whole(self.program)

    @property
    def counted(self) -> bool:
        """Whether each element is moved once: sequences load again what each element has an address of its own for, and
        what is the only element; variants store a copy before they work on it, so in caches."""
        several = max(dict(self.spec.size).values()) > 1
        addressing = words.addressing(self.program)
        again = self.spec.op in AGAIN and addressing in AGAIN[self.spec.op].text
        once = len(self.program.bodies) == 1 or (several and addressing == "bi")
        copied = self.spec.row.variant_of
        return once and not again and not copied and (self.whole or self.schedule.tiles[0].held)

    @property
    def widths(self) -> set[str]:
        """Of accesses to global memory, all of which are of one number: neighbouring threads have neighbouring ones, so
        a warp takes whole sectors. There may be indices and addresses, too; what is only moved may be any bits."""
        number = 8 * self.spec.p.storage.bytes
        sizes = {number}
        sizes |= {32} if any(x.kind is Kind.INDEX for x in self.spec.row.operands) else set()
        sizes |= {64} if Layout.PP in self.spec.layouts else set()
        return {f"f{number}", *(f"{kind}{bits}" for kind in "bsu" for bits in sizes)}

    def faults(self, said: Functions) -> Iterator[str]:
        """What is wrong with the machine code."""
        for function in self.functions:
            for fault in self._faults(function, said[function.name]):
                yield f"{function.name}: {fault}"

    def _faults(self, function: DeviceFunction, found: Used) -> Iterator[str]:
        if found.local or found.spilled:
            yield f"{found.local} bytes of local memory, {found.spilled} of them spilled"
        if found.registers > gpu.most_registers(self.schedule.blocks):
            yield f"{found.registers} registers"
        if not found.placed:
            yield f"accesses to any memory: {found.loads}, {found.stores}"
        if others := {*found.loads, *found.stores} - self.widths:
            yield f"accesses of {', '.join(sorted(others))}, not of one number"
        if found.rounded and (self.spec.row.variant_of or self.spec.op) not in ROUNDED:
            yield f"{found.rounded} divisions or roots by functions of the compiler"
        if self.counted and not found.loops:
            loads, stores = (sum(moved(self.spec, function.kinds, reads).values()) for reads in (True, False))
            loads += self.spec.layouts.count(Layout.PP)  # where each of these matrices is
            if numbers(found.loads) > loads:
                yield f"{found.loads} loads, {loads} are needed"
            if numbers(found.stores) > stores:
                yield f"{found.stores} stores, {stores} are needed"


def moved(spec: KernelSpec, kinds: Mapping[str, str], reads: bool) -> dict[Operand, int]:
    """The reals, or indices, that have to be read, or written, of each operand of a matrix."""
    return {x: _moved(spec, kinds, x, reads) for x in spec.row.operands if x.role is not Role.SCRATCH}


def _moved(spec: KernelSpec, kinds: Mapping[str, str], x: Operand, reads: bool) -> int:
    unread = x.role is Role.OUT or (x.scaled_by and kinds.get(x.scaled_by) == "0")
    cleared = x.role is Role.INOUT and not x.scaled_by and kinds.get("alpha") == "0" and spec.op not in ADDED
    if (unread or cleared) if reads else x.role is Role.IN:
        return 0
    rows, cols = spec.stored(x)
    diagonal = min(rows, cols)
    parts = x.parts(spec.flag)
    beside = (rows * cols - diagonal) // 2 if x.triangle else rows * cols - diagonal
    elements = beside * bool(parts & set("LU")) + diagonal * ("D" in parts)
    return elements * (1 if x.kind is Kind.INDEX else spec.p.parts)


def kernel(
    row: Operation,
    letter: str,
    layout: str,
    sizes: Mapping[str, int],
    kind: int | None,
    rng: random.Random,
    strides: str = "",
) -> Kernel:
    flags = {flag: rng.choice(letters(row, flag)) for flag in row.flags}
    return Kernel(KernelSpec.make(row.name, letter, layout, strides=strides, target="cuda", **sizes, **flags), kind)


def limit(row: Operation, letter: str, layout: str) -> int:
    """The largest n of which whole matrices are in registers, of sequences that load them anew for each body, too;
    LARGEST where all are."""

    def beyond(n: int) -> bool:
        one = Kernel(KernelSpec.make(row.name, letter, layout, target="cuda", **square(row, n)))
        return replace(one.schedule, forgets=False) != gpu.whole(one.program)

    return bisect_left(range(1, LARGEST + 1), True, key=beyond)


def square(row: Operation, n: int) -> dict[str, int]:
    return {name: min(n, 2) if name == "nrhs" else n for name in row.sizes}


def rows(among: Iterable[Operation] = LISTED) -> list[tuple[Operation, str]]:
    """Operations with their precisions, those that are others in real precisions once."""
    each = ((row, x, p) for row in among for x, p in PRECISIONS.items())
    return [(row, x) for row, x, p in each if p.complex or (row.variant_of or row.name) not in TWINS]


def variants() -> list[Operation]:
    """Those that calls with ``out=``, ``overwrite=False`` and the like come to for small matrices; large ones have
    variants whose intermediates are outputs."""
    return [row for name, row in VARIANTS.items() if name not in {f"{other}w" for other in VARIANTS}]


def long_products() -> Iterator[Kernel]:
    """Products of more steps than rows and columns, which a thread does alone in registers: of all that are up to two
    away from squares some flags."""
    for (row, letter), layout in itertools.product(rows([OPS[x] for x in LONG]), ("bi", "il", "st")):
        for n, more in itertools.product(range(2, 14), range(-2, 3) if "m" in row.sizes else [0]):
            for k in (n + 3, LARGEST - 8):
                rng = random.Random(f"{row.name} {letter} {layout} {n} {more} {k}")
                sizes = {"m": n, "n": max(1, n + more), "k": k}
                one = kernel(row, letter, layout, {name: sizes[name] for name in row.sizes}, None, rng)
                if one.schedule.lanes == 1 and one.whole:
                    yield one


def rectangles(count: int) -> list[Kernel]:
    """Kernels for what the grid of squares leaves out: sizes, flags and strides at random."""
    rng, found = random.Random(count), list[Kernel]()
    while len(found) < count:
        (row, letter), layout = rng.choice(rows()), rng.choice(("bi", "il", "st", "pp"))
        strides = rng.choice(("", "ld", "rs", "rm")) if layout in ("st", "pp") else ""
        most = rng.choice((8, 16, LARGEST))
        sizes = {name: rng.randint(1, 6 if name == "nrhs" else most) for name in row.sizes}
        with suppress(SpecError):  # of operations of m >= n, say
            found.append(kernel(row, letter, layout, sizes, None, rng, strides))
    return found


def sample() -> list[Kernel]:
    """Kernels of all operations at the limits of what fits, one beyond, and n = 32, which teams do: precisions,
    layouts, flags, kinds of scalars take turns. Of products also one of factors that are one column and one row."""
    rng, found = random.Random(1), []
    turns = itertools.cycle([("bi", 0), ("bi", 1), ("il", 0), ("st", LARGEST), ("bi", LARGEST), ("st", 1), ("il", 1)])
    for row in LISTED:
        letters = [letter for one, letter in rows() if one is row]
        for letter in rng.sample(letters, 1):
            layout, more = next(turns)
            n = min(LARGEST, limit(row, letter, layout) + more)
            found.append(kernel(row, letter, layout, square(row, n), rng.randrange(4), rng))
            if "k" in row.sizes and letter in "dz":
                n = limit(row, letter, "bi")
                found.append(kernel(row, letter, "bi", square(row, n) | {"k": 1}, rng.randrange(4), rng))
    return list(dict.fromkeys([*found, *staged(rng)]))


def staged(rng: random.Random) -> list[Kernel]:
    """Kernels that bring matrices by themselves to shared memory, where a thread does each: the largest ones."""
    turns = itertools.cycle(itertools.product("ds", ("st", "pp"), ("", "ld", "rs")))
    found = []
    for row in (row for row in LISTED if row.name in STAGED):
        for (letter, layout, strides), kind in zip(itertools.islice(turns, 2), (3, 0), strict=True):
            tried = [kernel(row, letter, layout, square(row, n), kind, rng, strides) for n in range(1, 13)]
            found.append([one for one in tried if one.schedule.staged and one.schedule.lanes == 1][-1])
    return found
