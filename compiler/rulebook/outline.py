"""Number the book: sections, cases, rules, exceptions.

The input is a graph and its printed places; the output is a tree of headings with numbered entries. Each ruling and
each rule of the graph, except definitions, is in exactly one place; a case has the number that its author assigned,
everything else the one of its layer's `register`; numbers are unique, and siblings are in the order of their numbers.
Definitions have no place in the text: they are explained with their question.

The scheme is SPI's: section 4, case 4.2, rule 4.23, and letters for its exceptions, 4.23a, so that no number has five
levels. Rules are in the order of the parts that a layer declares for their case. A case with more than nine rules is
split: as a layer declares, else nine by nine. Numbers are for readers; links and citations use
labels.
"""

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from math import inf
from operator import itemgetter

from compiler.rulebook.heading_splits import NINE, NumberingContext, split_heading
from compiler.rulebook.headings import BookEntry, Heading, RuleEntry, RulingEntry, headings_of
from compiler.rulebook.printed_places import PrintedPlaces, only_ruled, target_labels
from compiler.rulebook.register import Level, Register, number_register
from compiler.rulebook.source_order import written_rank
from compiler.source.numbering import number_key
from runtime.graph import nodes as graph
from runtime.graph.grouping import group_by

MOST_NAMED_TITLES = 3


def draw_outline(
    book: graph.Graph, printed_places: PrintedPlaces, register: Register | None = None
) -> tuple[Heading, ...]:
    """Arrange and number everything, by default with the numbers in the registers of the layers."""
    numbering = NumberingContext(book, register or number_register(book))
    tops = [_case(book, printed_places, case) for case in _children(book, "")]
    numbered: dict[int, list[Heading]] = {}
    following: list[list[Heading]] = []
    for key, parts in group_by(tops, lambda top: top.number.partition(".")[0] or top.label).items():
        if not any(map(_filled, parts)):
            continue
        if key.isdigit():
            numbered[int(key)] = parts
        else:
            following.append(parts)
    level = numbering.register.section_level(map(str, numbered))
    for parts in (*following, *([top] for top in _unplaced(book, printed_places))):
        numbered[int(level.assign_number(("case", _label_of(parts))))] = parts
    return tuple(
        _section(numbering, str(number), parts) for number, parts in sorted(numbered.items(), key=itemgetter(0))
    )


def _label_of(parts: list[Heading]) -> str:
    """Return the label of a section: that of its head case, or one from the common prefix of the numbers."""
    head = next((part.label for part in parts if "." not in part.number), "")
    return head or f"section-{parts[0].number.partition('.')[0]}"


def group_sections(book: graph.Graph, outline: tuple[Heading, ...]) -> tuple[tuple[str, tuple[Heading, ...]], ...]:
    """Group the sections by the layers that introduced them, each with its title; up to nine are not grouped."""
    if len(outline) <= NINE:
        return (("", outline),) if outline else ()
    titles = {layer.name: layer.title or layer.name for layer in book.layers}
    groups = groupby(outline, lambda section: _brought_by(book, section))
    return tuple((titles.get(layer, layer), tuple(sections)) for layer, sections in groups)


def _brought_by(book: graph.Graph, section: Heading) -> str:
    for heading in headings_of(section):
        if heading.label in book.cases:
            return book.cases[heading.label].origin.layer
    return book.layers[-1].name


def _children(book: graph.Graph, parent: str) -> list[graph.Case]:
    def rank(case: graph.Case) -> tuple[list[int], tuple[int, str, int, int]]:
        digits = [int(part) for part in case.number.split(".") if part.isdigit()]
        return digits or [10**6], written_rank(book, case)

    known = book.cases
    children = (case for case in known.values() if (case.parent if case.parent in known else "") == parent)
    return sorted(children, key=rank)


def _filled(heading: Heading) -> bool:
    return bool(heading.entries) or any(map(_filled, heading.parts))


def _case(book: graph.Graph, printed_places: PrintedPlaces, case: graph.Case) -> Heading:
    labels = [label for label, home in printed_places.cases.items() if home == case.label]
    parts = tuple(part for child in _children(book, case.label) if _filled(part := _case(book, printed_places, child)))
    return Heading(case.label, case.number, case.title, _entries(book, printed_places, labels, case.label), parts)


def _unplaced(book: graph.Graph, printed_places: PrintedPlaces) -> list[Heading]:
    """Collect what belongs to no case under one last heading, layer by layer."""
    labels_by_layer: dict[str, list[str]] = {layer.name: [] for layer in book.layers}
    for label, home in printed_places.cases.items():
        layer = book.rules[label].origin.layer
        if home == "" and not printed_places.only_defines(book.rules[label]) and layer in labels_by_layer:
            labels_by_layer[layer].append(label)
    entries: list[BookEntry] = []
    for layer, labels in labels_by_layer.items():
        entries += _entries(book, printed_places, labels, "", layer)
    return [Heading("further-rules", "", "Further rules", tuple(entries), ())] if entries else []


def _entries(
    book: graph.Graph, printed_places: PrintedPlaces, labels: list[str], case: str, layer: str = ""
) -> tuple[BookEntry, ...]:
    """Nest exceptions and rulings of a case under the rules they are about; numbers are assigned later."""
    labels = sorted(labels, key=lambda label: (*written_rank(book, book.rules[label]), label))
    entries_by_root: dict[str, list[BookEntry]] = {}
    for root, entry in _rule_entries(book, printed_places, labels):
        entries_by_root.setdefault(root, []).append(entry)
    for root, ruling_entry in _lone_rulings(book, printed_places, labels, case, layer):
        entries_by_root.setdefault(root, []).append(ruling_entry)
    return tuple(
        replace(top, under=tuple(entries_by_root.get(top.label, ()))) if isinstance(top, RuleEntry) else top
        for top in entries_by_root.get("", ())
    )


def _rule_entries(
    book: graph.Graph, printed_places: PrintedPlaces, labels: list[str]
) -> Iterator[tuple[str, BookEntry]]:
    """Yield the rules of a case, at the first rule of a ruling the ruling with all, and the rule that each is under."""
    placed: set[str] = set()
    for label in labels:
        ruling = book.rules[label].ruling
        root = _root(book, printed_places, label, labels)
        if ruling not in book.rulings:
            yield root if root != label else "", RuleEntry(label, "", ())
        elif ruling not in placed:
            placed.add(ruling)
            ruled = [other for other in labels if book.rules[other].ruling == ruling]
            rules = (RuleEntry(other, "", ()) for other in ruled if not only_ruled(book.rules[other]))
            yield _heading_rule(book, root), RulingEntry(ruling, tuple(rules))


def _lone_rulings(
    book: graph.Graph, printed_places: PrintedPlaces, labels: list[str], case: str, layer: str
) -> Iterator[tuple[str, RulingEntry]]:
    """Yield the rulings without rules that are printed in a case, and the rule that each is under."""
    for label, ruling in sorted(book.rulings.items(), key=lambda item: (*written_rank(book, item[1]), item[0])):
        adjacent_rule = printed_places.rulings[label]
        if not book.rules.keys().isdisjoint(ruling.rules):
            continue
        if adjacent_rule and printed_places.cases[adjacent_rule] == case and adjacent_rule in labels:
            root = _root(book, printed_places, adjacent_rule, labels)
            yield _heading_rule(book, root), RulingEntry(label, ())
        elif printed_places.ruling_cases.get(label) == case and (case or ruling.origin.layer == layer):
            yield "", RulingEntry(label, ())


def _heading_rule(book: graph.Graph, label: str) -> str:
    """Return a rule under which rulings can stand; "" for one that is printed with its own ruling."""
    return label if book.rules[label].ruling not in book.rulings else ""


def _root(book: graph.Graph, printed_places: PrintedPlaces, label: str, case_labels: Container[str]) -> str:
    """Return the rule that an exception or a ruling is transitively about, inside one case."""
    seen = {label}
    while True:
        rule = book.rules[label]
        adjacent_rule = printed_places.rulings.get(rule.ruling, "")
        above = [adjacent_rule] if adjacent_rule else [] if rule.ruling in book.rulings else list(target_labels(rule))
        nearest = next((other for other in above if other in case_labels and other not in seen), None)
        if nearest is None:
            return label
        seen.add(nearest)
        label = nearest


def _section(numbering: NumberingContext, number: str, parts: list[Heading]) -> Heading:
    """Build one section of the headings that share its number."""
    if len(parts) == 1 and "." not in parts[0].number:
        return _number(numbering, replace(parts[0], number=number), number, ".")
    titles: list[str] = []
    entries: list[BookEntry] = []
    inner: list[Heading] = []
    for part in parts:
        if "." in part.number:
            inner.append(part)
        else:
            titles.append(part.title)
            entries += part.entries
            inner += part.parts
    title = titles[0] if titles else _joined_title([part.title for part in parts])
    return _number(numbering, Heading(_label_of(parts), number, title, tuple(entries), tuple(inner)), number, ".")


def _joined_title(titles: list[str]) -> str:
    """Return the title of a section without an author's heading, after its first cases."""
    first_titles = titles if len(titles) <= MOST_NAMED_TITLES else titles[: MOST_NAMED_TITLES - 1]
    text = "; ".join(title if index == 0 else title[:1].lower() + title[1:] for index, title in enumerate(first_titles))
    return text if len(titles) <= MOST_NAMED_TITLES else f"{text}; and more"


def _number(numbering: NumberingContext, heading: Heading, number: str, point: str) -> Heading:
    """Number a heading and all below; numbers assigned by authors are preserved, the others fill the gaps."""
    heading = split_heading(numbering, heading)
    claimed = {part.number for part in heading.parts if part.number.startswith(number + point)}
    level = numbering.register.number_level(number, point, claimed)
    entries = [_number_entry(numbering, entry, level, number) for entry in heading.entries]
    parts = []
    for part in heading.parts:
        part_number = part.number if part.number in claimed else level.assign_number(("case", part.label))
        claimed.discard(part_number)  # Of two that claim one number, the first has it.
        parts.append(_number(numbering, replace(part, number=part_number), part_number, ""))
    parts.sort(key=lambda part: number_key(part.number))
    return replace(heading, number=number, entries=tuple(_sort_entries(numbering, entries)), parts=tuple(parts))


def _number_entry(numbering: NumberingContext, entry: BookEntry, level: Level, above: str) -> BookEntry:
    """Number a rule with its exceptions, or a ruling that is beside no rule."""
    if isinstance(entry, RulingEntry):
        return _number_ruling(numbering, entry, level, above)
    number = level.assign_number(entry.thing)
    letters = numbering.register.exception_level(number)
    # A ruling without rules stands behind all exceptions, also those of layers above.
    lettered: list[BookEntry] = []
    rulings: list[BookEntry] = []
    for child in entry.under:
        if isinstance(child, RuleEntry):
            lettered.append(replace(child, number=letters.assign_number(child.thing)))
        else:
            numbered = replace(child, number=number, rules=_number_rules(child.rules, letters))
            (lettered if child.rules else rulings).append(numbered)
    under = (*_sort_entries(numbering, lettered), *_sort_entries(numbering, rulings))
    return replace(entry, number=number, under=under)


def _number_rules(rules: tuple[RuleEntry, ...], level: Level) -> tuple[RuleEntry, ...]:
    return tuple(replace(rule, number=level.assign_number(rule.thing)) for rule in rules)


def _number_ruling(numbering: NumberingContext, card: RulingEntry, level: Level, above: str) -> RulingEntry:
    """Number a ruling by its rules: the number of the only one, or one that several extend by letters."""
    if not card.rules:
        return replace(card, number=above)
    if len(card.rules) == 1:
        rules = _number_rules(card.rules, level)
        return replace(card, number=rules[0].number, rules=rules)
    number = level.allot(numbering.register.numbers.get(card.thing, "").partition(" ")[0])
    return replace(card, number=number, rules=_number_rules(card.rules, numbering.register.exception_level(number)))


def _sort_entries(numbering: NumberingContext, entries: Sequence[BookEntry]) -> list[BookEntry]:
    """Sort numbered entries by number; rulings without rules stay behind the entry that they follow, Q1 before Q2."""
    ranks: list[tuple[tuple[tuple[tuple[int, str], ...], float], BookEntry]] = []
    for entry in entries:
        if entry.rules:
            rank = number_key(entry.rules[0].number), 0.0
        else:
            place = numbering.register.numbers.get(entry.thing, "").rpartition(f"{entry.number} Q")[2]
            rank = (ranks[-1][0][0] if ranks else ()), float(place) if place.isdecimal() else inf
        ranks.append((rank, entry))
    return [entry for _, entry in sorted(ranks, key=itemgetter(0))]
