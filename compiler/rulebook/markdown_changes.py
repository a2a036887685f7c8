"""The page of changes for wikis: the content of the page of changes, in Markdown.

The input is the booklet of a book that is compared with another, and a function that writes links; the output is
paragraphs.
"""

from collections.abc import Callable, Iterator

from compiler.rulebook.booklet import Booklet, DrawnDifference, ListedChange
from compiler.rulebook.contents import Contents
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.markdown_text import escape
from compiler.rulebook.sentences import heading_words
from runtime.graph.document_text import line_text


def write_changes(contents: Contents, booklet: Booklet, name: Callable[[BookKey], str]) -> Iterator[str]:
    """Yield the paragraphs of the page; `name` writes a link to a thing."""
    yield f"# Changes against {escape(booklet.against.title)}"
    yield escape(f"{booklet.counts_text} {booklet.result}".strip())
    for topic in booklet.topics:
        number = contents.numbers.get(("case", topic.case), "")
        yield f"## {escape(f'{number} {topic.title}'.strip())}"
        yield escape(topic.remark)
        yield "\n".join(line for change in topic.changes for line in _change_lines(change, name))
    for card in booklet.against.cards:
        yield f"## {escape(card.title)}"
        yield "\n".join(f"- {escape(sentence)}" for sentence in card.sentences)
    if booklet.word_texts:
        yield "## Words, notes and texts"
        yield "\n".join(f"- {escape(text)}" for text in booklet.word_texts)
    if booklet.changes_of_unknown_impact:
        yield "## Not decided"
        yield "\n".join(
            f"- {_labeled_headings(contents, labels)}: {escape(reason)}"
            for reason, labels in booklet.changes_of_unknown_impact.items()
        )
    for parted, differences in booklet.answers:
        title = contents.titles.get(("term", parted.term), parted.term)
        yield f"## {escape(title + contents.stage_suffix(parted.term))}"
        yield from (_answer_difference(contents, seen) for seen in differences)


def _change_lines(change: ListedChange, name: Callable[[BookKey], str]) -> Iterator[str]:
    """Yield a change as an item of a list, its former and its present text below it."""
    title = escape(f"{change.number} {change.title}".strip()) if change.how == "gone" else name(change.thing)
    yield f"- **{title}** ({escape(', '.join(change.tags))})"
    for head, lines in (("Before: ", change.before), ("Now: " if change.before else "", change.now)):
        if len(lines) == 1:
            yield f"  - {head}{escape(lines[0])}"
        elif lines:
            yield f"  - {head or 'Now: '}".rstrip()
            yield from (f"    - {escape(line)}" for line in lines)


def _labeled_headings(contents: Contents, labels: list[str]) -> str:
    """Return the headings of what labels denote."""
    named = (contents.titles.get(contents.thing_of_reason(label), heading_words(label)) for label in labels)
    return escape(", ".join(named))


def _answer_difference(contents: Contents, seen: DrawnDifference) -> str:
    """Write one class of differing answers: the question, both answers, the reasons and the position in words."""
    difference = seen.difference
    reasons = _labeled_headings(contents, list(difference.rules))
    lines = [
        f"- {escape(f'{difference.question}: {difference.now} instead of {difference.before}')}",
        f"  - because of {reasons or 'what is printed'}",
    ]
    lines += [f"  - {escape(line_text(remark))}" for remark in seen.remarks]
    if seen.drawing and seen.drawing.alternative_text:
        lines.append(f"  - {escape(seen.drawing.alternative_text)}")
    return "\n".join(lines)
