"""Unit function charts: the counters of each side and kind, with what is printed on them.

In: the builder of the lines of an edition. Out: a `DocumentBlock` for each sheet.
"""

from collections.abc import Iterator, Sequence

from compiler.rulebook.added_factors import counter_cites
from compiler.rulebook.drawings.counters import chart_face, counter_picture, printed_value
from compiler.rulebook.line_builder import LineBuilder, cells_of, row_line, text_line
from compiler.rulebook.sentences import counter_sheet_title, with_capital
from compiler.rulebook.source_order import counter_sheets
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.document import BlockRole, DocumentBlock, DocumentLine, DocumentRole


def sheet_blocks(lines: LineBuilder) -> Iterator[DocumentBlock]:
    """Yield the sheets of a book, the longest first."""
    book = lines.contents.book
    for (owner, kind), counters in counter_sheets(book):
        title = with_capital(counter_sheet_title(book, owner, kind))
        key = ("sheet", f"sheet-{owner}-{kind}")
        yield DocumentBlock(BlockRole.COUNTER_SHEET, key, title=title, lines=tuple(_rows(lines, counters)))


def _rows(lines: LineBuilder, counters: Sequence[graph.Counter]) -> Iterator[DocumentLine]:
    """Yield a row for each counter: its face, its name, its factors, and a remark of each kind that any of them has."""
    book = lines.contents.book
    factors = tuple(dict.fromkeys(name for counter in counters for name, _ in counter.printed))
    remarks = [_remarks(lines, counter) for counter in counters]
    heads = [head for head in remarks[0] if any(remark[head].spans for remark in remarks)]
    factor_names = (words.factor_name(name, book.vocabulary) for name in factors)
    yield row_line(cells_of(DocumentRole.COLUMN, ("", "unit", *factor_names, *heads)))
    for counter, remark in zip(counters, remarks, strict=True):
        key, printed = ("counter", counter.id), dict(counter.printed)
        face = text_line(DocumentRole.FACE, counter_picture(chart_face(book, counter)))
        name = text_line(DocumentRole.ROW_HEAD, lines.contents.titles[key])
        values = (printed_value(book, printed.get(factor)) for factor in factors)
        yield row_line((face, name, *cells_of(DocumentRole.VALUE, values), *map(remark.__getitem__, heads)), key)


def _remarks(lines: LineBuilder, counter: graph.Counter) -> dict[str, DocumentLine]:
    """Return what is said of a counter beside its factors, by the head of its column."""
    book = lines.contents.book
    traits = ", ".join(words.flag(counter.kind, trait, book.vocabulary) for trait in counter.traits)
    back = words.counter(counter.back, book.counters) if counter.back else ""
    [sources] = [*lines.sources(counter_cites(counter))] or [text_line(DocumentRole.SOURCES)]
    return {
        "back": text_line(DocumentRole.REMARK, back),
        "traits": text_line(DocumentRole.REMARK, traits),
        "source": sources,
    }
