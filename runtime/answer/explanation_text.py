"""Explanations as text and as JSON.

In: an `Explanation`. Out: lines of text that a terminal may print as they are, or plain data with the keys `question`,
`value`, `text`, `because` (of each rule `rule`, `cites`, `text`, `says`, `why`, `cells`, `asked`), `not` (`rule`,
`cites`, `why`, and `asked` where the rule would reverse the answer), `default`, `asked`, and of the outermost question
`disputes`.
"""

from collections.abc import Iterator
from typing import Any

from runtime.answer.explain import APPLIED, DEFEATED, FAILED, IDLE, ExplainedClause, Explanation
from runtime.answer.other_readings import DisputedAnswer
from runtime.answer.recording import CellRead
from runtime.answer.value_text import VERDICT, YES_NO, bracketed_citations, value_data
from runtime.graph import words
from runtime.state.position import State


def explanation_text(explanation: Explanation) -> str:
    """Format an explanation: the answer, applied rules, other rules; each question once."""
    return "\n".join(_lines(explanation))


def _lines(explanation: Explanation) -> Iterator[str]:
    questions = {explanation.question}
    yield words.sentence(explanation.sentence)
    for clause in explanation.applied_rules():
        yield from applied_lines(clause, questions)
    if explanation.default:
        cites = bracketed_citations(explanation.default_cites)
        yield f"  {words.sentence(explanation.default)}{cites}"
    yield from nested_lines(explanation.explanations, 4 if explanation.default else 2, questions)
    yield from (f"  {line}" for line in dispute_lines(explanation.disputed))
    yield from inapplicable_lines(explanation, questions)


def inapplicable_lines(explanation: Explanation, printed: set[str]) -> Iterator[str]:
    """Yield the rules that do not apply, under a heading."""
    inapplicable = [clause for clause in explanation.clauses if clause.status != APPLIED]
    if inapplicable:
        yield ""
        yield "Not so:"
    is_denied = bool(explanation.default) and explanation.value is False
    for clause in inapplicable:
        yield f"  {not_applied_text(clause)}"
        # Where no rule is live, what a rule lacks to allow it is the reason.
        if is_denied and clause.would_reverse and not clause.defeats:
            yield from nested_lines(clause.explanations, 4, printed)


def applied_lines(clause: ExplainedClause, printed: set[str]) -> Iterator[str]:
    """Yield the lines of an applied rule: its label, prose, conditions and the cells read."""
    opening = f"{clause.conclusion}, " if clause.conclusion else ""
    yield f"  {opening}by {clause.label}{bracketed_citations(clause.cites)}{bracketed_provenance(clause)}"
    if clause.prose:
        yield f"    {words.sentence(f'{clause.asks} {clause.prose}'.strip())}"
    repeated_below = {below.sentence for below in clause.explanations if below.question not in printed}
    if reasons := [reason for reason in clause.reasons if reason not in repeated_below]:
        yield f"    {words.sentence('; '.join(reasons))}"
    yield from cell_lines(clause.cells)
    yield from nested_lines(clause.explanations, 4, printed)
    if clause.clarified_by:
        rulings = [f"{ruling}{bracketed_citations(cites)}" for ruling, cites in clause.clarified_by]
        yield f"    Clarified by {words.list_text(rulings)}."


def dispute_lines(disputed: tuple[DisputedAnswer, ...]) -> Iterator[str]:
    """Yield a line for each dispute on which an answer hangs."""
    for each in disputed:
        other = f"the answer is: {each.other_answer}" if not each.untried else f"it was not tried, as {each.untried}"
        readings = f"This follows {each.followed}; under {each.other} {other}."
        yield f"Disputed, {each.dispute}{bracketed_citations(each.cites)}: {each.question} {readings}"


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


def not_applied_text(clause: ExplainedClause) -> str:
    """Format the name of a rule and the reason why it does not apply."""
    return (
        f"{clause.label}{bracketed_citations(clause.cites)}: {why_inapplicable(clause)}{bracketed_provenance(clause)}"
    )


def why_inapplicable(clause: ExplainedClause) -> str:
    """Return why a rule does not affect the answer."""
    if clause.status == DEFEATED:
        return f"overruled by {words.list_text(clause.defeaters)}"
    if clause.status == IDLE:
        return "there is nothing for it to lift"
    return clause.reasons[-1]


def nested_lines(explanations: tuple[Explanation, ...], indent: int, printed: set[str]) -> Iterator[str]:
    """Yield a line for each nested question, with the rules that decided it."""
    for explanation in explanations:
        if explanation.question in printed:
            continue
        printed.add(explanation.question)
        sentence = words.sentence(explanation.sentence).removesuffix(".")
        yield f"{' ' * indent}{sentence}{deciding_rules_text(explanation)}{witnesses_text(explanation)}."
        for clause in explanation.applied_rules():
            yield from cell_lines(clause.cells, indent + 2)
            yield from nested_lines(clause.explanations, indent + 2, printed)
            for exception in missed_exceptions(explanation, clause):
                yield f"{' ' * (indent + 2)}Not lifted by {not_applied_text(exception)}."
        yield from (f"{' ' * (indent + 2)}{line}" for line in missed_permissions(explanation))
        yield from nested_lines(explanation.explanations, indent + 2, printed)


def missed_permissions(explanation: Explanation) -> Iterator[str]:
    """Yield a line for each rule that would allow what no rule allows, and lifts no prohibition.

    It is followed by what decides the question by which it fails.
    """
    texts = {"verdict": VERDICT, "condition": YES_NO}.get(explanation.form)
    if texts is None or explanation.value is not False:
        return
    if texts[True] in {clause.conclusion for clause in explanation.clauses}:
        return
    for clause in explanation.clauses:
        if not clause.would_reverse or clause.defeats:
            continue
        yield f"Not {'allowed' if explanation.form == 'verdict' else 'so'} by {not_applied_text(clause)}."
        for below in clause.explanations:
            if below.sentence != why_inapplicable(clause):
                continue
            if below.applied_rules():
                yield from nested_lines((below,), 2, set())
            else:
                yield from (f"  {line}" for line in missed_permissions(below))


def missed_exceptions(explanation: Explanation, clause: ExplainedClause) -> Iterator[ExplainedClause]:
    """List the exceptions to a prohibition that do not hold here."""
    if explanation.form == "verdict" and explanation.value is False:
        for exception in explanation.clauses:
            if exception.status == FAILED and clause.label in exception.defeats:
                yield exception


def deciding_rules_text(explanation: Explanation) -> str:
    """Return the rules that decided an answer, each with its contribution where they are combined."""
    is_combined = explanation.form in ("sum", "min", "max")
    rules = []
    for clause in explanation.applied_rules():
        contribution = f"{clause.conclusion} " if is_combined and clause.conclusion else ""
        rules.append(f"{contribution}by {clause.label}{bracketed_citations(clause.cites)}")
    if rules:
        return f", {words.list_text(rules)}"
    return f": {explanation.default}" if explanation.default else ""


def witnesses_text(explanation: Explanation) -> str:
    """Return the pieces and places that make a condition true, or are why a verdict is no: M1, M2 and H1."""
    deciding_rules = (each for each in explanation.applied_rules() if each.conclusion == explanation.answer)
    found = dict.fromkeys(each.witnesses for each in deciding_rules if each.witnesses)
    return f": {'; '.join(found)}" if found else ""


def cell_lines(cells: tuple[CellRead, ...], indent: int = 4) -> Iterator[str]:
    """Yield the lines of the cells that were read."""
    for cell in cells:
        yield f"{' ' * indent}{cell.label} says {cell.text}{bracketed_citations(cell.cites)}."


def bracketed_provenance(clause: ExplainedClause) -> str:
    """Format the provenance of a rule in brackets, after a space; "" for the base text."""
    return f" ({clause.provenance})" if clause.provenance else ""


def as_json(state: State, explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as JSON data."""
    value = value_data(state, explanation.value, explanation.type)
    inapplicable = [clause for clause in explanation.clauses if clause.status != APPLIED]
    return {
        "question": explanation.question,
        "value": VERDICT[explanation.value] if explanation.form == "verdict" else value,
        "text": words.sentence(explanation.sentence),
        "because": [applied_data(state, clause) for clause in explanation.applied_rules()],
        "not": [inapplicable_data(state, clause) for clause in inapplicable],
        "default": explanation.default,
        "asked": [as_json(state, below) for below in explanation.explanations],
        "disputes": dispute_data(explanation.disputed),
    }


def applied_data(state: State, clause: ExplainedClause) -> dict[str, Any]:
    """Return an applied rule as JSON data."""
    return {
        "rule": clause.label,
        "cites": list(clause.cites),
        "text": clause.prose,
        "says": clause.conclusion,
        "why": list(clause.reasons),
        "cells": [{"cell": cell.label, "says": cell.text, "cites": list(cell.cites)} for cell in clause.cells],
        "asked": [as_json(state, below) for below in clause.explanations],
        "clarified_by": [{"ruling": ruling, "cites": list(cites)} for ruling, cites in clause.clarified_by],
    }


def inapplicable_data(state: State, clause: ExplainedClause) -> dict[str, Any]:
    """Return a rule that does not apply as JSON data; with its questions, if it would reverse the answer."""
    explanations = clause.explanations if clause.would_reverse else ()
    return {
        "rule": clause.label,
        "cites": list(clause.cites),
        "why": why_inapplicable(clause),
        "asked": [as_json(state, below) for below in explanations],
    }
