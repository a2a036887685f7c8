"""Steps that a precondition governs, in a procedure that does not test what the precondition requires."""

from collections.abc import Callable, Iterator

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.laws import Laws
from compiler.analysis.missing_questions import questions_of_stack
from compiler.analysis.omissions import UnguardedStep
from compiler.analysis.parties import Party, procedure_party
from compiler.analysis.problems import Problem
from compiler.analysis.readers_and_setters import step_at
from runtime.graph import nodes as graph
from runtime.graph.free_names import variables_in


def unguarded_step(laws: Laws) -> Iterator[Problem]:
    """Find such steps, one for each procedure, precondition and term."""
    stack = laws.stack
    questions = tuple(questions_of_stack(laws)) if stack.preconditions else ()
    text = ExpressionWriter(stack.vocabulary).text
    declared = {each.label: each for each in stack.preconditions}
    found = {each[:3]: each for each in reversed(questions) if not each.is_established}
    for key, label, term in reversed(found):
        governing = declared[label]
        others = {
            each.key: procedure_party(stack.procedures[each.key])
            for each in questions
            if each.is_established and (each.label, each.term) == (label, term) and each.key != key
        }
        question = found[key, label, term]
        yield UnguardedStep(
            *step_at(stack.procedures[key], question.step),
            Party(f"precondition {label}", governing.prose, governing.cites, governing.origin),
            term,
            text(question.needed),
            tuple(dict.fromkeys(_question_text(each.question, text) for each in question.others)),
            tuple(others.values()),
        )


def _question_text(question: graph.Ask, text: Callable[[graph.Expr], str]) -> str:
    """Format a question; one about members of a set, which has no name for them, without its arguments."""
    has_members = any(name.startswith("#") for name in variables_in(question))
    return f"{question.term}(..)" if has_members else text(question)
