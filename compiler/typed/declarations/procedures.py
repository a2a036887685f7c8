"""The procedures of play: actions, reactions, resolutions, sequences, hooks; and what has to hold before a step."""

from compiler.source import nodes as source
from compiler.typed.declarations.record import DeclarationRecord, Wave, resolve_parameters
from compiler.typed.duplicate_names import reserve_name
from compiler.typed.environment import UNKNOWN_TYPE, Environment
from runtime.graph import nodes as graph


def _enter_action(env: Environment, node: source.Action) -> None:
    # A replaced procedure is declared already.
    if node.replaces is None and reserve_name(env, "action", node.name):
        env.actions[node.name.text] = resolve_parameters(env, node.parameters)


def _enter_reaction(env: Environment, node: source.Reaction) -> None:
    if node.replaces is None and reserve_name(env, "action", node.name):
        event = env.events.get(node.event.text)
        env.actions[node.name.text] = rename_parameters(node.parameters, event.parameters if event else ())


def rename_parameters(
    words: tuple[source.Word, ...], declared: tuple[graph.Parameter, ...]
) -> tuple[graph.Parameter, ...]:
    """Return an event's parameters under the names of a hook or reaction; a wrong number is reported elsewhere."""
    types = [part.type for part in declared] + [UNKNOWN_TYPE] * len(words)
    named = tuple(graph.Parameter(word.text, type_) for word, type_ in zip(words, types, strict=False))
    # An omitted parameter has its declared name, so that its uses are not reported as well.
    return (*named, *(part for part in declared[len(words) :] if all(part.name != word.text for word in words)))


def _enter_resolution(env: Environment, node: source.Resolution) -> None:
    if node.replaces is None and reserve_name(env, "resolution", node.name):
        env.resolutions[node.name.text] = resolve_parameters(env, node.parameters)


PROCEDURES = (
    DeclarationRecord(
        source.Action,
        forms=('action NAME by player in PHASE [SOURCE] "What it does." reads ".." { .. }',),
        binds={Wave.PROCEDURES: _enter_action},
        names={"name": "declares action", "parameters": "binds parameter {name}"},
        outline="key",
    ),
    DeclarationRecord(
        source.Reaction,
        forms=('reaction NAME by SIDE to EVENT(u) [SOURCE] "What it does." reads ".." { .. }',),
        binds={Wave.PROCEDURES: _enter_reaction},
        names={"name": "declares action", "event": "uses event", "parameters": "binds parameter {name}"},
        outline="key",
    ),
    DeclarationRecord(
        source.Resolution,
        forms=('resolution NAME(u: unit) [SOURCE] "What it does." { .. }',),
        binds={Wave.PROCEDURES: _enter_resolution},
        names={"name": "declares resolution", "parameters": "binds parameter {name}"},
        outline="key",
    ),
    DeclarationRecord(
        source.Sequence,
        forms=('sequence NAME { each turn in 1..scenario.turns { phase NAME "Title" { .. } } }',),
        binds={},
        names={"name": "declares sequence"},
        outline="key",
    ),
    DeclarationRecord(
        source.Hook,
        forms=('after EVENT(u) [SOURCE] "What it does." { .. }', 'after end of turn [SOURCE] "What it does." { .. }'),
        binds={},
        names={"label": "declares label", "event": "uses event", "parameters": "binds"},
        outline="key",
    ),
    DeclarationRecord(
        source.Precondition,
        forms=('precondition LABEL(u: unit) [SOURCE] "What it says." needs CONDITION before strike u',),
        binds={},
        names={"label": "declares label", "parameters": "binds"},
        outline="key",
    ),
    DeclarationRecord(
        source.ExtendPrecondition,
        forms=("extend precondition LABEL but not in action NAME",),
        binds={},
        names={"label": "uses label"},
        outline=None,
    ),
)
