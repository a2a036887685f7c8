"""Answers of the workspace about a file: findings with their locations, hovers, declarations and offers."""

import re
from pathlib import Path
from typing import Any

import pytest

from rulewright.serve.editor.cursor import word_at
from rulewright.serve.editor.file_outline import OutlineEntry, list_headings
from rulewright.serve.editor.workspace import EditorWorkspace, format_text
from rulewright.write.new_packages import new_game


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """Write a small game; return its rules of movement."""
    new_game("toy", tmp_path / "set")
    return tmp_path / "set" / "toy" / "moving.rules"


def workspace(rules: Path) -> EditorWorkspace:
    """Open the folder of the game."""
    return EditorWorkspace((rules.parent.parent,))


def test_a_stack_without_findings_has_an_empty_list_for_each_file(rules: Path) -> None:
    found = workspace(rules).prove(rules)
    assert {path.name for path in found} >= {"moving.rules", "world.rules", "layer.yaml", "charts.yaml"}
    assert not any(found.values())


def test_findings_are_listed_in_the_file_of_their_location(rules: Path) -> None:
    world = rules.with_name("world.rules")
    world.write_text(world.read_text().replace("tired", "weary"))
    found = workspace(rules).prove(world)
    assert [each["code"] for each in found[world]] == []
    [first, *_] = found[rules]
    line = next(number for number, text in enumerate(rules.read_text().splitlines()) if "is tired" in text)
    assert (first["range"]["start"]["line"], first["severity"], first["source"]) == (line, 1, "rulewright")
    assert "tired" in first["message"]


def test_findings_of_proofs_are_listed(rules: Path) -> None:
    second = '\nrule more [T.2] "Rest first." entry_cost is 9 MP exception to price-of-ground when mover is tired\n'
    rules.write_text(rules.read_text() + second.replace("T.2", "TOY.2"))
    messages = [each["message"] for each in workspace(rules).prove(rules)[rules]]
    assert any("different answers" in each for each in messages)


def test_the_steps_of_proofs_are_limited(rules: Path) -> None:
    few = EditorWorkspace((rules.parent.parent,), 3)
    assert "R0566" in {each["code"] for found in few.prove(rules).values() for each in found}


def test_an_incomplete_text_has_a_finding(rules: Path) -> None:
    [finding] = workspace(rules).read(rules, "rule broken [TOY.1\n")[rules]
    assert finding["range"]["start"]["line"] <= 1
    charts = rules.with_name("charts.yaml")
    [finding] = workspace(rules).read(charts, "table: [\n")[charts]
    assert finding["severity"] == 1


def test_an_unsaved_text_is_compiled_with_its_stack(rules: Path) -> None:
    here, world = workspace(rules), rules.with_name("world.rules")
    found = here.read(world, world.read_text().replace("tired", "weary"))
    assert {path.name for path, each in found.items() if each} == {"moving.rules"}
    assert not any(here.read(world).values())


def test_an_unsaved_text_is_proved(rules: Path) -> None:
    here = workspace(rules)
    second = '\nrule more [TOY.2] "Rest first." entry_cost is 9 MP exception to price-of-ground when mover is tired\n'
    messages = [each["message"] for each in here.prove(rules, rules.read_text() + second)[rules]]
    assert any("different answers" in each for each in messages)
    assert not any(here.prove(rules).values())


def test_a_text_that_is_too_large_has_a_finding(rules: Path) -> None:
    [finding] = workspace(rules).read(rules, "#" * 1_000_001)[rules]
    assert "1,000,000" in finding["message"]


def test_a_file_of_no_layer(rules: Path, tmp_path: Path) -> None:
    stray = tmp_path / "stray.rules"
    stray.write_text("rule broken [\n")
    assert [each["severity"] for each in workspace(rules).read(stray)[stray]] == [1]
    assert workspace(rules).prove(stray) == {}


def test_a_wrong_key_of_a_card_is_found(rules: Path) -> None:
    card = rules.with_name("field.yaml")
    card.write_text(card.read_text().replace("turns: ", "turn: "))
    assert workspace(rules).read(card)[card]


def test_a_wrong_value_of_a_card_is_found_by_the_proofs_of_its_stack(rules: Path) -> None:
    card = rules.with_name("field.yaml")
    assert not any(workspace(rules).prove(card).values())
    text = re.sub(r"turns: \d+", "turns: 0", card.read_text())
    assert workspace(rules).prove(card, text)[card]


def test_a_word_has_an_explanation_and_a_declaration(rules: Path) -> None:
    here = workspace(rules)
    hover = here.explain(rules, "tired-legs")
    assert hover
    assert hover.startswith("1.1a Tired legs\n  A tired unit pays one point more.")
    assert "exception to price-of-ground" in hover
    place = here.declared_at(rules, "tired")
    assert place
    assert place.path.name == "world.rules"
    assert "tired" in place.path.read_text().splitlines()[place.line]
    assert here.explain(rules, "no-such-thing") is None
    assert here.declared_at(rules, "no-such-thing") is None


def test_words_are_explained_while_the_stack_does_not_compile(rules: Path) -> None:
    here = workspace(rules)
    assert here.explain(rules, "tired-legs")
    rules.write_text(rules.read_text() + "\nrule broken [\n")
    hover = here.explain(rules, "pay-your-way")
    assert hover
    assert hover.startswith("1.2 Pay your way")


def test_offers_have_the_kinds_of_their_symbols(rules: Path) -> None:
    offers = {each.word: each.kind for each in workspace(rules).list_offers(rules)}
    assert offers["entry_cost"] == "question"
    assert offers["price"] == "chart"
    assert offers["tired-legs"] == "rule"


def test_layout(rules: Path) -> None:
    text = rules.read_text()
    assert format_text(rules, text) is None
    assert format_text(rules, text.replace("\n    entry_cost is", "\n        entry_cost is")) == text
    assert format_text(rules, "rule broken [") is None
    assert format_text(rules.with_name("charts.yaml"), "a:  1") is None


def test_an_outline(rules: Path) -> None:
    def plain(headings: tuple[OutlineEntry, ...]) -> list[Any]:
        return [
            (each.kind, each.name, plain(each.children)) if each.children else (each.kind, each.name)
            for each in headings
        ]

    found = plain(list_headings(rules.read_text()))
    assert found[0] == ("term", "entry_cost")
    case = next(each for each in found if isinstance(each, tuple) and each[0] == "case")
    assert case[1] == "moving"
    assert ("rule", "tired-legs") in case[2]
    assert ("example", "tired") in found
    # A ruling of one rule is listed once.
    assert ("ruling", "always-one-hex") in found
    assert ("define", "ground_of") in found
    declared = plain(list_headings(rules.with_name("world.rules").read_text()))
    assert {("enumeration", "gait"), ("kind", "unit")} <= {*declared}


def test_a_heading_has_the_span_of_its_name(rules: Path) -> None:
    text = rules.read_text()
    lines = text.splitlines()

    def check(headings: tuple[OutlineEntry, ...]) -> None:
        for each in headings:
            span = each.name_span
            named = lines[span.line - 1][span.column - 1 : span.end_column - 1]
            assert named == ("example" if each.kind == "example" else each.name)
            assert each.span.contains(span)
            check(each.children)

    check(list_headings(text))


@pytest.mark.parametrize(
    ("line", "character", "word"),
    [
        ("exception to one-hex-minimum", 15, "one-hex-minimum"),
        ("cost is 4 MP", 9, None),
        ("hop(imp)", 3, "hop"),
        ("hop(imp)", 4, "imp"),
        ("results['2-1', die]", 10, "2-1"),
        ("𝔞𝔟 hop", 6, "hop"),
        ("", 0, None),
    ],
)
def test_the_word_under_a_cursor(line: str, character: int, word: str | None) -> None:
    found = word_at(line, 0, character)
    assert (found and found.text) == word
