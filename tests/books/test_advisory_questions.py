"""Terms that only preferences of computer players read are printed apart from the terms of the rules."""

from dataclasses import replace

from compiler.rulebook.advisory_questions import advisory_questions
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


def test_advisory_terms_are_listed_apart_and_not_searched() -> None:
    files = write_book(advised())
    before, _, after = read_page(files["questions.html"]).text.partition("What advises the computer")
    assert "The hay in" in after
    assert "The hay in" not in before
    assert "No rule rests on it." in read_page(files["terms/hay.html"]).text
    assert "No rule rests on it." not in read_page(files["terms/price.html"]).text
    assert "terms/hay.html" not in files["search-index.js"].decode()
    assert "What advises" not in write_book(fair())["questions.html"].decode()
