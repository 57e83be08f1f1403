"""In which order pairs are gone through: of columns that are rotated, of numbers that are sorted."""

from __future__ import annotations

from collections.abc import Iterator

Pair = tuple[int, int]


def tournament(n: int) -> list[list[Pair]]:
    """All pairs p < q < n in rounds; those of a round have nothing in common, so their rotations wait for no other."""
    teams = list(range(n + n % 2))
    rounds = []
    for _ in teams[1:]:
        pairs = zip(teams[: len(teams) // 2], teams[::-1], strict=False)
        rounds.append(sorted((min(pair), max(pair)) for pair in pairs if max(pair) < n))
        teams = [teams[0], teams[-1], *teams[1:-1]]
    return rounds


def network(n: int) -> Iterator[Pair]:
    """The comparisons of Batcher's odd-even merge sort of n numbers."""
    part = 1
    while part < n:
        apart = part
        while apart:
            for first in range(apart % part, n - apart, 2 * apart):
                for i in range(first, min(first + apart, n - apart)):
                    if i // (2 * part) == (i + apart) // (2 * part):
                        yield i, i + apart
            apart //= 2
        part *= 2
