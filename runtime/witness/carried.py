"""Carry out one procedure in a position, to see whether it stops because a number leaves its range.

In: a graph, a setting whose arguments are the names a procedure binds on its way (parameters, choices, dice), and
what is suspected to leave its range. Out: whether play really stops there. Whoever chooses, chooses what the
setting says.
"""

from dataclasses import dataclass, replace

from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.play.broken import BrokenRules
from runtime.play.course import Course
from runtime.play.machine import Machine
from runtime.play.perform import carry_out, perform
from runtime.state.record import Value
from runtime.state.setup import from_position
from runtime.witness import objectives
from runtime.witness.aim import NO_ANSWER
from runtime.witness.find import Found, Model, smallest
from runtime.witness.guided import guided
from runtime.witness.position_file import position_file
from runtime.witness.search import Objective, Scene, search
from runtime.witness.setting import Setting

# Most steps that leave their range do so in the first hundred positions; the guards of the others are true of none.
BUDGET = 150


@dataclass(frozen=True, slots=True)
class Errand:
    """A procedure (`key`) that may set `target` out of its range; `rolled` are those of its names that dice give.

    `rule` holds where it does, as far as one can see from the position in which it begins; it speaks on `term`.
    """

    term: graph.Term
    rule: graph.Rule
    key: str
    target: str
    rolled: tuple[str, ...]


def find_escape(
    rules: graph.Graph, errand: Errand, budget: int = BUDGET, model: Model = ()
) -> tuple[Found, Setting] | None:
    """Find a position in which the procedure stops at the number."""
    terms = {**rules.terms, errand.term.name: errand.term}
    asked = replace(rules, terms=terms, rules={**rules.rules, errand.rule.label: errand.rule})
    live = objectives.live(asked, errand.term.name, errand.rule.label)
    machine = Machine(rules, Interpreter(rules))

    def met(scene: Scene) -> bool:
        return live.met(scene) and stops(machine, errand, scene.setting)

    plain = Objective(f"{live.name} {errand.key} {errand.target}", errand.term, live.grade, live.propose, met)
    objective = guided(plain, model)
    scene = search(asked, objective, budget)
    if scene is None:
        return None
    small = smallest(asked, objective, scene.setting)
    file = position_file(_with_player(errand, small), rules.vocabulary)
    return Found(_with_player(errand, small), "", "", file), small


def stops(machine: Machine, errand: Errand, setting: Setting) -> bool:
    """Carry the procedure out, and see whether it stops at this number."""
    rules = machine.graph
    try:
        state = from_position(rules, _with_player(errand, setting))
        names: dict[str, Value] = {}
        for parameter, argument in zip(errand.term.parameters, setting.arguments, strict=True):
            names[parameter.name] = machine.evaluator.evaluate(state, argument, {})
        course = Course(state, None, tuple(names[name] for name in errand.rolled))
        chosen = {name: value for name, value in names.items() if name not in errand.rolled}
        procedure = rules.procedures[errand.key]
        if procedure.what == "action":
            perform(machine, course, procedure.name, chosen)
        else:
            carry_out(machine, course, (_start(procedure),), chosen, _types(errand))
    except BrokenRules as stopped:
        return f"`{errand.target}` is set to" in str(stopped)
    except NO_ANSWER:
        return False
    return False


def _start(procedure: graph.Procedure) -> graph.Step:
    """Write the step that starts a procedure."""
    arguments = tuple(graph.Var(part.name) for part in procedure.parameters)
    if procedure.what == "resolution":
        return graph.Do(procedure.name, arguments)
    moment = procedure.event.removeprefix("end of ")
    return graph.End(moment) if moment != procedure.event else graph.Tell(procedure.event, arguments)


def _types(errand: Errand) -> dict[str, graph.Type]:
    return {part.name: part.type for part in errand.term.parameters}


def _with_player(errand: Errand, setting: Setting) -> graph.Position:
    """Let the side that acts be on move."""
    names = [part.name for part in errand.term.parameters]
    player = setting.arguments[names.index("player")] if "player" in names else None
    return replace(setting.position, player=player.name) if isinstance(player, graph.Member) else setting.position
