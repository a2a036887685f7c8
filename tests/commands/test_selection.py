"""`test` runs the examples of the named layers under the stacks that they name, and lists those left out."""

import json
from pathlib import Path

import pytest

from rulewright.serve.cli.app import run

SOURCES = "sources:\n  - {prefix: T, title: Toy, edition: ours, items: [T.1, T.2, T.3]}\n"
LAYER = "layer: {0}\ntitle: {0}\nkind: {1}\n{2}"
GAME = """side red, blue kind unit
status unit: wet
value depth(u: unit): 0..9 otherwise 0
  reads "how deep {u} stands"
value height(u: unit): 0..9 otherwise 0
  reads "how high {u} stands"
"""
RULE = 'rule {0} [{1}] "It is {2}."\n  {3} is {2}\n\n'
EXAMPLE = 'example "{0}"{1} {{\n  row A\n  piece U: unit of red at A\n  {2}\n}}\n\n'

Capture = pytest.CaptureFixture[str]


def example(title: str, under: str = "", line: str = "ask depth(U) = 3", cases: str = "") -> str:
    """Return the text of an example."""
    return EXAMPLE.format(title, (f" under {under}" if under else "") + cases, line)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a game and two optional layers; return their folder."""
    monkeypatch.setattr("rulewright.library.shipped_folders.rules_folder", lambda: tmp_path)
    (tmp_path / "sources.yaml").write_text(SOURCES)
    write(tmp_path, "game", "base", "", GAME)
    write(tmp_path, "pool", "optional", "on: [game]\n", RULE.format("pool-deep", "T.1", 3, "depth"))
    write(tmp_path, "hill", "optional", "on: [game]\n", RULE.format("hill-high", "T.2", 2, "height"))
    return tmp_path


def write(folder: Path, name: str, kind: str, more: str, rules: str) -> None:
    """Write one layer to the disk."""
    (folder / name).mkdir(exist_ok=True)
    (folder / name / "layer.yaml").write_text(LAYER.format(name, kind, more))
    (folder / name / "some.rules").write_text(rules)


def add(package: Path, layer: str, text: str) -> None:
    """Append a text to the rules of a layer."""
    with (package / layer / "some.rules").open("a") as file:
        file.write("\n" + text)


def counts_of(arguments: str, capsys: Capture) -> tuple[int, dict[str, object]]:
    """Run `test`; return its exit code and its JSON."""
    code = run(["test", *arguments.split(), "--format", "json"])
    return code, json.loads(capsys.readouterr().out)


def test_an_example_runs_under_the_stack_that_it_names(package: Path, capsys: Capture) -> None:
    """A layer fails whose only example names another stack and fails there."""
    add(package, "pool", example("both", "pool+hill", "ask height(U) = 1"))
    assert run(["test", "pool"]) == 1
    out = capsys.readouterr().out
    assert "the example `both` expects 1" in out
    assert "pool+hill: 0 passed, 1 failed" in out
    assert out.endswith("0 passed, 1 failed\n")


@pytest.mark.parametrize("stack", ["pool+hill", "hill+pool", "game+pool+hill", "hill+game+pool"])
@pytest.mark.parametrize("under", ["pool+hill", "hill+pool", "game+hill+pool"])
def test_a_combination_runs_the_examples_of_its_layers(package: Path, capsys: Capture, stack: str, under: str) -> None:
    """Examples for the combination run, in any order of its layers, as well as those for each layer alone."""
    add(package, "pool", example("both", under, "ask height(U) = 2") + example("alone"))
    add(package, "hill", example("up", line="ask height(U) = 2"))
    code, data = counts_of(stack, capsys)
    assert code == 0
    assert data["passed"] == 3
    assert data["stacks"] == [
        {"stack": name, "passed": 1, "failed": 0, "examples": {"passed": 1, "failed": 0}, "errors": 0, "not_run": 0}
        for name in (stack, "hill", "pool")
    ]


@pytest.mark.parametrize(
    ("under", "message"),
    [
        ("pool+hull", "there is no layer `hull`"),
        ("pool+wetness=deep", "wetness"),
        ("pool+broken", "unit cannot be `soggy`"),
        ("hill", "its stack `hill` does not contain"),
    ],
)
def test_an_invalid_stack_is_reported_at_the_example_that_names_it(
    package: Path, capsys: Capture, under: str, message: str
) -> None:
    write(package, "broken", "optional", "on: [game]\n", 'rule r [T.3] "It is 1."\n  depth is 1\n  when u is soggy\n')
    add(package, "pool", example("elsewhere", under))
    assert run(["test", "pool"]) == 1
    out = capsys.readouterr().out
    assert "some.rules:" in out
    assert message in out


@pytest.mark.parametrize("rules", ["", "# nothing\n"])
def test_a_selection_without_examples_fails(package: Path, capsys: Capture, rules: str) -> None:
    write(package, "quiet", "optional", "on: [game]\n", rules)
    assert run(["test", "quiet"]) == 1
    assert capsys.readouterr().out == "no examples: the one rules file of quiet has none\n"
    add(package, "pool", example("both", "pool+hill"))
    assert run(["test", "pool", "--here"]) == 1
    assert capsys.readouterr().out.endswith("no examples: none of those in pool is for exactly this stack\n")
