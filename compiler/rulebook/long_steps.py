"""Formatting of steps of more than thirty words: enumerations become lists.

In: a step and its reader. Out: the sentence of its head and the items of the list.
"""

from collections.abc import Callable
from dataclasses import replace

from compiler.rulebook.exact_words import (
    ExactSentence,
    condition_words,
    members_below,
    value_words,
    with_listed_parts,
    with_opening,
)
from runtime.graph import nodes as graph
from runtime.graph import words
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
        case (
            graph.Choose(source=graph.Fold() as fold)
            | graph.Draw(source=graph.Fold() as fold)
            | graph.Loop(source=graph.Fold() as fold)
        ) if fold.where is not None:
            is_single = isinstance(step, graph.Loop) or (not step.how and len(step.name) == 1)
            verb = "meets" if is_single else "meet"
            return members_below(wording, fold, lambda at, source: read(at, replace(step, source=source)), verb)
        case graph.Let(name, value) if not isinstance(value, graph.New):
            opening = f"let {wording.variable(name)} be"
            return _with_opening(opening, value_words(wording, value, len(opening.split())))
        case _:
            return with_listed_parts(wording, step, read)


def _with_opening(opening: str, rest: ExactSentence) -> ExactSentence:
    sentence = with_opening(words.sentence(opening), rest)
    return sentence if sentence.items or sentence.text.endswith(":") else ExactSentence(f"{sentence.text}.")
