"""Sentences that deny what their law grants, or grant what it denies.

In: a rule of a stack. Out: the word of the sentence, and the law's form; None where they agree or cannot be compared. A
rule grants (allows, holds, includes) or denies (forbids, fails, excludes); one without a conclusion has the contrary
polarity of the rules that it defeats. "May not" in the first clause denies, unless a word before it makes it an aside;
a sentence of one clause with "may" and no denial grants, and so does one of a label that denies ("no-dumping") with a
word of that denial and none of its own.
"""

import re

from runtime.graph import nodes as graph
from runtime.graph.verbs import VERBS, rule_answer, rule_polarity

MAY_NOT = re.compile(r"\b(?:may not|must not|cannot|can not)\b")
MAY = re.compile(r"\bmay\b")
DENIAL = re.compile(r"\b(?:not|no|nobody|none|nothing|never|neither|cannot)\b")
DENIED_WORD = re.compile(r"[a-z]{3,}")
CLAUSE_END = re.compile(r"[,;:.]")
# Behind one of these words, a clause is a condition or an aside.
ASIDE = re.compile(
    r"\b(?:who|whom|whose|what|which|that|where|wherever|when|while|if|once|as|than|one|those|though|unless|neither"
    r"|nobody|until|even|whether|how|whoever|whatever)\b"
)
# A sentence with one of these denies or restricts something beside what it grants.
DENIAL_OR_LIMIT = re.compile(
    r"\b(?:not|no|nobody|none|nothing|nor|neither|never|nowhere|only|unless|until|cannot|without|except|but|must|if"
    r"|who|where|when|while|what|that|as|once|alone|at most|up to|within|just|before|after|first|last|next|same|other"
    r"|one|two|three|four|wants?|needs?|requires?|own|each|every|all|too|free|either|instead)\b"
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
    if rule_answer(rule) is not False or not _is_whole(rule.prose):
        return None
    if MAY.search(sentence) and not DENIAL_OR_LIMIT.search(sentence):
        return "may", law
    denied = DENIAL.split(rule.label.replace("-", " "), maxsplit=1)[1:]
    is_same_subject = not set(DENIED_WORD.findall(" ".join(denied))).isdisjoint(DENIED_WORD.findall(sentence))
    return (rule.prose.rstrip("."), law) if is_same_subject and not DENIAL_OR_LIMIT.search(sentence) else None


def _denial_of_first_clause(sentence: str) -> str:
    """Return the "may not" of the first clause, "" if there is none or a word before it makes it an aside."""
    clause = CLAUSE_END.split(sentence)[0]
    denial = MAY_NOT.search(clause)
    return denial[0] if denial and not ASIDE.search(clause, 0, denial.start()) else ""


def _is_whole(prose: str) -> bool:
    """Return whether a sentence is whole and of one clause."""
    return prose[:1].isupper() and not CLAUSE_END.search(prose.rstrip("."))
