"""Climb from a bare setting to one that meets an objective.

In: an objective, which grades settings and proposes changes to them. Out: the first setting that meets it
within the budget, or None. The search keeps every change that does not make the grade worse (and few
that do) and starts afresh when it is stuck; all choices come from one stream, so the same objective
gives the same setting.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import cycle

from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph.frozen import dataclass
from runtime.state.position import State
from runtime.state.record import Value
from runtime.state.setup import from_position
from runtime.witness.aim import NO_ANSWER, Aim
from runtime.witness.chance import Chance
from runtime.witness.facts import with_facts
from runtime.witness.materials import Materials
from runtime.witness.mend import Mender
from runtime.witness.setting import Setting, empty, with_piece

# A row of so many hexes, which grows only where a distance asks for it.
HEXES = 4
# Rules that look around a hex, not just along a row, get three rows of three, asked about from the middle
# on: a hex with all its neighbors, and two that have another one in common.
SIDE, INSIDE_OUT = 3, (4, 5, 2, 1, 3, 7, 8, 0, 6)

# Without progress for so long, a search starts again from a bare setting. Found by trying 40 to 400 on
# planted clashes: shorter gives up on deep guards, longer wastes the budget on bad beginnings.
PATIENCE = 120

# Now and then a search takes a step that is so much worse: two things may have to change at once, as
# where one feature of a hex has to go before another one counts.
DETOUR = 0.05


@dataclass(frozen=True, slots=True)
class Scene:
    """A setting that is set up: the state, and the arguments as plain values."""

    setting: Setting
    state: State
    arguments: tuple[Value, ...]
    aim: Aim


@dataclass(frozen=True, slots=True)
class Objective:
    """What is looked for about a term: a grade from 0 to 1, a proposal, and whether a scene meets it.

    `counters` limits the pieces to these rows of the unit chart; None admits all.
    """

    name: str
    term: graph.Term
    grade: Callable[[Scene], float]
    propose: Callable[[Mender, Scene], Setting | None]
    met: Callable[[Scene], bool]
    counters: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Tools:
    """What a search works with; who searches one graph many times hands them in."""

    answers: Interpreter
    materials: Materials
    patience: int = PATIENCE


def search(
    rules: graph.Graph,
    objective: Objective,
    budget: int,
    tools: Tools | None = None,
    seeds: Sequence[Setting] = (),
) -> Scene | None:
    """Look for a setting that meets the objective; `budget` settings are looked at.

    Every fresh start is from the next of the `seeds`; when all were tried, from a bare setting, and round again.

    Who searches one graph many times hands in what answers and what positions are made of.
    """
    chance = Chance(f"{rules.stack} {objective.name}")
    tools = tools or Tools(Interpreter(rules), Materials(rules, chance, objective.counters))
    answers, materials = tools.answers, tools.materials.drawn_by(chance)
    best: Scene | None = None
    grade, stale = 0.0, 0
    starts = cycle((*seeds, None))
    for _ in range(budget):
        if best is None or stale > tools.patience:
            best, grade, stale = None, 0.0, 0
            setting: Setting | None = next(starts) or start(materials, objective.term)
        else:
            setting = proposal(objective, best, materials)
        scene = None if setting is None else scene_of(answers, setting)
        if scene is None:
            stale += 1
            continue
        if is_sound(answers, scene) and objective.met(scene):
            return scene
        found = graded(objective, scene)
        stale = 0 if found > grade else stale + 1
        if found >= grade or (found > grade - DETOUR and chance.once_in(6)):
            best, grade = scene, found
    return None


def start(materials: Materials, term: graph.Term) -> Setting | None:
    """Lay out a bare row, a piece for every piece the question is about, and some arguments, if they can be made."""
    chance = materials.chance
    player = chance.pick_or_none(materials.sides) if "player" in materials.clock else None
    phase = chance.pick_or_none(materials.phases) if "phase" in materials.clock else None
    square = term.name in materials.looking_around and chance.once_in(2)
    names = materials.hex_names(SIDE * SIDE if square else HEXES)
    setting = empty(materials.stack.stack, player or "", phase or "", names, SIDE if square else HEXES)
    setting = replace(setting, position=with_facts(setting.position, materials.facts))
    hexes = tuple(names[place] for place in INSIDE_OUT) if square else tuple(names)
    arguments: list[graph.Expr] = []
    # Hexes are asked in the order in which they lie, from some hex on: most questions are about neighbors.
    here = chance.below(2)
    for parameter in term.parameters:
        match parameter.type:
            case graph.Piece():
                kind = materials.kind_of(parameter.type)
                piece = materials.piece(setting, kind, parameter.name, hexes[chance.below(2)])
                setting = with_piece(setting, piece)
                arguments.append(graph.Spot("piece", piece.name))
            case graph.Hex():
                arguments.append(graph.Spot("hex", hexes[min(here, len(hexes) - 1)]))
                here += 1
            case other:
                value = materials.value(other, setting)
                if value is None and not isinstance(other, graph.Many):
                    return None
                arguments.append(graph.SetOf(()) if value is None else value)
    return Setting(setting.position, tuple(arguments))


def scene_of(answers: Interpreter, setting: Setting) -> Scene | None:
    """Set a position up; None if it cannot be."""
    try:
        state = from_position(answers.graph, setting.position)
    except NO_ANSWER:
        return None
    return scene_in(answers, setting, state)


def scene_in(answers: Interpreter, setting: Setting, state: State) -> Scene | None:
    """Ask in a position that is set up."""
    try:
        arguments = tuple(answers.evaluate(state, argument, {}) for argument in setting.arguments)
    except NO_ANSWER:
        return None
    return Scene(setting, state, arguments, Aim(answers, state))


def is_sound(answers: Interpreter, scene: Scene) -> bool:
    """Tell whether a position obeys what the stack says is always so."""
    return all(scene.aim.value(fact.condition, {}) is True for fact in answers.graph.always)


def graded(objective: Objective, scene: Scene) -> float:
    """Grade a scene; what breaks an `always` fact counts half."""
    return objective.grade(scene) * (1.0 if is_sound(scene.aim.answers, scene) else 0.5)


def proposal(objective: Objective, best: Scene, materials: Materials) -> Setting | None:
    """Propose a change to the best scene so far."""
    types = tuple(parameter.type for parameter in objective.term.parameters)
    mender = Mender(best.aim, best.setting, materials, types)
    broken = [f.condition for f in materials.stack.always if best.aim.value(f.condition, {}) is not True]
    try:
        if broken:
            return mender.mend(materials.chance.pick(broken), {}, want=True)
        return objective.propose(mender, best)
    except NO_ANSWER:
        return None
