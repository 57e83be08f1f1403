"""What a figure shows, in sentences: who is faster, by how much, and where not."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from statistics import geometric_mean
from typing import Any

from .drawing import STATES, STYLES, TYPES
from .noise import is_noise

Rows = Sequence[dict[str, Any]]
NAMED = 4
"""Exceptions that a sentence names."""
NOISE = "Nothing but noise."


def span(values: Sequence[float], unit: str = "") -> str:
    """The range of some numbers: 0.8 to 1.2."""
    low, high = (f"{value:,.0f}" if value >= 1000 else f"{value:.3g}" for value in (min(values), max(values)))
    return f"{low}{unit}" if low == high else f"{low} to {high}{unit}"


def label(name: str) -> str:
    return STYLES[name].label if name in STYLES else name


def place(row: dict[str, Any]) -> str:
    kind = "" if row.get("dtype", "d") == "d" else f" {TYPES[row['dtype']]}"
    return f"n = {row['shape']}{kind}" if "x" not in row["shape"] else f"{row['shape']}{kind}"


def listed(names: Sequence[str]) -> str:
    """Some of the names, and how many others there are."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def against_peers(rows: Rows, ours: Sequence[str] = ("bi", "st")) -> str:
    """Our layouts against the best peer of each size, state by state."""
    found = [_against_best(rows, name, state) for state in STATES for name in ours]
    return " ".join(text for text in found if text) or "No peer was measured beside it."


def _clean(row: dict[str, Any], rows: Rows) -> dict[str, float]:
    """The ratios to those peers whose own measurement is no noise."""
    noise = {r["contender"] for r in rows if is_noise(r) and all(r[x] == row[x] for x in ("dtype", "shape", "state"))}
    return {} if is_noise(row) else {peer: ratio for peer, ratio in row["ratios"].items() if peer not in noise}


def _nearest(row: dict[str, Any], rows: Rows) -> tuple[float, str] | None:
    """The ratio to the best peer, and who that is; None where its measurement is noise."""
    found = min(((ratio, peer) for peer, ratio in row["ratios"].items()), default=(0.0, ""))
    return found if found[1] in _clean(row, rows) else None


def _against_best(rows: Rows, name: str, state: str) -> str:
    mine = [row for row in rows if (row["contender"], row["state"]) == (name, state)]
    best = {place(row): found for row in mine if (found := _nearest(row, rows))}
    if not best:
        return ""
    ratios = [ratio for ratio, _ in best.values()]
    many = f" (geometric mean of {len(best)} sizes, {span(ratios)})" if len(best) > 1 else ""
    text = f"{STATES[state].capitalize()}, {name} is {geometric_mean(ratios):.2f} times as fast as the best peer{many}"
    return f"{text}{_exceptions(best)}."


def _exceptions(best: dict[str, tuple[float, str]]) -> str:
    slower = sorted((ratio, where, peer) for where, (ratio, peer) in best.items() if ratio < 0.995)
    if not slower:
        return "; nowhere slower"
    ratio, where, peer = slower[0]
    others = f", also at {listed([place for _, place, _ in slower[1:]])}" if len(slower) > 1 else ""
    return f"; slower at {where} ({ratio:.2f} of {label(peer)}){others}"


def each_peer(rows: Rows, name: str) -> str:
    """One of our layouts against its nearest peers."""
    found: dict[str, list[float]] = {}
    for row in (row for row in rows if row["contender"] == name):
        for peer, ratio in _clean(row, rows).items():
            found.setdefault(peer, []).append(ratio)
    nearest = sorted((geometric_mean(ratios), peer) for peer, ratios in found.items())
    told = [f"{mean:.2f} times as fast as {label(peer)} ({span(found[peer])})" for mean, peer in nearest[:NAMED]]
    return f"{name} is {'; '.join(told)}." if told else "No peer was measured without noise."


def of_the_roofline(rows: Rows, ours: Sequence[str] = ("bi", "st")) -> str:
    found = [_reached(rows, state, ours) for state in STATES]
    return " ".join(text for text in found if text) or NOISE


def _reached(rows: Rows, state: str, ours: Sequence[str]) -> str:
    parts = []
    for name in ours:
        mine = [r for r in rows if (r["contender"], r["state"]) == (name, state) and not is_noise(r)]
        if mine:
            least = min(mine, key=lambda row: row["fraction"])
            parts.append(f"{name} reaches {span([100 * r['fraction'] for r in mine], ' %')} (least at {place(least)})")
    return f"{STATES[state].capitalize()}, {', '.join(parts)} of the roofline." if parts else ""


def gains(rows: Rows, value: str, what: str, where: Sequence[str]) -> str:
    """Ratios of one kind, and where they are below one; ``what`` has a place for their mean, ``where`` are the fields
    that name a row."""
    rows = [row for row in rows if not is_noise(row)]
    if not rows:
        return NOISE
    found = [row[value] for row in rows]
    slower = sorted((row[value], ", ".join(_named(x, row[x]) for x in where)) for row in rows if row[value] < 0.995)
    text = f"{what.format(f'{geometric_mean(found):.2f} times')} (geometric mean; {span(found)})"
    if not slower:
        return f"{text}; nowhere below 1."
    return f"{text}; below 1 at {listed([f'{name} ({ratio:.2f})' for ratio, name in slower])}."


def _named(field: str, value: Any) -> str:
    return value if isinstance(value, str) else f"{field} = {value}"


def block_sizes(rows: Rows) -> str:
    """What the default block size loses against the best one."""
    lost = []
    for _, group in groupby(sorted(rows, key=_n_and_state), _n_and_state):
        mine = list(group)
        default = next((row for row in mine if row["nb"] == 8), mine[0])
        lost.append(default["gflops"] / max(row["gflops"] for row in mine))
    return f"Blocks of 8 have {span([100 * part for part in lost], ' %')} of the speed of the best block size."


def _n_and_state(row: dict[str, Any]) -> tuple[int, str]:
    return row["n"], row["state"]


def batches(rows: Rows) -> str:
    """From which batch on half of the best speed is reached."""
    return " ".join(_halves(rows, name) for name in dict.fromkeys(row["contender"] for row in rows))


def _halves(rows: Rows, name: str) -> str:
    found = []
    for n in sorted({row["n"] for row in rows}):
        mine = [row for row in rows if (row["contender"], row["n"]) == (name, n)]
        half = max(row["gflops"] for row in mine) / 2
        found.append(min(row["batch"] for row in mine if row["gflops"] >= half))
    return f"{label(name)} has half of its speed from {span(found)} matrices on."


def conversions(rows: Rows) -> str:
    """How long converting takes beside the product itself."""
    return " ".join(_beside_product(rows, layout) for layout in ("bi", "il"))


def _beside_product(rows: Rows, layout: str) -> str:
    def seconds(n: int, where: str, converting: bool) -> float:
        mine = [row for row in rows if (row["n"], row["layout"]) == (n, where)]
        return float(sum(row["seconds"] for row in mine if converting or row["part"] == "compute"))

    sizes = sorted({row["n"] for row in rows if row["layout"] == layout})
    once = [seconds(n, layout, True) / seconds(n, "st", False) for n in sizes]
    often = [seconds(n, "st", False) / seconds(n, layout, False) for n in sizes]
    return (
        f"A single product through {layout} takes {span(once)} times as long as on the arrays as they are; once"
        f" converted, it is {span(often)} times as fast."
    )


def grouped(rows: Rows) -> str:
    """The price of a call for each matrix."""
    return " ".join(_price(rows, name) for name in ("ours", "MKL") if any(name in r["contender"] for r in rows))


def _price(rows: Rows, name: str) -> str:
    pairs: dict[int, dict[str, float]] = {}
    for row in rows:
        who, _, how = row["contender"].partition(", ")
        if who == name:
            pairs.setdefault(row["n"], {})[how] = row["seconds"]
    found = [pair["groups of one"] / pair["one group"] for pair in pairs.values() if len(pair) == 2]
    return (
        f"{name.capitalize() if name == 'ours' else name}: groups of one take {span(found)} times as long."
        if found
        else ""
    )
