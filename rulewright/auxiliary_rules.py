"""Explanations that follow auxiliary rules (`[house]`), which only pass on other answers, to what these ask."""

from dataclasses import replace

from compiler.layered.citations import HOUSE
from runtime.answer.explain import Explanation


def follow_auxiliary_rules(explanation: Explanation, levels: int = 0) -> Explanation:
    """Return an explanation with the questions of some levels, and below these with those of auxiliary rules only."""
    return replace(
        explanation,
        clauses=tuple(
            replace(
                clause,
                explanations=tuple(follow_auxiliary_rules(each, max(0, levels - 1)) for each in clause.explanations)
                if levels or clause.cites == (HOUSE,)
                else (),
            )
            for clause in explanation.clauses
        ),
        explanations=tuple(follow_auxiliary_rules(each, levels - 1) for each in explanation.explanations)
        if levels
        else (),
    )
