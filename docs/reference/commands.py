"""The page of all commands: their groups, and the help of each."""

import typer

from rulewright.serve.cli.app import GROUPS, NAME, app

# Columns of a page of help, whatever the terminal.
COLUMNS = 100


def commands_page() -> str:
    """Return the page: a section for each group, and in it the help of each command with all of its options."""
    group = typer.main.get_command(app)
    # The parent of each command's context: what holds for all of them, such as `-h` for `--help`, comes from it.
    whole = typer.Context(group, info_name=NAME, terminal_width=COLUMNS, **group.context_settings)
    lines = ["# The commands", "", "Written by `docs/reference/write.py` from the help of each command.", ""]
    for title, commands in GROUPS.items():
        lines += [f"## {title}", ""]
        for command in commands:
            name = command.__name__.removesuffix("_")
            page = group.commands[name]  # type: ignore[attr-defined]  # the list of commands
            context = typer.Context(page, whole, info_name=name, terminal_width=COLUMNS)
            lines += [f"### {name}", "", "```text", page.get_help(context).strip(), "```", ""]
    return "\n".join(lines)
