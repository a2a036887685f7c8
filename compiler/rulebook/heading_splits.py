"""Split a heading that has too many entries: as its layer declares, else by the questions that its rules answer.

The input is a heading whose entries have no numbers yet; the output is the heading with its entries in parts, of nine
at most where possible. A heading that was numbered before keeps its parts.
"""

from dataclasses import dataclass, replace
from operator import itemgetter

from compiler.rulebook.headings import Heading, RuleEntry, RulingEntry
from compiler.rulebook.openings import CLOSED, case_openings
from compiler.rulebook.register import Register
from runtime.graph import nodes as graph

NINE = 9


@dataclass(frozen=True, slots=True)
class NumberingContext:
    """The context of numbering: the graph, and the register of numbers."""

    book: graph.Graph
    register: Register


def split_heading(numbering: NumberingContext, heading: Heading) -> Heading:
    """Split a heading with more than nine children: as its opening declares, else by the questions of its rules.

    A heading that was numbered before keeps its parts, or stays without any.
    """
    book = numbering.book
    declared_parts = case_openings(book).get(heading.label, CLOSED).parts
    shares = _shares(book, heading.entries, [labels for _, labels in declared_parts])
    entries = tuple(entry for share in shares for entry in share) if declared_parts else heading.entries
    if ("case", heading.label) in numbering.register.numbers:
        return _split_as_before(
            numbering, replace(heading, entries=entries), [title for title, _ in declared_parts], shares
        )
    numbered = [entry for entry in entries if (isinstance(entry, RuleEntry) or bool(entry.entries))]
    if len(numbered) + len(heading.parts) <= NINE:
        return replace(heading, entries=entries)
    space_left = NINE - len(heading.parts)
    titled = [
        (title if index == 0 else f"{title}, continued", "", chunk)
        for (title, _), share in zip(declared_parts, shares, strict=True)
        for index, chunk in enumerate(_chunks(share, NINE))
    ]
    if not declared_parts or len(titled) > space_left:
        titled = [("", term, chunk) for term, chunk in _group_by_question(book, entries, space_left)]
    parts = tuple(
        Heading(f"{heading.label}-{number}", "", title, term, tuple(chunk), ())
        for number, (title, term, chunk) in enumerate(titled, 1)
    )
    return replace(heading, entries=(), parts=(*parts, *heading.parts))


def _group_by_question(
    book: graph.Graph, entries: tuple[RuleEntry | RulingEntry, ...], space_left: int
) -> list[tuple[str, list[RuleEntry | RulingEntry]]]:
    """Group entries by the question they answer, nine to a group, or evenly where that makes too many groups."""
    groups: dict[str, list[RuleEntry | RulingEntry]] = {}
    term = ""
    for entry in entries:
        label = _label(entry)
        term = _question(book, label) if label else term  # A bare ruling stays with its predecessor.
        groups.setdefault(term, []).append(entry)
    chunks = [(term, chunk) for term, group in groups.items() for chunk in _chunks(group, NINE)]
    if len(chunks) <= space_left:
        return chunks
    together = [entry for group in groups.values() for entry in group]
    size = max(NINE, -(-len(together) // max(space_left, 1)))
    terms = {id(entry): term for term, group in groups.items() for entry in group}
    return [(terms[id(chunk[0])], chunk) for chunk in _chunks(together, size)]


def _question(book: graph.Graph, label: str) -> str:
    """Return the first question that a rule answers, of a stage the whole question; "" if it answers none."""
    name = next(iter(book.rules[label].terms), "")
    return name if name not in book.terms or book.terms[name].form == "flag" else name.partition(".")[0]


def _split_as_before(
    numbering: NumberingContext, heading: Heading, titles: list[str], shares: list[list[RuleEntry | RulingEntry]]
) -> Heading:
    """Assign entries to the parts that a heading had when it was numbered, and to new ones of its opening."""
    part_numbers = {
        label: numbering.register.numbers["case", label] for label in numbering.register.part_labels(heading.label)
    }
    if not part_numbers:
        return heading
    declared_places = {id(entry): number for number, share in enumerate(shares, 1) for entry in share}
    entries_by_part: dict[str, list[RuleEntry | RulingEntry]] = {label: [] for label in part_numbers}
    terms: dict[str, str] = {}
    last = next(iter(part_numbers))
    for entry in heading.entries:
        label, old_number = _label(entry), numbering.register.numbers.get(("rule", _label(entry)), "")
        term = _question(numbering.book, label) if label else ""
        old = next((part for part, number in part_numbers.items() if old_number.startswith(number)), "")
        new = f"{heading.label}-{declared_places[id(entry)]}" if id(entry) in declared_places else terms.get(term, last)
        last = old or (new if label else last)
        terms.setdefault(term, last)
        entries_by_part.setdefault(last, []).append(entry)
    parts = []
    for label, entries in entries_by_part.items():
        place = int(label.rpartition("-")[2])
        title = titles[place - 1] if place <= len(titles) else ""
        term = next((term for term, part in terms.items() if part == label and term), "")
        parts += [Heading(label, "", title, "" if title else term, tuple(entries), ())] if entries else []
    return replace(heading, entries=(), parts=(*parts, *heading.parts))


def _shares(
    book: graph.Graph, entries: tuple[RuleEntry | RulingEntry, ...], parts: list[tuple[str, ...]]
) -> list[list[RuleEntry | RulingEntry]]:
    """Assign entries to parts, in their declared order; an entry in no part goes to the part of its question.

    Other entries go to the last part, and a ruling without rules to that of the entry before it.
    """
    places = {label: (part, index) for part, labels in enumerate(parts) for index, label in enumerate(labels)}
    answering = {
        term: part
        for label, (part, _) in reversed(places.items())
        for term in (book.rules[label].terms if label in book.rules else ())
    }
    ranked: list[list[tuple[int, RuleEntry | RulingEntry]]] = [[] for _ in parts]
    last = (len(parts) - 1, 0)
    for entry in entries if parts else ():
        names = (
            [entry.label]
            if isinstance(entry, RuleEntry)
            else [entry.ruling, *(rule_entry.label for rule_entry in entry.entries)]
        )
        found = next((places[name] for name in names if name in places), None)
        if found is None and (label := _label(entry)):
            term = (*book.rules[label].terms, "")[0]
            found = answering.get(term, len(parts) - 1), len(places)
        last = found or last
        ranked[last[0]].append((last[1], entry))
    return [[entry for _, entry in sorted(share, key=itemgetter(0))] for share in ranked]


def _label(entry: RuleEntry | RulingEntry) -> str:
    """Return the label of the rule of an entry, or of the first of a ruling; "" if there is none."""
    return entry.label if isinstance(entry, RuleEntry) else next((rule.label for rule in entry.entries), "")


def _chunks(entries: list[RuleEntry | RulingEntry], size: int) -> list[list[RuleEntry | RulingEntry]]:
    return [entries[index : index + size] for index in range(0, len(entries), size)]
