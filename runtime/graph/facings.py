"""Find the notes that give a piece a direction, its facing, so that maps can draw it.

In: a graph. Out: the keys of such tracks (`unit.aimed`), and the direction that a value gives. A track of a piece is a
facing if its type names directions only (e, ne, ..), if rules pass it to `toward` as a direction, or if it holds a hex
that every assignment takes from the neighbors of the piece.
"""

from collections.abc import Iterator
from typing import Any

from runtime.graph import nodes as graph
from runtime.graph.effects import effects_in
from runtime.graph.effects.primitives import SetValue
from runtime.graph.hexes import DIRECTIONS, STEPS
from runtime.graph.identity_memo import memoized_by_identity
from runtime.graph.walk import walk

COMPASS_NAMES = ("east", "northeast", "northwest", "west", "southwest", "southeast")
DIRECTION_NUMBERS = {
    **{name: number for number, name in enumerate(DIRECTIONS, 1)},
    **{name: n for n, name in enumerate(COMPASS_NAMES, 1)},
}
AIMED = ("toward", 1)  # The function that reads a direction, and the place of its argument.


@memoized_by_identity()
def facing_tracks(rules: graph.Graph) -> tuple[str, ...]:
    """Return the keys of the tracks of pieces that give a direction."""
    kinds = rules.vocabulary.kinds
    tracks = {key: track.type for key, track in rules.vocabulary.tracks.items() if track.owner in kinds}
    hexes = any(isinstance(type_, graph.Hex) for type_ in tracks.values())
    neighbors = _assigned_neighbors(rules) if hexes else frozenset()
    passed = _passed_to_toward(rules) if any(_is_numbered(rules, type_) for type_ in tracks.values()) else frozenset()

    def gives_direction(key: str) -> bool:
        type_ = tracks[key]
        if isinstance(type_, graph.Hex):
            return key in neighbors
        return _is_named(rules, type_) or (key in passed and _is_numbered(rules, type_))

    return tuple(filter(gives_direction, tracks))


def direction_number(rules: graph.Graph, key: str, value: object) -> int | None:
    """Return the direction that a value of a track gives, 1 to 6 for e, ne, nw, w, sw, se; None if it gives none."""
    type_ = rules.vocabulary.tracks[key].type
    if isinstance(type_, graph.Scale):
        names = {at: name for name, at in rules.vocabulary.scales[type_.name].places}
        value = DIRECTION_NUMBERS.get(_plain(names.get(value, "")), value)  # type: ignore[call-overload]
    if isinstance(value, str):
        return DIRECTION_NUMBERS.get(_plain(value))
    return next((number for number in DIRECTION_NUMBERS.values() if number == value), None)


def unit_vector(number: int) -> tuple[float, float]:
    """Return the direction of a number on paper, to the right and down, with the length 1."""
    x, y = STEPS[DIRECTIONS[number - 1]]
    return x / 2, y * 3**0.5 / 2


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def _is_named(rules: graph.Graph, type_: graph.Type) -> bool:
    """Return whether the values of a type are named as directions."""
    match type_:
        case graph.Enum(name):
            names = [member.name for member in rules.vocabulary.enums[name].members] if name != "side" else []
        case graph.Scale(name):
            names = [place for place, _ in rules.vocabulary.scales[name].places]
        case _:
            names = []
    return bool(names) and all(_plain(name) in DIRECTION_NUMBERS for name in names)


def _is_numbered(rules: graph.Graph, type_: graph.Type) -> bool:
    """Return whether the values of a type are numbers of 1 to 6."""
    match type_:
        case graph.Number(low, high, ""):
            return low is not None and high is not None and 1 <= low <= high <= len(DIRECTIONS)
        case graph.Scale(name):
            return all(at in DIRECTION_NUMBERS.values() for _, at in rules.vocabulary.scales[name].places)
        case _:
            return False


def _passed_to_toward(rules: graph.Graph) -> set[str]:
    """Return the tracks that occur in a direction given to `toward`, also by way of the parameters of questions."""
    found: set[str] = set()
    slots, calls = {AIMED}, list(_calls(rules))
    before = 0
    while len(slots) > before:
        before = len(slots)
        for term, callee, arguments in calls:
            parameters = rules.terms[term].parameters if term in rules.terms else ()
            directions = tuple(each for index, each in enumerate(arguments) if (callee, index) in slots)
            for node in walk(directions):
                match node:
                    case graph.Get(what="track", owner=owner, name=name):
                        found.add(f"{owner}.{name}")
                    case graph.Var(name):
                        slots |= {(term, index) for index, each in enumerate(parameters) if each.name == name}
                    case _:
                        pass
    return found


def _calls(rules: graph.Graph) -> Iterator[tuple[str, str, tuple[graph.Expr, ...]]]:
    """Yield calls: the question whose answer contains it, "" for a procedure, what is called, and the arguments."""
    bodies: list[tuple[str, Any]] = [(term, rule) for rule in rules.rules.values() for term in rule.terms]
    bodies += [(name, term.otherwise) for name, term in rules.terms.items()]
    bodies += [("", procedure) for procedure in rules.procedures.values()]
    for term, body in bodies:
        for node in walk(body):
            if isinstance(node, graph.Op):
                yield term, node.op, node.arguments
            elif isinstance(node, graph.Ask):
                yield term, node.term, node.arguments


def _assigned_neighbors(rules: graph.Graph) -> set[str]:
    """Return the tracks of which every assignment takes a value chosen from the neighbors of the piece."""
    beside: dict[str, bool] = {}
    for procedure in rules.procedures.values():
        nodes = list(walk(procedure))
        sources = {node.name: node.source for node in nodes if isinstance(node, graph.Choose)}
        for effect in effects_in(procedure, SetValue):
            if effect.base is not None and not effect.in_record:
                key, value = f"{effect.owner}.{effect.name}", effect.value
                chosen = sources.get(value.name) if isinstance(value, graph.Var) else value
                beside[key] = beside.get(key, True) and _are_neighbors(chosen, effect.base)
    return {key for key, always in beside.items() if always}


def _are_neighbors(chosen: graph.Expr | None, piece: graph.Expr) -> bool:
    """Return whether an expression chooses from the neighbors of a piece."""
    return any(
        isinstance(node, graph.Op)
        and node.op == "neighbors"
        and any(isinstance(each, graph.Get) and (each.name, each.base) == ("hex", piece) for each in node.arguments)
        for node in walk(chosen)
    )
