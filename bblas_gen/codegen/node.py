"""A function of large problems as C: an operation, what it calls with which arguments, and what threads share of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..ir.catalog import OPS
from ..ir.operation import DEFAULT_SCALARS, Operand, Operation, Step
from ..ir.recursion import Part, letters_of, places, sizes_of, steps_of, stored
from ..ir.rules import RULES, Rule
from ..ir.sizes import evaluate
from ..ir.spec import KernelSpec
from ..ir.terms import Kind, Letter, Precision, Side, Strides, Trans, Uplo
from .apart import Parts, parts_of
from .memory import Memory
from .own_memory import asked, bytes_template
from .signature import signature_of

_AT = {Part.ALL: "0", Part.BEFORE: "0", Part.BEHIND: "at"}
PRODUCT = OPS["gemm"]


@dataclass(frozen=True)
class Need:
    """A kernel that another one calls."""

    spec: KernelSpec

    @property
    def symbol(self) -> str:
        return self.spec.symbol()

    @property
    def parameters(self) -> str:
        return ", ".join(x.text for x in signature_of(self.spec).parameters)


@dataclass(frozen=True)
class Call:
    """A step as C: the function, its sizes, all its arguments, and what is added to what it reports; whether it
    ``works`` in memory."""

    name: str
    sizes: str
    arguments: str
    works: bool
    reports: bool
    first: str


@dataclass(frozen=True)
class Node:
    """A C function: an operation with its letters, on matrices that lie as ``memory`` says."""

    op: Operation
    letters: Mapping[str, Letter]
    memory: Memory

    @property
    def key(self) -> tuple[str, ...]:
        return self.op.name, *map(str, self.letters.values())

    @property
    def name(self) -> str:
        return "_".join(filter(None, (f"bb_{self.op.name}", "".join(self.letters.values()).lower())))

    @property
    def template(self) -> str:
        """What does it at once; "" where nothing does."""
        return "" if self.op.name not in RULES and steps_of(self.op, self.letters) else self.op.template or self.op.name

    @property
    def own(self) -> str:
        """The template of the bytes that it works in where it is done at once; "" where these are none."""
        return bytes_template(self.template)

    @property
    def works(self) -> bool:
        """Whether it, or a step of it, works in memory."""
        return bool(self.own or self.rule or not self.template)

    @property
    def rule(self) -> Rule | None:
        found = RULES.get(self.op.name)
        return None if found and found.listed else found

    @cached_property
    def extents(self) -> dict[str, Any]:
        return self.op.extents({x: x for x in self.op.sizes}, self.letters)

    @property
    def order(self) -> str:
        """The C text of what is cut."""
        return str(evaluate(self.rule.order, self.extents)) if self.rule else ""

    @property
    def most(self) -> str:
        """The field of the schedule up to which it is done at once: panels are as high as a matrix."""
        if self.rule and self.rule.squared:
            return "corner"
        return "panel" if self.rule and self.rule.goes_on else "stop"

    @property
    def operands(self) -> tuple[Operand, ...]:
        return self.op.matrices

    @property
    def declared(self) -> str:
        """Its parameters as C text."""
        texts = (f"{'' if '*' in ctype else 'const '}{ctype}{name}" for ctype, name in self.parameters)
        return ", ".join(("const bb_means means", *texts))

    @cached_property
    def parameters(self) -> list[tuple[str, str]]:
        """C types and names behind what it has to work with."""
        found = [("int64_t ", size) for size in self.op.sizes] + [("bb_scalar ", name) for name in self.op.scalars]
        for x in self.operands:
            found.append(("int32_t *" if x.kind is Kind.INDEX else "bb_real *", x.name))
            found += [("int64_t ", name) for name in self.memory.given(x)]
        return found

    @property
    def pivots(self) -> str:
        """The name of what has numbers of rows, where it is cut."""
        return next((x.name for x in self.op.outputs if self.rule and x.kind is Kind.INDEX), "")

    @property
    def free(self) -> str:
        """The size along which it falls into parts that have nothing to do with one another."""
        return next(x for x in self.op.sizes if x != self.order) if self.rule and self.rule.order == "ka" else ""

    @property
    def parts(self) -> Parts | None:
        """What threads share of it."""
        return parts_of(self.order, self.free, rank=bool(self.rule and self.rule.squared))

    @property
    def twins(self) -> bool:
        """Whether its last two steps need nothing of each other."""
        return bool(self.rule and self.rule.twins)

    @property
    def beside(self) -> str:
        """The size of the right-hand sides of a triangle, which is not divided where they are few."""
        return self.free if self.rule and self.rule.turns else ""

    def part(self) -> dict[str, str]:
        """Its arguments for a part from ``lo`` to ``hi`` of that size."""
        found = {name: f"g->{name}" for _, name in self.parameters} | {self.free: "hi - lo"}
        for x in self.operands:
            sides = [self.op.size_name(side, self.letters) == self.free for side in stored(x, self.letters)]
            down, across = ("lo" if side else "0" for side in sides)
            text = self.memory.at(x, down, across)
            for name in (x.name, *self.memory.given(x)):
                text = f"g->{text}" if name == x.name else text.replace(name, f"g->{name}")
            found[x.name] = text
        return found

    @cached_property
    def calls(self) -> list[Call]:
        """Its steps."""
        return [self._call(step) for step in steps_of(self.op, self.letters)]

    @property
    def below(self) -> Iterator[Node]:
        for step in steps_of(self.op, self.letters) if self.rule or not self.template else ():
            yield self._node(step)

    def _node(self, step: Step) -> Node:
        letters = letters_of(step, self.letters)
        return Node(OPS[step.op], plain(letters, self.memory.p), self.memory)

    def _call(self, step: Step) -> Call:
        node, known = self._node(step), places(self.op, self.letters)
        blocks, sides, first = [], [], "0"
        for number, name in enumerate(step.operands):
            place = known[name]
            x = self.op.operand(place.name)
            down, across = _AT[place.down], _AT[place.across]
            blocks.append(", ".join((self.memory.at(x, down, across), *self.memory.given(x))))
            lengths = (str(evaluate(side, self.extents)) for side in stored(x, self.letters))
            rows, cols = (_length(part, y) for part, y in zip((place.down, place.across), lengths, strict=True))
            sides.append((rows, cols))
            first = first if number else down
        sizes = sizes_of(node.op, letters_of(step, self.letters), sides)
        values = dict(step.scalars)
        scalars = [self.scalar(values.get(name, DEFAULT_SCALARS[name])) for name in node.op.scalars]
        given = ", ".join(sizes[name] for name in node.op.sizes)
        return Call(node.name, given, ", ".join([given, *scalars, *blocks]), node.works, node.op.info, first)

    def scalar(self, value: str | complex) -> str:
        """The C text of a scalar."""
        if isinstance(value, str):
            name = value.removesuffix("*")
            return f"BB_CONJUGATE({name})" if name != value and self.memory.p.complex else name
        real, imag = (f"{x:g}" for x in (complex(value).real, complex(value).imag))
        return f"(bb_scalar){{{real}, {imag}}}" if self.memory.p.complex else real

    @property
    def product(self) -> str:
        """The function of the first product among its steps, of which it is one itself where it is done at once."""
        return next(call.name for call in self.calls if call.name.startswith("bb_gemm"))

    @property
    def plain_product(self) -> str:
        return Node(PRODUCT, {"transa": Trans.N, "transb": Trans.N}, self.memory).name

    def rs(self, name: str) -> str:
        return self.memory.steps(self.op.operand(name))[0]

    def cs(self, name: str) -> str:
        return self.memory.steps(self.op.operand(name))[1]

    @property
    def case(self) -> dict[str, Any]:
        """The case of a triangle that is lower, stands on the left and is not transposed, as C text: its strides, those
        of what it stands beside, and whether both are counted backwards."""
        right = self.letters.get("side") is Side.R
        trans = self.letters.get("transa", Trans.N)
        assert isinstance(trans, Trans)
        turned = trans.transposes != right
        a = self.memory.steps(self.op.operand("A"))
        other = self.memory.steps(self.operands[-1])
        return {
            "a": ", ".join(a[:: -1 if turned else 1]),
            "b": ", ".join(other[:: -1 if right else 1]),
            "lies": self.memory.lies(turned),
            "backwards": int((self.letters["uplo"] is Uplo.U) != turned),
            "conj": int(trans.conjugates),
            "unit": int(str(self.letters.get("diag")) == "U"),
        }

    def passed(self, name: str) -> str:
        """An operand as arguments."""
        x = self.op.operand(name)
        return ", ".join((name, *self.memory.given(x)))

    @property
    def adjoint(self) -> tuple[str, str]:
        """The strides of a lower triangle: an upper one is seen as its transpose."""
        rs, cs = self.memory.steps(self.op.operand("A"))
        return (cs, rs) if self.letters["uplo"] is Uplo.U else (rs, cs)

    @property
    def second(self) -> str:
        """The scalar of the second product of an update by two factors."""
        return "alpha*" if self.op.hermitian else "alpha"

    @property
    def other(self) -> tuple[str, str]:
        """From where, and up to where, rows i of column j are in the other strict triangle."""
        return ("j + 1", "n") if self.upper else ("0", "j")

    @property
    def upper(self) -> int:
        return int(self.letters["uplo"] is Uplo.U)

    @property
    def need(self) -> Need:
        """The kernel of a product."""
        letters, strides = self._turned, self.memory.strides
        kept = Strides.RS if strides is Strides.RS else Strides.LD
        spec = KernelSpec.make(
            "gemm", self.memory.p.letter, m=None, n=None, k=None, strides=kept, transa=letters[0], transb=letters[1]
        )
        return Need(spec)

    @property
    def _turned(self) -> tuple[Trans, Trans]:
        """The letters of the kernel of a product: rows are columns of the transposed one, and any strides are
        exchanged instead of sides."""
        a, b = (self.letters[name] for name in ("transa", "transb"))
        assert isinstance(a, Trans)
        assert isinstance(b, Trans)
        if self.memory.strides is Strides.RS:
            return Trans.of(False, a.conjugates), Trans.of(False, b.conjugates)
        return (b, a) if self.memory.strides.row_major else (a, b)

    @property
    def _product_sizes(self) -> list[str]:
        return ["n", "m", "k"] if self.memory.strides.row_major else ["m", "n", "k"]

    @property
    def product_asked(self) -> str:
        """The arguments of the kernel of a product where it is asked how much memory it works in."""
        return asked(self.need.spec, self._product_sizes)

    def product_arguments(self) -> str:
        """The arguments of the kernel of a product, but the number of threads."""
        a, b, c = self.operands
        factors = [(a, self.letters["transa"]), (b, self.letters["transb"])]
        if self.memory.strides.row_major:
            factors = factors[::-1]
        texts = []
        for x, letter in factors:
            given = self.memory.given(x)
            if len(given) == 2 and letter.transposes:  # type: ignore[union-attr]
                given = given[::-1]
            texts.append(", ".join((x.name, *given, "0")))
        alpha, beta = ("&alpha.re", "&beta.re") if self.memory.p.complex else ("alpha", "beta")
        return ", ".join([*self._product_sizes, alpha, *texts, beta, "C", *self.memory.given(c), "0", "1"])


def _length(part: Part, side: str) -> str:
    if part is Part.ALL:
        return side
    return "at" if part is Part.BEFORE else f"{side} - at"


def plain(letters: Mapping[str, Letter], p: Precision) -> dict[str, Letter]:
    """Real matrices are their own conjugates."""
    if p.complex:
        return dict(letters)
    return {name: Trans.of(x.transposes, False) if isinstance(x, Trans) else x for name, x in letters.items()}
