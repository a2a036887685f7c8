"""Verbalization of preconditions.

In: a precondition. Out: its sentence, or if that has more than forty words, the requirements as a list and the moment
of their check.
"""

from compiler.rulebook.exact_words import ExactSentence, condition_words, is_long, with_opening, with_stop
from compiler.rulebook.sentences import wording_of
from compiler.rulebook.steps import call_text, read_step
from runtime.graph import nodes as graph
from runtime.graph import words


def requirement_sentences(book: graph.Graph, precondition: graph.Precondition) -> tuple[ExactSentence, ...]:
    """Return the sentences of a precondition: "A carries B only if A may take B aboard"; a long one as a list."""
    wording = wording_of(book, (*precondition.parameters, graph.Parameter("player", graph.Enum("side"))))
    match precondition.step:
        case None:
            step = "at the table,"
        case graph.Begin(action, choices):
            step = call_text("carry out", ("action", action), wording, tuple(value for _, value in choices))
        case changing:
            step = read_step(wording, changing).text.removesuffix(".")
    condition = precondition.condition
    only = f" (where {wording.clause(condition)})" if condition is not None else ""
    text = words.sentence(f"{step}{only} only if {wording.clause(precondition.needs)}")
    if not is_long(text):
        return (ExactSentence(text),)
    opening = words.sentence(f"{step} only if").removesuffix(".")
    needs = with_opening(opening, condition_words(wording, precondition.needs, len(opening.split())))
    if is_long(needs.text):
        needs = ExactSentence(f"{opening} this holds:", (condition_words(wording, precondition.needs),))
    if condition is None:
        return (with_stop(needs),)
    return (with_stop(needs), with_stop(with_opening("That is asked only if", condition_words(wording, condition, 5))))
