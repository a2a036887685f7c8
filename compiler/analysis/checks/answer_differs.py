"""A ruling that answers yes where its law or its examples forbid, or no where they allow.

Only plain answers to questions that begin with "may" are held against the law: an answer "yes, if" states
both, and a no to "can one be stuck" may allow. An exception without a conclusion does the contrary of its rules.
Of examples all verdicts have to say the contrary: most show both.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from compiler.analysis.checks.prose_turned import denied_by_label
from compiler.analysis.contrary_texts import TOKEN
from compiler.analysis.expression_text import Writer
from compiler.analysis.omissions import AnswerDiffers
from compiler.analysis.parties import Party
from compiler.analysis.polarity import is_granting, question_stems, word_root
from compiler.analysis.problems import Problem
from runtime.graph import nodes as graph

ASKED = re.compile(r"may\b", re.IGNORECASE)
PLAIN = re.compile(r"(yes|no)\b([^.;:]*)", re.IGNORECASE)
# What takes half of an answer back.
UNLESS = re.compile(
    r"\b(?:if|but|only|unless|except|save|when|while|where|as long|provided|until|before|after|though)\b"
)
AGAINST = {"yes": "forbids", "no": "allows"}
SHOWN_AGAINST = {"yes": "forbidden", "no": "allowed"}


def answer_differs(stack: graph.Graph) -> Iterator[Problem]:
    """Find rulings whose answer and law contradict each other."""
    writer = Writer(stack.vocabulary)
    shown = _verdicts(stack)
    for ruling in stack.rulings.values():
        plain = PLAIN.match(ruling.answers)
        laws = [stack.rules[label] for label in ruling.rules if label in stack.rules]
        if plain is None or denied_by_label(ruling) or not ASKED.match(ruling.asks) or UNLESS.search(plain[2].lower()):
            continue
        said = plain[1].lower()
        checks = shown[ruling.label]
        if checks and {check.verdict for check in checks} == {SHOWN_AGAINST[said]}:
            party = Party(ruling.label, ruling.answers, ruling.cites, ruling.origin)
            shows = Party("its example", checks[0].verdict, (), checks[0].origin)
            yield AnswerDiffers(party, said, shows, "example")
            continue
        if {law.verb for law in laws} == {AGAINST[said]} or _excepts_otherwise(ruling, laws, said, stack):
            party = Party(ruling.label, ruling.answers, ruling.cites, ruling.origin)
            yield AnswerDiffers(party, said, writer.rule_party(laws[0]))


def _excepts_otherwise(ruling: graph.Ruling, laws: Sequence[graph.Rule], said: str, stack: graph.Graph) -> bool:
    """Return whether exceptions without a conclusion contradict the answer of a ruling to what their question asks."""
    asked = {word_root(word) for word in TOKEN.findall(ruling.asks.lower())}
    plain = (not law.verb and not asked.isdisjoint(question_stems(law, stack)) for law in laws)
    return bool(laws) and all(plain) and {is_granting(law, stack) for law in laws} == {said == "no"}


def _verdicts(stack: graph.Graph) -> defaultdict[str, list[graph.Check]]:
    """List what the examples of each ruling expect to be allowed or forbidden."""
    found: defaultdict[str, list[graph.Check]] = defaultdict(list)
    for example in stack.examples:
        found[example.protects] += [line for line in example.lines if isinstance(line, graph.Check) and line.verdict]
    return found
