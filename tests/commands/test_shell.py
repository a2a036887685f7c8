"""Common behavior of all commands: formats, folders, exit codes, and no traceback."""

import importlib
import inspect
import json
import py_compile
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright import __version__
from rulewright.cli.app import SHARED, add_command, app, run
from rulewright.cli.console import Reply, open_streams
from rulewright.errors import UsageError

Capture = pytest.CaptureFixture[str]
ROOT = Path(__file__).parents[2]


def weigh(stack: str, packages: list[Path]) -> Reply:
    """Weigh STACK."""
    match stack:
        case "feather":
            return Reply(data={"weight": 0, "folders": len(packages)}, text="[T.1] :D: light")
        case "anvil":
            return Reply(data={"weight": 9}, text="heavy", findings=True)
        case "ghost":
            raise UsageError("no stack is called `ghost`")
        case "lost":
            raise FileNotFoundError(2, "No such file or directory", "lost.yaml")
        case "thread":
            raise EOFError("it is cut off")
        case "scales":
            importlib.import_module("scales")
            return Reply(data={}, text="weighed")
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


def test_text_is_printed_without_markup(capsys: Capture) -> None:
    assert check("weigh feather", 0, capsys) == ("[T.1] :D: light\n", "")


def test_standard_output_has_only_the_json(capsys: Capture, tmp_path: Path) -> None:
    out, err = check(f"weigh feather --format json --path {tmp_path} --path {tmp_path}", 0, capsys)
    assert (json.loads(out), err) == ({"weight": 0, "folders": 2}, "")


def test_findings_exit_with_1(capsys: Capture) -> None:
    assert check("weigh anvil", 1, capsys)[0] == "heavy\n"


def test_a_usage_error_is_one_line(capsys: Capture) -> None:
    assert check("weigh ghost", 2, capsys) == ("", "error: no stack is called `ghost`\n")


def test_a_missing_file_is_one_line(capsys: Capture) -> None:
    assert check("weigh lost", 2, capsys) == ("", "error: lost.yaml: No such file or directory\n")


def test_the_path_of_a_file_in_deep_folders_is_whole(tmp_path: Path, capsys: Capture) -> None:
    """Words are truncated in their middle, but a reader has to find the file."""
    missing = tmp_path.joinpath(*["deep_folder"] * 20, "lost.yaml")
    _, err = check(f"check panzer_leader --path {missing}", 2, capsys)
    assert str(missing) in err


@pytest.mark.parametrize(
    "command", ["weigh", "wiegh", "weigh feather --format xml", "weigh feather --path nowhere", "version --so"]
)
def test_a_mistyped_command_exits_with_2(command: str, capsys: Capture) -> None:
    assert check(command, 2, capsys)[0] == ""


def test_an_unexpected_end_of_a_file_is_no_silent_end(capsys: Capture) -> None:
    """Typer takes any end of file for that of the input, which ends a command without a message."""
    _, err = check("weigh thread", 3, capsys)
    assert "this is a bug in rulewright, not in your rules: EOFError: it is cut off\n" in err


def test_bytecode_that_is_cut_off_is_named(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path.joinpath(*["deep_folder"] * 20)
    folder.mkdir(parents=True)
    source = folder / "scales.py"
    source.write_text("WEIGHT = 1\n")
    monkeypatch.syspath_prepend(str(folder))
    bytecode = Path(py_compile.compile(str(source), doraise=True) or "")
    content = bytecode.read_bytes()
    bytecode.write_bytes(content[: len(content) // 2])
    _, err = check("weigh scales", 2, capsys)
    assert err.strip().startswith(f"error: {bytecode} is damaged")
    bytecode.unlink()
    assert check("weigh scales", 0, capsys)[0] == "weighed\n"
    sys.modules.pop("scales", None)


def test_an_unexpected_exception_is_reported_as_a_bug(capsys: Capture) -> None:
    _, err = check("weigh infinity", 3, capsys)
    assert err.startswith("this is a bug in rulewright, not in your rules: ZeroDivisionError: a stack weighs nothing\n")


def test_a_bug_shows_its_traceback_on_request(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_DEBUG", "1")
    assert run(["weigh", "infinity"]) == 3
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["--version", "version", "version --format json"])
def test_the_version_is_printed(command: str, capsys: Capture) -> None:
    assert __version__ in check(command, 0, capsys)[0]


def test_every_command_has_the_shared_options() -> None:
    for each in app.registered_commands:
        assert each.callback
        assert {*SHARED} <= {*inspect.signature(each.callback).parameters}


@pytest.mark.parametrize("stack", ["=x", "<img src=x>", "a=b+c=d", "+", " "])
def test_a_reading_alone_is_no_stack(stack: str, capsys: Capture) -> None:
    assert run(["check", stack]) == 2
    assert "is no stack" in capsys.readouterr().err


def test_a_command_runs_without_standard_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("stdin", "stdout", "stderr")
    for name in names:
        monkeypatch.setattr(sys, name, None)
    open_streams()
    opened = [getattr(sys, name) for name in names]
    codes = [run([*arguments]) for arguments in (("weigh", "feather"), ("weigh", "feather", "--format", "json"))]
    codes.append(run(["weigh", "ghost"]))
    for stream in opened:
        stream.close()
    assert codes == [0, 0, 2]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device is full here")
@pytest.mark.parametrize(("arguments", "code"), [(["check", "nothing"], 2), (["nothing"], 2), (["version"], 0)])
def test_a_message_that_cannot_be_written_leaves_the_exit_code(arguments: list[str], code: int) -> None:
    """As to a closed terminal or a full disk."""
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "rulewright", *arguments]
        ended = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=full, cwd=ROOT, check=False)
    assert ended.returncode == code
