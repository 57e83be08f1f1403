"""Names of ours. Macros, types and static functions of every text are called alike, BB_... and bb_...."""

from __future__ import annotations

import re

OURS = re.compile(r"\b(bb|BB)_(?!POOL\b|WORK\b|GIVEN\b)(\w+)")
"""All of them; BB_POOL, BB_WORK and BB_GIVEN are others' to define."""
PARCEL = "bblas_kernels"
"""What a parcel is called where nobody says."""
