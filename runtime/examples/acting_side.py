"""Who acts where an act does not say it: nobody is on move in a small position, and the owner of its pieces acts.

The compiler sees to it that who acts is said where the action itself names pieces of several sides.
"""

from collections.abc import Iterable, Iterator

from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.walk import walk
from runtime.play.scripted_choices import ScriptedChoices, label_in_examples
from runtime.state.position import State
from runtime.state.record import Value


def stated_choices(
    answers: Interpreter, example: graph.Example, state: State, line: graph.Perform, names: dict[str, Value]
) -> ScriptedChoices:
    """Return what an act says is chosen, and who acts, where that is said."""
    given = [(name, answers.evaluate(state, value, names)) for name, value in line.choices]
    if line.by is not None:
        given.append(("player", answers.evaluate(state, line.by, names)))
    elif not state.player and (owner := owner_named(answers.graph, example, line)):
        given.append(("player", owner))
    return ScriptedChoices(given)


def stated_answers(
    answers: Interpreter, state: State, line: graph.ExampleLine, names: dict[str, Value]
) -> ScriptedChoices | None:
    """Return what a `do` line says is chosen on the way, None where it says nothing."""
    if not isinstance(line, graph.Do) or not line.answers:
        return None
    return ScriptedChoices((name, answers.evaluate(state, value, names)) for name, value in line.answers)


def misused_answers(line: graph.ExampleLine, given: ScriptedChoices | None) -> Iterator[tuple[str, str]]:
    """List what a `do` line chooses and nobody asked for, or several procedures did: what was expected, what came."""
    if given is not None and isinstance(line, graph.Do):
        for name in dict.fromkeys(name for name, _ in line.answers):
            if len(asking := given.procedures_that_chose(name)) > 1:
                yield ambiguous_choice(name, asking)
        for name in dict.fromkeys(name for name, _ in line.answers if given.count_unused(name)):
            wanted = sum(each == name for each, _ in line.answers)
            asked = wanted - given.count_unused(name)
            expected = f"`{name}` to be asked {words.times_text(wanted)} while `{line.resolution}` goes on"
            yield expected, f"asked {words.times_text(asked)}" if asked else "asked of nobody"


def ambiguous_choice(name: str, asking: Iterable[str]) -> tuple[str, str]:
    """State that procedures of these keys asked for one name, which could not be meant for all of them."""
    several = words.list_text([f"`{label_in_examples(key)}`" for key in asking])
    return f"one to ask for `{name}`", f"asked by {several}: say whose each is"


def owner_named(rules: graph.Graph, example: graph.Example, line: graph.Perform) -> str:
    """Name the side whose pieces an act names in the action itself; "" if it names none there."""
    owners = {piece.name: piece.owner for piece in example.position.pieces}
    action = rules.procedures[f"action:{line.action}"]
    own = {part.name for part in (*action.parameters, *action.body) if isinstance(part, graph.Parameter | graph.Choose)}
    values = tuple(value for name, value in line.choices if name.removeprefix(f"{line.action}.") in own)
    spots = (node for node in walk(values) if isinstance(node, graph.Spot) and node.what == "piece")
    return next((owners[spot.name] for spot in spots), "")
