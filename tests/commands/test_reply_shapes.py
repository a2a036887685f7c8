"""What `--format json` prints has the shape of its schema in docs/json, and no key that the schema lacks."""

import json
import shlex
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from docs.reference.json_shapes import DOCS, record_types
from rulewright.serve.cli.app import run
from tests.sample import LONG
from tests.toys.plain_game import plain_game

GOLDEN = Path(__file__).parents[1] / "printers" / "golden"
# Replies of real calls, which tests/printers holds to what is printed.
RECORDED = sorted(GOLDEN.glob("command-*.json"))
# Commands without a recorded reply.
CALLS = (
    "version",
    "fmt --check packages/toy",
    "dump toy --stage generated --path packages",
    "new game ford --dir made",
    "number toy --check --path packages",
    "check toy --accept --path packages",
    "replay game.trial --path packages",
    "replay game.trial --log --path packages",
    "replay game.trial --as north --path packages",
    "reference toy --out book --no-live --path packages",
    "change toy dear_marsh --number tired-legs '1 MP' 2 --why Dear --dry-run --path packages",
    "test toy --mutate --sample 20 --alone --path packages",
)
# Shapes with a key for each thing of a game.
OPEN_SHAPES = {"ExplainedNameRecord", "ExplainedNamePart"}
# Shapes that another one extends by keys of its own.
EXTENDED_SHAPES = {"TestRecord"}


def errors_of(command: str, printed: str) -> list[str]:
    """Return where a reply differs from the schema of its command, or of findings."""
    schema = json.loads((DOCS / "json" / f"{command}.json").read_text(encoding="utf-8"))
    for name, shape in schema["$defs"].items():
        shape["additionalProperties"] = name in OPEN_SHAPES | EXTENDED_SHAPES
    validator = jsonschema.Draft202012Validator(schema)
    return [
        f"{error.json_path}: {error.message[:300]}" for error in _leaves(validator.iter_errors(json.loads(printed)))
    ]


def _leaves(errors: Any) -> list[Any]:
    """Return the errors of the alternatives of a schema in place of that of the whole."""
    found = []
    for error in errors:
        found += _leaves(error.context) if error.context else [error]
    return found


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_a_recorded_reply_has_the_shape_of_its_command(file: Path) -> None:
    command = file.stem.removeprefix("command-").partition("-")[0]
    text = file.read_text(encoding="utf-8")
    assert errors_of(command, text) == []


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """Change to a folder with a small game, and a game that was played by its rules."""
    plain_game("toy", tmp_path / "packages")
    monkeypatch.chdir(tmp_path)
    assert run(["play", "first_toy", "--record", "game.trial", "--path", "packages"]) == 0
    capsys.readouterr()
    return tmp_path


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("line", CALLS)
def test_a_reply_has_the_shape_of_its_command(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    command, *arguments = shlex.split(line)
    assert run([command, *arguments, "--format", "json"]) in (0, 1)
    assert errors_of(command, capsys.readouterr().out) == []


# An option with notes and procedures, two situations, and a variant with counters and a dispute of its own.
DIFFERENCES = (
    "long_frost long_frost+frost_chits",
    "ridge_farm easthay",
    pytest.param("panzer_leader pl1940", marks=LONG),
)


@pytest.mark.parametrize("pair", DIFFERENCES)
def test_a_difference_of_shipped_rules_has_the_shape_of_its_schema(
    pair: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["diff", *pair.split(), "--format", "json"]) == 0
    assert errors_of("diff", capsys.readouterr().out) == []


def test_every_command_that_replies_is_validated() -> None:
    validated = {file.stem.split("-")[1] for file in RECORDED} | {shlex.split(line)[0] for line in CALLS}
    # These need a file of another program, or run other commands.
    assert record_types().keys() - validated == {"import", "export", "demo"}
