"""Declarations of a stack, entered into its environment, extensions after what they extend.

In: the declarations of a layered stack. Out: an `Environment`, and in it the problems.

Reports names declared twice and types without a declaration. The order of files is irrelevant: the declarations are
processed kind by kind, those that types are made of first.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import cast

from compiler.layered import nodes as layered
from compiler.query.database import LARGE, Database
from compiler.source import nodes as source
from compiler.typed import added_factors
from compiler.typed.duplicate_names import check_called_names, holds_name, reserve_name
from compiler.typed.environment import UNKNOWN_TYPE, Environment, Signature, resolve_type
from compiler.typed.flag_owners import check_owner
from compiler.typed.forms import misplaced_clauses
from compiler.typed.problems import DuplicateName, InvalidConstruct, MissingField
from compiler.typed.rewording import apply_rewording
from compiler.typed.unknown_names import unknown_word
from runtime.graph import nodes as graph
from runtime.graph.words import readable_name

Part = layered.LayerStatement[source.Declaration] | layered.LayerStatement[source.Conduct]
DeclaredStatement = source.Declaration | source.Conduct


def build_environment(stack: layered.LayeredStack, database: Database) -> Environment:
    """Return the environment of a stack, everything but tables and rules; problems are recorded in it."""
    names = [manifest.name.text for manifest in stack.layers]
    layers = [stack.statements.get(name, ()) for name in names]
    card = [statements for name, statements in stack.statements.items() if name not in names]
    env = _extended(_base(layers, database), card) or _entered(Environment(database=database), [*layers, *card])
    for conduct in stack.conduct:
        _enter_phases(env, conduct.node)
    for stage in stack.statements_of(source.Stage):
        _enter_stage(env, stage.node)
    check_called_names(env)
    apply_rewording(env, stack.statements_of(source.Wording))
    env.index_names()
    added_factors.enter_first_values(env, [part.node for part in stack.statements_of(source.ExtendKind)])
    added_factors.drop_taken_factors(env)
    return env


def _base(layers: list[tuple[Part, ...]], database: Database) -> Environment | None:
    """Build the environment of some layers upon that of the layers below; None where that is impossible.

    Declarations that may refer to any layer, such as stages, wordings and the phases of the sequence, are entered
    later.
    """
    if not layers:
        return Environment(database=database)
    return database.derive(
        "base environment", tuple(layers), lambda: _extended(_base(layers[:-1], database), layers[-1:]), capacity=LARGE
    )


def _extended(below: Environment | None, layers: list[tuple[Part, ...]]) -> Environment | None:
    """Enter a layer into the environment below it; None if it has problems, or refers to a layer above."""
    if below is None:
        return None
    env = _entered(below.copy(), layers)
    event_names = (part.node.event.text for layer in layers for part in layer if isinstance(part.node, source.Reaction))
    if env.problems or not all(event in env.events for event in event_names):
        return None
    env.intern()
    return env


def _entered(env: Environment, layers: Iterable[Iterable[Part]]) -> Environment:
    """Enter the declarations of some layers, wave by wave."""
    env.enums.setdefault("side", ())
    env.enums.setdefault("phase", ())
    placed = [part.node for layer in layers for part in layer]
    for wave in (_enter_word, _extend, _enter_shape, _enter_note, _enter_added, _enter_procedure, _enter_term):
        for node in placed:
            wave(env, node)
    return env


def display_name(item: source.Item) -> str:
    """Return the printed form of a declared word: its `reads`, or its name with spaces."""
    return item.reads if item.reads is not None else readable_name(item.name.text)


def _enter_word(env: Environment, node: DeclaredStatement) -> None:
    """Enter the first wave: measures, sides, enumerations, scales, kinds, of which types are made."""
    match node:
        case source.Measure(items=items):
            for item in items:
                if reserve_name(env, "type", item.name):
                    env.measures[item.name.text] = display_name(item)
        case source.Sides(items=items):
            for item in items:
                if reserve_name(env, "side", item.name):
                    env.enums["side"] += (graph.Word(item.name.text, display_name(item)),)
        case source.Enumeration(extends=False) if reserve_name(env, "type", node.name):
            env.enums[node.name.text] = ()
            _add_members(env, node)
        case source.Scale(extends=False) if reserve_name(env, "type", node.name):
            measure = node.measure.text if node.measure else ""
            env.scales[node.name.text] = graph.Line(node.name.text, measure, ())
            _add_places(env, node)
        case source.Kind() if added_factors.reserve_kind(env, node.name):
            env.kinds[node.name.text] = graph.Kind(node.name.text, readable_name(node.name.text), ())
        case source.Record() | source.Task() if reserve_name(env, "type", node.name):
            env.records[node.name.text] = graph.Record(node.name.text, ())


def _extend(env: Environment, node: DeclaredStatement) -> None:
    """Enter the second wave: further members and places."""
    match node:
        case source.Enumeration(extends=True, name=name):
            if name.text in env.enums:
                _add_members(env, node)
            else:
                env.problems.append(unknown_word("enumeration", name, env.enums))
        case source.Scale(extends=True, name=name):
            if name.text in env.scales:
                _add_places(env, node)
            else:
                env.problems.append(unknown_word("scale", name, env.scales))
        case _:
            pass


def _add_members(env: Environment, node: source.Enumeration) -> None:
    namespace = f"member of {node.name.text}"
    new = (
        graph.Word(item.name.text, display_name(item)) for item in node.items if reserve_name(env, namespace, item.name)
    )
    env.enums[node.name.text] += tuple(new)


def _add_places(env: Environment, node: source.Scale) -> None:
    line = env.scales[node.name.text]
    places = dict(line.places)
    for item in node.items:
        synonym = next((name for name, value in places.items() if value == item.value), None)
        if reserve_name(env, f"place on {node.name.text}", item.name):
            if synonym is not None:
                message = f"`{item.name.text}` and `{synonym}` are one place of `{node.name.text}`, {item.value}"
                env.problems.append(InvalidConstruct(item.name.span, message, "give each name a place of its own"))
            places[item.name.text] = item.value
    ordered = tuple(sorted(places.items(), key=lambda place: (place[1], place[0])))
    env.scales[node.name.text] = graph.Line(line.name, line.measure, ordered)


def _enter_shape(env: Environment, node: DeclaredStatement) -> None:
    """Enter the third wave: domains, printed factors, flags, records, which need the names of types."""
    match node:
        case source.Scale(extends=False, measure=source.Word() as measure) if measure.text not in env.measures:
            env.problems.append(unknown_word("measure", measure, env.measures))
        case source.Domain(name=name, type=written) if reserve_name(env, "type", name):
            found = resolve_type(env, written)
            if isinstance(found, graph.Number):
                env.domains[name.text] = replace(found, is_whole=True)
        case source.Flags(what=flag_kind, owner=owner, items=items):
            namespace = owner.text if owner else "path"
            check_owner(env, flag_kind, owner)
            for item in items:
                if item.marker is not None and (flag_kind, namespace) != ("feature", "hex"):
                    message = "only statuses and features of hexes have a marker"
                    env.problems.append(InvalidConstruct(item.span, message, "take the `marker` away"))
                if reserve_name(env, f"flag of {namespace}", item.name):
                    flag = graph.Flag(
                        cast(graph.FlagKind, flag_kind),
                        namespace,
                        item.name.text,
                        display_name(item),
                        item.marker or "",
                        "",
                    )
                    env.flags[f"{namespace}.{item.name.text}"] = flag
        case source.Place(name=name, of=place_owner) if reserve_name(env, f"flag of {place_owner.text}", name):
            check_owner(env, "place", place_owner)
            flag = graph.Flag("place", place_owner.text, name.text, readable_name(name.text), "", "")
            env.flags[f"{place_owner.text}.{name.text}"] = flag
        case source.Status(owner=owner, items=items):
            check_owner(env, "status", owner)
            for status in items:
                if reserve_name(env, f"flag of {owner.text}", status.name):
                    env.flags[f"{owner.text}.{status.name.text}"] = _status(owner.text, status)
        case _:
            pass


def _status(owner: str, item: source.StatusItem) -> graph.Flag:
    name = item.name.text
    until = item.until.name.text if item.until else ""
    return graph.Flag("status", owner, name, item.reads or readable_name(name), item.marker or "", until)


def _enter_note(env: Environment, node: DeclaredStatement) -> None:
    """Enter the fourth wave: printed factors, tracks, relations, records, events, which have types."""
    match node:
        case source.Kind(name=name, printed=printed) if holds_name(env, "type", name):
            env.kinds[name.text] = graph.Kind(name.text, readable_name(name.text), resolve_parameters(env, printed))
            added_factors.reserve_printed(env, node)
        case source.Track(owner=owner, name=name, type=written, until=until):
            found = resolve_type(env, written) or UNKNOWN_TYPE
            if reserve_name(env, f"track of {owner.text}", name):
                moment = until.name.text if until else ""
                track = graph.Track(owner.text, name.text, found, None, moment)
                env.tracks[f"{owner.text}.{name.text}"] = track
                if node.initial is not None or isinstance(found, graph.Many) or found is UNKNOWN_TYPE:
                    env.initial[f"{owner.text}.{name.text}"] = True  # sets and lists are initially empty
        case source.Relation(name=name) if reserve_name(env, "relation", name):
            sides = resolve_parameters(env, (node.left, node.right))
            if len(sides) == 2:
                unique_end = node.one.text if node.one else ""
                if node.one is not None and unique_end not in {node.left.name.text, node.right.name.text}:
                    ends = (node.left.name.text, node.right.name.text)
                    env.problems.append(unknown_word(f"end of {name.text}", node.one, ends))
                end: graph.RelationEnd
                end = (
                    "left"
                    if unique_end == node.left.name.text
                    else "right"
                    if unique_end == node.right.name.text
                    else ""
                )
                payload_fields = resolve_parameters(env, (node.keeps,)) if node.keeps else ()
                payload = payload_fields[0] if payload_fields else None
                env.relations[name.text] = graph.Relation(name.text, sides[0], sides[1], end, payload)
        case source.Record(name=name, fields=fields) if holds_name(env, "type", name):
            optional = tuple(word.text for word in node.optional)
            env.records[name.text] = graph.Record(name.text, resolve_parameters(env, fields), optional, node.secret)
            if node.secret and graph.Parameter("by", graph.Enum("side")) not in env.records[name.text].fields:
                env.problems.append(MissingField(name.span, f"secret record {name.text}", ("by",)))
        case source.Task(name=name, fields=fields, counter=counter) if holds_name(env, "type", name):
            env.records[name.text] = graph.Record(name.text, resolve_parameters(env, (*fields, counter)))
            env.counters_of[name.text] = counter.name.text
        case source.Event(name=name) if reserve_name(env, "event", name):
            env.events[name.text] = graph.Event(name.text, resolve_parameters(env, node.parameters))


def resolve_parameters(env: Environment, written: Iterable[source.Parameter]) -> tuple[graph.Parameter, ...]:
    """Resolve a list of typed names; one of unknown type is included, so that only its type is reported."""
    parts = tuple(written)
    first: dict[str, source.Word] = {}
    for part in parts:
        if first.setdefault(part.name.text, part.name) is not part.name:
            place = first[part.name.text].span
            env.problems.append(DuplicateName(part.name.span, place, "name", part.name.text))
    return tuple(graph.Parameter(part.name.text, resolve_type(env, part.type) or UNKNOWN_TYPE) for part in parts)


def _enter_added(env: Environment, node: DeclaredStatement) -> None:
    """Fifth wave: factors that layers add to kinds."""
    if isinstance(node, source.ExtendKind):
        added_factors.enter_added_factors(env, node)


def _enter_procedure(env: Environment, node: DeclaredStatement) -> None:
    """Sixth wave: actions and resolutions."""
    match node:
        case (
            source.Action(replaces=source.ReplacedProcedure()) | source.Resolution(replaces=source.ReplacedProcedure())
        ):
            pass  # The replaced procedure is declared already.
        case source.Reaction(replaces=source.ReplacedProcedure()):
            pass
        case source.Action(name=name) if reserve_name(env, "action", name):
            env.actions[name.text] = resolve_parameters(env, node.parameters)
        case source.Resolution(name=name) if reserve_name(env, "resolution", name):
            env.resolutions[name.text] = resolve_parameters(env, node.parameters)
        case source.Reaction(name=name, event=event) if reserve_name(env, "action", name):
            declared_event = env.events.get(event.text)
            env.actions[name.text] = rename_parameters(
                node.parameters, declared_event.parameters if declared_event else ()
            )
        case _:
            pass


def _enter_phases(env: Environment, node: source.Conduct) -> None:
    match node:
        case source.Sequence(body=body):
            _enter_phase_titles(env, body)
        case source.Insert(phase=phase):
            _enter_phase_titles(env, (phase,))
        case _:
            pass


def rename_parameters(
    words: tuple[source.Word, ...], declared: tuple[graph.Parameter, ...]
) -> tuple[graph.Parameter, ...]:
    """Return an event's parameters under the names of a hook or reaction; a wrong number is reported elsewhere."""
    types = [part.type for part in declared] + [UNKNOWN_TYPE] * len(words)
    named = tuple(graph.Parameter(word.text, type_) for word, type_ in zip(words, types, strict=False))
    # An omitted parameter has its declared name, so that its uses are not reported as well.
    return (*named, *(part for part in declared[len(words) :] if all(part.name != word.text for word in words)))


def _enter_phase_titles(env: Environment, steps: tuple[source.Step, ...]) -> None:
    for phase in (step for step in source.nested_steps(steps) if isinstance(step, source.Phase)):
        name = phase.name
        reads = phase.title or readable_name(name.text)
        known = next((word.reads for word in env.enums["phase"] if word.name == name.text), None)
        if known is None:
            env.enums["phase"] += (graph.Word(name.text, reads),)
        elif known != reads:
            message = f'two phases are named `{name.text}`: "{known}" and "{reads}"'
            env.problems.append(InvalidConstruct(name.span, message, "rename one of them, or give both one title"))


def _enter_term(env: Environment, node: DeclaredStatement) -> None:
    match node:
        case source.Term(name=name, form=form) if reserve_name(env, "term", name):
            env.problems.extend(misplaced_clauses(node))
            type_ = (resolve_type(env, node.type) if node.type else None) or UNKNOWN_TYPE
            if form in {"verdict", "condition"}:
                type_ = graph.YesNo()
            elif form == "set" and type_ is not UNKNOWN_TYPE:
                type_ = graph.Many("set", type_)
            for index, stage in enumerate(node.stages):
                first = next(each for each in node.stages if each.text == stage.text)
                if first is not node.stages[index]:
                    env.problems.append(DuplicateName(stage.span, first.span, f"stage of {name.text}", stage.text))
            stages = tuple(dict.fromkeys(stage.text for stage in node.stages)) if form == "value" else ()
            bounds = node.capped
            narrowed = (
                graph.Number(bounds.low, bounds.high, type_.measure)
                if bounds is not None and isinstance(type_, graph.Number)
                else None
            )
            parameters = resolve_parameters(env, node.parameters)
            env.terms[name.text] = Signature(
                name.text, cast(graph.Form, form), parameters, type_, stages, name.span, narrowed
            )
        case source.Define(name=name) if reserve_name(env, "term", name):
            answer = resolve_type(env, node.type) or UNKNOWN_TYPE if node.type else None
            if answer is None:
                env.pending[name.text] = node
            env.terms[name.text] = Signature(
                name.text, "value", resolve_parameters(env, node.parameters), answer or graph.Nothing(), (), name.span
            )


def _enter_stage(env: Environment, node: source.Stage) -> None:
    term = env.terms.get(node.term.text)
    if term is None or node.after.text not in term.stages:
        name, pool = (node.term, env.terms) if term is None else (node.after, term.stages)
        category = "term" if term is None else "stage"
        env.problems.append(unknown_word(category, name, pool))
        return
    if node.name.text in term.stages:
        message = f"`{node.name.text}` is a stage of `{term.name}` already"
        env.problems.append(InvalidConstruct(node.name.span, message, "choose another name"))
        return
    index = term.stages.index(node.after.text) + 1
    stages = (*term.stages[:index], node.name.text, *term.stages[index:])
    env.terms[term.name] = Signature(term.name, term.form, term.parameters, term.type, stages, term.span)
