"""Build the title page: what the book contains, and where.

In: the builder of the lines of an edition. Out: a `DocumentBlock`; its lines are below the title, its first block is
the table of contents, its second the pages that are no section.
"""

from collections.abc import Iterator

from compiler.rulebook.contents import Contents
from compiler.rulebook.headings import Heading
from compiler.rulebook.line_builder import LineBuilder, listing, strong, text_line
from compiler.rulebook.titles import book_title, short_title
from runtime.graph.document import BlockRole, BookEdition, DocumentBlock, DocumentLine, DocumentRole, DocumentSpan

# What the title page says of a page behind its title.
_ABOUT = {
    "play": " and what one may do in each phase",
    "counters": " with the counters drawn",
    "rulings": " with question and answer",
    "errata": ": what answers and corrections change for players",
    "disputes": ", and which reading this book follows",
    "questions": ": every question that play asks, that players have asked or that the sources leave open, and where "
    "it is answered",
    "keywords": " of subjects, with the rules and rulings that speak of them",
    "glossary": " of every word the rules use",
    "sources": ": where each item went",
    "examples": " of what happens in play, where no one rule is at work",
}
_HOW_TO_READ = (
    "A rule has a number, a label that never changes, a sentence for readers, and below it the exact words that decide "
    "in play. Letters after a number mark its exceptions. A ruling stands beside the rule that it is about. Rules, "
    "charts and positions are printed from the rules that answer in play; the answers of examples and their reasons "
    "are those that the rules gave when the book was made."
)
_LASTING = " Every label has an address that does not change with the number, go/LABEL.html."
_OF_PLAYERS = "Examples, exact wording and sources are in the umpire's edition."


def cover_block(lines: LineBuilder) -> DocumentBlock:
    """Build the title page of an edition."""
    contents = lines.contents
    reading = _HOW_TO_READ + (_LASTING if lines.edition is BookEdition.SITE else "")
    parts = (
        listing("outline", "The rules", blocks=_outline(lines)),
        listing("tools", "To have at hand", _tools(lines)),
        listing("layers", "What this book is made of", _layers(lines)),
        listing("reading", "How to read it", [text_line(DocumentRole.PROSE, reading)]),
    )
    return DocumentBlock(
        BlockRole.COVER,
        ("page", "index"),
        title=short_title(contents.book),
        lines=tuple(_lines_below_title(lines)),
        blocks=parts,
    )


def _lines_below_title(lines: LineBuilder) -> Iterator[DocumentLine]:
    """Yield the title in full, what the sources leave open, and how much is in the edition."""
    book = lines.contents.book
    if book_title(book) != short_title(book):
        yield text_line(DocumentRole.PROSE, book_title(book))
    for gap in book.scenario.gaps if book.scenario else ():
        yield text_line(DocumentRole.PROSE, f"Not settled by the sources: {gap}")
    match lines.edition:
        case BookEdition.PLAYER:
            yield text_line(DocumentRole.PROSE, _OF_PLAYERS)
        case BookEdition.UMPIRE:
            yield text_line(DocumentRole.PROSE, f"{lines.contents.counts_text}{_left_out(lines.contents)}.")
        case _:
            yield text_line(DocumentRole.PROSE, f"{lines.contents.counts_text}.")


def _left_out(contents: Contents) -> str:
    """Return how many of the examples paper lacks: those at no rule or ruling."""
    missing = sum(len(printed) for (what, _), printed in contents.examples.items() if what not in ("rule", "ruling"))
    return f", of which {missing} are only on the pages of the site" if missing else ""


def _outline(lines: LineBuilder) -> Iterator[DocumentBlock]:
    """Yield the sections under the titles of the parts of the book."""
    contents = lines.contents
    play = DocumentSpan(contents.titles["page", "play"], ("page", "play"), contents.play_number)
    first = [text_line(DocumentRole.OUTLINED, play)] if contents.play_number else []
    for title, sections in contents.section_groups:
        entries = (_outlined(lines, section) for section in sections)
        yield listing(f"part-{title}", title, [*first, *entries])
        first = []
    if missing := contents.missing_numbers.get(""):
        yield listing("missing", lines=[text_line(DocumentRole.REMARK, missing)])


def _outlined(lines: LineBuilder, section: Heading) -> DocumentLine:
    """Return a section with the cases directly under it."""
    parts = (text_line(DocumentRole.OUTLINED, lines.name(("case", part.label))) for part in section.parts)
    return text_line(DocumentRole.OUTLINED, lines.name(("case", section.label)), items=parts)


def _tools(lines: LineBuilder) -> Iterator[DocumentLine]:
    """Yield the pages that are no section, but for a sequence of play that has a number among the sections."""
    contents = lines.contents
    listed_elsewhere = {"index", *(["play"] if contents.play_number else [])}
    for name in contents.pages:
        if name in listed_elsewhere:
            continue
        about = f" against {contents.against.title}" if contents.against and name == "changes" else _ABOUT.get(name, "")
        charts = contents.charts if name == "charts" else ()
        items = (text_line(DocumentRole.PLAIN, lines.name(("chart", chart.name))) for chart in charts)
        yield text_line(DocumentRole.PLAIN, lines.name(("page", name)), about, items=items)


def _layers(lines: LineBuilder) -> Iterator[DocumentLine]:
    """Yield the layers with their sources."""
    for layer in lines.contents.book.layers:
        sources = lines.in_edition(lines.sources(layer.cites))
        yield text_line(DocumentRole.PLAIN, strong(layer.title or layer.name), f" ({layer.kind})", items=sources)
