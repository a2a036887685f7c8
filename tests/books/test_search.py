"""The search of the book in a real browser, with the queries of readers."""

from dataclasses import replace

import pytest

from compiler.rulebook.contents import Contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.index.index_rows import list_index_rows, other_words
from compiler.rulebook.index.ranking import SearchIndex
from compiler.rulebook.index.stems import IRREGULAR, stem
from rulewright.book.book_places import book_index
from rulewright.library.stacks import load_stack
from runtime.graph import nodes as graph
from tests.books.browser import Tab, chromium
from tests.books.fair import fair
from tests.books.site import write_book

pytestmark = pytest.mark.skipif(not chromium(), reason="SEARCH NOT TRIED: there is no Chromium here")


QUERIES = {
    "hedges stop wheels": "hedges-stop-wheels",  # its title
    "hedges-stop-wheels": "hedges-stop-wheels",  # its label
    "crossing a hedge with a wheel": "hedges-stop-wheels",  # other forms of its words
    "fences": "hedges-stop-wheels",  # another word
    "wheels hedgs": "hedges-stop-wheels",  # a slip
    "wheels fecnes": "hedges-stop-wheels",  # a slip in another word
    "hedg": "hedges-stop-wheels",  # not typed to the end
    "do light loads pay": "light-loads",  # the question of a ruling
    "3.2": "prices",  # a number
    "fodder": "light-ruled",  # the heading of its source
    "pushing & pulling": "pushing",
    "zigzag": "hedges-stop-wheels",  # a query that the layer declares
    "going straight through bushes": "hedges-stop-wheels",  # an entry of the index
}


HOSTILE = (
    "zzzzqqq",
    "'",
    "\\",
    "<b>",
    "constructor",
    "__proto__",
    "toString",
    "the of",
    "h",
    ".*",
    "[a-z]+(",
    "戦車",
    "8.33 Q2",
)


def searched() -> graph.Graph:
    """Return the game with synonyms, queries of readers, an entry of the index, and a heading in its sources."""
    book = fair()
    [layer] = book.layers
    document = graph.Document("Q", "Questions", "", (("HAY", 2),), (("HAY", "Fodder"),))
    rules = {**book.rules, "light-ruled": replace(book.rules["light-ruled"], cites=("Q.HAY.01",))}
    see = (("fence", ("hedge",)), ("right of way", ("lane",)), ("by night", ("cart",)), ("IF", ("hedge",)))
    queries = (("hedges-stop-wheels", ("barrow around it", "zigzag")), ("prices", ("toll",)))
    index = (("bushes", "going straight through", ("hedges-stop-wheels",)),)
    layer = replace(layer, see=see, asked=queries, index=index)
    return replace(book, rules=rules, documents=(document,), layers=(layer,))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, opened: Tab) -> Tab:
    place = tmp_path_factory.mktemp("searched")
    for name, content in write_book(searched()).items():
        (place / name).parent.mkdir(exist_ok=True, parents=True)
        (place / name).write_bytes(content)
    opened.look()
    opened.open((place / "index.html").as_uri())
    return opened


def found(page: Tab, query: str) -> list[str]:
    """Type a query; return the labels of the results."""
    page.ask(f"query.value = {query!r}; query.dispatchEvent(new Event('input')); 0")
    return list(page.ask("[...document.querySelectorAll('#found li a')].map(a => a.href.split('#')[1])"))


@pytest.mark.parametrize(("query", "label"), QUERIES.items())
def test_queries_of_readers_find_the_label(query: str, label: str, page: Tab) -> None:
    assert label in found(page, query)[:3]


def test_the_page_ranks_as_the_index_does(page: Tab) -> None:
    book = searched()
    contents = Contents(book, unplayed_outcomes(book), None)
    index = SearchIndex(tuple(list_index_rows(contents)), other_words(contents))
    for query in (
        *QUERIES,
        *HOSTILE,
        "wheel",
        "piece pay price",
        "hay lane wheels",
        "whel of fire",
        "the of",
        "cart 3.2",
        "hay lanes",
        "haylane",
        "whe els",
        "wheels 7:2",
        "3:1",
        "1-1",
        "going 3.2",
        "3.2A Q1",
        "3.2 Q7 wheels",
        "fnece lnae hdge",
        "fences on the right of way",
        "skis",
        "tires in winter",
        "wheels on ice",
        "rafting in hay",
        "пехота wheels",
        "hedges-stop-wheels and lanes",
        "ledge lanes",
        "wheels by night",
        "night wheels",
        "by night",
        "wheals",
        "IF",
        "IF wheels",
        "if wheels",
        "WHEELS IF ALSO LANES",
        "hdgs",
        "tolls",
        "barrow zigzag bushes",
    ):
        expected = [
            [place.head.address, [row.address for row in place.rows], [list(pair) for pair in place.found_by.items()]]
            for place in index.find(query)
        ]
        parts = "[place.head.address, place.rows.map((row) => row.address), [...place.foundBy]]"
        assert page.ask(f"SEARCH.find({query!r}).map((place) => {parts})") == expected, query
        assert page.ask(f"SEARCH.unknown({query!r})") == index.unknown_words(query), query
        assert page.ask(f"SEARCH.readAs({query!r})") == [
            [word, [*read]] for word, read in index.substituted_words(query).items()
        ]


def test_the_page_stems_words_as_the_index_does(page: Tab) -> None:
    texts = sorted(book_index(load_stack("panzer_leader", [])).forms)
    endings = ("s", "ed", "ing", "ly", "ness", "ational", "ment", "er", "izers", "y", "ying", "fully")
    words = [*texts, *(f"{word}{endings[at % len(endings)]}" for at, word in enumerate(texts) if word.isalpha())]
    words = [word for word in words if word.isalpha() and word.isascii() and word not in IRREGULAR]
    assert page.ask(f"{words!r}.map(STEM)") == [stem(word) for word in words]


def search_note(page: Tab, query: str) -> str:
    """Type a query; return the text beside the results."""
    found(page, query)
    return str(page.ask("[...document.querySelectorAll('#found .count')].map(p => p.textContent).join(' ')"))


def test_words_that_the_book_lacks_are_reported(page: Tab) -> None:
    assert "Nothing in this book says “zeppelin”." in search_note(page, "hedge zeppelin")
    assert "Nothing in this book says “fences”; it is read as “hedge”." in search_note(page, "fences")
    assert "“fnece”; it is read as “hedge”" in search_note(page, "fnece")


@pytest.mark.parametrize("query", HOSTILE)
def test_hostile_queries_have_a_message(query: str, page: Tab) -> None:
    found(page, query)
    assert page.ask("document.querySelector('#found .count').textContent")


def press(page: Tab, key: str, code: int) -> str:
    """Press a key; return the focused element, and whether the results are shown."""
    for how in ("rawKeyDown", "keyUp"):
        page.call("Input.dispatchKeyEvent", type=how, key=key, code=key, windowsVirtualKeyCode=code)
    return str(
        page.ask("`${document.activeElement.id || document.activeElement.tagName} ${found.hasAttribute('data-open')}`")
    )


def test_the_keyboard_moves_focus_to_the_results_and_back(page: Tab) -> None:
    page.ask("query.focus(); 0")
    found(page, "hedge")
    assert press(page, "ArrowDown", 40) == "A true"
    assert press(page, "Escape", 27) == "query false"
    assert press(page, "ArrowDown", 40) == "A true"
    assert press(page, "ArrowUp", 38) == "query true"
    assert press(page, "Tab", 9) == "theme false"  # The focus moves to the page.
