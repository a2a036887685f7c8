"""The declarations of types of values: measures, sides, enumerations, domains, scales."""

from collections.abc import Iterable
from dataclasses import replace

from compiler.source import nodes as source
from compiler.typed.declarations.record import DeclarationRecord, Wave, display_name
from compiler.typed.duplicate_names import reserve_name
from compiler.typed.environment import Environment, resolve_type
from compiler.typed.findings.wordings import NumberNotStated
from compiler.typed.unknown_names import check_known
from runtime.graph import nodes as graph
from runtime.graph.words import has_article


def _enter_measures(env: Environment, node: source.Measure) -> None:
    for item in node.items:
        if reserve_name(env, "type", item.name):
            env.measures[item.name.text] = display_name(item)


def _enter_sides(env: Environment, node: source.Sides) -> None:
    _enter_words(env, "side", "side", node.items)
    for item in node.items:
        if has_article(display_name(item)) and item.number is None:
            env.problems.append(NumberNotStated(item.name.span, item.name.text, display_name(item)))


def _enter_words(env: Environment, enum: str, namespace: str, items: Iterable[source.Item]) -> None:
    """Enter the items that are declared here first, and the number in which each is said."""
    for item in items:
        if reserve_name(env, namespace, item.name):
            env.enums[enum] += (graph.Word(item.name.text, display_name(item)),)
            if item.number is not None:
                env.wording[f"number {enum}.{item.name.text}"] = item.number


def _enter_enumeration(env: Environment, node: source.Enumeration) -> None:
    if not node.extends and reserve_name(env, "type", node.name):
        env.enums[node.name.text] = ()
        _add_members(env, node)


def _extend_enumeration(env: Environment, node: source.Enumeration) -> None:
    if node.extends and check_known(env, "enumeration", node.name, env.enums):
        _add_members(env, node)


def _add_members(env: Environment, node: source.Enumeration) -> None:
    _enter_words(env, node.name.text, f"member of {node.name.text}", node.items)


def _enter_domain(env: Environment, node: source.Domain) -> None:
    if reserve_name(env, "type", node.name):
        range_type = resolve_type(env, node.type)
        if isinstance(range_type, graph.Number):
            env.domains[node.name.text] = replace(range_type, is_whole=True)


def _enter_scale(env: Environment, node: source.Scale) -> None:
    if not node.extends and reserve_name(env, "type", node.name):
        measure = node.measure.text if node.measure else ""
        env.scales[node.name.text] = graph.Line(node.name.text, measure, ())
        _add_places(env, node)


def _extend_scale(env: Environment, node: source.Scale) -> None:
    if node.extends and check_known(env, "scale", node.name, env.scales):
        _add_places(env, node)


def _add_places(env: Environment, node: source.Scale) -> None:
    line = env.scales[node.name.text]
    places = dict(line.places)
    for item in node.items:
        synonym = next((name for name, value in places.items() if value == item.value), None)
        if reserve_name(env, f"place on {node.name.text}", item.name):
            if synonym is not None:
                message = f"`{item.name.text}` and `{synonym}` have the same place on `{node.name.text}`, {item.value}"
                env.report_invalid(item.name.span, message, "give each name a place of its own")
            places[item.name.text] = item.value
    ordered = tuple(sorted(places.items(), key=lambda place: (place[1], place[0])))
    env.scales[node.name.text] = graph.Line(line.name, line.measure, ordered)


def _check_measure(env: Environment, node: source.Scale) -> None:
    """Report an undeclared measure of a scale."""
    if node.measure is not None:
        check_known(env, "measure", node.measure, env.measures)


VALUE_TYPES = (
    DeclarationRecord(
        source.Measure,
        forms=('measure MP "movement points", steps "steps"',),
        binds={Wave.TYPE_NAMES: _enter_measures},
        names={"items": "declares type"},  # Types may be called by their measures.
        outline=None,
    ),
    DeclarationRecord(
        source.Sides,
        forms=('side north "North", south "South"',),
        binds={Wave.TYPE_NAMES: _enter_sides},
        names={"items": "declares member side"},
        outline=None,
    ),
    DeclarationRecord(
        source.Enumeration,
        forms=('enum ground: meadow, marsh "a marsh"', "extend enum NAME: WORD"),
        binds={Wave.TYPE_NAMES: _enter_enumeration, Wave.EXTENSIONS: _extend_enumeration},
        names={"name": "declares type", "items": "declares member {name}"},
        outline="enum",
    ),
    DeclarationRecord(
        source.Domain,
        forms=("domain NAME = 1..6",),
        binds={Wave.FLAGS_AND_RANGES: _enter_domain},
        names={"name": "declares type"},
        outline="enum",
    ),
    DeclarationRecord(
        source.Scale,
        forms=("scale NAME: 'low' = 0, 'high' = 1", "extend scale NAME: 'higher' = 2"),
        binds={Wave.TYPE_NAMES: _enter_scale, Wave.EXTENSIONS: _extend_scale, Wave.FLAGS_AND_RANGES: _check_measure},
        names={"name": "declares type", "measure": "uses measure", "items": "declares place of scale {name}"},
        outline="enum",
    ),
)
