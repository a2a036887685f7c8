"""Unit function charts: the counters of each side and kind, with what is printed on them.

In: the builder of the lines of an edition. Out: a `DocumentBlock` for each sheet, whose data is a `CounterSheet`.
"""

from collections.abc import Iterator

from compiler.rulebook.added_factors import counter_cites
from compiler.rulebook.drawings.counters import chart_face, counter_picture, printed_value
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.line_builder import LineBuilder, text_line
from compiler.rulebook.sentences import counter_sheet_title, with_capital
from compiler.rulebook.source_order import counter_sheets
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.document import BlockRole, DocumentBlock, DocumentLine, DocumentRole
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class SheetRow:
    """A counter: its picture as SVG, the values of its factors, and a remark for each kind that its sheet has."""

    key: BookKey
    title: str
    picture: str
    values: tuple[str, ...]
    remarks: tuple[DocumentLine, ...]


@frozen_dataclass
class CounterSheet:
    """Counters of one side and kind; `factors` and `remarks` head what each of them has."""

    factors: tuple[str, ...]
    remarks: tuple[str, ...]
    rows: tuple[SheetRow, ...]


def sheet_blocks(lines: LineBuilder) -> Iterator[DocumentBlock]:
    """Yield the sheets of a book, the longest first."""
    book = lines.contents.book
    for (owner, kind), counters in counter_sheets(book):
        title = with_capital(counter_sheet_title(book, owner, kind))
        factors = tuple(dict.fromkeys(name for counter in counters for name, _ in counter.printed))
        remarks = [_remarks(lines, counter) for counter in counters]
        heads = [head for head in remarks[0] if any(remark[head].spans for remark in remarks)]
        rows = []
        for counter, remark in zip(counters, remarks, strict=True):
            key, printed = ("counter", counter.id), dict(counter.printed)
            rows.append(
                SheetRow(
                    key,
                    lines.contents.titles[key],
                    counter_picture(chart_face(book, counter)),
                    tuple(printed_value(book, printed.get(name)) for name in factors),
                    tuple(remark[head] for head in heads),
                )
            )
        factor_names = tuple(words.factor_name(name, book.vocabulary) for name in factors)
        sheet = CounterSheet(factor_names, tuple(heads), tuple(rows))
        yield DocumentBlock(BlockRole.COUNTER_SHEET, ("sheet", f"sheet-{owner}-{kind}"), title=title, data=sheet)


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
