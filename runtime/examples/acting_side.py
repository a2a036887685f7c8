"""The acting side of an `act` line that names none: where no side is on move, the owner of the named pieces acts.

The compiler requires an explicit side where the action itself names pieces of several sides.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.steps import nested_steps
from runtime.graph.walk import nodes_of
from runtime.play.scripted_choices import ScriptedChoices, label_in_examples
from runtime.state.position import State
from runtime.state.record import Value


def stated_choices(
    answers: Interpreter, example: graph.Example, state: State, line: graph.Perform, names: dict[str, Value]
) -> ScriptedChoices:
    """Return the choices of an act, with the acting side where the line states it or the pieces imply it."""
    choices = [(name, _answer(answers, state, name, value, names)) for name, value in line.choices]
    if line.by is not None:
        choices.append(("player", answers.evaluate(state, line.by, names)))
    elif not state.player and (owner := _owner_named(answers.graph, example, line)):
        choices.append(("player", owner))
    return ScriptedChoices(choices)


def stated_answers(
    answers: Interpreter, state: State, line: graph.ExampleLine, names: dict[str, Value]
) -> ScriptedChoices | None:
    """Return the choices that a `do` line states; None where it states none."""
    if not isinstance(line, graph.Do) or not line.answers:
        return None
    return ScriptedChoices((name, _answer(answers, state, name, value, names)) for name, value in line.answers)


def _answer(answers: Interpreter, state: State, name: str, value: graph.Expr, names: dict[str, Value]) -> Value:
    """Return the value that answers a choice; the members of an order stay as they are written."""
    if isinstance(value, graph.SetOf) and name.rpartition(".")[2] in _ordered_choices(answers.graph):
        return tuple(answers.evaluate(state, element, names) for element in value.elements)
    return answers.evaluate(state, value, names)


def _ordered_choices(rules: graph.Graph) -> frozenset[str]:
    """Return the names that only choices of an order have."""
    ordered_names: set[str] = set()
    other_names: set[str] = set()
    for procedure in rules.procedures.values():
        other_names.update(part.name for part in procedure.parameters)
        for step in nested_steps(procedure.body):
            if isinstance(step, graph.Choose):
                names = ordered_names if step.how == "order" else other_names
                names.add(step.name)
    return frozenset(ordered_names - other_names)


def misused_answers(line: graph.ExampleLine, choices: ScriptedChoices | None) -> Iterator[tuple[str, str]]:
    """Yield (expected, actual) for each choice of a `do` line that no procedure, or more than one, asked for."""
    if choices is None or not isinstance(line, graph.Do):
        return
    stated_counts = Counter(name for name, _ in line.answers)
    for name in stated_counts:
        if len(procedures := choices.procedures_that_chose(name)) > 1:
            yield ambiguous_choice(name, procedures)
    for name, stated_count in stated_counts.items():
        if unused_count := choices.count_unused(name):
            request_count = stated_count - unused_count
            expected = f"`{name}` to be asked {words.times_text(stated_count)} while `{line.resolution}` goes on"
            yield expected, f"asked {words.times_text(request_count)}" if request_count else "asked of nobody"


def ambiguous_choice(name: str, procedures: Iterable[str]) -> tuple[str, str]:
    """Return (expected, actual) for a choice whose name the procedures with these keys all asked for."""
    labels = [label_in_examples(key) for key in procedures]
    procedure_names = words.list_text([f"`{label}`" for label in labels])
    expected = f"one procedure to ask for `{name}`"
    return expected, f"asked by {procedure_names}: say whose each is, as `{labels[0]}.{name}: ..`"


def _owner_named(rules: graph.Graph, example: graph.Example, line: graph.Perform) -> str:
    """Return the owner of the pieces that an act names as arguments of the action itself; "" if it names none there."""
    owners = {piece.name: piece.owner for piece in example.position.pieces}
    action = rules.procedures[f"action:{line.action}"]
    own_names = {parameter.name for parameter in action.parameters}
    own_names |= {step.name for step in action.body if isinstance(step, graph.Choose)}
    for name, value in line.choices:
        if name.removeprefix(f"{line.action}.") in own_names:
            for spot in nodes_of(graph.Spot, value):
                if spot.what == "piece":
                    return owners[spot.name]
    return ""
