"""`test` runs the examples of the named layers under the stacks that they name, and lists those left out."""

import json
from pathlib import Path

import pytest

import rulewright
from rulewright.cli.app import run

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
        {"stack": name, "passed": 1, "failed": 0, "examples": {"passed": 1, "failed": 0}, "errors": 0}
        for name in (stack, "hill", "pool")
    ]


def test_a_joint_layer_equals_the_combination_of_its_layers(package: Path, capsys: Capture) -> None:
    write(package, "both", "joint", "on: [pool, hill]\n", example("joint", line="ask height(U) = 2"))
    add(package, "pool", example("alone"))
    for stack in ("both", "pool+hill"):
        code, data = counts_of(stack, capsys)
        assert (code, data["passed"]) == (0, 2)


def test_here_runs_one_stack_and_counts_the_examples_of_others(package: Path, capsys: Capture) -> None:
    add(package, "pool", example("alone") + example("both", "pool+hill"))
    assert run(["test", "pool", "--here"]) == 0
    out = capsys.readouterr().out
    assert "left out, as they are for other stacks: 1 example under pool+hill; without --here they run" in out
    assert out.endswith("1 passed, 0 failed\n")
    _, data = counts_of("pool --here", capsys)
    assert data["left_out"] == [{"stack": "pool+hill", "examples": 1, "layers": ["pool"], "why": "here"}]


def test_examples_of_lower_layers_are_left_out_and_counted(package: Path, capsys: Capture) -> None:
    add(package, "game", example("dry", line="ask depth(U) = 0"))
    add(package, "pool", example("alone"))
    assert run(["test", "pool"]) == 0
    assert capsys.readouterr().out == (
        "left out: 1 example that game below has for other stacks; `test game` runs it\n1 passed, 0 failed\n"
    )
    assert run(["test", "game+pool"]) == 0
    assert capsys.readouterr().out == "game+pool: 1 passed, 0 failed\ngame: 1 passed, 0 failed\n2 passed, 0 failed\n"


@pytest.mark.parametrize(
    ("under", "message"),
    [
        ("pool+hull", "there is no layer `hull`"),
        ("pool+wetness=deep", "wetness"),
        ("pool+broken", "unit cannot be `soggy`"),
        ("hill", "which is no part of `hill`"),
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


def test_check_compiles_the_stacks_that_examples_name(package: Path, capsys: Capture) -> None:
    add(package, "pool", example("both", "pool+hill", "ask heigth(U) = 2"))
    assert run(["check", "pool"]) == 1
    out = capsys.readouterr().out
    assert "heigth" in out
    assert "some.rules:" in out


@pytest.mark.parametrize("rules", ["", "# nothing\n"])
def test_a_selection_without_examples_fails(package: Path, capsys: Capture, rules: str) -> None:
    write(package, "quiet", "optional", "on: [game]\n", rules)
    assert run(["test", "quiet"]) == 1
    assert capsys.readouterr().out == "no examples: the one rules file of quiet has none\n"
    add(package, "pool", example("both", "pool+hill"))
    assert run(["test", "pool", "--here"]) == 1
    assert capsys.readouterr().out.endswith("no examples: none of those in pool is for exactly this stack\n")


def test_examples_with_unused_lines_count_as_failed(package: Path, capsys: Capture) -> None:
    """A wrong answer, an unused die and an unused `given` are three failed examples."""
    add(package, "pool", example("wrong", line="ask depth(U) = 4"))
    add(package, "pool", example("idle", line="dice 3\n  ask depth(U) = 3").replace("kind unit", ""))
    add(package, "pool", example("idle too", line="given height(U) = 1\n  ask depth(U) = 3"))
    add(package, "game", "domain die = 1..6\n")
    assert run(["test", "pool"]) == 1
    assert capsys.readouterr().out.endswith("0 passed, 3 failed\n")


def test_cases_and_examples_are_both_counted(package: Path, capsys: Capture) -> None:
    cases = " for (much) in (3), (4), (5)"
    add(package, "pool", example("several", line="ask depth(U) = much\n  ask depth(U) + 0 = much", cases=cases))
    add(package, "pool", example("one"))
    assert run(["test", "pool"]) == 1
    assert capsys.readouterr().out.endswith("2 passed, 2 failed (4 cases of 2 examples)\n")
    code, data = counts_of("pool", capsys)
    assert (code, data["passed"], data["failed"], data["examples"]) == (1, 2, 2, {"passed": 1, "failed": 1})


def test_the_api_has_the_same_counts(package: Path) -> None:
    add(package, "pool", example("alone") + example("both", "pool+hill", "ask height(U) = 2"))
    stack = rulewright.compile_stack("pool", [package])
    assert rulewright.test(stack)["passed"] == 2
    assert rulewright.test(stack, here=True)["passed"] == 1


def test_some_passing_stacks_and_all_failing_ones_are_listed(package: Path, capsys: Capture) -> None:
    """Of eight passing stacks four are listed and four are counted; the failing one is listed."""
    for number in range(9):
        write(package, f"dike{number}", "optional", "on: [game]\n", "")
        add(package, "pool", example(f"behind {number}", f"pool+dike{number}", f"ask depth(U) = {3 + number // 8}"))
    assert run(["test", "pool"]) == 1
    lines = capsys.readouterr().out.splitlines()
    lines = lines[lines.index("pool+dike0: 1 passed, 0 failed") :]
    assert lines[4:] == ["pool+dike8: 0 passed, 1 failed", "4 other stacks: 4 passed, 0 failed", "8 passed, 1 failed"]
