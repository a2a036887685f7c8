"""Build the pages of the book as blocks of the document tree, but for the sequence of play.

In: the contents of a book, an edition, and which things that edition has. Out: `DocumentBlock`s. What a page shows is
decided here, for all printers.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import takewhile
from operator import itemgetter

from compiler.rulebook.change_blocks import ChangeBlockBuilder
from compiler.rulebook.chart_blocks import chart_block
from compiler.rulebook.contents import PAGE_TITLES, UNATTACHED, Contents, distinct_things, general_rules
from compiler.rulebook.counter_sheets import sheet_blocks
from compiler.rulebook.cover_blocks import cover_block
from compiler.rulebook.decision_blocks import DecisionBlockBuilder
from compiler.rulebook.errata import Erratum, gather_errata, written_date
from compiler.rulebook.headings import Heading
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.line_builder import LineBuilder, emphasized, label_line, listing, ruling_tags, strong, text_line
from compiler.rulebook.openings import CLOSED
from compiler.rulebook.play_blocks import PlayBlockBuilder, phases_text
from compiler.rulebook.rule_blocks import RuleBlockBuilder
from compiler.rulebook.sentences import term_question
from compiler.rulebook.source_items import CitedItem, SourceSection
from compiler.rulebook.source_order import written_rank
from compiler.source.numbering import register_key
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.document import (
    BlockRole,
    BookEdition,
    DocumentBlock,
    DocumentLine,
    DocumentRole,
    DocumentSpan,
    DocumentTag,
)
from runtime.graph.stages import stages_of

MANY_PLACES = 6  # places that a reader does not look through unless asked


class BookBlockBuilder:
    """A builder of all pages of one edition."""

    def __init__(self, contents: Contents, edition: BookEdition, has_place: Callable[[BookKey], bool]) -> None:
        """Store what the book contains, and whether the edition has a place to which one may refer."""
        self.lines = LineBuilder(contents, edition, has_place)
        self.rules = RuleBlockBuilder(self.lines)
        self.play = PlayBlockBuilder(self.lines, self.rules)
        self.contents = contents

    def pages(self) -> Iterator[DocumentBlock]:
        """Yield the pages that the edition has behind the sections, if the book has anything for them."""
        builders = {
            BlockRole.CHARTS: self.charts,
            BlockRole.COUNTERS: self.counters,
            BlockRole.RULINGS: self.rulings,
            BlockRole.ERRATA: self.errata,
            BlockRole.DISPUTES: self.disputes,
            BlockRole.QUESTIONS: self.questions,
            BlockRole.GLOSSARY: self.glossary,
            BlockRole.INDEX: self.index,
            BlockRole.SOURCES: self.sources,
            BlockRole.EXAMPLES: self.examples,
            BlockRole.CHANGES: self.changes,
        }
        for role, build in builders.items():
            if self.lines.edition in role.editions and role in self.contents.pages:
                yield build()

    def cover(self) -> DocumentBlock:
        """Build the title page."""
        return cover_block(self.lines)

    def decisions(self) -> Iterator[DocumentBlock]:
        """Yield the pages of questions, if the edition has them."""
        if self.lines.edition in BlockRole.DECISION.editions:
            for name in self.contents.questions:
                yield DecisionBlockBuilder(self.lines, self.rules, name).page()

    def changes(self) -> DocumentBlock:
        """Build the changes from the book that this one is compared with."""
        assert self.contents.booklet is not None
        return ChangeBlockBuilder(self.lines, self.contents.booklet).page()

    def sections(self) -> Iterator[DocumentBlock]:
        """Yield the sections of which the edition has anything."""
        return filter(_has_lines, map(self.section, self.contents.outline))

    def section(self, heading: Heading) -> DocumentBlock:
        """Build a section or a case with what is under it."""
        key = ("case", heading.label)
        parts = filter(_has_lines, map(self.section, heading.parts))
        blocks = [*map(self.rules.entry, heading.entries), *parts]
        if missing := self.contents.missing_numbers.get(heading.label):
            remark = text_line(DocumentRole.REMARK, missing)
            blocks.append(DocumentBlock(BlockRole.REMARK, ("remark", heading.label), lines=(remark,)))
        lines = self.lines.in_edition(self._opening_lines(heading))
        return DocumentBlock(
            BlockRole.CASE, key, heading.number, self.contents.titles[key], lines=lines, blocks=tuple(blocks)
        )

    def _opening_lines(self, heading: Heading) -> Iterator[DocumentLine]:
        """Yield how a case opens, what is done in it, and what holds unless a rule of it says otherwise."""
        opened = self.contents.openings.get(heading.label, CLOSED)
        if opened.rule:
            yield text_line(DocumentRole.GENERAL_RULE, opened.rule)
        if opened.procedure:
            steps = enumerate(opened.procedure, 1)
            items = (text_line(DocumentRole.STEP, step, mark=f"{number}.") for number, step in steps)
            yield text_line(DocumentRole.PROCEDURE, items=items)
        if done_here := self.contents.procedures.get(heading.label):
            yield text_line(DocumentRole.DONE_HERE, items=map(self._deed, done_here))
        for term, sentence in general_rules(self.contents, heading):
            link = DocumentSpan("What decides this?", ("term", term)) if self.lines.has_place(("term", term)) else ""
            yield text_line(DocumentRole.DEFAULT, sentence, " ", link)

    def _deed(self, key: str) -> DocumentLine:
        """Return a procedure that belongs to a section, with what it is for and when it is carried out."""
        procedure = self.contents.book.procedures[key]
        purpose = f": {procedure.prose}" if procedure.prose else "."
        return text_line(DocumentRole.ITEM, self.lines.name(("procedure", key)), f"{purpose} {phases_text(procedure)}")

    def charts(self) -> DocumentBlock:
        """Build all charts of the edition."""
        charts = self.contents.players_charts if self.rules.is_brief else self.contents.charts
        return self._page(BlockRole.CHARTS, (chart_block(self.lines, chart) for chart in charts))

    def counters(self) -> DocumentBlock:
        """Build the unit function charts."""
        return self._page(BlockRole.COUNTERS, sheet_blocks(self.lines))

    def rulings(self) -> DocumentBlock:
        """Build the list of all rulings."""
        blocks = []
        for ruling in sorted(self.contents.book.rulings.values(), key=self._ruling_rank):
            block = self.rules.ruling(ruling.label, is_listed=True)
            heading = self.lines.name(block.key)
            blocks.append(
                replace(block, role=BlockRole.LISTED_RULING, key=("listed", ruling.label), heading=heading, blocks=())
            )
        return self._page(BlockRole.RULINGS, blocks)

    def _ruling_rank(self, ruling: graph.Ruling) -> tuple[object, ...]:
        """Return the sort key of a ruling: its number; those without one come last."""
        number = self.contents.numbers.get(("ruling", ruling.label), "")
        return not number, register_key(number), *written_rank(self.contents.book, ruling), ruling.label

    def errata(self, since: str = "") -> DocumentBlock:
        """Build the errata by date, from one on ("" for all)."""
        errata = gather_errata(self.contents, since)
        groups = []
        for date, of_date in errata.groups:
            groups.append(
                listing(f"errata-{date or 'undated'}", written_date(date), blocks=map(self._erratum, of_date))
            )
        after = f" since {since}" if since else ""
        lead = f"No answer or correction changes anything for players{after}."
        if groups:
            lead = "What answers and corrections change for players, the newest first."
            answers = words.counted_noun(errata.without, "answer")
            lead += f" Beside these, {answers} among all rulings only said what was meant." if errata.without else ""
        if errata.undated:
            lead += f" Left out: {errata.undated} without a date."
        return self._page(BlockRole.ERRATA, groups, lead)

    def _erratum(self, erratum: Erratum) -> DocumentBlock:
        """Build an answer or correction with what it changes."""
        lines = [text_line(DocumentRole.ASKS, emphasized(erratum.asks))] if erratum.asks else []
        for key, sentence in erratum.before:
            lines.append(text_line(DocumentRole.BEFORE, f"{sentence} (", self.lines.name(key), ")"))
        lines.append(text_line(DocumentRole.NOW, erratum.now))
        if erratum.stands:
            lines.append(
                text_line(DocumentRole.REMARK, "Stands in ", *self.lines.names(key for key, _ in erratum.stands), ".")
            )
        return DocumentBlock(
            BlockRole.ERRATUM,
            ("erratum", erratum.thing[1]),
            tags=ruling_tags(erratum.kind, erratum.impact),
            lines=self.lines.in_edition((*lines, *self.lines.sources(erratum.cites))),
            heading=self.lines.name(erratum.thing),
        )

    def disputes(self) -> DocumentBlock:
        """Build the disputes with their readings, and which of them the book follows."""
        disputes = self.contents.book.disputes.values()
        in_order = sorted(disputes, key=lambda dispute: self.contents.titles["dispute", dispute.label].lower())
        return self._page(BlockRole.DISPUTES, map(self._dispute, in_order))

    def _dispute(self, dispute: graph.Dispute) -> DocumentBlock:
        key = ("dispute", dispute.label)
        lines = [text_line(DocumentRole.PROSE, dispute.question), *self.lines.sources(dispute.cites), label_line(*key)]
        readings = tuple(self._reading(dispute, reading) for reading in dispute.readings)
        title = self.contents.titles[key]
        return DocumentBlock(BlockRole.DISPUTE, key, title=title, lines=self.lines.in_edition(lines), blocks=readings)

    def _reading(self, dispute: graph.Dispute, reading: graph.Reading) -> DocumentBlock:
        """Build a reading: its reason, and the rules that it has in this book, or would bring in."""
        rules, titles = self.contents.rules, self.contents.titles
        lines = [text_line(DocumentRole.PROSE, reading.reason)] if reading.reason else []
        for label in reading.rules:
            if label in rules:
                text = rules[label].prose or rules[label].logic
                lines.append(text_line(DocumentRole.PROSE, f"{text} (", self.lines.name(("rule", label)), ")"))
        if reading.rules and not reading.chosen:
            brought = words.list_text([f"“{titles['rule', label]}”" for label in reading.rules])
            lines.append(text_line(DocumentRole.REMARK, f"It would bring in {brought}."))
        elif not reading.rules:
            stands = "It adds no rule: the other rules stand as they are."
            lines.append(
                text_line(DocumentRole.REMARK, stands if reading.chosen else stands.replace("adds", "would add"))
            )
        lines += [*self.lines.sources(reading.cites), text_line(DocumentRole.LABEL, f"{dispute.label}={reading.label}")]
        tag = DocumentTag("followed here", "followed") if reading.chosen else DocumentTag("not followed", "")
        return DocumentBlock(
            BlockRole.READING,
            ("reading", reading.label),
            title=titles["reading", reading.label],
            tags=(tag,),
            lines=self.lines.in_edition((*lines, *self.lines.quotes(reading.cites))),
        )

    def questions(self) -> DocumentBlock:
        """Build the questions that rules, rulings and disputes answer, by the section of the first rule that does."""
        groups: dict[str, list[tuple[tuple[object, ...], DocumentLine]]] = {}
        for span, answer in self._questions():
            number = "".join(takewhile(str.isdigit, span.number))
            line = text_line(DocumentRole.LISTED, span, f" {answer}" if answer else "")
            # A ruling follows the question that it is about.
            rank = (register_key(span.number), span.key is not None and span.key[0] != "term", span.text)
            groups.setdefault(number, []).append((rank, line))
        blocks = []
        for section in self.contents.outline:
            lines = (line for _, line in sorted(groups.pop(section.number, ()), key=itemgetter(0)))
            blocks.append(
                listing(f"questions-{section.label}", lines=lines, heading=self.lines.name(("case", section.label)))
            )
        rest = [line for group in groups.values() for _, line in group]
        blocks.append(listing("questions-elsewhere", "Elsewhere", rest))
        advice = [
            text_line(DocumentRole.LISTED, self.lines.name(("term", name))) for name in sorted(self.contents.advising)
        ]
        blocks.append(listing("questions-advice", "What advises the computer", advice))
        lead = "What the rules decide, and where it is answered."
        return self._page(BlockRole.QUESTIONS, filter(_has_lines, blocks), lead)

    def _questions(self) -> Iterator[tuple[DocumentSpan, str]]:
        """Yield each question, with the number of the first rule that answers it, and the answer of a ruling."""
        book = self.contents.book
        for name in self.contents.questions:
            if name not in self.contents.advising:
                parts = (name, *stages_of(book, name))
                labels = [label for part in parts for label in book.terms[part].rules]
                yield self._question(term_question(book, book.terms[name]), ("term", name), labels), ""
        for ruling in book.rulings.values():
            key = ("ruling", ruling.label)
            yield DocumentSpan(ruling.asks, key, self.contents.numbers.get(key, "")), ruling.answers
        for dispute in book.disputes.values():
            labels = [label for reading in dispute.readings for label in reading.rules]
            yield self._question(dispute.question, ("dispute", dispute.label), labels), ""

    def _question(self, asks: str, key: BookKey, labels: Iterable[str]) -> DocumentSpan:
        numbers = (self.contents.numbers.get(("rule", label), "") for label in labels)
        return DocumentSpan(asks, key, min(filter(None, numbers), key=register_key, default=""))

    def glossary(self) -> DocumentBlock:
        """Build the glossary."""
        groups = []
        for group in self.contents.glossary_groups:
            lines = []
            for gloss in group.glosses:
                places, folded = self._places(gloss.readers)
                sense = f": {gloss.sense}." if gloss.sense else ""
                see = (" See " if sense else ": see ", *places, ".") if places else ()
                spans = (strong(gloss.word), sense, *see)
                lines.append(text_line(DocumentRole.LISTED, *spans, items=folded, key=gloss.thing))
            groups.append(listing(group.title, group.title, lines))
        return self._page(BlockRole.GLOSSARY, groups)

    def index(self) -> DocumentBlock:
        """Build the index of subjects."""
        lines = []
        for entry in self.contents.keywords:
            subjects = (self._subject(DocumentSpan(phrase), places) for phrase, places in entry.under)
            items = [item for item in subjects if item.spans[1:]]
            see = f"see {', '.join(entry.cross_references)}" if entry.cross_references else ""
            line = self._subject(strong(entry.word), entry.places, see)
            if items or line.spans[1:]:
                lines.append(replace(line, items=tuple(items), key=("word", f"word-{entry.word}")))
        lead = "What a reader may look up, and where the text speaks of it."
        return self._page(BlockRole.INDEX, [listing("words", lines=lines)] if lines else [], lead)

    def _subject(self, word: DocumentSpan, keys: Iterable[BookKey], see: str = "") -> DocumentLine:
        """Return an entry of the index with the places that the edition has, and the entries to `see`."""
        spans: list[DocumentSpan | str] = [word]
        if places := tuple(self.lines.names(filter(self.lines.has_place, keys))):
            spans += [": ", *places]
        if see:
            spans += ["; " if places else " ", emphasized(see)]
        return text_line(DocumentRole.INDEXED, *spans)

    def sources(self) -> DocumentBlock:
        """Build the index of the documents that the book cites, item by item."""
        groups = []
        for source in self.contents.sources:
            parts = [self._source_part(part) for part in source.parts]
            title = f"{source.title} ({source.prefix})" if source.prefix else source.title
            used = f"{source.count_used} of {len(source.items)} items are in this book." if source.prefix else ""
            edition = f"{source.edition[:1].upper()}{source.edition[1:]}. " if source.edition else ""
            lines = (text_line(DocumentRole.REMARK, f"{edition}{used}"),)
            groups.append(listing(f"sources-{source.prefix}", title, lines, parts))
        lead = "Every item of the documents that this book cites, and where it went."
        return self._page(BlockRole.SOURCES, groups, lead)

    def _source_part(self, part: SourceSection) -> DocumentBlock:
        return listing(part.heading, part.heading, map(self._cited_item, part.items))

    def _cited_item(self, item: CitedItem) -> DocumentLine:
        """Return an item of a document with the places where it is cited, and its words where the user has them."""
        spans, folded = self._places(distinct_things(self.contents, item.places))
        quoted = (text_line(DocumentRole.ITEM_WORDS, text) for text in self.contents.quoted.get(item.name, ()))
        where = spans if item.places else (emphasized("not in this book"),)
        items = (*folded, *self.lines.in_edition(quoted))
        return text_line(DocumentRole.INDEXED, strong(item.name), " ", *where, items=items, key=("source", item.name))

    def examples(self) -> DocumentBlock:
        """Build the examples that belong to no rule."""
        lead = "Examples of one rule stand beside it. These show what happens in play."
        return self._page(BlockRole.EXAMPLES, self.rules.examples(UNATTACHED), lead)

    def _places(self, keys: tuple[BookKey, ...]) -> tuple[tuple[DocumentSpan, ...], tuple[DocumentLine, ...]]:
        """Return references for a line, or if there are many, a fold below it."""
        names = tuple(self.lines.names(keys))
        if len(keys) <= MANY_PLACES or self.lines.edition not in DocumentRole.SPOKEN_OF.editions:
            return names, ()
        return (), (text_line(DocumentRole.SPOKEN_OF, *names),)

    def _page(self, role: BlockRole, blocks: Iterable[DocumentBlock], lead: str = "") -> DocumentBlock:
        lines = (text_line(DocumentRole.PROSE, lead),) if lead else ()
        return DocumentBlock(role, ("page", role), title=PAGE_TITLES[role], lines=lines, blocks=tuple(blocks))


def _has_lines(block: DocumentBlock) -> bool:
    """Return whether a block or one under it has any text."""
    return bool(block.lines or block.text_block) or any(map(_has_lines, block.blocks))
