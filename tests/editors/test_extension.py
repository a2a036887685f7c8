"""The extension for VS Code: its manifest, its settings and commands, the layout of lines, and snippets that parse."""

import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from compiler.source.parse import parse_rules
from editors.textmate import SCOPE
from editors.write import EXTENSION, GRAMMAR
from rulewright import __version__
from tests.sample import LONG

MANIFEST: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
GIVEN = MANIFEST["contributes"]
LAYOUT: dict[str, Any] = json.loads((EXTENSION / "language-configuration.json").read_text(encoding="utf-8"))
SNIPPETS: dict[str, Any] = json.loads((EXTENSION / "snippets" / "rulewright.json").read_text(encoding="utf-8"))
SCRIPT = (EXTENSION / "extension.js").read_text(encoding="utf-8")
CLIENT = Path(__file__).with_name("client.js")
GIVE_UP, RESTART = 1, 2


def test_files_of_the_manifest_exist() -> None:
    [language], [grammar], [snippets] = GIVEN["languages"], GIVEN["grammars"], GIVEN["snippets"]
    files = [MANIFEST["main"], language["configuration"], grammar["path"], snippets["path"]]
    assert [file for file in files if not (EXTENSION / file).is_file()] == []
    assert language["id"] == grammar["language"] == snippets["language"]
    assert (grammar["scopeName"], (EXTENSION / grammar["path"]).resolve()) == (SCOPE, GRAMMAR.resolve())
    assert MANIFEST["version"] == __version__


def test_the_script_and_the_manifest_name_the_same_settings_and_commands() -> None:
    settings = {name.removeprefix("rulewright.") for name in GIVEN["configuration"]["properties"]}
    questions = set(re.findall(r'settings\.get\("(\w+)"', SCRIPT))
    # The library of the client reads this setting.
    assert settings - questions == {"trace.server"}
    assert questions <= settings
    assert re.findall(r'registerCommand\("([^"]+)"', SCRIPT) == [each["command"] for each in GIVEN["commands"]]


def test_a_word_is_a_name_a_whole_label_or_a_number() -> None:
    word = re.compile(LAYOUT["wordPattern"])
    assert word.findall("exception to one-hex-minimum") == ["exception", "to", "one-hex-minimum"]
    assert word.findall("is u.spent - 1/2 MP") == ["is", "u", "spent", "1/2", "MP"]


@pytest.mark.parametrize(
    ("line", "opens", "closes"),
    [
        ("case entering {", True, False),
        ("  stop {  # said", True, False),
        ('  reads "{u}"', False, False),
        ("  add {a} to b", False, False),
        ("# so {", False, False),
        ("  } else {", True, True),
        ("}", False, True),
    ],
)
def test_lines_that_open_and_close_a_block(line: str, opens: bool, closes: bool) -> None:
    rules = LAYOUT["indentationRules"]
    assert bool(re.search(rules["increaseIndentPattern"], line)) is opens
    assert bool(re.search(rules["decreaseIndentPattern"], line)) is closes


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ('  rule price-of-ground [TOY.1] "A hex costs what the chart says."', "indent"),
        ("define ground_of(h: hex) [house] = yes", "indent"),
        ("ruling always-one-hex [TOY.5] correction, minor", "indent"),
        ("    ", "outdent"),
        ("", None),
        ("ruling more [TOY.5] correction, minor {", None),
        ("    when mover is tired", None),
    ],
)
def test_the_indentation_of_the_next_line(line: str, action: str | None) -> None:
    found = [each["action"]["indent"] for each in LAYOUT["onEnterRules"] if re.search(each["beforeText"], line)]
    assert found == [action] * (action is not None)


def test_enter_accepts_a_completion_only_if_it_changes_the_text() -> None:
    assert GIVEN["configurationDefaults"]["[rulewright]"]["editor.acceptSuggestionOnEnter"] == "smart"


@LONG
def test_the_package_has_the_files_of_the_extension_and_its_client(tmp_path: Path) -> None:
    node, tool = shutil.which("node"), EXTENSION / "node_modules" / "@vscode" / "vsce" / "vsce"
    if not node or not tool.is_file():
        pytest.skip(
            "NOT BUILT: the package of the extension; node and `npm install` in editors/vscode bring what it takes"
        )
    built = tmp_path / "rulewright.vsix"
    options = MANIFEST["scripts"]["package"].split()[1:]
    command = [node, str(tool), *options, "--out", str(built)]
    run = subprocess.run(command, cwd=EXTENSION, capture_output=True, text=True, encoding="utf-8", check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    names = {name.removeprefix("extension/") for name in zipfile.ZipFile(built).namelist()}
    own_files = {name for name in names if not name.startswith("node_modules/")}
    remaining = {file.relative_to(EXTENSION).as_posix() for file in EXTENSION.glob("*/*.json")} - {
        "node_modules/.package-lock.json"
    }
    assert own_files == {
        *remaining, "package.json", "language-configuration.json", "extension.js", "readme.md",
        "extension.vsixmanifest", "[Content_Types].xml",
    }  # fmt: skip
    assert "node_modules/vscode-languageclient/lib/node/main.js" in names
    assert [name for name in names if name.endswith((".ts", ".map"))] == []
    brought = {name.split("/")[1] for name in names - own_files}
    assert brought.isdisjoint({"vscode-textmate", "vscode-oniguruma", "@vscode"})


@pytest.mark.parametrize("name", SNIPPETS)
def test_a_snippet_parses_with_each_choice(name: str) -> None:
    body = "\n".join(SNIPPETS[name]["body"])
    choices = re.findall(r"\$\{\d+\|([^|]*)\|\}", body)
    for number in range(max([1, *(len(each.split(",")) for each in choices)])):
        inserted = expanded(body, number)
        assert "$" not in inserted
        _, problems = parse_rules(inserted + "\n", "snippet.rules")
        assert problems == (), inserted


def expanded(body: str, number: int) -> str:
    """Return a snippet as an editor inserts it, with the choices of this number, or the last ones."""

    def chosen(found: re.Match[str]) -> str:
        words = found[1].split(",")
        return words[min(number, len(words) - 1)]

    body = re.sub(r"\$\{\d+\|([^|]*)\|\}", chosen, body)
    body = re.sub(r"\$\{\d+:((?:\\.|[^}\\])*)\}", lambda found: found[1].replace("\\}", "}"), body)
    return re.sub(r"\$\d+", "", body)


@pytest.mark.parametrize(
    ("data", "command"),
    [
        ({}, ["rulewright", "editor"]),
        ({"settings": {"folders": ["more", "/far"], "steps": 7}},
         ["rulewright", "editor", "--path", "{}/more", "--path", "/far", "--steps", "7"]),
        ({"settings": {"command": ["py", "-m", "rulewright"]}}, ["py", "-m", "rulewright", "editor"]),
        ({"environment": True}, ["{}/.venv/bin/rulewright", "editor"]),
        ({"untrusted": True}, None),
    ],
)  # fmt: skip
def test_the_command_that_is_started(data: dict[str, Any], command: list[str] | None, tmp_path: Path) -> None:
    node = shutil.which("node")
    if not node:
        pytest.skip("NOT TRIED: the script of the extension; it needs node")
    (tmp_path / "a[b]").mkdir()
    (tmp_path / "a[b]" / "layer.yaml").touch()
    if data.get("environment"):
        (tmp_path / ".venv" / "bin").mkdir(parents=True)
        (tmp_path / ".venv" / "bin" / "rulewright").touch()
    given = json.dumps({"settings": {}, **data, "folder": str(tmp_path), "layers": ["a[b]/layer.yaml"]})
    paths = [str(CLIENT), str(EXTENSION / "extension.js"), given]
    run = subprocess.run([node, *paths], capture_output=True, text=True, encoding="utf-8", check=False)
    assert run.returncode == 0, run.stderr
    data = json.loads(run.stdout)
    started = data["started"]
    if command is None:
        assert started == []
        return
    [client] = started
    assert data["answers"] == [RESTART], "a server that ran and ended is started again"
    assert [client["command"], *client["args"]] == [each.replace("{}", str(tmp_path)) for each in command]
    assert [each.get("pattern", each["language"]) for each in client["documents"]] == [
        "rulewright",
        f"{tmp_path}/a[[]b[]]/**/*.yaml",
    ]


@pytest.mark.parametrize(
    ("failing", "actual_message"),
    [
        ("is missing", "`rulewright` is not found. Install Rulewright, or write the full path"),
        ("ends", "`rulewright` does not start. The output says why"),
    ],
)
def test_a_command_that_does_not_start_is_reported_and_started_again(
    failing: str, actual_message: str, tmp_path: Path
) -> None:
    node = shutil.which("node")
    if not node:
        pytest.skip("NOT TRIED: the script of the extension; it needs node")
    given = json.dumps({"settings": {}, "failing": failing, "folder": str(tmp_path), "layers": []})
    paths = [str(CLIENT), str(EXTENSION / "extension.js"), given]
    run = subprocess.run([node, *paths], capture_output=True, text=True, encoding="utf-8", check=False)
    assert run.returncode == 0, run.stderr
    data = json.loads(run.stdout)
    assert len(data["started"]) == 2
    # Each failed start is reported once, and the library of the client does not restart the server itself.
    assert [message[: len(actual_message)] for message in data["shown"]] == [actual_message] * 2
    assert data["answers"] == [GIVE_UP] * 2 * (failing == "ends")
