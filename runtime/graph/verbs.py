"""The verbs of rules on verdicts and conditions, by the answer that they conclude.

In: an answer, or a rule with its term. Out: verbs; whether the rule concludes something besides the default.
"""

from runtime.graph import nodes as graph

GRANTING = ("allows", "holds")
DENYING = ("forbids", "fails")


def verbs_of_answer(*, answer: bool) -> tuple[str, str]:
    """Return the verbs that conclude an answer."""
    return GRANTING if answer else DENYING


def only_defeats(term: graph.Term, rule: graph.Rule) -> bool:
    """Return whether a rule affects an answer only by defeating others, as it concludes no more than the default."""
    default_verbs = () if term.default is None else verbs_of_answer(answer=term.default)
    return bool(rule.defeats) and (not rule.verb or rule.verb in default_verbs)
