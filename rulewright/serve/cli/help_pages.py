"""The help of commands: what each does, an example, and its options; and the list of commands in groups.

The last paragraph of a docstring is the example: `Example: rulewright show ridge_farm`.
"""

from typing import Any

from typer.core import TyperCommand, TyperGroup

EXAMPLE = "Example:"


class CommandPage(TyperCommand):
    """A command whose help shows its example."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the text, the example, and the arguments and options in their order."""
        text, _, example = (self.help or "").partition(f"\n\n{EXAMPLE}")
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(text)
        formatter.write(f"\n  {' '.join(example.split())}\n")
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_dl([row for each in self.get_params(ctx) if (row := each.get_help_record(ctx))])


class CommandIndex(TyperGroup):
    """The list of commands in groups; the panel of a command is its group."""

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 -- the signature of typer
        """Write the groups, with the first sentence of each command."""
        titles: dict[str, list[tuple[str, str]]] = {}
        for name, command in self.commands.items():
            if isinstance(command, CommandPage) and not command.hidden:
                titles.setdefault(command.rich_help_panel or "", []).append((name, _summary(command)))
        for title, rows in titles.items():
            with formatter.section(title):
                formatter.write_dl(rows)


def _summary(command: Any) -> str:
    """Return the first sentence of a command without its full stop."""
    text = " ".join((command.help or "").partition("\n\n")[0].split())
    return text.partition(". ")[0].removesuffix(".")
