"""The search of the book in a real browser, with the queries of readers."""

import json
from dataclasses import replace
from importlib import resources

import pytest

from compiler.rulebook.contents import gather_contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.index.index_rows import list_index_rows, other_words
from compiler.rulebook.index.options import OptionLayer, option_words, options_about
from compiler.rulebook.index.ranking import SearchIndex
from compiler.rulebook.index.stems import IRREGULAR, stem
from rulewright.library.stacks import load_stack
from rulewright.views.book_places import book_index
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
BESIDE = (
    OptionLayer("sleds", "Sleds and skis", ("winter tires",), ("A sled slides on ice.",)),
    OptionLayer("rafts", "Rafts", (), ("A raft floats over the hay.",)),
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
    for name, content in write_book(searched(), options=BESIDE).items():
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
    contents = gather_contents(book, unplayed_outcomes(book), None)
    index = SearchIndex(tuple(list_index_rows(contents)), other_words(contents))
    options = [*option_words(index, BESIDE)]
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
        guesses = [[word, [*forms]] for word, forms in index.suggested_words(query).items()]
        assert page.ask(f"SEARCH.guesses({query!r})") == guesses, query
        assert page.ask(f"SEARCH.readAs({query!r})") == [
            [word, [*read]] for word, read in index.substituted_words(query).items()
        ]
        named = [[each.name, each.title] for each in options_about(index, options, query)]
        assert page.ask(f"SEARCH.options({query!r})") == named, query


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


def test_words_that_the_book_lacks_are_reported_with_options(page: Tab) -> None:
    assert "An option speaks of this: Sleds and skis, with +sleds." in search_note(page, "skis")
    assert "Options speak of this: Sleds and skis, with +sleds; Rafts, with +rafts." in search_note(
        page, "skis raft sled and"
    )
    assert "option" not in search_note(page, "hedge").lower()
    assert "Nothing in this book says “zeppelin”." in search_note(page, "hedge zeppelin")
    assert "Nothing in this book says “fences”; it is read as “hedge”." in search_note(page, "fences")
    assert "“fnece”; it is read as “hedge”" in search_note(page, "fnece")


def test_a_similar_word_is_a_button(page: Tab) -> None:
    assert "Nothing in this book says “ledge”. Instead of “ledge”, look for hedge" in search_note(page, "ledge lanes")
    page.ask("document.querySelector('#found p button').click(); 0")
    assert page.ask("query.value") == "hedge lanes"
    assert "Nothing" not in page.ask("found.textContent")


@pytest.mark.parametrize("query", ["hedge " * 1000, "x" * 10_000, "hedge lane wheel piece " * 200])
def test_a_very_long_query_takes_less_than_three_seconds(query: str, page: Tab) -> None:
    assert page.ask(f"(() => {{ const at = performance.now(); SEARCH.find({query!r}); SEARCH.options({query!r}); "
                    "return performance.now() - at })()") < 3000  # fmt: skip


def test_an_item_of_a_source_is_the_first_result(page: Tab) -> None:
    assert found(page, "q hay 01")[0] == "Q.HAY.01"
    assert found(page, "HAY.02")[0] == "Q.HAY.02"
    assert "Not in this book." in page.ask("document.querySelector('#found li a').textContent")


def test_a_rule_is_found_by_its_term_and_by_its_example(page: Tab) -> None:
    assert found(page, "may a wheel enter")[0] == "hedges-stop-wheels"
    # Only the example of the rule has the word "dizzy".
    assert found(page, "wheels at the hedge, piece dizzy")[0] == "hedges-stop-wheels"


def test_matching_words_are_marked(page: Tab) -> None:
    found(page, "hedge")
    for part in ("b", ".passage"):
        assert "hedges" in [word.lower().strip(".") for word in page.ask(
            f"[...document.querySelectorAll('#found {part} mark')].map(mark => mark.textContent)"
        )]  # fmt: skip


def test_a_result_shows_the_entry_or_query_by_which_it_was_found(page: Tab) -> None:
    for query, reason in (("through bushes", "bushes: going straight through"), ("zigzag", "zigzag")):
        found(page, query)
        lines = page.ask("document.querySelector('#found li a').innerText").splitlines()
        assert lines[-1].strip() == f"Found by: {reason}"
    found(page, "hedges stop wheels")
    assert "Found by" not in page.ask("document.querySelector('#found li a').innerText")


# The contrast of the color of the first marked word with its background, which is drawn over that of the list.
CONTRAST = """(() => {
  const pixel = (...colors) => {
    const paint = new OffscreenCanvas(1, 1).getContext("2d");
    for (const color of colors) { paint.fillStyle = color; paint.fillRect(0, 0, 1, 1); }
    return [...paint.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((each) => each / 255)
      .map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
  };
  const shine = (color) => 0.05 + 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2];
  const mark = getComputedStyle(document.querySelector("#found mark"));
  const list = getComputedStyle(document.querySelector("#found")).backgroundColor;
  const [low, high] = [pixel(mark.color), pixel(list, mark.backgroundColor)].map(shine).sort((a, b) => a - b);
  return high / low;
})()"""


@pytest.mark.parametrize("night", [False, True])
def test_marked_words_are_legible_by_day_and_by_night(night: bool, page: Tab) -> None:
    page.look(night=night)
    found(page, "hedge")
    contrast = page.ask(CONTRAST)
    page.look()
    assert contrast >= 4.5, "less than the Web Content Accessibility Guidelines ask for"


NAMES = "PAGES BOOK POSTINGS FORMS SYNONYMS STOP_WORDS OPTIONS RANKING STEM".split()


def test_a_page_computes_nothing_for_the_search_before_the_first_query(page: Tab) -> None:
    script = resources.files("compiler.rulebook").joinpath("templates", "search.js").read_text(encoding="utf-8")
    make = f"new Function({', '.join(map(repr, NAMES))}, {json.dumps(script + '; return SEARCH;')})"
    values = ", ".join(NAMES).replace("STEM", "(word) => { stemmed += 1; return STEM(word); }")
    first_search = f"const search = ({make})({values}); const before = stemmed; search.find('hedges');"
    assert page.ask(f"(() => {{ let stemmed = 0; {first_search} return [before, stemmed > 0]; }})()") == [0, True]


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


def test_escape_keeps_the_focus_in_the_page(page: Tab) -> None:
    page.ask("found.removeAttribute('data-open'); document.querySelector('main a').focus(); 0")
    assert press(page, "Escape", 27) == "A false"
