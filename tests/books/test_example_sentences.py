"""Sentences of examples: stations of the sequence of play, records, notes of a hex, the side to act."""

import pytest

from compiler.rulebook.assignments import assignment_text
from compiler.rulebook.contents import cell_words
from compiler.rulebook.evidence import AnswerEvidence
from compiler.rulebook.example_questions import distinct_questions
from compiler.rulebook.examples import _example_step, _order_text
from rulewright.library.stacks import load_stack
from runtime.graph import nodes as graph
from runtime.graph.walk import walk
from runtime.graph.wording import Wording
from tests.books.gathered import contents_of
from tests.sample import sampled

YES = AnswerEvidence("yes", "", (), (), "", ())


@pytest.fixture(scope="module")
def book() -> graph.Graph:
    rules = load_stack("panzer_leader").graph
    assert rules
    return rules


def test_stations_have_the_titles_of_the_book(book: graph.Graph) -> None:
    stop = graph.Station(graph.STOP, "", "")
    offer, phase = graph.Station("offer", "equip", "german"), graph.Station("phase", "deployment", "german")
    wording = Wording(book)
    assert _order_text(wording, (offer, stop)) == (
        "Play comes to “Name an engineer's vehicle” for the German side, where the example continues."
    )
    assert _order_text(wording, (offer, phase)) == (
        "Play comes to “Name an engineer's vehicle” for the German side and "
        "the phase “Set-up” of the German side, in this order."
    )


def test_the_side_to_act_is_no_player_that_becomes_a_side(book: graph.Graph) -> None:
    target, value = graph.GameTrack("game", "player"), graph.Member("side", "german")
    assert assignment_text(Wording(book), target, value) == "the German side is to act"


def test_questions_about_records_state_which(book: graph.Graph) -> None:
    """Answers differ, and so must their sentences, where an example describes several attacks."""
    for title in ("odds without firers or without targets", "a unit at sea is not fired at together with one ashore"):
        [example] = (each for each in book.examples if each.title == title)
        lines = [line for line in example.lines if isinstance(line, graph.Check)]
        texts = [_example_step(Wording(book), line, YES).text for line in lines]
        assert len({*texts}) == len(texts) > 1, texts


def test_what_a_hex_notes_is_stated_once(book: graph.Graph) -> None:
    checks = (line for example in book.examples for line in example.lines if isinstance(line, graph.Check))
    with_presence = (line for line in checks if any(isinstance(node, graph.Has) for node in walk(line.question)))
    texts = [_example_step(Wording(book), line, YES).text for line in with_presence]
    assert "The last occupant of B is Allied." in texts
    assert not [text for text in texts if "has a last occupant and" in text]


def test_equal_columns_state_what_is_asked_about(book: graph.Graph) -> None:
    [example] = (each for each in book.examples if each.title.startswith("one's own fort under enemies, by the form"))
    checks = tuple(place for place, line in enumerate(example.lines) if isinstance(line, graph.Check))
    heads = distinct_questions(Wording(book), example, checks)
    assert len({*heads}) == len(heads) == 2


@pytest.mark.parametrize("stack", ["panzer_leader", "panzerblitz"])
def test_no_two_questions_of_an_example_have_the_same_words(stack: str) -> None:
    """Questions differ in what they ask about, or in the time at which they are asked."""
    rules = contents_of(stack).book
    heads = {}
    for example in rules.examples:
        checks = tuple(place for place, line in enumerate(example.lines) if isinstance(line, graph.Check))
        if example.names and len(checks) > 1:
            heads[example.title] = distinct_questions(Wording(rules), example, checks)
    assert len(heads) > 10
    assert [title for title, questions in heads.items() if len({*questions}) < len(questions)] == []
    assert any(question.endswith(", before") for questions in heads.values() for question in questions)


def test_answers_about_several_named_records_name_them() -> None:
    found = contents_of("panzerblitz")
    [example] = (each for part in found.examples.values() for each in part if each.title == "Overrun arithmetic")
    texts = [line.text for line in example.lines]
    assert "The shift of the odds: 1 odds column (the storm)." in texts
    assert "The shift of the odds: 0 odds columns (the shot)." in texts
    assert "The strength of T: 12 factors." in texts, "only one question has these words"


def test_a_member_is_described_by_what_it_has() -> None:
    exact = contents_of("panzer_leader").rules["seen-from-next-door"].logic
    assert "whose hex is next to" in exact
    assert "where its hex" not in exact


@sampled(0)
def test_only_equal_columns_state_what_is_asked_about_and_no_name_twice() -> None:
    book = contents_of("panzer_leader+field_of_fire").book
    [example] = (each for each in book.examples if each.title == "planes that a gun laid to the north may fire at")
    checks = tuple(place for place, line in enumerate(example.lines) if isinstance(line, graph.Check))
    heads = distinct_questions(Wording(book), example, checks)
    assert heads[0].startswith("the target lies in the field of fire of G")
    assert not [head for head in heads if head.endswith(" (the target)")]


def test_a_reason_names_a_cell_as_the_chart_prints_it() -> None:
    found = contents_of("panzer_grenadier")
    assert cell_words(found, "terrain[wooded, motorized]") == "Terrain chart: movement costs, woods, motorized"
    assert {row.heads[0] for chart in found.charts if chart.name == "terrain" for row in chart.rows} >= {
        "woods",
        "town",
    }
