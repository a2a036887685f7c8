"""An explanation as paragraphs for a player, and as JSON.

In: an `Explanation`. Out: lines of text that a terminal may print as they are, or plain data with
the promised keys `value, because[{rule,cites,text}], not[{rule,why}]`.
"""

from collections.abc import Iterator
from typing import Any

from runtime.answer.explain import APPLIED, DEFEATED, IDLE, Candidate, CellRead, Explanation
from runtime.answer.saying import VERDICT, plain
from runtime.graph import words
from runtime.state.position import State


def text(explanation: Explanation) -> str:
    """Write an explanation as paragraphs."""
    return "\n".join(lines(explanation))


def lines(explanation: Explanation) -> Iterator[str]:
    """Write the answer, then why, then why not. What was asked twice is told once."""
    told = {explanation.question}
    yield words.sentence(explanation.sentence)
    for candidate in explanation.applied():
        yield from applied(candidate, told)
    if explanation.default:
        cites = bracketed(explanation.default_cites)
        yield f"  {words.sentence(explanation.default)}{cites}"
    yield from below(explanation.asked, 4 if explanation.default else 2, told)
    silent = [c for c in explanation.candidates if c.status != APPLIED]
    if silent:
        yield ""
        yield "Not so:"
        for candidate in silent:
            yield from not_applied(candidate)


def applied(candidate: Candidate, told: set[str]) -> Iterator[str]:
    """Write why a rule applies: the rule, its prose, what holds, what was looked up."""
    says = f"{candidate.says}, " if candidate.says else ""
    yield f"  {says}by {candidate.label}{bracketed(candidate.cites)}{noted(candidate)}"
    if candidate.prose:
        yield f"    {words.sentence(candidate.prose)}"
    if candidate.why:
        yield f"    {words.sentence('; '.join(candidate.why))}"
    yield from looked_up(candidate.cells)
    yield from below(candidate.asked, 4, told)


def not_applied(candidate: Candidate) -> Iterator[str]:
    """Write why a rule does not apply."""
    why = why_inapplicable(candidate)
    yield f"  {candidate.label}{bracketed(candidate.cites)}: {why}{noted(candidate)}"


def why_inapplicable(candidate: Candidate) -> str:
    """Explain why a rule has no part in the answer."""
    if candidate.status == DEFEATED:
        return f"overruled by {words.listed(candidate.by)}"
    if candidate.status == IDLE:
        return "there is nothing for it to lift"
    return candidate.why[-1]


def below(asked: tuple[Explanation, ...], indent: int, told: set[str]) -> Iterator[str]:
    """Write what was asked on the way, a line each, with who decided it."""
    for explanation in asked:
        if explanation.question in told:
            continue
        told.add(explanation.question)
        yield f"{' ' * indent}{words.sentence(explanation.sentence).removesuffix('.')}{decided(explanation)}."
        for candidate in explanation.applied():
            yield from looked_up(candidate.cells, indent + 2)
            yield from below(candidate.asked, indent + 2, told)
        yield from below(explanation.asked, indent + 2, told)


def decided(explanation: Explanation) -> str:
    """Name the rules that decided an answer, with what each contributed if they add up."""
    rules = [
        f"{candidate.says} by {candidate.label}{bracketed(candidate.cites)}"
        if explanation.form in ("sum", "min", "max") and candidate.says
        else f"by {candidate.label}{bracketed(candidate.cites)}"
        for candidate in explanation.applied()
    ]
    told = words.listed(rules) if rules else explanation.default
    return f": {told}" if told and not rules else f", {told}" if told else ""


def looked_up(cells: tuple[CellRead, ...], indent: int = 4) -> Iterator[str]:
    """Write the cells that were read."""
    for cell in cells:
        yield f"{' ' * indent}{cell.label} says {cell.says}{bracketed(cell.cites)}."


def bracketed(cites: tuple[str, ...]) -> str:
    """Write citations."""
    return f" [{', '.join(cites)}]" if cites else ""


def noted(candidate: Candidate) -> str:
    """Write where a rule comes from."""
    return f" ({candidate.note})" if candidate.note else ""


def as_json(state: State, explanation: Explanation) -> dict[str, Any]:
    """Write an explanation as plain data."""
    told = plain(state, explanation.value, explanation.type)
    return {
        "question": explanation.question,
        "value": VERDICT[explanation.value] if explanation.form == "verdict" else told,
        "text": words.sentence(explanation.sentence),
        "because": [
            {
                "rule": candidate.label,
                "cites": list(candidate.cites),
                "text": candidate.prose,
                "says": candidate.says,
                "why": list(candidate.why),
                "cells": [{"cell": c.label, "says": c.says, "cites": list(c.cites)} for c in candidate.cells],
                "asked": [as_json(state, below) for below in candidate.asked],
            }
            for candidate in explanation.applied()
        ],
        "not": [
            {
                "rule": candidate.label,
                "cites": list(candidate.cites),
                "why": why_inapplicable(candidate),
            }
            for candidate in explanation.candidates
            if candidate.status != APPLIED
        ],
        "default": explanation.default,
        "asked": [as_json(state, below) for below in explanation.asked],
    }
