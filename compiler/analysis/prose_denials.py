"""Sentences that deny more or less than their law, or mention another number or piece than their label.

In: a rule and its stack. Out: the phrase of the sentence, and the form of the law or the label; None if they agree.
Compared are
- "everybody else" or "every .." with a law that forbids; "must" with one that allows;
- "twice" or "two" with a label that has one; "two herd", whose number was changed alone;
- "carts march" with the label no-carts, "without a basket" with a label with a basket;
- a kind of piece that differs from the one in law and label.
The patterns report no sentence of the rules in this repository. Sentences are parsed as English.
"""

import re

from compiler.analysis.numerals import AUXILIARIES
from compiler.analysis.polarity import BARS, LIMITS, NEGATES, RESTRICTS, is_complete_sentence
from compiler.analysis.section_profiles import word_root
from runtime.graph import nodes as graph
from runtime.graph.verbs import VERBS, rule_answer
from runtime.graph.walk import walk
from runtime.graph.words import plural

Claim = tuple[str, str] | tuple[str, str, str]

# A sentence with one of these denies something, or implies in another way that something is absent.
DENIES = re.compile(
    r"\b(?:no|not|none|nobody|nothing|nowhere|neither|nor|never|cannot|without|unless|except\w*|only|alone|but|though"
    r"|until|lacks?|empty|free|away|else|another|rest|elsewhere|instead|un\w{4,}|non-?\w*|out|off|last|lost|loses?"
    r"|less|too|first|before|after|once|still|yet|whole|single|all|every|each|both|clear\w*|open|fails?|if)\b"
)
ONCE, TWICE = frozenset({"one", "once", "single"}), "twice"
NUMBERS = frozenset("two three four five six seven eight nine ten".split())
# A sentence with one of these states the number one in another way.
ONE_OF = frozenset("only same first another".split())
SEVERAL = re.compile(rf"\b(?:{'|'.join(sorted(NUMBERS))}) ([a-z]+)\b(?!-)")
COUNTED = ("hex", "turn", "column", "die", "unit", "side")
AND_ALL = re.compile(r"\b(?:and|but) (?:every(?:body|one|thing)? else|all others)\b")
ALL_FIRST = re.compile(r"(?:every|each|all|everybody|everyone|any)\b")
CAN_BE = re.compile(r"\b(?:can|may) be\b")
LIMITED = re.compile(
    r"\b(?:must|needs?|has to|have to|stays?|own|alone|within|one|once|last|first|before|after|same|if)\b"
)
MUST = re.compile(r"\b(?:must|has to|have to|needs? to)\b")
JOINED = frozenset({"and", "with"})
PREPOSITIONS = frozenset(
    "across after against at before behind beyond by for from in into meanwhile of on out over to under with".split()
)
WITHOUT = re.compile(r"\bwithout (?:an? |any |the |its |their )?([a-z]+)")
WORD = re.compile(r"[a-z]+")


def contrary_denial(rule: graph.Rule, stack: graph.Graph) -> Claim | None:
    """Return a phrase by which a sentence denies or mentions something, and the differing form of law or label."""
    sentence = rule.prose.lower()
    return (
        _grants_all(rule, sentence)
        or _demands(rule, sentence, stack)
        or _unlike_label(rule, sentence)
        or _number_alone(sentence, stack)
        or _other_kind(rule, sentence, stack)
    )


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
    limited = LIMITED.search(sentence) or (set(WORD.findall(sentence)) & NUMBERS and _compares_number(rule.guard))
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
    nouns = {*COUNTED, *vocabulary.kinds, *(name.removesuffix("s") for name in vocabulary.measures if name[-1] == "s")}
    # "The other three move", where moves are counted.
    verbs = {*AUXILIARIES, *(each.name for each in stack.procedures.values() if each.what == "action")}
    for found in SEVERAL.finditer(sentence):
        if found[1] in nouns - verbs and plural(found[1]) != found[1] and not found[1].endswith("s"):
            return found[0], f"{found[1]}, of which there is one"
    return None


def _unlike_label(rule: graph.Rule, sentence: str) -> Claim | None:
    """Compare "twice" with "one-shot-a-turn", and "without a basket" with "a-hex-and-a-basket"."""
    first, *others = rule.label.split("-")
    label, words = frozenset((first, *others)), frozenset(WORD.findall(sentence))
    affirms = not (NEGATES.search(sentence) or BARS.search(sentence) or LIMITS.search(sentence) or rule.ruling)
    if first == "no" and others and affirms:
        # Of "no-second-bonus-for-one" the bonus is denied.
        end = next((index for index, word in enumerate(others) if index and word in PREPOSITIONS), len(others))
        denied = others[end - 1]
        affirmed = next((word for word in WORD.findall(sentence) if word_root(word) == word_root(denied)), None)
        if affirmed:
            return affirmed, f"no {denied}", "label"
    if label & ONCE and not words & ONCE:
        if TWICE in words:
            return TWICE, min(label & ONCE)
        number_words = words & NUMBERS
        if (
            number_words
            and not number_words & label
            and not words & ONE_OF
            and not (rule.ruling or DENIES.search(sentence))
        ):
            return min(number_words), min(label & ONCE)
    found = WITHOUT.search(sentence)
    if found and found[1] in label and label & JOINED and not DENIES.search(" ".join(label)):
        return found[0], found[1]
    return None


def _other_kind(rule: graph.Rule, sentence: str, stack: graph.Graph) -> Claim | None:
    """Compare a kind of piece in a sentence with the one in law and label, which the sentence lacks."""
    kinds = frozenset(stack.vocabulary.kinds)
    tested_kinds = {
        name for node in walk((rule.guard, rule.value)) if isinstance(node, graph.Pieces) for name in node.kinds
    }
    label, words = frozenset(rule.label.split("-")), frozenset(WORD.findall(sentence))
    for kind in sorted(tested_kinds & kinds & label):
        if not words & {kind, f"{kind}s"}:
            others = (other for other in sorted(kinds - tested_kinds - label) if words & {other, f"{other}s"})
            if other := next(others, None):
                return other, kind
    return None
