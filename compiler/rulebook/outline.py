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

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from math import inf
from operator import itemgetter

from compiler.rulebook.heading_splits import NINE, NumberingContext, split_heading
from compiler.rulebook.headings import Heading, RuleEntry, RulingEntry, headings_of
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
    register = register or number_register(book)
    tops = [_case(book, printed_places, case) for case in _children(book, "")]
    sections = group_by(tops, lambda top: top.number.partition(".")[0] or top.label)
    sections = {key: parts for key, parts in sections.items() if any(map(_filled, parts))}
    numbered = {int(key): parts for key, parts in sections.items() if key.isdigit()}
    unplaced = _unplaced(book, printed_places)
    following = [parts for key, parts in sections.items() if not key.isdigit()] + [[top] for top in unplaced]
    level = register.section_level(map(str, numbered))
    chapters = {**numbered, **{int(level.assign_number(("case", _label_of(parts)))): parts for parts in following}}
    return tuple(
        _section(NumberingContext(book, register), str(number), chapters[number]) for number in sorted(chapters)
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
    entries: list[RuleEntry | RulingEntry] = []
    for layer in [layer.name for layer in book.layers]:
        labels = [
            label
            for label, home in printed_places.cases.items()
            if home == ""
            and not printed_places.only_defines(book.rules[label])
            and book.rules[label].origin.layer == layer
        ]
        entries += _entries(book, printed_places, labels, "", layer)
    return [Heading("further-rules", "", "Further rules", tuple(entries), ())] if entries else []


def _entries(
    book: graph.Graph, printed_places: PrintedPlaces, labels: list[str], case: str, layer: str = ""
) -> tuple[RuleEntry | RulingEntry, ...]:
    """Nest exceptions and rulings of a case under the rules they are about; numbers are assigned later."""
    labels = sorted(labels, key=lambda label: (*written_rank(book, book.rules[label]), label))
    entries_by_root: dict[str, list[RuleEntry | RulingEntry]] = {}
    placed: set[str] = set()
    for label in labels:
        ruling = book.rules[label].ruling
        root = _root(book, printed_places, label, set(labels))
        if ruling not in book.rulings:
            entries_by_root.setdefault(root if root != label else "", []).append(RuleEntry(label, "", ()))
        elif ruling not in placed:
            placed.add(ruling)
            rule_labels = [
                other for other in labels if book.rules[other].ruling == ruling and not only_ruled(book.rules[other])
            ]
            card = RulingEntry(ruling, tuple(RuleEntry(other, "", ()) for other in rule_labels))
            entries_by_root.setdefault(root if _heads(book, root) else "", []).append(card)
    for name, adjacent_rule in sorted(
        printed_places.rulings.items(), key=lambda item: (*written_rank(book, book.rulings[item[0]]), item[0])
    ):
        ruling_ = book.rulings[name]
        if any(label in book.rules for label in ruling_.rules):
            continue
        if adjacent_rule and printed_places.cases[adjacent_rule] == case and adjacent_rule in labels:
            root = _root(book, printed_places, adjacent_rule, set(labels))
            entries_by_root.setdefault(root if _heads(book, root) else "", []).append(RulingEntry(name, ()))
        elif printed_places.ruling_cases.get(name) == case and (case or ruling_.origin.layer == layer):
            entries_by_root.setdefault("", []).append(RulingEntry(name, ()))
    return tuple(
        replace(top, under=tuple(entries_by_root.get(top.label, ()))) if isinstance(top, RuleEntry) else top
        for top in entries_by_root.get("", ())
    )


def _heads(book: graph.Graph, label: str) -> bool:
    return book.rules[label].ruling not in book.rulings


def _root(book: graph.Graph, printed_places: PrintedPlaces, label: str, case_labels: set[str]) -> str:
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
    head = [part for part in parts if "." not in part.number]
    if len(parts) == 1 and head:
        return _number(numbering, replace(parts[0], number=number), number, ".")
    title = head[0].title if head else _joined_title([part.title for part in parts])
    inner = tuple(part for heading in parts for part in (heading.parts if "." not in heading.number else (heading,)))
    entries = tuple(entry for heading in head for entry in heading.entries)
    return _number(numbering, Heading(_label_of(parts), number, title, entries, inner), number, ".")


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


def _number_entry(
    numbering: NumberingContext, entry: RuleEntry | RulingEntry, level: Level, above: str
) -> RuleEntry | RulingEntry:
    """Number a rule with its exceptions, or a ruling that is beside no rule."""
    if isinstance(entry, RulingEntry):
        return _number_ruling(numbering, entry, level, above)
    number = level.assign_number(("rule", entry.label))
    letters = numbering.register.exception_level(number)
    children: list[RuleEntry | RulingEntry] = []
    for child in entry.under:
        if isinstance(child, RuleEntry):
            children.append(replace(child, number=letters.assign_number(("rule", child.label))))
        else:
            rule_entries = tuple(
                replace(rule, number=letters.assign_number(("rule", rule.label))) for rule in child.entries
            )
            children.append(replace(child, number=number, entries=rule_entries))
    # A ruling without rules stands behind all exceptions, also those of layers above.
    rulings = [child for child in children if isinstance(child, RulingEntry) and not child.entries]
    lettered = [child for child in children if child not in rulings]
    return replace(
        entry, number=number, under=(*_sort_entries(numbering, lettered), *_sort_entries(numbering, rulings))
    )


def _number_ruling(numbering: NumberingContext, card: RulingEntry, level: Level, above: str) -> RulingEntry:
    """Number a ruling by its rules: the number of the only one, or one that several extend by letters."""
    if not card.entries:
        return replace(card, number=above)
    if len(card.entries) == 1:
        number = level.assign_number(("rule", card.entries[0].label))
        return replace(card, number=number, entries=(replace(card.entries[0], number=number),))
    number = level.allot(numbering.register.numbers.get(("ruling", card.ruling), "").partition(" ")[0])
    letters = numbering.register.exception_level(number)
    numbered = tuple(
        replace(rule_entry, number=letters.assign_number(("rule", rule_entry.label))) for rule_entry in card.entries
    )
    return replace(card, number=number, entries=numbered)


def _sort_entries(
    numbering: NumberingContext, entries: Sequence[RuleEntry | RulingEntry]
) -> list[RuleEntry | RulingEntry]:
    """Sort numbered entries by number; rulings without rules stay behind the entry that they follow, Q1 before Q2."""
    ranks: list[tuple[tuple[tuple[tuple[int, str], ...], float], RuleEntry | RulingEntry]] = []
    for entry in entries:
        if isinstance(entry, RulingEntry) and not entry.entries:
            place = numbering.register.numbers.get(("ruling", entry.ruling), "").rpartition(f"{entry.number} Q")[2]
            rank = (ranks[-1][0][0] if ranks else ()), float(place) if place.isdecimal() else inf
        else:
            number = entry.number if isinstance(entry, RuleEntry) else entry.entries[0].number
            rank = number_key(number), 0.0
        ranks.append((rank, entry))
    return [entry for _, entry in sorted(ranks, key=itemgetter(0))]
