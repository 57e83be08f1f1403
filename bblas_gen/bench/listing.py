"""How groups of commands show their commands."""

from __future__ import annotations

import click


class Listing(click.Group):
    """The help of a group has the first sentence of each command's, all of it."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, found.get_short_help_str(limit=1000)) for name, found in commands if found]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
