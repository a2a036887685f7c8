"""Who acts where an act does not say it: nobody is on move in a small position, and the owner of its pieces acts.

The compiler sees to it that who acts is said where the action itself names pieces of several sides.
"""

from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph.walk import walk
from runtime.play.scripted_choices import ScriptedChoices
from runtime.state.position import State
from runtime.state.record import Value


def said_choices(
    answers: Interpreter, example: graph.Example, state: State, line: graph.Perform, names: dict[str, Value]
) -> ScriptedChoices:
    """Give what an act says is chosen, and who acts, where that is said."""
    given = [(name, answers.evaluate(state, value, names)) for name, value in line.choices]
    if line.by is not None:
        given.append(("player", answers.evaluate(state, line.by, names)))
    elif not state.player and (owner := owner_named(answers.graph, example, line)):
        given.append(("player", owner))
    return ScriptedChoices(given)


def owner_named(rules: graph.Graph, example: graph.Example, line: graph.Perform) -> str:
    """Name the side whose pieces an act names in the action itself; "" if it names none there."""
    owners = {piece.name: piece.owner for piece in example.position.pieces}
    action = rules.procedures[f"action:{line.action}"]
    own = {part.name for part in (*action.parameters, *action.body) if isinstance(part, graph.Parameter | graph.Choose)}
    values = tuple(value for name, value in line.choices if name.removeprefix(f"{line.action}.") in own)
    spots = (node for node in walk(values) if isinstance(node, graph.Spot) and node.what == "piece")
    return next((owners[spot.name] for spot in spots), "")
