"""Names of a kernel's own: macros, types and static functions of every text are called alike, BB_... and bb_...."""

from __future__ import annotations

import re

OURS = re.compile(r"\b(bb|BB)_(?!POOL\b|WORK\b)(\w+)")
"""All of them; BB_POOL and BB_WORK are others' to define."""
