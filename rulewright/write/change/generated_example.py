"""Generate an example: a small position in which the answers of the changed stack and the stack below it differ.

In: both compiled stacks, and the question. Out: the text of an example that expects the answer of the changed
stack, with the answer of the stack below as a comment. The position is the witness that `diff` would find.
"""

from collections.abc import Iterator, Sequence

from rulewright.checks.read_back import make_reader
from rulewright.library.generated_code import delegating_interpreter
from rulewright.library.stacks import Stack
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.operators.numbers import amount
from runtime.witness.behavioral_diff import DiffCase, DiffGroup, behavioral_diff
from runtime.witness.candidate import Candidate
from runtime.witness.pool import literal_text
from runtime.witness.position_file import ask_text, expression_text, position_lines
from runtime.witness.set_up import instance_of

VERDICTS = {"verdict": ("allowed", "forbidden"), "condition": ("yes", "no"), "flag": ("yes", "no")}


def begin_example(
    base: Stack, changed: Stack, terms: Sequence[str], label: str, title: str, decides: Sequence[str]
) -> Iterator[str]:
    """Yield examples that show the difference, the strictest first; none if no position was found."""
    for term, group in _differences(base, changed, terms):
        decided = not decides or not set(decides).isdisjoint(group.rules)
        base_answer = f"{base.name}: {group.witness.a}"
        if decided and (found := [*_question_examples(changed, term, group.witness, label, title, base_answer)]):
            yield from found
            return


def _differences(stack: Stack, other: Stack, terms: Sequence[str]) -> Iterator[tuple[str, DiffGroup]]:
    """Yield the differences in answers of two stacks, with witnesses."""
    assert stack.graph is not None
    assert other.graph is not None
    for term in terms:
        found = behavioral_diff(stack.graph, other.graph, term, make_reader((stack, other)))
        yield from ((term, group) for each in found.terms for group in each.groups)


def _question_examples(
    stack: Stack, term: str, case: DiffCase, label: str, title: str, base_answer: str
) -> Iterator[str]:
    """Yield examples with the answer of a stack in the position of a case, one for each form of the reason."""
    assert stack.graph is not None
    lines = position_lines(case.position) if case.position is not None else None
    answered = _answer(stack.graph, term, case) if lines is not None else None
    if lines is not None and answered is not None:
        text = ask_text(stack.graph.terms[term], case.arguments)
        question = f"({text})" if " is " in text else text
        for reason in _reasons(stack.graph, term, label, answered):
            yield _example(title, lines, f"{question} = {answered}{reason}", base_answer)


def _example(title: str, lines: Sequence[str], expected: str, base_answer: str) -> str:
    body = "".join(f"  {line}\n" for line in lines)
    note = f"  # under {base_answer}\n" if base_answer else ""
    return f'example "{title}" {{\n{body}{note}  ask {expected}\n}}\n'


def _reasons(rules: graph.Graph, term: str, label: str, answered: str) -> list[str]:
    """Return the forms of the reason, the strictest first; a rule that only defeats another is not always a reason."""
    if not label:
        return [""]
    if rules.terms[term].form == "verdict" and answered == "forbidden":
        return [f" by {label}", f" because {label}", ""]
    return [f" because {label}", ""]


def _answer(rules: graph.Graph, term: str, case: DiffCase) -> str | None:
    """Evaluate a question in the position of a case; return the answer in the rule language, None if there is none."""
    assert case.position is not None
    answers = delegating_interpreter(rules)
    instance = instance_of(answers, Candidate(case.position, case.arguments))
    if instance is None:
        return None
    question = rules.terms[term]
    try:
        value = answers.ask(instance.state, term, instance.arguments).value
    except Unanswered:
        return None
    if question.form in VERDICTS:
        return VERDICTS[question.form][0 if value else 1]
    literal = literal_text(value, amount(question.type), instance.state)
    return None if literal is None else expression_text(literal)
