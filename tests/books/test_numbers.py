"""Numbers of the book: insertions do not change them, and all books of a game have the same."""

from collections import defaultdict
from dataclasses import replace

import pytest

from compiler.rulebook.numbering import missing_numbers, number_things
from compiler.rulebook.outline import draw_outline
from compiler.rulebook.printed_places import find_printed_places
from compiler.rulebook.register import LawKey, number_register
from rulewright.library.stacks import load_stack, open_packages
from rulewright.write.book_numbers import games_of, number_layer, numbered_layers, read_register
from runtime.graph import nodes as graph
from tests.books.fair import fair
from tests.sample import first_of_each


def numbers(book: graph.Graph) -> dict[LawKey, str]:
    register = number_register(book)
    return number_things(draw_outline(book, find_printed_places(book), register), register)


def keeping(book: graph.Graph, numbers: dict[LawKey, str], retired: dict[str, str] | None = None) -> graph.Graph:
    """Return the book with a register of numbers in its lowest layer."""
    rows = [(*thing, number) for thing, number in numbers.items()]
    rows += [("retired", label, number) for number, label in (retired or {}).items()]
    return replace(book, layers=(replace(book.layers[0], numbers=tuple(rows)), *book.layers[1:]))


def with_rule(book: graph.Graph, label: str, like: str) -> graph.Graph:
    """Return the book with a copy of a rule, under a new label."""
    model = book.rules[like]
    added = replace(model, label=label, defeats=(), relations=(), ruling="", prose="It is new.")
    terms = {name: replace(book.terms[name], rules=(*book.terms[name].rules, label)) for name in model.terms}
    return replace(book, rules={**book.rules, label: added}, terms={**book.terms, **terms})


def test_an_inserted_rule_changes_no_registered_number() -> None:
    before = numbers(fair())
    [like, *_] = sorted(label for (what, label), number in before.items() if what == "rule" and number.endswith("1"))
    moved = numbers(with_rule(fair(), "aaa-new", like))
    after = numbers(with_rule(keeping(fair(), before), "aaa-new", like))
    assert any(moved[thing] != number for thing, number in before.items())
    assert {thing: after[thing] for thing in before} == before
    assert after["rule", "aaa-new"] not in before.values()


def test_a_case_of_an_option_takes_no_rules_of_the_game() -> None:
    book, loose = fair(), "company-calms"
    assert not find_printed_places(book).cases[loose]
    option = replace(book.layers[0], name="option", kind="optional", on=(book.layers[0].name,), numbers=())
    origin = replace(book.rules[loose].origin, layer="option")
    case = graph.Case("of-the-option", "Of the option", "", "", origin)
    grown = with_rule(book, "aaa-new", loose)
    rules = {**grown.rules, "aaa-new": replace(grown.rules["aaa-new"], case=case.label, origin=origin)}
    cases = {**book.cases, case.label: case}
    grown = replace(grown, layers=(*book.layers, option), cases=cases, rules=rules)
    before, after = find_printed_places(book).cases, find_printed_places(grown).cases
    assert after == {**before, "aaa-new": case.label}


def test_a_new_rule_gets_no_used_or_retired_number() -> None:
    before = numbers(fair())
    free = numbers(with_rule(keeping(fair(), before), "aaa-new", "chart-price"))["rule", "aaa-new"]
    second_numbers = numbers(with_rule(keeping(fair(), before, {free: "aaa-old"}), "aaa-new", "chart-price"))
    assert second_numbers["rule", "aaa-new"] not in (*before.values(), free)


def test_a_missing_number_is_listed() -> None:
    book = fair()
    before = numbers(book)
    shifted = {**before, ("rule", "chart-price"): before["rule", "chart-price"][:-1] + "9"}
    first_numbers = keeping(book, shifted)
    message = " ".join(
        missing_numbers(
            first_numbers, draw_outline(first_numbers, find_printed_places(first_numbers)), numbers(first_numbers)
        ).values()
    )
    assert before["rule", "chart-price"] in message
    assert not any(missing_numbers(book, draw_outline(book, find_printed_places(book)), before).values())


def test_every_number_of_a_game_belongs_to_one_entry() -> None:
    library = open_packages().library
    given: dict[tuple[str, str], set[LawKey]] = defaultdict(set)
    has: dict[tuple[str, LawKey], set[str]] = defaultdict(set)
    for layer in numbered_layers(library):
        for game in games_of(library, layer):
            for what, label, number in read_register(library, layer):
                given[game, number].add((what, label))
                if what != "retired":
                    has[game, (what, label)].add(number)
    assert len(given) > 1500
    assert {number: things_of_number for number, things_of_number in given.items() if len(things_of_number) > 1} == {}
    assert {thing: numbers_ for thing, numbers_ in has.items() if len(numbers_) > 1} == {}


@pytest.mark.parametrize("stack", ["panzer_leader", "panzerblitz"])
def test_shipped_entries_have_registered_numbers(stack: str) -> None:
    book = load_stack(stack).graph
    assert book
    first_numbers = number_register(book).numbers
    new = {thing: number for thing, number in numbers(book).items() if first_numbers.get(thing) != number}
    assert not new, f"`rulewright number {stack}` gives them numbers that stay"


LIBRARY = open_packages().library


@pytest.mark.parametrize(
    "layer", first_of_each(numbered_layers(LIBRARY), lambda layer: LIBRARY.layers[layer].kind.text)
)
def test_registers_are_up_to_date(layer: str) -> None:
    found = number_layer(open_packages(), layer)
    assert found.old_text == found.new_text, f"`rulewright number {layer}` writes it"
