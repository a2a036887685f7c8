"""The booklet of changes on paper: the content of the page of changes, in columns.

The input is the booklet of a book that is compared with another; the output is text for typst, for a reader who owns
the other book.
"""

from collections.abc import Iterable, Iterator

from compiler.rulebook.booklet import (
    FORM_TITLES,
    SEQUENCE,
    WEIGHED,
    Booklet,
    DrawnDifference,
    ListedChange,
    QuestionDifference,
)
from compiler.rulebook.contents import Contents
from compiler.rulebook.drawings.counters import chart_face, counter_picture
from compiler.rulebook.example_blocks import reason_names
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.paper.metadata import opening_lines
from compiler.rulebook.paper.typeset import LOOK, escape, quote, unparted_number
from compiler.rulebook.paper.typst_writer import TypstWriter
from runtime.graph.document_text import line_text


class LeafletWriter(TypstWriter):
    """A writer of pages that are bound with no book: they refer to it by numbers and titles."""

    def has_place(self, key: BookKey) -> bool:  # noqa: ARG002 - as the press asks it
        """Return no: nothing that is referred to is printed here."""
        return False


def write_leaflet_text(contents: Contents, title: str, short: str) -> dict[str, bytes]:
    """Write the sources of the booklet alone."""
    assert contents.booklet is not None
    press = LeafletWriter(contents)
    form = FORM_TITLES[contents.booklet.form]
    parts = [
        opening_lines(contents, form.lower()),
        f"#show: look.with({quote(title)}, {quote(short)}, "
        f"[Compared with {escape(contents.booklet.against.title)}: only what differs.], kicker: [{escape(form)}], "
        f"edition: {quote(form.lower())})",
        *_booklet_lines(press, contents.booklet),
    ]
    return {"main": "\n\n".join(parts).encode(), "look.typ": LOOK.read_bytes(), **press.pictures}


def _booklet_lines(press: TypstWriter, booklet: Booklet) -> Iterator[str]:
    """Format the changes by topic, what stands in no topic, and the differences in answers."""
    contents = press.contents
    yield f"#because[{escape(' '.join(filter(None, (booklet.counts_text, booklet.result, WEIGHED))))}]"
    for topic in booklet.topics:
        number = contents.numbers.get(("case", topic.case), "")
        yield f"== {escape(f'{number} {topic.title}'.strip())}"
        yield escape(topic.remark)
        yield from _new_counters(press, [change for change in topic.changes if _is_new_counter(change)])
        yield from (_change(press, change) for change in topic.changes if not _is_new_counter(change))
    if booklet.against.cards:
        yield f"== Situations ({len(booklet.against.cards)})"
        for card in booklet.against.cards:
            yield f"*{escape(card.title)}* {escape('; '.join(card.sentences))}."
    if booklet.word_texts:
        yield f"== Words, notes and texts ({len(booklet.word_texts)})"
        yield escape(" ".join(f"{text}." for text in booklet.word_texts))
    if booklet.changes_of_unknown_impact:
        yield "== Not decided"
        for reason, labels in booklet.changes_of_unknown_impact.items():
            yield f"{_labels(press, labels)}: {escape(reason)}."
    if booklet.answers:
        yield "== Where answers differ"
        yield "The smallest positions found in which the two answer differently."
    for parted, differences in booklet.answers:
        title = contents.titles.get(("term", parted.term), parted.term)
        yield f"#heading(level: 3, outlined: false)[{escape(title + contents.stage_suffix(parted.term))}]"
        yield _measure(parted)
        yield from (_parting(press, seen) for seen in differences)


def _is_new_counter(change: ListedChange) -> bool:
    return change.thing[0] == "counter" and change.how == "new"


def _change(press: TypstWriter, change: ListedChange) -> str:
    """Format a change behind a bar, the former text beside the present one."""
    head = f"{_title(press, change)} #text(7pt, fill: soft)[{escape(', '.join(change.tags))}]"
    before, now = _version_text(change.before), _version_text(change.now)
    if before and now:
        is_short = max(len(change.before), len(change.now)) == 1  # Lists of steps may be longer than a page.
        text = f"#twain([{before}], [{now}], whole: {str(is_short).lower()})"
    else:
        text = now or f"#strike[{before}]"
    return f"#change[#topic[{head}] {text}]"


def _labels(press: TypstWriter, labels: Iterable[str]) -> str:
    """Format what labels of reasons denote."""
    return "".join(map(press.span, reason_names(press.blocks.lines, labels)))


def _version_text(lines: tuple[str, ...]) -> str:
    """Format one text, or a list of several."""
    if len(lines) < 2:
        return escape("".join(lines))
    return f"#list({', '.join(f'[{escape(line)}]' for line in lines)})"


def _title(press: TypstWriter, change: ListedChange) -> str:
    """Format the number and the title of what changes, of a removed thing the former ones."""
    number = change.number or press.contents.numbers.get(change.thing, "")
    title = change.title if change.thing == SEQUENCE else press.contents.titles.get(change.thing, change.title)
    return f"#num[{unparted_number(number)}] *{escape(title)}*" if number else f"*{escape(title)}*"


def _new_counters(press: TypstWriter, changes: list[ListedChange]) -> Iterator[str]:
    """Draw new counters, beside what is printed on them."""
    book = press.contents.book
    cells: list[str] = []
    for change in changes:
        face = press.picture(counter_picture(chart_face(book, book.counters[change.thing[1]])), 0.45)
        cells += [face, f"[{_title(press, change)} {escape(' '.join(change.now))}]"]
    if cells:
        yield f"#change(pieces({', '.join(cells)}))"


def _measure(parted: QuestionDifference) -> str:
    return f"#measured[{escape(f'The answers differ in {parted.seen} of {parted.looked_at} positions tried.')}]"


def _parting(press: TypstWriter, seen: DrawnDifference) -> str:
    """Format one class of differing answers, with its position."""
    difference = seen.difference
    svg = press.picture(seen.drawing.svg) if seen.drawing and seen.drawing.svg else "none"
    legend = (
        "; ".join(f"*{escape(piece)}* {escape(description)}" for piece, description in seen.drawing.legend)
        if seen.drawing
        else ""
    )
    notes = " ".join(seen.drawing.notes) if seen.drawing else ""
    lines = [f"#because[{legend}.]"] if legend else []
    lines += [f"#because[{escape(notes)}]"] if notes else []
    lines += [
        f"#told[{escape(difference.question)}:]",
        f"#twain([{escape(difference.before)}], [*{escape(difference.now)}*])",
        f"#because[because of {_labels(press, difference.rules) or escape('what is printed')}]",
        *(f"#because[{escape(line_text(remark))}]" for remark in seen.remarks),
    ]
    return f"#example([], {svg}, [{' '.join(lines)}])"
