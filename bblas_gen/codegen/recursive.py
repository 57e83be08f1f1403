"""Large problems as C: a function for each operation that the rules of ``ir/rules`` lead to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..ir.partition import exchanges
from ..ir.program import Program
from ..ir.sizes import evaluate
from ..ir.terms import Kind, Strides
from ..schedule.recursive import RecursiveSchedule
from ..schedule.work import TASK_NS
from .apart import apart_context, nanoseconds
from .blocked import Pairs
from .context import names
from .few import few_of
from .memory import Memory
from .node import PRODUCT, Need, Node, plain
from .operand_text import OperandText
from .operands import operands_of
from .scratch import Scratch


def nodes_of(program: Program) -> list[Node]:
    """All functions, each behind those that it calls."""
    memory = Memory(program.p, program.spec.strides)
    found: dict[tuple[str, ...], Node] = {}

    def add(node: Node) -> None:
        if node.key not in found:
            for below in node.below:
                if below.key != node.key:
                    add(below)
            found[node.key] = node

    add(Node(program.row, plain(program.spec.flag, program.p), memory))
    return list(found.values())


def needs_of(program: Program) -> tuple[Need, ...]:
    """The kernels that a kernel calls that divides its problem."""
    return tuple(node.need for node in nodes_of(program) if node.op is PRODUCT)


def root_arguments(program: Program, root: Node, operands: Mapping[str, OperandText]) -> list[str]:
    """The arguments of the first function, for matrix number p of a call."""
    spec, found = program.spec, [*program.row.sizes]
    found += [f"g->{name}" for name in program.row.scalars]
    for x in root.operands:
        found.append(f"({operands[x.name].ctype} *)({operands[x.name].pointer('p')})")
        if spec.strides in (Strides.PACKED, Strides.RM) and x.kind is not Kind.INDEX:
            side = spec.stored(x)[1 if spec.strides.row_major else 0]
            found.append(f"({evaluate('max(side, 1)', {'side': side})})")
        else:
            found += [f"g->{given}" for given in root.memory.given(x)]
    return found


def recursive_context(program: Program, schedule: RecursiveSchedule) -> dict[str, Any]:
    """What the frame of a kernel that divides its problem sees beside its names and its entry."""
    nodes, needs = nodes_of(program), needs_of(program)
    reals = schedule.pitch * (2 * schedule.pitch + schedule.rows * schedule.width) * program.p.parts
    scratch = Scratch({}, reals * program.p.compute.bytes, heap=False)
    operands = operands_of(program, schedule)
    arguments = root_arguments(program, nodes[-1], {x.name: x for x in operands})
    return {
        **names(program, schedule, operands, scratch),
        "info": program.row.info,
        "unknown": program.spec.unknown,
        "width": schedule.width,
        "widths": [schedule.width],
        "shuffles": True,
        "exchanges": exchanges,
        "ahead": (),
        "bursts": (),
        "coming": (),
        "lanes": False,
        "speed": 16 // program.p.parts**2,
        "task": TASK_NS,
        "nanoseconds": nanoseconds(program),
        **apart_context(schedule),
        "nodes": nodes,
        "root": nodes[-1],
        "root_bytes": f"{nodes[-1].name}_bytes({', '.join(program.row.sizes)})",
        "root_arguments": ", ".join(arguments),
        "few": few_of(program, schedule),
        "vector_pairs": Pairs(schedule.width),
        "needs": needs,
        "called": {need: f"bb_need_{number}" for number, need in enumerate(needs)},
    }
