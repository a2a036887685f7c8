"""Declarations of a stack, entered into its environment, extensions after what they extend.

In: the declarations of a layered stack. Out: an `Environment`, and in it the problems.

Reports names declared twice and types without a declaration. The order of files is irrelevant: declarations are bound
in waves (`declarations/record.py`), those that types are made of first.
"""

from collections.abc import Iterable

from compiler.layered import nodes as layered
from compiler.query.database import LARGE, Database
from compiler.source import nodes as source
from compiler.typed import added_factors
from compiler.typed.declarations import DECLARATIONS
from compiler.typed.declarations.record import Wave
from compiler.typed.duplicate_names import check_called_names
from compiler.typed.environment import Environment
from compiler.typed.rewording import apply_rewording
from runtime.graph import nodes as graph
from runtime.graph.words import readable_name

Part = layered.LayerStatement[source.Declaration] | layered.LayerStatement[source.Conduct]


def build_environment(stack: layered.LayeredStack, database: Database) -> Environment:
    """Return the environment of a stack, everything but tables and rules; problems are recorded in it."""
    names = [manifest.name.text for manifest in stack.layers]
    layers = [stack.statements.get(name, ()) for name in names]
    card = [statements for name, statements in stack.statements.items() if name not in names]
    env = _extended(_base(layers, database), card) or _entered(Environment(database=database), [*layers, *card])
    for conduct in stack.conduct:
        _enter_phases(env, conduct.node)
    _bind_wave(env, Wave.STAGES, [part.node for part in stack.statements_of(source.Stage)])
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
    for wave in Wave:
        if wave is not Wave.STAGES:
            _bind_wave(env, wave, placed)
    return env


def _bind_wave(env: Environment, wave: Wave, nodes: Iterable[object]) -> None:
    """Enter the nodes that are bound in a wave."""
    binders = {kind: record.binds[wave] for kind, record in DECLARATIONS.items() if wave in record.binds}
    for node in nodes:
        if bind := binders.get(type(node)):
            bind(env, node)


def _enter_phases(env: Environment, node: source.Conduct) -> None:
    match node:
        case source.Sequence(body=body):
            _enter_phase_titles(env, body)
        case source.Insert(phase=phase):
            _enter_phase_titles(env, (phase,))
        case _:
            pass


def _enter_phase_titles(env: Environment, steps: tuple[source.Step, ...]) -> None:
    for phase in (step for step in source.nested_steps(steps) if isinstance(step, source.Phase)):
        name = phase.name
        reads = phase.title or readable_name(name.text)
        known = next((word.reads for word in env.enums["phase"] if word.name == name.text), None)
        if known is None:
            env.enums["phase"] += (graph.Word(name.text, reads),)
        elif known != reads:
            message = f'two phases are named `{name.text}`, with the titles "{known}" and "{reads}"'
            env.report_invalid(name.span, message, "rename one of them, or give both the same title")
