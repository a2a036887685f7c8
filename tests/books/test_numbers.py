"""Numbers of the book: insertions do not change them, and all books of a game have the same."""

import re
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from compiler.rulebook.book import rulings_by_number
from compiler.rulebook.headings import RuleEntry, RulingEntry, headings_of
from compiler.rulebook.numbering import missing_numbers, number_things
from compiler.rulebook.outline import draw_outline
from compiler.rulebook.printed_places import find_printed_places
from compiler.rulebook.register import LawKey, Register, number_register, preceding_numbers
from compiler.source.numbering import number_key, register_key
from rulewright.book_numbers import games_of, number_layer, numbered_layers, read_register
from rulewright.cli.app import run
from rulewright.library.stacks import load_stack, open_packages
from runtime.graph import nodes as graph
from tests.books.fair import fair
from tests.books.gathered import contents_of
from tests.sample import first_of_each, sampled


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


def test_levels_continue_after_nine() -> None:
    level = Register({}, frozenset({"4.22"})).number_level("4.2", point="", author_numbers=())
    assert [level.assign_number(("rule", str(place))) for place in range(10)] == [
        "4.21", "4.23", "4.24", "4.25", "4.26", "4.27", "4.28", "4.29", "4.2-10", "4.2-11",
    ]  # fmt: skip
    assert level.allot("4.21") == "4.2-12"
    letters = Register({}, frozenset()).exception_level("4.2")
    assert [letters.assign_number(("rule", "x")) for _ in range(28)][-3:] == ["4.2z", "4.2aa", "4.2ab"]


@pytest.mark.parametrize(
    ("number", "before"),
    [
        ("4.23", ("4.21", "4.22")),
        ("13.2", ("13.1",)),
        ("8.33 Q2", ("8.33 Q1",)),
        ("4.21c", ("4.21a", "4.21b")),
        ("4.2-10", tuple(f"4.2{digit}" for digit in range(1, 10))),
        ("13", ()),
    ],
)
def test_preceding_numbers_are_listed_in_order(number: str, before: tuple[str, ...]) -> None:
    assert preceding_numbers(number) == before
    assert [*before, number] == sorted([number, *before], key=lambda each: (number_key(each), each))


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
    found = number_layer(open_packages(), layer, ignored_layers=())
    assert found.old_text == found.new_text, f"`rulewright number {layer}` writes it"


@pytest.mark.parametrize("layer", ["panzer_leader", "pg_overrun"])
def test_rules_have_the_number_of_their_part_as_prefix(layer: str) -> None:
    book = load_stack(layer).graph
    assert book
    register = number_register(book)
    outline = draw_outline(book, find_printed_places(book), register)
    given = number_things(outline, register)
    waiting = [*outline]
    for heading in waiting:
        entries = (
            ("rule", entry.label) if isinstance(entry, RuleEntry) else ("ruling", entry.ruling)
            for entry in heading.entries
        )
        inside = [part.number for part in heading.parts] + [given[entry] for entry in entries]
        above = f"{heading.number}." if heading in outline else heading.number
        assert [number for number in inside if not re.match(rf"({re.escape(above)}|{heading.number}-)", number)] == []
        waiting += heading.parts
    assert len(waiting) > 10


def test_renumbering_ignores_the_register_on_disk(tmp_path: Path) -> None:
    layer = tmp_path / "pier"
    layer.mkdir()
    (layer / "layer.yaml").write_text("layer: pier\ntitle: Pier\nkind: optional\non: [low_tide]\n", encoding="utf-8")
    rule = 'case pier "The pier" {{\n{}\n}}\n'
    laws = [
        f'  rule {name} [house] "Nobody steps onto the pier."\n    may_step forbidden\n    when under_water(to)'
        for name in ("last", "middle", "first")
    ]
    for written in (laws[:1], laws[:2][::-1], laws[::-1]):
        (layer / "pier.rules").write_text(rule.format("\n".join(written)), encoding="utf-8")
        assert run(["number", "pier", "--path", str(tmp_path)]) == 0
    grown = _rules_of(layer)
    assert run(["number", "pier", "--afresh", "--path", str(tmp_path)]) == 0
    assert grown == {"last": "4.1", "middle": "4.2", "first": "4.3"}
    assert _rules_of(layer) == {"first": "4.1", "middle": "4.2", "last": "4.3"}


def _rules_of(layer: Path) -> dict[str, str]:
    text: dict[str, str] = yaml.safe_load((layer / "numbers.yaml").read_text(encoding="utf-8"))["numbers"]["rules"]
    return text


def test_rulings_are_listed_in_the_order_of_their_numbers() -> None:
    contents = contents_of("panzer_leader")
    numbers = [contents.numbers.get(("ruling", each.label), "") for each in rulings_by_number(contents)]
    assert sum(map(bool, numbers)) > 50
    assert [each for each in numbers if each] == sorted(filter(None, numbers), key=register_key)
    assert "" not in numbers[: sum(map(bool, numbers))]


@sampled(1)
@pytest.mark.parametrize("stack", ["panzer_leader", "pl1940"])
def test_rulings_without_rules_stand_behind_all_exceptions_in_order(stack: str) -> None:
    contents = contents_of(stack)
    seen = 0
    for heading in (each for section in contents.outline for each in headings_of(section)):
        for entry in heading.entries:
            under = entry.under if isinstance(entry, RuleEntry) else ()
            is_ruling = [isinstance(child, RulingEntry) and not child.entries for child in under]
            assert is_ruling == sorted(is_ruling), entry
            numbers = [
                contents.numbers["ruling", child.ruling]
                for child, is_bare in zip(under, is_ruling, strict=True)
                if is_bare and isinstance(child, RulingEntry)
            ]
            assert numbers == sorted(numbers, key=lambda number: int(number.rpartition("Q")[2]))
            seen += any(is_ruling) and not all(is_ruling)
    assert seen, "no rule has both"
