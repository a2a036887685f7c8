"""Laws in the words that declarations give: of questions, fields, cells, sets, relations, and of steps on a way."""

from fractions import Fraction

import pytest

from compiler.rulebook.exact_words import exact_words
from rulewright.library.stacks import load_stack
from runtime.graph import nodes as graph
from runtime.graph.question_templates import fill_template
from runtime.graph.wording import Wording
from runtime.graph.words import PluralPhrase

SIDE = graph.Parameter("owner", graph.Enum("side"))


@pytest.fixture(scope="module")
def book() -> graph.Graph:
    rules = load_stack("panzer_leader").graph
    assert rules
    return rules


@pytest.mark.parametrize(
    ("label", "sentence"),
    [
        ("flails-heed-no-mines", "The mines in the hex do not attack units in the hex that are flail tanks."),
        ("road-price", "Entering the next hex costs the unit 1/2 movement point when the move is at the road rate."),
        ("in-its-own-turn", "The order may not be carried out when the mission is not for the current turn."),
        ("moved-stay", "The unit may not move when it is done for this turn."),
    ],
)
def test_a_law_is_said_in_declared_words(book: graph.Graph, label: str, sentence: str) -> None:
    [law] = exact_words(book, book.rules[label])
    assert (law.text, law.items) == (sentence, ())


def _steps(*tests: graph.Expr, op: graph.FoldKind = "some") -> graph.Fold:
    path = graph.Get(graph.Spot("piece", "R"), "track", "unit", "path")
    return graph.Fold(op, "s", path, graph.Op("and", tests) if tests else None, None, None)


def _field(name: str, value: graph.Expr) -> graph.Op:
    return graph.Op("=", (graph.Get(graph.Var("s"), "record", "step", name), value))


def test_steps_are_said_as_a_clause_with_the_fields_that_are_stated(book: graph.Graph) -> None:
    wording = Wording(book)
    start, end = (graph.Spot("hex", name) for name in "AB")
    rate, moving = graph.Member("rate", "terrain"), graph.Member("act", "moving")
    whole = (_field("from", start), _field("to", end), _field("rate", rate), _field("act", moving))
    assert wording.clause(_steps(*whole)) == "R has moved from A to B at the terrain rate"
    assert wording.clause(_steps(_field("from", start), op="none")) == "R has not taken a step from A"
    # A condition without words of its own is never left out.
    paid = graph.Op(">", (graph.Get(graph.Var("s"), "record", "step", "paid"), graph.Num(Fraction(2), "MP")))
    assert "2 movement points" in wording.clause(_steps(_field("from", start), paid))


def test_a_parameter_is_said_by_its_own_clause(book: graph.Graph) -> None:
    is_march = graph.Op("=", (graph.Var("intent"), graph.Member("intent", "march")))
    assert Wording(book).clause(is_march) == "the move is a march"
    assert Wording(book).opposite_clause(is_march) == "the move is not a march"


def test_a_member_is_left_out_where_the_declared_clause_can_do_without_it(book: graph.Graph) -> None:
    start, end = (graph.Spot("hex", name) for name in "AB")
    line = graph.Op("line", (start, end))
    blocked = graph.Ask("blocks", (graph.Var("c"), start, end))
    wording = Wording(book)
    assert wording.clause(graph.Fold("some", "c", line, blocked, None, None)) == "something blocks the line from A to B"
    assert wording.clause(graph.Fold("none", "c", line, blocked, None, None)) == "nothing blocks the line from A to B"
    named = wording.with_names({"c": "A/B"})
    assert named.opposite_clause(blocked) == "nothing blocks the line from A to B at A/B"


def test_a_verb_agrees_as_declared() -> None:
    template = "{owner} {owner: holds, hold} the ford"
    assert fill_template(template, (SIDE,), ("the Wolf",)) == "the Wolf holds the ford"
    assert fill_template(template, (SIDE,), (PluralPhrase("the Northers"),)) == "the Northers hold the ford"
