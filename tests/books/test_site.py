"""The site as a whole: it is reproducible, every link has a target, every page is well formed."""

import json
import os
import subprocess
import sys
from hashlib import sha256
from itertools import pairwise

import pytest

from tests.books.fair import fair, fair_with_gaps
from tests.books.site import GAMES, broken_links, pages, site, write_book
from tests.sample import sampled
from tests.tidy.check import ROOT

ALL = pytest.mark.parametrize("name", sorted(GAMES))


@ALL
def test_every_link_has_a_target(name: str) -> None:
    assert not [*broken_links(site(name))]


@ALL
def test_pages_are_well_formed(name: str) -> None:
    assert not {path: page.faults for path, page in pages(site(name)).items() if page.faults}


@ALL
def test_the_same_graph_gives_the_same_bytes(name: str) -> None:
    assert write_book(GAMES[name]()) == site(name)


@sampled(0)
def test_bytes_do_not_depend_on_the_hash_seed() -> None:
    code = (
        "from hashlib import sha256; from tests.books.site import write_book; from tests.books.fair import fair;"
        "import sys; sys.stdout.write(sha256(repr(sorted(write_book(fair()).items())).encode()).hexdigest())"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )  # fmt: skip
    assert run.stdout == sha256(repr(sorted(site("fair").items())).encode()).hexdigest()


@ALL
def test_pages_load_nothing_from_the_network(name: str) -> None:
    for path, text in site(name).items():
        assert b"http:" not in text, path
        assert b"https:" not in text, path


@ALL
def test_pages_have_the_landmarks_of_screen_readers(name: str) -> None:
    for path, page in pages(site(name)).items():
        tags = [tag for tag, _ in page.tags]
        assert tags.count("h1") == 1, path
        assert tags.count("main") == 1, path
        if path.startswith("go/"):
            continue
        assert ("nav", {"id": "contents", "aria-label": "Contents"}) in page.tags, path
        assert "#main" in page.links, path
        levels = [int(tag[1]) for tag in tags if tag in {"h1", "h2", "h3", "h4", "h5", "h6"}]
        assert all(after <= before + 1 for before, after in pairwise(levels)), (path, levels)
        for tag, given in page.tags:
            if tag == "th":
                assert given.get("scope") in {"row", "col"}, path
            if tag == "svg":
                assert given.get("role") == "presentation" or given.get("aria-label"), path
        assert tags.count("table") == tags.count("caption"), path


@ALL
def test_every_entry_has_its_anchor(name: str) -> None:
    book = GAMES[name]()
    anchors = {anchor for page in pages(site(name)).values() for anchor in page.anchors}
    rules = {label for label, rule in book.rules.items() if not (rule.ruling and not rule.verb and not rule.defeats)}
    named = rules | {*book.rulings} | {*book.cases} | {*book.disputes} | {*book.counters}
    named |= {*book.vocabulary.records} | {*book.vocabulary.relations}
    assert not named - anchors
    for term in book.terms:
        assert {term, f"term-{term}"} & anchors
    for table in book.tables:
        assert {table, f"chart-{table}"} & anchors


def test_the_search_index_has_every_rule_and_ruling() -> None:
    pages_line, book_lines = site("fair")["search-index.js"].decode().split(";\nconst POSTINGS")[0].split(";\n", 1)
    names = json.loads(pages_line.removeprefix("const PAGES = "))
    rows = json.loads(book_lines.removeprefix("const BOOK = "))
    addresses = {(row[0], row[3]) for row in rows if not isinstance(row[1], int)}
    found = {(sort, address.partition("#")[2]) for sort, address in addresses}
    book = fair()
    assert {("Ruling", label) for label in book.rulings} <= found
    assert {label for sort, label in found if sort in {"Rule", "Definition"}} == {*book.rules} - {"only-asked"}
    read = pages(site("fair"))
    for _, address in addresses:
        page, _, anchor = address.partition("#")
        assert anchor in read[names[int(page)]].anchors


def test_text_is_escaped() -> None:
    page = site("fair")["cases/going.html"].decode()
    assert "Do light loads &lt;pay&gt;?" in page
    assert "<pay>" not in page
    assert "L &amp; M" in page


def test_a_scenario_has_a_book() -> None:
    front = write_book(fair_with_gaps())["index.html"].decode()
    assert "The Brawl" in front
    assert "Not settled by the sources: Who begins." in front
