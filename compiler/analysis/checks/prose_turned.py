"""Rules whose sentence has the opposite sense of their law: add for subtract, more for less, may for may not.

In: a rule, or the rulings of a stack. Out: the phrase of the sentence and the law's form. Only plain words are compared
with plain laws: a sum with one number, a conclusion that adds a number to something printed or subtracts it, a
prohibition whose sentence grants with "may" and has no denial, a die that has to show one number. Sentences are parsed
as English.
"""

import re
from collections.abc import Iterator

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.numerals import NUMBER, UNCOUNTED_NUMBERS, forms_of, numeral_value
from compiler.analysis.omissions import ProseDiffers
from compiler.analysis.parties import ruling_party
from compiler.analysis.problems import Problem
from runtime.graph import nodes as graph
from runtime.graph.verbs import rule_answer
from runtime.graph.walk import walk

SMALL_NUMBER = "(?:one|two|three|four|five|six|\\d+)"
ADDS = re.compile(rf"\b(?:adds?|raises?|gains?)\b[^.;,]*?\b{SMALL_NUMBER}\b")
TAKES = re.compile(rf"\b(?:subtracts?|lowers?|loses?)\b[^.;,]*?\b{SMALL_NUMBER}\b|\b(?:back|down) by {SMALL_NUMBER}\b")
MORE_BY_NUMBER = re.compile(rf"\b{NUMBER}(?: [a-z]+s)? (?:more|higher|greater)\b(?! than\b)")
LESS = re.compile(rf"\b{NUMBER}(?: [a-z]+s)? (?:less|fewer|lower)\b(?! than\b)")
BOUND = re.compile(r"\bor (?:more|less|higher|lower|fewer|greater)\b")
ON_A = re.compile(rf"\bon an? ({NUMBER})\b(?! or\b)(?!,? (?:\w+ )?or\b)")
BOUND_AND_PLURAL = re.compile(
    r"\b(?:at least|at most|fewer than|less than|more than) (two|three|four|five|six|seven|eight|nine|ten)\b"
)
COMPOUND = re.compile(r"\b(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)-")
PERMITTING_MAY = re.compile(r"\bmay\b(?! only\b)")
WHO_NOT = re.compile(
    r"^an? \w+ (?:that|who|which) (?:cannot|may not|(?:does|did|is|has|was) not)\b[^,;.]*?(?=\bmay\b(?! not))"
)
# A sentence with one of these may deny something, or permit it with a condition that the law inverts.
DENYING_OR_CONDITIONAL = re.compile(
    r"\b(?:not|no|nobody|none|nothing|nor|neither|never|nowhere|only|unless|until|cannot|without|except\w*|but|though"
    r"|last|bars?|forb\w+|closed?|stops?|ends?|must|needs?|has to|have to|alone|if|who|where|when|once|instead|first"
    r"|fails?|too|far|full|free|impossible|barred|other|at most|within|just|same|next|before|after|limits?|what|as"
    r"|halts?|holds?|blocks?|prevents?|loses?|all|every|each|own)\b"
)
NEGATIVE = re.compile(r"(?:do|does|may|is|are)-not-(\w+)|(\w+)-nobody|(?:^|-)no-(\w+)|nobody-(\w+)|(\w+)-nothing")
PLAIN_YES = re.compile(r"yes[.!]?$", re.IGNORECASE)


def reversed_sense(rule: graph.Rule, writer: ExpressionWriter) -> tuple[str, str] | None:
    """Return a phrase of a sentence, and the opposite form of the law; None if no contradiction is found."""
    sentence = rule.prose.lower()
    different = _compared(sentence, rule, writer) or _die_result(sentence, rule, writer) or _several(sentence, rule)
    different = different or _conclusion_amount(sentence, rule, writer)
    # The last two comparisons need a whole sentence.
    if different or not rule.prose[:1].isupper() or sentence.endswith(","):
        return different
    return _added(sentence, rule, writer) or _permitted(sentence, rule)


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


def _added(sentence: str, rule: graph.Rule, writer: ExpressionWriter) -> tuple[str, str] | None:
    """Compare "add two" with a contribution below zero, and "subtract two" with one above."""
    if rule.verb != "adds" or not isinstance(rule.value, graph.Num) or not rule.value.value:
        return None
    up, down = ADDS.search(sentence), TAKES.search(sentence)
    wrong = up if rule.value.value < 0 else down
    right = down if rule.value.value < 0 else up
    return (wrong[0], f"adds {writer.text(rule.value)}") if wrong and not right else None


def _compared(sentence: str, rule: graph.Rule, writer: ExpressionWriter) -> tuple[str, str] | None:
    """Compare "one less" with a sum, and "one more" with a difference."""
    more, less = MORE_BY_NUMBER.search(sentence), LESS.search(sentence)
    if rule.value is None or not (more or less) or BOUND.search(sentence):
        return None
    signs = {node.op: node for node in walk(rule.value) if isinstance(node, graph.Op) and node.op in {"+", "-"}}
    if len(signs) != 1 or not any(isinstance(node, graph.Num) for node in next(iter(signs.values())).arguments):
        return None
    [(sign, node)] = signs.items()
    wrong, right = (less, more) if sign == "+" else (more, less)
    return (wrong[0], writer.text(node)) if wrong and not right else None


def _die_result(sentence: str, rule: graph.Rule, writer: ExpressionWriter) -> tuple[str, str] | None:
    """Compare "on a 6" with the numbers in the law."""
    named = {numeral_value(word): phrase for phrase, word in ((each[0], each[1]) for each in ON_A.finditer(sentence))}
    if len(named) != 1:
        return None
    law = [node for node in walk((rule.guard, rule.value)) if isinstance(node, graph.Num)]
    equal = [
        part
        for node in walk((rule.guard, rule.value))
        if isinstance(node, graph.Op) and node.op == "="
        for part in node.arguments
        if isinstance(part, graph.Num)
    ]
    unmatched_phrases = [phrase for number, phrase in named.items() if all(number != each.value for each in law)]
    left = [each for each in equal if each.value not in named]
    return (
        (unmatched_phrases[0], f"= {writer.text(left[0])}") if len(unmatched_phrases) == 1 and len(left) == 1 else None
    )


def _permitted(sentence: str, rule: graph.Rule) -> tuple[str, str] | None:
    """Compare a sentence that only permits with a prohibition."""
    # A denial in a relative clause about the subject inverts nothing: "who cannot pay may enter".
    sentence = WHO_NOT.sub("", sentence)
    found = PERMITTING_MAY.search(sentence)
    if rule_answer(rule) is not False or found is None or DENYING_OR_CONDITIONAL.search(sentence):
        return None
    return found[0], "forbidden"


def _several(sentence: str, rule: graph.Rule) -> tuple[str, str] | None:
    """Compare "fewer than two" with a law without a count or a number."""
    found = BOUND_AND_PLURAL.search(sentence)
    if found is None:
        return None
    counting = (graph.Num, graph.Place, graph.Ask, graph.Cell)
    nodes = list(walk((rule.guard, rule.value, rule.names)))
    some = next((node for node in nodes if isinstance(node, graph.Fold) and node.op in {"some", "none", "every"}), None)
    if some is None or any(isinstance(node, counting) for node in nodes):
        return None
    return found[0], f"{some.op}(..)"


def _conclusion_amount(sentence: str, rule: graph.Rule, writer: ExpressionWriter) -> tuple[str, str] | None:
    """Compare the amounts of a sentence with the law's conclusion, if that is the only number in the law."""
    value = rule.value
    if not isinstance(value, graph.Num) or value.value in UNCOUNTED_NUMBERS:
        return None
    nodes = walk((rule.guard, rule.value, rule.names))
    if sum(isinstance(node, graph.Num | graph.Place | graph.Ask) for node in nodes) != 1:
        return None
    named = {numeral_value(word): word for word in re.findall(rf"\b{NUMBER}\b", sentence)}
    forms = {*forms_of(value.value), 2 * value.value}
    if COMPOUND.search(sentence):
        return None
    compared = [word for number, word in named.items() if number not in UNCOUNTED_NUMBERS]
    return None if not compared or forms & named.keys() else (compared[0], writer.text(value))
