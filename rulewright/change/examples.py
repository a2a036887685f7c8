"""Generate an example: a small position in which the answers of the changed stack and the stack below it differ.

Input: both compiled stacks, and the question. Output: the text of an example that expects the answer of the changed
stack, with the answer of the stack below as a comment. The position is the witness that `diff` would find.
"""

from collections.abc import Iterator, Sequence

from rulewright.contrast.read_back import make_reader
from rulewright.library.generated_code import quick_interpreter
from rulewright.library.stacks import Stack
from runtime.answer.answer import Unanswered
from runtime.graph import nodes as graph
from runtime.graph.operators.numbers import amount
from runtime.witness.behavioral_diff import Case, Group, behavioral_diff
from runtime.witness.candidate import Candidate
from runtime.witness.domain_pool import literal_text
from runtime.witness.example_lines import position_lines
from runtime.witness.position_file import expression_text, question_text
from runtime.witness.search import instance_of

VERDICTS = {"verdict": ("allowed", "forbidden"), "condition": ("yes", "no"), "flag": ("yes", "no")}


def begin_example(
    base: Stack, changed: Stack, terms: Sequence[str], label: str, title: str, decides: Sequence[str]
) -> Iterator[str]:
    """Yield examples that show the difference, the strictest first; none if no position was found."""
    for term, group in _differences(base, changed, terms):
        decided = not decides or not set(decides).isdisjoint(group.rules)
        below = f"{base.name}: {group.witness.a}"
        if decided and (found := [*_asked(changed, term, group.witness, label, title, below)]):
            yield from found
            return


def begun_on_rule(base: Stack, without: Stack, terms: Sequence[str], label: str, title: str) -> Iterator[str]:
    """Yield examples in which a rule decides: positions in which the answer without the rule differs."""
    for term, group in _differences(base, without, terms):
        if found := [*_asked(base, term, group.witness, label, title, "")]:
            yield from found
            return


def _differences(one: Stack, other: Stack, terms: Sequence[str]) -> Iterator[tuple[str, Group]]:
    """Yield the differences in answers of two stacks, with witnesses."""
    assert one.graph is not None
    assert other.graph is not None
    for term in terms:
        found = behavioral_diff(one.graph, other.graph, term, make_reader((one, other)))
        yield from ((term, group) for each in found.terms for group in each.groups)


def _asked(stack: Stack, term: str, case: Case, label: str, title: str, below: str) -> Iterator[str]:
    """Yield examples with the answer of a stack in the position of a case, one for each form of the reason."""
    assert stack.graph is not None
    lines = position_lines(case.position) if case.position is not None and not case.remarks else None
    answered = _answer(stack.graph, term, case) if lines is not None else None
    if lines is not None and answered is not None:
        asked = question_text(stack.graph.terms[term], case.arguments)
        question = f"({asked})" if " is " in asked else asked
        for reason in _reasons(stack.graph, term, label, answered):
            yield _example(title, lines, f"{question} = {answered}{reason}", below)


def _example(title: str, lines: Sequence[str], expected: str, below: str) -> str:
    body = "".join(f"  {line}\n" for line in lines)
    note = f"  # under {below}\n" if below else ""
    return f'example "{title}" {{\n{body}{note}  ask {expected}\n}}\n'


def _reasons(rules: graph.Graph, term: str, label: str, answered: str) -> list[str]:
    """Return the forms of the reason, the strictest first; a rule that only defeats another is not always a reason."""
    if not label:
        return [""]
    if rules.terms[term].form == "verdict" and answered == "forbidden":
        return [f" by {label}", f" because {label}", ""]
    return [f" because {label}", ""]


def _answer(rules: graph.Graph, term: str, case: Case) -> str | None:
    """Evaluate a question in the position of a case; return the answer in the rule language, None if there is none."""
    assert case.position is not None
    answers = quick_interpreter(rules)
    instance = instance_of(answers, Candidate(case.position, case.arguments))
    if instance is None:
        return None
    asked = rules.terms[term]
    try:
        value = answers.ask(instance.state, term, instance.arguments).value
    except Unanswered:
        return None
    if asked.form in VERDICTS:
        return VERDICTS[asked.form][0 if value else 1]
    made = literal_text(value, amount(asked.type), instance.state)
    return None if made is None else expression_text(made)
