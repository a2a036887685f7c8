"""Changes since a revision: their separation, which of them causes a failure, and which no example detects."""

import json
from pathlib import Path
from typing import Any

import pytest

from compiler.source.package import discover_layers
from rulewright.checks.checking import check_since_revision
from rulewright.checks.revisions.file_changes import ParagraphChange, changes_since
from rulewright.checks.revisions.revision_texts import read_revision
from rulewright.serve.cli.app import run
from rulewright.system.git import HEAD
from tests.codes.committed import commit
from tests.sample import sampled
from tests.toys.plain_game import plain_game

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Write and commit a small game."""
    folder = plain_game("toy", tmp_path).folder
    commit(folder)
    return folder


@pytest.mark.parametrize(("file", "named"), [("charts", "`price`, `runner` and `cart`"), ("sources", "`TOY`")])
def test_names_of_a_removed_document_are_one_finding(toy: Path, file: str, named: str) -> None:
    (toy / f"{file}.yaml").unlink()
    [lost_file] = check_since_revision("toy", [toy.parent], 1000, None, "", None).diagnostics
    assert lost_file.code == "R0123"
    assert lost_file.message.endswith(f"nothing else declares {named}")


def edit(folder: Path, file: str, was: str, now: str) -> None:
    text = (folder / file).read_text()
    assert text.count(was) == 1, was
    (folder / file).write_text(text.replace(was, now))


def changes(folder: Path) -> tuple[ParagraphChange, ...]:
    return changes_since(read_revision(discover_layers([folder])[0], HEAD), files=None)


def data(command: list[str], capsys: Capture) -> dict[str, Any]:
    run([*command, "--format", "json"])
    return json.loads(capsys.readouterr().out)  # type: ignore[no-any-return]


def causes(tested: dict[str, Any]) -> list[dict[str, Any]]:
    return [cause for failure in tested["failures"] for cause in failure["causes"]]


def test_without_changes_and_without_git(toy: Path, tmp_path: Path) -> None:
    assert changes(toy) == ()
    (toy / "layer.yaml").write_text((toy / "layer.yaml").read_text() + "# said\n")
    assert changes(toy) == ()  # A comment is no change.
    other = plain_game("other", tmp_path / "apart").folder
    assert changes(other) == ()


def test_two_paragraphs_are_two_changes_and_an_example_is_none(toy: Path) -> None:
    edit(toy, "moving.rules", "mover.gait] + 1 MP", "mover.gait] + 2 MP")
    edit(toy, "moving.rules", "mover.gait = wheel and between", "mover.gait = foot and between")
    edit(toy, "moving.rules", "= 3 MP because price-of-ground", "= 4 MP because price-of-ground")
    first, second = changes(toy)
    assert (first.label, second.label) == ("tired-legs", "hedges-stop-wheels")
    assert "+ 1 MP" in first.reverted_text
    assert "= foot and between" in first.reverted_text
    assert "+ 2 MP" in second.reverted_text
    assert "= wheel and between" in second.reverted_text
    assert "= 4 MP because price-of-ground" in first.reverted_text


def test_a_removed_line_is_located_at_the_line_above(toy: Path) -> None:
    edit(toy, "moving.rules", "    exception to price-of-ground\n    when mover is tired\n", "")
    [gone] = changes(toy)
    assert (gone.new_text, gone.old_text) == ("", "exception to price-of-ground when mover is tired")
    assert "+ 1 MP" in (toy / "moving.rules").read_text().splitlines()[gone.span.line - 1]


def test_a_step_is_named_by_its_procedure(toy: Path) -> None:
    edit(toy, "playing.rules", "  move mover to to\n", "")
    [gone] = changes(toy)
    assert gone.label == "march"


def test_exchanged_lines_are_a_change(toy: Path) -> None:
    text = (toy / "playing.rules").read_text()
    steps = "  if to is marsh { mark mover as tired }\n", "  move mover to to\n"
    assert "".join(steps) in text
    edit(toy, "playing.rules", "".join(steps), "".join(reversed(steps)))
    [moved] = changes(toy)
    assert moved.label == "march"
    assert moved.old_text.startswith("if")
    assert moved.new_text.startswith("move")
    assert moved.reverted_text == text


def test_a_failure_has_the_change_as_its_cause(toy: Path, capsys: Capture) -> None:
    edit(toy, "moving.rules", "may_enter allowed\n  exception", "may_enter forbidden\n  exception")
    [found] = changes(toy)
    tested = data(["test", str(toy)], capsys)
    assert [len(failure["causes"]) for failure in tested["failures"]] == [1] * len(tested["failures"])
    assert {(cause["known"], cause["line"]) for cause in causes(tested)} == {("changed", found.span.line)}
    assert causes(data(["test", str(toy), "--alone"], capsys)) == []


@pytest.mark.parametrize(
    ("file", "was", "now"),
    [
        ("playing.rules", "min(mover.movement, ", "min(mover.movement - 1 MP, "),
        ("charts.yaml", "[runner, north, 6, foot]", "[runner, north, 7, foot]"),
        ("field.yaml", "goal: B4", "goal: B3"),
    ],
)
def test_a_change_that_no_example_detects_is_reported(
    toy: Path, file: str, was: str, now: str, capsys: Capture
) -> None:
    assert data(["test", str(toy)], capsys)["unnoticed"] == []
    edit(toy, file, was, now)
    [change] = changes(toy)
    [found] = data(["test", str(toy)], capsys)["unnoticed"]
    assert found["line"] == change.span.line


def test_changes_of_other_games_are_ignored(toy: Path, capsys: Capture) -> None:
    """The changes of the other game would exceed the limit, beyond which none is examined."""
    other = plain_game("other", toy.parent).folder
    (other / "field.yaml").unlink()
    commit(other)
    text = (other / "moving.rules").read_text()
    (other / "moving.rules").write_text(
        "\n\n".join(f"{part} # more\n\nmeasure m{at}" for at, part in enumerate(text.split("\n\n")))
    )
    edit(toy, "field.yaml", "goal: B4", "goal: B3")
    both = ["test", "toy", "--path", str(toy), "--path", str(other)]
    [found] = data(both, capsys)["unnoticed"]
    assert found["file"].endswith("field.yaml")


def test_a_finding_elsewhere_names_the_change(toy: Path, capsys: Capture) -> None:
    edit(toy, "charts.yaml", "  marsh: [3, 6]\n", "")
    [change] = changes(toy)
    [found] = data(["check", str(toy)], capsys)["diagnostics"]
    assert found["code"] == "R0508"
    assert [change.span.line] == [each["line"] for each in found["spans"] if "stood behind this" in each["label"]]


@sampled(0)
def test_a_changed_opening_is_reported(toy: Path, capsys: Capture) -> None:
    book = "book:\n  - case: moving\n    rule: >-\n      A unit pays for each hex before it enters.\n"
    (toy / "book.yaml").write_text(book)
    commit(toy)
    edit(toy, "book.yaml", "before it enters", "after it enters")
    [found] = data(["check", str(toy)], capsys)["diagnostics"]
    assert (found["code"], found["spans"][0]["line"]) == ("R0595", 4)
    assert "`hex before it` became `hex after it` since HEAD" in found["message"]


def test_a_changed_heading_is_reported(toy: Path, capsys: Capture) -> None:
    (toy / "book.yaml").write_text("book: []\nheadings:\n  tired-legs: Who is tired before the end\n")
    commit(toy)
    edit(toy, "book.yaml", "before the end", "after the end")
    [found] = data(["check", str(toy)], capsys)["diagnostics"]
    assert "`tired before the` became `tired after the` since HEAD" in found["message"]


def test_files_with_many_repeated_lines_are_compared_as_one_change(toy: Path) -> None:
    """A comparison of each repeated line with each other would be quadratic."""
    many = "# a\n\n# b\n\n" * 20_000
    (toy / "moving.rules").write_text((toy / "moving.rules").read_text() + "\n" + many)
    commit(toy)
    edit(toy, "moving.rules", many, many.replace("# a", "measure x"))
    [found] = changes(toy)
    assert found.new_text.startswith("measure x")
