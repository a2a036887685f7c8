"""Build the page of changes: what differs from the book that this one is compared with, topic by topic.

In: the builder of the lines of an edition, and a booklet. Out: a `DocumentBlock`.
"""

from collections.abc import Iterable, Iterator

from compiler.rulebook.booklet import (
    FORM_TITLES,
    IMPACT_NAMES,
    SEQUENCE,
    WEIGHED,
    AnswerDifference,
    Booklet,
    DrawnDifference,
    ListedChange,
    QuestionDifference,
    Topic,
)
from compiler.rulebook.drawings.counters import chart_face, counter_picture
from compiler.rulebook.drawings.diagrams import NO_DRAWING
from compiler.rulebook.example_blocks import drawing_lines, reason_names
from compiler.rulebook.line_builder import LineBuilder, listing, text_line
from compiler.rulebook.titles import book_title
from runtime.graph import words
from runtime.graph.document import BlockRole, DocumentBlock, DocumentLine, DocumentRole, DocumentSpan, DocumentTag


class ChangeBlockBuilder:
    """A builder of the page of changes of one edition."""

    def __init__(self, lines: LineBuilder, booklet: Booklet) -> None:
        """Store what makes the lines of the edition."""
        self.lines = lines
        self.contents = lines.contents
        self.booklet = booklet

    def page(self) -> DocumentBlock:
        """Build the page: situations, changes by topic, words, what is not decided, and differences in answers."""
        title = FORM_TITLES[self.booklet.form]
        blocks = [
            self._situations(),
            *map(self._topic, self.booklet.topics),
            listing("words", "Words, notes and texts", _texts(self.booklet.word_texts)),
            self._undecided(),
            self._answers(),
        ]
        with_content = tuple(block for block in blocks if block.lines or block.blocks)
        lines = tuple(self._opening_lines())
        return DocumentBlock(BlockRole.CHANGES, ("page", "changes"), title=title, lines=lines, blocks=with_content)

    def _opening_lines(self) -> Iterator[DocumentLine]:
        """Yield what is compared, how much differs, and how changes are weighed."""
        booklet = self.booklet
        compared = f"{book_title(self.contents.book)}, compared with {booklet.against.title}: only what differs."
        yield text_line(DocumentRole.PROSE, compared)
        if not (booklet.changes or booklet.answers or booklet.word_texts):
            nothing = "Nothing else differs." if booklet.against.cards else "Nothing differs."
            yield text_line(DocumentRole.PROSE, nothing, f" {booklet.result}" if booklet.against.equal_layers else "")
            return
        if booklet.counts_text:
            yield text_line(DocumentRole.PROSE, booklet.counts_text)
            yield text_line(DocumentRole.REMARK, WEIGHED)
        yield text_line(DocumentRole.PROSE, booklet.result)

    def _situations(self) -> DocumentBlock:
        """Build the situation cards that differ."""
        cards = [
            listing(f"card-{number}", card.title, _texts(card.sentences))
            for number, card in enumerate(self.booklet.against.cards)
        ]
        return listing("cards", "Situations", blocks=cards, tags=_counted(len(cards)))

    def _topic(self, topic: Topic) -> DocumentBlock:
        """Build a section of the book, or a kind of things outside sections, with its changes."""
        return listing(
            f"topic-{topic.case or topic.title}",
            topic.title,
            [text_line(DocumentRole.REMARK, topic.remark)] if topic.remark else [],
            map(self._change, topic.changes),
            heading=self.lines.name(("case", topic.case)) if topic.case else None,
            tags=_counted(len(topic.changes)),
        )

    def _change(self, change: ListedChange) -> DocumentBlock:
        """Build a change with its tags; a thing that is gone has the number and the title that it had."""
        kind, name = change.thing
        if change.how == "gone":
            heading = DocumentSpan(change.title, number=change.number)
        else:
            heading = self.lines.name(change.thing, change.title if change.thing == SEQUENCE else "")
        has_picture = kind == "counter" and change.how != "gone"
        book = self.contents.book
        return DocumentBlock(
            BlockRole.CHANGE,
            ("change", f"{kind}-{name}"),
            tags=tuple(_tags(change)),
            lines=tuple(self._version_lines(change)),
            data=counter_picture(chart_face(book, book.counters[name])) if has_picture else None,
            heading=heading,
        )

    def _version_lines(self, change: ListedChange) -> Iterator[DocumentLine]:
        """Yield the former text beside the present one, or the only one; what a rule is written against is named."""
        if change.before and change.now:
            names: list[DocumentSpan | str] = [*reason_names(self.lines, change.touches)]
            names += [": "] if names else []
            yield _version(DocumentRole.BEFORE, change.before, names)
            yield _version(DocumentRole.NOW, change.now)
        elif change.now:
            yield _version(DocumentRole.PROSE, change.now)
        elif change.before:
            role = DocumentRole.WITHDRAWN if change.how == "gone" else DocumentRole.NOT_DONE
            yield _version(role, change.before)

    def _undecided(self) -> DocumentBlock:
        """Build the list of changes of which it is not known whether they change an answer."""
        lines = []
        for why, labels in self.booklet.changes_of_unknown_impact.items():
            lines.append(text_line(DocumentRole.LISTED, *reason_names(self.lines, labels), f": {why}."))
        if lines:
            lead = (
                "Of these it is not known whether an answer changes: no position was found in which it does, and no "
                "proof that there is none."
            )
            lines.insert(0, text_line(DocumentRole.PROSE, lead))
        return listing("unknown", "Not decided", lines)

    def _answers(self) -> DocumentBlock:
        """Build the differences in answers, question by question."""
        questions = [self._question(*answer) for answer in self.booklet.answers]
        lead = "The smallest positions found in which the two answer differently."
        lines = [text_line(DocumentRole.PROSE, lead)] if questions else []
        return listing("answers", "Where answers differ", lines, questions)

    def _question(self, question: QuestionDifference, differences: Iterable[DrawnDifference]) -> DocumentBlock:
        name = self.lines.name(("term", question.term))
        stage = self.contents.stage_suffix(question.term)
        seen = f"The answers differ in {question.seen} of {question.looked_at} positions tried."
        return listing(
            f"answers-{question.term}",
            lines=[text_line(DocumentRole.REMARK, seen)],
            blocks=(self._difference(question.term, number, each) for number, each in enumerate(differences, 1)),
            heading=DocumentSpan(f"{name.text}{stage}", name.key, name.number),
        )

    def _difference(self, term: str, number: int, drawn: DrawnDifference) -> DocumentBlock:
        """Build a class of differing answers with its smallest position."""
        difference, drawing = drawn.difference, drawn.drawing or NO_DRAWING
        reasons = [*reason_names(self.lines, difference.rules)] or [DocumentSpan("what is printed")]
        lines = (
            *drawing_lines(drawing),
            text_line(DocumentRole.TOLD, f"{difference.question}:"),
            text_line(DocumentRole.BEFORE, difference.before),
            text_line(DocumentRole.NOW, difference.now),
            text_line(DocumentRole.REASON, "because of ", *reasons),
            *self._dependent_lines(difference),
        )
        title = f"{difference.now} instead of {difference.before}"
        key = ("difference", f"difference-{term}-{number}")
        return DocumentBlock(BlockRole.DIFFERENCE, key, title=title, lines=lines, data=drawing)

    def _dependent_lines(self, difference: AnswerDifference) -> Iterator[DocumentLine]:
        """Yield which questions differ because of a difference, and in how many more none was found."""
        if follows := difference.follows:
            count, verb = words.counted_noun(len(follows), "more question"), "is" if len(follows) == 1 else "are"
            names = self.lines.names(("term", name) for name in follows)
            yield text_line(DocumentRole.REASON, f"{count} {verb} answered differently because of this: ", *names)
        if left := len(difference.resting):
            verb, pronoun = ("depends", "it") if left == 1 else ("depend", "them")
            count = words.counted_noun(left, "more question")
            text = f"{count} {verb} on it; no difference was found in {pronoun}."
            yield text_line(DocumentRole.REASON, text)


def _tags(change: ListedChange) -> Iterator[DocumentTag]:
    """Yield how a thing has changed, the sort of a change of texts, and its impact."""
    yield DocumentTag(change.how, f"change {change.how}")
    if change.sort not in ("", "addition") and change.how != "gone":
        yield DocumentTag(change.sort, change.sort)
    if change.impact:
        yield DocumentTag(IMPACT_NAMES[change.impact], f"impact-{change.impact}")


def _version(role: DocumentRole, texts: tuple[str, ...], spans: Iterable[DocumentSpan | str] = ()) -> DocumentLine:
    """Return a text, or a list of several."""
    if len(texts) == 1:
        return text_line(role, *spans, *texts)
    return text_line(role, *spans, items=(text_line(DocumentRole.ITEM, text) for text in texts))


def _texts(texts: Iterable[str]) -> list[DocumentLine]:
    return [text_line(DocumentRole.LISTED, text) for text in texts]


def _counted(count: int) -> tuple[DocumentTag, ...]:
    return (DocumentTag(str(count), "count"),)
