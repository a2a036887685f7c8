"""The changes of a book against another, topic by topic."""

from dataclasses import replace

from compiler.rulebook.booklet import Baseline, Booklet
from compiler.rulebook.changes import REPEALED, compare_books
from compiler.rulebook.contents import Contents
from compiler.rulebook.evidence import unplayed_outcomes
from runtime.graph import nodes as graph
from tests.books.fair import fair
from tests.toys.build import num
from tests.toys.hares import hares


def without_rule(book: graph.Graph, label: str) -> graph.Graph:
    """Return the game without a rule, also in the terms it defines."""
    terms = {
        name: replace(term, rules=tuple(each for each in term.rules if each != label))
        for name, term in book.terms.items()
    }
    return replace(book, rules={name: rule for name, rule in book.rules.items() if name != label}, terms=terms)


def compared(book: graph.Graph, base: graph.Graph) -> Booklet:
    return compare_books(book, Baseline(base, "the old fair"))


def test_changes_are_grouped_by_section_with_removed_ones_last() -> None:
    book = fair()
    base = without_rule(book, "closed-on-chart")
    fewer = {name: counter for name, counter in book.counters.items() if name != "heavy_cart"}
    topics = compared(without_rule(book, "no-price"), replace(base, counters=fewer)).topics
    section = next(
        section.title for section in Contents(book, unplayed_outcomes(book), None).outline if section.label == "going"
    )
    assert [(topic.title, topic.case) for topic in topics] == [(section, "going"), ("Counters", ""), (REPEALED, "")]
    assert [change.thing[1] for topic in topics for change in topic.changes] == [
        "closed-on-chart", "heavy_cart", "no-price",
    ]  # fmt: skip
    assert topics[-1].remark == "With the numbers that they have in the old fair."


def test_a_changed_chart_has_a_line_for_each_changed_column() -> None:
    book = fair()
    prices = book.tables["prices"]
    first, *others = prices.rows
    dearer = replace(prices, rows=(replace(first, value=num(9, "MP")), *others[:-1]))
    [change] = compared(replace(book, tables={**book.tables, "prices": dearer}), book).changes
    assert change.thing == ("chart", "prices")
    assert any("9 (was 1)" in line for line in change.now), change.now
    assert any("none (was " in line for line in change.now), change.now


def test_a_ruling_with_equal_words_in_both_books_is_no_change() -> None:
    book = fair()
    [label, *_] = book.rulings
    renamed = {f"other-{name}" if name == label else name: ruling for name, ruling in book.rulings.items()}
    assert compared(replace(book, rulings=renamed), book).changes == ()


def test_a_hook_with_another_number_is_no_change() -> None:
    book = hares()
    key, hook = next((key, each) for key, each in book.procedures.items() if each.what == "hook")
    moved = {f"{name}9" if each.what == "hook" else name: each for name, each in book.procedures.items()}
    added = replace(hook, prose="Another one.", body=hook.body[:1] * 3, origin=replace(hook.origin, layer="other"))
    changes = compare_books(replace(book, procedures={**moved, key: added}), Baseline(book, "the hares")).changes
    assert [(change.how, change.thing) for change in changes] == [("new", ("procedure", key))]


def test_a_hook_that_offers_a_reaction_is_listed_with_it() -> None:
    book = hares()
    hook = next(each for each in book.procedures.values() if each.what == "hook")
    action = replace(hook, what="action", name="rest", prose="It rests.", parameters=())
    offering = replace(hook, prose="", body=(graph.Offer((("rest", ()),), None, None),))
    base = {**book.procedures, "action:rest": action}
    for old, listed in ((book.procedures, ["action:rest"]), (base, ["hook:later"])):
        now = replace(book, procedures={**base, "hook:later": offering})
        changes = compare_books(now, Baseline(replace(book, procedures=old), "the hares")).changes
        assert [change.thing[1] for change in changes] == listed


def test_a_removed_rule_keeps_its_number() -> None:
    book = fair()
    contents = Contents(book, unplayed_outcomes(book), None)
    label = next(label for label in book.rules if ("rule", label) in contents.numbers)
    terms = {
        name: replace(term, rules=tuple(each for each in term.rules if each != label))
        for name, term in book.terms.items()
    }
    less = replace(book, rules={each: rule for each, rule in book.rules.items() if each != label}, terms=terms)
    [gone] = (each for each in compare_books(less, Baseline(book, "the fair")).changes if each.thing == ("rule", label))
    assert (gone.how, gone.number) == ("gone", contents.numbers["rule", label])
