"""Begin a search where a solver says that it ends.

In: an objective, and conditions on the names of its term's parameters that together bring it about. Out: an objective
that heads for these conditions first. They are a hint, no more: only the objective itself says when a setting meets it.
"""

from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.witness import objectives
from runtime.witness.mend import Mender
from runtime.witness.search import Objective, Scene
from runtime.witness.setting import Setting

# How much of the grade is for the conditions: enough to hold on to them, too little to do without the goal.
SHARE = 0.4


def guided(objective: Objective, model: tuple[graph.Expr, ...]) -> Objective:
    """Head for the conditions of a model; without any, leave the objective as it is."""
    if not model:
        return objective
    names = [part.name for part in objective.term.parameters]

    def grade(scene: Scene) -> float:
        bound = dict(zip(names, scene.arguments, strict=True))
        held = sum(scene.aim.grade(condition, bound, want=True) for condition in model)
        return (1 - SHARE) * objective.grade(scene) + SHARE * held / len(model)

    def propose(mender: Mender, scene: Scene) -> Setting | None:
        given = dict(zip(names, objectives.delayed(scene), strict=True))
        failing = [each for each in model if scene.aim.grade(each, given, want=True) < 1.0]
        if failing and not mender.chance.once_in(4):
            return mender.mend(mender.chance.pick(failing), given, want=True)
        return objective.propose(mender, scene)

    return replace(objective, grade=grade, propose=propose)
