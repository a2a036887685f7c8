"""The booklet of changes on paper: the content of the page of changes, in columns.

The input is the booklet of a book that is compared with another; the output is text for typst, as a part of the book or
a separate document, for a reader who owns the other book.
"""

from collections.abc import Iterator

from compiler.rulebook.booklet import (
    IMPACT_NAMES,
    NAMED_ABOVE,
    SEQUENCE,
    SORT_TITLES,
    SORTS,
    WEIGHED,
    Booklet,
    DrawnDifference,
    ListedChange,
    QuestionDifference,
    StepChange,
)
from compiler.rulebook.contents import Contents
from compiler.rulebook.drawings.counters import chart_face, counter_picture
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.paper.metadata import opening_lines
from compiler.rulebook.paper.typeset import LOOK, escape, quote, unparted_number
from compiler.rulebook.paper.typst_writer import TypstWriter
from compiler.rulebook.sequence_of_play import cases_of
from compiler.rulebook.topics import (
    REPEALED,
    counters_text,
    group_by_column,
    group_by_impact,
    group_by_topic,
    referenced_changes,
    topic_lines,
    worded_by_topic,
)

FORMS = {"errata": "Errata", "variant": "What changes", "games": "List of differences"}


class LeafletWriter(TypstWriter):
    """A writer of pages that are bound with no book: they refer to it by numbers and titles."""

    def has_place(self, key: BookKey) -> bool:  # noqa: ARG002 - as the press asks it
        """Return no: nothing that is referred to is printed here."""
        return False


def write_leaflet_text(contents: Contents, title: str, short: str) -> dict[str, bytes]:
    """Write the sources of the booklet alone."""
    assert contents.booklet is not None
    press = LeafletWriter(contents)
    form = FORMS[contents.booklet.form]
    parts = [
        opening_lines(contents, form.lower()),
        f"#show: look.with({quote(title)}, {quote(short)}, "
        f"[Compared with {escape(contents.booklet.against.title)}: only what differs.], kicker: [{escape(form)}], "
        f"edition: {quote(form.lower())})",
        *_booklet_lines(press, contents.booklet),
    ]
    return {"main": "\n\n".join(parts).encode(), "look.typ": LOOK.read_bytes(), **press.pictures}


def print_leaflet(press: TypstWriter) -> Iterator[str]:
    """Format the booklet as a part of the book."""
    booklet = press.contents.booklet
    if booklet is None:
        return
    yield f"= {FORMS[booklet.form]}"
    yield escape(f"Compared with {booklet.against.title}: only what differs.")
    yield from _booklet_lines(press, booklet)


def _booklet_lines(press: TypstWriter, booklet: Booklet) -> Iterator[str]:
    """Format the changes by topic, their summary, the changes by sort and kind, and the differences in answers."""
    yield from _topics(press, booklet)
    yield _summary(booklet)
    contents = press.contents
    worded = worded_by_topic(group_by_topic(booklet.changes, contents.outline), contents.book)
    for sort in SORTS:
        changes = booklet.changes_of_sort(sort)
        if changes:
            yield f"== {sort.capitalize()}s ({len(changes)})"
        yield from _changes_by_kind(press, changes, worded)
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
            yield f"{press.labels(labels)}: {escape(reason)}."
    if booklet.answers:
        yield "== Where answers differ"
        yield "The smallest positions found in which the two answer differently."
    for parted, differences in booklet.answers:
        title = press.contents.titles.get(("term", parted.term), parted.term)
        yield f"#heading(level: 3, outlined: false)[{escape(title + press.contents.stage_suffix(parted.term))}]"
        yield _measure(parted)
        yield from (_parting(press, seen) for seen in differences)


def _changes_by_kind(
    press: TypstWriter, changes: tuple[ListedChange, ...], worded: frozenset[BookKey]
) -> Iterator[str]:
    """Format the changes of one sort kind by kind; of those that are worded under a topic only the references."""
    if any(change.thing in worded for change in changes):
        yield NAMED_ABOVE
    for kind, title in SORT_TITLES.items():
        these = [change for change in changes if change.thing[0] == kind]
        if these:
            yield f"#heading(level: 3, outlined: false)[{title} ({len(these)})]"
        for impact, group in group_by_impact(change for change in these if change.thing in worded):
            references = "; ".join(_change_reference(press, each) for each in group)
            yield f"#change[_{impact.capitalize()}:_ {references}.]"
        yield from _change_lines(press, kind, [change for change in these if change.thing not in worded])


def _change_lines(press: TypstWriter, kind: str, changes: list[ListedChange]) -> Iterator[str]:
    """Format the changes of a kind: counters drawn, cells by columns, others one by one."""
    match kind:
        case "counter":
            yield from _counters(press, changes)
        case "cell":
            for column, cells, cell_changes in group_by_column(changes):
                text = f"#strike[{escape(cells)}]" if cell_changes[0].how == "gone" else escape(cells)
                yield f"#change[#topic[*{escape(column)}* {_weighed(cell_changes[0])}] {text}.]"
        case _:
            yield from (_change(press, each) for each in changes)


def _weighed(change: ListedChange) -> str:
    """Format how a thing has changed, and its impact."""
    return f"#text(7pt, fill: soft)[{', '.join(filter(None, (change.how, change.impact_text)))}]"


def _topics(press: TypstWriter, booklet: Booklet) -> Iterator[str]:
    """Format the summary for players: a line for each change, topic by topic."""
    contents = press.contents
    topics = group_by_topic(booklet.changes, contents.outline)
    if topics:
        yield "== What changes, by topic"
    for topic in topics:
        number = contents.numbers.get(("case", topic.case), "")
        yield f"#heading(level: 3, outlined: false)[{escape(f'{number} {topic.title}'.strip())}]"
        if topic.title == "Counters" and not topic.case:
            yield escape(counters_text(topic, contents.book))
            continue
        if topic.title == REPEALED and not topic.case:
            yield escape(f"With the numbers that they have in {booklet.against.title}.")
        items = []
        for line, changes in topic_lines(topic, contents.book):
            text = f"#strike[{escape(line)}]" if changes[0].how == "gone" else escape(line)
            headed = ", ".join(_change_reference(press, each) for each in referenced_changes(changes))
            items.append(f"[{headed}{'*.* ' if headed else ''}{text}]")
        yield f"#list({', '.join(items)})"


def _summary(booklet: Booklet) -> str:
    """Format the numbers of changes, and how their impact was determined."""
    cells = [f"head[{escape(head)}]" for head in ("", *(IMPACT_NAMES[each] for each in booklet.impacts), "together")]
    for sort in SORTS:
        counts = [booklet.count_changes(sort, impact) for impact in booklet.impacts]
        cells += [f"[{sort}s]", *(f"[{count}]" for count in (*counts, sum(counts)))]
    columns = len(booklet.impacts) + 2
    chart = f"#chart([Summary of changes, by impact], {columns}, none, {', '.join(cells)})"
    text = " ".join(filter(None, (booklet.printed_changes_text, booklet.result, WEIGHED)))
    return f"{chart}\n#because[{escape(text)}]"


def _change(press: TypstWriter, change: ListedChange) -> str:
    """Format a change behind a bar, the former text beside the present one."""
    head = f"{_change_reference(press, change)} {_weighed(change)}"
    old_list, new_list = _stepped(press, change.steps_before), _stepped(press, change.steps_now)
    if change.before and change.now:
        old_text, new_text = old_list or escape(change.before), new_list or escape(change.now)
        whole = "false" if old_list or new_list else "true"  # Lists of steps may be longer than a page.
        return f"#change[#topic[{head}] #twain([{old_text}], [{new_text}], whole: {whole})]"
    if new_list or old_list:
        return f"#change[#topic[{head}] {'' if new_list else '_No longer done:_ '}{new_list or old_list}]"
    text = f"#strike[{escape(change.before)}]" if change.before else escape(change.now)
    return f"#change[#topic[{head}] {text}]"


def _stepped(press: TypstWriter, steps: tuple[StepChange, ...]) -> str:
    """Format steps that only one of the books has as a list, phases with the numbers of their cases."""
    items = []
    for step in steps:
        numbers = [press.contents.numbers.get(case, "") for case in cases_of(press.contents, step.phase)]
        cases = " ".join(f"#num[{unparted_number(number)}]" for number in numbers if number)
        text = f"*{escape(step.title)}* {cases}" if step.title else escape(step.text)
        deeds = [f"_{escape(called)}_" for _, called in step.leads]
        deed_list = f"#list({', '.join(f'[{each}]' for each in deeds)})" if len(deeds) > 1 else "".join(deeds)
        items.append(f"[{' '.join(filter(None, (text, deed_list, _stepped(press, step.inside))))}]")
    return f"#list({', '.join(items)})" if items else ""


def _change_reference(press: TypstWriter, change: ListedChange) -> str:
    """Format a reference to what is changed by number and heading, with its page if it has one."""
    return press.name(change.thing) if press.has_place(change.thing) else _title(press, change)


def _title(press: TypstWriter, change: ListedChange) -> str:
    """Format what has no page here by number and title, a removed thing by its former ones."""
    number = change.number or press.contents.numbers.get(change.thing, "")
    title = change.title if change.thing == SEQUENCE else press.contents.titles.get(change.thing, change.title)
    return f"#num[{unparted_number(number)}] *{escape(title)}*" if number else f"*{escape(title)}*"


def _counters(press: TypstWriter, changes: list[ListedChange]) -> Iterator[str]:
    """Draw new counters, beside what is printed on them; for others, format the former and the present values."""
    book = press.contents.book
    cells: list[str] = []
    for change in changes:
        if change.how == "new":
            face = press.picture(counter_picture(chart_face(book, book.counters[change.thing[1]])), 0.45)
            cells += [face, f"[{_title(press, change)} {escape(change.now)}]"]
    if cells:
        yield f"#change(pieces({', '.join(cells)}))"
    yield from (_change(press, change) for change in changes if change.how != "new")


def _measure(parted: QuestionDifference) -> str:
    return f"#measured[{escape(f'Differs on {parted.seen} of {parted.looked_at} positions tried.')}]"


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
        f"#because[because of {press.labels(difference.rules) or escape('what is printed')}]",
    ]
    return f"#example([], {svg}, [{' '.join(lines)}])"
