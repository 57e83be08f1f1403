"""``bblas-gen cache``: look at the cache of compiled kernels, or clear it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from fnmatch import fnmatchcase
from typing import Any

import click

from ..bench.listing import Listing
from ..runtime import library
from ..toolchain import cache
from ..toolchain.store import Entry
from .options import json_option


@click.group("cache", cls=Listing)
def cache_group() -> None:
    """Look at the cache of compiled kernels, or clear it."""


def names_argument(function: Callable[..., None]) -> Callable[..., None]:
    return click.argument("names", metavar="[NAME|KEY]...", nargs=-1)(function)


def chosen(names: Sequence[str]) -> list[Entry]:
    """The entries whose symbol one of ``names`` is or matches (``bb_dgemm_*``), or whose key begins with it; all if
    there are no names. The most recently used first."""
    found = library.default_cache().entries()
    return [entry for entry in found if not names or any(_is(entry, name) for name in names)]


def _is(entry: Entry, name: str) -> bool:
    return fnmatchcase(entry.symbol, name) or (bool(name) and entry.key.startswith(name))


def size_text(count: int) -> str:
    return f"{count / 1024:.0f} KiB" if count < 1 << 20 else f"{count / (1 << 20):.1f} MiB"


@cache_group.command()
def path() -> None:
    """Print where the cache lies."""
    click.echo(library.default_cache().root)


@cache_group.command("list")
@names_argument
@json_option
def list_entries(names: Sequence[str], as_json: bool) -> None:
    """List the kernels in the cache, or those of some names (bb_dgemm_*); the most recently used first."""
    entries = chosen(names)
    if as_json:
        click.echo(json.dumps([asdict(entry) for entry in entries], indent=1, default=str))
        return
    for entry in entries:
        click.echo(f"{entry.key[:12]}  {size_text(entry.size):>9}  {entry.last_used:%Y-%m-%d %H:%M}  {entry.symbol}")
    click.echo(f"{len(entries)} kernels, {size_text(sum(entry.size for entry in entries))}", err=True)


@cache_group.command()
@click.argument("name", metavar="SPEC|KEY")
def explain(name: str) -> None:
    """Show as JSON what the cache knows of a kernel, by its name or its key."""
    keys = [entry.key for entry in chosen([name])]
    if not keys:
        raise click.ClickException(f"no entry is or begins with {name!r}")
    for found in keys:
        click.echo(json.dumps(_readable(library.default_cache().explain(found)), indent=1))


def _readable(report: dict[str, Any]) -> dict[str, Any]:
    """The compiler's identity as the lines it is made of."""
    return report | ({"compiler": report["compiler"].splitlines()} if "compiler" in report else {})


@cache_group.command()
@names_argument
def verify(names: Sequence[str]) -> None:
    """Read every kernel in the cache, or those of some names, and compare it with its checksum.

    Exit status 1 where one is damaged. It would be compiled again when it is needed; `prune` removes it.
    """
    entries = chosen(names)
    damaged = _damaged(entries)
    for entry in damaged:
        reason = library.default_cache().explain(entry.key)["reason"]
        click.echo(f"{entry.key[:12]}  {entry.symbol or '?'}  {reason}")
    click.echo(f"{len(entries) - len(damaged)} of {len(entries)} are intact")
    if damaged:
        raise click.exceptions.Exit(1)


def _damaged(entries: Sequence[Entry]) -> list[Entry]:
    store = library.default_cache()
    return [entry for entry in entries if not store.explain(entry.key)["verified"]]


@cache_group.command()
def prune() -> None:
    """Remove what is damaged, then what was not used for longest until the cache fits BBLAS_GEN_CACHE_SIZE."""
    limit = cache.size_cap()
    entries = chosen(())
    gone = {entry.key for entry in _damaged(entries)}
    total = 0
    for entry in (entry for entry in entries if entry.key not in gone):
        total += entry.size
        if total > limit:
            gone.add(entry.key)
    click.echo(f"removed {library.default_cache().clear(gone)}")


@cache_group.command()
@names_argument
@click.option("--yes", is_flag=True, help="Do not ask.")
def clear(names: Sequence[str], yes: bool) -> None:
    """Remove all compiled kernels, or those of some names (bb_dgemm_*)."""
    found = chosen(names)
    if not yes:
        click.confirm(f"Remove {len(found)} compiled kernels?" if names else "Remove all compiled kernels?", abort=True)
    click.echo(f"removed {library.default_cache().clear({entry.key for entry in found} if names else None)}")
