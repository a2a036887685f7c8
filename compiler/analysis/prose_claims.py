"""Sentences that claim the contrary of their law by their form: an affirmation, "if" for "unless", another subject.

In: a rule. Out: the claim of the sentence, and the law's form; None if they are not comparable. Compared are
- a sentence without a denial or a limit ("a unit that was carried moves") with a law that forbids what it affirms, by a
  condition without a negation;
- "not tired" with a law that tests whether its subject is tired, where the sentence has no other denial;
- "if" with a law whose only negated condition it would have to be, and a sentence without a denial;
- a subject ("blue ones ..") that the law excludes, with a trait of the same group that it requires and that the
  sentence lacks;
- "take more" with a rule that defeats those that add something;
- "do not move" with a law of another question, where a question is about who may move.
The patterns report no sentence of the rules in this repository. Sentences are parsed as English.
"""

import re
from collections import defaultdict
from collections.abc import Callable

from compiler.analysis import polarity
from compiler.analysis.contrary_texts import WORD_OR_NUMBER
from compiler.analysis.inverted_prohibitions import is_word_of, required_words
from compiler.analysis.section_profiles import word_root
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.verbs import VERBS, rule_answer, rule_polarity
from runtime.graph.walk import walk

LAST_IF = re.compile(r"\bif [^.;,]*\.?$")
# An "if" with one of these states a comparison, and not the condition that the law negates.
COMPARES = re.compile(
    r"\b(?:at least|at most|(?:more|less|fewer|greater) than|or (?:more|less|fewer)|equals?|exceeds?)\b|\d"
)
COMPARISONS = ("<", "<=", ">", ">=", "=")
HIGHER_COST = re.compile(
    r"\b(?:takes?|costs?|pays?|adds?|needs?) (?:\w+ )?(?:more|again)\b|\bboth (?:take|cost|add|count)\b"
)
# A subject, and a denial of its action, alone.
ONLY_DENIES = re.compile(r"(?:an? |the )?(?:[a-z-]+ ){1,3}(?:do not|does not|may not|cannot) ([a-z]+)\.?$")

NEGATED_WORD = re.compile(r"\bnot (?:yet |already |been )?([a-z]+)")

Claim = tuple[str, str]
ClaimPredicate = Callable[[str], bool]


def claims_contrary(rule: graph.Rule, stack: graph.Graph) -> Claim | None:
    """Return the claim of a sentence, and the contrary form of the law; None if there is none."""
    sentence = rule.prose.lower()
    if not polarity.is_complete_sentence(rule):
        return None
    return (
        _of_another_question(sentence, rule, stack)
        or _denied_word(sentence, rule)
        or (
            None
            if polarity.NEGATES.search(sentence)
            else _affirmed(sentence, rule, stack)
            or _if_for_unless(sentence, rule)
            or _adds_what_is_taken_away(sentence, rule, stack)
        )
    )


def subject_excluded(rule: graph.Rule, says: ClaimPredicate, missing: ClaimPredicate) -> Claim | None:
    """Return a word that the law excludes and the sentence has, where one that the law requires is `missing` in it."""
    polarities: dict[tuple[str, str], dict[str, set[bool]]] = defaultdict(lambda: defaultdict(set))
    for node in walk((rule.guard, rule.value, rule.names)):
        for test in node.tests if isinstance(node, graph.Is) else ():
            polarities[test.owner, test.what][test.name].add(node.negated)
    if polarity.NEGATES.search(rule.prose.lower()):
        return None
    for names in polarities.values():
        excluded = [name for name, found in names.items() if found == {True} and says(name)]
        required_names = [name for name, found in names.items() if found == {False} and missing(name)]
        if excluded and required_names:
            return excluded[0], f"is {required_names[0]}, is not {excluded[0]}"
    return None


def _is_denied(part: graph.Expr) -> bool:
    match part:
        case graph.Is() | graph.Has():
            return part.negated
        case graph.Op(op):
            return op in {"not", "!="}
        case graph.Fold(op):
            return op == "none"
        case _:
            return False


def _is_plain(part: graph.Expr) -> bool:
    """Return whether a condition is a positive test of a property or a place, without a comparison of amounts."""
    match part:
        case graph.Is() | graph.Has():
            return not part.negated
        case graph.Op("=", (_, graph.Member())) | graph.Op("in"):
            return True
        case _:
            return False


def _denied_word(sentence: str, rule: graph.Rule) -> Claim | None:
    """Compare "a unit that was not tired" with a law that requires its subject to be tired."""
    if rule_polarity(rule) is False or not rule.verb:
        return None
    found = list(NEGATED_WORD.finditer(sentence))
    if len(found) != 1 or len(polarity.NEGATES.findall(sentence)) != 1:
        return None
    named = [
        name
        for name, polarities in required_words(rule).items()
        if polarities == {True} and is_word_of(found[0][1], name)
    ]
    return (found[0][0], f"is {named[0]}") if len(named) == 1 else None


def _affirmed(sentence: str, rule: graph.Rule, stack: graph.Graph) -> Claim | None:
    """Compare "a unit that was carried moves" with a law that forbids it for the subject of its condition."""
    conditions = conjuncts(rule.guard)
    if rule_answer(rule) is not False or not conditions or not all(map(_is_plain, conditions)):
        return None
    if any(pattern.search(sentence) for pattern in (polarity.BARS, polarity.LIMITS, polarity.RESTRICTS)):
        return None
    words = polarity.question_stems(rule, stack)
    verb_words = [word for word in WORD_OR_NUMBER.findall(sentence) if word_root(word) in words]
    return (verb_words[-1], VERBS[rule.verb].notation) if verb_words else None


def _if_for_unless(sentence: str, rule: graph.Rule) -> Claim | None:
    """Compare "costs three, if one knows the way" with `.. and w is not a_guide`."""
    found = LAST_IF.search(sentence)
    parts = conjuncts(rule.guard)
    denied = [part for part in parts if _is_denied(part)]
    if found is None or len(denied) != 1:
        return None
    compared = any(isinstance(part, graph.Op) and part.op in COMPARISONS for part in parts)
    if compared and COMPARES.search(found[0]):
        return None
    [part] = denied
    named = "|".join(test.name for test in part.tests) if isinstance(part, graph.Is) else ""
    return found[0], f"is not {named}" if named else "the contrary"


def _adds_what_is_taken_away(sentence: str, rule: graph.Rule, stack: graph.Graph) -> Claim | None:
    """Compare "both take more" with a rule without a conclusion that defeats those that add something."""
    beaten = [stack.rules[label] for label in rule.defeats if label in stack.rules]
    found = HIGHER_COST.search(sentence)
    if rule.verb or found is None or not beaten:
        return None
    adds = all(each.verb == "adds" and isinstance(each.value, graph.Num) and each.value.value > 0 for each in beaten)
    return (found[0], f"instead of {', '.join(rule.defeats)}") if adds else None


def _of_another_question(sentence: str, rule: graph.Rule, stack: graph.Graph) -> Claim | None:
    """Compare "swimmers do not move" with a law on who may fire, where `may_move` is a separate question."""
    found = ONLY_DENIES.match(sentence)
    if rule_answer(rule) is not False or found is None or not rule.terms:
        return None
    verb, question = word_root(found[1]), rule.terms[0]
    other = next(
        (name for name in stack.terms if name.startswith("may_") and word_root(name[len("may_") :]) == verb), None
    )
    if other is None or verb in polarity.question_stems(rule, stack) or verb in map(word_root, rule.label.split("-")):
        return None
    return found[1], f"{question} forbidden, and not {other}"
