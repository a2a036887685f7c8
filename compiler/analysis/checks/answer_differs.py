"""A ruling that answers yes where its law forbids, or no where it allows.

People read the answer. Only plain ones to what begins with "may" are held against the law: whoever says "yes, if" has
said both, and a no to "can one be stuck" may allow.
"""

import re
from collections.abc import Iterator

from compiler.analysis.duties import AnswerDiffers
from compiler.analysis.parties import Party
from compiler.analysis.problems import Problem
from compiler.analysis.words import Writer
from runtime.graph import nodes as graph

ASKED = re.compile(r"may\b", re.IGNORECASE)
PLAIN = re.compile(r"(yes|no)\b([^.;:]*)", re.IGNORECASE)
# What takes half of an answer back.
UNLESS = re.compile(
    r"\b(?:if|but|only|unless|except|save|when|while|where|as long|provided|until|before|after|though)\b"
)
AGAINST = {"yes": "forbids", "no": "allows"}


def answer_differs(stack: graph.Graph) -> Iterator[Problem]:
    """Find rulings whose answer and law contradict each other."""
    writer = Writer(stack.vocabulary)
    for ruling in stack.rulings.values():
        plain = PLAIN.match(ruling.answers)
        laws = [stack.rules[label] for label in ruling.rules if label in stack.rules]
        if plain is None or not laws or not ASKED.match(ruling.asks) or UNLESS.search(plain[2].lower()):
            continue
        said = plain[1].lower()
        if {law.verb for law in laws} == {AGAINST[said]}:
            party = Party(ruling.label, ruling.answers, ruling.cites, ruling.origin)
            yield AnswerDiffers(party, said, writer.party(laws[0]))
