"""`--sources DIR` prints the words of the sources beside the entries that cite them. All texts here are invented."""

from pathlib import Path

import pytest

from compiler.rulebook.book import write_site
from compiler.rulebook.contents import Contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.paper.typst_writer import TypstWriter
from rulewright.book.source_texts import read_source_texts
from rulewright.system.errors import UsageError
from tests.books.fair import fair

WRITTEN = """A preface that belongs to nothing.

## T.ROAD.01

May a cart <turn> on the lane?

It may,
unless it is loaded.

[T.ROAD.02, T.ROAD.03]
One text of two items.

## Other matters

This belongs to no item.
"""


def folder(at: Path, text: str = WRITTEN) -> Path:
    (at / "deep").mkdir()
    (at / "deep" / "answers.md").write_text(text, encoding="utf-8")
    (at / "picture.png").write_bytes(b"\x89")
    return at


def test_anchors_start_texts_and_headings_end_them(tmp_path: Path) -> None:
    (tmp_path / "bare.txt").write_text("T.ROAD.04\nThis item is neither a heading nor in brackets.\n")
    read = read_source_texts(folder(tmp_path))
    assert read.paragraphs == {
        "T.ROAD.01": ("May a cart <turn> on the lane?", "It may, unless it is loaded."),
        "T.ROAD.02": ("One text of two items.",),
        "T.ROAD.03": ("One text of two items.",),
    }
    assert read.without_anchors == ("bare.txt",)


@pytest.mark.parametrize(
    ("text", "message"), [("nothing here", "no file"), ("## T.ROAD.01\n\n## T.ROAD.02\n", "no file")]
)
def test_a_folder_without_texts_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_source_texts(folder(tmp_path, text))


def test_a_binary_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="UTF-8"):
        read_source_texts(tmp_path)


def test_the_words_of_a_source_are_printed_at_its_citations_only_with_the_option() -> None:
    book = fair()
    [ruling, *_] = (ruling for ruling in book.rulings.values() if ruling.cites)
    item = ruling.cites[0]
    quoted = {item: ("Invented <words> of a source.",)}
    contents = Contents(book, unplayed_outcomes(book), None, quoted)
    pages = {
        path: text.decode() for path, text in write_site(contents, live_book=None).items() if path.endswith(".html")
    }
    holding = {path for path, text in pages.items() if "Invented &lt;words&gt; of a source." in text}
    assert {"rulings.html", "sources.html", contents.links.page(("ruling", ruling.label))} <= holding
    assert "Invented <words>" not in "".join(pages.values())
    writer = TypstWriter(contents)
    assert "Invented" in writer.aside(writer.blocks.rules.ruling(ruling.label))
    plain = write_site(Contents(book, unplayed_outcomes(book), None), live_book=None)
    assert not any(b"Invented" in text or b"In the words of the sources" in text for text in plain.values())
