"""Number the book: sections, cases, rules, exceptions.

In: a graph and its homes. Out: a tree of headings with numbered entries.
Afterwards every ruling and every rule of the graph, but for definitions, stands in exactly one
place, a case keeps the number its author gave it, everything else the one that a layer keeps for it
(`register`), nothing shares a number, and siblings stand in the order of their numbers. Definitions have no
place in the text: they stand where their question is explained.

The manner is SPI's: section 4, case 4.2, rule 4.23, and letters for its exceptions, 4.23a, so
that nothing is numbered five deep. Rules come in the order of the parts that a layer gives their
case. A case with more than nine rules is parted: as a layer says, else by the questions
its rules answer. Numbers are for the reader's finger; links and citations use labels.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter

from compiler.rulebook.openings import CLOSED, case_openings
from compiler.rulebook.order import written
from compiler.rulebook.page_index import PageIndex, only_ruled, targets
from compiler.rulebook.register import Level, Register, register_of
from compiler.source.numbering import number_key
from runtime.graph import nodes as graph

NINE = 9
NAMED = 3


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule with its number, and what stands under it: exceptions and rulings."""

    label: str
    number: str
    under: "tuple[Entry | Card, ...]"


@dataclass(frozen=True, slots=True)
class Card:
    """A ruling and the rules that carry it out. `number` is that of the rule or case it stands beside."""

    ruling: str
    entries: tuple[Entry, ...]
    number: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A section, a case or a part of one. `term` is set where the book parted a case by questions."""

    label: str
    number: str
    title: str
    term: str
    entries: tuple[Entry | Card, ...]
    parts: "tuple[Heading, ...]"


def draw_outline(book: graph.Graph, homes: PageIndex, register: Register | None = None) -> tuple[Heading, ...]:
    """Arrange and number everything, by default with the numbers that the layers keep."""
    register = register or register_of(book)
    tops = [_case(book, homes, case) for case in _children(book, "")]
    sections: dict[str, list[Heading]] = {}
    for top in tops:
        sections.setdefault(top.number.partition(".")[0] or top.label, []).append(top)
    sections = {key: parts for key, parts in sections.items() if any(map(_filled, parts))}
    numbered = {int(key): parts for key, parts in sections.items() if key.isdigit()}
    homeless = _homeless(book, homes)
    following = [parts for key, parts in sections.items() if not key.isdigit()] + [[top] for top in homeless]
    level = register.chapters(map(str, numbered))
    chapters = {**numbered, **{int(level.give(("case", _label_of(parts)))): parts for parts in following}}
    return tuple(_section(_Numbering(book, register), str(number), chapters[number]) for number in sorted(chapters))


def _label_of(parts: list[Heading]) -> str:
    """Label a section: as the case that heads it, or after what the numbers of its cases begin with."""
    head = next((part.label for part in parts if "." not in part.number), "")
    return head or f"section-{parts[0].number.partition('.')[0]}"


def group_sections(book: graph.Graph, outline: tuple[Heading, ...]) -> tuple[tuple[str, tuple[Heading, ...]], ...]:
    """Part the sections by the layers that brought them, each with its title; as few as nine need no parts."""
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


def entries_of(heading: Heading) -> Iterator[Entry | Card]:
    """Walk all rules and rulings under a heading, in printed order."""
    waiting: list[Heading | Entry | Card] = [heading]
    while waiting:
        match waiting.pop(0):
            case Heading(entries=entries, parts=parts):
                waiting[:0] = [*entries, *parts]
            case Entry(under=under) as entry:
                yield entry
                waiting[:0] = under
            case Card(entries=entries) as card:
                yield card
                waiting[:0] = entries


def headings_of(heading: Heading) -> Iterator[Heading]:
    """Walk a heading and all below it."""
    yield heading
    for part in heading.parts:
        yield from headings_of(part)


def _children(book: graph.Graph, parent: str) -> list[graph.Case]:
    def rank(case: graph.Case) -> tuple[list[int], tuple[int, str, int, int]]:
        digits = [int(part) for part in case.number.split(".") if part.isdigit()]
        return digits or [10**6], written(book, case)

    known = book.cases
    mine = (case for case in known.values() if (case.parent if case.parent in known else "") == parent)
    return sorted(mine, key=rank)


def _filled(heading: Heading) -> bool:
    return bool(heading.entries) or any(map(_filled, heading.parts))


def _case(book: graph.Graph, homes: PageIndex, case: graph.Case) -> Heading:
    labels = [label for label, home in homes.cases.items() if home == case.label]
    parts = tuple(part for child in _children(book, case.label) if _filled(part := _case(book, homes, child)))
    return Heading(case.label, case.number, case.title, "", _entries(book, homes, labels, case.label), parts)


def _homeless(book: graph.Graph, homes: PageIndex) -> list[Heading]:
    """Gather what belongs to no case under one last heading, layer by layer."""
    entries: list[Entry | Card] = []
    for layer in [layer.name for layer in book.layers]:
        labels = [
            label
            for label, home in homes.cases.items()
            if home == "" and not homes.defines(book.rules[label]) and book.rules[label].origin.layer == layer
        ]
        entries += _entries(book, homes, labels, "", layer)
    return [Heading("further-rules", "", "Further rules", "", tuple(entries), ())] if entries else []


def _entries(
    book: graph.Graph, homes: PageIndex, labels: list[str], case: str, layer: str = ""
) -> tuple[Entry | Card, ...]:
    """Place exceptions and rulings of a case under the rules they are about; numbers come later."""
    labels = sorted(labels, key=lambda label: (*written(book, book.rules[label]), label))
    under: dict[str, list[Entry | Card]] = {}
    placed: set[str] = set()
    for label in labels:
        ruling = book.rules[label].ruling
        root = _root(book, homes, label, set(labels))
        if ruling not in book.rulings:
            under.setdefault(root if root != label else "", []).append(Entry(label, "", ()))
        elif ruling not in placed:
            placed.add(ruling)
            own = [
                other for other in labels if book.rules[other].ruling == ruling and not only_ruled(book.rules[other])
            ]
            card = Card(ruling, tuple(Entry(other, "", ()) for other in own))
            under.setdefault(root if _heads(book, root) else "", []).append(card)
    for name, beside in sorted(
        homes.rulings.items(), key=lambda item: (*written(book, book.rulings[item[0]]), item[0])
    ):
        ruling_ = book.rulings[name]
        if any(label in book.rules for label in ruling_.rules):
            continue
        if beside and homes.cases[beside] == case and beside in labels:
            root = _root(book, homes, beside, set(labels))
            under.setdefault(root if _heads(book, root) else "", []).append(Card(name, ()))
        elif homes.strays.get(name) == case and (case or ruling_.origin.layer == layer):
            under.setdefault("", []).append(Card(name, ()))
    return tuple(
        replace(top, under=tuple(under.get(top.label, ()))) if isinstance(top, Entry) else top
        for top in under.get("", ())
    )


def _heads(book: graph.Graph, label: str) -> bool:
    return book.rules[label].ruling not in book.rulings


def _root(book: graph.Graph, homes: PageIndex, label: str, here: set[str]) -> str:
    """Return the rule that an exception or a ruling is about in the end, inside one case."""
    seen = {label}
    while True:
        rule = book.rules[label]
        beside = homes.rulings.get(rule.ruling, "")
        above = [beside] if beside else [] if rule.ruling in book.rulings else list(targets(rule))
        nearest = next((other for other in above if other in here and other not in seen), None)
        if nearest is None:
            return label
        seen.add(nearest)
        label = nearest


@dataclass(frozen=True, slots=True)
class _Numbering:
    """The context of numbering: the graph, and the numbers that are kept."""

    book: graph.Graph
    register: Register


def _section(by: _Numbering, number: str, parts: list[Heading]) -> Heading:
    """Make one section of the headings that share its number."""
    head = [part for part in parts if "." not in part.number]
    if len(parts) == 1 and head:
        return _number(by, replace(parts[0], number=number), number, ".")
    title = head[0].title if head else _joint([part.title for part in parts])
    inner = tuple(part for one in parts for part in (one.parts if "." not in one.number else (one,)))
    entries = tuple(entry for one in head for entry in one.entries)
    return _number(by, Heading(_label_of(parts), number, title, "", entries, inner), number, ".")


def _joint(titles: list[str]) -> str:
    """Name a section that its author left without a name after its first cases."""
    shown = titles if len(titles) <= NAMED else titles[: NAMED - 1]
    told = "; ".join(title if place == 0 else title[:1].lower() + title[1:] for place, title in enumerate(shown))
    return told if len(titles) <= NAMED else f"{told}; and more"


def _number(by: _Numbering, heading: Heading, number: str, point: str) -> Heading:
    """Number a heading and all below; numbers that authors gave stay, the others fill the gaps."""
    heading = _parted(by, heading) if heading.term == "" else heading
    claimed = {part.number for part in heading.parts if part.number.startswith(number + point)}
    level = by.register.level(number, point, claimed)
    entries = [_number_entry(by, entry, level, number) for entry in heading.entries]
    parts = []
    for part in heading.parts:
        own = part.number if part.number in claimed else level.give(("case", part.label))
        claimed.discard(own)  # Of two that claim one number, the first has it.
        parts.append(_number(by, replace(part, number=own), own, ""))
    parts.sort(key=lambda part: number_key(part.number))
    return replace(heading, number=number, entries=tuple(_in_order(entries)), parts=tuple(parts))


def _counts(entry: Entry | Card) -> bool:
    """Return whether an entry takes a number of its own: a ruling without rules has no need of one."""
    return isinstance(entry, Entry) or bool(entry.entries)


def _number_entry(by: _Numbering, entry: Entry | Card, level: Level, above: str) -> Entry | Card:
    """Number a rule with its exceptions, or a ruling that stands beside no rule."""
    if isinstance(entry, Card):
        return _number_card(by, entry, level, above)
    number = level.give(("rule", entry.label))
    letters = by.register.letters(number)
    under: list[Entry | Card] = []
    for one in entry.under:
        if isinstance(one, Entry):
            under.append(replace(one, number=letters.give(("rule", one.label))))
        else:
            own = tuple(replace(rule, number=letters.give(("rule", rule.label))) for rule in one.entries)
            under.append(replace(one, number=number, entries=own))
    return replace(entry, number=number, under=tuple(_in_order(under)))


def _number_card(by: _Numbering, card: Card, level: Level, above: str) -> Card:
    """Number a ruling by its rules: the number of the only one, or one that several add letters to."""
    if not card.entries:
        return replace(card, number=above)
    if len(card.entries) == 1:
        number = level.give(("rule", card.entries[0].label))
        return replace(card, number=number, entries=(replace(card.entries[0], number=number),))
    number = level.allot(by.register.kept.get(("ruling", card.ruling), "").partition(" ")[0])
    letters = by.register.letters(number)
    numbered = tuple(replace(own, number=letters.give(("rule", own.label))) for own in card.entries)
    return replace(card, number=number, entries=numbered)


def _in_order(entries: list[Entry | Card]) -> list[Entry | Card]:
    """Sort by number what has one; a ruling without rules stays behind what it follows."""
    ranks: list[tuple[tuple[tuple[int, str], ...], Entry | Card]] = []
    for entry in entries:
        own = entry.number if isinstance(entry, Entry) else next((rule.number for rule in entry.entries), "")
        ranks.append((number_key(own) if own else ranks[-1][0] if ranks else (), entry))
    return [entry for _, entry in sorted(ranks, key=itemgetter(0))]


def _parted(by: _Numbering, heading: Heading) -> Heading:
    """Part a heading with more than nine children: as its opening says, else by the questions that its rules answer.

    One that was numbered before stays in the parts that it had then, or without any.
    """
    book = by.book
    said = case_openings(book).get(heading.label, CLOSED).parts
    shares = _shares(book, heading.entries, [labels for _, labels in said])
    entries = tuple(entry for share in shares for entry in share) if said else heading.entries
    if ("case", heading.label) in by.register.kept:
        return _parted_as_before(by, replace(heading, entries=entries), [title for title, _ in said], shares)
    numbered = [entry for entry in entries if _counts(entry)]
    if len(numbered) + len(heading.parts) <= NINE:
        return replace(heading, entries=entries)
    room = NINE - len(heading.parts)
    titled = [
        (title if place == 0 else f"{title}, continued", "", chunk)
        for (title, _), share in zip(said, shares, strict=True)
        for place, chunk in enumerate(_chunks(share, NINE))
    ]
    if not said or len(titled) > room:
        titled = [("", term, chunk) for term, chunk in _by_question(book, entries, room)]
    parts = tuple(
        Heading(f"{heading.label}-{place}", "", title, term, tuple(chunk), ())
        for place, (title, term, chunk) in enumerate(titled, 1)
    )
    return replace(heading, entries=(), parts=(*parts, *heading.parts))


def _by_question(
    book: graph.Graph, entries: tuple[Entry | Card, ...], room: int
) -> list[tuple[str, list[Entry | Card]]]:
    """Group entries by the question they answer, nine to a group, or evenly where that makes too many groups."""
    groups: dict[str, list[Entry | Card]] = {}
    term = ""
    for entry in entries:
        label = _label(entry)
        term = (*book.rules[label].terms, "")[0] if label else term  # A ruling without rules goes with what it follows.
        groups.setdefault(term, []).append(entry)
    chunks = [(term, chunk) for term, group in groups.items() for chunk in _chunks(group, NINE)]
    if len(chunks) <= room:
        return chunks
    together = [entry for group in groups.values() for entry in group]
    size = max(NINE, -(-len(together) // max(room, 1)))
    terms = {id(entry): term for term, group in groups.items() for entry in group}
    return [(terms[id(chunk[0])], chunk) for chunk in _chunks(together, size)]


def _parted_as_before(by: _Numbering, heading: Heading, titles: list[str], shares: list[list[Entry | Card]]) -> Heading:
    """Sort entries into the parts that a heading had when it was numbered, and new ones of its opening."""
    had = {label: by.register.kept["case", label] for label in by.register.parts(heading.label)}
    if not had:
        return heading
    said = {id(entry): place for place, share in enumerate(shares, 1) for entry in share}
    inside: dict[str, list[Entry | Card]] = {label: [] for label in had}
    terms: dict[str, str] = {}
    last = next(iter(had))
    for entry in heading.entries:
        label, kept = _label(entry), by.register.kept.get(("rule", _label(entry)), "")
        term = (*by.book.rules[label].terms, "")[0] if label else ""
        old = next((part for part, number in had.items() if kept.startswith(number)), "")
        new = f"{heading.label}-{said[id(entry)]}" if id(entry) in said else terms.get(term, last)
        last = old or (new if label else last)
        terms.setdefault(term, last)
        inside.setdefault(last, []).append(entry)
    parts = []
    for label, held in inside.items():
        place = int(label.rpartition("-")[2])
        title = titles[place - 1] if place <= len(titles) else ""
        term = next((term for term, part in terms.items() if part == label and term), "")
        parts += [Heading(label, "", title, "" if title else term, tuple(held), ())] if held else []
    return replace(heading, entries=(), parts=(*parts, *heading.parts))


def _shares(
    book: graph.Graph, entries: tuple[Entry | Card, ...], parts: list[tuple[str, ...]]
) -> list[list[Entry | Card]]:
    """Sort entries into parts, in the order that those say; what stands in none goes where its question is answered.

    What is left then stands in the last part, and a ruling without rules with what it follows.
    """
    places = {label: (part, place) for part, labels in enumerate(parts) for place, label in enumerate(labels)}
    answering = {
        term: part
        for label, (part, _) in reversed(places.items())
        for term in (book.rules[label].terms if label in book.rules else ())
    }
    ranked: list[list[tuple[int, Entry | Card]]] = [[] for _ in parts]
    last = (len(parts) - 1, 0)
    for entry in entries if parts else ():
        names = [entry.label] if isinstance(entry, Entry) else [entry.ruling, *(own.label for own in entry.entries)]
        found = next((places[name] for name in names if name in places), None)
        if found is None and (label := _label(entry)):
            term = (*book.rules[label].terms, "")[0]
            found = answering.get(term, len(parts) - 1), len(places)
        last = found or last
        ranked[last[0]].append((last[1], entry))
    return [[entry for _, entry in sorted(share, key=itemgetter(0))] for share in ranked]


def _label(entry: Entry | Card) -> str:
    """Name the rule of an entry, or the first of a ruling; "" if that has none."""
    return entry.label if isinstance(entry, Entry) else next((rule.label for rule in entry.entries), "")


def _chunks(entries: list[Entry | Card], size: int) -> list[list[Entry | Card]]:
    return [entries[place : place + size] for place in range(0, len(entries), size)]
