"""The page of changes for wikis: the content of the page of changes, in Markdown.

The input is the booklet of a book that is compared with another, and a function that writes links; the output is
paragraphs. What a line under a topic words in full is only named below.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from compiler.rulebook.booklet import (
    NAMED_ABOVE,
    SORT_TITLES,
    SORTS,
    Booklet,
    DrawnDifference,
    ListedChange,
    StepChange,
)
from compiler.rulebook.contents import Contents
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.markdown_text import escape, markdown_table
from compiler.rulebook.sentences import heading_words
from compiler.rulebook.sequence_of_play import cases_of
from compiler.rulebook.topics import (
    REPEALED,
    counters_text,
    group_by_impact,
    group_by_topic,
    referenced_changes,
    topic_lines,
    worded_by_topic,
)


@dataclass(frozen=True, slots=True)
class ChangesPage:
    """A writer of the page of changes; `name` writes a link to a thing."""

    contents: Contents
    booklet: Booklet
    name: Callable[[BookKey], str]

    def lines(self) -> list[str]:
        """Write what changes."""
        booklet = self.booklet
        parts = [f"# Changes against {escape(booklet.against.title)}", *self._changes_by_topic()]
        worded = worded_by_topic(group_by_topic(booklet.changes, self.contents.outline), self.contents.book)
        for sort in SORTS:
            if changes := booklet.changes_of_sort(sort):
                parts += [f"## {sort.capitalize()}s ({len(changes)})", *self._changes_by_kind(changes, worded)]
        parts.append(escape(booklet.result))
        for card in booklet.against.cards:
            parts += [f"## {escape(card.title)}", "\n".join(f"- {escape(sentence)}" for sentence in card.sentences)]
        if booklet.word_texts:
            parts += ["## Words, notes and texts", "\n".join(f"- {escape(text)}" for text in booklet.word_texts)]
        if booklet.changes_of_unknown_impact:
            undecided_lines = (
                f"- {escape(', '.join(map(self._labeled_heading, labels)))}: {escape(reason)}"
                for reason, labels in booklet.changes_of_unknown_impact.items()
            )
            parts += ["## Not decided", "\n".join(undecided_lines)]
        for parted, differences in booklet.answers:
            title = self.contents.titles.get(("term", parted.term), parted.term)
            parts += [
                f"## {escape(title + self.contents.stage_suffix(parted.term))}",
                *map(self._answer_difference, differences),
            ]
        return parts

    def _changes_by_topic(self) -> Iterator[str]:
        """Write the summary for players: a line for each change, topic by topic."""
        for topic in group_by_topic(self.booklet.changes, self.contents.outline):
            number = self.contents.numbers.get(("case", topic.case), "")
            yield f"## {escape(f'{number} {topic.title}'.strip())}"
            if topic.title == REPEALED and not topic.case:
                yield escape(f"With the numbers that they have in {self.booklet.against.title}.")
            if topic.title == "Counters" and not topic.case:
                yield escape(counters_text(topic, self.contents.book))
                continue
            yield "\n".join(self._topic_line(line, changes) for line, changes in topic_lines(topic, self.contents.book))

    def _topic_line(self, line: str, changes: tuple[ListedChange, ...]) -> str:
        """Write one line with its references."""
        text = f"~~{escape(line)}~~" if changes[0].how == "gone" else escape(line)
        headed = ", ".join(escape(self._numbered_title(each)) for each in referenced_changes(changes))
        return f"- **{headed}.** {text}" if headed else f"- {text}"

    def _numbered_title(self, change: ListedChange) -> str:
        """Return the number and the title of what changes; what is removed has its former ones."""
        return f"{change.number or self.contents.numbers.get(change.thing, '')} {change.title}".strip()

    def _changes_by_kind(self, changes: Iterable[ListedChange], worded: frozenset[BookKey]) -> Iterator[str]:
        """Write the changes of one sort kind by kind; of those that are worded under a topic only the references."""
        changes = tuple(changes)
        if any(change.thing in worded for change in changes):
            yield NAMED_ABOVE
        for kind, title in SORT_TITLES.items():
            these = [change for change in changes if change.thing[0] == kind]
            if these:
                yield f"### {title} ({len(these)})"
            for impact, group in group_by_impact(change for change in these if change.thing in worded):
                yield f"*{impact.capitalize()}:* {'; '.join(self._reference(each) for each in group)}."
            others = [change for change in these if change.thing not in worded]
            rows = [
                [each.how, each.impact_text, self._numbered_title(each), each.before, each.now]
                for each in others
                if not each.steps_now and not each.steps_before
            ]
            if rows:
                yield _without_empty_columns(["", "impact", "what", "before", "now"], rows)
            for each in others:
                yield from self._steps_apart(each)

    def _reference(self, change: ListedChange) -> str:
        """Write a link to what has changed, or its name if this book does not have it."""
        return escape(self._numbered_title(change)) if change.how == "gone" else self.name(change.thing)

    def _steps_apart(self, change: ListedChange) -> Iterator[str]:
        """Write the steps of a procedure that only one of the two books has: a table has no space for lists."""
        if change.steps_now or change.steps_before:
            yield f"#### {escape(change.title)}"
            yield escape(", ".join(filter(None, (change.how, change.impact_text))))
        for head, text, steps in (
            ("Before", change.before, change.steps_before), ("Now", change.now, change.steps_now),
        ):  # fmt: skip
            if steps:
                yield f"**{head}**\n\n" + "\n".join(self._changed_steps(steps, 0))
            elif text and (change.steps_now or change.steps_before):
                yield f"**{head}**\n\n{escape(text)}"

    def _changed_steps(self, steps: tuple[StepChange, ...], depth: int) -> Iterator[str]:
        """Write steps as a nested list, phases with the cases that describe what is done in them."""
        for step in steps:
            cases = ", ".join(map(self.name, cases_of(self.contents, step.phase)))
            text = f"**{escape(step.title)}**{f' ({cases})' if cases else ''}" if step.title else escape(step.text)
            deeds = [escape(called) for _, called in step.leads]
            yield f"{'   ' * depth}- {' '.join([text, *deeds] if len(deeds) < 2 else [text])}".replace("-  ", "- ")
            yield from (f"{'   ' * (depth + 1)}- {deed}" for deed in (deeds if len(deeds) > 1 else ()))
            yield from self._changed_steps(step.inside, depth + 1)

    def _labeled_heading(self, label: str) -> str:
        """Return the heading of what a label denotes."""
        return self.contents.titles.get(self.contents.thing_of_reason(label), heading_words(label))

    def _answer_difference(self, seen: DrawnDifference) -> str:
        """Write one class of differing answers: the question, both answers, the reasons and the position in words."""
        difference = seen.difference
        lines = [f"{difference.question}: {difference.now} instead of {difference.before}"]
        labels = ", ".join(map(self._labeled_heading, difference.rules))
        lines.append(f"because of {labels or 'what is printed'}")
        lines += [seen.drawing.alternative_text] if seen.drawing and seen.drawing.alternative_text else []
        first, *others = map(escape, lines)
        return "\n".join((f"- {first}", *(f"  - {line}" for line in others)))


def _without_empty_columns(heads: list[str], rows: list[list[str]]) -> str:
    """Write a table without the columns that are empty in every row."""
    filled_columns = [index for index in range(len(heads)) if any(row[index] for row in rows)]
    return markdown_table(
        [heads[place] for place in filled_columns], [[row[place] for place in filled_columns] for row in rows]
    )
