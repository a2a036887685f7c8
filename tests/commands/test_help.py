"""The help: commands in groups, each with a page that has an example."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from rulewright.serve.cli.app import COMMANDS, GROUPS, app, run
from rulewright.serve.cli.help_pages import EXAMPLE

Capture = pytest.CaptureFixture[str]
# The examples of these commands name files of other programs, which are not here.
FOREIGN = ("import", "export")
ROOT = Path(__file__).parents[2]
# What takes the time of a start: the grammar, the compiler and the templates of the book.
LARGE = ("lark", "yaml", "jinja2", "compiler.compile", "rulewright.library.stacks")
NAMES = [command.__name__.removesuffix("_") for command in COMMANDS]


def test_the_list_has_each_command_under_its_group_in_one_or_two_lines(capsys: Capture) -> None:
    assert run(["--help"]) == 0
    text = capsys.readouterr().out
    sections = dict(part.split(":\n", 1) for part in text.split("\n\n") if ":\n" in part)
    for title, group in GROUPS.items():
        listed = [line.split()[0] for line in sections[title].splitlines() if line.startswith("  ") and line[2] != " "]
        assert listed == [command.__name__.removesuffix("_") for command in group]


@pytest.mark.parametrize("name", NAMES)
def test_the_example_of_a_command_can_be_typed(name: str, capsys: Capture) -> None:
    assert run([name, "--help"]) == 0
    page = capsys.readouterr().out
    command = typer.main.get_command(app).commands[name]  # type: ignore[attr-defined]  # the list of commands
    example = command.help.partition(EXAMPLE)[2].strip()
    assert example, f"the docstring of `{name}` ends with no `{EXAMPLE} rulewright {name} ..`"
    program, written_name, *arguments = shlex.split(" ".join(example.split()))
    assert (program, written_name) == ("rulewright", name)
    assert f"\n  {' '.join(example.split())}\n" in page
    if name not in FOREIGN:
        assert command.make_context(name, arguments).params


def test_the_list_of_commands_loads_no_large_module() -> None:
    """A module that a command imports at its top is imported by every command."""
    question = f"import sys, rulewright.serve.cli.app; print(*sorted({set(LARGE)} & set(sys.modules)))"
    loaded = subprocess.run([sys.executable, "-c", question], cwd=ROOT, capture_output=True, text=True, check=True)
    assert loaded.stdout.split() == []
