"""Terms that only preferences of computer players read are printed apart from the terms of the rules."""

from dataclasses import replace

from compiler.rulebook.advisory_questions import advisory_questions
from compiler.rulebook.booklet import AnswerDifference, Baseline, QuestionDifference
from compiler.rulebook.changes import compare_books
from compiler.rulebook.contents import gather_contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.paper.leaflet import print_leaflet
from compiler.rulebook.paper.player_edition import write_player_text
from compiler.rulebook.paper.typst_writer import write_book_text
from runtime.graph import nodes as graph
from tests.books.fair import at, fair
from tests.books.site import read_page, write_book
from tests.toys.build import HEX, amount, ask, num, params, rule, term


def advised() -> graph.Graph:
    """Return the game with drivers who prefer hexes with little hay, an amount that another term counts."""
    book = fair()
    here = params(goal=HEX)
    added = {
        "hay": replace(term("value", "hay", amount(0, 9), here), rules=("much-hay",), reads="the hay in {goal}"),
        "charm": replace(term("value", "charm", amount(0, 9), here), rules=("less-hay",), reads="the charm of {goal}"),
    }
    rules = {
        "much-hay": rule("much-hay", "hay", "is", num(3), origin=at(400)),
        "less-hay": rule("less-hay", "charm", "is", ask("hay", "goal"), origin=at(401)),
    }
    drive = book.procedures["action:drive"]
    choose, goal, *rest = drive.body
    assert isinstance(goal, graph.Choose)
    drive = replace(drive, body=(choose, replace(goal, preferring=ask("charm", "goal")), *rest))
    return replace(
        book,
        terms={**book.terms, **added},
        rules={**book.rules, **rules},
        procedures={**book.procedures, "action:drive": drive},
    )


def test_terms_that_only_preferences_read_are_advisory() -> None:
    assert advisory_questions(fair()) == set()
    assert advisory_questions(advised()) == {"hay", "charm"}


def test_a_term_that_a_guard_reads_is_not_advisory() -> None:
    book = advised()
    changed_rules = replace(book.rules["hedges-stop-wheels"], guard=graph.Op("=", (ask("hay", "goal"), num(3))))
    assert advisory_questions(replace(book, rules={**book.rules, "hedges-stop-wheels": changed_rules})) == {"charm"}


def test_advisory_terms_are_listed_apart_and_not_searched() -> None:
    files = write_book(advised())
    before, _, after = read_page(files["terms.html"]).text.partition("What advises the computer")
    assert "The hay in" in after
    assert "The hay in" not in before
    assert "No rule rests on it." in read_page(files["terms/hay.html"]).text
    assert "No rule rests on it." not in read_page(files["terms/price.html"]).text
    assert "terms/hay.html" not in files["search-index.js"].decode()
    assert "What advises" not in write_book(fair())["terms.html"].decode()


def test_changes_of_advisory_terms_are_not_in_the_booklet() -> None:
    answer_difference = AnswerDifference(
        ("chart-price",), (), ("hay", "may_enter"), 1, "The price", "1", "2", None, "carts", resting=()
    )
    parted = (QuestionDifference("charm", 1, 2, ()), QuestionDifference("price", 1, 2, (answer_difference,)))
    booklet = compare_books(advised(), Baseline(fair(), "the old fair", parted))
    assert {change.thing for change in booklet.changes} & {("term", "hay"), ("rule", "less-hay")} == set()
    assert [parted.term for parted, _ in booklet.answers] == ["price"]
    assert [seen.difference.follows for _, answer_differences in booklet.answers for seen in answer_differences] == [
        ("may_enter",)
    ]


def test_advisory_rules_are_not_in_the_players_edition() -> None:
    book = advised()
    prose = replace(book.rules["less-hay"], prose="Hay charms everybody.", case="going")
    changed_rules = replace(book, rules={**book.rules, "less-hay": prose})
    contents = gather_contents(changed_rules, unplayed_outcomes(changed_rules), None)
    assert contents.is_advisory("less-hay")
    assert "Hay charms" in write_book_text(contents, "The Fair", print_leaflet)["main"].decode()
    assert "Hay charms" not in write_player_text(contents, "The Fair")["main"].decode()
