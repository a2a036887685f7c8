"""Formatting of steps of more than forty words: enumerations become lists.

In: a step and its reader. Out: the sentence of its head and the items of the list.
"""

from collections.abc import Callable
from dataclasses import replace

from compiler.rulebook.exact_words import (
    ExactSentence,
    condition_words,
    flat_operands,
    is_long,
    value_words,
    with_lettered_parts,
    with_opening,
)
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.set_phrases import inner_wording, relative_clause
from runtime.graph.wording import Wording

StepReader = Callable[[Wording, graph.Step], str]
ALLOWED = "this is allowed only if"


def lay_out_step(wording: Wording, step: graph.Step, read: StepReader) -> ExactSentence:
    """Format one step, without those inside it; `read` reads a step without a stop or a colon."""
    match step:
        case graph.Legal(condition):
            return _with_opening(ALLOWED, condition_words(wording, condition, len(ALLOWED.split())))
        case graph.Branch(condition):
            return _with_opening("if", condition_words(wording, condition, 1))
        case graph.Choose() | graph.Draw() | graph.Loop() if _has_conditions(step.source):
            return _choice_sentence(wording, step, read)
        case graph.Let(name, value) if not isinstance(value, graph.New):
            opening = f"let {wording.variable(name)} be"
            return _with_opening(opening, value_words(wording, value, len(opening.split())))
        case graph.Offer():
            sentence = with_lettered_parts(wording, step, read)
            return ExactSentence(
                sentence.text.replace(", where:", ":"), sentence.items
            )  # What is offered stands behind it.
        case _:
            return with_lettered_parts(wording, step, read)


def _with_opening(opening: str, rest: ExactSentence) -> ExactSentence:
    sentence = with_opening(words.sentence(opening), rest)
    return sentence if sentence.items or sentence.text.endswith(":") else ExactSentence(f"{sentence.text}.")


def _choice_sentence(wording: Wording, step: graph.Choose | graph.Draw | graph.Loop, read: StepReader) -> ExactSentence:
    """Return the conditions on the members of a choice as a list."""
    source = step.source
    assert isinstance(source, graph.Fold)
    restriction = source.where
    assert restriction is not None
    within = inner_wording(wording, source)
    op = "or" if isinstance(restriction, graph.Op) and restriction.op == "or" else "and"
    parts = flat_operands(op, restriction)
    owner_conditions = [part for part in parts if op == "and" and _says_whose(within, part, source.var)]
    parts = tuple(part for part in parts if part not in owner_conditions)
    head = read(wording, replace(step, source=replace(source, where=owner_conditions[0] if owner_conditions else None)))
    if is_long(head, 6) or len(owner_conditions) > 1 or not parts:
        return with_lettered_parts(wording, step, read)
    heading = {1: "this holds:"}.get(len(parts), "all of this holds:" if op == "and" else "one of these holds:")
    return ExactSentence(f"{head}, of which {heading}", tuple(condition_words(within, part) for part in parts))


def _has_conditions(source: graph.Expr) -> bool:
    return isinstance(source, graph.Fold) and source.where is not None


def _says_whose(wording: Wording, part: graph.Expr, member: str) -> bool:
    """Return whether a condition only states the owner of the members, which is part of their noun phrase."""
    return relative_clause(wording, part, member, is_plural=True).startswith("of ")
