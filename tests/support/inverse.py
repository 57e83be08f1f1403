"""The inverse, as users make a sequence of it."""

from __future__ import annotations

import bblas_gen as bb

STEPS = (bb.step("lacpy", "A", "X"), bb.step("getrf", "X", "P"), bb.step("getri", "X", "P"))
INVERSE = bb.sequence(STEPS, name="inverse", scratch="P")
