"""Elaboration of the acts of examples: the choices of an action, the acting side, and expected refusals."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from compiler.source import nodes as source
from compiler.source.finding import Finding
from compiler.source.origins import origin_of
from compiler.source.sentence import list_words
from compiler.typed.context import Context
from compiler.typed.environment import CallGraphNode, Environment
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.name_uses import note_choice, note_refusal
from compiler.typed.procedures.call_graph import nodes_reached
from compiler.typed.procedures.steps import type_step
from compiler.typed.unknown_names import unknown_word
from compiler.typed.values.expressions import elaborate, elaborate_condition
from runtime.graph import nodes as graph
from runtime.graph.effects import assigned_facts
from runtime.graph.predeclared_types import SIDE
from runtime.graph.walk import nodes_of

ON_MOVE = graph.GameTrack("game", "player")
# Properties that every piece, hex or game has, and that a condition may read.
PROPERTIES_OF_ALL = (
    "hex",
    "side",
    "kind",
    "place",
    "name",
    "board",
    "area",
    "arrives",
    "counter",
    "turn",
    "player",
    "phase",
    "gone",
    "off",
)


def type_act(line: source.Perform, context: Context, layer: str) -> graph.Perform | None:
    """Elaborate an act; None, and a problem, if no action has its name.

    Each choice has to be one that the action, or a procedure that it reaches, may ask for; others are reported.
    """
    name = line.action.text
    if name not in context.env.actions:
        return context.report(unknown_word("action", line.action, context.env.actions), None)
    asking = nodes_reached(context.env.call_graph, f"action:{name}")
    choices, refusals = [], []
    for choice in line.choices:
        choice_type = _type_of(choice, name, asking, context)
        if choice_type is None:
            continue
        choices.append((choice.graph_name, _elaborate_choice(choice.value, context, choice_type)))
        if choice.refused is not None:
            refusals.append(refusal_of(name, choice.graph_name, choice.refused, context))
            if any(part.name == choice.name.text for part in context.env.choices.get(name) or ()):
                message = f"`{choice.name.text}` is a choice within `{name}`, so only the whole action can be refused"
                context.problems.append(
                    InvalidConstruct(choice.refused.span, message, f"write `refused` after `{name}(..)`")
                )
    if line.refused is not None:
        refusals.append(refusal_of(name, "", line.refused, context))
    actor = None if line.by is None else elaborate(line.by, context, SIDE)[0]
    return graph.Perform(name, tuple(choices), tuple(refusals), origin_of(layer, line.span), actor)


def type_resolution(line: source.Answered, context: Context) -> graph.Do | None:
    """Elaborate a resolution that an example executes, with the choices in it; None after a problem."""
    stepped = type_step(line.done, context)
    if stepped is None or not isinstance(do_step := stepped[0], graph.Do):
        return None
    asking = nodes_reached(context.env.call_graph, f"resolution:{do_step.resolution}")
    choices = []
    for choice in line.choices:
        if choice.refused is not None:
            message = "a choice of a `do` line cannot be refused"
            context.problems.append(
                InvalidConstruct(choice.refused.span, message, "write an `act` line that is refused")
            )
        elif (choice_type := _type_of(choice, do_step.resolution, asking, context)) is not None:
            choices.append((choice.graph_name, _elaborate_choice(choice.value, context, choice_type)))
    return replace(do_step, answers=tuple(choices))


def _elaborate_choice(value: source.Expression, context: Context, type_: graph.Type) -> graph.Expr:
    """Elaborate the value of a choice; braces state the members of a choice in order in the order of their choosing."""
    if isinstance(value, source.SetLiteral) and isinstance(type_, graph.Many):
        type_ = graph.Many("set", type_.of)
    return elaborate(value, context, type_)[0]


def _type_of(
    choice: source.ChoiceMade, action: str, asking: Iterable[CallGraphNode], context: Context
) -> graph.Type | None:
    """Return the type of a choice: of the action, or of a procedure that it reaches; None after a problem."""
    word, env = choice.name, context.env
    if choice.asking is None:
        procedures = list(asking)
    else:
        if word.text == "player" and _has_player(choice.asking, action, asking, env):
            return SIDE
        procedures = [procedure for procedure in asking if procedure.name == choice.asking.text]
        if not procedures:
            others = {procedure.name: None for procedure in asking if procedure.choices}
            return context.report(unknown_word(f"procedure within {action}", choice.asking, others), None)
    types = {
        procedure.name: part.type for procedure in procedures for part in procedure.choices if part.name == word.text
    }
    if not types:
        # A choice that could not be elaborated has no type.
        if not env.incomplete:
            context.problems.append(_unknown_choice(word, action, procedures, env))
        return None
    if choice.asking is None and action in types:
        return types[action]
    note_choice(env, word, types)
    first = next(iter(types))
    if len(set(types.values())) > 1:
        message = f"`{word.text}` is ambiguous: it is chosen in {list_words(tuple(types), 'and')}"
        help_text = f"say which is meant, as in `{first}.{word.text}: ..`"
        return context.report(InvalidConstruct(word.span, message, help_text), None)
    return types[first]


def _has_player(asker: source.Word, action: str, asking: Iterable[CallGraphNode], env: Environment) -> bool:
    """Return whether one can say who is the player of a procedure: of one on the way, or of another action."""
    choosing = [procedure.name for procedure in asking if any(part.name == asker.text for part in procedure.choices)]
    if choosing:
        note_choice(env, asker, choosing)
        return True
    on_the_way = any(procedure.name == asker.text for procedure in asking)
    return on_the_way and asker.text in env.actions and asker.text != action


def _unknown_choice(word: source.Word, action: str, procedures: Iterable[CallGraphNode], env: Environment) -> Finding:
    """Return the problem of a choice that no procedure has; an action that is named like one is no choice."""
    choices = {part.name: None for procedure in procedures for part in procedure.choices}
    if word.text in env.actions and any(procedure.name == word.text for procedure in procedures):
        message = f"`{word.text}` is an action, not a choice"
        return InvalidConstruct(word.span, message, f"write `{word.text}.player: SIDE` to say who takes it")
    return unknown_word(f"choice of {action}", word, choices)


Lines = Iterable[tuple[source.Setting | source.Ask, graph.ExampleLine]]


def check_actors(lines: Lines, pieces: Iterable[graph.PieceAt], context: Context) -> None:
    """Report acts without a side and with pieces of several sides.

    In the position that an example sets up, no side is on move before a line sets it.
    """
    if context.problems:
        return
    owners = {piece.name: piece.owner for piece in pieces}
    for written, line in lines:
        if f"{ON_MOVE.owner}.{ON_MOVE.name}" in assigned_facts(line):
            return
        if not isinstance(line, graph.Perform) or line.by is not None:
            continue
        if len(sides := _sides_named(line, owners, context.env)) > 1:
            message = f"it is not stated which side acts: there are pieces of {' and of '.join(sides)}"
            context.problems.append(
                InvalidConstruct(written.span, message, f"write `act {line.action}(..) by {sides[0]}`")
            )


def _sides_named(act: graph.Perform, owners: Mapping[str, str], env: Environment) -> list[str]:
    """Return the owners of the pieces in the choices of the action itself.

    Other choices may be those of other sides.
    """
    choice_names = {part.name for part in env.choices.get(act.action) or ()}
    values = tuple(value for name, value in act.choices if name.removeprefix(f"{act.action}.") in choice_names)
    spots = nodes_of(graph.Spot, values)
    named = [owners.get(spot.name, "") for spot in spots if spot.what == "piece"]
    return [side for side in dict.fromkeys(named) if side]


def refusal_of(action: str, choice: str, written: source.Refused, context: Context) -> graph.Refusal:
    """Elaborate the expected reasons of a refusal: rules, or names in conditions; unknown ones are reported."""
    env = context.env
    for word in written.by:
        if (
            word.text not in (*PROPERTIES_OF_ALL, "default")
            and word.text not in env.labels
            and not _is_condition_name(env, word.text)
        ):
            parts = {part.name for parameters in env.choices.values() for part in parameters}
            known = (*env.labels, *env.actions, *parts, *env.flags_named, *_fields(env))
            context.problems.append(unknown_word("rule or condition", word, known))
        note_refusal(env, word, choice.rpartition(".")[0] or action)
    check_labels(written.because, context)
    reasons, because = (tuple(word.text for word in words) for words in (written.by, written.because))
    when = None if written.when is None else elaborate_condition(written.when, context)
    return graph.Refusal(choice, reasons, because, when)


def _is_condition_name(env: Environment, name: str) -> bool:
    """Return whether a condition can refer to this name, or an action or one of its choices has it."""
    namespaces = (env.actions, env.flags_named, env.ends, env.terms, env.charts, env.kinds, env.records)
    if any(name in namespace for namespace in namespaces):
        return True
    return any(part.name == name for parameters in env.choices.values() for part in parameters) or name in _fields(env)


def _fields(env: Environment) -> frozenset[str]:
    """Return the names of tracks, of printed factors, of fields of records, and of relations."""
    printed = (part.name for kind in env.kinds.values() for part in kind.printed)
    written = (part.name for record in env.records.values() for part in record.fields)
    return frozenset((*(track.name for track in env.tracks.values()), *printed, *written, *env.relations))


def check_labels(words: Iterable[source.Word], context: Context) -> None:
    """Report labels that no rule has."""
    labels = context.env.labels
    for word in words:
        if word.text not in labels and word.text != "default":
            context.problems.append(unknown_word("rule", word, labels))
