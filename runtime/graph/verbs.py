"""The table of the verbs of rules: what a rule with a verb concludes, and how it is written.

In: a rule, or the form of a term. Out: the answer that the rule concludes, its polarity, its notation. A verb is one
record, and no other module lists verbs by what they conclude.
"""

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class _VerbRecord:
    """A verb of rules.

    name: in a graph. notation: in the language. forms: of the terms that such a rule concludes on. polarity: True if
    the rule grants something or adds members to a set, False if it denies or removes them, None if it does neither.
    answer: the polarity, where the rule concludes an answer of yes or no.
    """

    name: graph.Verb
    notation: str
    forms: tuple[graph.Form, ...]
    polarity: bool | None = None
    answer: bool | None = None


VERBS = {
    each.name: each
    for each in (
        _VerbRecord("", "", ()),
        _VerbRecord("is", "is", ("value", "flag")),
        _VerbRecord("adds", "adds", ("sum",)),
        _VerbRecord("offers", "offers", ("min", "max")),
        _VerbRecord("includes", "includes", ("set",), polarity=True),
        _VerbRecord("excludes", "excludes", ("set",), polarity=False),
        _VerbRecord("allows", "allowed", ("verdict",), polarity=True, answer=True),
        _VerbRecord("forbids", "forbidden", ("verdict",), polarity=False, answer=False),
        _VerbRecord("holds", "holds", ("condition",), polarity=True, answer=True),
        _VerbRecord("fails", "fails", ("condition",), polarity=False, answer=False),
    )
}


def verbs_on(form: graph.Form) -> tuple[_VerbRecord, ...]:
    """Return the verbs of rules on terms of a form, the one that grants first."""
    return tuple(each for each in VERBS.values() if form in each.forms)


def answer_word(form: graph.Form, *, answer: bool) -> str:
    """Return the word for an answer of yes or no to a term of a form."""
    if form == "verdict":
        return "allowed" if answer else "forbidden"
    return "yes" if answer else "no"


def rule_answer(rule: graph.Rule) -> bool | None:
    """Return the answer that a rule on a verdict or condition concludes; None for other rules."""
    return VERBS[rule.verb].answer


def rule_polarity(rule: graph.Rule) -> bool | None:
    """Return whether a rule grants or denies something, members of a set included; None if it does neither."""
    return VERBS[rule.verb].polarity


def concludes_yes(rule: graph.Rule) -> bool:
    """Return whether a rule on a term of yes or no, which may also be a flag or a value, concludes yes."""
    return rule_answer(rule) is True or rule.value == graph.Truth(value=True)


def only_defeats(term: graph.Term, rule: graph.Rule) -> bool:
    """Return whether a rule affects an answer only by defeating others, as it concludes no more than the default."""
    return bool(rule.defeats) and (not rule.verb or (term.default is not None and rule_answer(rule) == term.default))
