"""The differences between two scenario cards, or between one card under two stacks.

Input: two graphs with a card each. Output: sentences by subject: the map, the length, the order of sides, facts, forces
with their numbers and places, victory. The sentences describe the second card, relative to the first.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from compiler.analysis.expression_text import Writer
from rulewright.games import load_card
from rulewright.library.cards import changed_cards
from rulewright.library.stacks import PackageSet, Stack, load_stack, open_packages
from runtime.graph import nodes as graph
from runtime.graph.words import list_text, readable_name
from runtime.witness.dependencies import dependent_questions

MOST = 8  # The most hexes and units that are listed; others are counted.
# What differs between two cards, each with a sentence about it.
DifferencePairs = Iterator[tuple[str, str]]


def open_subject(name: str, packages: Sequence[Path]) -> Stack:
    """Load an operand of a comparison: a stack, or a scenario card with its stack."""
    library = open_packages(packages).library
    is_card = Path(name).suffix == ".yaml" or (name in library.scenarios.places and name not in library.layers)
    return load_card(name, None, packages) if is_card else load_stack(name, packages)


def cards_data(a: Stack, b: Stack) -> list[dict[str, Any]]:
    """Compare the cards of two stacks, otherwise each card that their layers change, under both stacks."""
    assert a.graph is not None
    assert b.graph is not None
    if a.graph.scenario is not None and b.graph.scenario is not None:
        return [_card(a.graph, b.graph)]
    found = []
    here_by, there_by = (changed_cards(each.library, each.name) for each in (a, b))
    for name in sorted({card for card, _ in here_by ^ there_by}):
        card = a.library.scenarios.get(name)
        here, there = (PackageSet(each.library, ()).compiled(each.name, card).graph for each in (a, b))
        if card is not None and here is not None and there is not None:
            found.append(_card(here, there))
    return [each for each in found if each["says"]]


def _card(a: graph.Graph, b: graph.Graph) -> dict[str, Any]:
    assert a.scenario is not None
    assert b.scenario is not None
    says = [{"about": about, "says": said} for about, said in card_differences(a, b)]
    rests = sorted(
        {name for each in (a, b) for name in dependent_questions(each, _read_otherwise(a, b)) if "." not in name}
    )
    return {"a": a.scenario.name, "b": b.scenario.name, "says": says, "rests": rests}


def _read_otherwise(a: graph.Graph, b: graph.Graph) -> frozenset[str]:
    """Return the facts and regions that differ between two cards."""
    here, there = (_set_by(each) for each in (a, b))
    return frozenset(name for name in here.keys() | there.keys() if here.get(name) != there.get(name))


def _set_by(rules: graph.Graph) -> dict[str, Any]:
    card = rules.scenario
    assert card is not None
    facts = {"scenario.turns": card.turns, "scenario.order": card.order, "scenario.set_up": card.set_up}
    regions = {f"region {name}": {*hexes} for name, hexes in card.board.regions.items()}
    return {**{f"track {name}": value for name, value in {**facts, **dict(card.facts)}.items()}, **regions}


def card_differences(a: graph.Graph, b: graph.Graph) -> DifferencePairs:
    """Yield the differences between two cards."""
    one, other = a.scenario, b.scenario
    assert one is not None
    assert other is not None
    if one.title != other.title:
        yield "title", f"{other.title} instead of {one.title}"
    yield from _map(one, other)
    if one.turns != other.turns:
        yield "turns", f"{other.turns} turns instead of {one.turns}"
    for what, here, there in (("set-up", one.set_up, other.set_up), ("order", one.order, other.order)):
        if here != there:
            yield what, f"{list_text(there) or 'nobody'} instead of {list_text(here) or 'nobody'}"
    yield from (("map", f"boards waited for: {said}") for said in _members(one.waits_for, other.waits_for))
    yield from _facts(a, b)
    yield from (("gaps", said) for said in _members(one.gaps, other.gaps, "gaps"))
    yield from _rules(a, b)
    yield from _forces(one.forces, other.forces)
    yield from _victory(a, b)


def _map(one: graph.Scenario, other: graph.Scenario) -> DifferencePairs:
    here, there = one.board, other.board
    if here.name != there.name and (here.name, there.name) != (one.name, other.name):
        yield "map", f"{there.name} instead of {here.name}"
    if here.hexes.keys() != there.hexes.keys():
        if len(here.hexes) != len(there.hexes):
            yield "map", f"{len(there.hexes)} hexes instead of {len(here.hexes)}"
        yield from (("map", f"the map has {said}") for said in _members([*here.hexes], [*there.hexes]))
        return
    both = here.hexes.keys() & there.hexes.keys()
    if moved := [name for name in both if here.hexes[name][:2] != there.hexes[name][:2]]:
        yield "map", f"elsewhere on the map {'are' if len(moved) > 1 else 'is'} {_hexes(moved)}"
    if changed := [name for name in both if {*here.hexes[name][2]} != {*there.hexes[name][2]}]:
        yield "map", f"other ground in {_hexes(changed)}"
    for name in sorted(here.regions.keys() | there.regions.keys()):
        members = _members(here.regions.get(name, ()), there.regions.get(name, ()))
        yield from (("regions", f"{name}: {said}") for said in members)
    if outlined := [name for name in sorted(both) if here.shapes.get(name) != there.shapes.get(name)]:
        yield "map", f"another outline of {_hexes(outlined)}"
    for what, list_ in (("hexsides", _sides), ("ways", _path_hexsides), ("connections", _links)):
        yield from (("map", f"{what}: {said}") for said in _members(list_(here), list_(there), what))


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
    here, there = dict(a.scenario.facts), dict(b.scenario.facts)
    one, other = Writer(a.vocabulary), Writer(b.vocabulary)
    for key in dict.fromkeys((*here, *there)):
        mine, theirs = here.get(key), there.get(key)
        if isinstance(mine, graph.SetOf) and isinstance(theirs, graph.SetOf):
            old, new = ([one.text(each) for each in mine.elements], [other.text(each) for each in theirs.elements])
            yield from (("special", f"{readable_name(key.partition('.')[2])}: {said}") for said in _members(old, new))
        elif mine != theirs:
            now = "not said" if theirs is None else _short(other.text(theirs))
            was = "not said" if mine is None else _short(one.text(mine))
            yield "special", f"{readable_name(key.partition('.')[2])}: {now} instead of {was}"


def _forces(here: Sequence[graph.Force], there: Sequence[graph.Force]) -> DifferencePairs:
    """Yield the differences of groups that are on both cards, and of the forces of sides otherwise."""
    known = _matched(here, there)
    for old, new in zip(known, there, strict=True):
        if old is not None:
            if old.title != new.title:
                yield "forces", f"{new.side}: {_titles([new.title])} instead of {_titles([old.title])}"
            head = f"{new.side}{f', {new.title}' if new.title else ''}"
            yield from (
                ("forces", f"{head}: {said}") for said in (*_units(_count(old), _count(new)), *_place(old, new))
            )
    left = [force for force in here if all(force is not old for old in known)]
    come = [force for force, old in zip(there, known, strict=True) if old is None]
    for side in dict.fromkeys(force.side for force in (*left, *come)):
        old_units, new_units = (
            sum((_count(force) for force in forces if force.side == side), Counter[str]()) for forces in (left, come)
        )
        names = [f.title for f in left if f.side == side], [f.title for f in come if f.side == side]
        titles = f" ({_titles(names[1])} instead of {_titles(names[0])})" if names[0] != names[1] else ""
        yield from (("forces", f"{side}{titles}: {said}") for said in _units(old_units, new_units))


def _matched(here: Sequence[graph.Force], there: Sequence[graph.Force]) -> list[graph.Force | None]:
    """Match the groups of one card with those of the other, by title or units; None for an unmatched one."""
    left = list(here)
    found: dict[int, graph.Force] = {}
    likeness: tuple[Callable[[graph.Force, graph.Force], bool], ...] = (
        lambda old, new: old == new,
        lambda old, new: old.title == new.title and _count(old) == _count(new),
        lambda old, new: old.title == new.title and (old.area, old.turn) == (new.area, new.turn),
        lambda old, new: old.title == new.title,
        lambda old, new: _count(old) == _count(new),
    )
    for alike in likeness:
        for number, new in enumerate(there):
            counterpart = next((old for old in left if old.side == new.side and alike(old, new)), None)
            if number not in found and counterpart is not None:
                found[number] = counterpart
                left = [old for old in left if old is not counterpart]
    return [found.get(number) for number in range(len(there))]


def _titles(names: list[str]) -> str:
    return list_text([name for name in names if name]) or "no group"


def _count(force: graph.Force) -> Counter[str]:
    return Counter(dict(force.units)) + Counter(each.counter for each in force.placed)


def _units(old: Counter[str], new: Counter[str]) -> Iterator[str]:
    changes = [
        f"{new[unit]} {unit} instead of {old[unit]}" for unit in dict.fromkeys((*old, *new)) if old[unit] != new[unit]
    ]
    if changes:
        more = f" and {len(changes) - MOST} more counters" if len(changes) > MOST else ""
        total = f"; {new.total()} units in all instead of {old.total()}" if new.total() != old.total() else ""
        total = total if len(changes) > 1 else ""
        yield f"{', '.join(changes[:MOST])}{more}{total}"


def _place(old: graph.Force, new: graph.Force) -> Iterator[str]:
    """Yield the differences in turn, area, placement and pairs of a group."""
    if old.turn != new.turn:
        yield f"{_when(new.turn)} instead of {_when(old.turn)}"
    yield from (f"in {said}" for said in _members(old.area, new.area))
    here, there = ([_posted(each) for each in force.placed] for force in (old, new))
    yield from (f"placed: {said}" for said in _members(here, there))
    mine, theirs = ([f"{relation} {left}-{right}" for relation, left, right in force.pairs] for force in (old, new))
    yield from (f"beginning with {said}" for said in _members(mine, theirs))


def _posted(each: graph.Posted) -> str:
    """Format the placement of a piece, with its name if it has one."""
    named = f" ({each.name})" if each.name else ""
    return f"{each.counter}{named} in {each.at}{f', {readable_name(each.place)}' if each.place else ''}"


def _members(old: Sequence[str], new: Sequence[str], noun: str = "hexes") -> Iterator[str]:
    """Yield the additions to a set and the removals from it."""
    gone, come = sorted((Counter(old) - Counter(new)).elements()), sorted((Counter(new) - Counter(old)).elements())
    if gone or come:
        yield list_text(
            [f"{_hexes(come, noun)} as well"] * bool(come) + [f"not {_hexes(gone, noun)} any more"] * bool(gone)
        )


def _when(turn: int) -> str:
    return f"coming on turn {turn}" if turn else "set up before the game"


def _victory(a: graph.Graph, b: graph.Graph) -> DifferencePairs:
    """Yield the differences in victory conditions, by side and level."""
    here, there = _lines(a), _lines(b)
    for label in dict.fromkeys((*here, *there)):
        if here.get(label) != there.get(label):
            side, _, level = label.removeprefix("victory-").partition("-")
            now, was = there.get(label, "never"), here.get(label, "never")
            yield "victory", f"{side} {level}: when {now}, instead of when {was}"


def _lines(rules: graph.Graph) -> dict[str, str]:
    writer = Writer(rules.vocabulary)
    assert rules.scenario is not None
    own = (rule for rule in rules.rules.values() if rule.origin.layer == rules.scenario.name)
    return {rule.label: _condition(rule, writer) for rule in own if rule.label.startswith("victory-")}


def _condition(rule: graph.Rule, writer: Writer) -> str:
    """Format the condition of a victory line without its test of the side."""
    match rule.guard:
        case graph.Op("and", (_, *rest)):
            return " and ".join(writer.text(part) for part in rest)
        case None:
            return "always"
        case guard:
            return writer.text(guard)


def _hexes(names: Sequence[str], noun: str = "hexes") -> str:
    if len(names) > MOST:
        return f"{len(names)} {noun} ({', '.join(sorted(names)[:3])}, ..)"
    return list_text(sorted(names)) or "no hex"


def _rules(a: graph.Graph, b: graph.Graph) -> DifferencePairs:
    """Yield the differences in special rules, by label."""
    here, there = (_special(rules) for rules in (a, b))
    yield from (("rules", said) for said in _members([*here], [*there], "rules"))
    for label in sorted(here.keys() & there.keys()):
        if replace(here[label], origin=there[label].origin) != there[label]:
            yield "rules", f"{label} otherwise"


def _special(rules: graph.Graph) -> dict[str, graph.Rule]:
    assert rules.scenario is not None
    own = (rule for rule in rules.rules.values() if rule.origin.layer == rules.scenario.name)
    return {rule.label: rule for rule in own if not rule.label.startswith("victory-")}


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:80]}…"
