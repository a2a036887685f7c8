"""Explanations as JSON: the records of answers, whose keys are a promise.

In: an `Explanation`. Out: plain data with the keys `question`, `value`, `text`, `because` (of each rule `rule`,
`cites`, `text`, `says`, `why`, `cells`, `asked`, `provenance`), `not` (`rule`, `cites`, `why`, and `asked` where the
rule would reverse the answer), `default`, `asked`, and of the outermost question `disputes`.
"""

from typing import Any

from runtime.answer.explain import APPLIED, DEFEATED, IDLE, ExplainedClause, Explanation
from runtime.answer.other_readings import DisputedAnswer
from runtime.answer.value_text import VERDICT, value_data
from runtime.graph import words
from runtime.state.position import State


def why_inapplicable(clause: ExplainedClause) -> str:
    """Return why a rule does not affect the answer."""
    if clause.status == DEFEATED:
        return f"overruled by {words.list_text(clause.defeaters)}"
    if clause.status == IDLE:
        return "there is no prohibition for it to lift"
    return clause.reasons[-1]


def dispute_data(disputed: tuple[DisputedAnswer, ...]) -> list[dict[str, Any]]:
    """Return the disputes on which an answer hangs as JSON data."""
    return [
        {
            "dispute": each.dispute,
            "question": each.question,
            "followed": each.followed,
            "other": each.other,
            "answer": each.other_answer,
            "untried": each.untried,
            "cites": list(each.cites),
        }
        for each in disputed
    ]


def as_json(state: State, explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as JSON data."""
    value = value_data(state, explanation.value, explanation.type)
    inapplicable = [clause for clause in explanation.clauses if clause.status != APPLIED]
    return {
        "question": explanation.question,
        "value": VERDICT[explanation.value] if explanation.form == "verdict" else value,
        "text": words.sentence(explanation.sentence),
        "because": [_applied_data(state, clause) for clause in explanation.applied_rules()],
        "not": [_inapplicable_data(state, clause) for clause in inapplicable],
        "default": explanation.default,
        "asked": [as_json(state, below) for below in explanation.explanations],
        "disputes": dispute_data(explanation.disputed),
    }


def _applied_data(state: State, clause: ExplainedClause) -> dict[str, Any]:
    """Return an applied rule as JSON data."""
    return {
        "rule": clause.label,
        "cites": list(clause.cites),
        "text": clause.prose,
        "says": clause.conclusion,
        "why": list(clause.reasons),
        "cells": [{"cell": cell.label, "says": cell.text, "cites": list(cell.cites)} for cell in clause.cells],
        "asked": [as_json(state, below) for below in clause.explanations],
        "provenance": clause.provenance,
        "clarified_by": [{"ruling": ruling, "cites": list(cites)} for ruling, cites in clause.clarified_by],
    }


def _inapplicable_data(state: State, clause: ExplainedClause) -> dict[str, Any]:
    """Return a rule that does not apply as JSON data; with its questions, if it would reverse the answer."""
    explanations = clause.explanations if clause.would_reverse else ()
    return {
        "rule": clause.label,
        "cites": list(clause.cites),
        "why": why_inapplicable(clause),
        "asked": [as_json(state, below) for below in explanations],
    }
