"""Guide a search by the model of a solver.

The input is an objective, and conditions on the parameters of its term that imply it together; the output is an
objective that pursues these conditions first. They are only a hint: the objective itself decides when a candidate meets
it.
"""

from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.witness import objectives
from runtime.witness.candidate import Candidate
from runtime.witness.hill_climbing import Instance, Objective
from runtime.witness.repair import Repairer

# The weight of the conditions: enough to preserve them, too little to replace the goal.
SHARE = 0.4


def guided_objective(objective: Objective, model: tuple[graph.Expr, ...]) -> Objective:
    """Add the conditions of a model to an objective; without any, it is unchanged."""
    if not model:
        return objective
    names = [part.name for part in objective.term.parameters]

    def grade(instance: Instance) -> float:
        bound = dict(zip(names, instance.arguments, strict=True))
        total = sum(instance.fitness.fitness_of(condition, bound, want=True) for condition in model)
        return (1 - SHARE) * objective.grade(instance) + SHARE * total / len(model)

    def propose(repairer: Repairer, instance: Instance) -> Candidate | None:
        bindings = dict(zip(names, objectives.lazy_arguments(instance), strict=True))
        failing = [each for each in model if instance.fitness.fitness_of(each, bindings, want=True) < 1.0]
        if failing and not repairer.chance.one_in(4):
            return repairer.propose_repair(repairer.chance.pick(failing), bindings, want=True)
        return objective.propose(repairer, instance)

    return replace(objective, grade=grade, propose=propose)
