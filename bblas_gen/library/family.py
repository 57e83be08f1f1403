"""The C text of one family: its functions, and how they find a kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ..codegen.signature import Parameter, Signature, signature_of
from ..ir.operation import Operand
from ..ir.program import Program
from ..ir.sizes import evaluate
from ..ir.spec import KernelSpec
from ..ir.terms import FLAGS, Diag, Itype, Job, Kind, Layout, Letter, Role, Side, Trans, Uplo
from ..schedule.choose import choose
from .contents import CODE_BITS, LAYOUT_BITS, LAYOUTS, Family, Level, layout_of
from .keys import MULTIPLIER, key, table
from .turns import Turn, turn_of

CBLAS: dict[type[Letter], dict[int, str]] = {
    Trans: {111: "N", 112: "T", 113: "C"},
    Uplo: {121: "U", 122: "L"},
    Diag: {131: "N", 132: "U"},
    Side: {141: "L", 142: "R"},
    Job: {301: "N", 302: "V"},
    Itype: {1: "1", 2: "2", 3: "3"},
}
"""The numbers of the CBLAS for letters; of jobs, which it has not, those of PLASMA and MAGMA."""
KEPT = ("size", "scalar")
"""The kinds of parameters that a problem holds; leading dimensions are the others."""


@dataclass(frozen=True)
class Flag:
    """A flag in C: the first of its numbers, and the digit that each has in a code; -1 where the BLAS has none.
    ``letters`` are told apart, ``known`` is what Fortran calls the numbers."""

    name: str
    first: int
    digits: tuple[int, ...]
    letters: int
    known: str

    @property
    def named(self) -> str:
        """The numbers and their letters, as arguments in C."""
        return f'{self.first}, "{self.known}"'


@dataclass(frozen=True)
class Call:
    """The functions of a family for one layout, as a template needs them.

    ``spacing``: what leading dimensions of vectors are called, "" where there are none. ``settled``: their values in C
    for kernels of vectors without gaps.
    """

    layout: Layout
    number: int
    signature: Signature
    packed: bool
    spacing: dict[str, str]
    settled: dict[str, str]

    @property
    def own(self) -> list[Parameter]:
        """The parameters of a function: increments where a kernel has leading dimensions of vectors."""
        named = [replace(p, name=self.spacing.get(p.name, p.name)) for p in self.signature.parameters]
        return [p for p in named if p.name]

    @property
    def passed(self) -> list[Parameter]:
        """The parameters that a problem does not hold: operands, what lies between their matrices, counts."""
        return [p for p in self.signature.parameters if not held(p)]

    @property
    def parameters(self) -> str:
        return ", ".join(p.text for p in self.passed)

    @property
    def passed_names(self) -> str:
        return ", ".join(p.name for p in self.passed)

    def _kept(self, *, general: bool) -> list[Parameter]:
        return [p for p in self.signature.parameters if general or p.kind != "size"]

    def types(self, *, general: bool) -> str:
        """The types of a kernel's parameters."""
        return types(self._kept(general=general))

    def arguments(self, *, general: bool) -> str:
        kept = self._kept(general=general)
        return ", ".join(self.settled.get(p.name) or (f"p->{p.name}" if held(p) else p.name) for p in kept)

    def sizes_alone(self, *, general: bool) -> str:
        """The arguments of a kernel that is asked for its scratch."""
        return sizes_alone(self._kept(general=general))


def types(parameters: Sequence[Parameter]) -> str:
    return ", ".join(p.ctype.strip() for p in parameters)


def sizes_alone(parameters: Sequence[Parameter]) -> str:
    """Arguments of which but sizes count."""
    return ", ".join(f"p->{p.name}" if p.kind == "size" else "0" for p in parameters)


def held(p: Parameter) -> bool:
    """Whether a problem holds this parameter: sizes, scalars and leading dimensions."""
    return p.kind in KEPT or leading(p)


def leading(p: Parameter) -> bool:
    """Whether it is a leading dimension, or the increment of a vector."""
    return p.kind == "stride" and p.name.startswith(("ld", "inc"))


def spacing(x: Operand) -> str:
    """What tells how an operand lies in memory: "lda", "incx"; "" of a number."""
    letter = x.name.lower()
    return f"inc{letter}" if x.has_increment else "" if x.is_vector else f"ld{letter}"


@dataclass(frozen=True)
class FamilyText:
    """A family as its template sees it; ``levels`` are the instruction sets, ``prefix`` begins all names."""

    family: Family
    levels: Sequence[Level]
    prefix: str

    @cached_property
    def turn(self) -> Turn:
        return turn_of(self.family.row) or Turn()

    @cached_property
    def flags(self) -> list[Flag]:
        found = []
        for name, letters in zip(self.family.row.flags, self.family.letters, strict=True):
            numbers = CBLAS[FLAGS[name]]
            digits = tuple(self._digit(letter, letters) for letter in numbers.values())
            found.append(Flag(name, next(iter(numbers)), digits, len(letters), "".join(numbers.values())))
        return found

    def _digit(self, letter: str, letters: Sequence[Letter]) -> int:
        """The digit of a letter; that of the transpose where matrices are real."""
        if letter not in letters and not self.family.precision.complex and letter == "C":
            letter = "T"
        return letters.index(letter) if letter in letters else -1

    @property
    def real(self) -> str:
        return self.family.precision.storage.name

    @cached_property
    def scalars(self) -> list[tuple[str, int]]:
        """The scalars, and the reals of each."""
        row, p = self.family.row, self.family.precision
        return [(x, 2 if p.complex and x not in row.real_scalars else 1) for x in row.scalars]

    @cached_property
    def matrices(self) -> list[Operand]:
        return [x for x in self.family.row.parameters if x.kind is not Kind.INDEX]

    @property
    def spaced(self) -> list[Operand]:
        """The operands that have a leading dimension or an increment."""
        return [x for x in self.matrices if spacing(x)]

    @property
    def lds(self) -> list[str]:
        """Leading dimensions, and increments of vectors."""
        return [spacing(x) for x in self.spaced]

    @property
    def given(self) -> list[str]:
        """The parameters of the C function ``understood``."""
        row = self.family.row
        flags, numbers = (f"int {name}" for name in row.flags), (f"int64_t {x}" for x in (*row.sizes, *self.lds))
        return ["problem *p", "int layout", *flags, *numbers]

    @property
    def asked(self) -> list[str]:
        """What the C function ``understood`` looks at, in its order."""
        return ["layout", *self.family.row.flags, *self.numbers]

    @property
    def numbers(self) -> list[str]:
        """The integers of a problem: sizes and leading dimensions."""
        return [*self.family.row.sizes, *self.lds]

    @cached_property
    def calls(self) -> list[Call]:
        found = []
        for layout in self.family.layouts:
            general = self.family.general(layout)[0]
            names = (self._spacing, self._settled) if not layout.interleaved else ({}, {})
            found.append(Call(layout, LAYOUTS.index(layout), signature_of(general), layout.interleaved, *names))
        return found

    @property
    def _spacing(self) -> dict[str, str]:
        return {f"ld{x.name.lower()}": spacing(x) for x in self.matrices}

    @property
    def _settled(self) -> dict[str, str]:
        found = {}
        for x in self.matrices:
            if x.is_vector:
                least = f"{evaluate(f'max({x.rows}, 1)', self.held_sizes)}"
                found[f"ld{x.name.lower()}"] = least if self.family.turns else f"(p->code % 2 ? 1 : {least})"
        return found

    @property
    def held_sizes(self) -> dict[str, Any]:
        """All sizes as C text of a problem."""
        row = self.family.row
        letters = {name: some[0] for name, some in zip(row.flags, self.family.letters, strict=True)}
        return row.extents({name: f"p->{name}" for name in row.sizes}, letters)

    def turned(self, name: str) -> str:
        """The C text of an argument in column-major terms."""
        other = self.turn.of(name)
        return name if other == name else f"(row_major ? {other} : {name})"

    def turned_ld(self, operand: Operand) -> str:
        name, other = spacing(operand), spacing(self.family.row.operand(self.turn.of(operand.name)))
        return name if other == name else f"(row_major ? {other} : {name})"

    def illegal(self, operand: Operand) -> str:
        """The C condition that the leading dimension or increment of an operand is at fault. An increment of 0 repeats
        a number, which vectors that are read and meet no matrix may do."""
        name = spacing(operand)
        if not operand.has_increment:
            return f"{name} < 1 || {name} < {self.least_ld(operand)}"
        return f"{name} == 0" if self.family.ordered or operand.role is not Role.IN else "0"

    @property
    def sized_by(self) -> tuple[str, str, str] | None:
        """The flag that tells which sizes change places, and those; the BLAS counts them before op()."""
        if not self.family.row.sized_by:
            return None
        operand = self.family.row.operand(self.family.row.sized_by)
        return str(operand.flag), operand.rows, operand.cols

    @property
    def code(self) -> str:
        """The C text of the code of a problem: flags as digits, then the memory order."""
        text = ""
        for flag in self.flags:
            digit, other = f"{flag.name}_digit", f"{self.turn.of(flag.name)}_digit"
            if flag.name in self.turn.toggled:
                digit = f"(row_major ? 1 - {digit} : {digit})"
            elif other != digit:
                digit = f"(row_major ? {other} : {digit})"
            text = f"({text}) * {flag.letters} + {digit}" if text else digit
        return (text or "0") if self.family.turns else f"({text or 0}) * 2 + row_major"

    @property
    def extents(self) -> dict[str, Any]:
        """All sizes as C text of the arguments of a call."""
        row = self.family.row
        found: dict[str, Any] = {"1": 1, **{name: name for name in row.sizes}}
        for name, rule in row.derived:
            letters = dict(zip(row.flags, self.family.letters, strict=True))[rule.flag]
            first, second = (dict(rule.cases)[letter] for letter in letters)
            found[name] = f"({rule.flag}_digit ? {second} : {first})"
        return found

    def least_ld(self, operand: Operand) -> str:
        """The least leading dimension of an operand, but that it is 1 at least: elements that follow one another."""
        return self._side(operand, operand.rows, operand.cols)

    def lines(self, operand: Operand) -> str:
        """How often there is a leading dimension from one element to the next."""
        return self._side(operand, operand.cols, operand.rows)

    def _side(self, operand: Operand, col_major: str, row_major: str) -> str:
        """The side of an operand that is meant where it is column-major, before op(), and where it is not."""
        here, there = (evaluate(side, self.extents) for side in (col_major, row_major))
        if here == there:
            return str(here)
        if operand.flag:
            return f"(row_major != ({operand.flag}_digit > 0) ? {there} : {here})"
        return f"(row_major ? {there} : {here})"

    @cached_property
    def table(self) -> tuple[int, Sequence[tuple[int, KernelSpec | None]]]:
        """The bits of an index, and the rows of the table of keys: key and kernel."""
        family = self.family
        bits, rows = table({key(family, spec): i + 1 for i, spec in enumerate(family.kernels)})
        return bits, [(one, family.kernels[i - 1] if one else None) for one, i in rows]

    def entry(self, spec: KernelSpec, level: Level) -> str:
        """The symbol of a kernel for one instruction set."""
        return entry(self.prefix, spec, level)

    def one_by_one(self, spec: KernelSpec | None, level: Level) -> bool:
        """Whether a kernel does each matrix by itself, found by its pointer: then it may come among others."""
        if spec is None or layout_of(spec) is not Layout.PP:
            return False
        schedule = choose(Program.of(spec), level.isa)
        return schedule.form in ("direct", "flat") and schedule.matrices_per_vector == 1

    @property
    def prototypes(self) -> list[str]:
        """Of kernels, and of those in the caller's scratch, which kernels without scratch on the heap do not have."""
        found = []
        for spec in self.family.everything:
            given = types(signature_of(spec).parameters)
            found += [works(self.entry(spec, level), given) for level in self.levels]
        return [*self.prototypes_of(self.family.everything), *found]

    def prototypes_of(self, specs: Sequence[KernelSpec]) -> list[str]:
        found = []
        for spec in specs:
            given = types(signature_of(spec).parameters)
            found += [f"int {self.entry(spec, level)}({given});" for level in self.levels]
        return found

    @property
    def all_sizes(self) -> str:
        """The sizes of a problem, or-ed."""
        return " | ".join(f"p->{size}" for size in self.family.row.sizes)

    @property
    def key(self) -> str:
        """The C text of the key of a problem."""
        sizes = [f"(uint64_t)p->{size} << {shift}" for size, shift in self.key_shifts]
        return " | ".join([*sizes, f"(uint64_t)p->code << {LAYOUT_BITS + 1}", "layout << 1", "1"])

    @property
    def key_shifts(self) -> list[tuple[str, int]]:
        """Where each size is in a key."""
        bits, sizes = self.family.size_bits, self.family.row.sizes
        low = CODE_BITS + LAYOUT_BITS + 1
        return [(name, low + bits * (len(sizes) - 1 - i)) for i, name in enumerate(sizes)]

    @property
    def constants(self) -> dict[str, int]:
        return {"multiplier": MULTIPLIER, "size_bits": self.family.size_bits}


def works(name: str, given: str) -> str:
    """The prototype of a kernel in the caller's scratch, if there is one."""
    return f"__attribute__((weak)) int64_t {name}_work({given}, char *);"


def entry(prefix: str, spec: KernelSpec, level: Level) -> str:
    """The symbol of a kernel in a library: its name, and the instruction set."""
    return f"{prefix}{spec.symbol()}_{level.tag}"
