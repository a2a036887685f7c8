"""Subjects that layers declare, and nicknames of counters, in the index and in the search."""

from dataclasses import replace
from pathlib import Path

from compiler.compile import compile_stack
from compiler.rulebook.contents import Contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.index.index_rows import list_index_rows, other_words
from compiler.rulebook.index.ranking import SearchIndex
from compiler.source.package import discover_layers
from runtime.graph import nodes as graph
from tests.books.fair import fair
from tests.books.site import write_book

SUBJECTS = (
    ("carts", "fences in the way", ("hedges-stop-wheels",)),
    ("toll", "", ("prices", "no-such-rule")),
    ("order of play", "", ("sequence",)),
)


def indexed() -> graph.Graph:
    """Return the game with subjects."""
    book = fair()
    [layer] = book.layers
    return replace(book, layers=(replace(layer, index=SUBJECTS),))


def test_subjects_have_sub_entries_with_printed_places() -> None:
    book = indexed()
    contents = Contents(book, unplayed_outcomes(book), None)
    found = {entry.word.lower(): entry for entry in contents.keywords}
    [carts] = (entry for word, entry in found.items() if word in ("cart", "carts") and entry.under)
    assert carts.under == (("fences in the way", (("rule", "hedges-stop-wheels"),)),)
    assert found["toll"].places == (("case", "prices"),)
    assert found["order of play"].places[0][0] == "procedure"
    assert "fences in the way" in write_book(book)["keywords.html"].decode()


def test_the_search_finds_the_places_of_a_subject() -> None:
    book = indexed()
    contents = Contents(book, unplayed_outcomes(book), None)
    index = SearchIndex(tuple(list_index_rows(contents)), other_words(contents))
    best = index.find("fences in the way")[0]
    assert best.head.address == contents.links.link_to(("rule", "hedges-stop-wheels"))
    assert all(row.sort != "Index" for row in best.rows)


def test_queries_of_a_book_file_are_searched_and_not_printed() -> None:
    book = fair()
    [layer] = book.layers
    searches = (("hedges-stop-wheels", ("barrow through bushes", "zigzag")), ("no-such-rule", ("never",)))
    book = replace(book, layers=(replace(layer, asked=searches),))
    contents = Contents(book, unplayed_outcomes(book), None)
    index = SearchIndex(tuple(list_index_rows(contents)), other_words(contents))
    for typed in ("bushes", "zigzag", "barrows bush"):
        assert index.find(typed)[0].head.address == contents.links.link_to(("rule", "hedges-stop-wheels"))
    assert index.unknown_words("never") == ["never"]
    assert "zigzag" not in write_book(book)["keywords.html"].decode()


def test_queries_lead_to_actions_disputes_and_definitions() -> None:
    book = fair()
    [layer] = book.layers
    action, procedure = next((key, each) for key, each in book.procedures.items() if each.what == "action")
    dispute = next(iter(book.disputes))
    plain = Contents(book, unplayed_outcomes(book), None)
    definition = next(label for label in book.rules if plain.printed_places.only_defines(book.rules[label]))
    searches = (
        (f"action {procedure.name}", ("zigzag",)),
        (dispute, ("quarrelsome",)),
        (definition, ("whatchamacallit",)),
    )
    contents = Contents(replace(book, layers=(replace(layer, asked=searches),)), unplayed_outcomes(book), None)
    index = SearchIndex(tuple(list_index_rows(contents)), other_words(contents))
    leads_to = {
        "zigzag": ("procedure", action),
        "quarrelsome": ("dispute", dispute),
        "whatchamacallit": ("rule", definition),
    }
    for typed, thing in leads_to.items():
        assert index.find(typed)[0].head.address == contents.links.link_to(thing)


def test_a_counter_is_found_by_its_nickname() -> None:
    book = fair()
    name, counter = next(iter(book.counters.items()))
    named = replace(book, counters={**book.counters, name: replace(counter, nicknames=("Rattletrap",))})
    contents = Contents(named, unplayed_outcomes(named), None)
    index = SearchIndex(tuple(list_index_rows(contents)), other_words(contents))
    assert index.find("rattletrap")[0].head.address == contents.links.link_to(("counter", name))


def test_unknown_names_of_subjects_and_nicknames_are_problems(tmp_path: Path) -> None:
    for name, text in {
        "layer.yaml": "layer: mine\nkind: base\n",
        "words.rules": 'kind cart\nverdict may_go(u: cart) default yes reads "{u} may go"\n'
        'case going "Going" {\n  rule tired-stay [house] "The tired stay."\n    may_go forbidden\n}\n',
        "book.yaml": "book: []\nindex:\n  carts: {go: [tired-stay, may_go, going], turn: sequence, lost: gone-cart}\n"
        "asked: {tired-stay: [asleep, worn out], may_go: go, no-cart: none}\n",
        "carts.yaml": "pieces: cart\ncolumns: [id]\nnicknames: {barow: [Betsy]}\nrows: [[barrow]]\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    library, found = discover_layers([tmp_path])
    assert "barow" in "\n".join(map(str, (*found, *compile_stack(library, "mine").problems)))
    (tmp_path / "carts.yaml").write_text(
        "pieces: cart\ncolumns: [id]\nnicknames: {barrow: [Betsy]}\nrows: [[barrow]]\n"
    )
    library, found = discover_layers([tmp_path])
    assert not found
    problems = [getattr(each, "name", "") for each in compile_stack(library, "mine").problems]
    assert [name for name in problems if name] == ["gone-cart", "no-cart"]
