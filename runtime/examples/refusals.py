"""The reason why an act of an example is refused or incomplete, as text."""

from collections.abc import Iterable

from runtime.answer.answer_block import AnswerBlockBuilder
from runtime.answer.explain import Explainer, Explanation
from runtime.answer.interpreter import Interpreter
from runtime.answer.value_text import value_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.document_text import block_text
from runtime.play.machine import Machine
from runtime.play.refusal import word_refusal
from runtime.play.refusal_parts import RefusalReason
from runtime.state.position import State
from runtime.state.record import Value

# The members of a choice that a message lists at most.
MOST_OPEN_VALUES = 3


def refusal_text(
    answers: Interpreter, machine: Machine, state: State, action: str, refused: RefusalReason
) -> tuple[str, str]:
    """Return the reason of a refusal in one line, with the explanation of the question that decides it, if any."""
    reason = f"`{refused.choice}` is not open" if refused.choice else "a condition fails"
    reason += f" in `{refused.opener}`, which offers it" if refused.opener else ""
    if explained := explain_refusal(answers, state, refused):
        return reason, explained
    details = word_refusal(machine, state, action, refused)
    explained = _explanation_text(answers, details.explanation) if details.explanation else ""
    return reason + (f": {details.text}" if details.text else ""), explained


def explain_refusal(answers: Interpreter, state: State, refused: RefusalReason) -> str:
    """Return the explanation of the question that refuses an action; "" if no question does."""
    questions = refused.condition
    for part in questions.arguments if isinstance(questions, graph.Op) and questions.op == "and" else (questions,):
        if isinstance(part, graph.Ask):
            names = dict(refused.names)
            arguments = tuple(answers.evaluate(state, argument, names) for argument in part.arguments)
            if not answers.ask(state, part.term, arguments).value:
                return _explanation_text(answers, Explainer(answers).explain_fully(state, part.term, arguments))
    return ""


def explain_questions(answers: Interpreter, state: State, questions: Iterable[tuple[str, tuple[Value, ...]]]) -> str:
    """Return the explanations of the answers to these questions, without duplicates."""
    explainer = Explainer(answers)
    explained = (explainer.explain_fully(state, *each) for each in dict.fromkeys(questions))
    return "\n\n".join(_explanation_text(answers, each) for each in explained)


def _explanation_text(answers: Interpreter, explanation: Explanation) -> str:
    return block_text(AnswerBlockBuilder(answers.graph).block(explanation))


def unspecified_choice(machine: Machine, state: State, action: str, refused: RefusalReason) -> str:
    """Return a message that an act leaves this choice open, with its members."""
    program = machine.programs.entries[f"action:{refused.opener or action}"]
    types = [member_type for step, member_type in program.choices() if step.name == refused.choice]
    member_texts = (
        [value_text(state, value, types[0]) for value in refused.open_values[:MOST_OPEN_VALUES]] if types else []
    )
    choices_text = f": {words.list_text(member_texts, 'or')} may be chosen" if member_texts else ""
    return f"neither: the example leaves open what `{refused.choice}` is{choices_text}"
