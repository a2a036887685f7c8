"""A sentence that claims the contrary of its law by its form: a plain claim, "if" for "unless", another subject.

In: a rule. Out: what the sentence says, and how the law has it; None if that cannot be told. Compared are
- a sentence without a denial or a limit ("a unit that was carried moves") beside a law that forbids what it affirms, in
  a condition that denies nothing;
- "not tired" beside a law that asks whether its subject is tired, where the sentence denies nothing else;
- "if" beside a law that asks for the contrary alone, and a sentence that denies nothing;
- a subject ("blue ones ..") that the law excludes, beside a word of the same list that it asks for and that the
  sentence lacks;
- "take more" beside a rule that takes away what others add;
- "do not move" beside a law of another question, where a question asks who may move.
Only what no shipped rule says otherwise is told. Sentences are read as English.
"""

import re
from collections import defaultdict
from collections.abc import Callable

from compiler.analysis.contrary_texts import TOKEN
from compiler.analysis.inverted_prohibitions import is_word_of, required_words
from compiler.analysis.normal_form import conjuncts
from compiler.analysis.polarity import BARS, DENIES, LIMITS, NEGATES, RESTRICTS, is_whole, question_stems, word_root
from runtime.graph import nodes as graph
from runtime.graph.walk import walk

LAST_IF = re.compile(r"\bif [^.;,]*\.?$")
MORE = re.compile(r"\b(?:takes?|costs?|pays?|adds?|needs?) (?:\w+ )?(?:more|again)\b|\bboth (?:take|cost|add|count)\b")
# Nothing but a subject, and what it does not do.
ONLY_DENIES = re.compile(r"(?:an? |the )?(?:[a-z-]+ ){1,3}(?:do not|does not|may not|cannot) ([a-z]+)\.?$")

NOT = re.compile(r"\bnot (?:yet |already |been )?([a-z]+)")

Claim = tuple[str, str]
Says = Callable[[str], bool]


def claims_contrary(rule: graph.Rule, stack: graph.Graph) -> Claim | None:
    """Return what a sentence claims, and how the law has it."""
    said = rule.prose.lower()
    if not is_whole(rule):
        return None
    return (
        _of_another_question(said, rule, stack)
        or _denied_word(said, rule)
        or (
            None
            if NEGATES.search(said)
            else _affirmed(said, rule, stack)
            or _if_for_unless(said, rule)
            or _adds_what_is_taken_away(said, rule, stack)
        )
    )


def subject_excluded(rule: graph.Rule, says: Says, missing: Says) -> Claim | None:
    """Return a word that the law excludes and the sentence says, where one that the law asks for is `missing` in it."""
    polarities: dict[tuple[str, str], dict[str, set[bool]]] = defaultdict(lambda: defaultdict(set))
    for node in walk((rule.guard, rule.value, rule.names)):
        for test in node.tests if isinstance(node, graph.Is) else ():
            polarities[test.owner, test.what][test.name].add(node.negated)
    if NEGATES.search(rule.prose.lower()):
        return None
    for names in polarities.values():
        excluded = [name for name, found in names.items() if found == {True} and says(name)]
        asked = [name for name, found in names.items() if found == {False} and missing(name)]
        if excluded and asked:
            return excluded[0], f"is {asked[0]}, is not {excluded[0]}"
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
    """Return whether a condition says of something what it is, or where, and denies and compares nothing."""
    match part:
        case graph.Is() | graph.Has():
            return not part.negated
        case graph.Op("=", (_, graph.Member())) | graph.Op("in"):
            return True
        case _:
            return False


def _denied_word(said: str, rule: graph.Rule) -> Claim | None:
    """Compare "a unit that was not tired" with a law that asks of its subject whether it is tired."""
    if rule.verb in DENIES or not rule.verb:
        return None
    found = list(NOT.finditer(said))
    if len(found) != 1 or len(NEGATES.findall(said)) != 1:
        return None
    named = [name for name, asked in required_words(rule).items() if asked == {True} and is_word_of(found[0][1], name)]
    return (found[0][0], f"is {named[0]}") if len(named) == 1 else None


def _affirmed(said: str, rule: graph.Rule, stack: graph.Graph) -> Claim | None:
    """Compare "a unit that was carried moves" with a law that forbids it of the subject of its condition."""
    conditions = conjuncts(rule.guard)
    if rule.verb not in {"forbids", "fails"} or not conditions:
        return None
    if not all(map(_is_plain, conditions)):
        return None
    if any(pattern.search(said) for pattern in (BARS, LIMITS, RESTRICTS)):
        return None
    words = question_stems(rule, stack)
    done = [word for word in TOKEN.findall(said) if word_root(word) in words]
    return (done[-1], "forbidden" if rule.verb == "forbids" else "fails") if done else None


def _if_for_unless(said: str, rule: graph.Rule) -> Claim | None:
    """Compare "costs three, if one knows the way" with `.. and w is not a_guide`."""
    found = LAST_IF.search(said)
    denied = [part for part in conjuncts(rule.guard) if _is_denied(part)]
    if found is None or len(denied) != 1:
        return None
    [part] = denied
    named = "|".join(test.name for test in part.tests) if isinstance(part, graph.Is) else ""
    return found[0], f"is not {named}" if named else "the contrary"


def _adds_what_is_taken_away(said: str, rule: graph.Rule, stack: graph.Graph) -> Claim | None:
    """Compare "both take more" with a rule that has no conclusion and defeats those that add something."""
    beaten = [stack.rules[label] for label in rule.defeats if label in stack.rules]
    found = MORE.search(said)
    if rule.verb or found is None or not beaten:
        return None
    adds = all(each.verb == "adds" and isinstance(each.value, graph.Num) and each.value.value > 0 for each in beaten)
    return (found[0], f"instead of {', '.join(rule.defeats)}") if adds else None


def _of_another_question(said: str, rule: graph.Rule, stack: graph.Graph) -> Claim | None:
    """Compare "swimmers do not move" with a law on who may fire, where `may_move` is a question of its own."""
    found = ONLY_DENIES.match(said)
    if rule.verb not in {"forbids", "fails"} or found is None or not rule.terms:
        return None
    verb, question = word_root(found[1]), rule.terms[0]
    other = next(
        (name for name in stack.terms if name.startswith("may_") and word_root(name[len("may_") :]) == verb), None
    )
    if other is None or verb in question_stems(rule, stack) or verb in map(word_root, rule.label.split("-")):
        return None
    return found[1], f"{question} forbidden, and not {other}"
