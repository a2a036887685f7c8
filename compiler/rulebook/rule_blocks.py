"""Build the document tree of a rule or ruling: its lines in order, its examples, the exceptions and rulings under it.

In: the contents of a book, an edition, and which things that edition has. Out: `DocumentBlock`s. What is shown of a
rule is decided here, for all printers.
"""

from collections.abc import Iterable, Iterator

from compiler.rulebook.contents import rules_behind_ruling, rules_under, ruling_entries
from compiler.rulebook.example_blocks import example_block
from compiler.rulebook.headings import BookEntry, RuleEntry
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.line_builder import (
    LineBuilder,
    emphasized,
    exact_line,
    joined,
    label_line,
    ruling_tags,
    text_line,
)
from compiler.rulebook.naming import title_in_sentence
from compiler.rulebook.printed_rules import PrintedRule
from runtime.graph.document import (
    BlockRole,
    BookEdition,
    DocumentBlock,
    DocumentLine,
    DocumentRole,
    DocumentSpan,
    DocumentTag,
)


class RuleBlockBuilder:
    """A builder of the blocks of one edition."""

    def __init__(self, lines: LineBuilder) -> None:
        """Store what makes the lines of the edition."""
        self.lines = lines
        self.contents = lines.contents
        # Players read each ruling by itself, and no rule that repeats it.
        self.is_brief = lines.edition is BookEdition.PLAYER

    def entry(self, entry: BookEntry) -> DocumentBlock:
        """Build a rule with what is under it, or a ruling that is under no rule."""
        if isinstance(entry, RuleEntry):
            return self._rule(BlockRole.RULE, entry)
        blocks = self._blocks_under((entry,))
        return DocumentBlock(BlockRole.LOOSE_RULING, entry.thing, entry.number, blocks=tuple(blocks))

    def ruling(self, label: str, *, is_listed: bool = False) -> DocumentBlock:
        """Build a ruling: question, answer and sources, and its examples.

        One that is listed among all rulings, and not beside a rule, names the rules that it is about.
        """
        ruling = self.contents.book.rulings[label]
        about = rules_behind_ruling(self.contents, ruling) if is_listed else ()
        verb = "Clarifies" if ruling.kind == "clarification" else "Amends"
        lines = [
            text_line(DocumentRole.ASKS, emphasized(ruling.asks)),
            text_line(DocumentRole.ANSWERS, ruling.answers),
            *([self._relation(verb, about)] if about else []),
            *self.lines.sources(ruling.cites),
            label_line("ruling", label),
            *self.lines.quotes(ruling.cites),
        ]
        key = ("ruling", label)
        return DocumentBlock(
            BlockRole.RULING,
            key,
            self.contents.numbers.get(key, ""),
            self.contents.titles[key],
            ruling_tags(ruling.kind, ruling.impact),
            lines=self.lines.in_edition(lines),
            blocks=tuple(self.examples(key)),
        )

    def _rule(self, role: BlockRole, entry: RuleEntry) -> DocumentBlock:
        """Build a rule; a rule that is printed as one with its ruling has the ruling for its text."""
        rule = self.contents.rules[entry.label]
        return DocumentBlock(
            role,
            entry.thing,
            entry.number,
            rule.title,
            (DocumentTag(rule.change, "change"),) if rule.change else (),
            self.ruling(rule.ruling) if self._is_merged(rule) else None,
            self.lines.in_edition(self._rule_lines(rule)),
            (*self.examples(entry.thing), *self._blocks_under(entry.under)),
        )

    def _blocks_under(self, entries: Iterable[BookEntry]) -> Iterator[DocumentBlock]:
        """Build the rulings among entries, unless a rule is printed as one with them, and then the rules."""
        entries = tuple(entries)
        for card in ruling_entries(entries):
            if self.is_brief or card.ruling not in self.contents.merged_rules:
                yield self.ruling(card.ruling)
        for exception in rules_under(entries):
            yield self._rule(BlockRole.EXCEPTION, exception)

    def examples(self, key: BookKey) -> Iterator[DocumentBlock]:
        """Yield the examples of a thing, if the edition has them."""
        if self.lines.edition in BlockRole.EXAMPLE.editions:
            for example in self.contents.examples.get(key, ()):
                yield example_block(self.lines, example)

    def _is_merged(self, rule: PrintedRule) -> bool:
        """Return whether a rule is printed as one with its ruling."""
        return not self.is_brief and self.contents.merged_rules.get(rule.ruling) == rule.label

    def _rule_lines(self, rule: PrintedRule) -> Iterator[DocumentLine]:
        """Yield all lines of a rule; a player's edition has none of a rule that only repeats a ruling or advises."""
        if self.is_brief and (rule.asks or self.contents.is_advisory(rule.label)):
            return
        yield from self._sentences(rule)
        yield from self._notes(rule)
        is_merged = self._is_merged(rule)
        if not is_merged or self.contents.book.rulings[rule.ruling].cites != rule.cites:
            yield from self.lines.sources(rule.cites)
        if not is_merged or rule.ruling != rule.label:
            yield label_line("rule", rule.label)
        if not is_merged or self.contents.book.rulings[rule.ruling].cites != rule.cites:
            yield from self.lines.quotes(rule.cites)

    def _sentences(self, rule: PrintedRule) -> Iterator[DocumentLine]:
        """Yield the sentence of a rule, unless its ruling is its text, and its logic in words."""
        if self._is_merged(rule):
            pass
        elif self.contents.repeats(rule.label) and rule.prose:
            yield text_line(DocumentRole.PROSE, "As ruled in ", self.lines.name(("ruling", rule.ruling)), ".")
        elif rule.asks:
            yield text_line(DocumentRole.PROSE, emphasized(rule.asks), " ", rule.prose)
        elif rule.prose:
            yield text_line(DocumentRole.PROSE, rule.prose)
        role = DocumentRole.RESTATED if rule.prose else DocumentRole.STATED
        yield from (exact_line(role, sentence) for sentence in rule.exact)

    def _notes(self, rule: PrintedRule) -> Iterator[DocumentLine]:
        """Yield the remarks below the text."""
        for verb, keys in rule.relations:
            yield self._relation(verb, keys)
        if rule.dispute:
            yield text_line(DocumentRole.DISPUTED, self.lines.name(("dispute", rule.dispute)), ".")
        if rule.ruling and not rule.asks and self.lines.has_place(("ruling", rule.ruling)):
            yield text_line(
                DocumentRole.DETAIL, "Carries out the ruling ", self.lines.name(("ruling", rule.ruling)), "."
            )
        # The examples of a ruling that is the text of a rule follow here.
        if rule.other_example and not (self._is_merged(rule) and rule.other_example.home == ("ruling", rule.ruling)):
            title, address, home = rule.other_example
            is_numbered = home in self.contents.numbers and self.lines.has_place(home)
            place = (" at ", self.lines.name(home)) if is_numbered else ()
            yield text_line(
                DocumentRole.DETAIL, "See the example “", DocumentSpan(title, address=address), "”", *place, "."
            )
        yield from self.things_read(rule)

    def things_read(self, rule: PrintedRule) -> Iterator[DocumentLine]:
        """Yield which questions and charts a rule reads, if the edition has a place for any."""
        if known_keys := [key for key in rule.things_read if self.lines.has_place(key)]:
            book, titles = self.contents.book, self.contents.titles
            names = [self.lines.name(key, title_in_sentence(book, titles, key)) for key in known_keys]
            yield text_line(DocumentRole.DETAIL, "See ", *joined(names, "; "), ".")

    def _relation(self, verb: str, keys: tuple[BookKey, ...]) -> DocumentLine:
        """Return what a rule does to others."""
        space = (" ",) if keys else ()
        return text_line(DocumentRole.DETAIL, verb, *space, *self.lines.names(keys), ".")
