"""Rulings that answer yes where their law or their examples forbid, or no where they allow.

Only plain answers to questions that start with "may" are compared with the law: an answer "yes, if" states both, and a
no to "can one be stuck" may allow. An exception without a conclusion has the contrary polarity of the rules that it
defeats. Of examples all verdicts have to contradict: most have both.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from compiler.analysis.checks.prose_turned import denied_by_label
from compiler.analysis.contrary_texts import WORD_OR_NUMBER
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.omissions import AnswerDiffers
from compiler.analysis.parties import Party, ruling_party
from compiler.analysis.polarity import is_granting, question_stems
from compiler.analysis.problems import Problem
from compiler.analysis.section_profiles import word_root
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
        if (
            plain is None
            or denied_by_label(ruling)
            or not PERMISSION_QUESTION.match(ruling.asks)
            or UNLESS.search(plain[2].lower())
        ):
            continue
        answer = plain[1].lower()
        checks = checks_by_ruling[ruling.label]
        if checks and {check.verdict for check in checks} == {SHOWN_AGAINST[answer]}:
            shows = Party("its example", checks[0].verdict, (), checks[0].origin)
            yield AnswerDiffers(ruling_party(ruling), answer, shows, "example")
            continue
        if {rule_answer(law) for law in laws} == {answer == "no"} or _excepts_otherwise(ruling, laws, answer, stack):
            yield AnswerDiffers(ruling_party(ruling), answer, writer.rule_party(laws[0]))


def _excepts_otherwise(ruling: graph.Ruling, laws: Sequence[graph.Rule], answer: str, stack: graph.Graph) -> bool:
    """Return whether exceptions without a conclusion, on the action that a ruling is about, contradict its answer."""
    question_roots = {word_root(word) for word in WORD_OR_NUMBER.findall(ruling.asks.lower())}
    plain = (not law.verb and not question_roots.isdisjoint(question_stems(law, stack)) for law in laws)
    return bool(laws) and all(plain) and {is_granting(law, stack) for law in laws} == {answer == "no"}


def _verdicts(stack: graph.Graph) -> defaultdict[str, list[graph.Check]]:
    """Return for each ruling the checks of its examples that expect a verdict."""
    found: defaultdict[str, list[graph.Check]] = defaultdict(list)
    for example in stack.examples:
        found[example.protects] += [line for line in example.lines if isinstance(line, graph.Check) and line.verdict]
    return found
