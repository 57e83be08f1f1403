"""``bblas-gen cache``: look at the cache of compiled kernels, or clear it."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from ..ir.spec import KernelSpec
from ..runtime import library
from .options import json_option, source_for


@click.group("cache")
def cache_group() -> None:
    """Look at the cache of compiled kernels, or clear it."""


@cache_group.command()
def path() -> None:
    """Print where the cache lies."""
    click.echo(library.default_cache().root)


@cache_group.command("list")
@json_option
def list_entries(as_json: bool) -> None:
    """List the kernels in the cache, the most recently used first."""
    entries = library.default_cache().entries()
    if as_json:
        click.echo(json.dumps([asdict(entry) for entry in entries], indent=1, default=str))
        return
    for entry in entries:
        click.echo(f"{entry.key[:12]}  {entry.size:>8}  {entry.last_used:%Y-%m-%d %H:%M}  {entry.symbol}")


@cache_group.command()
@click.argument("name", metavar="SPEC|KEY")
def explain(name: str) -> None:
    """Show as JSON what the cache knows of a kernel, by its name or its key."""
    store = library.default_cache()
    if name.startswith("bb_"):
        spec = KernelSpec.parse(name)
        keys = [library.cache_key(source_for(spec))]
    else:
        keys = [entry.key for entry in store.entries() if entry.key.startswith(name)]
    if not keys:
        raise click.ClickException(f"no entry begins with {name!r}")
    for found in keys:
        click.echo(json.dumps(store.explain(found), indent=1))


@cache_group.command()
@click.confirmation_option(prompt="Remove all compiled kernels?")
def clear() -> None:
    """Remove all compiled kernels."""
    click.echo(f"removed {library.default_cache().clear()}")
