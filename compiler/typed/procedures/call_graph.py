"""The call graph of procedures, with their choices: an example can refer to any choice that an action reaches.

In: procedures as written and as elaborated. Out: for each name that examples use, as `action:fire`, its choices and the
keys of the procedures that it calls: resolutions, announced events, offered actions.
"""

from collections.abc import Iterable, Iterator
from functools import partial

from compiler.query.symbol_table import SymbolTable
from compiler.source import nodes as source
from compiler.typed.environment import CallGraphNode, Environment
from runtime.graph import nodes as graph
from runtime.graph.walk import walk


def choices_in(body: Iterable[source.Step], env: Environment) -> Iterator[graph.Parameter]:
    """List the typed choices of steps and of nested steps."""
    for step in source.nested_steps(body):
        if isinstance(step, source.Choose) and step.span in env.chosen:
            yield graph.Parameter(step.name.text, env.chosen[step.span])


def enter_call_graph(env: Environment, procedures: Iterable[graph.Procedure]) -> None:
    """Enter the choices and calls of all procedures into the environment; hooks on one event share a name."""
    found: dict[str, tuple[CallGraphNode, ...]] = {}
    for procedure in procedures:
        name = procedure.event or procedure.name
        key = f"{procedure.what}:{name}"
        calls = env.database.derive("calls", (procedure.body,), partial(_distinct_calls, procedure.body))
        asking = CallGraphNode(name, env.nested_choices.get(procedure.origin, ()), calls)
        found[key] = (*found.get(key, ()), asking)
    env.incomplete = bool(env.problems)
    env.call_graph.bind({key: env.database.intern(each) for key, each in found.items()})


def _distinct_calls(body: tuple[graph.Step, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_calls_in(body)))


def _calls_in(body: tuple[graph.Step, ...]) -> Iterator[str]:
    for node in walk(body):
        match node:
            case graph.Do(name):
                yield f"resolution:{name}"
            case graph.Tell(event):
                yield f"hook:{event}"
            case graph.Offer(actions):
                yield from (f"action:{name}" for name, _ in actions)
            case _:
                pass


def nodes_reached(asking: SymbolTable[tuple[CallGraphNode, ...]], key: str) -> list[CallGraphNode]:
    """Return the nodes that may ask for a choice once a procedure begins, itself first."""
    found: dict[str, tuple[CallGraphNode, ...]] = {}
    todo = [key]
    while todo:
        key = todo.pop(0)
        if key not in found:
            found[key] = asking.get(key, ())
            todo += [called for each in found[key] for called in each.calls]
    return [each for some in found.values() for each in some]
