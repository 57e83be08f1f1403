"""Functions of a family for groups: what a group's matrices have in common comes in arrays, one element for each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from ..codegen.signature import Parameter
from ..ir.operation import Operand
from ..ir.sizes import evaluate
from ..ir.terms import Kind, Layout, Role
from .family import Call, FamilyText, leading
from .own import WORK, Own, own_functions, with_work, work_functions

_COUNTS = ("batch_count", "num_threads")


@dataclass(frozen=True)
class Group:
    """What the templates of groups need of a family."""

    text: FamilyText

    @cached_property
    def call(self) -> Call:
        return next(call for call in self.text.calls if call.layout is Layout.PP)

    @cached_property
    def operands(self) -> list[Parameter]:
        """Arrays of pointers, and the reports."""
        return [self._by_pointer(p) for p in self.call.passed if p.kind == "matrix" or p.name == "info"]

    def _by_pointer(self, p: Parameter) -> Parameter:
        """Indices by pointers, too: kernels take theirs a fixed stride apart."""
        return replace(p, ctype=f"{p.ctype}const *") if self.index and p.name == self.index.name else p

    @cached_property
    def index(self) -> Operand | None:
        """The indices beside matrices."""
        return next((x for x in self.text.family.row.parameters if x.kind is Kind.INDEX), None)

    @property
    def run(self) -> str:
        """The C function that runs matrices of one problem, by pointers."""
        return "run_pointers" if self.index else "run_pp"

    @property
    def index_type(self) -> str:
        return f"{'const ' * (not self.index_written)}int32_t *"

    @property
    def index_written(self) -> bool:
        return self.index is not None and self.index.role is not Role.IN

    @property
    def index_length(self) -> str:
        """The indices of a matrix, as C text of a problem."""
        return str(evaluate(self.index.rows, self.text.held_sizes)) if self.index else "0"

    @property
    def parameters(self) -> str:
        """Those of ``run``, beside the problem."""
        counts = [p.text for p in self.call.passed if p.name in _COUNTS]
        return ", ".join([*(p.text for p in self.operands), *counts])

    @property
    def from_done(self) -> str:
        """The arguments of a kernel from matrix ``done`` on, some of which it is given."""
        given = {"batch_count": "count", "num_threads": "num_threads"}
        if self.index:
            given |= {self.index.name: "indices", f"stride_{self.index.name.lower()}": "stride"}
        return ", ".join(given.get(p.name, f"{p.name} + done") for p in self.call.passed)

    @property
    def arrays(self) -> list[str]:
        """The arrays in the order of the C struct ``groups``."""
        row = self.text.family.row
        return [*row.flags, *self.text.numbers, *row.scalars, *(p.name for p in self.operands)]

    @property
    def pointers(self) -> list[tuple[str, str, str]]:
        """Of each matrix operand its name, the C type of a pointer to one matrix, and the argument that it is."""
        found = [p for p in self.operands if p.kind == "matrix"]
        return [(p.name, p.ctype.removesuffix("*const *") + "*", self._turned(p.name)) for p in found]

    @property
    def bytes(self) -> list[str]:
        """Those of a matrix of each operand, as C text of its sizes."""
        spec, p = self.text.family.general(Layout.PP)[0], self.text.family.precision
        operands = [spec.row.operand(name) for name, _, _ in self.pointers]
        elements = [evaluate(f"({x.rows}) * ({x.cols})", spec.extents) for x in operands]
        return [f"{n} * {p.storage.bytes * p.parts_of(x.kind)}" for n, x in zip(elements, operands, strict=True)]

    def _turned(self, name: str) -> str:
        other = self.text.turn.of(name)
        return f"g->{name}" if other == name else f"(g->layout == 101 ? g->{other} : g->{name})"

    @property
    def understood(self) -> list[str]:
        """What ``understood`` is given of group i."""
        flags = [f"meant(g, g->{x.name}, i, {x.named})" for x in self.text.flags]
        return ["g->layout", *flags, *(f"number_at(g, g->{x}, i)" for x in self.text.numbers)]

    @property
    def lists(self) -> list[tuple[str, str, int]]:
        """What groups have in common: a list in C, the bits of an element, and the bytes from one to the next. Those of
        numbers and flags depend on the call."""
        real = self.text.family.precision.storage.bytes
        found = [(f"g->{x}", "number", 0) for x in self.text.numbers]
        found += [(f"g->{x}", "flag", 0) for x in self.text.family.row.flags]
        for scalar, parts in self.text.scalars:
            places = [f"g->{scalar} + {part}" if part else f"g->{scalar}" for part in range(parts)]
            found += [(place, str(8 * real), parts * real) for place in places]
        return found

    @property
    def from_here(self) -> list[str]:
        """The operands from matrix ``from`` on."""
        reports = ["g->info + from"] if self.text.family.row.info else []
        return [*(f"{given} + from" for _, _, given in self.pointers), *reports]

    @property
    def sorted(self) -> list[str]:
        """The operands of a window, sorted, from matrix ``begin`` on."""
        reports = ["w->info + begin"] if self.text.family.row.info else []
        return [*(f"w->{name}_sorted + begin" for name, _, _ in self.pointers), *reports]

    @property
    def window(self) -> str:
        """The bytes that a window has for a matrix, as C text."""
        reports = " + sizeof(int64_t) + 2 * sizeof(int32_t)" if self.text.family.row.info else ""
        return f"{2 * len(self.pointers)} * sizeof(void *) + 2 * sizeof(uint16_t){reports}"

    @property
    def cost(self) -> tuple[str, str]:
        """Operations and bytes of a matrix, as C text of its sizes."""
        spec = self.text.family.general(Layout.PP)[0]
        flops, moved = (str(evaluate(text, spec.extents)) for text in spec.costs)
        return flops, moved


@dataclass(frozen=True)
class GroupFunction:
    """A function for groups, or for matrices that are a group each. ``work``: as for fixed batches."""

    text: FamilyText
    group: Group
    kind: str
    work: bool = False

    @property
    def symbol(self) -> str:
        return f"{self.text.prefix}{self.text.family.name}_{self.kind}{f'_{WORK}' if self.work else ''}"

    @property
    def result(self) -> str:
        """The C type that it returns."""
        return "int64_t" if self.work else "int"

    @property
    def arrays(self) -> bool:
        """Whether scalars are arrays."""
        return True

    @property
    def packed(self) -> bool:
        """Whether matrices are interleaved."""
        return False

    @property
    def sizes(self) -> bool:
        """Whether groups have a size."""
        return self.kind == "group"

    @property
    def count(self) -> str:
        return "group_count" if self.sizes else "batch_count"

    @cached_property
    def arguments(self) -> list[tuple[str, str]]:
        """Name and declaration of each parameter."""
        operands = {p.name: p for p in self.group.operands}
        found = [("layout", "int layout")] if self.text.family.ordered else []
        found += [(name, f"const int *{name}") for name in self.text.family.row.flags]
        for p in self.group.call.own:
            if p.kind == "size" or leading(p):
                found.append((p.name, f"const int64_t *{p.name}"))
            elif p.kind == "scalar":
                found.append((p.name, f"const {self.text.real} *{p.name}"))
            elif p.name in operands:
                found.append((p.name, operands[p.name].text))
        found.append((self.count, f"int64_t {self.count}"))
        if self.sizes:
            found.append(("group_sizes", "const int64_t *group_sizes"))
        found.append(("num_threads", "int num_threads"))
        return with_work(found) if self.work else found

    @property
    def parameters(self) -> str:
        return ", ".join(text for _, text in self.arguments)

    @property
    def declaration(self) -> str:
        return f"{self.result} {self.symbol}({self.parameters});"

    def position(self, name: str) -> int:
        """From 1; 0 where there is no such argument."""
        names = [known for known, _ in self.arguments]
        return 1 + names.index(name) if name in names else 0

    @property
    def positions(self) -> list[int]:
        """The positions of what ``understood`` finds at fault, from 1; element 0 is none."""
        return [0, *(self.position(name) for name in self.text.asked)]

    @property
    def layout(self) -> str:
        """The C text of the memory order."""
        return "layout" if self.text.family.ordered else "102"

    @property
    def fields(self) -> list[str]:
        """The fields of the C struct ``groups``."""
        return [self.layout, "0", "0", self.count, "group_sizes" if self.sizes else "NULL", *self.group.arrays]


def has_groups(text: FamilyText) -> bool:
    """Whether a family has functions for groups, which take pointers."""
    return Layout.PP in text.family.layouts


def group_functions(text: FamilyText, *, work: bool = False) -> list[GroupFunction]:
    kinds = ("group", "variable") if has_groups(text) else ()
    return [GroupFunction(text, Group(text), kind, work) for kind in kinds]


def ours(text: FamilyText) -> list[Own | GroupFunction]:
    """All functions of our own of a family, those with memory of the caller last."""
    return [*own_functions(text), *group_functions(text), *work_functions(text), *group_functions(text, work=True)]
