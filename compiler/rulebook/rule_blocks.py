"""Build the document tree of a rule or ruling: its lines in order, its examples, the exceptions and rulings under it.

In: the contents of a book, an edition, and which things that edition has. Out: `DocumentBlock`s. What is shown of a
rule is decided here, for all printers.
"""

from collections.abc import Callable, Iterable, Iterator

from compiler.rulebook.contents import Contents, rules_behind_ruling, rules_under, ruling_entries
from compiler.rulebook.exact_words import ExactSentence
from compiler.rulebook.headings import BookEntry, RuleEntry
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.links import lasting_address
from compiler.rulebook.naming import title_in_sentence
from compiler.rulebook.printed_rules import PrintedRule
from runtime.graph.document import (
    ROLES,
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

    def __init__(self, contents: Contents, edition: BookEdition, has_place: Callable[[BookKey], bool]) -> None:
        """Store what the book contains, and whether the edition has a place to which one may refer."""
        self.contents = contents
        self.edition = edition
        # Players read each ruling by itself, and no rule that repeats it.
        self.is_brief = edition is BookEdition.PLAYER
        self.has_place = has_place

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
            _line(DocumentRole.ASKS, _emphasized(ruling.asks)),
            _line(DocumentRole.ANSWERS, ruling.answers),
            *([self._relation(verb, about)] if about else []),
            *self._source_lines(ruling.cites),
            _label_line("ruling", label),
        ]
        key = ("ruling", label)
        tags = [DocumentTag(ruling.kind or "ruling", ruling.kind)]
        if ruling.impact:
            impact = "no" if ruling.impact == "none" else ruling.impact
            tags.append(DocumentTag(f"{impact} impact", f"impact-{ruling.impact}"))
        return DocumentBlock(
            BlockRole.RULING,
            key,
            self.contents.numbers.get(key, ""),
            self.contents.titles[key],
            tuple(tags),
            lines=self._in_edition(lines),
            blocks=tuple(self._examples(key)),
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
            self._in_edition(self._rule_lines(rule)),
            (*self._examples(entry.thing), *self._blocks_under(entry.under)),
        )

    def _blocks_under(self, entries: Iterable[BookEntry]) -> Iterator[DocumentBlock]:
        """Build the rulings among entries, unless a rule is printed as one with them, and then the rules."""
        entries = tuple(entries)
        for card in ruling_entries(entries):
            if self.is_brief or card.ruling not in self.contents.merged_rules:
                yield self.ruling(card.ruling)
        for exception in rules_under(entries):
            yield self._rule(BlockRole.EXCEPTION, exception)

    def _examples(self, key: BookKey) -> Iterator[DocumentBlock]:
        if self.is_brief:
            return
        for example in self.contents.examples.get(key, ()):
            yield DocumentBlock(BlockRole.EXAMPLE, key, title=example.title, data=example)

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
            yield from self._source_lines(rule.cites)
        if not is_merged or rule.ruling != rule.label:
            yield _label_line("rule", rule.label)

    def _sentences(self, rule: PrintedRule) -> Iterator[DocumentLine]:
        """Yield the sentence of a rule, unless its ruling is its text, and its logic in words."""
        if self._is_merged(rule):
            pass
        elif self.contents.repeats(rule.label) and rule.prose:
            yield _line(DocumentRole.PROSE, "As ruled in ", self._name(("ruling", rule.ruling)), ".")
        elif rule.asks:
            yield _line(DocumentRole.PROSE, _emphasized(rule.asks), " ", rule.prose)
        elif rule.prose:
            yield _line(DocumentRole.PROSE, rule.prose)
        role = DocumentRole.RESTATED if rule.prose else DocumentRole.STATED
        yield from (_exact_line(role, sentence) for sentence in rule.exact)

    def _notes(self, rule: PrintedRule) -> Iterator[DocumentLine]:
        """Yield the remarks below the text."""
        for verb, keys in rule.relations:
            yield self._relation(verb, keys)
        if rule.dispute:
            yield _line(DocumentRole.DISPUTED, self._name(("dispute", rule.dispute)), ".")
        if rule.ruling and not rule.asks and self.has_place(("ruling", rule.ruling)):
            yield _line(DocumentRole.CARRIES_OUT, self._name(("ruling", rule.ruling)), ".")
        # The examples of a ruling that is the text of a rule follow here.
        if rule.other_example and not (self._is_merged(rule) and rule.other_example.home == ("ruling", rule.ruling)):
            title, address, home = rule.other_example
            is_numbered = home in self.contents.numbers and self.has_place(home)
            place = (" at ", self._name(home)) if is_numbered else ()
            yield _line(DocumentRole.SHOWN_ELSEWHERE, "“", DocumentSpan(title, address=address), "”", *place, ".")
        if known_keys := [key for key in rule.things_read if self.has_place(key)]:
            book, titles = self.contents.book, self.contents.titles
            names = [self._name(key, title_in_sentence(book, titles, key)) for key in known_keys]
            yield _line(DocumentRole.LOOKED_UP, *_joined(names, "; "), ".")

    def _source_lines(self, cites: tuple[str, ...]) -> Iterator[DocumentLine]:
        """Yield the cited paragraphs, and their words where the user has them."""
        if cites:
            items = [DocumentSpan(item, ("source", item)) for item in cites]
            yield _line(DocumentRole.SOURCES, *_joined(items, " "))
        for item in cites:
            if item in self.contents.quoted:
                paragraphs = [_line(DocumentRole.QUOTED, paragraph) for paragraph in self.contents.quoted[item]]
                yield DocumentLine(DocumentRole.QUOTED, (DocumentSpan(item),), tuple(paragraphs))

    def _in_edition(self, lines: Iterable[DocumentLine]) -> tuple[DocumentLine, ...]:
        return tuple(line for line in lines if self.edition in ROLES[line.role].editions)

    def _name(self, key: BookKey, title: str = "") -> DocumentSpan:
        """Return a reference to a thing by its number and title."""
        return DocumentSpan(title or self.contents.titles.get(key, key[1]), key, self.contents.numbers.get(key, ""))

    def _relation(self, verb: str, keys: tuple[BookKey, ...]) -> DocumentLine:
        """Return what a rule does to others."""
        space = (" ",) if keys else ()
        return _line(DocumentRole.RELATION, verb, *space, *_joined(map(self._name, keys), ", "), ".")


def _line(role: DocumentRole, *parts: DocumentSpan | str) -> DocumentLine:
    """Return a line of spans and plain texts."""
    return DocumentLine(role, tuple(DocumentSpan(part) if isinstance(part, str) else part for part in parts))


def _emphasized(text: str) -> DocumentSpan:
    return DocumentSpan(text, is_emphasized=True)


def _label_line(kind: str, label: str) -> DocumentLine:
    """Return the label of a thing, which leads to its address that lasts."""
    return _line(DocumentRole.LABEL, DocumentSpan(label, (kind, label), address=lasting_address(label)))


def _joined(spans: Iterable[DocumentSpan], separator: str) -> Iterator[DocumentSpan]:
    """Yield spans with a separator between each two."""
    for place, span in enumerate(spans):
        if place:
            yield DocumentSpan(separator)
        yield span


def _exact_line(role: DocumentRole, sentence: ExactSentence) -> DocumentLine:
    items = tuple(_exact_line(role, item) for item in sentence.items)
    return DocumentLine(role, (DocumentSpan(sentence.text),), items)
