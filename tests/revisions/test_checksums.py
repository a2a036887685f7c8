"""Checksums of rules and data: what is reported about an edit without git, and the shipped checksums."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from compiler.source.content import RULES_SUFFIX
from rulewright.checks.revisions.checksums import (
    CHECKSUMS_FILE,
    KnownPart,
    RuleSums,
    read_checksums,
    write_checksums,
)
from rulewright.checks.revisions.declarations import split_declarations
from rulewright.checks.revisions.mismatches import differing_from_checksums
from rulewright.library.shipped_folders import rules_folder
from rulewright.serve.cli.app import run
from rulewright.write.new_packages import new_game
from tests.codes.committed import commit
from tests.revisions.test_changes import edit
from tests.sample import sampled

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Write a small game and accept its checksums."""
    folder = new_game("toy", tmp_path).folder
    assert run(["check", "toy", "--accept", "--path", str(folder)]) == 0
    assert (folder / CHECKSUMS_FILE).is_file()
    return folder


def run_json(folder: Path, command: str, capsys: Capture) -> dict[str, Any]:
    capsys.readouterr()
    run([command, "toy", "--path", str(folder), "--format", "json"])
    return json.loads(capsys.readouterr().out)  # type: ignore[no-any-return]


def found(folder: Path, capsys: Capture) -> list[tuple[str, str]]:
    return [(each["code"], each["message"]) for each in run_json(folder, "check", capsys)["diagnostics"]]


def test_a_sentence_or_a_law_that_changed_alone_is_reported(toy: Path, capsys: Capture) -> None:
    assert found(toy, capsys) == []
    text = (toy / "moving.rules").read_text()
    rule = next(part for part in split_declarations(text) if part.name == "rule hedges-stop-wheels")
    edit(toy, "moving.rules", rule.texts[0], "Carts do not pass hedges, as one sees.")
    assert found(toy, capsys) == [
        (
            "R0595",
            "the sentence of `hedges-stop-wheels` changed since its checksum was taken, but its law did not",
        )
    ]
    edit(toy, "moving.rules", "mover.gait = wheel and between", "between")
    assert found(toy, capsys) == []  # Sentence and law changed, so both were reviewed.
    (toy / "moving.rules").write_text(text.replace("mover.gait = wheel and between", "mover.gait != foot and between"))
    [(code, message)] = found(toy, capsys)
    assert (code, message.split(" changed")[0]) == ("R0595", "the law of `hedges-stop-wheels`")
    run(["check", "toy", "--accept", "--path", str(toy)])
    assert found(toy, capsys) == []


def test_checksums_are_compared_besides_git(toy: Path, capsys: Capture) -> None:
    """The comparison with git ignores any change that is committed."""
    commit(toy)
    edit(toy, "moving.rules", '"Wheels do not cross hedges."', '"Wheels do not cross such hedges here."')
    [(code, message)] = found(toy, capsys)
    assert code == "R0595"
    assert message == "the sentence of `hedges-stop-wheels` changed since HEAD, but its law did not"
    commit(toy)
    assert found(toy, capsys) == [
        (
            "R0595",
            "the sentence of `hedges-stop-wheels` changed since its checksum was taken, but its law did not",
        )
    ]
    edit(toy, "moving.rules", "do not cross such hedges here", "cross such hedges here")
    assert len(found(toy, capsys)) == 1  # A finding of the comparison with git is not repeated.
    run(["check", "toy", "--accept", "--path", str(toy)])
    assert [code for code, _ in found(toy, capsys)] == [
        "R0595"
    ]  # The meaning of the sentence differs from the last commit.
    commit(toy)
    assert found(toy, capsys) == []


@sampled(0)
def test_changed_data_that_is_only_printed_is_reported(toy: Path, capsys: Capture) -> None:
    edit(toy, "field.yaml", "title: The Field", "title: The Meadow")
    assert found(toy, capsys) == [
        ("R0595", "`title: The Meadow` changed since its checksum was taken, in a text that only readers see")
    ]
    assert run_json(toy, "test", capsys)["unnoticed"] == []
    edit(toy, "layer.yaml", "title: Toy", "title: Boy")
    assert len(found(toy, capsys)) == 2
    (toy / "numbers.yaml").write_text('numbers:\n  rules:\n    tired-legs: "1.2"\n')
    run(["check", "toy", "--accept", "--path", str(toy)])
    commit(toy)
    edit(toy, "numbers.yaml", "1.2", "1.4")
    [(code, message)] = found(toy, capsys)
    assert code == "R0595"
    assert 'became `tired-legs: "1.4"` since HEAD, in a text that only readers see' in message
    (toy / "numbers.yaml").write_text('numbers:\n  rules:\n    tired-legs: "1.2"\n    pay-your-way: "1.3"\n')
    assert found(toy, capsys) == []  # An added line changes no other.


@sampled(1)
@pytest.mark.parametrize(
    ("file", "text", "old", "new"),
    [
        ("layer.yaml", "see:\n  bog: marsh\n  lorry: cart\n", "bog: marsh", "bog: wood"),
        ("charts.yaml", "titles: {runner: the runner,\n  cart: the cart}\n", "the cart", "the wagon"),
        ("charts.yaml", "nicknames: {runner: [herald,\n  post], cart: [wain]}\n", "post", "courier"),
    ],
)
def test_names_and_words_of_a_search(file: str, text: str, old: str, new: str, toy: Path, capsys: Capture) -> None:
    """No rule reads them, and no example can notice what stands in their place."""
    (toy / file).write_text((toy / file).read_text() + text)
    run(["check", "toy", "--accept", "--path", str(toy)])
    edit(toy, file, old, new)
    [(code, message)] = found(toy, capsys)
    assert code == "R0595"
    assert new in message
    assert run_json(toy, "test", capsys)["unnoticed"] == []


def test_one_edit_is_reported_once(toy: Path, capsys: Capture) -> None:
    """Checksums treat a rule in a reading as a part of its own; the comparison with git treats the reading as one."""
    dispute = (
        'dispute mud [house] "Is mud deep?" {\n  reading deep [house] default "It is." {\n'
        '    rule deep-mud [house] "Carts do not enter marshes."\n      may_enter forbidden\n'
        "      when mover.gait = wheel and to is marsh\n\n"
        '    example "a cart" {\n      row A, B marsh\n      piece W: cart of south at A\n'
        "      ask may_enter(W, A, B) = forbidden by deep-mud\n    }\n  }\n"
        '  reading flat [house] "It is not." {}\n}\n'
    )
    (toy / "mud.rules").write_text(dispute)
    run(["check", "toy", "--accept", "--path", str(toy)])
    commit(toy)
    edit(toy, "mud.rules", "mover.gait = wheel", "mover.gait != wheel")
    assert [code for code, _ in found(toy, capsys)].count("R0595") == 1


def test_layout_and_comments_are_not_in_checksums(toy: Path, capsys: Capture) -> None:
    text = (toy / "moving.rules").read_text()
    (toy / "moving.rules").write_text("# Of moving.\n" + re.sub("\n  when ", "\n    when ", text))
    assert found(toy, capsys) == []


def test_a_failing_example_names_the_changed_rule(toy: Path, capsys: Capture) -> None:
    edit(toy, "moving.rules", "mover.gait] + 1 MP", "mover.gait] + 7 MP")
    failures = run_json(toy, "test", capsys)["failures"]
    assert failures
    assert {cause["name"] for each in failures for cause in each["causes"]} == {"tired-legs"}


@sampled(0)
def test_the_changed_part_is_named_at_each_failure(tmp_path: Path, capsys: Capture) -> None:
    """Not all of the failing cases evaluate the changed part."""
    folder = tmp_path / "toy"
    folder.mkdir()
    for file in (each for each in (rules_folder() / "games" / "two_clans").iterdir() if each.name != "sources.yaml"):
        text = file.read_text(encoding="utf-8")
        for name in ("two_clans", "before_winter", "high_fells", "the_vale"):
            text = text.replace(name, "toy" if name == "two_clans" else f"{name}_too")
        (folder / file.name).write_text(text, encoding="utf-8")
    run(["check", "toy", "--accept", "--path", str(folder)])
    edit(folder, "fights.rules", "none(u in band at at where", "none(u in all band where")
    failures = run_json(folder, "test", capsys)["failures"]
    assert len(failures) > 1
    assert [[cause["name"] for cause in each["causes"]] for each in failures] == [["alone-there"]] * len(failures)


def test_a_finding_in_another_place_has_the_change_as_a_span(toy: Path, capsys: Capture) -> None:
    edit(toy, "charts.yaml", "  marsh: [3, 6]\n", "")
    [gap] = run_json(toy, "check", capsys)["diagnostics"]
    assert gap["code"] == "R0508"
    assert [each["line"] for each in gap["spans"] if "since checksums were taken" in each["label"]] == [8]


def test_changed_words_of_a_search_are_no_cause_of_an_error(toy: Path, capsys: Capture) -> None:
    (toy / "asked.yaml").write_text(
        "book: []\nasked:\n  tired-legs: [weary men]\n  hedges-stop-wheels: [carts at hedges]\n"
    )
    run(["check", "toy", "--accept", "--path", str(toy)])
    edit(toy, "asked.yaml", "weary men", "tired men")
    (toy / "typo.rules").write_text('rule typo [house] "x"\n  may_enter forbidden\n  when to is marhs\n')
    diagnostics = run_json(toy, "check", capsys)["diagnostics"]
    unknown = next(each for each in diagnostics if each["code"] == "R0203")
    assert [span["file"].rpartition("/")[2] for span in unknown["spans"]] == ["typo.rules"]


def test_changed_data_that_no_example_detects_is_reported(toy: Path, capsys: Capture) -> None:
    edit(toy, "field.yaml", "marsh: [B3, C3]", "marsh: [B3, C2]")
    [unnoticed] = run_json(toy, "test", capsys)["unnoticed"]
    assert (unnoticed["now"], unnoticed["file"]) == ("marsh: [B3, C2]", "toy/field.yaml")


def differences(folder: Path, file: str) -> list[tuple[str, str, int]]:
    """Return the mismatches of a file as (kind, label, line)."""
    path = folder / file
    mismatches = differing_from_checksums([(path, file, path.read_text())])
    return [(each.kind, each.label or each.current_text, each.span.line) for each in mismatches]


def line_of(folder: Path, file: str, text: str) -> int:
    return next(number for number, line in enumerate((folder / file).read_text().splitlines(), 1) if text in line)


@pytest.mark.parametrize(
    ("file", "old", "new", "kind", "name"),
    [
        ("playing.rules", " }\n  move mover to to", "\n  move mover to to }", "law", "march"),
        ("moving.rules", "may_enter(W, B, C)", "may_enter(W, B, A)", "example", "carts, runners and hedges"),
    ],
)
def test_braces_and_examples_are_in_checksums(file: str, old: str, new: str, kind: str, name: str, toy: Path) -> None:
    """Steps that moved into a branch have the same words; an example may expect something else than it did."""
    edit(toy, file, old, new)
    assert [each[:2] for each in differences(toy, file)] == [(kind, name)]


def test_an_example_that_is_gone(toy: Path) -> None:
    text = (toy / "moving.rules").read_text()
    (toy / "moving.rules").write_text(text[: text.index('example "what a cart can pay"')])
    above = line_of(toy, "moving.rules", "carts, runners and hedges")
    assert differences(toy, "moving.rules") == [("example", "", above)]


def test_a_rule_in_another_case_is_reported(toy: Path, capsys: Capture) -> None:
    """A case may hold under a condition, and exceptions may aim at it."""
    rule = next(part for part in split_declarations((toy / "moving.rules").read_text()) if part.label == "tired-legs")
    lines = (toy / "moving.rules").read_text().splitlines(keepends=True)
    moved_lines = lines[rule.first_line - 1 : rule.last_line + 1]
    del lines[rule.first_line - 1 : rule.last_line + 1]
    (toy / "moving.rules").write_text("".join((*lines, "\n", *moved_lines)))
    place = line_of(toy, "moving.rules", "rule tired-legs")
    assert differences(toy, "moving.rules") == [("elsewhere", "tired-legs", place)]
    [(code, message)] = found(toy, capsys)
    assert code == "R0595"
    assert message.startswith("`tired-legs` was moved since its checksum was taken and is now in no other declaration")
    (toy / "moving.rules").write_text("".join((*moved_lines, "\n", *lines)))
    assert [each[:2] for each in differences(toy, "moving.rules")] == [("elsewhere", "tired-legs")]


def test_phases_in_another_order_are_reported(toy: Path, capsys: Capture) -> None:
    two_phases = '      phase movement "Movement" { offer march until yes }\n'
    (toy / "playing.rules").write_text(
        (toy / "playing.rules").read_text().replace(two_phases, two_phases + two_phases.replace("movement", "rest"))
    )
    run(["check", "toy", "--accept", "--path", str(toy)])
    rest = two_phases.replace("movement", "rest")
    edit(toy, "playing.rules", two_phases + rest, rest + two_phases)
    [(kind, name, _)] = differences(toy, "playing.rules")
    assert (kind, name) == ("elsewhere", "rest")
    [line] = [each["line"] for each in run_json(toy, "check", capsys)["differing"]]
    run(["check", "toy", "--path", str(toy)])
    printed = capsys.readouterr().out
    assert f"playing.rules:{line}: `rest` was moved" in printed
    assert "Take back what is not meant" in printed


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ('board: field\nrows:\n  - "..ww"\n  - "ww.."\n', '- "ww.."', '- "w..."'),
        ("board: field\nhexes:\n  marsh: [B3]\n  wood:\n    far: [C2]\n", "    far", "  far"),
        ('board: field\nhexes:\n  wood: ["B #1"]\n', "B #1", "B #2"),
    ],
)
def test_quoted_rows_and_the_depth_of_lines_are_data(text: str, old: str, new: str, tmp_path: Path) -> None:
    path = tmp_path / "field.yaml"
    path.write_text(text)
    (tmp_path / CHECKSUMS_FILE).write_text(write_checksums({"field.yaml": text}, None))
    assert list(differing_from_checksums([(path, "field.yaml", text)])) == []
    [mismatch] = differing_from_checksums([(path, "field.yaml", text.replace(old, new))])
    assert (mismatch.kind, mismatch.is_printed) == ("data", False)


def test_new_and_removed_declarations(toy: Path) -> None:
    file = toy / "moving.rules"
    text = file.read_text()
    part = next(each for each in split_declarations(text) if each.name == "rule hedges-stop-wheels")
    renamed = text.replace("rule hedges-stop-wheels", "rule hedges-stop-carts")
    found = [
        (each.kind, each.label, each.span.line) for each in differing_from_checksums([(file, "moving.rules", renamed)])
    ]
    assert [(kind, label) for kind, label, _ in found] == [("gone", "hedges-stop-wheels"), ("new", "hedges-stop-carts")]
    without = text.replace("rule hedges-stop-wheels", "ruling hedges-stop-wheels")
    above = max((each.first_line for each in split_declarations(text) if each.first_line < part.first_line), default=1)
    found = [
        (each.kind, each.label, each.span.line) for each in differing_from_checksums([(file, "moving.rules", without)])
    ]
    assert found == [("gone", "hedges-stop-wheels", above), ("new", "hedges-stop-wheels", part.first_line)]


def test_names_and_contents_of_parts() -> None:
    text = (
        'case flats {\n  # of mud\n  rule mud [A.1] "It is slow."\n    cost is 2\n\n'
        '  example "none" {\n    ask x = 1\n  }\n}\n'
        'action walk by player [A.2] {\n  move w to to\n}\naccount {\n  tells "He goes"\n}\n\n'
        "after end of turn {\n  do tide()\n}\nafter end of turn {\n  do ebb()\n}\n"
    )
    parts = split_declarations(text)
    assert [(part.name, part.enclosing) for part in parts] == [
        ("case flats", ""),
        ("rule mud", "case flats"),
        ("example", "case flats"),
        ("action walk", ""),
        ("after end of turn", ""),
        ("after end of turn 2", ""),
    ]
    assert [part.texts for part in parts[:3]] == [
        ("", "case flats { * }", ""),
        ("It is slow.", "rule mud cost is 2", "[A.1]"),
        ("none", "example { ask x = 1 }", ""),
    ]
    assert parts[3].texts[0] == "He goes"  # The account is part of the action.


def test_a_damaged_checksum_file_is_read_without_error(tmp_path: Path) -> None:
    (tmp_path / CHECKSUMS_FILE).write_bytes(b"\xff\x00  : :\n  lost: 1\nplay.rules\n  no sums\n")
    assert read_checksums(tmp_path / CHECKSUMS_FILE) == {
        "\ufffd\x00  : :": ["lost:", "1"],
        "play.rules": RuleSums({"": KnownPart("", ("no", "sums"))}, []),
    }


def test_the_shipped_checksums_are_up_to_date(reset: bool) -> None:
    root = rules_folder()
    files = {
        path.relative_to(root).as_posix(): path for path in root.rglob("*") if path.suffix in {RULES_SUFFIX, ".yaml"}
    }
    now = write_checksums({name: path.read_text(encoding="utf-8") for name, path in files.items()}, known=None)
    if reset:
        (root / CHECKSUMS_FILE).write_text(now, encoding="utf-8")
    assert now.splitlines() == (root / CHECKSUMS_FILE).read_text(encoding="utf-8").splitlines(), (
        "rules or data differ from their checksums: read sentence and law once more, run the examples, then "
        "`python3 -m tests tests/revisions/test_checksums.py --reset`"
    )
