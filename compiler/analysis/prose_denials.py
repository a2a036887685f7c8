"""Sentences that deny more or less than their law, or mention another action, direction or piece than their label.

In: a rule and its stack. Out: the phrase of the sentence, and the form of the law or the label; None if they agree.
Compared are
- "has one" with a law that holds where there is none, and a sentence that affirms what its law has fail;
- "move and do not fire" with a law that forbids moving as well; "must .. or not .." with `forbids .. or ..`;
- "everybody else" or "every .." with a law that forbids; "must" with one that allows;
- "twice" or "two" with a label that has one; "two herd", whose number was changed alone;
- "carts march" with the label no-carts, "without a basket" with a label with a basket;
- a kind of piece that differs from the one in law and label;
- "steps out of" with a law that reads only the hex that a piece enters;
- "do not move" with a law on another question, where a question or an action has that name;
- "any" with a law that tests every member.
The patterns report no sentence of the rules in this repository. Sentences are parsed as English.
"""

import re
from collections.abc import Callable, Iterator

from compiler.analysis.numerals import AUXILIARIES
from compiler.analysis.polarity import BARS, LIMITS, NEGATES, RESTRICTS, is_complete_sentence, question_stems
from compiler.analysis.prose_contraries import act_stem
from compiler.analysis.section_profiles import LOWERCASE_WORD, word_root
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.call_graph import terms_queried
from runtime.graph.closure import transitive_closure
from runtime.graph.conjuncts import conjuncts
from runtime.graph.free_names import variables_in
from runtime.graph.verbs import VERBS, is_affirmative, rule_answer
from runtime.graph.walk import walk
from runtime.graph.words import plural

Claim = tuple[str, str] | tuple[str, str, str]

# A sentence with one of these denies something, or implies in another way that something is absent.
DENYING_WORD = re.compile(
    r"\b(?:no|not|none|nobody|nothing|nowhere|neither|nor|never|cannot|without|unless|except\w*|only|alone|but|though"
    r"|until|lacks?|empty|free|away|else|another|rest|elsewhere|instead|un\w{4,}|non-?\w*|out|off|last|lost|loses?"
    r"|less|too|first|before|after|once|still|yet|whole|single|all|every|each|both|clear\w*|open|fails?|if)\b"
)
HAS_ONE = re.compile(r"\b(?:has|have|is|are) (?:one|some|any)\b")
BUT_NOT = re.compile(r"(?:an? |the )?(?:[a-z-]+ ){1,3}?([a-z]+) (?:and|but) (?:do|does|may|can) ?not [a-z]+\b")
OR_NOT = re.compile(r"\b(?:must|has to|have to|needs? to)\b[^;:.]*\bor not\b")
ONCE, TWICE = frozenset({"one", "once", "single"}), "twice"
NUMERALS = frozenset("two three four five six seven eight nine ten".split())
# A sentence with one of these states the number one in another way.
ONE_OF = frozenset("only same first another".split())
NUMBER_AND_PLURAL = re.compile(rf"\b(?:{'|'.join(sorted(NUMERALS))}) ([a-z]+)\b(?!-)")
COUNTED_NOUNS = ("hex", "turn", "column", "die", "unit", "side")
AND_ALL = re.compile(r"\b(?:and|but) (?:every(?:body|one|thing)? else|all others)\b")
ALL_FIRST = re.compile(r"(?:every|each|all|everybody|everyone|any)\b")
CAN_BE = re.compile(r"\b(?:can|may) be\b")
LIMITED = re.compile(
    r"\b(?:must|needs?|has to|have to|stays?|own|alone|within|one|once|last|first|before|after|same|if)\b"
)
MUST = re.compile(r"\b(?:must|has to|have to|needs? to)\b")
JOINED = frozenset({"and", "with"})
LEADING_PREPOSITIONS = frozenset(
    "across after against at before behind beyond by for from in into meanwhile of on out over to under with".split()
)
WITHOUT = re.compile(r"\bwithout (?:an? |any |the |its |their )?([a-z]+)")
# These verbs imply that the piece was in the hex; one that is kept out of it does not enter it.
OUT_OF = re.compile(
    r"\b(?:steps?|go|goes|moves?|walks?|drives?|comes?|rides?|climbs?|marche?s?|swims?|runs?|retreats?) (?:out of|off)"
    r" (?:the|an?) [a-z]+"
)
WORDS_OF_GOAL = re.compile(
    r"\b(?:into|onto|enters?|entering|to|in|on|at|over|across|through|reach\w*|before|next|there|here)\b"
)
ORIGIN, GOAL = "from", "to"
DENIED_ACT = re.compile(
    r"\b(?:do|does|may|can|must) ?not (?:be |also |still )?([a-z]+)|\b(?:nobody|no [a-z]+) ([a-z]+s)\b"
)
# A label with one of these states the contrary of leaving.
STAYS = re.compile(r"\b(?:stays?|keeps?)\b")
ANY_WORD = re.compile(r"\b(?:any|some)\b")
UNIVERSAL_WORD = re.compile(r"\b(?:all|every\w*|each|whole|both|only|no|none|nobody|not)\b")
VERDICT_PREFIX, ACTION_PREFIX = "may_", "action:"


def contrary_denial(rule: graph.Rule, stack: graph.Graph) -> Claim | None:
    """Return a phrase by which a sentence denies or mentions something, and the differing form of law or label."""
    sentence = rule.prose.lower()
    checks: tuple[Callable[[], Claim | None], ...] = (
        lambda: _denies_nothing(rule, sentence, stack),
        lambda: _affirms_one_act(rule, sentence),
        lambda: _either(rule, sentence),
        lambda: _grants_all(rule, sentence),
        lambda: _demands(rule, sentence, stack),
        lambda: _unlike_label(rule, sentence),
        lambda: _number_alone(sentence, stack),
        lambda: _other_kind(rule, sentence, stack),
        lambda: _from_for_to(rule, sentence),
        lambda: _other_act(rule, sentence, stack),
        lambda: _any_for_every(rule, sentence),
    )
    found = (check() for check in checks) if sentence else ()
    return next((each for each in found if each), None)


def _denies_nothing(rule: graph.Rule, sentence: str, stack: graph.Graph) -> Claim | None:
    """Compare "has one" with a law that holds where there is none, and an affirmed question with a law that fails."""
    if DENYING_WORD.search(sentence) or rule.defeats:
        return None
    absent = any(isinstance(part, graph.Fold) and part.op == "none" for part in conjuncts(rule.guard))
    if absent and is_affirmative(rule):
        return (found[0], "none") if (found := HAS_ONE.search(sentence)) else None
    stems = question_stems(rule, stack)
    affirmed = (
        rule.verb == "fails"
        and is_complete_sentence(rule)
        and any(word_root(word) in stems for word in LOWERCASE_WORD.findall(sentence))
    )
    return (sentence, "fails") if affirmed and not BARS.search(sentence) else None


def _affirms_one_act(rule: graph.Rule, sentence: str) -> Claim | None:
    """Compare "move and do not fire" with a law that forbids both."""
    found = BUT_NOT.match(sentence)
    if found is None or rule_answer(rule) is not False:
        return None
    acts = (act_stem(node.name) for node in walk(rule.guard) if isinstance(node, graph.Member))
    return (found[0], "forbidden") if act_stem(f"{found[1]}ing".replace("eing", "ing")) in acts else None


def _either(rule: graph.Rule, sentence: str) -> Claim | None:
    """Compare "must be ready, or not have fired" with a law that forbids where one of the two is missing."""
    found = OR_NOT.search(sentence)
    forbids = rule_answer(rule) is False and isinstance(rule.guard, graph.Op) and rule.guard.op == "or"
    return (found[0], "or, of what is forbidden") if found and forbids else None


def _grants_all(rule: graph.Rule, sentence: str) -> Claim | None:
    """Compare "every run strikes a unit that was struck" and "and everybody else" with a law that forbids."""
    if (
        rule_answer(rule) is not False
        or not is_complete_sentence(rule)
        or NEGATES.search(sentence)
        or BARS.search(sentence)
    ):
        return None
    # "Each side makes two moves" states a number, and the law forbids the third.
    limited = LIMITED.search(sentence) or (
        set(LOWERCASE_WORD.findall(sentence)) & NUMERALS and _compares_number(rule.guard)
    )
    found = AND_ALL.search(sentence) or (None if limited else ALL_FIRST.match(sentence))
    found = found or (None if RESTRICTS.search(sentence) else CAN_BE.search(sentence))
    return (found[0], VERBS[rule.verb].notation) if found else None


def _compares_number(guard: graph.Expr | None) -> bool:
    compared = (node for node in walk(guard) if isinstance(node, graph.Op) and node.op in {">", ">="})
    return any(isinstance(node.arguments[-1], graph.Num) for node in compared)


def _demands(rule: graph.Rule, sentence: str, stack: graph.Graph) -> Claim | None:
    """Compare "must" with a law that allows."""
    beaten = {stack.rules[label].verb for label in rule.defeats if label in stack.rules}
    allows = rule.verb == "allows" or (not rule.verb and beaten == {"forbids"})
    found = MUST.search(sentence) if allows and not NEGATES.search(sentence) else None
    return (found[0], "allowed") if found else None


def _number_alone(sentence: str, stack: graph.Graph) -> Claim | None:
    """Compare the number of a noun with its form: "two herd"."""
    vocabulary = stack.vocabulary
    # A measure without an "s", such as coin, has no plural: "two coin".
    nouns = {
        *COUNTED_NOUNS,
        *vocabulary.kinds,
        *(name.removesuffix("s") for name in vocabulary.measures if name[-1] == "s"),
    }
    # "The other three move", where moves are counted.
    verbs = {*AUXILIARIES, *(each.name for each in stack.procedures.values() if each.what == "action")}
    for found in NUMBER_AND_PLURAL.finditer(sentence):
        if found[1] in nouns - verbs and plural(found[1]) != found[1] and not found[1].endswith("s"):
            return found[0], f"{found[1]}, of which there is one"
    return None


def _unlike_label(rule: graph.Rule, sentence: str) -> Claim | None:
    """Compare "twice" with "one-shot-a-turn", and "without a basket" with "a-hex-and-a-basket"."""
    first, *others = rule.label.split("-")
    label, words = frozenset((first, *others)), frozenset(LOWERCASE_WORD.findall(sentence))
    affirms = not (NEGATES.search(sentence) or BARS.search(sentence) or LIMITS.search(sentence) or rule.ruling)
    if first == "no" and others and affirms:
        # Of "no-second-bonus-for-one" the bonus is denied.
        end = next((index for index, word in enumerate(others) if index and word in LEADING_PREPOSITIONS), len(others))
        denied = others[end - 1]
        affirmed = next(
            (word for word in LOWERCASE_WORD.findall(sentence) if word_root(word) == word_root(denied)), None
        )
        if affirmed:
            return affirmed, f"no {denied}", "label"
    if label & ONCE and not words & ONCE:
        if TWICE in words:
            return TWICE, min(label & ONCE)
        number_words = words & NUMERALS
        if (
            number_words
            and not number_words & label
            and not words & ONE_OF
            and not (rule.ruling or DENYING_WORD.search(sentence))
        ):
            return min(number_words), min(label & ONCE)
    found = WITHOUT.search(sentence)
    if found and found[1] in label and label & JOINED and not DENYING_WORD.search(" ".join(label)):
        return found[0], found[1]
    return None


def _other_kind(rule: graph.Rule, sentence: str, stack: graph.Graph) -> Claim | None:
    """Compare a kind of piece in a sentence with the one in law and label, which the sentence lacks."""
    kinds = frozenset(stack.vocabulary.kinds)
    tested_kinds = {
        name for node in walk((rule.guard, rule.value)) if isinstance(node, graph.Pieces) for name in node.kinds
    }
    label, words = frozenset(rule.label.split("-")), frozenset(LOWERCASE_WORD.findall(sentence))
    for kind in sorted(tested_kinds & kinds & label):
        if not words & {kind, f"{kind}s"}:
            others = (other for other in sorted(kinds - tested_kinds - label) if words & {other, f"{other}s"})
            if other := next(others, None):
                return other, kind
    return None


def _from_for_to(rule: graph.Rule, sentence: str) -> Claim | None:
    """Compare "nobody steps out of" with a law that reads only the hex that the step enters."""
    names = variables_in((rule.guard, rule.value))
    found = OUT_OF.search(sentence)
    if found is None or GOAL not in names or ORIGIN in names or WORDS_OF_GOAL.search(OUT_OF.sub("", sentence)):
        return None
    return found[0], GOAL


def _other_act(rule: graph.Rule, sentence: str, stack: graph.Graph) -> Claim | None:
    """Compare the only action that a sentence denies with the subject of its question."""
    found = [first or second for first, second in DENIED_ACT.findall(sentence)]
    stay_match = STAYS.search(rule.label)
    if rule.verb != "forbids" or len(found) != 1 or not rule.terms or stay_match:
        return None
    act = act_stem(found[0])
    if act not in set(_acts(stack)):
        return None
    terms = [stack.terms[name] for name in rule.terms if name in stack.terms]
    question_acts = {act_stem(word) for term in terms for word in _words(term.name, term.reads, term.denied)}
    related_acts = question_acts | {act_stem(word) for word in _words(rule.label, *_names(rule))}
    if act in related_acts or any(act_stem(word) in question_acts for word in LOWERCASE_WORD.findall(sentence)):
        return None
    # Where other sentences on this question use the same verb, it is an idiom of the game.
    others = (stack.rules[label].prose for term in terms for label in term.rules if label != rule.label)
    if any(act == act_stem(word) for prose in others for word in _words(prose)):
        return None
    return None if _asked_by_action(act, stack).intersection(rule.terms) else (found[0], rule.terms[0])


def _asked_by_action(act: str, stack: graph.Graph) -> frozenset[str]:
    """Return the questions that actions of a name ask, directly or through others: to forbid one forbids the act."""

    def terms_of(name: str) -> tuple[str, ...]:
        if (term := stack.terms.get(name)) is None:
            return ()
        laws = rules_of_term(stack, term)
        return tuple(terms_queried((term.otherwise, tuple((law.guard, law.value, law.names) for law in laws))))

    bodies = tuple(
        each.body
        for key, each in stack.procedures.items()
        if key.startswith(ACTION_PREFIX) and act_stem(key.removeprefix(ACTION_PREFIX).split("_")[0]) == act
    )
    return frozenset(transitive_closure(terms_queried(bodies), terms_of))


def _any_for_every(rule: graph.Rule, sentence: str) -> Claim | None:
    """Compare "if any of them is tired" with a law that tests every member."""
    folds = [node for node in walk((rule.guard, rule.value)) if isinstance(node, graph.Fold)]
    found = ANY_WORD.search(sentence)
    if (
        found
        and len(folds) == 1
        and folds[0].op == "every"
        and is_affirmative(rule)
        and not UNIVERSAL_WORD.search(sentence)
    ):
        return found[0], "every"
    return None


def _acts(stack: graph.Graph) -> Iterator[str]:
    """List the stems of the actions that questions and procedures of a stack are named after."""
    for name in stack.terms:
        if name.startswith(VERDICT_PREFIX):
            yield act_stem(name.removeprefix(VERDICT_PREFIX).split("_")[0])
    for key in stack.procedures:
        if key.startswith(ACTION_PREFIX):
            yield act_stem(key.removeprefix(ACTION_PREFIX).split("_")[0])


def _names(rule: graph.Rule) -> Iterator[str]:
    """List the names that occur in a law."""
    for node in walk((rule.guard, rule.value)):
        for name in (getattr(node, "name", ""), getattr(node, "term", "")):
            if isinstance(name, str):
                yield name


def _words(*texts: str) -> Iterator[str]:
    return (word for text in texts for word in LOWERCASE_WORD.findall((text or "").lower()))
