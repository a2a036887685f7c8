"""Split a heading that has too many entries: as its layer declares, else nine by nine.

The input is a heading whose entries have no numbers yet; the output is the heading with its entries in parts. A heading
that was numbered before keeps its parts.
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
    """Split a heading with more than nine children: as its opening declares, else nine by nine.

    A heading that was numbered before keeps its parts, or stays without any.
    """
    declared_parts = case_openings(numbering.book).get(heading.label, CLOSED).parts
    shares = _shares(heading.entries, [labels for _, labels in declared_parts])
    entries = tuple(entry for share in shares for entry in share)
    titles = [title for title, _ in declared_parts] or [""]
    if ("case", heading.label) in numbering.register.numbers:
        return _split_as_before(numbering.register, replace(heading, entries=entries), titles, shares)
    numbered = [entry for entry in entries if isinstance(entry, RuleEntry) or entry.entries]
    if len(numbered) + len(heading.parts) <= NINE:
        return replace(heading, entries=entries)
    parts: list[Heading] = []
    for title, share in zip(titles, shares, strict=True):
        for start in range(0, len(share), NINE):
            continued = f"{title}, continued" if title and start else title
            label = f"{heading.label}-{len(parts) + 1}"
            parts.append(Heading(label, "", continued, tuple(share[start : start + NINE]), ()))
    return replace(heading, entries=(), parts=(*parts, *heading.parts))


def _split_as_before(
    register: Register, heading: Heading, titles: list[str], shares: list[list[RuleEntry | RulingEntry]]
) -> Heading:
    """Assign entries to the parts that a heading had when it was numbered, new ones to those of its opening."""
    numbers = {label: register.numbers["case", label] for label in register.part_labels(heading.label)}
    if not numbers:
        return heading
    entries_by_part: dict[str, list[RuleEntry | RulingEntry]] = {label: [] for label in numbers}
    declared_parts = {
        id(entry): f"{heading.label}-{place}"
        for place, share in enumerate(shares, 1)
        for entry in share
        if len(titles) > 1
    }
    part = next(iter(numbers))
    for entry in heading.entries:
        label = _label(entry)
        thing = ("rule", label) if label or isinstance(entry, RuleEntry) else ("ruling", entry.ruling)
        old_number = register.numbers.get(thing, "")
        old = next((label for label, number in numbers.items() if old_number.startswith(number)), "")
        # A ruling without rules stays with its predecessor.
        part = old or (declared_parts.get(id(entry), part) if label else part)
        entries_by_part.setdefault(part, []).append(entry)
    parts = []
    for label, entries in entries_by_part.items():
        place = int(label.rpartition("-")[2])
        title = titles[place - 1] if place <= len(titles) else ""
        parts += [Heading(label, "", title, tuple(entries), ())] if entries else []
    return replace(heading, entries=(), parts=(*parts, *heading.parts))


def _shares(
    entries: tuple[RuleEntry | RulingEntry, ...], parts: list[tuple[str, ...]]
) -> list[list[RuleEntry | RulingEntry]]:
    """Assign entries to parts, in their declared order; an entry in no part stands at the end of the last.

    A ruling without rules stays with the entry before it. Without parts there is one share.
    """
    if not parts:
        return [[*entries]]
    places = {label: (part, index) for part, labels in enumerate(parts) for index, label in enumerate(labels)}
    end = (len(parts) - 1, len(places))
    ranked: list[list[tuple[int, RuleEntry | RulingEntry]]] = [[] for _ in parts]
    place = end
    for entry in entries:
        labels = (
            [entry.label] if isinstance(entry, RuleEntry) else [entry.ruling, *(rule.label for rule in entry.entries)]
        )
        declared = next((places[label] for label in labels if label in places), None)
        if declared or _label(entry):
            place = declared or end
        ranked[place[0]].append((place[1], entry))
    return [[entry for _, entry in sorted(share, key=itemgetter(0))] for share in ranked]


def _label(entry: RuleEntry | RulingEntry) -> str:
    """Return the label of the rule of an entry, or of the first of a ruling; "" if there is none."""
    return entry.label if isinstance(entry, RuleEntry) else next((rule.label for rule in entry.entries), "")
