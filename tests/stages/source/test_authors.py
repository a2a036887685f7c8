"""Messages on common errors are correct: none suggests the written word, or a brace that is not missing."""

import re
from typing import Any

import pytest

from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import Diagnostic
from compiler.report.mistakes.declaration_errors import MEANT_PARAGRAPH
from compiler.report.mistakes.syntax_errors import FORMS
from compiler.source.documents import read_documents
from compiler.source.grammar import parser_tables
from compiler.source.parse import parse_rules
from compiler.source.suggestions import nearest_key, nearest_names
from compiler.typed.declarations import DECLARATIONS
from compiler.typed.declarations.record import DeclarationRecord
from tests.sample import sampled
from tests.stages.source.check import Case, check, each

FILE = "slip.rules"
# A paragraph of each sort, into which keywords are inserted at each position.
SOUND = """\
status unit: tired marker "T" until end of turn
track unit.spent: 0..12 MP = 0 MP until end of movement
kind unit has movement: 0..12 MP
value cost(m: unit, to: hex): 0..12 MP otherwise 1 MP reads "what {m} pays"
define ground_of(h: hex) [house] = if h is marsh then 1 else 2
rule tired-legs [T.2] "A tired unit pays more." cost is 2 MP exception to price, other when m is tired
ruling one-hex [T.5] correction, minor asks "May it?" answers "Yes." cost is 1 MP when m.spent = 0 MP
action march by player in movement [T.3] "Go." reads "go" { choose to from neighbors(m.hex) move m to to }
example "e" { row A, B marsh piece R: runner of north at A (tired) ask cost(R, B) = 2 MP because tired-legs }
insert phase rest "Rest" [T.6] { stop } before movement
"""


def diagnostics_of(text: str) -> list[Diagnostic]:
    """Return the diagnostics of a text."""
    _, found = parse_rules(text, FILE)
    return diagnose(found, {FILE: text})


def typed_at(text: str, found: Diagnostic) -> str:
    """Return the text at the first place of a diagnostic."""
    span = found.spans[0].span
    return text.split("\n")[span.line - 1][span.column - 1 : span.end_column - 1] if span.line == span.end_line else ""


def suggests_written_word(text: str, found: Diagnostic) -> bool:
    """Return whether a diagnostic suggests the word that is at its place."""
    offered = re.findall(r"`([^`]+)`", found.help) if found.help.startswith("did you mean") else []
    return typed_at(text, found) in offered


@each("authors.rules")
def test_the_cause_is_reported(case: Case) -> None:
    _, problems = parse_rules(case.text, FILE)
    check(case, problems)


@each("authors.rules", "slips.rules", "broken.rules")
def test_no_diagnostic_suggests_the_written_word(case: Case) -> None:
    assert not [found.help for found in diagnostics_of(case.text) if suggests_written_word(case.text, found)]


@each("authors.rules")
def test_a_missing_brace_is_reported_only_if_braces_do_not_balance(case: Case) -> None:
    code = re.sub(r'"[^"\n]*"|#[^\n]*', "", case.text)
    is_reported = any("close it with `}`" in found.help for found in diagnostics_of(case.text))
    assert not is_reported or code.count("{") > code.count("}")


@sampled(1)
@pytest.mark.parametrize("paragraph", SOUND.splitlines())
def test_a_misplaced_keyword_is_not_suggested_for_itself(paragraph: str) -> None:
    assert not diagnostics_of(paragraph)
    words = paragraph.split(" ")
    keywords = sorted(parser_tables().vocabulary.words)
    silly = []
    for number, keyword in enumerate(keywords):
        # Each keyword at every fifth position, so that every position has some keywords.
        for at in range(1 + number % 5, len(words), 5):
            text = " ".join([*words[:at], keyword, *words[at:]])
            silly += [(text, found.help) for found in diagnostics_of(text) if suggests_written_word(text, found)]
    assert not silly


MEANT = {
    "LABEL": "a-b",
    "SOURCE": "T.1",
    "CONCLUSION": "cost is 1",
    "CONDITION": "m is tired",
    "NAME": "n",
    "PHASE": "movement",
    "VALUE": "1",
    "SIDE": "enemy",
    "EVENT": "entered",
    "{ .. }": "{ stop }",
}


def filled_in(form: str) -> str:
    """Return a form with something in the place of each word that stands for something."""
    for name, meaning in MEANT.items():
        form = form.replace(name, meaning)
    return form


@pytest.mark.parametrize("record", DECLARATIONS.values(), ids=lambda record: record.node.__name__)
def test_the_forms_of_a_declaration_are_parsed_to_it(record: DeclarationRecord[Any]) -> None:
    assert record.forms
    for form in record.forms:
        read, problems = parse_rules(filled_in(form).replace("{ stop }", "{ }"), FILE)
        assert problems == ()
        assert [type(statement) for statement in read.statements] == [record.node]


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_suggested_forms_are_valid(form: str) -> None:
    kind = form.split(" ", maxsplit=1)[0]
    form = filled_in(form)
    form = form.replace("{ stop }", "{ }") if kind in {"case", "dispute", "task"} else form
    form = form.replace("{ stop }", "{ row A }") if kind == "example" else form
    assert not [found.message for found in diagnostics_of(form)]


@pytest.mark.parametrize("word", MEANT_PARAGRAPH)
def test_words_of_other_languages_begin_no_paragraph(word: str) -> None:
    """A word in the list that began to open a paragraph would leave advice that nobody reads."""
    found = diagnostics_of(f'{word} scenario "x" {{ stop }}')
    assert found
    assert f"`{word}`" in found[0].message
    assert "write a new paragraph" not in found[0].help


def test_a_name_is_not_near_itself() -> None:
    assert nearest_names("withdraws", ["withdraws", "withdraw"]) == ("withdraw",)
    assert nearest_names("soft_roads", ["soft-roads"]) == ("soft-roads",)
    assert nearest_key("title", ["title"]) == ()


# A card or chart with an error, and the expected help.
TWINS = [
    ("scenario: s\ntitle:S\nuses: toy\n", "write a colon and a blank after each key"),
    ("scenario: s\norder: north, south\n", "write `[north, south]`"),
    ("layer: x\ntitle: X\nkind: variant\non: toy\n", "write `[toy]`"),
    ("layer: x\ntitle: X\nkind: varient\non: [toy]\n", "did you mean `variant`?"),
    ("scenario: s\nset-up: [north]\n", "did you mean `set_up`?"),
    ("Scenario: s\n", "did you mean `scenario`?"),
    ("scenario: s\nforces:\n  - {side: north, units: {a: 2}, where: {columns: 1..1}}\n", "did you mean `sets_up`?"),
    ("scenario: s\nturns: six\n", "expected a whole number from 0 up"),
]


@pytest.mark.parametrize(("text", "wanted"), TWINS)
def test_errors_in_data_files(text: str, wanted: str) -> None:
    _, problems = read_documents(text, "slip.yaml")
    assert any(wanted in f"{found.message}; {found.help}" for found in diagnose(problems, {"slip.yaml": text}))


def test_an_existing_key_is_not_suggested() -> None:
    text = "pieces: unit\ncites: T.6\ncolumns: [id, side]\nunits:\n  - [runner, north]\n"
    _, problems = read_documents(text, "slip.yaml")
    assert not any("`pieces`" in found.help and "did you mean" in found.help for found in diagnose(problems, {}))
