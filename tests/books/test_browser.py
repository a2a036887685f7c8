"""The site in a real browser, from files: in light and dark colors, on wide and narrow screens."""

import os
from pathlib import Path

import pytest

from compiler.rulebook.contents import PAGE_TITLES
from rulewright.serve.cli.app import run
from tests.books.browser import Tab, axe, chromium
from tests.sample import LONG, sampled

pytestmark = pytest.mark.skipif(not chromium(), reason="NOT LOOKED AT IN A BROWSER: there is no Chromium here")
needs_axe = pytest.mark.skipif(not axe(), reason="ACCESSIBILITY NOT CHECKED: axe-core-python is not installed")

# A page of every kind; RULEWRIGHT_BOOK names a written book whose pages are all examined.
KINDS = tuple(PAGE_TITLES)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a small book with a booklet of changes, or return the folder in RULEWRIGHT_BOOK."""
    if named := os.environ.get("RULEWRIGHT_BOOK"):
        return Path(named)
    out = tmp_path_factory.mktemp("book")
    assert run(["reference", "panzer_grenadier+pg_mire", "--against", "panzer_grenadier", "--out", str(out)]) == 0
    return out


@pytest.fixture
def page(opened: Tab) -> Tab:
    return opened


def pages_to_examine(book: Path) -> list[Path]:
    if os.environ.get("RULEWRIGHT_BOOK"):
        return sorted(path for path in book.rglob("*.html") if path.parent.name != "go")
    one_each = [min((book / folder).glob("*.html")) for folder in ("cases", "terms")]
    return [path for name in KINDS if (path := book / f"{name}.html").exists()] + one_each


# All pages share one style sheet of colors: three pages with a text, a grid and a list cover the dark scheme.
BY_NIGHT = ("index", "charts", "keywords")
BY_DAY = tuple(name for name in KINDS if name not in BY_NIGHT)


@sampled(0)
@needs_axe
@pytest.mark.parametrize(
    ("wide", "night", "names"),
    [
        (1280, False, BY_DAY),
        (390, True, BY_NIGHT),
        pytest.param(1280, False, (), marks=LONG),
        pytest.param(390, True, (), marks=LONG),
    ],
)
def test_axe_reports_no_violation(wide: int, night: bool, names: tuple[str, ...], book: Path, page: Tab) -> None:
    script = axe()
    page.look(wide=wide, night=night)
    found = {}
    for path in pages_to_examine(book):
        if names and path.stem not in names:
            continue
        page.open(path.as_uri())
        if faults := page.faults(script):
            found[path.name] = faults
    assert not found


@sampled(0)
def test_no_page_is_wider_than_a_phone(book: Path, page: Tab) -> None:
    page.look(wide=390)
    wide = {}
    for path in pages_to_examine(book):
        page.open(path.as_uri())
        if (width := page.ask("document.documentElement.scrollWidth")) > 390:
            wide[path.name] = width
    assert not wide


@sampled(0)
def test_closed_details_are_not_printed(book: Path, page: Tab) -> None:
    """Closed details cannot be opened on paper, so their summaries are hidden; examples are printed open."""
    page.look()
    closed = "document.querySelectorAll('details:not(.example):not([open]) > summary')"
    text = f"[...{closed}].filter(each => each.checkVisibility()).map(each => each.textContent)"
    found = {}
    for path in pages_to_examine(book):
        page.open(path.as_uri())
        page.call("Emulation.setEmulatedMedia", media="print")
        if folded := page.ask(text):
            found[path.name] = folded[:3]
    page.call("Emulation.setEmulatedMedia", media="")
    assert not found


def test_the_search_works_from_a_file(book: Path, page: Tab) -> None:
    page.look()
    page.open((book / "index.html").as_uri())
    word = page.ask("BOOK.find(row => row[0] === 'Rule')[1].split(' ')[0]")
    page.ask(f"query.value = {word!r}; query.dispatchEvent(new Event('input')); 0")
    titles = page.ask("[...document.querySelectorAll('#found li a')].map(a => a.textContent)")
    assert any(word.lower() in title.lower() for title in titles)
    first = page.ask("document.querySelector('#found li a').href")
    page.open(first)
    assert page.ask("document.querySelector(':target') !== null")


def test_without_scripts_no_control_is_shown(book: Path, page: Tab) -> None:
    """A control that does nothing misleads; the text stays complete."""
    page.look()
    page.open((book / "index.html").as_uri())
    visible_count = "[...document.querySelectorAll('button, input, select')].filter(e => e.offsetParent).length"
    assert page.ask(visible_count) > 1
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        page.open((book / "index.html").as_uri())
        root = page.call("DOM.getDocument")["root"]["nodeId"]
        found = page.call("DOM.querySelectorAll", nodeId=root, selector="button, input, select")["nodeIds"]
        assert found
        visible = []
        for node in found:
            reply = page.call("DOM.resolveNode", nodeId=node)["object"]["objectId"]
            seen = "function() { return !!this.offsetParent; }"
            shows = page.call("Runtime.callFunctionOn", objectId=reply, functionDeclaration=seen, returnByValue=True)
            visible.append(shows["result"]["value"])
        assert not any(visible)
    finally:
        page.call("Emulation.setScriptExecutionDisabled", value=False)
