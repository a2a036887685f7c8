"""Split a heading that has too many entries: as its layer declares, else nine by nine.

The input is a heading whose entries have no numbers yet; the output is the heading with its entries in parts. A heading
that was numbered before keeps its parts.
"""

from dataclasses import replace
from itertools import chain
from operator import itemgetter

from compiler.rulebook.headings import BookEntry, Heading
from compiler.rulebook.openings import CLOSED, case_openings
from compiler.rulebook.register import Register
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass

NINE = 9


@frozen_dataclass
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
    entries = tuple(chain.from_iterable(shares))
    titles = [title for title, _ in declared_parts] or [""]
    if ("case", heading.label) in numbering.register.numbers:
        return _split_as_before(numbering.register, replace(heading, entries=entries), titles, shares)
    numbered = [entry for entry in entries if entry.rules]
    if len(numbered) + len(heading.parts) <= NINE:
        return replace(heading, entries=entries)
    parts: list[Heading] = []
    for title, share in zip(titles, shares, strict=True):
        for start in range(0, len(share), NINE):
            continued = f"{title}, continued" if title and start else title
            label = f"{heading.label}-{len(parts) + 1}"
            parts.append(Heading(label, "", continued, tuple(share[start : start + NINE]), ()))
    return replace(heading, entries=(), parts=(*parts, *heading.parts))


def _split_as_before(register: Register, heading: Heading, titles: list[str], shares: list[list[BookEntry]]) -> Heading:
    """Assign entries to the parts that a heading had when it was numbered, new ones to those of its opening."""
    numbers = {label: register.numbers["case", label] for label in register.part_labels(heading.label)}
    if not numbers:
        return heading
    entries_by_part: dict[str, list[BookEntry]] = {label: [] for label in numbers}
    part = next(iter(numbers))
    for place, share in enumerate(shares, 1):
        for entry in share:
            first = entry.rules[0] if entry.rules else entry
            number = register.numbers.get(first.thing, "")
            # A ruling without rules stays with its predecessor.
            declared = f"{heading.label}-{place}" if len(titles) > 1 and entry.rules else part
            part = next((label for label, part_number in numbers.items() if number.startswith(part_number)), declared)
            entries_by_part.setdefault(part, []).append(entry)
    parts = []
    for label, entries in entries_by_part.items():
        place = int(label.rpartition("-")[2])
        title = titles[place - 1] if place <= len(titles) else ""
        parts += [Heading(label, "", title, tuple(entries), ())] if entries else []
    return replace(heading, entries=(), parts=(*parts, *heading.parts))


def _shares(entries: tuple[BookEntry, ...], parts: list[tuple[str, ...]]) -> list[list[BookEntry]]:
    """Assign entries to parts, in their declared order; an entry in no part stands at the end of the last.

    A ruling without rules stays with the entry before it. Without parts there is one share.
    """
    if not parts:
        return [[*entries]]
    places: dict[str, tuple[int, int]] = {}
    for part, labels in enumerate(parts):
        places.update((label, (part, index)) for index, label in enumerate(labels))
    end = (len(parts) - 1, len(places))
    ranked: list[list[tuple[int, BookEntry]]] = [[] for _ in parts]
    place = end
    for entry in entries:
        labels = (entry.thing[1], *(rule.label for rule in entry.rules))
        declared = next((places[label] for label in labels if label in places), None)
        if declared or entry.rules:
            place = declared or end
        ranked[place[0]].append((place[1], entry))
    return [[entry for _, entry in sorted(share, key=itemgetter(0))] for share in ranked]
