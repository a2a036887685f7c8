"""Changes for the player, topic by topic: the page to read before the game.

The input is the changes of a booklet and the outline of the book; the output is topics in the order of the book, each
with its changes in one line each and the numbers and headings that a line refers to; equal texts of several rulings are
one line, and removed things come last. Definitions, steps without a sentence, and changes without a known effect on
answers are left to the details.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from compiler.rulebook.booklet import IMPACT_NAMES, IMPACTS, SEQUENCE, ListedChange, StepChange
from compiler.rulebook.headings import Heading, RuleEntry, entries_of
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.step_changes import step_sentences
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.grouping import group_by

SEPARATE_TOPICS = {
    "chart": "Charts", "cell": "Charts", "factor": "What counters print", "counter": "Counters",
    "procedure": "Sequence of play",
}  # fmt: skip
REPEALED = "No longer in force"
# Kinds of things that a line names itself, or that have no sentence in any book.
UNREFERRED = frozenset({"counter", "cell", "term"})
WORDED = frozenset({"rule", "ruling", "procedure"})  # kinds of things that a line may word in full
MOST_NEW_COUNTERS = 12  # new counters that are listed one by one
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Topic:
    """A section of the book, or what is outside sections, with its changes. `case` is "" outside."""

    case: str
    title: str
    changes: tuple[ListedChange, ...]


def group_by_topic(changes: Iterable[ListedChange], outline: Iterable[Heading]) -> tuple[Topic, ...]:
    """Group the relevant changes into topics, those of a section in its order."""
    sections: dict[BookKey, Heading] = {}
    for section in outline:
        for entry in entries_of(section):
            key = ("rule", entry.label) if isinstance(entry, RuleEntry) else ("ruling", entry.ruling)
            sections[key] = section
    found: dict[tuple[str, str], list[ListedChange]] = {(section.label, section.title): [] for section in outline}
    found |= {("", title): [] for title in (*dict.fromkeys(SEPARATE_TOPICS.values()), REPEALED)}
    changes = tuple(changes)
    common_texts = _common_texts(changes)
    for change in changes:
        home_section = sections.get(change.thing)
        if (change.now or change.before) in common_texts and change.thing[0] == "ruling":
            continue
        if (change.impact == "none" and change.how == "changed") or change.noted or change.thing[0] == "term":
            continue
        if home_section is not None:
            found[home_section.label, home_section.title].append(change)
        elif change.how == "gone" or change.thing[0] in SEPARATE_TOPICS:
            found["", REPEALED if change.how == "gone" else SEPARATE_TOPICS[change.thing[0]]].append(change)
    order = {key: index for index, key in enumerate(sections)}
    for topic_changes in found.values():
        # Procedures of the sequence of play are listed behind the step that refers to them.
        topic_changes.sort(
            key=lambda change: (order.get(change.thing, 0), change.thing != SEQUENCE, change.how == "new")
        )
    return tuple(
        Topic(case, title, tuple(topic_changes)) for (case, title), topic_changes in found.items() if topic_changes
    )


def _common_texts(changes: tuple[ListedChange, ...]) -> frozenset[str]:
    """Return the texts of rulings that only one book has, and that other rulings have in the other book."""
    rulings = [change for change in changes if change.thing[0] == "ruling"]
    new_texts, old_texts = (
        {ruling.now or ruling.before for ruling in rulings if ruling.how == operation} for operation in ("new", "gone")
    )
    return frozenset(new_texts & old_texts)


def topic_lines(topic: Topic, book: graph.Graph) -> tuple[tuple[str, tuple[ListedChange, ...]], ...]:
    """Return the lines of a topic, each with the changes that it summarizes."""
    # Cells are grouped by column: a line for each would be a second chart.
    found: dict[str, list[ListedChange]] = {}
    cells: dict[tuple[str, bool], list[ListedChange]] = {}
    for change in topic.changes:
        if change.thing[0] == "cell":
            cells.setdefault((_column(change), change.how == "gone"), []).append(change)
        elif change.steps_now or change.steps_before:
            for line in _steps_in_lines(change):
                found.setdefault(line, []).append(change)
        else:
            found.setdefault(change_line(change, book), []).append(change)
    found |= {
        f"{column}: {'; '.join(map(_cell_text, line_changes))}.": line_changes
        for (column, _), line_changes in cells.items()
    }
    return tuple((text, tuple(line_changes)) for text, line_changes in found.items())


def worded_by_topic(topics: Iterable[Topic], book: graph.Graph) -> frozenset[BookKey]:
    """Return the new rules, rulings and procedures whose whole text is a line of a topic."""
    return frozenset(
        change.thing
        for topic in topics
        for text, line_changes in topic_lines(topic, book)
        for change in line_changes
        if change.thing[0] in WORDED and not change.before and words.sentence(change.now) == words.sentence(text)
    )


def group_by_impact(changes: Iterable[ListedChange]) -> tuple[tuple[str, tuple[ListedChange, ...]], ...]:
    """Group changes by impact, the greatest first; return each impact as text, with its changes."""
    found = group_by(changes, lambda change: change.impact)
    return tuple((IMPACT_NAMES[impact], tuple(found[impact])) for impact in IMPACTS if impact in found)


def referenced_changes(changes: tuple[ListedChange, ...]) -> tuple[ListedChange, ...]:
    """Return the changes that a line refers to by number and heading; a line of the sequence of play has its phase."""
    return tuple(
        change
        for change in changes
        if change.thing[0] not in UNREFERRED
        and change.thing != SEQUENCE
        and (change.thing[0] != "chart" or change.how != "gone")
    )


def _steps_in_lines(change: ListedChange) -> Iterator[str]:
    """Return the changes of a procedure phase by phase: new steps, then removed ones."""
    for steps, prefix in ((change.steps_now, ""), (change.steps_before, "no longer: ")):
        for step in steps:
            sub_steps = tuple(_joined(step.inside))
            sentence = " ".join(step_sentences((replace(step, title="", inside=sub_steps),)))
            phase = f"{step.title}: " if step.title else ""
            within = sentence if _begins_with_heading(step) else f"{sentence[:1].lower()}{sentence[1:]}"
            yield words.sentence(f"{phase}{prefix}{within}" if phase or prefix else sentence)


def _begins_with_heading(step: StepChange) -> bool:
    """Return whether a step starts with the heading of an action or a resolution."""
    return not step.text and (bool(step.leads) or any(map(_begins_with_heading, step.inside[:1])))


def _joined(steps: tuple[StepChange, ...]) -> Iterator[StepChange]:
    """Merge adjacent steps of a phase that differ only in their actions."""
    for _, run in groupby(steps, lambda step: (step.text, bool(step.leads) and not step.inside)):
        first, *others = run
        if first.leads and not first.inside:
            yield replace(first, leads=tuple(lead for step in (first, *others) for lead in step.leads))
        else:
            yield from (first, *others)


def group_by_column(changes: Iterable[ListedChange]) -> tuple[tuple[str, str, tuple[ListedChange, ...]], ...]:
    """Group cells of a column of a chart with equal changes: column, cells in a line, changes."""
    found = group_by(changes, lambda change: (_column(change), change.how, change.impact))
    return tuple(
        (column, "; ".join(map(_cell_text, column_changes)), tuple(column_changes))
        for (column, *_), column_changes in found.items()
    )


def counters_text(topic: Topic, book: graph.Graph) -> str:
    """Return the names of the counters of a topic; of many new ones, which are drawn below, only the number."""
    new = [change for change in topic.changes if change.how == "new"]
    many = len(new) > MOST_NEW_COUNTERS
    new_names = ", ".join(change_line(change, book) for change in new)
    others = ", ".join(change_line(change, book) for change in topic.changes if change.how != "new")
    phrases = [
        f"{len(new)} new counters, drawn below" if many else new_names and f"New: {new_names}",
        others and f"changed: {others}",
    ]
    line = "; ".join(filter(None, phrases))
    return f"{line[:1].upper()}{line[1:]}."


def _column(change: ListedChange) -> str:
    """Return the title of the column of a cell, "Prices, cart" for "Prices: tall, cart"."""
    chart, _, place = change.title.rpartition(": ")  # The title of a chart may contain a colon.
    return ", ".join(filter(None, (chart, place.rpartition(", ")[2])))


def _cell_text(change: ListedChange) -> str:
    """Return the present and the former content of a cell of a column."""
    row = change.title.rpartition(": ")[2].rpartition(", ")[0]
    old_value = f" (was {change.before})" if change.before and change.now else ""
    return f"{row} {change.now or change.before}{old_value}".strip()


def change_line(change: ListedChange, book: graph.Graph) -> str:
    """Return a change as its first new sentence, a ruling as question and answer, a counter by its name."""
    match change.thing:
        case "counter", label:
            return words.counter(label, book.counters) if label in book.counters else change.title
        case "ruling", _:
            return change.now or change.before
        case "chart", _ if change.how == "new":
            return words.sentence(change.now)
    sentences = _SENTENCE.split(change.now or change.before)
    known = _SENTENCE.split(change.before) if change.how == "changed" else []
    return words.sentence(next((each for each in sentences if each not in known), sentences[0]))
