"""Rulings that answer yes where their law or their examples forbid, or no where they allow.

Only plain answers to questions that start with "may" are compared with the law: an answer "yes, if" states both, and a
no to "can one be stuck" may allow. Of examples all verdicts have to contradict: most have both.
"""

import re
from collections import defaultdict
from collections.abc import Iterator

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.omissions import AnswerDiffers
from compiler.analysis.parties import Party, ruling_party
from compiler.analysis.problems import Problem
from runtime.graph import nodes as graph
from runtime.graph.verbs import rule_answer

PERMISSION_QUESTION = re.compile(r"may\b", re.IGNORECASE)
YES_NO_ANSWER = re.compile(r"(yes|no)\b([^.;:]*)", re.IGNORECASE)
# Words that restrict an answer.
UNLESS = re.compile(
    r"\b(?:if|but|only|unless|except|save|when|while|where|as long|provided|until|before|after|though)\b"
)
SHOWN_AGAINST = {"yes": "forbidden", "no": "allowed"}


def answer_differs(stack: graph.Graph) -> Iterator[Problem]:
    """Find rulings whose answer and law contradict each other."""
    writer = ExpressionWriter(stack.vocabulary)
    checks_by_ruling = _verdicts(stack)
    for ruling in stack.rulings.values():
        plain = YES_NO_ANSWER.match(ruling.answers)
        laws = [stack.rules[label] for label in ruling.rules if label in stack.rules]
        if plain is None or not PERMISSION_QUESTION.match(ruling.asks) or UNLESS.search(plain[2].lower()):
            continue
        answer = plain[1].lower()
        checks = checks_by_ruling[ruling.label]
        if checks and {check.verdict for check in checks} == {SHOWN_AGAINST[answer]}:
            shows = Party("its example", checks[0].verdict, (), checks[0].origin)
            yield AnswerDiffers(ruling_party(ruling), answer, shows, "example")
            continue
        if {rule_answer(law) for law in laws} == {answer == "no"}:
            yield AnswerDiffers(ruling_party(ruling), answer, writer.rule_party(laws[0]))


def _verdicts(stack: graph.Graph) -> defaultdict[str, list[graph.Check]]:
    """Return for each ruling the checks of its examples that expect a verdict."""
    found: defaultdict[str, list[graph.Check]] = defaultdict(list)
    for example in stack.examples:
        found[example.protects] += [line for line in example.lines if isinstance(line, graph.Check) and line.verdict]
    return found
