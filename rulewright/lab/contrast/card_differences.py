"""The differences between two scenario cards, or between one card under two stacks.

In: two graphs with a card each. Out: sentences by subject: the map, the length, the order of sides, facts, forces
with their numbers and places, victory. The sentences describe the second card, relative to the first.

A card is read as parts, each a text, a list of members, numbers of counters, or properties of named things; the
difference of two cards is that of their parts.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from compiler.analysis.expression_text import ExpressionWriter
from compiler.source.nodes import Scenario
from rulewright.checks.card_library import cards_of_stack, changed_cards
from rulewright.games.scenarios import load_card
from rulewright.lab.contrast.difference_lines import MOST_LISTED
from rulewright.library.stacks import PackageSet, Stack, load_stack, open_packages
from runtime.graph import nodes as graph
from runtime.graph.grouping import group_by
from runtime.graph.records.differing import (
    CardSentenceRecord,
    DifferingCardRecord,
)
from runtime.graph.walk import fields_of
from runtime.graph.words import list_text, readable_name
from runtime.witness.dependencies import dependent_questions
from runtime.witness.position_file import expression_text, start_note_texts

LONGEST_VALUE = 80  # Signs of a value that are printed.
SUBJECTS = (
    "title", "map", "regions", "turns", "set-up", "order", "special", "notes", "gaps", "rules", "forces", "victory",
)  # fmt: skip
ABSENT = "nothing"
# A subject of a card, and the words that begin a sentence about one part of it.
PartName = tuple[str, str]
# A text, members, numbers of counters, or properties by name.
PartValue = str | Sequence[str] | Counter[str] | Mapping[str, Any]
Parts = Iterator[tuple[PartName, PartValue]]


def load_operand(name: str, packages: Sequence[Path]) -> Stack:
    """Load an operand of a comparison: a stack, or a scenario card with its stack."""
    library = open_packages(packages).library
    is_card = Path(name).suffix == ".yaml" or (name in library.scenarios.places and name not in library.layers)
    return load_card(name, None, packages) if is_card else load_stack(name, packages)


def cards_data(a: Stack, b: Stack) -> list[DifferingCardRecord]:
    """Compare the cards of two stacks, otherwise each card that their layers or their editions of it change."""
    assert a.graph is not None
    assert b.graph is not None
    if a.graph.scenario is not None and b.graph.scenario is not None:
        return [_card(a.graph, b.graph)]
    found: list[DifferingCardRecord] = []
    old_changes, new_changes = (changed_cards(each.library, each.name) for each in (a, b))
    for name in sorted({card for card, _ in old_changes ^ new_changes} | _edited_cards(a, b)):
        cards = [each.library.scenarios.get(name) for each in (a, b)]
        graphs = [
            PackageSet(each.library, ()).compiled(each.name, card).graph if card is not None else None
            for each, card in zip((a, b), cards, strict=True)
        ]
        if all(graphs):
            found.append(_card(*filter(None, graphs)))
            continue
        broken = [which for which, rules in zip(("the first", "the second"), graphs, strict=True) if rules is None]
        sentence = f"not compared: it does not compile under {list_text(broken)}"
        if None in cards:
            sentence = "the situation is new" if cards[0] is None else "the situation is gone"
        found.append({"a": name, "b": name, "says": [{"about": "card", "says": sentence}], "dependents": []})
    return [each for each in found if each["says"]]


def _edited_cards(a: Stack, b: Stack) -> set[str]:
    """Return the cards written for a stack that, or whose boards, differ between its editions, or are in one alone."""
    if a.name != b.name or a.library is b.library:
        return set()
    old, new = ({card.name.text: card for _, card in cards_of_stack(each)} for each in (a, b))
    return {
        name
        for name in old.keys() | new.keys()
        if name not in old or name not in new or _files(a, old[name]) != _files(b, new[name])
    }


def _files(stack: Stack, card: Scenario) -> list[str]:
    """Return the texts of a card and its boards."""
    boards = (stack.library.boards.get(each.board.text) for each in card.map)
    files = (card.span.file, *(board.span.file for board in boards if board is not None))
    return [stack.library.texts[file] for file in files]


def _card(a: graph.Graph, b: graph.Graph) -> DifferingCardRecord:
    assert a.scenario is not None
    assert b.scenario is not None
    says: list[CardSentenceRecord] = [
        {"about": heading, "says": sentence} for heading, sentence in card_differences(a, b)
    ]
    dependents = sorted(
        {name for each in (a, b) for name in dependent_questions(each, _read_otherwise(a, b)) if "." not in name}
    )
    return {"a": a.scenario.name, "b": b.scenario.name, "says": says, "dependents": dependents}


def _read_otherwise(a: graph.Graph, b: graph.Graph) -> frozenset[str]:
    """Return the facts and regions that differ between two cards."""
    old_values, new_values = (_set_by(each) for each in (a, b))
    return frozenset(
        name for name in old_values.keys() | new_values.keys() if old_values.get(name) != new_values.get(name)
    )


def _set_by(rules: graph.Graph) -> dict[str, Any]:
    card = rules.scenario
    assert card is not None
    facts = {"scenario.turns": card.turns, "scenario.order": card.order, "scenario.set_up": card.set_up}
    regions = {f"region {name}": {*hexes} for name, hexes in card.board.regions.items()}
    return {**{f"track {name}": value for name, value in {**facts, **dict(card.facts)}.items()}, **regions}


def card_differences(a: graph.Graph, b: graph.Graph) -> Iterator[tuple[str, str]]:
    """Yield the differences between two cards: the subject, and a sentence."""
    old, new = (dict(_parts(each)) for each in (a, b))
    assert a.scenario is not None
    assert b.scenario is not None
    if a.scenario.board.hexes.keys() == b.scenario.board.hexes.keys():
        old |= _map_parts(a.scenario.board)
        new |= _map_parts(b.scenario.board)
    for name in sorted({**old, **new}, key=lambda name: SUBJECTS.index(name[0])):
        if sentence := _difference(old.get(name), new.get(name)):
            yield name[0], f"{name[1]}{sentence}"


def _difference(old: Any, new: Any) -> str:
    """Return how a part of the second card differs; "" if it does not."""
    match new if old is None else old:
        case Counter():
            return _numbers_difference(Counter(old or {}), Counter(new or {}))
        case Mapping():
            before, after = (part if isinstance(part, Mapping) else {} for part in (old, new))
            changed = [name for name in before.keys() & after.keys() if before[name] != after[name]]
            return _listed(changed) if changed else ""
        case str():
            return "" if old == new else f"{_value_text(new)} instead of {_value_text(old)}"
        case _:
            return _members_difference(Counter(old or ()), Counter(new or ()))


def _value_text(value: Any) -> str:
    text = ABSENT if value is None else str(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"


def _numbers_difference(old: Counter[str], new: Counter[str]) -> str:
    units = [unit for unit in {**old, **new} if old[unit] != new[unit]]
    changes = [f"{new[unit]} {unit} instead of {old[unit]}" for unit in units[:MOST_LISTED]]
    more = f" and {len(units) - MOST_LISTED} more counters" if len(units) > MOST_LISTED else ""
    return ", ".join(changes) + more


def _members_difference(old: Counter[str], new: Counter[str]) -> str:
    """Return the additions to a list and the removals from it."""
    changes = []
    if additions := [*(new - old).elements()]:
        changes.append(f"{_listed(additions)} as well")
    if removals := [*(old - new).elements()]:
        changes.append(f"not {_listed(removals)} any more")
    return list_text(changes)


def _listed(names: Sequence[str]) -> str:
    ordered = sorted(names)
    if len(ordered) <= MOST_LISTED:
        return list_text(ordered)
    return list_text([*ordered[:3], f"{len(ordered) - 3} more"])


def _parts(rules: graph.Graph) -> Parts:
    """Yield the parts of a card by subject, except details of its map."""
    card, writer = rules.scenario, ExpressionWriter(rules.vocabulary)
    assert card is not None
    yield ("title", ""), card.title
    yield ("map", ""), "its own" if card.board.name == card.name else card.board.name
    yield ("map", "the map has "), [*card.board.hexes]
    yield ("map", "boards waited for: "), card.waits_for
    yield ("turns", ""), f"{card.turns} turns"
    yield ("set-up", ""), list_text(card.set_up) or "nobody"
    yield ("order", ""), list_text(card.order) or "nobody"
    for key, value in card.facts:
        name = "special", f"{readable_name(key.partition('.')[2])}: "
        yield (
            name,
            [writer.text(each) for each in value.elements] if isinstance(value, graph.SetOf) else writer.text(value),
        )
    for note, text in start_note_texts(card.notes).items():
        yield ("notes", f"{note}: "), text
    yield ("gaps", ""), card.gaps
    special_rules: dict[str, Any] = {}
    for rule in rules.rules.values():
        if rule.origin.layer == card.name and rule.label.startswith("victory-"):
            side, _, level = rule.label.removeprefix("victory-").partition("-")
            yield ("victory", f"{side} {level}: "), f"when {_condition(rule, writer)}"
        elif rule.origin.layer == card.name:
            special_rules[rule.label] = [getattr(rule, field) for field in fields_of(graph.Rule) if field != "origin"]
    yield ("rules", ""), [*special_rules]
    yield ("rules", "written otherwise: "), special_rules
    yield from _force_parts(card)


def _map_parts(board: graph.Board) -> dict[PartName, PartValue]:
    """Return the details of a map."""
    hexes = board.hexes.items()
    sides = [
        f"{readable_name(feature)} {'/'.join(sorted((a, b)))}" for a, b, features in board.sides for feature in features
    ]
    paths = [f"{readable_name(path)} {'-'.join(sorted((a, b)))}" for path, a, b in board.paths]
    links = [f"{a} to {b}" if one_way else "-".join(sorted((a, b))) for a, b, one_way in board.links]
    return {
        ("map", "moved: "): {name: (column, row) for name, (column, row, _) in hexes},
        ("map", "other ground: "): {name: frozenset(features) for name, (_, _, features) in hexes},
        ("map", "another outline: "): {name: board.shapes.get(name) for name in board.hexes},
        ("map", "hexsides: "): sides,
        ("map", "ways: "): paths,
        ("map", "connections: "): links,
        **{("regions", f"{name}: "): members for name, members in board.regions.items()},
    }


def _force_parts(card: graph.Scenario) -> Parts:
    """Yield the parts of the groups of a card; groups of a side with the same title are compared in their order."""
    for (side, title), forces in group_by(card.forces, lambda force: (force.side, force.title)).items():
        for number, force in enumerate(forces, 1):
            head = f"{side}{f', {title}' if title else ''}{f' ({number})' if number > 1 else ''}"
            units = Counter(dict(force.units)) + Counter(each.counter for each in force.placed)
            yield ("forces", f"{head}: "), units
            yield ("forces", f"{head}, entry: "), f"turn {force.turn}" if force.turn else "before the game"
            yield ("forces", f"{head}: in "), force.area
            yield ("forces", f"{head}: placed: "), [_posted(each) for each in force.placed]
            pairs = [f"{relation} {left}-{right}" for relation, left, right in force.pairs]
            yield ("forces", f"{head}: beginning with "), pairs


def _posted(each: graph.Posted) -> str:
    """Format the placement of a piece, with its name if it has one."""
    named = f" ({each.name})" if each.name else ""
    tracks = (f"{readable_name(name)} {expression_text(value)}" for name, value in each.tracks)
    place = [readable_name(each.place)] if each.place else []
    return f"{each.counter}{named} in {', '.join((each.at, *place, *map(readable_name, each.marks), *tracks))}"


def _condition(rule: graph.Rule, writer: ExpressionWriter) -> str:
    """Format the condition of a victory line without its test of the side."""
    match rule.guard:
        case graph.Op("and", (_, *rest)):
            return " and ".join(writer.text(part) for part in rest)
        case None:
            return "always"
        case guard:
            return writer.text(guard)
