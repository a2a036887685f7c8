"""The help of a command: what it does, an example, and its first options, on a page of 25 lines.

In: a command with its docstring and options, the commonest first. Out: its page for `--help`; for `--help-all` one with
the whole text and all options. The last paragraph of a docstring is the example: `Example: rulewright show ridge_farm`.
"""

from inspect import Parameter
from typing import Annotated, Any

import typer
from typer._click.formatting import HelpFormatter
from typer.core import TyperCommand, TyperGroup

# The lines of a page, and the columns of one on a wide terminal.
MOST_LINES, MOST_COLUMNS = 25, 100
EXAMPLE = "Example:"


class CommandPage(TyperCommand):
    """A command whose help has a short and a long form."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the short form."""
        text, example = self._texts()
        first_paragraph = text.partition("\n\n")[0]
        rows = self._option_rows(ctx)
        count = len(rows)
        page = self._page(ctx, first_paragraph, example, rows, "")
        while page.count("\n") > MOST_LINES and count > 1:
            count -= 1
            hint = f"`{ctx.command_path} --help-all` says more, and lists {len(rows) - count} more options."
            page = self._page(ctx, first_paragraph, example, rows[:count], hint)
        formatter.write(page)

    def whole_page(self, ctx: Any, columns: int | None = None) -> str:
        """Return the long form, `columns` wide or as wide as the terminal."""
        return self._page(ctx, *self._texts(), self._option_rows(ctx), "", columns)

    def _texts(self) -> tuple[str, str]:
        """Return the text of the help and its example."""
        text, _, example = (self.help or "").partition(f"\n\n{EXAMPLE}")
        return text, example.strip()

    def _option_rows(self, ctx: Any) -> list[tuple[str, str]]:
        """Return names and help of the arguments, then of the options in their order."""
        return [row for parameter in self.get_params(ctx) if (row := parameter.get_help_record(ctx)) is not None]

    def _page(
        self, ctx: Any, text: str, example: str, rows: list[tuple[str, str]], hint: str, columns: int | None = None
    ) -> str:
        formatter = HelpFormatter(width=columns, max_width=MOST_COLUMNS)
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(text)
        if example:
            formatter.write(f"\n  {' '.join(example.split())}\n")
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_dl(rows)
        if hint:
            formatter.write(f"\n  {hint}\n")
        return str(formatter.getvalue())


def print_whole_page(ctx: typer.Context, is_wanted: bool) -> None:
    """Print the long form of the help of a command for `--help-all`, and exit."""
    if is_wanted and isinstance(ctx.command, CommandPage) and not ctx.resilient_parsing:
        typer.echo(ctx.command.whole_page(ctx))
        raise typer.Exit


HELP_ALL = Parameter(
    "help_all",
    Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[
        bool, typer.Option("--help-all", is_eager=True, callback=print_whole_page, help="Show all of the help.")
    ],
)


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
