"""What threads of a GPU bring to shared memory, and where."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from ..ir.program import Program
from ..schedule.schedule import Schedule
from ..schedule.shared import block_bytes
from ..schedule.words import element_words
from .operand_text import OperandText
from .rounds import Round
from .team_panel import TeamPanel


def staged(program: Program, schedule: Schedule, operands: list[OperandText]) -> dict[str, Any]:
    """The operands that threads of a GPU bring to shared memory: all of a block together, or those of each team, and
    where these begin there; how lanes go through what they share."""
    found = [x for x in operands if x.moved and x.reals]
    alone = [x for x in found if schedule.body_form == "team" and x.storage is not None and not x.storage.interleaved]
    begins = _shared_at(operands, program.p.compute.bytes)
    return {
        "by_block": [x for x in found if x not in alone],
        "by_team": alone,
        "brought": list(
            dict.fromkeys(x.ctype for x in operands if x.reads and (x.moved or schedule.form == "blocked"))
        ),
        "shared_at": begins,
        "round": Round,
        "team_panel": partial(TeamPanel, element_words(program)),
    }


def _shared_at(operands: Iterable[OperandText], real_bytes: int) -> dict[str, int]:
    """The byte of dynamic shared memory at which matrices of each operand begin, and what bodies work in."""
    found, at = {}, 0
    for x in operands:
        if x.has_lanes and isinstance(x.scratch, int):
            found[x.name] = at
            at += block_bytes(x.scratch, 4 if x.ctype == "int32_t" else real_bytes)
    return found | {"work": at}
