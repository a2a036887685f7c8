"""The differences between two scenario cards, or between one card under two stacks.

In: two graphs with a card each. Out: sentences by subject: the map, the length, the order of sides, facts, forces
with their numbers and places, victory. The sentences describe the second card, relative to the first.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from compiler.analysis.expression_text import ExpressionWriter
from compiler.source.nodes import Scenario
from rulewright.games import load_card
from rulewright.library.card_library import cards_of_stack, changed_cards
from rulewright.library.stacks import PackageSet, Stack, load_stack, open_packages
from runtime.graph import nodes as graph
from runtime.graph.words import list_text, readable_name
from runtime.witness.dependencies import dependent_questions
from runtime.witness.position_file import expression_text, start_note_texts

MOST_LISTED = 8  # The most hexes and units that are listed; others are counted.
# What differs between two cards, each with a sentence about it.
DifferencePairs = Iterator[tuple[str, str]]


def load_operand(name: str, packages: Sequence[Path]) -> Stack:
    """Load an operand of a comparison: a stack, or a scenario card with its stack."""
    library = open_packages(packages).library
    is_card = Path(name).suffix == ".yaml" or (name in library.scenarios.places and name not in library.layers)
    return load_card(name, None, packages) if is_card else load_stack(name, packages)


def cards_data(a: Stack, b: Stack) -> list[dict[str, Any]]:
    """Compare the cards of two stacks, otherwise each card that their layers or their editions of it change."""
    assert a.graph is not None
    assert b.graph is not None
    if a.graph.scenario is not None and b.graph.scenario is not None:
        return [_card(a.graph, b.graph)]
    found = []
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


def _card(a: graph.Graph, b: graph.Graph) -> dict[str, Any]:
    assert a.scenario is not None
    assert b.scenario is not None
    says = [{"about": heading, "says": sentence} for heading, sentence in card_differences(a, b)]
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


def card_differences(a: graph.Graph, b: graph.Graph) -> DifferencePairs:
    """Yield the differences between two cards."""
    old, new = a.scenario, b.scenario
    assert old is not None
    assert new is not None
    if old.title != new.title:
        yield "title", f"{new.title} instead of {old.title}"
    yield from _map(old, new)
    if old.turns != new.turns:
        yield "turns", f"{new.turns} turns instead of {old.turns}"
    for heading, old_value, new_value in (("set-up", old.set_up, new.set_up), ("order", old.order, new.order)):
        if old_value != new_value:
            yield heading, f"{list_text(new_value) or 'nobody'} instead of {list_text(old_value) or 'nobody'}"
    yield from (("map", f"boards waited for: {sentence}") for sentence in _members(old.waits_for, new.waits_for))
    yield from _facts(a, b)
    yield from _start_notes(old.notes, new.notes)
    yield from (("gaps", sentence) for sentence in _members(old.gaps, new.gaps, "gaps"))
    yield from _rules(a, b)
    yield from _forces(old.forces, new.forces)
    yield from _victory(a, b)


def _map(old: graph.Scenario, new: graph.Scenario) -> DifferencePairs:
    old_board, new_board = old.board, new.board
    if old_board.name != new_board.name and (old_board.name, new_board.name) != (old.name, new.name):
        yield "map", f"{new_board.name} instead of {old_board.name}"
    if old_board.hexes.keys() != new_board.hexes.keys():
        if len(old_board.hexes) != len(new_board.hexes):
            yield "map", f"{len(new_board.hexes)} hexes instead of {len(old_board.hexes)}"
        yield from (("map", f"the map has {sentence}") for sentence in _members([*old_board.hexes], [*new_board.hexes]))
        return
    shared_hexes = old_board.hexes.keys() & new_board.hexes.keys()
    if moved := [name for name in shared_hexes if old_board.hexes[name][:2] != new_board.hexes[name][:2]]:
        yield "map", f"elsewhere on the map {'are' if len(moved) > 1 else 'is'} {_hexes(moved)}"
    if changed := [name for name in shared_hexes if {*old_board.hexes[name][2]} != {*new_board.hexes[name][2]}]:
        yield "map", f"other ground in {_hexes(changed)}"
    for name in sorted(old_board.regions.keys() | new_board.regions.keys()):
        members = _members(old_board.regions.get(name, ()), new_board.regions.get(name, ()))
        yield from (("regions", f"{name}: {sentence}") for sentence in members)
    if outlined := [name for name in sorted(shared_hexes) if old_board.shapes.get(name) != new_board.shapes.get(name)]:
        yield "map", f"another outline of {_hexes(outlined)}"
    for noun, list_ in (("hexsides", _sides), ("ways", _path_hexsides), ("connections", _links)):
        yield from (("map", f"{noun}: {sentence}") for sentence in _members(list_(old_board), list_(new_board), noun))


def _sides(board: graph.Board) -> list[str]:
    """Return the features of hexsides."""
    return [
        f"{readable_name(feature)} {'/'.join(sorted((a, b)))}" for a, b, features in board.sides for feature in features
    ]


def _path_hexsides(board: graph.Board) -> list[str]:
    """Return the hexsides that paths cross."""
    return [f"{readable_name(path)} {'-'.join(sorted((a, b)))}" for path, a, b in board.paths]


def _links(board: graph.Board) -> list[str]:
    """Return the connections that are no common sides of hexes."""
    return [f"{a} to {b}" if one_way else "-".join(sorted((a, b))) for a, b, one_way in board.links]


def _facts(a: graph.Graph, b: graph.Graph) -> DifferencePairs:
    assert a.scenario is not None
    assert b.scenario is not None
    old_facts, new_facts = dict(a.scenario.facts), dict(b.scenario.facts)
    old_writer, new_writer = ExpressionWriter(a.vocabulary), ExpressionWriter(b.vocabulary)
    for key in dict.fromkeys((*old_facts, *new_facts)):
        old_value, new_value = old_facts.get(key), new_facts.get(key)
        if isinstance(old_value, graph.SetOf) and isinstance(new_value, graph.SetOf):
            old = [old_writer.text(each) for each in old_value.elements]
            new = [new_writer.text(each) for each in new_value.elements]
            yield from (
                ("special", f"{readable_name(key.partition('.')[2])}: {sentence}") for sentence in _members(old, new)
            )
        elif old_value != new_value:
            new_text = "not said" if new_value is None else _short(new_writer.text(new_value))
            old_text = "not said" if old_value is None else _short(old_writer.text(old_value))
            yield "special", f"{readable_name(key.partition('.')[2])}: {new_text} instead of {old_text}"


def _start_notes(old: graph.StartNotes, new: graph.StartNotes) -> DifferencePairs:
    """Yield the differences of the statuses and notes with which hexes and sides start."""
    old_texts, new_texts = start_note_texts(old), start_note_texts(new)
    for name in dict.fromkeys((*old_texts, *new_texts)):
        old_text, new_text = (_short(each.get(name, "not said")) for each in (old_texts, new_texts))
        if old_text != new_text:
            yield "notes", f"{name}: {new_text} instead of {old_text}"


def _forces(old_forces: Sequence[graph.Force], new_forces: Sequence[graph.Force]) -> DifferencePairs:
    """Yield the differences of groups that are on both cards, and of the forces of sides otherwise."""
    known = _matched(old_forces, new_forces)
    for old, new in zip(known, new_forces, strict=True):
        if old is not None:
            if old.title != new.title:
                yield "forces", f"{new.side}: {_titles([new.title])} instead of {_titles([old.title])}"
            head = f"{new.side}{f', {new.title}' if new.title else ''}"
            yield from (
                ("forces", f"{head}: {sentence}") for sentence in (*_units(_count(old), _count(new)), *_place(old, new))
            )
    removed_forces = [force for force in old_forces if all(force is not old for old in known)]
    added_forces = [force for force, old in zip(new_forces, known, strict=True) if old is None]
    for side in dict.fromkeys(force.side for force in (*removed_forces, *added_forces)):
        old_units, new_units = (
            sum((_count(force) for force in forces if force.side == side), Counter[str]())
            for forces in (removed_forces, added_forces)
        )
        names = [f.title for f in removed_forces if f.side == side], [f.title for f in added_forces if f.side == side]
        titles = f" ({_titles(names[1])} instead of {_titles(names[0])})" if names[0] != names[1] else ""
        yield from (("forces", f"{side}{titles}: {sentence}") for sentence in _units(old_units, new_units))


def _matched(old_forces: Sequence[graph.Force], new_forces: Sequence[graph.Force]) -> list[graph.Force | None]:
    """Match the groups of one card with those of the other, by title or units; None for an unmatched one."""
    unmatched = list(old_forces)
    found: dict[int, graph.Force] = {}
    criteria: tuple[Callable[[graph.Force, graph.Force], bool], ...] = (
        lambda old, new: old == new,
        lambda old, new: old.title == new.title and _count(old) == _count(new),
        lambda old, new: old.title == new.title and (old.area, old.turn) == (new.area, new.turn),
        lambda old, new: old.title == new.title,
        lambda old, new: _count(old) == _count(new),
    )
    for is_match in criteria:
        for number, new in enumerate(new_forces):
            counterpart = next((old for old in unmatched if old.side == new.side and is_match(old, new)), None)
            if number not in found and counterpart is not None:
                found[number] = counterpart
                unmatched = [old for old in unmatched if old is not counterpart]
    return [found.get(number) for number in range(len(new_forces))]


def _titles(names: list[str]) -> str:
    return list_text([name for name in names if name]) or "no group"


def _count(force: graph.Force) -> Counter[str]:
    return Counter(dict(force.units)) + Counter(each.counter for each in force.placed)


def _units(old: Counter[str], new: Counter[str]) -> Iterator[str]:
    changes = [
        f"{new[unit]} {unit} instead of {old[unit]}" for unit in dict.fromkeys((*old, *new)) if old[unit] != new[unit]
    ]
    if changes:
        more = f" and {len(changes) - MOST_LISTED} more counters" if len(changes) > MOST_LISTED else ""
        total = f"; {new.total()} units in all instead of {old.total()}" if new.total() != old.total() else ""
        total = total if len(changes) > 1 else ""
        yield f"{', '.join(changes[:MOST_LISTED])}{more}{total}"


def _place(old: graph.Force, new: graph.Force) -> Iterator[str]:
    """Yield the differences in turn, area, placement and pairs of a group."""
    if old.turn != new.turn:
        yield f"{_when(new.turn)} instead of {_when(old.turn)}"
    yield from (f"in {sentence}" for sentence in _members(old.area, new.area))
    old_places, new_places = ([_posted(each) for each in force.placed] for force in (old, new))
    yield from (f"placed: {sentence}" for sentence in _members(old_places, new_places))
    old_pairs, new_pairs = (
        [f"{relation} {left}-{right}" for relation, left, right in force.pairs] for force in (old, new)
    )
    yield from (f"beginning with {sentence}" for sentence in _members(old_pairs, new_pairs))


def _posted(each: graph.Posted) -> str:
    """Format the placement of a piece, with its name if it has one."""
    named = f" ({each.name})" if each.name else ""
    notes = [
        *map(readable_name, each.marks),
        *(f"{readable_name(name)} {expression_text(value)}" for name, value in each.tracks),
    ]
    place = [readable_name(each.place)] if each.place else []
    return f"{each.counter}{named} in {', '.join((each.at, *place, *notes))}"


def _members(old: Sequence[str], new: Sequence[str], noun: str = "hexes") -> Iterator[str]:
    """Yield the additions to a set and the removals from it."""
    removals = sorted((Counter(old) - Counter(new)).elements())
    additions = sorted((Counter(new) - Counter(old)).elements())
    if removals or additions:
        yield list_text(
            [f"{_hexes(additions, noun)} as well"] * bool(additions)
            + [f"not {_hexes(removals, noun)} any more"] * bool(removals)
        )


def _when(turn: int) -> str:
    return f"coming on turn {turn}" if turn else "set up before the game"


def _victory(a: graph.Graph, b: graph.Graph) -> DifferencePairs:
    """Yield the differences in victory conditions, by side and level."""
    old_conditions, new_conditions = _lines(a), _lines(b)
    for label in dict.fromkeys((*old_conditions, *new_conditions)):
        if old_conditions.get(label) != new_conditions.get(label):
            side, _, level = label.removeprefix("victory-").partition("-")
            new_condition, old_condition = new_conditions.get(label, "never"), old_conditions.get(label, "never")
            yield "victory", f"{side} {level}: when {new_condition}, instead of when {old_condition}"


def _lines(rules: graph.Graph) -> dict[str, str]:
    writer = ExpressionWriter(rules.vocabulary)
    assert rules.scenario is not None
    card_rules = (rule for rule in rules.rules.values() if rule.origin.layer == rules.scenario.name)
    return {rule.label: _condition(rule, writer) for rule in card_rules if rule.label.startswith("victory-")}


def _condition(rule: graph.Rule, writer: ExpressionWriter) -> str:
    """Format the condition of a victory line without its test of the side."""
    match rule.guard:
        case graph.Op("and", (_, *rest)):
            return " and ".join(writer.text(part) for part in rest)
        case None:
            return "always"
        case guard:
            return writer.text(guard)


def _hexes(names: Sequence[str], noun: str = "hexes") -> str:
    if len(names) > MOST_LISTED:
        return f"{len(names)} {noun} ({', '.join(sorted(names)[:3])}, ..)"
    return list_text(sorted(names)) or "no hex"


def _rules(a: graph.Graph, b: graph.Graph) -> DifferencePairs:
    """Yield the differences in special rules, by label."""
    old_rules, new_rules = (_special(rules) for rules in (a, b))
    yield from (("rules", sentence) for sentence in _members([*old_rules], [*new_rules], "rules"))
    for label in sorted(old_rules.keys() & new_rules.keys()):
        if replace(old_rules[label], origin=new_rules[label].origin) != new_rules[label]:
            yield "rules", f"{label} otherwise"


def _special(rules: graph.Graph) -> dict[str, graph.Rule]:
    assert rules.scenario is not None
    card_rules = (rule for rule in rules.rules.values() if rule.origin.layer == rules.scenario.name)
    return {rule.label: rule for rule in card_rules if not rule.label.startswith("victory-")}


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:80]}…"
