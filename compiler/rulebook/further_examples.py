"""Examples that stand at no rule, under the sections whose rules decide what they play.

In: the contents of a book. Out: groups in the order of the book, each with its examples in theirs: those of the
sequence of play, of each section, of what counters print, and last those in which none of them has a part.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from compiler.rulebook.contents import UNATTACHED, Contents
from compiler.rulebook.examples import PrintableExample
from compiler.rulebook.headings import Heading
from compiler.rulebook.index.mentions import BookKey, things_in
from compiler.rulebook.printed_places import page_term
from runtime.graph import nodes as graph
from runtime.graph.walk import walk

PLAY_PAGE, PRINTED_PAGE, NO_PAGE = "play.html", "counters.html", ""
TITLES = {PLAY_PAGE: "Sequence of play", PRINTED_PAGE: "What counters print", NO_PAGE: "Other examples"}
VOTES_OF_EXAMPLE = 1000  # what one thing gives to the sections that look at it


@dataclass(frozen=True, slots=True)
class SectionExamples:
    """Examples of one section, or of none: then `address` is the page that they are about, "" if there is none."""

    section: Heading | None
    title: str
    address: str
    examples: tuple[PrintableExample, ...]


def group_further_examples(contents: Contents) -> tuple[SectionExamples, ...]:
    """Group the examples."""
    examples = contents.printed_places.examples.get(UNATTACHED, ())
    printables = contents.examples.get(UNATTACHED, ())
    places = _ExamplePlacement(contents)
    found: dict[str, list[PrintableExample]] = {PLAY_PAGE: []}
    found |= {section.label: [] for section in contents.outline} | {PRINTED_PAGE: [], NO_PAGE: []}
    for example, printable in zip(examples, printables, strict=True):
        found[places.place_of(example)].append(printable)
    sections = {section.label: section for section in contents.outline}
    return tuple(
        SectionExamples(sections.get(label), TITLES.get(label, ""), label if label in TITLES else "", tuple(group))
        for label, group in found.items()
        if group
    )


class _ExamplePlacement:
    """Finds where an example belongs.

    What it does counts before what it asks, that before the events it tells of and the facts that it reads, and
    these before the rules it is written beside.
    """

    def __init__(self, contents: Contents) -> None:
        self.contents = contents
        tops = {case: section.label for section in contents.outline for case in _cases(section)}
        cases = contents.printed_places.cases
        self.rules = {label: tops[case] for label, case in cases.items() if case in tops}
        self.procedures = {key: section for section, keys in contents.procedures.items() for key in keys}
        self.order = {section.label: index for index, section in enumerate(contents.outline)}

    def place_of(self, example: graph.Example) -> str:
        """Return the section of an example, else what it is about."""
        nodes = [*walk(example.lines)]
        terms = [node.term for node in nodes if isinstance(node, graph.Ask)]
        events = [node.event for node in nodes if isinstance(node, graph.Tell)]
        keys = [key for node in nodes if (key := _procedure_key(node))]
        checks = [line for line in example.lines if isinstance(line, graph.Check)]
        facts = dict.fromkeys(fact for fact in things_in(tuple(checks)) if fact[0] in ("flag", "track"))
        in_order = any(isinstance(node, graph.Order) for node in nodes)
        of_counters = any(isinstance(node, graph.Printed) for node in nodes) or self.reads_counters(checks)
        for votes in (
            Counter(self.procedures[key] for key in keys if key in self.procedures),
            self.section_votes(
                ("term", name) for term in terms for name in {term, page_term(self.contents.book, term)}
            ),
            self.section_votes((("procedure", key) for key in keys), of_things_read=True),
            self.section_votes((hook for event in events for hook in self.hooks_of_event(event)), of_things_read=True),
            Counter() if in_order else self.section_votes(facts),
            Counter() if in_order or of_counters else self.neighbors(example),
        ):
            if votes:
                return min(votes, key=lambda section: (-votes[section], self.order[section]))
        return PLAY_PAGE if in_order else PRINTED_PAGE if of_counters else NO_PAGE

    def section_votes(
        self, keys: "Iterator[BookKey] | dict[BookKey, None]", *, of_things_read: bool = False
    ) -> Counter[str]:
        """Count the sections whose rules answer or read things, or with `of_things_read` answer what these read."""
        votes: Counter[str] = Counter()
        for key in keys:
            for each in self.contents.mentions.things_read.get(key, ()) if of_things_read else (key,):
                sections = Counter(self.rules[label] for label in self.labels(each) if label in self.rules)
                for section, count in sections.items():
                    votes[section] += round(VOTES_OF_EXAMPLE * count / sections.total())
        return votes

    def labels(self, key: BookKey) -> tuple[str, ...]:
        """List the rules that answer a question, or that look at what is no question."""
        term = self.contents.book.terms.get(key[1]) if key[0] == "term" else None
        if term is not None:
            return term.rules
        return tuple(label for kind, label in self.contents.mentions.readers.get(key, ()) if kind == "rule")

    def neighbors(self, example: graph.Example) -> Counter[str]:
        """Count the sections of the rules that are written in the same file."""
        rules = self.contents.book.rules
        return Counter(
            section for label, section in self.rules.items() if rules[label].origin.file == example.origin.file
        )

    def hooks_of_event(self, event: str) -> list[BookKey]:
        """List the hooks on an event."""
        book = self.contents.book
        return [
            ("procedure", key)
            for key, procedure in book.procedures.items()
            if procedure.what == "hook" and procedure.event == event
        ]

    def reads_counters(self, checks: list[graph.Check]) -> bool:
        """Return whether all that is asked is printed on counters."""
        reads = [node for check in checks for node in walk(check.question) if isinstance(node, graph.Get | graph.Test)]
        kinds = {"printed", "trait", "kind", "given"}
        return bool(reads) and all(node.what in kinds for node in reads)


def _cases(section: Heading) -> tuple[str, ...]:
    """Return a section and its cases."""
    return (section.label, *(case for part in section.parts for case in _cases(part)))


def _procedure_key(node: object) -> str:
    """Return the key of the action or the resolution that a line runs."""
    match node:
        case graph.Perform():
            return f"action:{node.action}"
        case graph.Do():
            return f"resolution:{node.resolution}"
        case _:
            return ""
