"""What a benchmark says while it runs and at its end: how far it is, who takes no part."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter

import click

from .measure import quiet
from .noise import state
from .problem import Problem


class Skipped:
    """Peers that take no part, each told once with all that have the same reason."""

    def __init__(self) -> None:
        self._peers: dict[str, dict[str, None]] = {}

    def __call__(self, line: str) -> None:
        peer, _, reason = line.partition(": ")
        self._peers.setdefault(reason, {})[peer] = None

    def tell(self) -> None:
        for reason, peers in self._peers.items():
            click.echo(f"skipped: {'; '.join(peers)}: {reason}", err=True)


class Told(Skipped):
    """Who takes no part, also as it was told."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, None] = {}

    def __call__(self, line: str) -> None:
        super().__call__(line)
        self.lines[line] = None


@contextmanager
def measuring(threads: int | None = None) -> Iterator[None]:
    """No garbage collection meanwhile; threads and load told before."""
    click.echo(state(threads), err=True)
    with quiet():
        yield


def steps(problems: Sequence[Problem]) -> Iterator[Problem]:
    """The problems, with a bar on a terminal, and a line for each elsewhere."""
    if sys.stderr.isatty():
        with click.progressbar(problems, label="measuring", file=sys.stderr) as bar:
            yield from bar
        return
    started = perf_counter()
    for done, problem in enumerate(problems):
        left = (perf_counter() - started) / done * (len(problems) - done) if done else None
        about = "" if left is None else f", about {left:.0f} s left"
        click.echo(f"{problem.spec.symbol()}: {done + 1} of {len(problems)}{about}", err=True)
        yield problem
