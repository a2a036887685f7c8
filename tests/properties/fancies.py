"""Draws a random position for any graph: a small map of all its grounds, counters, statuses, tracks, pairs, records.

Play need not reach such a position; the evaluators must agree on it all the same.
"""

import random

from runtime.graph import nodes as graph
from runtime.state import change
from runtime.state.position import State
from runtime.state.setup import from_position
from tests.answers.differential import Undrawable, draw, pick

WIDE, HIGH = 4, 3
PIECES = 9


def fancy(rules: graph.Graph, dice: random.Random) -> State:
    """Draw a position with values for notes, pairs, records and the clock."""
    words = rules.vocabulary
    state = from_position(rules, _laid_out(rules, dice))
    pieces = range(len(state.kind))
    for key, track in words.tracks.items():
        for owner in _owners(state, track.owner):
            if dice.random() < 0.4:
                _set(state, key, track, owner, dice)
    for name, relation in words.relations.items():
        for _ in range(2):
            left, right = dice.choice(pieces), dice.choice(pieces)
            if left != right and _may_be_end(state, left, relation.left) and _may_be_end(state, right, relation.right):
                payload_value = draw(state, relation.payload.type, dice) if relation.payload else True
                change.relate(state, name, left, right, payload_value)
    for name in words.records:
        if dice.random() < 0.5:
            try:
                change.write(state, draw(state, graph.RecordOf(name), dice))
            except Undrawable:
                continue
    change.set_turn(state, dice.randint(1, 6))
    change.set_player(state, dice.choice([word.name for word in words.enums["side"].members]))
    phases = [word.name for word in words.enums["phase"].members]
    change.set_phase(state, dice.choice(phases) if phases else "")
    return state


def _laid_out(rules: graph.Graph, dice: random.Random) -> graph.Position:
    """Draw a map and counters on it."""
    flags = rules.vocabulary.flags.values()
    ground = [flag.name for flag in flags if flag.what == "feature" and flag.owner == "hex"]
    edging = [flag.name for flag in flags if flag.what == "feature" and flag.owner == "hexside"]
    path_features = [flag.name for flag in flags if flag.owner == "path"]
    spots = {f"H{row}{column}": (column, row) for row in range(HIGH) for column in range(WIDE)}
    hexes = {name: (*spot, _some(ground, dice)) for name, spot in spots.items()}
    names = [*spots]
    near = [(a, b) for a in names for b in names if a < b and _touch(spots[a], spots[b])]
    sides = tuple((a, b, _some(edging, dice)) for a, b in near if edging and dice.random() < 0.3)
    paths = tuple((dice.choice(path_features), a, b) for a, b in near if path_features and dice.random() < 0.3)
    lands = graph.Board("fancy", hexes, sides, paths, {})
    return graph.Position("fancy", rules.stack, lands, tuple(_pieces(rules, names, dice)), (), (), (), (), 1, "", "")


def _pieces(rules: graph.Graph, hexes: list[str], dice: random.Random) -> list[graph.PieceAt]:
    """Draw counters, and pieces of kinds without counters."""
    words = rules.vocabulary
    sides = [word.name for word in words.enums["side"].members]
    plain_kinds = [kind.name for kind in words.kinds.values() if not kind.printed]
    found = []
    for number in range(PIECES):
        counter = pick([*rules.counters.values()], dice) if rules.counters else None
        kind = (
            counter.kind
            if counter and not (plain_kinds and dice.random() < 0.2)
            else dice.choice(plain_kinds or [*words.kinds])
        )
        if counter is not None and counter.kind != kind:
            counter = None
        flags = [flag for flag in words.flags.values() if flag.owner == kind]
        places = [flag.name for flag in words.flags.values() if flag.what == "place"]
        found.append(
            graph.PieceAt(
                f"P{number}",
                kind,
                counter.id if counter else "",
                (counter.owner if counter and counter.owner else dice.choice(sides)),
                "" if dice.random() < 0.1 else dice.choice(hexes[:6]),
                dice.choice(places) if places and dice.random() < 0.2 else "",
                (),
                (),
                _some([flag.name for flag in flags if flag.what == "status"], dice),
                (),
            )
        )
    return found


def _touch(a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Return whether two hexes of the small map are adjacent; odd rows lie half a hex to the right."""
    (ax, ay), (bx, by) = a, b
    if ay == by:
        return abs(ax - bx) == 1
    lean = ay % 2
    return abs(ay - by) == 1 and bx - ax in (lean - 1, lean)


def _some(names: list[str], dice: random.Random) -> tuple[str, ...]:
    """Draw at most two of these names."""
    return tuple(sorted(dice.sample(names, min(len(names), dice.choice((0, 0, 1, 1, 2))))))


def _owners(state: State, owner: str) -> list[object]:
    """Return the owners of a track: all hexes, sides or pieces of a kind, or None for the game."""
    match owner:
        case "hex":
            return [*range(state.board.size)]
        case "side":
            return [word.name for word in state.graph.vocabulary.enums["side"].members]
        case "game" | "scenario":
            return [None]
        case kind:
            return [piece for piece, its in enumerate(state.kind) if its == kind]


def _set(state: State, key: str, track: graph.Track, owner: object, dice: random.Random) -> None:
    """Set a track of an owner to a random value, if its type allows one."""
    try:
        value = draw(state, track.type, dice)
    except Undrawable:
        return
    if owner is None:
        change.set_fact(state, key, value)
    else:
        change.set_track(state, key, owner, value)


def _may_be_end(state: State, piece: int, end: graph.Parameter) -> bool:
    """Return whether a piece has a kind that this end of a relation allows."""
    return isinstance(end.type, graph.Piece) and (not end.type.kinds or state.kind[piece] in end.type.kinds)
