"""Sentences that deny what their law grants, or grant what it denies.

In: a rule of a stack. Out: the word of the sentence, and the law's form; None where they agree or cannot be compared. A
rule grants (allows, holds, includes) or denies (forbids, fails, excludes); one without a conclusion has the contrary
polarity of the rules that it defeats. "May not" in the first clause denies, and "may" in a sentence of one clause
grants, unless a word before or beside it restricts the sentence.
"""

import re

from runtime.graph import nodes as graph
from runtime.graph.verbs import VERBS, rule_answer, rule_polarity

MAY_NOT = re.compile(r"\b(?:may not|must not|cannot|can not)\b")
MAY = re.compile(r"\bmay\b")
CLAUSE_END = re.compile(r"[,;:.]")
# With one of these words, a sentence has a condition, an aside, or denies or restricts something else.
RESTRICTION = re.compile(
    r"\b(?:not|no|nobody|none|nothing|nor|neither|never|nowhere|only|unless|until|cannot|without|except|but|must|if"
    r"|who|whom|whose|whoever|where|wherever|when|while|what|whatever|which|that|those|though|than|even|whether|how"
    r"|as|once|alone|at most|up to|within|just|before|after|first|last|next|same|other|one|two|three|four"
    r"|wants?|needs?|requires?|own|each|every|all|too|free|either|instead)\b"
)


def is_granting(rule: graph.Rule, stack: graph.Graph) -> bool | None:
    """Return whether a rule grants something, or denies it; None if it does neither, or both."""
    if rule.verb:
        return rule_polarity(rule)
    defeated = {rule_polarity(stack.rules[label]) for label in rule.defeats if label in stack.rules}
    return defeated == {False} if defeated in ({False}, {True}) else None


def contrary_permission(rule: graph.Rule, stack: graph.Graph) -> tuple[str, str] | None:
    """Return the words by which a sentence denies or grants, and the contrary form of the law."""
    sentence = rule.prose.lower()
    law = VERBS[rule.verb].notation if rule.verb else f"exception to {', '.join(rule.defeats)}"
    if is_granting(rule, stack):
        denial = _denial_of_first_clause(sentence)
        return (denial, law) if denial else None
    if rule_answer(rule) is False and _is_whole(rule.prose) and MAY.search(sentence):
        return None if RESTRICTION.search(sentence) else ("may", law)
    return None


def _denial_of_first_clause(sentence: str) -> str:
    """Return the "may not" of the first clause, "" if there is none or a word before it restricts it."""
    clause = CLAUSE_END.split(sentence)[0]
    denial = MAY_NOT.search(clause)
    return denial[0] if denial and not RESTRICTION.search(clause, 0, denial.start()) else ""


def _is_whole(prose: str) -> bool:
    """Return whether a sentence is whole and of one clause."""
    return prose[:1].isupper() and not CLAUSE_END.search(prose.rstrip("."))
