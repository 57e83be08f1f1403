"""What docs/linalg.md says of speed: a table and two sentences that follow from what was measured.

`pytest --update-golden` renews them; a test compares.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from textwrap import fill
from typing import Any

from bblas_gen.bench.stacks.rows import steady

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = DOCS / "linalg.md"
PLACE = re.compile(r"(?<=<!-- measured -->\n).*?(?=<!-- end measured -->)", re.DOTALL)
PEERS = {"lstsq": "numpy_loop", "expm": "scipy"}
"""Beside whom a function stands, where that is not NumPy."""
COLUMNS = ["solve", "inv", "det", "slogdet", "cholesky", "qr", "lstsq", "eigh", "eigvalsh", "svd", "svdvals", "expm"]

Ratios = dict[tuple[str, int], float]


def ratios(file: str, peer: str | None = None) -> Ratios:
    """How often as fast as a peer we are, of each call and order, on one thread."""
    rows = [row for row in _rows(file) if row["threads"] == 1 and row["dtype"] == "d"]
    found = ((row, peer or PEERS.get(row["call"], "numpy")) for row in rows)
    return {(row["call"], row["n"]): row["ratios"][who] for row, who in found if who in row["ratios"]}


def text() -> str:
    """All between the two comments of the page."""
    wide, narrow = ratios("linalg-d.json"), ratios("linalg-avx2.json")
    eigen = ratios("linalg-d.json", "eigen")
    better = [place for place, ratio in eigen.items() if ratio < 1]
    parts = [narrow[place] / wide[place] for place in wide if place in narrow and place[0] in COLUMNS]
    says = f"""
        Eigen, whose sizes are known when it is compiled and which a call costs nothing, is faster in {_listed(better)};
        all else takes it
        {_span(ratio for ratio in eigen.values() if ratio >= 1)} times as long. Kernels with AVX2 reach
        {_span(parts)} of these ratios (`linalg-avx2.json`), as NumPy has all vectors of the processor there, too."""
    return f"\n{_table(wide)}\n\n{fill(' '.join(says.split()), 120)}\n\n"


def page() -> str:
    """The page as it should be."""
    old = PAGE.read_text(encoding="utf-8")
    assert len(PLACE.findall(old)) == 1
    return PLACE.sub(lambda _: text(), old)


def _rows(file: str) -> list[Any]:
    return steady(json.loads((DOCS / "benchmarks" / file).read_text())["rows"])


def _table(known: Ratios) -> str:
    orders = sorted({n for _, n in known})
    lines = [["n", *COLUMNS], ["---"] * (len(COLUMNS) + 1)]
    lines += [[str(n), *(_short(known[call, n]) for call in COLUMNS)] for n in orders]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines).replace("| --- |", "|---|").replace(" --- |", "---|")


def _short(ratio: float) -> str:
    return f"{ratio:.0f}" if ratio >= 9.95 else f"{ratio:.1f}"


def _span(some: Iterable[float]) -> str:
    known = sorted(some)
    return f"{known[0]:.2g} to {known[-1]:.2g}"


def _listed(places: list[tuple[str, int]]) -> str:
    """Calls with their orders."""
    orders = {call: ", ".join(str(n) for name, n in places if name == call) for call, _ in places}
    return "; ".join(f"`{call}` of n = {known}" for call, known in orders.items())
