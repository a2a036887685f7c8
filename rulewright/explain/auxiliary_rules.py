"""Explanations that follow auxiliary rules (`[house]`), which only pass on other answers, to what these ask."""

from collections.abc import Iterator
from dataclasses import replace

from runtime.answer.answer_block import missed_exceptions
from runtime.answer.explain import ExplainedClause, Explanation
from runtime.graph.printed_cites import HOUSE


def follow_auxiliary_rules(explanation: Explanation, levels: int = 0) -> Explanation:
    """Return an explanation with the questions of some levels.

    Below these it has those of auxiliary rules, and those that tell why a piece or place makes a condition true.
    """
    return replace(
        explanation,
        clauses=tuple(
            replace(
                clause,
                explanations=tuple(follow_auxiliary_rules(each, max(0, levels - 1)) for each in clause.explanations)
                if levels or clause.cites == (HOUSE,) or clause.witnesses
                else (),
            )
            for clause in explanation.clauses
        ),
        explanations=tuple(follow_auxiliary_rules(each, levels - 1) for each in explanation.explanations)
        if levels
        else (),
    )


def deciding_rules_first(explanation: Explanation) -> Explanation:
    """Return an explanation in which the rules that decided a passed-on answer stand for the rule that passes it on.

    They have its conclusion, and the exceptions to them that do not hold.
    """
    clauses: list[ExplainedClause] = []
    for clause in explanation.clauses:
        question = _passed_on(clause)
        clauses += _deciding_rules(clause, deciding_rules_first(question)) if question else (clause,)
    return replace(explanation, clauses=tuple(clauses))


def _deciding_rules(clause: ExplainedClause, question: Explanation) -> Iterator[ExplainedClause]:
    """Yield the rules that decided a question, with the conclusion of the rule that passes its answer on."""
    for each in question.applied_rules():
        if each.conclusion == question.answer:
            others = (reason for reason in clause.reasons if reason != question.sentence)
            failed = (*each.failed_exceptions, *missed_exceptions(question, each))
            yield replace(
                each, conclusion=clause.conclusion, reasons=(*others, *each.reasons), failed_exceptions=failed
            )


def _passed_on(clause: ExplainedClause) -> Explanation | None:
    """Return the only question that an applied auxiliary rule asks, if rules decided it and it is a condition."""
    if clause.cites != (HOUSE,) or not clause.conclusion or len(clause.explanations) != 1:
        return None
    question = clause.explanations[0]
    is_decided = any(each.conclusion == question.answer for each in question.applied_rules())
    return question if is_decided and question.sentence in clause.reasons else None
