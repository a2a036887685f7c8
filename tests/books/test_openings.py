"""Openings of sections, the parts that order their rules, and headings, in every edition."""

from dataclasses import replace
from pathlib import Path

from compiler.compile import compile_stack
from compiler.rulebook.contents import Contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.headings import RuleEntry, headings_of
from compiler.rulebook.openings import case_openings
from compiler.source.package import discover_layers
from runtime.graph import nodes as graph
from tests.books.fair import HERE, fair
from tests.books.site import write_book

OPENING = graph.Opening("going", "Carts go where hedges let them.", ("Look at the hedge.", "Go."), (), HERE)


def opened(*openings: graph.Opening, headings: tuple[tuple[str, str], ...] = ()) -> Contents:
    """Return the contents of the game with openings."""
    book = fair()
    [layer] = book.layers
    book = replace(book, layers=(replace(layer, openings=openings, headings=headings),))
    return Contents(book, unplayed_outcomes(book), None)


def test_the_opening_is_printed_before_the_rules() -> None:
    text = write_book(opened(OPENING).book)["cases/going.html"].decode()
    assert text.index(OPENING.rule) < text.index("Look at the hedge.") < text.index("Wheels do not cross hedges")


def test_parts_order_the_rules_and_unnamed_rules_are_last() -> None:
    labels = _labels(opened(OPENING))
    assert len(labels) > 1
    reversed_opening = replace(OPENING, parts=(("Going", tuple(reversed(labels[1:]))),))
    assert _labels(opened(reversed_opening)) == [*reversed(labels[1:]), labels[0]]


def test_a_layer_above_adds_to_openings() -> None:
    book = fair()
    [layer] = book.layers
    below = replace(layer, openings=(replace(OPENING, parts=(("Going", ("light-loads",)),)),))
    more = graph.Opening("going", "", (), (("Going", ("pushing",)), ("More", ("light-ruled",))), HERE)
    found = case_openings(replace(book, layers=(below, replace(layer, name="above", openings=(more,)))))["going"]
    assert found.rule == OPENING.rule
    assert found.parts == (("Going", ("light-loads", "pushing")), ("More", ("light-ruled",)))


def test_unknown_names_in_a_book_file_are_problems(tmp_path: Path) -> None:
    for name, text in {
        "layer.yaml": "layer: mine\nkind: base\n",
        "words.rules": 'kind cart\nverdict may_go(u: cart) default yes reads "{u} may go"\n'
        'case going "Going" numbered "1" {\n  rule tired-stay [house] "The tired stay."\n    may_go forbidden\n}\n',
        "book.yaml": "book:\n  - {case: staying, rule: They stay.}\n"
        "  - {case: going, parts: [{Who: [tired-stay, tired-stay, nobody-goes]}]}\n"
        "headings: {may_stay: Staying, may_go: Going, tired-stay: Tired}\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    library, found = discover_layers([tmp_path])
    assert not found
    problems = [each for each in compile_stack(library, "mine").problems if "book.yaml" in str(each)]
    reports = sorted(getattr(each, "name", "") for each in problems)
    assert len(problems) == 4
    assert {"staying", "nobody-goes", "may_stay"} <= {*reports}


def _labels(contents: Contents) -> list[str]:
    """List the rules directly under the case, in order."""
    return [
        entry.label
        for section in contents.outline
        for heading in headings_of(section)
        if heading.label.startswith("going")
        for entry in heading.entries
        if isinstance(entry, RuleEntry)
    ]
