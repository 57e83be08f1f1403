"""Lines that go round among the lanes of a team."""

from __future__ import annotations

import pytest

from bblas_gen.codegen.rounds import Round
from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.schedule.gpu import team_shape
from bblas_gen.schedule.shared import ROOMS


@pytest.mark.parametrize("step", [2, 4])
@pytest.mark.parametrize("size", [1, 3, 4, 7, 8, 9, 17, 32, 33])
def test_panels_follow_one_another_each_in_one_slot(size, step):
    found = [
        (first, panel) for panel in Round(size, 8, step).panels for first in range(panel.first, panel.last, panel.size)
    ]
    lines = [line for first, panel in found for line in range(first, first + panel.size)]
    assert lines == list(range(size))
    assert all({first // 8, (first + panel.size - 1) // 8} == {panel.slot} for first, panel in found)
    assert all(first + panel.size == size for first, panel in found if panel.ends)


def test_lanes_that_have_no_line_are_told_apart():
    lines = Round(10, 8, 4)
    first, second = (panel.at("j") for panel in lines.panels if panel.size != 4 or panel.slot == 0)
    assert [slot.existing for slot in lines.slots] == ["", "if (own1 < 10)"]
    assert first.from_line(1, lines.slots[0]) == "if (own0 >= j + 1)"
    assert first.from_line(4, lines.slots[1]) == "if (own1 < 10)"
    assert second.from_line(2, lines.slots[1]) == "if (own1 >= j + 2 && own1 < 10)"
    assert [second.before_line(1, slot) for slot in second.past] == ["", "if (own1 < j + 1)"]
    assert [first.nearest(slot) for slot in first.slots] == ["own0 < j ? j : own0", "own1 < 10 ? own1 : 9"]
    assert second.nearest(lines.slots[1]) == "own1 < j ? j : own1 < 10 ? own1 : 9"
    assert [second.latest(slot) for slot in second.past] == ["own0", "own1 < j + 1 ? own1 : j + 1"]


@pytest.mark.parametrize(
    ("op", "letter", "sizes", "lanes"),
    [
        ("potrf", "s", {"n": 32}, 8),
        ("potrf", "d", {"n": 32}, 8),
        ("potrf", "z", {"n": 32}, 16),
        ("gemm", "s", {"m": 32, "n": 32, "k": 32}, 32),
        ("posv", "d", {"n": 64, "nrhs": 1}, 32),
    ],
)
def test_a_lane_has_several_lines_where_enough_threads_are_left(op, letter, sizes, lanes):
    spec = KernelSpec.make(op, letter, "st", target="cuda", **sizes)
    assert team_shape(Program.of(spec), ROOMS[0])[0] == lanes
