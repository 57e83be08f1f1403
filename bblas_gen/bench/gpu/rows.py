"""Rows of measurements on a GPU, as people read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..noise import is_noise
from .targets import asked

HEAD = ["", "n", "matrices", "", "family", "from", "million/s", "GF/s", "GB/s", "% of a copy", "asked", "x best peer"]


def cells(row: Mapping[str, Any]) -> list[str]:
    """What stands below HEAD."""
    wanted = asked(row)
    peer, ratio = min(row["ratios"].items(), key=lambda pair: pair[1], default=("", 0.0))
    return [
        f"{row['dtype']}{row['op']}",
        str(row["n"]),
        f"{row['batch']:,}",
        row["contender"],
        row["family"],
        "L2" if row.get("cached") else "memory",
        f"{row['matrices'] / 1e6:.4g}",
        f"{row['gflops']:.4g}",
        f"{row['gbs']:.4g}",
        f"{100 * row['fraction']:.0f}{' !' if is_noise(row) else ''}",
        "" if wanted is None else f"{100 * wanted:.0f}",
        f"{ratio:.3g} {peer}" if peer else "",
    ]
