"""Common behavior of all commands: formats, folders, exit codes, and no traceback."""

import importlib
import inspect
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright import __version__
from rulewright.serve.cli.app import SHARED, add_command, app, run
from rulewright.serve.cli.console import Reply
from rulewright.system.errors import UsageError
from runtime.graph.document_lines import reply_block

Capture = pytest.CaptureFixture[str]


def weigh(stack: str, packages: list[Path]) -> Reply[dict[str, int]]:
    """Weigh STACK."""
    match stack:
        case "feather":
            return Reply({"weight": 0, "folders": len(packages)}, lambda _: reply_block("[T.1] :D: light"))
        case "anvil":
            return Reply({"weight": 9}, lambda _: reply_block("heavy"), findings=True)
        case "ghost":
            raise UsageError("no stack is called `ghost`")
        case "lost":
            raise FileNotFoundError(2, "No such file or directory", "lost.yaml")
        case "thread":
            raise EOFError("it is cut off")
        case "scales":
            importlib.import_module("scales")
            return Reply({}, lambda _: reply_block("weighed"))
        case _:
            raise ZeroDivisionError("a stack weighs nothing")


@pytest.fixture(autouse=True)
def weighing() -> Iterator[None]:
    """Register the command `weigh` for the duration of a test."""
    before = [*app.registered_commands]
    add_command(weigh, "Play")
    yield
    app.registered_commands[:] = before


def check(command: str, code: int, capsys: Capture) -> tuple[str, str]:
    """Run a command line; return what it printed to stdout and to stderr."""
    assert run(command.split()) == code
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err
    return printed.out, printed.err


def test_standard_output_has_only_the_json(capsys: Capture, tmp_path: Path) -> None:
    out, err = check(f"weigh feather --format json --path {tmp_path} --path {tmp_path}", 0, capsys)
    assert (json.loads(out), err) == ({"weight": 0, "folders": 2}, "")


def test_findings_exit_with_1(capsys: Capture) -> None:
    assert check("weigh anvil", 1, capsys)[0] == "heavy\n"


def test_a_usage_error_is_one_line(capsys: Capture) -> None:
    assert check("weigh ghost", 2, capsys) == ("", "error: no stack is called `ghost`\n")


@pytest.mark.parametrize(
    "command", ["weigh", "wiegh", "weigh feather --format xml", "weigh feather --path nowhere", "version --so"]
)
def test_a_mistyped_command_exits_with_2(command: str, capsys: Capture) -> None:
    assert check(command, 2, capsys)[0] == ""


def test_an_unexpected_exception_is_reported_as_a_bug(capsys: Capture) -> None:
    _, err = check("weigh infinity", 3, capsys)
    assert err.startswith("this is a bug in rulewright, not in your rules: ZeroDivisionError: a stack weighs nothing\n")


@pytest.mark.parametrize("command", ["--version", "version", "version --format json"])
def test_the_version_is_printed(command: str, capsys: Capture) -> None:
    assert __version__ in check(command, 0, capsys)[0]


def test_every_command_has_the_shared_options() -> None:
    for each in app.registered_commands:
        assert each.callback
        assert {*SHARED} <= {*inspect.signature(each.callback).parameters}
