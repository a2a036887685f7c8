"""Facts that a game requires of its situation cards: `track scenario.x: T required "why" when C for n`.

In: the tracks of a stack, a card and its rules. Out: tracks with the conditions under which they are required, and the
facts that a card does not set, or sets empty. The condition is evaluated from the card alone.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, get_args

from compiler.layered import nodes as layered
from compiler.source import nodes as source
from compiler.source.origins import origin_of, span_of
from compiler.source.span import Span
from compiler.source.suggestions import nearest_names
from compiler.typed.environment import Environment, memoize_query, type_text
from compiler.typed.findings.invalid_constructs import MissingFact
from compiler.typed.laws import context_for
from compiler.typed.source_lists import span_of_list
from compiler.typed.unknown_names import unknown_word
from compiler.typed.values.expressions import elaborate_condition
from runtime.graph import nodes as graph
from runtime.graph.effects import assigned_facts
from runtime.graph.expressions import symbols_in
from runtime.graph.literals import literal_value
from runtime.graph.operators import OPERATORS
from runtime.graph.walk import walk

# The nodes of a condition behind `required`: their values depend on the card alone.
CONSTANT_NODES = (*get_args(graph.LiteralExpr), graph.SetOf, graph.Op, graph.Has)
LOGIC = frozenset({"and", "or", "not"})


def required_tracks(env: Environment, stack: layered.LayeredStack) -> dict[str, graph.Track]:
    """Return required tracks with their requirements, each with its reason, condition and the names that imply it."""
    found: dict[str, tuple[graph.Requirement, ...]] = {}
    for layer, owner, name, written in _demands(stack):
        key = f"{owner.text}.{name.text}"
        if owner.text != "scenario":
            message = "only facts of the scenario can be required"
            advice = f"delete `required`, or declare `track scenario.{name.text}`"
            env.report_invalid(owner.span, message, advice)
        elif key in env.tracks:
            found[key] = (*found.get(key, ()), _required(env, written, layer))
        else:
            known = env.track_names("scenario")
            env.report_unknown("track of the scenario", name, known)
    return {key: replace(env.tracks[key], required=tuple(demands)) for key, demands in found.items()}


def _demands(stack: layered.LayeredStack) -> Iterator[tuple[str, source.Word, source.Word, source.Requirement]]:
    """List the requirements in declarations of tracks and apart from them: layer, owner, name, and requirement."""
    for track in stack.statements_of(source.Track):
        if track.node.required is not None:
            yield track.layer, track.node.owner, track.node.name, track.node.required
    for statement in stack.statements_of(source.Requires):
        yield statement.layer, statement.node.owner, statement.node.name, statement.node.demand


@memoize_query("required")
def _required(env: Environment, written: source.Requirement, layer: str) -> graph.Requirement:
    needed = None
    if written.condition is not None:
        needed = elaborate_condition(written.condition, context_for(env, {}))
        if not all(isinstance(part, (*CONSTANT_NODES, graph.GameTrack)) and _of_a_card(part) for part in walk(needed)):
            message = "the condition of a required fact may use only facts of the situation"
            advice = "compare facts with constants, as in `when scenario.number in {1, 4}`"
            env.report_invalid(written.condition.span, message, advice)
    known = {*env.terms, *(track.name for track in env.tracks.values())}
    env.problems += (
        unknown_word("question or track", word, sorted(known)) for word in written.asked if word.text not in known
    )
    names = tuple(word.text for word in written.asked)
    return graph.Requirement(written.why, needed, names, origin_of(layer, written.span))


def _of_a_card(part: object) -> bool:
    return not isinstance(part, graph.GameTrack) or part.owner == "scenario"


def missing_facts(
    env: Environment,
    node: source.Scenario,
    card: graph.Scenario,
    rules: Mapping[str, graph.Rule],
    *,
    mapped: bool,
) -> Iterator[MissingFact]:
    """List the required facts that a card does not set, or sets empty; unless `mapped`, every area is empty."""
    card_facts = facts_of_card(card)
    known = {track.name for track in env.tracks.values()}
    unknown = (word.text for word, _ in node.facts if word.text not in known)
    suggestions = {name for word in unknown for name in nearest_names(word, known)}
    words = {word.text: word for word, _ in node.facts} | {part.name.text: part.name for part in node.regions}
    mentioned = _mentioned(rule for rule in rules.values() if rule.origin.layer == card.name)
    for track in (track for track in env.tracks.values() if track.required):
        value = card_facts.get(f"scenario.{track.name}")
        written = words.get(track.name)
        empty = isinstance(value, graph.SetOf) and not value.elements
        if value is not None and not empty and written is None:
            continue  # `order`, `set_up` and `turns` have separate keys.
        if empty and not mapped:
            continue  # The map is the error, which is reported.
        demand = _first_requirement(env.tracks, track, facts_of_card(card), mentioned)
        # A fact with a misspelled name is reported as an undeclared name.
        if demand is not None and (written is None or empty) and track.name not in suggestions:
            place = written.span if written is not None else _place_of_facts(node)
            yield missing_fact(env, track, demand, place, ("situation", node.name.text), empty=written is not None)


def unfounded_conditions(
    env: Environment,
    node: source.Scenario,
    tracks: Mapping[str, graph.Track],
    rules: Mapping[str, graph.Rule],
    procedures: Mapping[str, graph.Procedure],
) -> Iterator[MissingFact]:
    """List the sets that a card's own rules read, though neither the card nor anything in play fills them."""
    set_names = {*(word.text for word, _ in node.facts), *(part.name.text for part in node.regions)}
    filled = {fact.partition(".")[2] for fact in assigned_facts(tuple(each.body for each in procedures.values()))}
    for rule in (rule for rule in rules.values() if rule.origin.layer == node.name.text):
        origin = rule.origin
        for name in sorted(_mentioned([rule]) - set_names - filled):
            track = tracks.get(f"scenario.{name}")
            if track is not None and _is_empty(track):
                place = span_of(origin)
                purpose = f"`{rule.label}` of this situation uses it"
                declared = env.spans["track of scenario", name]
                yield MissingFact(place, "situation", node.name.text, name, declared, purpose, _values(env, track.type))


def _is_empty(track: graph.Track) -> bool:
    """Return whether a track is a set or a list that is initially empty."""
    nothing = track.initial is None or (isinstance(track.initial, graph.SetOf) and not track.initial.elements)
    return isinstance(track.type, graph.Many) and nothing


def missing_fact(
    env: Environment,
    track: graph.Track,
    demand: graph.Requirement,
    span: Span,
    subject: tuple[str, str],
    *,
    empty: bool,
) -> MissingFact:
    """Return the problem that a card or a position (`subject`: which of them, and its name) lacks a required track."""
    origin = demand.origin
    declared = span_of(origin)
    return MissingFact(span, *subject, track.name, declared, demand.why, _values(env, track.type), empty)


def _place_of_facts(node: source.Scenario) -> Span:
    """Return the span of the facts of a card; without any, that of its name."""
    return span_of_list([word.span for word, _ in node.facts]) if node.facts else node.name.span


def _values(env: Environment, type_: graph.Type) -> str:
    """Format the possible values of a type."""
    match type_:
        case graph.Many(_, graph.Hex()):
            return "an area, as in `{edge: west}`, or a list of hexes"
        case graph.Many(_, graph.Enum(name)):
            return f"a list of {', '.join(f'`{member}`' for member in env.members(name))}"
        case graph.Enum(name):
            return f"one of {', '.join(f'`{member}`' for member in env.members(name))}"
        case graph.Many(_, element_type):
            return f"a list, each {type_text(element_type)}"
        case graph.Number():
            return f"a number in {type_text(type_)}"
        case _:
            return type_text(type_)


def _mentioned(rules: Iterable[graph.Rule]) -> frozenset[str]:
    """Return the terms and tracks that rules read directly."""
    read = tuple((rule.guard, rule.value, rule.names) for rule in rules)
    return frozenset(symbol.name for symbol in symbols_in(read) if symbol.namespace in ("term", "track"))


def facts_of_card(card: graph.Scenario) -> dict[str, graph.Expr]:
    """Return everything that a card sets, as facts."""
    sides = {
        f"scenario.{name}": graph.SetOf(tuple(graph.Member("side", side) for side in order))
        for name, order in (("order", card.order), ("set_up", card.set_up))
    }
    return {**dict(card.facts), **sides, "scenario.turns": graph.Num(Fraction(card.turns), "")}


def _first_requirement(
    tracks: Mapping[str, graph.Track], track: graph.Track, facts: Mapping[str, graph.Expr], mentioned: frozenset[str]
) -> graph.Requirement | None:
    """Return the first requirement of a track that applies with these facts and names mentioned; None if none does."""
    first = {key: each.initial for key, each in tracks.items() if each.initial is not None}
    for demand in track.required:
        is_relevant = not demand.asked or not mentioned.isdisjoint(demand.asked)
        if is_relevant and (demand.needed is None or evaluate_by_card(demand.needed, {**first, **facts}) is True):
            return demand
    return None


def evaluate_by_card(expr: graph.Expr | None, facts: Mapping[str, graph.Expr]) -> Any:
    """Evaluate an expression from the facts of a card; None where they do not determine it."""
    if isinstance(expr, graph.LiteralExpr):
        return literal_value(expr)
    match expr:
        case graph.Spot(name=name):
            return name
        case graph.SetOf(elements=elements):
            return frozenset(evaluate_by_card(each, facts) for each in elements)
        case graph.GameTrack(owner=owner, name=name):
            return evaluate_by_card(facts.get(f"{owner}.{name}"), facts)
        case graph.Has(subject=base, negated=negated):
            return (evaluate_by_card(base, facts) is None) is negated
        case graph.Op(op=op, arguments=arguments) if op in LOGIC:
            return _logic(op, [evaluate_by_card(each, facts) for each in arguments])
        case graph.Op(op=op, arguments=arguments):
            values = [evaluate_by_card(each, facts) for each in arguments]
            return None if None in values or op not in OPERATORS else OPERATORS[op].compute(*values)
        case _:
            return None


def _logic(op: str, values: list[bool | None]) -> bool | None:
    """Evaluate a connective with some operands unknown."""
    if op == "not":
        return None if values[0] is None else not values[0]
    decides = op == "or"
    if decides in values:
        return decides
    return None if None in values else not decides
