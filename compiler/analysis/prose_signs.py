"""Sentences with the contrary of the comparison, the connective or the denial in their law.

In: a rule. Out: the phrase of the sentence, and the law's form; None if no difference is found. Each test compares
signs. "No unit goes farther than .." denies, and so does `forbids`: the comparison has to be `>`; "fire reaches as far
as .." grants what the law forbids beyond, so the comparison has to be `>` as well. "Must be seen and in reach" grants
what `forbids when not .. or not ..` denies, so "and" corresponds to `or`. "Cannot see" is a negation of the question
`can_see(..)`. Only unambiguous words are examined: of place and amount, not of time. Sentences are parsed as English.
"""

import re
from collections.abc import Iterable, Iterator

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.numerals import NUMBER
from compiler.analysis.polarity import (
    BARS,
    DENIES_BY_LABEL,
    LIMITS,
    NEGATES,
    is_complete_sentence,
    question_stems,
)
from compiler.analysis.prose_contraries import DOUBLED
from compiler.analysis.prose_sides import compared_side
from compiler.analysis.section_profiles import LOWERCASE_WORD, word_root
from runtime.graph import nodes as graph
from runtime.graph.verbs import VERBS, rule_answer, rule_polarity
from runtime.graph.walk import walk

DENIED = re.compile(r"\b(?:not|no(?! more| farther)|nobody|none|neither|never|cannot|nothing|nowhere)\b")
# Comparisons upward and downward, without and with the bound itself.
PASSING = re.compile(
    r"(?<!hex )\bbeyond (?:the|its|their|his|half)\b|(?<!no )\bfarther\b"
    rf"|(?<!no )(?<!not )\b(?:more|longer) than (?!{NUMBER})"
)
REACHING = re.compile(r"\bor more\b|\bat least\b")
SHORT_OF = re.compile(r"\b(?:less|fewer|nearer|shorter) than\b")
WITHIN = re.compile(r"\bwithin\b|\bor (?:less|fewer)\b|\b(?:no|not) (?:more|farther) than\b|\bnear enough\b")
# These grant, even if the sentence denies something else.
AT_MOST = re.compile(r"\bas far as\b|\bat most\b|\bup to\b")
SIGN_OF_PHRASE = ((PASSING, ">"), (REACHING, ">="), (SHORT_OF, "<"), (WITHIN, "<="), (AT_MOST, "<="))
NEGATED_ORDER = {">": "<=", ">=": "<", "<": ">=", "<=": ">"}
CLAUSE = re.compile(r"[^,;:]+")
BESIDE_NUMBER = re.compile(rf"\b{NUMBER}\b")
# The distance in letters between a number and the words that state the direction of its bound.
LETTERS_TO_NUMBER = 12
# Words that invert a sentence, or distinguish cases that the law joins.
INVERTING_OR_SPLITTING_WORDS = re.compile(r"\b(?:unless|except\w*|only|until|without|hardly|instead|but)\b")
REQUIRES = re.compile(r"\b(?:must|needs?|has to|have to)\b")
EITHER = {"and", "or"}
# The numbers of words before and behind a connective that identify what it connects.
WORDS_BEFORE, WORDS_BEHIND = 3, 4
# A sentence with one of these restricts something, or grants what the law then denies to others.
CLOSES = re.compile(
    r"\b(?:stays?|last|full|next|allowed|keeps?|gives? up|one|once|single|first|before|after|takes?|chosen|choose|like"
    r"|so|yes|up to)\b"
)
ONLY_NOT = re.compile(r"\bonly\b[^,;.]*\bmust not\b")
# A sentence with fewer words is a remark.
SENTENCE = 4
SAME_HEX = re.compile(r"\b(?:in|of|into|from|on) (?:the same|its own|their own|the very) hex\b")
NEIGHBORHOOD_WORD = re.compile(r"\b(?:next|beside|neighbo\w+|adjacent|around|adjoin\w*|away)\b")
RELATIVE = re.compile(r"\b(?:who|whom|what|which|that|where|from which)\b")
CLAUSE_ENDS = re.compile(r"[,;:]")
NAYS = frozenset("no not non never without barred".split())


def word_stem(word: str) -> str:
    """Return the stem of a word, which "spot" and "spotted" share."""
    return DOUBLED.sub(r"\1", word_root(word))


FILLING = frozenset(
    map(word_stem, "a an the is are be of in on at to by it its that which who they them one may can has have".split())
)
NEGATED = re.compile(r"\b(?:cannot|can not|does not|do not|could not) (?:itself |also |yet )?([a-z]+)")


def contrary_phrase(rule: graph.Rule, stack: graph.Graph, writer: ExpressionWriter) -> tuple[str, str] | None:
    """Return a phrase with the contrary sense of its law, and the law's form; None if there is none."""
    sentence = rule.prose.lower()
    if rule.guard is None or not rule.verb:
        return None
    found = _direction(rule, sentence, writer) or _connected(rule, sentence, stack, writer) or _denied(rule, sentence)
    return found or _undenied(rule, sentence, stack) or _only_not(sentence) or _elsewhere(rule, sentence)


def _direction(rule: graph.Rule, sentence: str, writer: ExpressionWriter) -> tuple[str, str] | None:
    """Compare "beyond its range" with the only comparison of the condition."""
    found = [(pattern, each, op) for pattern, op in SIGN_OF_PHRASE for each in pattern.finditer(sentence)]
    compared = list(_comparisons(rule.guard, is_inverted=False)) if len(found) == 1 else []
    if len(compared) != 1 or INVERTING_OR_SPLITTING_WORDS.search(sentence) or BARS.search(sentence):
        return None
    [(pattern, phrase, op)], [(node, is_turned)] = found, compared
    clause = next(each for each in CLAUSE.finditer(sentence) if each.start() <= phrase.start() < each.end())
    if DENIED.search(sentence, 0, clause.start()) or DENIED.search(sentence, clause.end()):
        return None
    rest = sentence[clause.start() : phrase.start()] + sentence[phrase.end() : clause.end()]
    denials = 0 if pattern is AT_MOST else len(DENIED.findall(rest))
    if denials > 1:
        return None
    same = bool(denials) == (rule_polarity(rule) is False)
    expected_op = op if same != is_turned else NEGATED_ORDER[op]
    # Whether the bound itself is included is examined with the numbers; "three at most" forbids at three.
    either = pattern is AT_MOST or BESIDE_NUMBER.search(
        sentence[max(0, phrase.start() - LETTERS_TO_NUMBER) : phrase.end() + LETTERS_TO_NUMBER]
    )
    accepted_ops = {expected_op, f"{expected_op[0]}=", expected_op[0]} if either else {expected_op}
    return None if node.op in accepted_ops else (phrase[0], writer.text(node))


def _comparisons(expr: graph.Expr | None, *, is_inverted: bool) -> Iterator[tuple[graph.Op, bool]]:
    """List the comparisons of amounts in a condition, each with whether an enclosing negation inverts it."""
    match expr:
        case graph.Op(op, arguments):
            if op in NEGATED_ORDER:
                yield expr, is_inverted
            for each in arguments:
                yield from _comparisons(each, is_inverted=is_inverted != (op == "not"))
        case graph.Fold():
            for part in (expr.source, expr.where, expr.body):
                yield from _comparisons(part, is_inverted=is_inverted != (expr.op == "none"))
        case graph.Ask():
            for each in expr.arguments:
                yield from _comparisons(each, is_inverted=is_inverted)
        case _:
            pass


def _connected(rule: graph.Rule, sentence: str, stack: graph.Graph, writer: ExpressionWriter) -> tuple[str, str] | None:
    """Compare "must be seen or in reach" with `forbids when not seen or not in reach`, and "a or b" with `a and b`."""
    tokens = LOWERCASE_WORD.findall(sentence)
    places = [index for index, word in enumerate(tokens) if word in EITHER]
    if len(places) != 1 or DENIED.search(sentence) or INVERTING_OR_SPLITTING_WORDS.search(sentence):
        return None
    [index] = places
    denies = rule_polarity(rule) is False
    if denies != bool(REQUIRES.search(sentence)) or (tokens[index] == "and" and not denies):
        return None  # "Reds and blues" are all pieces that are one of the two.
    wrong = tokens[index] if denies else "and"
    for node in walk(rule.guard):
        if isinstance(node, graph.Op) and node.op == wrong:
            words_before = {word_stem(word) for word in tokens[max(0, index - WORDS_BEFORE) : index]} - FILLING
            words_after = {word_stem(word) for word in tokens[index + 1 : index + 1 + WORDS_BEHIND]} - FILLING
            parts = [_words(part, stack) for part in node.arguments]
            left_operands = {
                number for number, words in enumerate(parts) if words & words_before and not words & words_after
            }
            right_operands = {
                number for number, words in enumerate(parts) if words & words_after and not words & words_before
            }
            if len(left_operands) == len(right_operands) == 1:
                return f"{tokens[index - 1]} {tokens[index]} {tokens[min(index + 1, len(tokens) - 1)]}", writer.text(
                    node
                )
    return None


def _words(expr: graph.Expr, stack: graph.Graph) -> set[str]:
    """Return the stems of the names in a condition, and of the sentences of its questions."""
    texts = []
    for node in walk(expr):
        match node:
            case graph.Ask(term) if term in stack.terms:
                texts += [term, re.sub(r"{[^}]*}", " ", stack.terms[term].reads)]
            case graph.Test(name=name) | graph.Member(name=name) | graph.Get(name=name):
                texts.append(name)
            case _:
                pass
    return {word_stem(word) for word in LOWERCASE_WORD.findall(" ".join(texts).lower().replace("_", " "))} - FILLING


def _denied(rule: graph.Rule, sentence: str) -> tuple[str, str] | None:
    """Compare "cannot see" with a condition that requires its subject to see."""
    found = list(NEGATED.finditer(sentence))
    denies = rule_polarity(rule) is False
    if (
        len(found) != 1
        or len(DENIED.findall(sentence)) != 1 + denies
        or INVERTING_OR_SPLITTING_WORDS.search(sentence)
        or ";" in sentence
    ):
        return None
    word = word_stem(found[0][1])
    negations = dict(_tested_questions(rule.guard, is_inverted=False))
    matching_tests = [(name, negations[name]) for name in negations if word_stem(name.rpartition("_")[2]) == word]
    if len(matching_tests) != 1 or matching_tests[0][1] is not False:
        return None
    return found[0][0], matching_tests[0][0]


def _tested_questions(expr: graph.Expr | None, *, is_inverted: bool) -> Iterable[tuple[str, bool]]:
    """List the questions that a condition tests, each with whether it is negated."""
    match expr:
        case graph.Ask(term):
            yield term, is_inverted
        case graph.Op(op, arguments) if op in {"and", "or", "not"}:
            for each in arguments:
                yield from _tested_questions(each, is_inverted=is_inverted != (op == "not"))


def _undenied(rule: graph.Rule, sentence: str, stack: graph.Graph) -> tuple[str, str] | None:
    """Compare a whole sentence without a limit, and without a denial beyond its condition's, with a prohibition."""
    if rule_answer(rule) is not False or not is_complete_sentence(rule) or not rule.guard:
        return None
    if (
        any(pattern.search(sentence) for pattern in (CLOSES, BARS, LIMITS))
        or len(LOWERCASE_WORD.findall(sentence)) < SENTENCE
    ):
        return None
    stems = question_stems(rule, stack)
    if stems.isdisjoint(map(word_root, LOWERCASE_WORD.findall(sentence))):
        return None  # The sentence does not mention the subject of this law: "Ice is hard going".
    if compared_side(rule, stack):
        return None  # "A unit attacks enemies" forbids attacks on friends.
    denials = list(NEGATES.finditer(sentence))
    if denials:
        if not stems.isdisjoint(map(word_root, LOWERCASE_WORD.findall(sentence, denials[-1].end()))):
            return None  # "A unit that is lost gets no orders" denies an order.
        # "Any unit attacks what it cannot reach": the only denial is that of the condition.
        [*_, relative] = [None, *RELATIVE.finditer(sentence, 0, denials[0].start())]
        aside = relative is not None and not CLAUSE_ENDS.search(sentence, relative.end())
        if len(denials) > 1 or not aside or not _denies_a_question(rule.guard):
            return None
    elif not _is_plain(rule.guard) and not DENIES_BY_LABEL.match(rule.label.replace("-", " ")):
        return None
    return sentence.rstrip("."), VERBS[rule.verb].notation


def _only_not(sentence: str) -> tuple[str, str] | None:
    """Find "only .. must not", which grants to none what was to be granted to some."""
    found = ONLY_NOT.search(sentence)
    return (found[0], "only .. may") if found else None


def _elsewhere(rule: graph.Rule, sentence: str) -> tuple[str, str] | None:
    """Compare "in the same hex" with a law about adjacent hexes."""
    same = SAME_HEX.search(sentence)
    if same is None or NEIGHBORHOOD_WORD.search(sentence):
        return None
    law = walk((rule.guard, rule.value, rule.names))
    return (
        (same[0], "adjacent(..)") if any(isinstance(node, graph.Op) and node.op == "adjacent" for node in law) else None
    )


def _denies_a_question(guard: graph.Expr) -> bool:
    """Return whether a condition is a single negated question."""
    return isinstance(guard, graph.Op) and guard.op == "not" and isinstance(guard.arguments[0], graph.Ask)


def _is_plain(expr: graph.Expr | None) -> bool:
    """Return whether a condition has no negation, and no comparison of amounts but with zero from above."""
    for node in walk(expr):
        match node:
            case graph.Op("!=", arguments) if all(map(_is_somebody, arguments)):
                pass  # A difference of two parties, as of enemies, is no denial.
            case graph.Op(op, arguments):
                is_nonzero_test = op == ">" and isinstance(arguments[1], graph.Num) and arguments[1].value == 0
                none = op == "=" and any(isinstance(each, graph.Num) for each in arguments)
                if none or (op in {"not", "!=", *NEGATED_ORDER} and not is_nonzero_test):
                    return False
            case graph.Is() | graph.Has():
                if node.negated:
                    return False
            case graph.Fold(op):
                if op in {"none", "every"}:
                    return False
            case graph.Ask(term=name) | graph.GameTrack(name=name) | graph.Get(name=name):
                if not NAYS.isdisjoint(name.split("_")):
                    return False
            case _:
                pass
    return True


def _is_somebody(expr: graph.Expr) -> bool:
    return isinstance(expr, graph.Var) or (isinstance(expr, graph.Get) and expr.name in {"side", "of", "by"})
