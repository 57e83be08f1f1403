"""What the commands of benchmarks take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from .result import STATES

Option = Callable[[Any], Any]


class Shapes(click.ParamType):  # type: ignore[type-arg]  # generic only in newer releases
    """Shapes such as 2..32 or 4,8,16 or 56x9x9,4x4x16."""

    name = "shapes"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[tuple[int, ...]]:
        found: list[tuple[int, ...]] = []
        try:
            for piece in str(value).split(","):
                first, dots, last = piece.partition("..")
                if dots:
                    found += [(n,) for n in range(int(first), int(last) + 1)]
                else:
                    found.append(tuple(map(int, piece.split("x"))))
        except ValueError:
            found = []
        if not found or min(map(min, found)) < 1:
            self.fail(f"{value!r} is not a list of sizes such as 2..32 or 4,8,16 or 56x9x9", param, ctx)
        return found


class Numbers(Shapes):
    """Numbers such as 2..32 or 1,4."""

    name = "numbers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[Any]:
        found = super().convert(value, param, ctx)
        if max(map(len, found)) > 1:
            self.fail(f"{value!r} is not a list of numbers such as 2..32 or 1,4", param, ctx)
        return [number for (number,) in found]


class Names(click.ParamType):  # type: ignore[type-arg]
    """A comma-separated choice of some names; "none" is none of them."""

    name = "names"

    def __init__(self, choices: Sequence[str]) -> None:
        self.choices = tuple(choices)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[str]:
        found = [name.strip() for name in str(value).split(",") if name.strip() != "none"]
        unknown = [name for name in found if name not in self.choices]
        if unknown:
            self.fail(f"{unknown[0]!r} is unknown: expected some of {', '.join(self.choices)}", param, ctx)
        return found


def names(choices: Sequence[str], default: Sequence[str] | None = None) -> dict[str, Any]:
    return {"type": Names(choices), "default": ",".join(default or choices), "show_default": True}


def batch(least: int = 1) -> Option:
    return click.option(
        "--batch", type=click.IntRange(least), default=10_000, show_default=True, help="Matrices in a batch."
    )


def repetitions() -> Option:
    return click.option(
        "--repetitions", type=click.IntRange(2), default=9, show_default=True, help="Rounds; medians count."
    )


def states() -> Option:
    return click.option("--states", **names(STATES), help="Where the data is: see below.")


def json_output(**more: Any) -> Option:
    kind = click.Path(dir_okay=False, path_type=Path)
    return click.option("--json", "output", type=kind, callback=_writable, help="Write all rows here.", **more)


def _writable(_context: click.Context, _option: click.Parameter, path: Path | None) -> Path | None:
    """Refused before anything is measured."""
    if path and not path.absolute().parent.is_dir():
        raise click.BadParameter(f"there is no folder {str(path.parent)!r}")
    return path
