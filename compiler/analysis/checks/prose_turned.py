"""Rules and rulings that grant in one text what another denies.

In: a rule, or the rulings of a stack. Out: the phrase of the text, and the contrary form. A sentence that grants with
"may" and has no denial is compared with a prohibition, a plain yes with the label of its ruling. Texts are parsed as
English.
"""

import re
from collections.abc import Iterator

from compiler.analysis.omissions import ProseDiffers
from compiler.analysis.parties import ruling_party
from compiler.analysis.polarity import is_complete_sentence
from compiler.analysis.problems import Problem
from runtime.graph import nodes as graph
from runtime.graph.verbs import rule_answer

MAY = re.compile(r"\bmay\b(?! only\b)")
WHO_NOT = re.compile(
    r"^an? \w+ (?:that|who|which) (?:cannot|may not|(?:does|did|is|has|was) not)\b[^,;.]*?(?=\bmay\b(?! not))"
)
# A sentence with one of these may deny something, or permit it with a condition that the law inverts.
DENIES = re.compile(
    r"\b(?:not|no|nobody|none|nothing|nor|neither|never|nowhere|only|unless|until|cannot|without|except\w*|but|though"
    r"|last|bars?|forb\w+|closed?|stops?|ends?|must|needs?|has to|have to|alone|if|who|where|when|once|instead|first"
    r"|fails?|too|far|full|free|impossible|barred|other|at most|within|just|same|next|before|after|limits?|what|as"
    r"|halts?|holds?|blocks?|prevents?|loses?|all|every|each|own)\b"
)
NEGATIVE = re.compile(r"(?:do|does|may|is|are)-not-(\w+)|(\w+)-nobody|(?:^|-)no-(\w+)|nobody-(\w+)|(\w+)-nothing")
PLAIN_YES = re.compile(r"yes[.!]?$", re.IGNORECASE)


def reversed_sense(rule: graph.Rule) -> tuple[str, str] | None:
    """Compare a whole sentence that only permits with a prohibition."""
    # A denial in a relative clause about the subject inverts nothing: "who cannot pay may enter".
    sentence = WHO_NOT.sub("", rule.prose.lower())
    found = MAY.search(sentence)
    if rule_answer(rule) is not False or found is None or DENIES.search(sentence) or not is_complete_sentence(rule):
        return None
    return found[0], "forbidden"


def answers_otherwise(stack: graph.Graph) -> Iterator[Problem]:
    """Find rulings that answer a plain yes, and whose label denies it."""
    for ruling in stack.rulings.values():
        if denied := denied_by_label(ruling):
            yield ProseDiffers(ruling_party(ruling), "yes", denied, "label")


def denied_by_label(ruling: graph.Ruling) -> str:
    """Return what the label of a ruling denies and its answer grants; "" if they agree."""
    denied = NEGATIVE.search(ruling.label)
    word = next(filter(None, denied.groups())) if denied else ""
    plain = denied and PLAIN_YES.match(ruling.answers.strip()) and re.search(rf"^may\b.*\b{word}", ruling.asks.lower())
    return denied[0].strip("-") if denied and plain else ""
